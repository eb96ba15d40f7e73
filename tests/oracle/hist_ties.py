#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Print hist files with entries that are equal by the sort keys in one order.

    hist_ties.py < FILE

The kernel prints such entries as its sort() leaves them, otst by their keys: what is compared
is the rest, and that each of both prints the same entries between the same others.
"""
import re
import sys

lines = sys.stdin.read().split("\n")
sorts, entries, out = ["hitcount"], [], []


def values(entry):
    """The text after each sort key, as the entry has it."""
    return [re.findall(rf"\b{re.escape(name)}:\s+(\S+)", "\n".join(entry)) for name in sorts]


def flush():
    """Print the entries so far: each run of equal ones sorted."""
    start = 0
    for i in range(1, len(entries) + 1):
        if i == len(entries) or values(entries[i]) != values(entries[start]):
            for entry in sorted(entries[start:i]):
                out.extend(entry)
            start = i
    entries.clear()


for line in lines:
    info = re.match(r"# trigger info: .*:sort=([^: ]*)", line)
    if info:
        sorts = [word.split(".")[0] for word in info[1].split(",")]
    if line.startswith("{ "):
        entries.append([line])
    elif line and entries:
        entries[-1].append(line)
    else:
        flush()
        out.append(line)
flush()
sys.stdout.write("\n".join(out))
