# SPDX-License-Identifier: GPL-2.0-or-later
"""What a user would write with drgn's own BPF helpers, as JSON lines.

usage: bpf_drgn.py list|stacks|counts VMLINUX VMCORE

list: programs and maps by id. stacks: every used bucket of the maps of stacks.
counts: every element of hash maps that are counted by a stack's id, with the stack.
"""
import json
import sys

import drgn
from drgn.helpers.linux.bpf import bpf_map_for_each, bpf_prog_for_each

from dump_drgn import open_dump

prog = open_dump(*sys.argv[2:4])
STACK_TRACE, HASH = 7, 1


def listing():
    for p in bpf_prog_for_each(prog):
        aux = p.aux
        print(json.dumps({"id": aux.id.value_(), "type": p.type.value_(),
                          "name": aux.name.string_().decode(),
                          "tag": bytes(p.tag.value_()).hex()}))
    for m in bpf_map_for_each(prog):
        print(json.dumps({"id": m.id.value_(), "type": m.map_type.value_(),
                          "name": m.name.string_().decode(),
                          "max_entries": m.max_entries.value_()}))


def buckets(m):
    """{id: addresses}"""
    stacks = drgn.cast("struct bpf_stack_map *", m)
    n = stacks.n_buckets.value_()
    raw = prog.read(stacks.buckets.address_of_().value_(), 8 * n)
    found = {}
    for i in range(n):
        at = int.from_bytes(raw[8 * i:8 * i + 8], "little")
        if at:
            bucket = drgn.Object(prog, "struct stack_map_bucket *", value=at)
            nr = bucket.nr.value_()
            data = prog.read(bucket.data.address_of_().value_(), 8 * nr)
            found[i] = [int.from_bytes(data[k:k + 8], "little") for k in range(0, 8 * nr, 8)]
    return found


def maps(kind):
    return [m for m in bpf_map_for_each(prog) if m.map_type.value_() == kind]


def show_stacks():
    for m in maps(STACK_TRACE):
        for number, frames in buckets(m).items():
            print(json.dumps({"id": number, "frames": [hex(a) for a in frames]}))


def elements(m):
    table = drgn.cast("struct bpf_htab *", m)
    offset = prog.type("struct htab_elem").member("key").offset
    for i in range(table.n_buckets.value_()):
        at = table.buckets[i].head.first.value_()
        while not at & 1:
            raw = prog.read(at + offset, 16)
            yield int.from_bytes(raw[:4], "little"), int.from_bytes(raw[8:], "little")
            at = prog.read_u64(at)


def show_counts():
    stacks = {}
    for m in maps(STACK_TRACE):
        stacks.update(buckets(m))
    for m in maps(HASH):
        if m.key_size.value_() != 4 or m.value_size.value_() != 8:
            continue
        for key, value in elements(m):
            print(json.dumps({"key": key, "value": value,
                              "frames": [hex(a) for a in stacks.get(key, [])]}))


{"list": listing, "stacks": show_stacks, "counts": show_counts}[sys.argv[1]]()
