#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A table of what llvm-cov counted, room by room; then files of which less than 80 % of the lines are reached."""
import collections
import json
import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def percent(part):
    """Of what there is, how much was reached."""
    return "%5.1f" % (100 * part["covered"] / part["count"]) if part["count"] else "    -"


with open(sys.argv[1], encoding="utf-8") as f:
    files = json.load(f)["data"][0]["files"]
rooms = collections.defaultdict(lambda: {"lines": collections.Counter(), "branches": collections.Counter()})
less = []
for file in files:
    name = os.path.relpath(file["filename"], TOP)
    if not name.startswith(("src/", "front/", "offline/")):
        continue
    room = "/".join(name.split("/")[:2]) if name.startswith("src/") else name.split("/")[0]
    for key in ("lines", "branches"):
        part = {k: file["summary"][key][k] for k in ("count", "covered")}
        rooms[room][key].update(part)
        rooms["all"][key].update(part)
    lines = file["summary"]["lines"]
    if lines["count"] and lines["covered"] < 0.8 * lines["count"]:
        less.append((name, file["summary"]))
print("| room | lines | % reached | branches | % reached |\n|---|---|---|---|---|")
for room in sorted(rooms, key=lambda r: (r == "all", r)):
    lines, branches = rooms[room]["lines"], rooms[room]["branches"]
    print("| %s | %d | %s | %d | %s |" % (room, lines["count"], percent(lines), branches["count"], percent(branches)))
print("\nless than 80 % of the lines:")
for name, summary in sorted(less):
    print("%-40s %5d lines %s %%, branches %s %%"
          % (name, summary["lines"]["count"], percent(summary["lines"]), percent(summary["branches"])))
