#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Change what loading made in a module, in copies of a dump, and see whether otst -a names it.

    slots.py OTST DIR

DIR is a dump of the lab: vmcore.elf, vmlinux, modules/, and in oracle/ the guest's own kallsyms and list of modules. Where the
entries of a module's GOT, PLT and stubs are is worked out here: by the file's relocations, the guest's addresses of symbols, and
the instructions that the kernel's arch/ARCH/kernel/module*.c writes. Each is looked for in the dump's memory, and taken
when it is there once. Three changes: an address, an instruction, and a word of a GOT or an entry of ftrace. Stock kernels
of riscv64 have no such tables.
"""

import glob
import mmap
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

EM_PPC64, EM_S390, EM_AARCH64 = 21, 22, 183
# relocations that have an entry for each symbol: in the GOT, and in the PLT (or a stub)
GOT = {EM_S390: {26}}
PLT = {EM_S390: {19, 20}, EM_PPC64: {10}, EM_AARCH64: {282, 283}}
PAGE = 4096


class Module:
    """The names for which a module's file has entries, in the order of its relocations."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.name = os.path.basename(path)[:-3].replace("-", "_")
        order = "<>"[data[5] - 1]
        self.machine, = struct.unpack_from(order + "H", data, 18)
        shoff, = struct.unpack_from(order + "Q", data, 40)
        count, = struct.unpack_from(order + "H", data, 60)
        heads = [struct.unpack_from(order + "IIQQQQIIQQ", data, shoff + 64 * i) for i in range(count)]
        self.got, self.plt = [], []
        for _, kind, _, _, offset, size, link, target, _, _ in heads:
            if kind != 4:
                continue
            symbols, strings = heads[link], heads[heads[link][6]]
            loaded = heads[target][2] & 2
            for at in range(offset, offset + size, 24):
                _, info, _ = struct.unpack_from(order + "QQq", data, at)
                name, = struct.unpack_from(order + "I", data, symbols[4] + 24 * (info >> 32))
                start = strings[4] + name
                name = data[start:data.index(b"\0", start)].decode()
                for types, names in ((GOT, self.got), (PLT, self.plt)):
                    if loaded and info & 0xffffffff in types.get(self.machine, ()) and name not in names:
                        names.append(name)


class Dump:
    """A copy of a dump that is changed and restored."""

    def __init__(self, directory, work):
        self.directory = directory
        self.path = os.path.join(work, "vmcore")
        subprocess.run(["cp", "--sparse=always", os.path.join(directory, "vmcore.elf"), self.path], check=True)
        with open(self.path, "r+b") as file:
            self.data = mmap.mmap(file.fileno(), 0)
        order = "<>"[self.data[5] - 1]
        phoff, = struct.unpack_from(order + "Q", self.data, 32)
        count, = struct.unpack_from(order + "H", self.data, 56)
        loads = [p for p in (struct.unpack_from(order + "IIQQQQQQ", self.data, phoff + 56 * i) for i in range(count))
                 if p[0] == 1]
        # the largest segment has all memory
        _, _, self.start, _, self.phys, self.size, _, _ = max(loads, key=lambda p: p[5])
        self.symbols = {}
        with open(os.path.join(directory, "oracle/proc/kallsyms"), encoding="ascii") as file:
            for line in file:
                words = line.split()
                if len(words) == 3 and words[1] in "TtDdBbRrVvWwAa":
                    self.symbols.setdefault(words[2], set()).add(int(words[0], 16))
        # for when the guest's list has no data, and the kernel was not moved
        named = subprocess.run(["nm", os.path.join(directory, "vmlinux")], capture_output=True, check=True).stdout.decode()
        named = [line.split() for line in named.splitlines()]
        if any(w[-1] == "_stext" and {int(w[0], 16)} == self.symbols["_stext"] for w in named):
            for w in named:
                if len(w) == 3 and (w[2] not in self.symbols or w[1] in "BDR"):
                    self.symbols.setdefault(w[2], set()).add(int(w[0], 16))
        self.modules = {}
        with open(os.path.join(directory, "oracle/proc/modules"), encoding="ascii") as file:
            for line in file:
                words = line.split()
                self.modules[words[0]] = (int(words[5], 16), int(words[1]))

    def address(self, name):
        """The address of a symbol that the kernel has once, else None."""
        found = self.symbols.get(name, ())
        return next(iter(found)) if len(found) == 1 else None

    def page_of(self, at):
        """The offset within its page of an offset in the file."""
        return (at - self.start + self.phys) % PAGE

    def find(self, pattern):
        """The match at the only place that has it and does not cross a page; else None."""
        found = []
        for m in re.compile(pattern, re.S).finditer(self.data, self.start, self.start + self.size):
            if self.page_of(m.start()) + len(m[0]) <= PAGE:
                found.append(m)
        return found[0] if len(found) == 1 else None


# ---- by machine: a list of (what, offset in the file, bytes to write, the entry's symbol) ----

def s390(dump, module, evil):
    for name in module.plt:
        at = dump.address(name)
        m = at and dump.find(rb"\x0d\x10\xe3\x10\x10[\x0a\x0c]\x00\x04.{4,6}" + re.escape(struct.pack(">Q", at)))
        if m:
            yield "an address", m.end() - 8, struct.pack(">Q", evil), name
            yield "an instruction", m.start() + 8, b"\x07\xfe", name
            break
    # the PLT comes after the GOT; unknown words are passed over
    words = [dump.address(name) for name in module.got]
    known = next((i for i, w in enumerate(words) if w), None)
    m = known is not None and dump.find(b"".join(re.escape(struct.pack(">Q", w)) if w else b".{8}" for w in words)
                                        + rb"\x0d\x10\xe3\x10\x10")
    if m:
        yield "a word", m.start() + 8 * known, struct.pack(">Q", evil), module.got[known]


def ppc64(dump, module, evil):
    for name in module.plt:
        at = dump.address(name)
        m = at and name != "_mcount" and dump.find(rb"\x20\x04\x80\x4e\0{4}buts" + re.escape(struct.pack("<Q", at)))
        if m:
            yield "an address", m.end() - 8, struct.pack("<Q", evil), name
            yield "an instruction", m.end() - 20, b"\x20\x00", name
            break
    own = struct.pack("<Q", dump.address("ftrace_caller"))
    for m in re.compile(rb"\x20\x04\x80\x4e\0{8}buts" + re.escape(own), re.S).finditer(dump.data, dump.start):
        yield "ftrace's", m.end() - 8, struct.pack("<Q", evil), "ftrace_caller"
        break


def arm64(dump, module, evil):
    def target(at, page):
        first, add = struct.unpack_from("<II", dump.data, at)
        pages = (first >> 5 & 0x7ffff) << 2 | first >> 29 & 3
        pages -= (pages & 1 << 20) << 1
        return page + (pages << 12) + (add >> 10 & 0xfff)

    del evil
    base, size = dump.modules[module.name]
    names = {dump.address(n): n for n in module.plt + ["ftrace_caller"] if dump.address(n)}
    done = set()
    pattern = re.compile(rb"[\x10\x30\x50\x70\x90\xb0\xd0\xf0].{2}[\x90\xb0\xd0\xf0].{2}[\x00-\x3f]\x91\x00\x02\x1f\xd6", re.S)
    for m in pattern.finditer(dump.data, dump.start, dump.start + dump.size):
        for page in range(base, base + size, PAGE):
            name = names.get(target(m.start(), page))
            if name == "ftrace_caller" and "ftrace" not in done:
                done.add("ftrace")
                yield "ftrace's", m.start() + 4, bytes([dump.data[m.start() + 4], dump.data[m.start() + 5] ^ 1]), name
            elif name and name != "ftrace_caller" and "plt" not in done:
                done.add("plt")
                yield "an address", m.start() + 4, bytes([dump.data[m.start() + 4], dump.data[m.start() + 5] ^ 1]), name
                yield "an instruction", m.start() + 8, b"\x20", name


CHANGES = {EM_S390: s390, EM_PPC64: ppc64, EM_AARCH64: arm64}


def findings(otst, dump):
    """(exit status, lines that are findings)"""
    done = subprocess.run([otst, "-a", "--modules", os.path.join(dump.directory, "modules"),
                           os.path.join(dump.directory, "vmlinux"), dump.path], capture_output=True, check=False)
    out = done.stdout.decode()
    return done.returncode, re.findall(r"^! .*", out, re.M)


def try_change(otst, dump, module, change):
    what, at, new, name = change
    old = dump.data[at:at + len(new)]
    dump.data[at:at + len(new)] = new
    dump.data.flush()
    status, found = findings(otst, dump)
    dump.data[at:at + len(new)] = old
    named = [f for f in found if f"the entry of {name} in " in f and "is not what loading made" in f]
    # findings about calls that go there, on arm64, do not count
    others = [f for f in found if f not in named and f"[{module.name}]" not in f]
    if status == 4 and len(named) == 1 and not others:
        return True
    print(f"{module.name}: {what} of {name}: exit status {status}, found: {found[:5]}")
    return False


def main():
    otst, directory = sys.argv[1:]
    right = tried = 0
    machine = None
    work = tempfile.mkdtemp()
    try:
        dump = Dump(directory, work)
        for path in sorted(glob.glob(os.path.join(directory, "modules/*.ko"))):
            module = Module(path)
            if module.name not in dump.modules or module.machine not in CHANGES:
                continue
            machine = module.machine
            evil = dump.address("panic")
            changes = {}
            for change in CHANGES[module.machine](dump, module, evil):
                changes.setdefault(change[0], change)
            for change in changes.values():
                tried += 1
                right += try_change(otst, dump, module, change)
            if tried >= 3:
                break
    finally:
        shutil.rmtree(work)
    print(f"slots: {right} of {tried} changes of what loading made are found")
    # modules of these call the kernel only through such entries
    return right != tried or (not tried and machine in (EM_S390, EM_PPC64))


if __name__ == "__main__":
    sys.exit(main())
