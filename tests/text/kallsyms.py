#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Move the kernel's symbols of a text dump into kallsyms, as scripts/kallsyms.c does.

    kallsyms.py [options] FILE.txt >NEW.txt

The new dump is one file, without includes. No "sym" line is left but those of modules:
otst has to find the tables in memory, and VMCOREINFO names only a few variables.

    --form percpu    offsets, per-cpu symbols are absolute (x86_64, CONFIG_KALLSYMS_ABSOLUTE_PERCPU)
           relative  offsets from the lowest address (arm64, s390x, ppc64le)
           absolute  addresses (CONFIG_KALLSYMS_BASE_RELATIVE is not set)
    --long           the number and the markers have 64 bits, as up to 4.20
    --text-only      without data, as without CONFIG_KALLSYMS_ALL
    --tables ADDR    where the tables are to be; unless it is given, 64 KiB below init_uts_ns
    --fill N         so many more symbols (600)
    --decoy          tables with all addresses wrong follow: they are found first
"""

import argparse
import os
import re
import sys

COMMENT = re.compile(r'^((?:[^#"]|"(?:[^"\\]|\\.)*")*)#.*$')


def read_lines(path):
    """The lines of a dump, with those of what it includes."""
    with open(path, encoding="utf-8") as f:
        for line in f:
            line = COMMENT.sub(r"\1", line.rstrip("\n")).rstrip()
            if line.startswith("include "):
                yield from read_lines(os.path.join(os.path.dirname(path), line.split()[1]))
            elif line:
                yield line


def value_of(expression, names):
    """A sum of numbers and names."""
    return sum(names[t] if t in names else int(t, 0) for t in expression.split("+"))


def take_symbols(lines):
    """(other lines, {name: address}) of a dump."""
    rest, symbols, names = [], {}, {}
    for line in lines:
        words = line.split()
        if words[0] in ("sym", "let") and len(words) < 5:
            try:
                names[words[1]] = value_of(words[2], names)
            except ValueError:
                pass
        if words[0] == "sym" and len(words) < 5 and words[1] in names:
            symbols[words[1]] = names[words[1]]
            rest.append("let %s 0x%x" % (words[1], names[words[1]]))
        else:
            rest.append(line)
    return rest, symbols


class Tokens:
    """The 256 strings that codes stand for: unused codes become the most frequent pairs."""

    def __init__(self, names):
        self.coded = [list(name.encode()) for name in names]
        used = {code for name in self.coded for code in name}
        self.parts = {code: [code] for code in used}
        for code in (c for c in range(255, -1, -1) if c not in used):
            pair = self.best_pair()
            if not pair:
                break
            self.parts[code] = list(pair)
            self.coded = [self.replace(name, pair, code) for name in self.coded]

    def best_pair(self):
        """What is worth a code."""
        seen = {}
        for name in self.coded:
            for pair in zip(name, name[1:]):
                seen[pair] = seen.get(pair, 0) + 1
        best = max(seen, key=lambda p: (seen[p], p), default=None)
        return best if best and seen[best] > 1 else None

    @staticmethod
    def replace(name, pair, code):
        """The name with the code in the place of the pair."""
        at, out = 0, []
        while at < len(name):
            if tuple(name[at:at + 2]) == pair:
                out.append(code)
                at += 2
            else:
                out.append(name[at])
                at += 1
        return out

    def text(self, code):
        """What a code stands for."""
        parts = self.parts.get(code, [])
        return bytes(parts) if parts in ([], [code]) else b"".join(map(self.text, parts))


class Tables:
    """Bytes, one part after the other, each at a multiple of 8."""

    def __init__(self, big_endian):
        self.order = "big" if big_endian else "little"
        self.data = b""
        self.at = {}

    def put(self, name, values, size):
        """The next part: integers of this size."""
        self.data += bytes(-len(self.data) % 8)
        self.at[name] = len(self.data)
        self.data += b"".join((v & (1 << 8 * size) - 1).to_bytes(size, self.order) for v in values)


    def write(self, start):
        """As lines of a text dump: whole pages."""
        first, last = start & -4096, (start + len(self.data) + 4095) & -4096
        print("fill 0x%x 0x%x 0" % (first, last - first))
        for at in range(0, len(self.data), 32):
            print("mem 0x%x: %s" % (start + at, self.data[at:at + 32].hex(" ")))


def offset_of(address, base, form):
    """write_src() of scripts/kallsyms.c."""
    if form == "relative":
        return address - base
    return address if address < 1 << 31 else base - address - 1


def make_tables(symbols, form, wide, big_endian):
    """The tables of (address, type, name), which are sorted."""
    t = Tables(big_endian)
    tokens = Tokens([kind + name for _, kind, name in symbols])
    if form == "absolute":
        t.put("addresses", [a for a, _, _ in symbols], 8)
    else:
        base = min(a for a, _, _ in symbols if a >= 1 << 31)
        t.put("offsets", [offset_of(a, base, form) for a, _, _ in symbols], 4)
        t.put("relative_base", [base], 8)
    t.put("num_syms", [len(symbols)], 8 if wide else 4)
    names, markers = b"", []
    for i, coded in enumerate(tokens.coded):
        if i % 256 == 0:
            markers.append(len(names))
        names += bytes([len(coded)] + coded)
    t.put("names", names, 1)
    t.put("markers", markers, 8 if wide else 4)
    texts = [tokens.text(code) for code in range(256)]
    t.put("token_table", b"".join(text + b"\0" for text in texts), 1)
    t.put("token_index", [sum(len(s) + 1 for s in texts[:i]) for i in range(256)], 2)
    return t


def kind_of(address, symbols):
    """The letter of its type."""
    if address < 1 << 31:
        return "A"
    return "T" if symbols["_stext"] <= address <= symbols["_etext"] else "d"


def choose_symbols(symbols, args):
    """What goes into the tables."""
    symbols = dict(symbols)
    end = (max(a for a in symbols.values() if a - symbols["_stext"] < 1 << 28) | 0xfffff) + 1
    symbols.setdefault("_end", end)
    for i in range(args.fill):
        symbols["shape_filler_%d" % i] = 0x10 * i if args.form == "percpu" else symbols["_end"]
    listed = [(a, kind_of(a, symbols), n) for n, a in symbols.items()]
    if args.text_only:
        listed = [s for s in listed if s[1] == "T"]
    if args.form == "relative":
        # no per-cpu symbol of these dumps has an offset from the base
        listed = [s for s in listed if s[0] >= symbols["_stext"]]
    return sorted(listed, key=lambda s: s[0])


def main():
    """Write the new dump."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--form", choices=("percpu", "relative", "absolute"), default="percpu")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--text-only", action="store_true")
    parser.add_argument("--tables", type=lambda s: int(s, 0))
    parser.add_argument("--fill", type=int, default=600)
    parser.add_argument("--decoy", action="store_true")
    parser.add_argument("file")
    args = parser.parse_args()

    lines, symbols = take_symbols(read_lines(args.file))
    big_endian = "big-endian" in lines
    listed = choose_symbols(symbols, args)
    tables = make_tables(listed, args.form, args.long, big_endian)
    start = args.tables or (symbols["init_uts_ns"] & -4096) - 0x10000
    print("# SPDX-License-Identifier: GPL-2.0-or-later")
    print("#\n# Made by tests/text/kallsyms.py %s" % " ".join(sys.argv[1:]))
    if big_endian:
        lines.remove("big-endian")
        print("big-endian")
    print("lacks symbols")
    for name in ("init_uts_ns", "_stext"):
        print("vmcoreinfo SYMBOL(%s)=%x" % (name, symbols[name]))
    for line in lines:
        print(line)
    print("# ---- kallsyms ----")
    for name, at in tables.at.items():
        print("let kallsyms_%s 0x%x" % (name, start + at))
    tables.write(start)
    if args.decoy:
        moved = [(a + 0x1000 if a >> 31 else a, kind, name) for a, kind, name in listed]
        make_tables(moved, args.form, args.long, big_endian).write(start + 0x8000)
    return 0


if __name__ == "__main__":
    sys.exit(main())
