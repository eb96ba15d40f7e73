# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 otst authors
"""otst.py - the command "otst" in gdb: every probe that is armed on a Linux
kernel, and every captured stack trace.

    (gdb) source gdb/otst.py
    (gdb) otst -l

All decoding and printing is done by the engine, libotst; this file is a
struct otst_target_ops (src/otst.h) over gdb: a kernel behind QEMU's stub or kgdb,
or an ELF vmcore. ../python/libotst.py finds the library and declares what is in it.
"""
import contextlib
import ctypes
import os
import re
import sys

import gdb

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "python"))
try:
    import libotst
    from libotst import (ARRAY, EXIT_FAILED, EXIT_USAGE, FAULT, INT, LOOKUP, OTHER, PHYS,
                         POINTER, STRUCT, UNSUPPORTED, VIRT, LibraryError, Pointer, find_range,
                         join_ranges, load_library, read_elf)
finally:
    sys.path.pop(0)

BANNER = b"Linux version "
PAGE = 4096
# KASLR of x86_64: the kernel's image is moved inside this range, by multiples of the step
IMAGE_START, IMAGE_END, IMAGE_STEP = 0xffffffff80000000, 0xffffffffc0000000, 0x200000
# KASLR of arm64: the image is moved anywhere, by multiples of this
ARM64_STEP = 0x10000
# physical memory is searched for it up to here when no cpu maps it
MEMORY_END = 64 << 30
# registers that gdb names differently
ALIASES = {"pstate": "cpsr"}


# ---- what gdb knows about symbols and types ----

def link_address(name):
    """Address of a kernel symbol as gdb has it, or None."""
    for look_up in (gdb.lookup_global_symbol, gdb.lookup_static_symbol):
        symbol = look_up(name)
        if symbol is not None and (symbol.is_variable or symbol.is_function):
            return int(symbol.value().address)
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&'{name}'"))
    except gdb.error:
        return None


def find_type(name):
    for keyword in ("struct ", "union ", ""):
        try:
            return gdb.lookup_type(keyword + name).strip_typedefs()
        except gdb.error:
            continue
    return None


def is_aggregate(kind):
    return kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)


def find_field(container, name):
    """(field, its first bit), through anonymous structures, or None."""
    if not is_aggregate(container):
        return None
    for field in container.fields():
        if field.name == name:
            return field, field.bitpos
        inner = field.type.strip_typedefs()
        found = find_field(inner, name) if not field.name and is_aggregate(inner) else None
        if found:
            return found[0], field.bitpos + found[1]
    return None


def shape(kind):
    """enum otst_kind"""
    return {gdb.TYPE_CODE_INT: INT, gdb.TYPE_CODE_ENUM: INT, gdb.TYPE_CODE_BOOL: INT,
            gdb.TYPE_CODE_CHAR: INT, gdb.TYPE_CODE_PTR: POINTER, gdb.TYPE_CODE_ARRAY: ARRAY,
            gdb.TYPE_CODE_STRUCT: STRUCT, gdb.TYPE_CODE_UNION: STRUCT}.get(kind.code, OTHER)


def is_signed(kind):
    if kind.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR):
        return False
    if hasattr(kind, "is_signed"):
        return kind.is_signed
    return "unsigned" not in (kind.name or "")


def innermost(kind):
    while kind.code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY):
        kind = kind.target().strip_typedefs()
    name = kind.tag or kind.unqualified().name or ""
    return name.encode()[:63]


def describe(field, start, ret):
    """Fills in a struct otst_member."""
    kind = field.type.strip_typedefs()
    ret.size, ret.offset = kind.sizeof, start // 8
    ret.bit_offset = ret.bit_size = ret.count = 0
    ret.kind, ret.is_signed, ret.type = shape(kind), is_signed(kind), innermost(kind)
    if field.bitsize:
        ret.offset = start // 8 // kind.sizeof * kind.sizeof
        ret.bit_offset, ret.bit_size = start - ret.offset * 8, field.bitsize
    if ret.kind == ARRAY:
        ret.count = max(0, kind.range()[1] + 1)


def find_enumerator(name):
    for look_up in (gdb.lookup_static_symbol, gdb.lookup_global_symbol):
        symbol = look_up(name)
        if symbol is not None and symbol.addr_class == gdb.SYMBOL_LOC_CONST:
            return int(symbol.value())
    return None


# ---- kernels ----

class Kernel:
    """What gdb is attached to. A read returns the bytes, or an error of otst.h."""
    elf_notes = b""

    def close(self):
        """Leave gdb as it was found."""

    def cpu_regs(self, _cpu, _names):
        return None

    def virt(self, addr, size):
        try:
            return gdb.selected_inferior().read_memory(addr, size)
        except gdb.MemoryError:
            return UNSUPPORTED

    def has_banner(self, addr):
        found = self.virt(addr, len(BANNER))
        return not isinstance(found, int) and bytes(found) == BANNER

    def places(self, _banner):
        """By how much KASLR may have moved the kernel."""
        return ()

    def find_slide(self):
        """What has to be added to gdb's addresses of the kernel's symbols."""
        banner = link_address("linux_banner")
        if banner is None or self.has_banner(banner):
            return 0
        for slide in self.places(banner):
            if self.has_banner(banner + slide):
                return slide
        raise gdb.GdbError("otst: linux_banner is not in memory where gdb's symbols have it, nor "
                           "where KASLR could have put it: another kernel's vmlinux, or no cpu "
                           "maps it (all are in user mode) and physical memory cannot be read")


class Core(Kernel):
    """An ELF vmcore. gdb reads it only at the virtual addresses of its headers, and other
    addresses from vmlinux; physical ones are found through the same headers."""

    def __init__(self, path):
        with open(path, "rb") as file:
            found = read_elf(file)
        if not found:
            raise gdb.GdbError("otst: the vmcore is not a 64-bit ELF file")
        loads, self.elf_notes = found
        if loads and not any(virt for virt, _, _ in loads):
            raise gdb.GdbError(f"otst: {path}: its headers have no virtual addresses, gdb cannot "
                               "read it; the program otst can")
        self.by_virt = join_ranges(sorted((v, v, size) for v, _, size in loads))
        self.by_phys = self.cut((p, v, size) for v, p, size in loads)

    @staticmethod
    def cut(ranges):
        """Ranges without what an earlier or a longer one covers: headers describe the kernel's
        text twice, and find_range() looks at only one range."""
        kept, covered = [], 0
        for start, virt, size in sorted(ranges, key=lambda r: (r[0], -r[2])):
            skip = max(covered - start, 0)
            if skip < size:
                kept.append((start + skip, virt + skip, size - skip))
                covered = start + size
        return kept

    def virt(self, addr, size):
        if find_range(self.by_virt, addr)[1] < size:
            return UNSUPPORTED
        return super().virt(addr, size)

    def phys(self, addr, size):
        pieces = []
        while size:
            virt, room = find_range(self.by_phys, addr)
            piece = super().virt(virt, min(room, size)) if room else FAULT
            if isinstance(piece, int):
                return FAULT
            pieces.append(bytes(piece))
            addr, size = addr + len(piece), size - len(piece)
        return b"".join(pieces)

    def places(self, _banner):
        found = re.search(rb"^KERNELOFFSET=([0-9a-f]+)$", self.elf_notes, re.M)
        return (int(found.group(1), 16),) if found else ()


def packet(text):
    """The stub's answer to a packet of gdb's remote protocol."""
    connection = getattr(gdb.selected_inferior(), "connection", None)
    if hasattr(connection, "send_packet"):
        answer = connection.send_packet(text)
        return answer.decode(errors="replace") if isinstance(answer, bytes) else answer or ""
    said = gdb.execute(f"maintenance packet {text}", to_string=True)
    found = re.search(r'received: "(.*)"', said)
    return found.group(1) if found else ""


class Live(Kernel):
    """A stopped machine: QEMU, where a thread is a cpu, or kgdb."""

    def __init__(self):
        self.selected = gdb.selected_thread()
        if self.selected.is_running():
            raise gdb.GdbError("otst: the kernel is running; interrupt it first")
        self.is_qemu = packet("qqemu.PhyMemMode") in ("0", "1")
        self.in_phys = False
        # the image in physical memory: (its virtual addresses, what has to be added to them)
        self.image = None
        self.cpus = []
        self.pages = {}
        self.direct_map = None
        if self.is_qemu:
            self.cpus = sorted(gdb.selected_inferior().threads(), key=lambda t: t.ptid[1:])
            self.choose_cpu()

    @staticmethod
    def in_kernel():
        """Is the selected thread in kernel mode? None if gdb does not know."""
        for name, mask, user in (("cs", 3, 3), ("cpsr", 0xc, 0)):
            # gdb may not even know a frame (s390x, "PC not saved")
            with contextlib.suppress(ValueError, gdb.error):
                return int(gdb.newest_frame().read_register(name)) & mask != user
        return None

    def choose_cpu(self):
        """Reads go through the selected cpu's page tables, which in user mode may lack the kernel."""
        for thread in [self.selected] + self.cpus:
            thread.switch()
            if self.in_kernel():
                return
        self.selected.switch()

    def close(self):
        self.physical(False)
        if self.selected.is_valid():
            self.selected.switch()

    def physical(self, on):
        """QEMU's stub takes addresses as physical while this is on."""
        if self.in_phys != on:
            packet(f"Qqemu.PhyMemMode:{int(on)}")
            self.in_phys = on

    def read(self, space, addr, size):
        if self.is_qemu:
            self.physical(space == PHYS)
        return super().virt(addr, size)

    def cached(self, space, addr, size):
        """Reads whole pages once per command: each packet costs about a millisecond."""
        key = (space, addr)
        if size != PAGE or addr % PAGE:
            return self.read(space, addr, size)
        if key not in self.pages:
            self.pages[key] = self.read(space, addr, size)
        return self.pages[key]

    def virt(self, addr, size):
        if self.image and addr in self.image[0] and addr + size - 1 in self.image[0]:
            return self.phys(addr + self.image[1] & (1 << 64) - 1, size)
        return self.cached(VIRT, addr, size)

    def phys(self, addr, size):
        if self.is_qemu:
            found = self.cached(PHYS, addr, size)
        elif self.direct_map:
            found = self.cached(VIRT, self.direct_map + addr, size)
        else:
            return FAULT
        return FAULT if isinstance(found, int) else found

    def places(self, banner):
        if IMAGE_START <= banner < IMAGE_END:
            return range(IMAGE_STEP, IMAGE_END - banner, IMAGE_STEP)
        if "aarch64" in gdb.newest_frame().architecture().name():
            return self.around_text()
        return ()

    def around_text(self):
        """Moves of the image by which a cpu's pc is somewhere in its text."""
        start, end = link_address("_stext"), link_address("_etext")
        if None in (start, end):
            return
        before = gdb.selected_thread()
        for thread in self.cpus or [before]:
            thread.switch()
            at = int(gdb.newest_frame().pc()) if self.in_kernel() else 0
            before.switch()
            if at:
                first = (at - end) // ARM64_STEP * ARM64_STEP
                yield from range(first, at - start + ARM64_STEP, ARM64_STEP)

    def find_image(self):
        """The slide when all cpus are in user mode and map no more of the kernel than its entry:
        the image is one piece of physical memory, and phys_base says from where it is mapped."""
        banner, base, end = (link_address(n) for n in ("linux_banner", "phys_base", "_end"))
        if None in (banner, base, end) or not IMAGE_START <= banner < IMAGE_END:
            return None
        for move in range(-(banner & -IMAGE_STEP), MEMORY_END - banner, IMAGE_STEP):
            found = self.read(PHYS, banner + move, len(BANNER))
            if isinstance(found, int) or bytes(found) != BANNER:
                continue
            found = self.read(PHYS, base + move, 8)
            if isinstance(found, int):
                continue
            # phys_base has to be added to an address's offset from IMAGE_START
            to_phys = int.from_bytes(found, "little", signed=True) - IMAGE_START
            slide = move - to_phys
            if slide % IMAGE_STEP == 0 and IMAGE_START <= banner + slide < IMAGE_END:
                self.image = range(IMAGE_START, end + slide), to_phys
                return slide
        return None

    def find_slide(self):
        try:
            slide = super().find_slide()
        except gdb.GdbError:
            slide = self.find_image() if self.is_qemu else None
            if slide is None:
                raise
        base = link_address("page_offset_base")
        found = UNSUPPORTED if base is None else self.virt(base + slide, 8)
        if not isinstance(found, int):
            self.direct_map = int.from_bytes(found, "little")
        return slide

    def cpu_regs(self, cpu, names):
        if cpu >= len(self.cpus):
            return None
        before = gdb.selected_thread()
        self.cpus[cpu].switch()
        try:
            values = [self.register(gdb.newest_frame(), name) for name in names]
        finally:
            before.switch()
        return values if any(values) else None

    @staticmethod
    def register(frame, name):
        """Its value; 0 if gdb has no such register: orig_rax is not a register of a machine."""
        try:
            return int(frame.read_register(ALIASES.get(name, name))) & (1 << 64) - 1
        except (ValueError, gdb.error):
            return 0


def attached():
    """The kernel that gdb has."""
    core = re.search(r"Local core dump file:\s*`(.+)', file type",
                     gdb.execute("info files", to_string=True))
    if core:
        return Core(core.group(1))
    if gdb.selected_thread() is None:
        raise gdb.GdbError("otst: no kernel: \"target remote\" attaches to one, \"core-file\" "
                           "opens a vmcore")
    return Live()


# ---- the ops ----

class Target(libotst.Target):
    name = b"gdb"

    def __init__(self, kernel):
        self.kernel = kernel
        self.slide = kernel.find_slide()
        self.big_endian = "big endian" in gdb.execute("show endian", to_string=True)
        super().__init__()

    def read(self, space, addr, buf, size):
        found = (self.kernel.phys if space == PHYS else self.kernel.virt)(addr, size)
        if isinstance(found, int):
            return found
        ctypes.memmove(buf, bytes(found), size)
        return 0

    def address(self, name):
        addr = link_address(name)
        return None if addr is None else addr + self.slide

    @staticmethod
    def strip(kind):
        return kind.strip_typedefs()

    @staticmethod
    def size_of(kind):
        return kind.sizeof

    find_type, find_field, describe, constant = map(
        staticmethod, (find_type, find_field, describe, find_enumerator))

    def notes(self, ret, size):
        if not self.kernel.elf_notes:
            return LOOKUP
        ret[0] = ctypes.cast(self.kernel.elf_notes, Pointer)
        size[0] = len(self.kernel.elf_notes)
        return 0

    def cpu_regs(self, cpu, names, count, ret):
        found = self.kernel.cpu_regs(cpu, [names[i].decode() for i in range(count)])
        if not found:
            return LOOKUP
        for i, value in enumerate(found):
            ret[i] = value
        return 0

    def module_file(self, name, ret, size):
        for objfile in gdb.objfiles():
            base = re.match(r"(.+)\.ko(\.debug)?$", os.path.basename(objfile.filename or ""))
            if base and base.group(1).replace("-", "_") == name.decode():
                path = objfile.filename.encode() + b"\0"
                if len(path) > size:
                    return LOOKUP
                ctypes.memmove(ret, path, len(path))
                return 0
        return LOOKUP


# ---- the command ----

class Otst(gdb.Command):
    """Filled in from the library's help."""

    def __init__(self):
        self.library = load_library()
        text = self.library.otst_help()
        lines = []
        while text[len(lines)] is not None:
            lines.append(text[len(lines)].decode())
        # gdb has a command for pipes
        lines = [re.sub(r"^( +)(otst .* \| )", r"\1pipe \2", line) for line in lines]
        Otst.__doc__ = "\n".join([lines[1] + "."] + ["otst " + lines[2]] + lines[3:])
        super().__init__("otst", gdb.COMMAND_DATA, gdb.COMPLETE_SYMBOL)

    def invoke(self, argument, _from_tty):
        self.dont_repeat()
        words = gdb.string_to_argv(argument)
        self.refuse_shell(argument, words)
        kernel = attached()
        try:
            self.run(Target(kernel), words)
        finally:
            kernel.close()

    @staticmethod
    def refuse_shell(argument, words):
        """gdb's own pipe command takes the pipe and the file; here they would be operands."""
        for word in words:
            if word[0:1] == "|":
                hint = f"pipe otst {argument.strip()}"
            elif word[0:1] == ">":
                hint = f"pipe otst {argument[:argument.index('>')].strip()} | cat " \
                       f"{argument[argument.index('>'):].strip()}"
            else:
                continue
            gdb.set_convenience_variable("otst_status", EXIT_USAGE)
            raise gdb.GdbError(f"otst: in gdb that is \"{hint}\"")

    def run(self, target, words):
        complaints = []
        # the width of gdb's lines; gdb cannot tell a terminal from its own pipe or file: no colours
        out = target.output(gdb.write, gdb.parameter("width") or 0)
        err = target.output(complaints.append)
        vmlinux = gdb.current_progspace().filename
        try:
            status = target.run(self.library, words, out, err, vmlinux=vmlinux)
        except LibraryError as refused:
            raise gdb.GdbError(f"otst: {refused}") from None
        gdb.set_convenience_variable("otst_status", status)
        if target.raised:
            raise target.raised
        if status in (EXIT_FAILED, EXIT_USAGE) and complaints:
            raise gdb.GdbError("".join(complaints).rstrip("\n"))
        for text in complaints:
            gdb.write(text, gdb.STDERR)


try:
    Otst()
except LibraryError as problem:
    gdb.write(f"otst: {problem}\n", gdb.STDERR)
