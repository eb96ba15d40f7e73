# SPDX-License-Identifier: GPL-2.0-or-later
"""An x86_64 dump that is changed at virtual addresses of the kernel, modules' text too, and changed back."""

import re
import struct

from elf import Core

PRESENT, LARGE, FRAME = 1, 0x80, 0xffffffffff000
IMAGE = 0xffffffff80000000


class Paged(Core):
    def __init__(self, path, kallsyms):
        super().__init__(path)
        info = dict(re.findall(rb"(NUMBER\(phys_base\)|SYMBOL\(init_top_pgt\))=([-\w]+)", self.data[:1 << 20]))
        base = int(info[b"NUMBER(phys_base)"])
        self.top = (int(info[b"SYMBOL(init_top_pgt)"], 16) - IMAGE + base) % (1 << 64)
        self.symbols = {}
        with open(kallsyms, encoding="ascii") as f:
            for line in f:
                addr, _, name = line.split()[:3]
                self.symbols.setdefault(name, int(addr, 16))
        self.undo = []

    def at(self, phys):
        """The place in the file."""
        return next(offset + phys - first for _, _, offset, _, first, length, _, _ in self.loads
                    if first <= phys < first + length)

    def place(self, virt):
        table = self.top
        for shift in (39, 30, 21, 12):
            entry, = struct.unpack_from("<Q", self.data, self.at((table & FRAME) + 8 * (virt >> shift & 511)))
            if not entry & PRESENT:
                raise KeyError(hex(virt))
            if shift == 12 or (shift < 39 and entry & LARGE):
                page = (1 << shift) - 1
                return self.at((entry & FRAME & ~page) | (virt & page))
            table = entry
        raise KeyError(hex(virt))

    def get(self, virt, size):
        return bytes(self.data[self.place(virt + i)] for i in range(size))

    def word(self, virt):
        return struct.unpack("<Q", self.get(virt, 8))[0]

    def put(self, virt, data):
        for i, byte in enumerate(data):
            at = self.place(virt + i)
            self.undo.append((at, self.data[at]))
            self.data[at] = byte

    def branch(self, opcode, virt, to):
        """A jump (e9) or call (e8)."""
        self.put(virt, bytes([opcode]) + struct.pack("<i", to - (virt + 5)))

    def restore(self):
        for at, byte in reversed(self.undo):
            self.data[at] = byte
        self.undo = []
