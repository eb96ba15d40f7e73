# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables of facts on a kernel's types, from BTF and to BTF. A table has lines

    struct NAME SIZE            a structure; union as well
        MEMBER OFFSET TYPE      a member that otst may look up; OFFSET in bits
    enum NAME VALUE             an enumerator
    func NAME                   a function

TYPE is int SIZE, uint SIZE, bits WIDTH, sbits WIDTH, ptr, enum SIZE, struct NAME, or array COUNT TYPE.
Members of unnamed structures stand in the structure around them; the type of a member that has no
name of its own is called STRUCTURE.MEMBER.
"""
import struct

from btf import (ARRAY, CONST, ENUM, ENUM64, FLOAT, FUNC, FUNC_PROTO, FWD, INT, MORE, PTR, RESTRICT,
                 STRUCT, TYPEDEF, TYPE_TAG, UNION, VOLATILE, Btf)

PLAIN = (TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG)


class Extract:
    def __init__(self, data, words):
        self.btf, self.words = Btf(data), words
        self.data, self.types = data, self.btf.types
        self.lines, self.done, self.wanted = [], {}, []
        for i, t in enumerate(self.types):
            name = t and self.btf.name(t[0])
            if t and t[1] in (STRUCT, UNION) and name in words:
                self.want(i, name)
        while self.wanted:
            self.put_struct(*self.wanted.pop(0))
        self.put_rest()

    def word(self, at):
        return struct.unpack_from("<I", self.data, at)[0]

    def resolve(self, i):
        while i and self.types[i][1] in PLAIN:
            i = self.word(self.types[i][0] + 8)
        return i

    def want(self, i, name):
        """Its name in the table. Two structures may have one: ring_buffer was perf's and ftrace's."""
        if i not in self.done:
            self.done[i] = name
            self.wanted.append((i, name))
        return self.done[i]

    def describe(self, i, label):
        i = self.resolve(i)
        if not i:
            return "int 0"
        at, kind, _ = self.types[i]
        if kind == INT:
            encoding = self.word(at + 12)
            return "%s %d" % ("int" if encoding >> 24 & 1 else "uint", self.word(at + 8))
        if kind in (ENUM, ENUM64, FLOAT):
            return "enum %d" % self.word(at + 8)
        if kind == ARRAY:
            element, _, count = struct.unpack_from("<III", self.data, at + 12)
            return "array %d %s" % (count, self.describe(element, label))
        if kind in (STRUCT, UNION):
            return "struct " + self.want(i, self.btf.name(at) or label)
        return "ptr" if kind in (PTR, FWD) else "int 0"

    def members(self, i, base):
        at, kind, vlen = self.types[i]
        flag = self.word(at + 4) >> 31
        for place in range(at + 12, at + 12 + 12 * vlen, 12):
            of, offset = struct.unpack_from("<II", self.data, place + 4)
            bits = offset >> 24 if flag else 0
            offset = base + (offset & 0xffffff if flag else offset)
            name = self.btf.name(place)
            inner = self.resolve(of)
            if not name and inner and self.types[inner][1] in (STRUCT, UNION):
                yield from self.members(inner, offset)
            elif name in self.words:
                yield name, offset, of, bits

    def put_struct(self, i, name):
        self.lines.append("struct %s %d" % (name, self.word(self.types[i][0] + 8)))
        seen = set()
        for member, offset, of, bits in self.members(i, 0):
            if member in seen:
                continue
            seen.add(member)
            text = self.describe(of, "%s.%s" % (name, member))
            if bits:
                text = "%sbits %d" % ("s" if text.startswith("int") else "", bits)
            self.lines.append("\t%s %d %s" % (member, offset, text))

    def put_rest(self):
        for t in self.types[1:]:
            at, kind, vlen = t
            if kind == FUNC and self.btf.name(at) in self.words:
                self.lines.append("func " + self.btf.name(at))
            each = MORE.get(kind, (0, 0))[1]
            for place in range(at + 12, at + 12 + each * vlen, each or 1):
                if kind in (ENUM, ENUM64) and self.btf.name(place) in self.words:
                    value = struct.unpack_from("<i" if kind == ENUM else "<q", self.data, place + 4)[0]
                    self.lines.append("enum %s %d" % (self.btf.name(place), value))


class Build:
    """A table's BTF, as bytes."""

    def __init__(self, lines):
        self.strings, self.offsets = bytearray(b"\0"), {"": 0}
        self.types, self.known, self.structures = [], {}, {}
        blocks, enums, functions = [], [], []
        for line in lines:
            if line.startswith("struct "):
                blocks.append((line.split(), []))
            elif line.startswith("\t"):
                blocks[-1][1].append(line.split())
            elif line.startswith("enum "):
                enums.append(line.split()[1:])
            elif line.startswith("func "):
                functions.append(line.split()[1])
        for i, block in enumerate(blocks):
            self.structures.setdefault(block[0][1], i + 1)
            self.types.append(b"")
        self.sizes = {b[0][1]: int(b[0][2]) for b in blocks}
        for i, (head, members) in enumerate(blocks):
            self.types[i] = self.structure(head, members)
        self.add(ENUM, "", 4, len(enums), b"".join(
            struct.pack("<Ii", self.string(n), self.short(v)) for n, v in enums))
        proto = self.add(FUNC_PROTO, "", 0, 0, b"")
        for name in functions:
            self.add(FUNC, name, proto, 0, b"")

    @staticmethod
    def short(value):
        return (int(value) + (1 << 31)) % (1 << 32) - (1 << 31)

    def string(self, text):
        if text not in self.offsets:
            self.offsets[text] = len(self.strings)
            self.strings += text.encode() + b"\0"
        return self.offsets[text]

    def head(self, kind, name, size, vlen, flag=0):
        return struct.pack("<III", self.string(name), flag << 31 | kind << 24 | vlen, size)

    def add(self, kind, name, size, vlen, more):
        self.types.append(self.head(kind, name, size, vlen) + more)
        return len(self.types)

    def one(self, key, *args):
        if key not in self.known:
            self.known[key] = self.add(*args)
        return self.known[key]

    def number(self, signed, size):
        more = struct.pack("<I", (1 << 24 if signed else 0) | size * 8)
        return self.one((signed, size), INT, "n%d%d" % (signed, size), size, 0, more)

    def type_of(self, words):
        if words[0] in ("int", "uint", "enum"):
            return self.number(words[0] == "int", int(words[1]))
        if words[0] in ("bits", "sbits"):
            return self.number(words[0] == "sbits", 8)
        if words[0] == "struct":
            return self.structures[words[1]]
        if words[0] == "array":
            of = self.type_of(words[2:])
            more = struct.pack("<III", of, self.number(False, 4), int(words[1]))
            return self.one(tuple(words), ARRAY, "", 0, 0, more)
        return self.one("ptr", PTR, "", 0, 0, b"")

    def structure(self, head, members):
        parts = b""
        for name, offset, *words in members:
            bits = int(words[1]) if words[0] in ("bits", "sbits") else 0
            parts += struct.pack("<III", self.string(name), self.type_of(words),
                                 bits << 24 | int(offset))
        return self.head(STRUCT, head[1], int(head[2]), len(members), 1) + parts

    def bytes(self):
        types = b"".join(self.types)
        return struct.pack("<HBBIIIII", 0xeb9f, 1, 0, 24, 0, len(types), len(types),
                           len(self.strings)) + types + bytes(self.strings)
