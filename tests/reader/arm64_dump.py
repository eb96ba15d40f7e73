# SPDX-License-Identifier: GPL-2.0-or-later
"""An ELF dump of 8 MiB of an arm64 machine that never was: page tables for a
kernel's text and for the linear map, VMCOREINFO, and bytes that differ from page
to page. Nothing in it is a kernel: it tests how memory is found and read."""
import random
import struct

PHYS = 0x40000000
SIZE = 8 << 20
BLOCK = 2 << 20
TEXT = 0xFFFFBB056D800000
LINEAR = 0xFFFF000000000000
TEXT_AT = PHYS + BLOCK  # _stext, mapped page by page, then in one block
TABLES = PHYS + 0x10000
PAGE_ENTRY, BLOCK_ENTRY, TABLE_ENTRY = 0x703, 0x701, 0x3


def memory(seed):
    chance = random.Random(seed)
    data = bytearray()
    for _ in range(SIZE // 4096):
        data += (chance.randbytes(16) * 128 + chance.randbytes(2048))
    return data


class Tables:
    """Four levels, pages of 4 KiB."""

    def __init__(self, data):
        self.data = data
        self.root = TABLES
        self.next = TABLES
        self.take()

    def take(self):
        at = self.next
        self.next += 4096
        self.data[at - PHYS:at - PHYS + 4096] = bytes(4096)
        return at

    def map(self, virt, entry, last):
        table = self.root
        for shift in (39, 30, 21, 12):
            at = table - PHYS + (virt >> shift & 511) * 8
            if shift == last:
                struct.pack_into("<Q", self.data, at, entry)
                return
            found = struct.unpack_from("<Q", self.data, at)[0]
            if not found:
                found = self.take() | TABLE_ENTRY
                struct.pack_into("<Q", self.data, at, found)
            table = found & ~0xFFF


def vmcoreinfo(root):
    offset = TEXT - TEXT_AT
    return "".join(line + "\n" for line in (
        "OSRELEASE=6.1.0-arm64", "PAGESIZE=4096", f"SYMBOL(swapper_pg_dir)={root + offset:x}",
        f"SYMBOL(_stext)={TEXT:x}", "NUMBER(VA_BITS)=48", f"NUMBER(kimage_voffset)=0x{offset:x}",
        f"NUMBER(PHYS_OFFSET)=0x{PHYS:x}", "NUMBER(TCR_EL1_T1SZ)=0x10")).encode()


def write(path, seed=1, info=vmcoreinfo, note=True):
    """@info: text of VMCOREINFO for a top table; @note: have it in a note, else in memory alone"""
    data = memory(seed)
    tables = Tables(data)
    for at in range(0, BLOCK, 4096):
        # backwards: neighbours in one are not neighbours in the other
        where = at if at < 65536 else BLOCK + 65536 - at - 4096
        tables.map(TEXT + at, TEXT_AT + where | PAGE_ENTRY, 12)
    tables.map(TEXT + BLOCK, TEXT_AT + BLOCK | BLOCK_ENTRY, 21)
    for at in range(0, SIZE, BLOCK):
        tables.map(LINEAR + at, PHYS + at | BLOCK_ENTRY, 21)
    text = info(tables.root)
    data[-4096:] = text.ljust(4096, b"\0")
    notes = b""
    if note:
        notes = struct.pack("<III", 11, len(text), 0) + b"VMCOREINFO\0\0" + text
        notes += bytes(-len(notes) % 4)
    headers = 64 + 2 * 56
    start = (headers + len(notes) + 4095) // 4096 * 4096
    with open(path, "wb") as f:
        f.write(b"\x7fELF\x02\x01\x01".ljust(16, b"\0"))
        f.write(struct.pack("<HHIQQQIHHHHHH", 4, 183, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0))
        f.write(struct.pack("<IIQQQQQQ", 4, 0, headers, 0, 0, len(notes), len(notes), 4))
        f.write(struct.pack("<IIQQQQQQ", 1, 7, start, 0, PHYS, SIZE, SIZE, 0))
        f.write(notes)
        f.seek(start)
        f.write(data)
