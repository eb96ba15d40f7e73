# SPDX-License-Identifier: GPL-2.0-or-later
"""ELF files of little-endian machines: image files, and dumps as /proc/vmcore has them."""

import mmap
import struct


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


class Core(Elf):
    """A dump that is changed in place."""

    def __init__(self, path):
        super().__init__(path)
        with open(path, "r+b") as f:
            self.data = mmap.mmap(f.fileno(), 0)

    def write(self, addr, data):
        """Into every segment with this memory: /proc/vmcore has the image twice. False: none."""
        size, written = len(data), False
        for _, _, _, vaddr, paddr, filesz, _, _ in self.loads:
            if not vaddr <= addr <= addr + size <= vaddr + filesz:
                continue
            place = addr - vaddr + paddr
            for _, _, offset, _, first, length, _, _ in self.loads:
                if first <= place and place + size <= first + length:
                    at = offset + place - first
                    self.data[at:at + size] = data
                    written = True
        return written
