# SPDX-License-Identifier: GPL-2.0-or-later
"""BTF as bytes: its structures with their members, and copies in which one name is another one."""
import glob
import os
import re
import struct

# kinds of include/uapi/linux/btf.h, and how many bytes follow struct btf_type, with vlen of each
(INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, FUNC_PROTO,
 VAR, DATASEC, FLOAT, DECL_TAG, TYPE_TAG, ENUM64) = range(1, 20)
MORE = {INT: (4, 0), ARRAY: (12, 0), STRUCT: (0, 12), UNION: (0, 12), ENUM: (0, 8),
        FUNC_PROTO: (0, 8), VAR: (4, 0), DATASEC: (0, 12), DECL_TAG: (4, 0), ENUM64: (0, 12)}


SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src")


def source_names():
    """All that is in quotes in otst's source and may be the name of a structure, a member, a function."""
    names = set()
    for path in glob.glob(os.path.join(SOURCE, "**", "*.[ch]"), recursive=True):
        with open(path, encoding="utf-8") as f:
            for text in re.findall(r'"([A-Za-z_][A-Za-z0-9_.{}, ]*)"', f.read()):
                names.update(re.split(r"[.{}, ]", text))
    return names - {""}


class Btf:
    """@structures: name -> places in the bytes where it is named; @members: (structure, member) ->
    places, members of unnamed structures inside included; @enumerators: name -> places."""

    def __init__(self, data):
        self.data = data
        (magic, _, _, hdr, type_off, type_len, self.str_off,
         self.str_len) = struct.unpack_from("<HBBIIIII", data)
        assert magic == 0xeb9f
        self.hdr = hdr
        self.strings = hdr + self.str_off
        self.structures, self.members, self.enumerators = {}, {}, {}
        types, at, end = [None], hdr + type_off, hdr + type_off + type_len
        while at < end:
            _, info, _ = struct.unpack_from("<III", data, at)
            kind, vlen = info >> 24 & 31, info & 0xffff
            types.append((at, kind, vlen))
            fixed, each = MORE.get(kind, (0, 0))
            at += 12 + fixed + each * vlen
        self.types = types
        for at, kind, vlen in types[1:]:
            name = self.name(at)
            if kind in (STRUCT, UNION) and name:
                self.structures.setdefault(name, []).append(at)
                for member, place in self.walk(at, vlen):
                    self.members.setdefault((name, member), []).append(place)
            for i in range(vlen if kind in (ENUM, ENUM64) else 0):
                place = at + 12 + MORE[kind][1] * i
                self.enumerators.setdefault(self.name(place), []).append(place)

    def name(self, at):
        begin = self.strings + struct.unpack_from("<I", self.data, at)[0]
        return self.data[begin:self.data.index(b"\0", begin)].decode()

    def walk(self, at, vlen):
        for place in range(at + 12, at + 12 + 12 * vlen, 12):
            member = self.name(place)
            if member:
                yield member, place
                continue
            inner = self.types[struct.unpack_from("<I", self.data, place + 4)[0]]
            if inner and inner[1] in (STRUCT, UNION):
                yield from self.walk(inner[0], inner[2])

    def renamed(self, places):
        """A copy in which what is named at @places is called otherwise."""
        new = bytearray(self.data)
        for place in places:
            struct.pack_into("<I", new, place, self.str_len)
        name = b"renamed_by_a_test\0"
        new[self.strings + self.str_len:self.strings + self.str_len] = name
        struct.pack_into("<I", new, 20, self.str_len + len(name))
        return bytes(new)
