#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Make a dump what it would be with call depth tracking (retbleed=stuff).

    count_calls.py VMLINUX VMCORE

Changes the kdump-style ELF dump in place, after arch/x86/kernel/callthunks.c:
the nops before each function that is called become the template, calls lead to
it, retpolines to the thunks that count. Returns are left as they are. What
ftrace has already written is left alone: it came later in a real kernel.
"""

import re
import struct
import subprocess
import sys

from elf import Core, Elf

CALL, NOP = 0xE8, 0x90
ALTERNATIVE = 14  # bytes of struct alt_instr
REGISTERS = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
# skip_addr()
UNCOUNTED = "error_entry paranoid_entry xen_error_entry __switch_to_asm ret_from_fork soft_restart_cpu __fentry__".split()
# written by ftrace since
LATER = "ftrace_call ftrace_regs_call ftrace_caller ftrace_regs_caller".split()


class Kernel(Core):
    """The dump, writable, and what the image file says about it."""

    def __init__(self, vmlinux, vmcore):
        super().__init__(vmcore)
        self.image = Elf(vmlinux)
        self.slide = int(re.search(rb"KERNELOFFSET=([0-9a-f]+)", self.data).group(1), 16)
        self.symbols = {}
        names = subprocess.run(["nm", vmlinux], capture_output=True, text=True, check=True).stdout
        for line in names.splitlines():
            words = line.split()
            if len(words) == 3:
                self.symbols.setdefault(words[2], int(words[0], 16) + self.slide)
        self.begin, self.end = self.symbols["_text"], self.symbols["_etext"]
        self.template = self.symbols["skl_call_thunk_template"]
        self.bytes = self.read(self.template, self.symbols["skl_call_thunk_tail"] - self.template)

    def sites(self, section, step=4):
        """Places of text that a table of distances names."""
        head = self.image.sections[section]
        for at in range(0, head[5] - 3, step):
            distance, = struct.unpack_from("<i", self.image.data, head[4] + at)
            place = head[3] + at + distance + self.slide
            if self.begin <= place < self.end:
                yield place

    def target(self, addr):
        return addr + 5 + struct.unpack("<i", self.read(addr + 1, 4))[0]

    def lead(self, addr, target):
        self.write(addr + 1, struct.pack("<i", target - addr - 5))

    def thunk(self, func):
        """What counts calls of a function; None when there is no room for it."""
        place = func - len(self.bytes)
        moved = bytearray(self.bytes)
        # sarq $5, %gs:distance(%rip); in 6.6 and 6.8 the operand is an address
        if moved[:4] == b"\x65\x48\xc1\x3d" and len(moved) == 9:
            distance, = struct.unpack_from("<i", moved, 4)
            struct.pack_into("<i", moved, 4, distance + self.template - place)
        else:
            assert moved[:5] == b"\x65\x48\xc1\x3c\x25" and len(moved) == 10, moved.hex()
        there = self.read(place, len(moved))
        if there == bytes([NOP] * len(moved)):
            self.write(place, bytes(moved))
        elif there != bytes(moved):
            return None
        return place


def count_calls(k):
    uncounted = {k.symbols.get(name) for name in UNCOUNTED + LATER}
    calls = 0
    for at in list(k.sites(".call_sites")) + list(k.sites(".altinstructions", ALTERNATIVE)):
        there = k.read(at, 1)
        if not there or there[0] != CALL or at in uncounted:
            continue
        func = k.target(at)
        if func in uncounted or not k.begin <= func < k.end:
            continue
        thunk = k.thunk(func)
        if thunk:
            k.lead(at, thunk)
            calls += 1
    return calls


def count_retpolines(k):
    thunks = {k.symbols[f"__x86_indirect_thunk_{r}"]: r for r in REGISTERS if f"__x86_indirect_thunk_{r}" in k.symbols}
    retpolines = 0
    for at in k.sites(".retpoline_sites"):
        there = k.read(at, 2)
        # a prefix, or the first byte of a conditional jump
        if there[0] in (0x2E, 0x0F):
            at, there = at + 1, there[1:]
        register = thunks.get(k.target(at))
        if register:
            k.lead(at, k.symbols[f"__x86_indirect_{'call' if there[0] == CALL else 'jump'}_thunk_{register}"])
            retpolines += 1
    return retpolines


def main():
    k = Kernel(sys.argv[1], sys.argv[2])
    calls, retpolines = count_calls(k), count_retpolines(k)
    k.write(k.symbols["thunks_initialized"], b"\1")
    print(f"{calls} counted calls, {retpolines} retpolines")
    return not calls or not retpolines


sys.exit(main())
