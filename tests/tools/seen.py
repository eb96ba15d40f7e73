# SPDX-License-Identifier: GPL-2.0-or-later
"""What a guest with real tools has left (tests/tools/guest-hook), and what otst finds in its dump."""
import bisect
import json
import os
import re
import subprocess

BUILD = os.environ.get("BUILD", "build")


def octets(words):
    return bytes(int(w, 16) for w in words)


def load(path):
    """JSON of bpftool; None where there is none"""
    try:
        with open(path, encoding="utf-8") as f:
            return json.load(f)
    except (OSError, ValueError):
        return None


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def otst(directory, *options):
    command = [f"{BUILD}/otst", *options, f"{directory}/vmlinux", f"{directory}/vmcore.elf"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise SystemExit(f"{command}: exit status {done.returncode}")
    return done.stdout.decode()


def traces(directory):
    lines = [json.loads(line) for line in otst(directory, "-t", "-s", "bpf", "-j").splitlines()]
    return [line for line in lines if line["type"] == "trace"]


def stack_parts(trace):
    """addresses of the kernel's frames, and of the user's"""
    kernel, user, in_user = [], [], False
    for frame in trace["frames"]:
        if frame["kind"] == "mark":
            in_user = "user" in frame["text"]
            continue
        address = int(frame["address"], 16) if frame["address"] else 0
        (user if in_user else kernel).append(address)
    return kernel, user


class Symbols:
    """the guest's own /proc/kallsyms"""

    def __init__(self, directory):
        by_address = {}
        self.programs = set()
        for line in read(f"{directory}/oracle/proc/kallsyms").splitlines():
            address, kind, name, *module = line.split()
            # only a function names one
            if kind not in "bBdDrR":
                by_address.setdefault(int(address, 16), set()).add(name)
                if module == ["[bpf]"]:
                    self.programs.add(int(address, 16))
        self.starts = sorted(by_address)
        self.names = [by_address[start] for start in self.starts]

    def at(self, address):
        """names of the function at @address, and how far it is into it"""
        i = bisect.bisect_right(self.starts, address) - 1
        if i < 0 or not address:
            return set(), 0
        return self.names[i], address - self.starts[i]

    def is_frame(self, text, address, gone):
        """whether @text, as a tool prints it, is the frame at @address; BPF's text may have @gone"""
        match = re.fullmatch(r"(?:b')?([^+\s']+)(?:\+(0x[0-9a-f]+|[0-9]+))?(?: \[[^]]*\])?'?", text)
        if not match:
            return False
        names, offset = self.at(address)
        if gone and address - offset in self.programs:
            return True
        return match[1] in names and (not match[2] or int(match[2], 0) == offset)


class Tool:
    """one tool: its process's maps, what it printed, the traces of its maps"""

    def __init__(self, directory, name, found):
        top = f"{directory}/oracle/tools/{name}"
        self.name = name
        self.command = read(f"{top}.command").strip()
        self.maps = {int(word) for word in read(f"{top}.maps").split()}
        self.lives = name in read(f"{directory}/oracle/tools/running").split()
        self.out = read(f"{top}.out")
        self.out_end = read(f"{top}.out.end")
        self.traces = [t for t in found if t["bpf"]["map"] in self.maps]


def tools(directory, found):
    names = sorted(n[:-len(".maps")] for n in os.listdir(f"{directory}/oracle/tools")
                   if n.endswith(".maps"))
    return [Tool(directory, name, found) for name in names]
