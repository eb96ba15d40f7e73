#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Validate what otst prints with -j against docs/otst.schema.json.

    check.py SCHEMA                           the checker itself: good and bad values
    check.py SCHEMA -- COMMAND... [-- ...]    run commands, validate their lines
    check.py SCHEMA FILE...                   validate files of JSON lines, "-" for standard input

Exit status: 0 all is valid, 1 something is not, 99 broken set-up.
"""

import json
import subprocess
import sys

from jsonschema import SchemaError, Validator, load_lines

# schema, value, is it valid
SELF_TEST = [
    ({"type": "integer"}, 1, True), ({"type": "integer"}, True, False),
    ({"type": "integer"}, "1", False), ({"type": ["string", "null"]}, None, True),
    ({"type": ["string", "null"]}, 0, False), ({"enum": ["a", None]}, None, True),
    ({"enum": [1]}, True, False), ({"const": "probe"}, "probes", False),
    ({"pattern": "^0x[0-9a-f]+$"}, "0xff", True), ({"pattern": "^0x[0-9a-f]+$"}, "0xff\n", False),
    ({"pattern": "^0x[0-9a-f]+$"}, "0xFF", False), ({"pattern": "^a"}, 5, True),
    ({"minimum": 0}, -1, False), ({"minimum": 0}, 0, True), ({"minimum": 0}, "x", True),
    ({"maximum": 3}, 4, False), ({"required": ["a"]}, {}, False), ({"required": ["a"]}, [], True),
    ({"properties": {"a": {"type": "string"}}}, {"a": 1}, False),
    ({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1}, False),
    ({"additionalProperties": {"type": "string"}}, {"b": 1}, False),
    ({"patternProperties": {"^x": {"type": "null"}}, "additionalProperties": False}, {"x1": None}, True),
    ({"patternProperties": {"^x": {"type": "null"}}, "additionalProperties": False}, {"x1": 1}, False),
    ({"items": {"type": "string"}}, ["a", 1], False), ({"minItems": 1}, [], False),
    ({"maxItems": 1}, [1, 2], False), ({"uniqueItems": True}, [1, 1], False),
    ({"oneOf": [{"const": 1}, {"type": "integer"}]}, 1, False),
    ({"oneOf": [{"const": 1}, {"type": "string"}]}, 1, True),
    ({"anyOf": [{"const": 1}, {"const": 2}]}, 3, False), ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, 3, False),
    ({"not": {"const": 1}}, 1, False), ({"maxLength": 2}, "abc", False), ({"minLength": 4}, "abc", False),
    ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "null"}}}, None, True),
    ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "null"}}}, 1, False),
    (True, 1, True), (False, 1, False),
]

BAD_LINES = ["{\"a\":1,\"a\":2}\n", "NaN\n", "{\n", "\n", "{}", "{'a':1}\n", "{\"a\":\"\x1b\"}\n"]


def self_test():
    """Does the checker tell right from wrong?"""
    wrong = 0
    for schema, value, valid in SELF_TEST:
        if (not Validator(schema).errors(value, schema)) != valid:
            print("FAIL the checker: %s with %s" % (json.dumps(schema), json.dumps(value)))
            wrong += 1
    for text in BAD_LINES:
        try:
            list(load_lines(text))
        except ValueError:
            continue
        print("FAIL the checker takes %r" % text)
        wrong += 1
    for schema in ({"madeUp": 1}, {"$ref": "#/$defs/nowhere"}, {"$ref": "other.json"}):
        try:
            Validator(schema).errors(1)
        except SchemaError:
            continue
        print("FAIL the checker takes the schema %s" % json.dumps(schema))
        wrong += 1
    return wrong


def all_references(schema):
    """Every $ref in a schema document."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield value
            else:
                yield from all_references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from all_references(value)


def validate(validator, name, text):
    """Prints what is wrong with these lines; returns (lines, failures)."""
    lines = wrong = 0
    try:
        for number, value in load_lines(text):
            lines += 1
            found = validator.errors(value)
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
        for ref in all_references(validator.document):
            validator.resolve(ref)
    except (OSError, ValueError, SchemaError) as e:
        print("%s: %s" % (sys.argv[1], e), file=sys.stderr)
        return 99
    lines = wrong = runs = 0
    try:
        if len(sys.argv) == 2:
            wrong = self_test()
            lines = len(SELF_TEST)
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
    except SchemaError as e:
        print("%s: %s" % (sys.argv[1], e), file=sys.stderr)
        return 99
    print("note: %d lines of JSON, %d wrong" % (lines, wrong))
    return 1 if wrong or (runs and not lines) else 0


if __name__ == "__main__":
    sys.exit(main())
