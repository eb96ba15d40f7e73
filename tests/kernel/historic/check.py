#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""otst -l -j of a guest with the historic modules against what its hook did.

    check.py symbols|stripped LIST.json KPROBES-LIST
"""

import json
import sys


def main():
    form, path, kernel = sys.argv[1:]
    symbols = form == "symbols"
    with open(path, encoding="utf-8") as f:
        items = [json.loads(line) for line in f]
    probes = {p["symbol"]: p for p in items if p["type"] == "probe"}
    bad = [p for p in items if p.get("error") or p["type"] == "error"]
    # symbol -> kind, claim, what its module says
    element = {"historic": True, "found": "otst_kprobes" if symbols else "shape"}
    want = {
        "vfs_symlink": ("otst", "disabled", dict(element, state="fired", symbol="vfs_symlink")),
        "vfs_link": ("otst", "armed", dict(element, state="armed", symbol="vfs_link")),
        "vfs_rename": ("otst", "armed", dict(element, state="armed", symbol="vfs_rename")),
        "vfs_unlink": ("otst", "removed", dict(element, state="fired", symbol="vfs_unlink")),
        "vfs_rmdir": ("allie", "armed", {
            "historic": True, "found": "statics" if symbols else "parameters",
            "symbol": "vfs_rmdir", "count": 3, "action": 1, "flags": 0, "verbose": 1,
            "hits": 2 if symbols else None, "post_hits": 2 if symbols else None,
            "left": 1 if symbols else None}),
    }
    failures = ["%s: %s" % (b.get("symbol"), b.get("error") or b.get("message")) for b in bad]
    for symbol, (kind, claim, facts) in want.items():
        p = probes.get(symbol)
        if not p:
            failures.append("%s is not listed" % symbol)
            continue
        if (p["kind"], p["claimed"], p["disagree"]) != (kind, claim, None):
            failures.append("%s: %s, %s, %s" % (symbol, p["kind"], p["claimed"], p["disagree"]))
        got = p[kind] or {}
        failures += ["%s: %s is %r, not %r" % (symbol, k, got.get(k), v)
                     for k, v in facts.items() if got.get(k) != v]
    # the kernel's own list has all but the one that was unregistered
    with open(kernel, encoding="utf-8") as f:
        listed = {line.split()[2].split("+")[0] for line in f if line.strip()}
    ours = {s for s, p in probes.items() if p["claimed"] != "removed"}
    if listed != ours:
        failures.append("the kernel lists %s, otst %s" % (sorted(listed), sorted(ours)))
    for f in failures:
        print("FAIL %s: %s" % (form, f))
    print("note: historic modules, %s: %d probes, %d failures" % (form, len(probes), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
