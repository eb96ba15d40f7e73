# SPDX-License-Identifier: GPL-2.0-or-later
"""A copy of an ELF dump of an x86_64 guest with at most 1 GB of memory, with more memory.

What is added lies in physical memory from 1 GB on; one entry of the kernel's
page tables for each GB adds it to the direct mapping. For ring-grow and scale.
"""
import shutil
import struct

GB = 1 << 30
PAGE = 4096
HUGE = 1 << 63 | 0xe3  # present, writable, accessed, dirty, of 1 GB, not executable
PHDR = "<IIQQQQQQ"


class Dump:
    """The new dump: writes to the memory that it has, and adds memory"""

    def __init__(self, prog, vmcore, new):
        shutil.copyfile(vmcore, new)
        self.file = open(new, "r+b")
        self.head = bytearray(self.file.read(64))
        self.file.seek(struct.unpack_from("<Q", self.head, 32)[0])
        self.loads = [struct.unpack(PHDR, self.file.read(56))
                      for _ in range(struct.unpack_from("<H", self.head, 56)[0])]
        self.base = prog["page_offset_base"].value_()
        self.added = []
        self.next = GB

    def add(self, data, align=16):
        """Puts @data after what was added before; returns its address in the direct mapping"""
        self.next = (self.next + align - 1) // align * align
        self.added.append((self.next, bytes(data)))
        self.next += len(data)
        return self.base + self.added[-1][0]

    def room(self, align=16):
        """The address that add() returns next"""
        return self.base + (self.next + align - 1) // align * align

    def write(self, phys, data):
        for kind, _, offset, _, paddr, size, _, _ in self.loads:
            if kind == 1 and paddr <= phys < paddr + size:
                self.file.seek(offset + phys - paddr)
                self.file.write(data)

    def write_word(self, virt, value):
        self.write(virt - self.base, struct.pack("<Q", value))

    def finish(self, end):
        self.file.seek(0, 2)
        start = (self.file.tell() + PAGE - 1) // PAGE * PAGE
        for phys, data in self.added:
            self.file.seek(start + phys - GB)
            self.file.write(data)
        self.file.truncate(start + end - GB)
        # the program headers again, with one more
        self.loads.append((1, 7, start, self.base + GB, GB, end - GB, end - GB, PAGE))
        self.file.seek(0, 2)
        struct.pack_into("<Q", self.head, 32, self.file.tell())
        struct.pack_into("<H", self.head, 56, len(self.loads))
        for load in self.loads:
            self.file.write(struct.pack(PHDR, *load))
        self.file.seek(0)
        self.file.write(self.head)


def map_more(prog, dump, gigabytes=1):
    entry = prog.read_u64(prog.symbol("init_top_pgt").address + (dump.base >> 39 & 511) * 8)
    index = (dump.base + GB) >> 30 & 511
    assert dump.base % GB == 0 and index and index + gigabytes <= 512
    for i in range(gigabytes):
        dump.write((entry & 0xffffffffff000) + (index + i) * 8,
                   struct.pack("<Q", (i + 1) * GB | HUGE))
