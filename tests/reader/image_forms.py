# SPDX-License-Identifier: GPL-2.0-or-later
"""The memory of an ELF dump in the forms in which other tools write it, from what is public of
these forms. Memory is a list of (physical address, bytes), ascending, without overlaps."""
import struct

PT_LOAD, PT_NOTE = 1, 4
PAGE = 4096


def headers(elf):
    at, = struct.unpack_from("<Q", elf, 32)
    count, = struct.unpack_from("<H", elf, 56)
    return [(at + 56 * i, *struct.unpack_from("<IIQQQQ", elf, at + 56 * i)) for i in range(count)]


def memory_of(elf):
    """/proc/vmcore has the kernel's image twice"""
    parts = sorted((phys, -size, offset) for _, kind, _, offset, _, phys, size in headers(elf) if kind == PT_LOAD)
    found, covered = [], 0
    for phys, size, offset in parts:
        skip = max(covered - phys, 0)
        if -size <= skip:
            continue
        covered = phys - size
        found.append((phys + skip, bytes(elf[offset + skip:offset - size])))
    return found


def without_notes(elf):
    """The ELF dump with what a memory image has, too: without registers and VMCOREINFO's note"""
    elf = bytearray(elf)
    for at, kind, *_ in headers(elf):
        if kind == PT_NOTE:
            struct.pack_into("<I", elf, at, 0)
    return elf


# ---- LiME, lime.ko's format=lime: README of LiME, "Spec" ----

def lime_header(magic, version, start, size):
    return struct.pack("<IIQQQ", magic, version, start, start + size - 1, 0)


def lime(memory):
    return b"".join(lime_header(0x4C694D45, 1, start, len(data)) + data for start, data in memory)


def blocks_of_avml(memory):
    """at most 16 MiB each, without those that are zero: src/image.rs of AVML"""
    for start, data in memory:
        for at in range(0, len(data), 16 << 20):
            block = data[at:at + (16 << 20)]
            if block.count(0) != len(block):
                yield start + at, block


# ---- raw: the address is the offset, and the file may leave out a hole below 4 GiB ----

def padded(memory):
    end = memory[-1][0] + len(memory[-1][1])
    image = bytearray(end)
    for start, data in memory:
        image[start:start + len(data)] = data
    return image
