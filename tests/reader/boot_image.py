# SPDX-License-Identifier: GPL-2.0-or-later
"""Kernel images as they are installed, made of an ELF file: compressed as distributions and
the kernel's own Makefiles do it, and with the headers that boot loaders read."""
import bz2
import ctypes
import functools
import gzip
import lzma
import struct
import subprocess

LZ4_BLOCK = 8 << 20


def library(name):
    return ctypes.CDLL({"lz4": "liblz4.so.1", "zstd": "libzstd.so.1"}[name])


def by_zstd(data):
    lib = library("zstd")
    lib.ZSTD_compressBound.restype = lib.ZSTD_compress.restype = ctypes.c_size_t
    room = lib.ZSTD_compressBound(ctypes.c_size_t(len(data)))
    out = ctypes.create_string_buffer(room)
    size = lib.ZSTD_compress(out, ctypes.c_size_t(room), data, ctypes.c_size_t(len(data)), 1)
    return out.raw[:size]


def by_lz4_frame(data):
    lib = library("lz4")
    lib.LZ4F_compressFrameBound.restype = lib.LZ4F_compressFrame.restype = ctypes.c_size_t
    room = lib.LZ4F_compressFrameBound(ctypes.c_size_t(len(data)), None)
    out = ctypes.create_string_buffer(room)
    size = lib.LZ4F_compressFrame(out, ctypes.c_size_t(room), data, ctypes.c_size_t(len(data)), None)
    return out.raw[:size]


def by_lz4_legacy(data):
    """lz4 -l, as cmd_lz4 of scripts/Makefile.lib runs it"""
    lib, out = library("lz4"), b"\x02\x21\x4c\x18"
    for at in range(0, len(data), LZ4_BLOCK):
        block = data[at:at + LZ4_BLOCK]
        room = ctypes.create_string_buffer(lib.LZ4_compressBound(len(block)))
        size = lib.LZ4_compress_default(block, room, len(block), len(room))
        out += struct.pack("<I", size) + room.raw[:size]
    return out


FORMATS = {
    "gzip": lambda data: gzip.compress(data, 1),
    "xz": lambda data: lzma.compress(data, preset=0, check=lzma.CHECK_CRC32),
    "lzma": lambda data: lzma.compress(data, lzma.FORMAT_ALONE, preset=0),
    "bzip2": lambda data: bz2.compress(data, 1),
    "zstd": by_zstd,
    "lz4": by_lz4_legacy,
}



@functools.lru_cache(maxsize=None)
def packed(data, packing):
    return FORMATS[packing](data)


# of files that distributions compress
FILES = {"gz": "gzip", "xz": "xz", "bz2": "bzip2", "zst": "zstd", "lz4": None}


def file_of(data, suffix):
    return by_lz4_frame(data) if suffix == "lz4" else packed(data, FILES[suffix])


def stripped(vmlinux, to):
    """arch/x86/boot/compressed/Makefile, OBJCOPYFLAGS_vmlinux.bin"""
    subprocess.run(["objcopy", "-R", ".comment", "-S", vmlinux, to], check=True)
    with open(to, "rb") as f:
        return f.read()


# a list of relocations for KASLR, as CONFIG_X86_NEED_RELOCS appends it
RELOCATIONS = struct.pack("<16I", 0, *range(0x81000000, 0x81000000 + 15 * 8, 8))


def bzimage(elf, packing, sects=27, offset=0x2cc, size=None, length=None, version=0x20f):
    """Documentation/arch/x86/boot.rst; @sects of 0 mean 4"""
    payload = packed(elf, packing)
    if packing != "gzip":
        payload += struct.pack("<I", len(elf) if size is None else size)
    start = 512 * ((sects or 4) + 1)
    head = bytearray(start + offset)
    head[0:2] = b"MZ"
    head[0x1f1] = sects
    head[0x1fe:0x200] = b"\x55\xaa"
    head[0x202:0x206] = b"HdrS"
    struct.pack_into("<H", head, 0x206, version)
    struct.pack_into("<II", head, 0x248, offset, len(payload) if length is None else length)
    return bytes(head) + payload + bytes(4096)


def zboot(image, packing):
    """drivers/firmware/efi/libstub/zboot-header.S: the size behind the payload is not counted"""
    payload = packed(image, packing)
    head = bytearray(0x1000)
    head[0:8] = b"MZ\0\0zimg"
    struct.pack_into("<II", head, 8, len(head), len(payload))
    head[0x18:0x18 + len(packing)] = packing.encode()
    return bytes(head) + payload + (b"" if packing == "gzip" else struct.pack("<I", len(image)))


def sections(elf):
    """name, type, flags, address, offset, size of each section of a little-endian ELF file"""
    at, = struct.unpack_from("<Q", elf, 0x28)
    count, names = struct.unpack_from("<HH", elf, 0x3c)
    rows = [struct.unpack_from("<IIQQQQ", elf, at + 64 * i) for i in range(count)]
    for name, *rest in rows:
        start = rows[names][4] + name
        yield (elf[start:elf.index(b"\0", start)].decode(), *rest)


def flat(elf):
    """arch/arm64/boot/Makefile: objcopy -O binary; the head of the first section is the Image's"""
    loaded = [(addr, offset, size) for _, kind, flags, addr, offset, size in sections(elf)
              if flags & 2 and kind != 8 and size]
    first = min(addr for addr, _, _ in loaded)
    image = bytearray(max(addr + size for addr, _, size in loaded) - first)
    for addr, offset, size in loaded:
        image[addr - first:addr - first + size] = elf[offset:offset + size]
    return bytes(image)
