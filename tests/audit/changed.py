# SPDX-License-Identifier: GPL-2.0-or-later
"""Helpers shared by the tests on changed copies of the bundled vmlinux."""

import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD = os.path.join(TOP, os.environ.get("BUILD", "build"))
DUMP = f"{BUILD}/vmcores"
VMLINUX, VMCORE = f"{DUMP}/vmlinux", f"{DUMP}/vmcore.elf"
faults = []


def otst(*words):
    """(status, standard output, standard error)"""
    done = subprocess.run([f"{BUILD}/otst", *words], capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


def expect(right, what, *seen):
    if not right:
        faults.append(f"{what}: {' '.join(str(s) for s in seen)[:2000]}")


def output(command):
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


def build_id(path):
    return bytes.fromhex(re.search(r"Build ID: (\w+)", output(["readelf", "-n", path]))[1])


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Work:
    """A directory of changed copies."""

    def __init__(self, directory):
        self.directory = directory

    def write(self, name, data):
        path = os.path.join(self.directory, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def changed(self, name, path, *pairs):
        data = read(path)
        for old, new in pairs:
            if old not in data or len(old) != len(new):
                print(f"{path} has no {old}")
                sys.exit(99)
            data = data.replace(old, new)
        return self.write(name, data)


def flip(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def section(path, name):
    """(offset in the file, address, size)"""
    found = re.search(r"\] %s +\S+ +([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+)" % re.escape(name),
                      output(["readelf", "-SW", path]))
    return int(found[2], 16), int(found[1], 16), int(found[3], 16)


def symbol(path, name):
    return next(int(line.split()[0], 16) for line in output(["nm", path]).splitlines()
                if line.split()[-1] == name)


def count(out):
    """(findings that are shown, findings that are only counted)"""
    lines = objects(out)
    return (sum(o["type"] == "finding" for o in lines),
            sum(o["count"] for o in lines if o["type"] == "more_findings"))


def move_text(data):
    """The image with its text moved by a page."""
    start, _, size = section(VMLINUX, ".text")
    text = data[start:start + size]
    return data[:start] + text[4096:] + text[:4096] + data[start + size:]


def run(*tests):
    """Ends the program."""
    if subprocess.run([f"{TOP}/tests/vmcores/unpack", DUMP], check=False).returncode:
        sys.exit(99)
    with tempfile.TemporaryDirectory() as directory:
        work = Work(directory)
        for test in tests:
            test(work)
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)
