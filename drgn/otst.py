# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 otst authors
"""otst.py - otst in drgn: every probe that is armed on a Linux kernel, and every
captured stack trace, of the kernel or the vmcore that drgn has open.

    >>> import sys; sys.path.append("drgn"); import otst
    >>> otst.run(prog, "-l")
    >>> otst.run(prog, "-l", "do_nanosleep")
    >>> %otst -l

The last form is for drgn with commands (0.0.33). All decoding and printing is done by
the engine, libotst; this file is a struct otst_target_ops (src/otst.h) over a drgn.Program.
../python/libotst.py finds the library and declares what is in it.
"""
import contextlib
import ctypes
import mmap
import os
import shlex
import shutil
import signal
import struct
import sys

import drgn
from drgn import ProgramFlags, TypeKind

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "python"))
try:
    import libotst
    from libotst import (ARRAY, FAULT, INT, LOOKUP, OTHER, PHYS, POINTER, STRUCT,
                         UNSUPPORTED, Pointer, elf_order, find_range, join_ranges, load_library,
                         read_elf)
finally:
    sys.path.pop(0)

# ELF: e_type
EXEC, DYN, CORE = 2, 3, 4
AGGREGATES = (TypeKind.STRUCT, TypeKind.UNION, TypeKind.CLASS)

# the exit status of the last command
status = None


# ---- files ----

def open_files():
    """(path, first bytes) of each open file: older drgn does not say which files it reads."""
    paths = set()
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            paths.add(os.readlink(f"/proc/self/fd/{number}"))
    for path in sorted(paths):
        if os.path.isfile(path):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                yield path, file.read(64)


def elf_type(head):
    order = elf_order(head)
    return order and struct.unpack_from(order + "H", head, 16)[0]


def only(paths):
    """The path, if there is exactly one."""
    paths = list(paths)
    return paths[0] if len(paths) == 1 else None


def core_path(prog):
    if hasattr(prog, "core_dump_path"):
        return prog.core_dump_path
    return only(path for path, head in open_files()
                if elf_type(head) == CORE or head[:8] == b"KDUMP   ")


def vmlinux_path(prog):
    if not hasattr(prog, "main_module"):
        return only(path for path, head in open_files() if elf_type(head) in (EXEC, DYN))
    try:
        module = prog.main_module()
    except LookupError:
        return None
    return module.debug_file_path or module.loaded_file_path


class ElfFile:
    """Which physical memory a vmcore has: drgn reads what makedumpfile left out as zeros."""

    def __init__(self, loads, notes):
        self.ranges = join_ranges(sorted((phys, phys, size) for _, phys, size in loads))
        self.notes = notes

    def has(self, addr, size):
        return find_range(self.ranges, addr)[1] >= size


class CompressedFile:
    """The same for a compressed dump: libkdumpfile up to 0.5.4 can crash at missing pages.
    Layout: diskdump_mod.h of makedumpfile."""

    def __init__(self, file):
        self.map = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        # versions are small numbers
        order = "<" if self.map[8] else ">"
        version, = struct.unpack_from(order + "I", self.map, 8)
        self.block, sub_blocks, bitmap_blocks = struct.unpack_from(order + "III", self.map, 428)
        # the second of two bitmaps
        self.size = bitmap_blocks * self.block // 2
        self.bitmap = (1 + sub_blocks) * self.block + self.size
        at = length = 0
        if version >= 4:
            at, length = struct.unpack_from(order + "QQ", self.map, self.block + 48)
        self.notes = self.map[at:at + length]

    def has(self, addr, size):
        return all(self.has_page(page) for page in
                   range(addr // self.block, (addr + size - 1) // self.block + 1))

    def has_page(self, page):
        return page // 8 < self.size and self.map[self.bitmap + page // 8] >> page % 8 & 1


def open_vmcore(path):
    with open(path, "rb") as file:
        if file.read(8) == b"KDUMP   ":
            return CompressedFile(file)
        file.seek(0)
        found = read_elf(file)
    return found and ElfFile(*found)


# ---- types ----

def strip(kind):
    while kind.kind == TypeKind.TYPEDEF:
        kind = kind.type
    return kind


def find_field(container, name):
    """(member, its first bit), through anonymous structures, or None."""
    if container.kind not in AGGREGATES:
        return None
    for field in container.members or ():
        if field.name == name:
            return field, field.bit_offset
        found = None if field.name else find_field(strip(field.type), name)
        if found:
            return found[0], field.bit_offset + found[1]
    return None


def size_of(kind):
    try:
        return drgn.sizeof(kind)
    except TypeError:
        # a flexible array
        return 0


def shape(kind):
    """enum otst_kind"""
    kinds = {TypeKind.INT: INT, TypeKind.BOOL: INT, TypeKind.ENUM: INT, TypeKind.POINTER: POINTER,
             TypeKind.ARRAY: ARRAY}
    return STRUCT if kind.kind in AGGREGATES else kinds.get(kind.kind, OTHER)


def innermost(kind):
    while kind.kind in (TypeKind.POINTER, TypeKind.ARRAY):
        kind = strip(kind.type)
    name = kind.name if kind.kind in (TypeKind.INT, TypeKind.BOOL, TypeKind.FLOAT) else \
        getattr(kind, "tag", None)
    return (name or "").encode()[:63]


def describe(field, start, ret):
    """Fills in a struct otst_member."""
    kind = strip(field.type)
    ret.size, ret.offset = size_of(kind), start // 8
    ret.kind, ret.type = shape(kind), innermost(kind)
    ret.bit_offset = ret.bit_size = ret.count = 0
    ret.is_signed = kind.kind == TypeKind.INT and kind.is_signed
    if field.bit_field_size:
        ret.offset = start // 8 // ret.size * ret.size
        ret.bit_offset, ret.bit_size = start - ret.offset * 8, field.bit_field_size
    if ret.kind == ARRAY:
        ret.count = kind.length or 0


# ---- the ops ----

class Target(libotst.Target):
    name = b"drgn"

    def __init__(self, prog):
        self.big_endian = drgn.PlatformFlags.IS_LITTLE_ENDIAN not in prog.platform.flags
        self.prog = prog
        self.live = bool(prog.flags & ProgramFlags.IS_LIVE)
        path = None if self.live else core_path(prog)
        self.file = path and open_vmcore(path)
        # the library keeps pointers to it
        self.info = None
        super().__init__()

    def stop(self, *_):
        self.raised = self.raised or KeyboardInterrupt()

    def read(self, space, addr, buf, size):
        """The engine walks the page tables of a vmcore, so that a page that the file lacks is
        missing and not zeros."""
        if self.file and space != PHYS:
            return UNSUPPORTED
        if self.file and not self.file.has(addr, size):
            return FAULT
        try:
            found = self.prog.read(addr, size, space == PHYS)
        except drgn.FaultError:
            return FAULT if space == PHYS else UNSUPPORTED
        ctypes.memmove(buf, found, size)
        return 0

    def address(self, name):
        try:
            return self.prog.symbol(name).address
        except LookupError:
            return None

    def find_type(self, name):
        for keyword in ("struct ", "union ", ""):
            with contextlib.suppress(LookupError, SyntaxError):
                found = strip(self.prog.type(keyword + name))
                if found.kind not in AGGREGATES or found.is_complete():
                    return found
        return None

    def constant(self, name):
        try:
            return self.prog.constant(name).value_()
        except (LookupError, TypeError):
            return None

    strip, find_field, describe, size_of = map(staticmethod, (strip, find_field, describe, size_of))

    def vmcoreinfo(self, ret, size):
        try:
            self.info = self.info or self.prog["VMCOREINFO"].string_()
        except LookupError:
            return LOOKUP
        ret[0], size[0] = self.info, len(self.info)
        return 0

    def notes(self, ret, size):
        if not self.file or not self.file.notes:
            return LOOKUP
        ret[0], size[0] = ctypes.cast(self.file.notes, Pointer), len(self.file.notes)
        return 0

    def module_file(self, name, ret, size):
        for module in self.prog.modules() if hasattr(self.prog, "modules") else ():
            path = os.fsencode(module.debug_file_path or "") + b"\0"
            if isinstance(module, drgn.RelocatableModule) and module.name == name.decode() and \
                    1 < len(path) <= size:
                ctypes.memmove(ret, path, len(path))
                return 0
        return LOOKUP


# ---- the command ----

@contextlib.contextmanager
def interrupts(target):
    """Ctrl-C ends the command, but not in the middle of a callback."""
    try:
        before = signal.signal(signal.SIGINT, target.stop)
    except ValueError:
        # only the main thread gets signals
        before = None
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def split_words(words):
    """The words of a command line: text is split as a shell does, other sequences are taken as
    they are."""
    for word in words:
        yield from shlex.split(word) if isinstance(word, str) else word


def search_root():
    """Where vmlinux is looked for when drgn has none, as the program otst does; None: it is not."""
    return os.environ.get("OTST_SEARCH", "/") or None


def run(prog, *words, vmlinux=None, btf=None):
    """Runs a command: run(prog, "-l -v vfs_read"), run(prog, "-l", "-v", "vfs_read") or
    run(prog, ["-l", "-v", "vfs_read"]). Its text goes to sys.stdout, complaints to sys.stderr, its
    exit status to the variable "status" of this module.

    vmlinux is the path of the kernel's image, if drgn does not say which file it has; where neither
    does, it is looked for by its build ID. btf is a file of the kernel's BTF, as for --btf."""
    global status  # pylint: disable=global-statement
    status, target = libotst.EXIT_FAILED, Target(prog)
    width, color = 0, False
    if sys.stdout.isatty():
        width = shutil.get_terminal_size((0, 0)).columns
        color = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    out = target.output(sys.stdout.write, width, color)
    err = target.output(sys.stderr.write)
    with interrupts(target):
        vmlinux = vmlinux_path(prog) if vmlinux is None else vmlinux
        status = target.run(load_library(), list(split_words(words)), out, err, live=target.live,
                            vmlinux=vmlinux, search=search_root(), btf=btf)
    if target.raised:
        raise target.raised


try:
    from drgn.commands import custom_command, parse_shell_command
except ImportError:
    pass
else:
    @custom_command(name="otst", description="armed probes and captured stack traces",
                    usage="**otst** *OPTION*... [*NAME*...]",
                    long_description="Every probe that is armed on a Linux kernel, and every "
                    "captured stack trace. **%otst -h** has the options.",
                    parse=parse_shell_command)
    def _command(prog, _name, words, **_more):
        run(prog, words)
