#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Validate what otst prints with -j against docs/otst.schema.json, with jsonschema (python3-jsonschema).

    check.py SCHEMA                           the schema itself, and that lines are read strictly
    check.py SCHEMA -- COMMAND... [-- ...]    run commands, validate their lines
    check.py SCHEMA FILE...                   validate files of JSON lines, "-" for standard input

The first line of each type is validated again with each kind of fault that it can have.

Exit status: 0 all is valid, 1 something is not, 77 jsonschema is not installed, 99 broken set-up.
"""

import json
import subprocess
import sys

try:
    from jsonschema import Draft202012Validator, SchemaError
except ImportError:
    print("SKIP: there is no jsonschema for Python (python3-jsonschema)")
    sys.exit(77)

BAD_LINES = ["{\"a\":1,\"a\":2}\n", "NaN\n", "{\n", "\n", "{}", "{'a':1}\n", "{\"a\":\"\x1b\"}\n"]


def load_lines(text):
    """JSON lines, strictly: no duplicate keys, no NaN, no blank lines. Yields (number, line, value)."""
    def no_duplicates(pairs):
        keys = [k for k, _ in pairs]
        if len(set(keys)) != len(keys):
            raise ValueError("a key occurs twice")
        return dict(pairs)

    def no_constant(word):
        raise ValueError("%s is not JSON" % word)

    if text and not text.endswith("\n"):
        raise ValueError("the last line has no end")
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            yield number, line, json.loads(line, object_pairs_hook=no_duplicates,
                                           parse_constant=no_constant)
        except ValueError as e:
            raise ValueError("line %d: %s" % (number, e)) from None


def self_test():
    """Are lines read strictly?"""
    wrong = 0
    for text in BAD_LINES:
        try:
            list(load_lines(text))
        except ValueError:
            continue
        print("FAIL %r is taken for lines of JSON" % text)
        wrong += 1
    return wrong


class Validator:
    """Checks each line against only the definition of oneOf that its type names."""

    def __init__(self, document):
        Draft202012Validator.check_schema(document)
        self.types = {}
        self.seen = set()
        for choice in document["oneOf"]:
            name = choice["$ref"].rpartition("/")[2]
            if document["$defs"][name]["properties"]["type"] != {"const": name}:
                raise SchemaError("%s is not the type of a line" % name)
            self.types[name] = Draft202012Validator({**choice, "$defs": document["$defs"]})
        self.untested = set(self.types)

    def errors(self, line, value):
        """What is wrong with a line; identical lines are checked once."""
        if line in self.seen:
            return []
        self.seen.add(line)
        kind = value.get("type") if isinstance(value, dict) else None
        if kind not in self.types:
            return ["it has no type that the schema knows"]
        validator = self.types[kind]
        found = ["%s: %s" % (e.json_path, e.message) for e in validator.iter_errors(value)]
        if kind in self.untested and not found:
            self.untested.remove(kind)
            found = ["%s is taken for valid" % fault for fault, bad in faults(value)
                     if validator.is_valid(bad)]
        return found


def faults(value):
    """A line with one member too many, without each of its own, and with each of another type."""
    yield "an unknown member", {**value, "madeUp": 1}
    for key in value:
        yield "no %s" % key, {k: v for k, v in value.items() if k != key}
        yield "%s of a wrong type" % key, {**value, key: 0.5}
        if isinstance(value[key], dict) and key not in FREE_NAMES:
            for fault, bad in faults(value[key]):
                yield "%s: %s" % (key, fault), {**value, key: bad}


# members whose own members have the names that the kernel gives them
FREE_NAMES = ("facts", "fields", "handlers", "registers")


def validate(validator, name, text):
    """Prints what is wrong with these lines; returns (lines, failures)."""
    lines = wrong = 0
    try:
        for number, line, value in load_lines(text):
            lines += 1
            found = validator.errors(line, value)
            for message in found[:5]:
                print("FAIL %s, line %d: %s" % (name, number, message))
            wrong += bool(found)
            if wrong >= 20:
                print("FAIL %s: and more" % name)
                break
    except ValueError as e:
        print("FAIL %s, %s" % (name, e))
        wrong += 1
    return lines, wrong


def commands(words):
    """The commands between the "--"."""
    command = []
    for word in words + ["--"]:
        if word != "--":
            command.append(word)
        elif command:
            yield command
            command = []


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 99
    try:
        with open(sys.argv[1], encoding="utf-8") as f:
            validator = Validator(json.load(f))
    except (OSError, ValueError, KeyError, SchemaError) as e:
        print("%s: %s" % (sys.argv[1], e), file=sys.stderr)
        return 99
    lines = wrong = runs = 0
    if len(sys.argv) == 2:
        wrong = self_test()
    elif sys.argv[2] == "--":
        for command in commands(sys.argv[2:]):
            done = subprocess.run(command, capture_output=True, check=False)
            name = " ".join(command)
            if done.returncode not in (0, 1, 3, 4):
                print("FAIL %s: status %d" % (name, done.returncode))
                wrong += 1
            a, b = validate(validator, name, done.stdout.decode("utf-8", "replace"))
            lines += a
            wrong += b
            runs += 1
    else:
        for path in sys.argv[2:]:
            if path == "-":
                text = sys.stdin.read()
            else:
                with open(path, encoding="utf-8", newline="") as f:
                    text = f.read()
            a, b = validate(validator, path, text)
            lines += a
            wrong += b
    print("note: %d lines of JSON, %d wrong" % (lines, wrong))
    return 1 if wrong or (runs and not lines) else 0


if __name__ == "__main__":
    sys.exit(main())
