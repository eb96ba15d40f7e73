# SPDX-License-Identifier: GPL-2.0-or-later
"""What a user would write with drgn for `otst -l -j`: every kprobe of
kprobe_table, aggregates' users too, as JSON lines.

usage: kprobes_drgn.py VMLINUX VMCORE
"""
import json
import sys

import drgn
from drgn.helpers.linux.list import hlist_for_each_entry, list_for_each_entry

from dump_drgn import open_dump, symbol

prog = open_dump(*sys.argv[1:3])


def text(address):
    try:
        return prog.read(address, 16).hex()
    except drgn.FaultError:
        return None


def show(p, node):
    pre = p.pre_handler.value_()
    print(json.dumps({
        "address": hex(p.addr.value_()), "symbol": symbol(prog, p.addr.value_()),
        "record": hex(p.value_()), "pre_handler": symbol(prog, pre) if pre else None,
        "flags": p.flags.value_(), "node_flags": node.flags.value_(),
        "nmissed": p.nmissed.value_(),
        "found": text(p.addr.value_()),
    }))


aggregate = prog.symbol("aggr_pre_handler").address
for head in prog["kprobe_table"]:
    for node in hlist_for_each_entry("struct kprobe", head.address_of_(), "hlist"):
        if node.pre_handler.value_() != aggregate:
            show(node, node)
            continue
        for user in list_for_each_entry("struct kprobe", node.list.address_of_(), "list"):
            show(user, node)
