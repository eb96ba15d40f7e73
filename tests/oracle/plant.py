#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Change bytes of a kdump-style ELF dump in place.

    plant.py VMCORE ADDRESS BYTES...    "cc 90" in hexadecimal at a virtual address
    plant.py VMCORE ADDRESS read N      print N bytes instead
"""

import sys

from elf import Core, Elf


def main():
    path, addr, words = sys.argv[1], int(sys.argv[2], 0), sys.argv[3:]
    if words[0] == "read":
        found = Elf(path).read(addr, int(words[1]))
        if found:
            print(found.hex())
    else:
        found = Core(path).write(addr, bytes.fromhex("".join(words)))
    return None if found else f"{addr:#x} is not in the dump"


sys.exit(main())
