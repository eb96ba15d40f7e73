# SPDX-License-Identifier: GPL-2.0-or-later
"""The part of JSON Schema (draft 2020-12) that docs/otst.schema.json uses.

A second reader of otst's JSON that shares no code with it: Python's own json
and nothing else. A word of the schema that is not known here is an error, so
that nothing is taken for checked that is not.
"""

import json
import re

# words that say nothing about validity
NOTES = {"$schema", "$id", "$comment", "title", "description", "$defs", "examples", "default"}


class SchemaError(Exception):
    """The schema itself makes no sense."""


def load_lines(text):
    """JSON lines, strictly: no duplicate keys, no NaN, no blank lines. Yields (number, value)."""
    def no_duplicates(pairs):
        keys = [k for k, _ in pairs]
        if len(set(keys)) != len(keys):
            raise ValueError("a key occurs twice")
        return dict(pairs)

    def no_constant(word):
        raise ValueError("%s is no JSON" % word)

    if text and not text.endswith("\n"):
        raise ValueError("the last line has no end")
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            yield number, json.loads(line, object_pairs_hook=no_duplicates,
                                     parse_constant=no_constant)
        except ValueError as e:
            raise ValueError("line %d: %s" % (number, e)) from None


def type_of(value):
    """The names that JSON Schema has for a value's type."""
    if value is None:
        return {"null"}
    if isinstance(value, bool):
        return {"boolean"}
    if isinstance(value, int):
        return {"integer", "number"}
    if isinstance(value, float):
        return {"number", "integer"} if value.is_integer() else {"number"}
    return {str: {"string"}, list: {"array"}, dict: {"object"}}[type(value)]


def same(a, b):
    """Equal, and of one type: True is not 1."""
    return type_of(a) & type_of(b) and a == b


class Validator:
    """Checks values against one schema document."""

    def __init__(self, document):
        self.document = document
        self.words = {
            "type": self.check_type, "enum": self.check_enum, "const": self.check_const,
            "pattern": self.check_pattern, "minimum": self.check_minimum,
            "maximum": self.check_maximum, "minLength": self.check_min_length,
            "maxLength": self.check_max_length, "required": self.check_required,
            "properties": self.check_properties, "patternProperties": self.check_nothing,
            "additionalProperties": self.check_additional, "items": self.check_items,
            "minItems": self.check_min_items, "maxItems": self.check_max_items,
            "uniqueItems": self.check_unique, "oneOf": self.check_one_of,
            "anyOf": self.check_any_of, "allOf": self.check_all_of, "not": self.check_not,
            "$ref": self.check_ref,
        }

    def resolve(self, ref):
        """What "#/$defs/x" points to."""
        if not ref.startswith("#"):
            raise SchemaError("%s is not in this document" % ref)
        at = self.document
        for part in ref[1:].split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(at, dict) or part not in at:
                raise SchemaError("%s leads nowhere" % ref)
            at = at[part]
        return at

    def errors(self, value, schema=None, path="$"):
        """All that is wrong with `value`, as a list of messages."""
        if schema is None:
            schema = self.document
        if schema is True:
            return []
        if schema is False:
            return ["%s: nothing is allowed here" % path]
        found = []
        for word, argument in schema.items():
            if word in NOTES:
                continue
            if word not in self.words:
                raise SchemaError("the word \"%s\" is not known here" % word)
            found += self.words[word](value, argument, schema, path)
        return found

    @staticmethod
    def check_nothing(_value, _argument, _schema, _path):
        return []

    @staticmethod
    def check_type(value, types, _schema, path):
        types = [types] if isinstance(types, str) else types
        if type_of(value) & set(types):
            return []
        return ["%s: %s is not of type %s" % (path, json.dumps(value)[:80], " or ".join(types))]

    @staticmethod
    def check_enum(value, values, _schema, path):
        if any(same(value, v) for v in values):
            return []
        return ["%s: %s is none of %s" % (path, json.dumps(value)[:80], json.dumps(values))]

    @staticmethod
    def check_const(value, wanted, _schema, path):
        if same(value, wanted):
            return []
        return ["%s: %s is not %s" % (path, json.dumps(value)[:80], json.dumps(wanted))]

    @staticmethod
    def check_pattern(value, pattern, _schema, path):
        # "$" of Python would let a newline pass behind it
        pattern = re.sub(r"(?<!\\)\$$", r"\\Z", pattern)
        if not isinstance(value, str) or re.search(pattern, value):
            return []
        return ["%s: %s does not match %s" % (path, json.dumps(value)[:80], pattern)]

    @staticmethod
    def check_minimum(value, limit, _schema, path):
        if "number" not in type_of(value) or value >= limit:
            return []
        return ["%s: %s is less than %s" % (path, value, limit)]

    @staticmethod
    def check_maximum(value, limit, _schema, path):
        if "number" not in type_of(value) or value <= limit:
            return []
        return ["%s: %s is more than %s" % (path, value, limit)]

    @staticmethod
    def check_min_length(value, limit, _schema, path):
        if not isinstance(value, str) or len(value) >= limit:
            return []
        return ["%s: shorter than %d" % (path, limit)]

    @staticmethod
    def check_max_length(value, limit, _schema, path):
        if not isinstance(value, str) or len(value) <= limit:
            return []
        return ["%s: longer than %d" % (path, limit)]

    @staticmethod
    def check_required(value, keys, _schema, path):
        if not isinstance(value, dict):
            return []
        return ["%s: has no \"%s\"" % (path, k) for k in keys if k not in value]

    def check_properties(self, value, properties, _schema, path):
        if not isinstance(value, dict):
            return []
        found = []
        for key, schema in properties.items():
            if key in value:
                found += self.errors(value[key], schema, "%s.%s" % (path, key))
        return found

    def check_additional(self, value, argument, schema, path):
        if not isinstance(value, dict):
            return []
        found = []
        patterns = schema.get("patternProperties", {})
        for key in value:
            if key in schema.get("properties", {}):
                continue
            matching = [s for p, s in patterns.items() if re.search(p, key)]
            for sub in matching:
                found += self.errors(value[key], sub, "%s.%s" % (path, key))
            if not matching and argument is False:
                found.append("%s: \"%s\" is not in the schema" % (path, key))
            elif not matching:
                found += self.errors(value[key], argument, "%s.%s" % (path, key))
        return found

    def check_items(self, value, schema, _parent, path):
        if not isinstance(value, list):
            return []
        found = []
        for i, item in enumerate(value):
            found += self.errors(item, schema, "%s[%d]" % (path, i))
        return found

    @staticmethod
    def check_min_items(value, limit, _schema, path):
        if not isinstance(value, list) or len(value) >= limit:
            return []
        return ["%s: fewer than %d" % (path, limit)]

    @staticmethod
    def check_max_items(value, limit, _schema, path):
        if not isinstance(value, list) or len(value) <= limit:
            return []
        return ["%s: more than %d" % (path, limit)]

    @staticmethod
    def check_unique(value, wanted, _schema, path):
        if not wanted or not isinstance(value, list):
            return []
        texts = [json.dumps(v, sort_keys=True) for v in value]
        return [] if len(set(texts)) == len(texts) else ["%s: has an item twice" % path]

    def check_one_of(self, value, schemas, _schema, path):
        results = [self.errors(value, s, path) for s in schemas]
        fitting = sum(not r for r in results)
        if fitting == 1:
            return []
        if fitting > 1:
            return ["%s: fits %d forms, not one" % (path, fitting)]
        # the form that is meant is the one with the fewest complaints about its type
        return min(results, key=lambda r: (any(".type:" in e for e in r), len(r)))

    def check_any_of(self, value, schemas, _schema, path):
        results = [self.errors(value, s, path) for s in schemas]
        return [] if not all(results) else min(results, key=len)

    def check_all_of(self, value, schemas, _schema, path):
        return [e for s in schemas for e in self.errors(value, s, path)]

    def check_not(self, value, schema, _parent, path):
        return [] if self.errors(value, schema, path) else ["%s: is what it must not be" % path]

    def check_ref(self, value, ref, _schema, path):
        return self.errors(value, self.resolve(ref), path)
