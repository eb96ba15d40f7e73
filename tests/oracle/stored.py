#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Registers that s390x's cpus stored in their low cores, against those of the notes of one dump.

    stored.py UNWIND_ALL OTST DIR

DIR is what tests/lab/run left of an s390x guest: vmlinux, vmcore.qemu, vmcore.elf, vmcore.s390.
The registers of the notes are written into the low cores of a copy of vmcore.s390, which has no
notes, at the places of asm/lowcore.h: stacks and listings must be those of vmcore.elf. Without
them each running task must have no stack, and the reason. Of the cpus whose status the guest
itself stored (tests/stacks/die), vmcore.s390 as it is must give the stacks of vmcore.elf, too.
"""
import importlib.machinery
import importlib.util
import os
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = 4096  # of vmcore.s390; memory comes after it, from address 0 on
GPREGS, PSW = 0x1280, 0x1300
REGS = 112  # in struct elf_prstatus: the PSW, general registers
LISTINGS = ("-b -v", "-b -j", "-t -s task -v", "-t -s task -j", "-i")


def load_lab():
    loader = importlib.machinery.SourceFileLoader("elf2vmcore", os.path.join(HERE, "../lab/elf2vmcore"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("elf2vmcore", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def find_lowcores(lab, dump):
    """Physical addresses, by cpu."""
    info = lab.find_vmcoreinfo(dump)
    paging = lab.PagingS390x(dump, info)
    table = paging.translate(lab.vmcoreinfo_value(info, b"SYMBOL(lowcore_ptr)", 16))
    count = lab.vmcoreinfo_value(info, b"LENGTH(lowcore_ptr)")
    pointers = [dump.word(table + 8 * i) for i in range(count)]
    return [paging.translate(p) for p in pointers if p]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # the other form has no VMCOREINFO, which is searched for
    return done.returncode, re.sub(r"(?m)^found .*\n", "", done.stdout)


def tasks(program, where, vmcore):
    """Blocks of text of the running tasks, by cpu."""
    _, out = run(program, "-r", os.path.join(where, "vmlinux"), vmcore)
    blocks = {}
    for block in re.split(r"^(?=task |call |error)", out, flags=re.M):
        head = re.match(r"task \S+ \d+ .* cpu (\d+) running: ", block)
        if head:
            blocks[int(head.group(1))] = block
    return blocks


def store(path, lowcores, notes):
    """Fill the low cores' save areas in the file @path, with zeros if there are no @notes."""
    with open(path, "r+b") as file:
        for cpu, lowcore in enumerate(lowcores):
            words = struct.unpack_from(">18Q", notes[cpu], REGS) if notes else [0] * 18
            file.seek(HEADER + lowcore + GPREGS)
            file.write(struct.pack(">18Q", *words[2:], *words[:2]))


def stored_by_guest(path, lowcores):
    """The cpus with a PSW in their low cores."""
    with open(path, "rb") as file:
        for cpu, lowcore in enumerate(lowcores):
            file.seek(HEADER + lowcore + PSW)
            if any(file.read(16)):
                yield cpu


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, otst, where = sys.argv[1:]
    failed = []

    def complain(what, text=None):
        failed.append(what)
        print(what, *(text or "").splitlines()[:12], sep="\n    ")

    if not os.path.exists(os.path.join(where, "vmcore.s390")):
        print("SKIP: no dump of s390x")
        return 77
    lab = load_lab()
    dump = lab.Dump(os.path.join(where, "vmcore.qemu"))
    notes = [desc for name, kind, desc in dump.notes if (name, kind) == (b"CORE", 1)]
    lowcores = find_lowcores(lab, dump)
    if not notes or len(notes) != len(lowcores):
        print("%d notes and %d low cores" % (len(notes), len(lowcores)))
        return 1
    elf, plain = os.path.join(where, "vmcore.elf"), os.path.join(where, "vmcore.s390")
    want = tasks(program, where, elf)
    if len(want) != len(notes):
        complain("vmcore.elf has %d running tasks on %d cpus" % (len(want), len(notes)))

    def compare(vmcore, cpus):
        have = tasks(program, where, vmcore)
        for cpu in cpus:
            if have.get(cpu) != want.get(cpu):
                complain("cpu %d: by the notes" % cpu, want.get(cpu))
                complain("cpu %d: by its low core" % cpu, have.get(cpu))

    guest = list(stored_by_guest(plain, lowcores))
    compare(plain, guest)
    with tempfile.TemporaryDirectory() as work:
        copy = os.path.join(work, "vmcore.s390")
        subprocess.run(["cp", "--sparse=always", plain, copy], check=True)
        store(copy, lowcores, notes)
        compare(copy, range(len(lowcores)))
        for listing in LISTINGS:
            command = [otst, *listing.split(), os.path.join(where, "vmlinux")]
            if run(*command, elf) != run(*command, copy):
                complain("otst %s differs" % listing)
        store(copy, lowcores, None)
        for cpu, block in tasks(program, where, copy).items():
            if "lowcore_ptr[%d]: nothing was stored" % cpu not in block:
                complain("cpu %d: without registers" % cpu, block)
    frames = sum(len(b.splitlines()) - 1 for b in want.values())
    print("stored: %d cpus with %d frames, %d listings; the guest had stored %d cpus"
          % (len(lowcores), frames, len(LISTINGS), len(guest)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
