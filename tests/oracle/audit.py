#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold the places that "otst -a -v -j" lists against the files themselves.

    audit.py VMLINUX VMCORE LINES

Every byte of the kernel's text that differs between image file and dump has to
lie in a place that is listed, and every place that is listed has to differ.
"""

import json
import mmap
import re
import struct
import sys


class Elf:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
        phoff, shoff = struct.unpack_from("<QQ", self.data, 32)
        phnum, = struct.unpack_from("<H", self.data, 56)
        shnum, names = struct.unpack_from("<HH", self.data, 60)
        self.loads = [p for p in (struct.unpack_from("<IIQQQQQQ", self.data, phoff + 56 * i) for i in range(phnum))
                      if p[0] == 1]
        self.sections = {}
        if names:
            heads = [struct.unpack_from("<IIQQQQIIQQ", self.data, shoff + 64 * i) for i in range(shnum)]
            for h in heads:
                at = heads[names][4] + h[0]
                self.sections[self.data[at:self.data.find(b"\0", at)].decode()] = h

    def read(self, addr, size):
        """The bytes, or None."""
        for _, _, offset, vaddr, _, filesz, _, _ in self.loads:
            if vaddr <= addr and addr + size <= vaddr + filesz:
                return self.data[offset + addr - vaddr:offset + addr - vaddr + size]
        return None


def main():
    image, core = Elf(sys.argv[1]), Elf(sys.argv[2])
    slide = int(re.search(rb"KERNELOFFSET=([0-9a-f]+)", core.data).group(1), 16)
    _, _, _, link, offset, size, _, _, _, _ = image.sections[".text"]
    covered = bytearray(size)
    built = image.data[offset:offset + size]
    wrong = 0
    for line in open(sys.argv[3], encoding="ascii"):
        record = json.loads(line)
        if record["type"] != "difference" or record["module"]:
            continue
        at = int(record["address"], 16) - slide - link
        length = record["length"]
        if not 0 <= at < size:
            continue
        covered[at:at + length] = b"\1" * length
        found = core.read(link + slide + at, length)
        if found == built[at:at + length]:
            print(f"{record['address']}: {record['class']}: does not differ")
            wrong += 1
    count = 0
    for at in range(0, size, 4096):
        length = min(4096, size - at)
        found = core.read(link + slide + at, length)
        if found is None or found == built[at:at + length]:
            continue
        for i in range(length):
            if found[i] != built[at + i]:
                count += 1
                if not covered[at + i]:
                    wrong += 1
                    print(f"{link + slide + at + i:#x}: differs, and is not listed")
        if wrong > 20:
            break
    print(f"note: {count} bytes differ")
    return wrong != 0 or count == 0


if __name__ == "__main__":
    sys.exit(main())
