# SPDX-License-Identifier: GPL-2.0-or-later
"""Where a vmcore has the sub-buffers of a trace.dat file:

    dat_pages.py VMCORE TRACE.DAT

prints their physical addresses in hexadecimal, one per line: those of the file's
pages that, apart from their header, are found exactly once in the dump.
"""
import struct
import sys

PT_LOAD = 1
PHDR = struct.Struct("<IIQQQQQQ")
PAGE = 4096
# time and length of a sub-buffer come first, the unwritten part comes last
SAME = slice(16, 1024)


def dump_pages(data):
    """Content and physical address of each page of an ELF dump."""
    offset, size, count = struct.unpack_from("<Q", data, 32) + struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, _, at, _, start, length, _, _ = PHDR.unpack_from(data, offset + i * size)
        for page in range(0, length if kind == PT_LOAD else 0, PAGE):
            yield data[at + page:at + page + PAGE][SAME], start + page


def main():
    with open(sys.argv[1], "rb") as f:
        dump = f.read()
    with open(sys.argv[2], "rb") as f:
        dat = f.read()
    wanted = {dat[at:at + PAGE][SAME] for at in range(0, len(dat), PAGE)}
    wanted.discard(bytes(SAME.stop - SAME.start))
    found = {}
    for content, paddr in dump_pages(dump):
        if content in wanted:
            found.setdefault(content, []).append(paddr)
    for paddrs in sorted(found.values()):
        # the dump has the kernel's image at two virtual addresses
        if len(set(paddrs)) == 1:
            print("%x" % paddrs[0])


main()
