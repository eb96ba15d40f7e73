#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare what a trace.dat of format 6 says about the kernel with the guest's
own files: formats of events, /proc/kallsyms, printk_formats, saved_cmdlines.

    dat_parts.py FILE ORACLE

Exit 0: the same, 1: not.
"""

import os
import re
import struct
import sys

# symbols that kallsyms lists and no symbol table has, compiler labels, and arm64's mapping
# symbols, which tell what bytes follow
GENERATED = re.compile(r"\[(bpf|__builtin__\w+)\]| \.L| \$[dx][.\t]")


class File:
    """The parts in the order of trace-cmd.dat.v6(5)."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        if self.data[:12] != b"\x17\x08\x44tracing6\0" or self.data[12:14] != b"\0\x08":
            sys.exit("no trace.dat of format 6: %r" % self.data[:14])
        self.at = 18
        self.header_page = self.named("header_page")
        self.header_event = self.named("header_event")
        self.formats = {"ftrace": self.system()}
        for _ in range(self.number(4)):
            name = self.string()
            self.formats[name] = self.system()
        self.kallsyms = self.text(4)
        self.printk_formats = self.text(4)
        self.saved_cmdlines = self.text(8)

    def number(self, size):
        value = int.from_bytes(self.data[self.at:self.at + size], "little")
        self.at += size
        return value

    def string(self):
        end = self.data.index(b"\0", self.at)
        text = self.data[self.at:end].decode()
        self.at = end + 1
        return text

    def text(self, size):
        length = self.number(size)
        self.at += length
        return self.data[self.at - length:self.at].decode(errors="replace")

    def named(self, name):
        if self.string() != name:
            sys.exit("no %s at %d" % (name, self.at))
        return self.text(8)

    def system(self):
        return [self.text(8) for _ in range(self.number(4))]


def symbols(text):
    """{(address, name, module)}: the type letters of module symbols are not in memory."""
    return {(f[0], *f[2:]) for f in (re.split(r"[ \t]", line) for line in text.splitlines()
                                     if not GENERATED.search(line))}


def events(file):
    return {system + "/" + re.match(r"name: (.*)", text).group(1): text
            for system, texts in file.formats.items() for text in texts}


def main():
    file, tracefs = File(sys.argv[1]), os.path.join(sys.argv[2], "sys/kernel/tracing")
    failed = 0

    def oracle(*path):
        with open(os.path.join(*path), encoding="utf-8", errors="replace") as f:
            return f.read()

    def compare(what, got, want):
        nonlocal failed
        if got != want:
            failed = 1
            print("%s: only in the file: %s; only in the guest: %s" % (
                what, sorted(set(got) - set(want))[:3], sorted(set(want) - set(got))[:3]))

    compare("kallsyms", symbols(file.kallsyms), symbols(oracle(sys.argv[2], "proc/kallsyms")))
    compare("printk_formats", set(file.printk_formats.splitlines()),
            set(oracle(tracefs, "printk_formats").splitlines()))
    # the guest may have run tasks afterwards, and the one that read the file had another name then
    tasks = oracle(tracefs, "saved_cmdlines").splitlines()
    tasks = set(tasks) - {max(tasks, key=lambda task: int(task.split()[0]))}
    compare("saved_cmdlines", set(file.saved_cmdlines.splitlines()) & tasks, tasks)
    formats = events(file)
    names = {line.replace(":", "/") for line in oracle(tracefs, "available_events").splitlines()}
    compare("events", {n for n in formats if not n.startswith("ftrace/")},
            {n for n in names if not n.startswith("ftrace/")})
    for name, text in formats.items():
        path = os.path.join(tracefs, "events", name, "format")
        if os.path.exists(path):
            compare(name, text.splitlines(), oracle(path).splitlines())
    print("note: %d events, %d lines of kallsyms" % (len(formats), file.kallsyms.count("\n")))
    return failed


sys.exit(main())
