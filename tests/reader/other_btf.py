#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Make the BTF of a kernel that differs in one number, by include/uapi/linux/btf.h.

    other_btf.py size|offset|enumerator|percpu|order BTF NEW
"""

import struct
import sys

INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, FUNC_PROTO = 1, 2, 3, 4, 5, 6, 7, 13
VAR, DATASEC, DECL_TAG, ENUM64 = 14, 15, 17, 19
EACH = {STRUCT: 12, UNION: 12, ENUM: 8, FUNC_PROTO: 8, DATASEC: 12, ENUM64: 12}
ONCE = {INT: 4, ARRAY: 12, VAR: 4, DECL_TAG: 4}


def types(data):
    """(kind, members, offset of the header, offset of what follows, name) of each type."""
    type_len, str_off = struct.unpack_from("<II", data, 12)
    at, end, strings = 24, 24 + type_len, 24 + str_off
    while at < end:
        name, info = struct.unpack_from("<II", data, at)
        kind, count = info >> 24 & 0x1f, info & 0xffff
        text = data[strings + name:data.index(b"\0", strings + name)].decode()
        yield kind, count, at, at + 12, text
        at += 12 + EACH.get(kind, 0) * count + ONCE.get(kind, 0)


def place(data, what):
    """Where the number is."""
    type_len = struct.unpack_from("<I", data, 12)[0]
    for kind, count, head, rest, name in types(data):
        if what == "size" and (kind, name) == (STRUCT, "list_head"):
            return head + 8, 24
        if what == "offset" and (kind, name) == (STRUCT, "list_head"):
            return rest + 12 + 8, 128
        if what == "enumerator" and kind == ENUM:
            for i in range(count):
                at = 24 + type_len + struct.unpack_from("<I", data, rest + 8 * i)[0]
                if data[at:at + 7] == b"PG_lru\0":
                    return rest + 8 * i + 4, 77
        if what == "percpu" and (kind, name) == (DATASEC, ".data..percpu"):
            # the last one: its name has to be known to the symbol table, as all are
            at = rest + 12 * (count - 1) + 4
            return at, struct.unpack_from("<I", data, at)[0] + 8
    raise SystemExit("there is no such number")


def main():
    """Write it."""
    what, source, target = sys.argv[1:]
    with open(source, "rb") as f:
        data = bytearray(f.read())
    if what == "order":
        # types that libbpf reads: one structure of 8 bytes
        header = struct.pack(">HBBIIIII", 0xeb9f, 1, 0, 24, 0, 12, 12, 3)
        data = header + struct.pack(">III", 1, STRUCT << 24, 8) + b"\0x\0"
    else:
        at, value = place(data, what)
        struct.pack_into("<I", data, at, value)
    with open(target, "wb") as f:
        f.write(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
