#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Change bytes of a kdump-style ELF dump in place.

    plant.py VMCORE ADDRESS BYTES...    "cc 90" in hexadecimal at a virtual address
    plant.py VMCORE ADDRESS read N      print N bytes instead
"""

import struct
import sys


def offset_of(core, addr, size):
    """Where size bytes at a virtual address are in the file."""
    core.seek(32)
    phoff, = struct.unpack("<Q", core.read(8))
    core.seek(56)
    count, = struct.unpack("<H", core.read(2))
    for i in range(count):
        core.seek(phoff + 56 * i)
        kind, _, offset, vaddr, _, filesz, _, _ = struct.unpack("<IIQQQQQQ", core.read(56))
        if kind == 1 and vaddr <= addr and addr + size <= vaddr + filesz:
            return offset + addr - vaddr
    sys.exit(f"{addr:#x} is not in the dump")


def main():
    path, addr, words = sys.argv[1], int(sys.argv[2], 0), sys.argv[3:]
    with open(path, "r+b") as core:
        if words[0] == "read":
            core.seek(offset_of(core, addr, int(words[1])))
            print(core.read(int(words[1])).hex())
            return
        data = bytes.fromhex("".join(words))
        core.seek(offset_of(core, addr, len(data)))
        core.write(data)


main()
