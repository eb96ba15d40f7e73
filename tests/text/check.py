#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run otst-text on the text dumps and compare with what was written by hand.

    check.py PROGRAM [FILE.expect ...]

Beside a dump NAME.txt stands NAME.expect:

    $ -l -j                 options; what follows is about this run
    exit 0                  exit status
    has {"type": "probe"}   some line of JSON has at least these keys and values
    no {"type": "error"}    no line of JSON has them
    count 3 {...}           so many lines of JSON have them
    order "key" V1 V2 ...   lines that have the key have these values, in order
    line REGEX              some line of text matches
    noline REGEX            none does
    complaint REGEX         some line of the complaints matches

A value "~REGEX" matches a string by pattern; {"absent": null} is also true
where the key is missing. Whatever is expected, no run may print control
characters, print a line with -j that is not JSON, take over OTST_TEST_SECONDS
(2) seconds of a processor or end by a signal.

Exit status: 0 all passed, 1 something failed, 99 broken set-up.
"""

import glob
import json
import os
import re
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = float(os.environ.get("OTST_TEST_SECONDS", "2"))
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f-\xff]")


class Broken(Exception):
    """The expectation itself makes no sense."""


def matches(want, got):
    """Is every fact of `want` in `got`?"""
    if isinstance(want, dict):
        return isinstance(got, dict) and all(matches(v, got.get(k)) for k, v in want.items())
    if isinstance(want, list):
        return (isinstance(got, list) and len(want) == len(got)
                and all(matches(w, g) for w, g in zip(want, got)))
    if isinstance(want, str) and want.startswith("~"):
        return isinstance(got, str) and re.search(want[1:], got) is not None
    # True == 1 in Python, not in JSON
    return type(want) is type(got) and want == got


def spent():
    """Seconds of processors that ended programs took."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Run:
    """One run of the program and what is wrong with it."""

    def __init__(self, program, dump, words):
        self.faults = []
        self.objects = []
        command = [program] + words + [dump]
        began = spent()
        try:
            done = subprocess.run(command, capture_output=True, timeout=30 * SECONDS, check=False)
        except subprocess.TimeoutExpired:
            self.faults.append("hangs")
            self.status, self.text = None, ""
            return
        if spent() - began > SECONDS:
            self.faults.append("takes %.1f s" % (spent() - began))
        self.status = done.returncode
        self.text = done.stdout.decode("ascii", "backslashreplace")
        self.complaints = done.stderr.decode("ascii", "backslashreplace")
        if self.status < 0 or self.status not in (0, 1, 2, 3, 4):
            self.faults.append("ends with status %d: %s" % (self.status, self.complaints[-2000:]))
        for name, data in (("output", done.stdout), ("complaints", done.stderr)):
            bad = CONTROL.search(data)
            if bad:
                self.faults.append("byte 0x%02x in the %s" % (bad.group()[0], name))
        if "-j" in words:
            self.parse()

    def parse(self):
        for number, line in enumerate(self.text.splitlines(), 1):
            try:
                value = json.loads(line)
            except ValueError as e:
                self.faults.append("line %d is not JSON: %s" % (number, e))
                continue
            if not isinstance(value, dict) or not isinstance(value.get("type"), str):
                self.faults.append("line %d is not an object with a type" % number)
            self.objects.append(value)

    def check(self, word, rest):
        """One line of the expectation; a message when it does not hold."""
        if word == "exit":
            if self.status != int(rest):
                return "exit status is %s (%s)" % (self.status, self.complaints.strip()[:300])
        elif word in ("has", "no"):
            want = json.loads(rest)
            found = sum(matches(want, o) for o in self.objects)
            if (found > 0) != (word == "has"):
                return "%d objects match" % found
        elif word == "count":
            number, want = rest.split(None, 1)
            found = sum(matches(json.loads(want), o) for o in self.objects)
            if found != int(number):
                return "%d objects match" % found
        elif word == "order":
            key, values = rest.split(None, 1)
            key = key.strip('"')
            found = [o[key] for o in self.objects if o.get(key) is not None]
            if found != values.split():
                return "found %s" % " ".join(map(str, found))
        elif word in ("line", "noline"):
            found = re.search(rest, self.text, re.M) is not None
            if found != (word == "line"):
                return "no line matches" if word == "line" else "a line matches"
        elif word == "complaint":
            if not re.search(rest, self.complaints, re.M):
                return "no complaint matches"
        else:
            raise Broken("unknown word \"%s\"" % word)
        return None


def check_file(program, path):
    """All runs of one .expect file. Returns (facts, failures)."""
    dump = path[:-len(".expect")] + ".txt"
    run, facts, failures = None, 0, 0

    def fail(number, message):
        nonlocal failures
        failures += 1
        print("FAIL %s:%d: %s" % (os.path.relpath(path), number, message))

    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            word, _, rest = line.partition(" ")
            facts += 1
            try:
                if word == "$":
                    run = Run(program, dump, rest.split())
                    for fault in run.faults:
                        fail(number, "%s: %s" % (rest, fault))
                    continue
                if not run:
                    raise Broken("a line above the first $")
                message = run.check(word, rest.strip())
            except (Broken, ValueError, re.error) as e:
                print("BROKEN %s:%d: %s" % (os.path.relpath(path), number, e))
                sys.exit(99)
            if message:
                fail(number, "%s\n     %s" % (message, line))
    return facts, failures


def main():
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        print("usage: check.py PROGRAM [FILE.expect ...]", file=sys.stderr)
        return 99
    paths = sys.argv[2:] or sorted(glob.glob(os.path.join(HERE, "dumps", "**", "*.expect"), recursive=True))
    facts = failures = 0
    for path in paths:
        a, b = check_file(os.path.abspath(sys.argv[1]), path)
        facts += a
        failures += b
    # a dump that nobody looks at tests nothing
    if len(sys.argv) == 2:
        for dump in sorted(glob.glob(os.path.join(HERE, "dumps", "*.txt"))):
            if not re.search(r"-(types|base)\.txt$", dump) and dump[:-4] + ".expect" not in paths:
                print("FAIL %s has no .expect file" % os.path.relpath(dump))
                failures += 1
    print("note: %d text dumps, %d facts, %d failed" % (len(paths), facts, failures))
    return 1 if failures or not facts else 0


if __name__ == "__main__":
    sys.exit(main())
