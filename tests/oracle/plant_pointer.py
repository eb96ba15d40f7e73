#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Make a pointer of the kernel, and the text that follows it, lead to ADDRESS, in a kdump-style ELF dump of x86_64.

    plant_pointer.py VMLINUX VMCORE OFFSET static-call NAME ADDRESS
    plant_pointer.py VMLINUX VMCORE OFFSET jump-label ADDRESS

static-call: the key __SCK__NAME, the trampoline __SCT__NAME and every call site (struct
static_call_site, from the table in VMLINUX). jump-label: the first entry (struct jump_entry)
whose place has a jump of 5 bytes now. OFFSET: KERNELOFFSET of the dump. Prints the address of
the record that was changed.
"""

import struct
import subprocess
import sys

from elf import Core, Elf

CALL, JMP, CONDITIONAL = 0xE8, 0xE9, 0x0F


class Kernel:
    def __init__(self, vmlinux, core, offset):
        self.built, self.core, self.offset = Elf(vmlinux), Core(core), offset
        self.symbols = {}
        for line in subprocess.run(["nm", vmlinux], capture_output=True, text=True, check=True).stdout.splitlines():
            if line[0] != " ":
                self.symbols.setdefault(line[19:], int(line[:16], 16))

    def is_init(self, at):
        """Is it freed text, which the kernel leaves alone?"""
        return self.symbols["__init_begin"] <= at < self.symbols["__init_end"]

    def write(self, at, data):
        if not self.core.write(at + self.offset, data):
            sys.exit(f"{at + self.offset:#x} is not in the dump")

    def lead(self, at, opcode, func):
        self.write(at, opcode + struct.pack("<i", func - (at + self.offset) - len(opcode) - 4))


def plant_static_call(k, name, func):
    key = k.symbols["__SCK__" + name]
    sites = [k.symbols["__SCT__" + name]]
    for at in range(k.symbols["__start_static_call_sites"], k.symbols["__stop_static_call_sites"], 8):
        place, of = struct.unpack("<ii", k.built.read(at, 8))
        if (at + 4 + of) & ~3 == key:
            sites.append(at + place)
    k.write(key, struct.pack("<Q", func))
    for at in sites:
        built = k.built.read(at, 2)
        opcode = built if built[0] == CONDITIONAL else built[:1] if built[0] == JMP else bytes([CALL])
        if not k.is_init(at):
            k.lead(at, opcode, func)
    return key


def plant_jump_label(k, target):
    for at in range(k.symbols["__start___jump_table"], k.symbols["__stop___jump_table"], 16):
        code, to = struct.unpack("<ii", k.core.read(at + k.offset, 8))
        place = at + code
        found = None if k.is_init(place) else k.core.read(place + k.offset, 5)
        if found and found == bytes([JMP]) + struct.pack("<i", at + 4 + to - place - 5):
            k.write(at + 4, struct.pack("<i", target - (at + k.offset) - 4))
            k.lead(place, bytes([JMP]), target)
            return at
    sys.exit("no jump label is a jump")


def main():
    k = Kernel(sys.argv[1], sys.argv[2], int(sys.argv[3], 16))
    what, *words, address = sys.argv[4:]
    plant = {"static-call": plant_static_call, "jump-label": plant_jump_label}[what]
    print(f"{plant(k, *words, int(address, 0)) + k.offset:#x}")


main()
