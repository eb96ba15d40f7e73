#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compare what trace-cmd reports of a file with what the kernel's trace file said.

    dat_events.py REPORT TRACE

REPORT: `trace-cmd report -N` of one ring buffer. TRACE: the same buffer as the
guest printed it, in the default format. Both must list the same events in the same
order: time, cpu, pid, name of the event. Events from before the trace file's
start are only in the report, at its beginning. Fields are compared for those
events that libtraceevent prints as the kernel does.

Prints the first few differences. Exit 0: none, 1: some, 77: no events.
"""

import re
import sys

TRACE = re.compile(r"^ *.{16}-(\d+) +(?:\([ \d-]+\) )?\[(\d+)\] (?:\S+ )? *([\d.]+): (.*)$")
REPORT = re.compile(r"^ *.*?-(\d+) +\[(\d+)\] *([\d.]+): ([^ ]+?): *(.*)$")
# the trace file prints ftrace's own entries without their name
NAMELESS = [
    (r"<stack trace>", "kernel_stack"),
    (r"<user stack trace>", "user_stack"),
    (r"# [0-9a-f]+ buf:", "raw_data"),
    (r"sys_(\w+)\(.*\)$", r"sys_enter_\1"),
    (r"sys_(\w+) -> 0x[0-9a-f]+$", r"sys_exit_\1"),
    (r"\S+ .*\(repeats: ", "func_repeats"),
]
WRITTEN = {"print", "bprint", "bputs"}
# of irq_disable and irq_enable, libtraceevent prints functions without their sizes
SAME_FIELDS = re.compile(r"(sched_(switch|wak|process)|signal_|irq_(?!disable|enable)|softirq_|task_).*")
SHOWN = 5


def fields_of(event, text):
    return re.sub(r"\s+", "", text) if SAME_FIELDS.fullmatch(event) else ""


def from_trace(line):
    m = TRACE.match(line)
    if not m:
        return None
    pid, cpu, time, text = m.groups()
    event, fields = "function", ""
    for pattern, name in NAMELESS:
        found = re.match(pattern, text)
        if found:
            event = found.expand(name)
            break
    else:
        found = re.match(r"([^ :]+): (.*)", text)
        if found:
            event, fields = found.groups()
    return time, int(cpu), int(pid), event, fields_of(event, fields)


def from_report(line):
    m = REPORT.match(line)
    if not m:
        return None
    pid, cpu, time, event, fields = m.groups()
    if event in WRITTEN:
        event = fields.split(":")[0]
    return time, int(cpu), int(pid), event, fields_of(event, fields)


def load(path, parse):
    with open(path, encoding="utf-8", errors="replace", newline="\n") as f:
        return [e for e in map(parse, f) if e]


def main():
    report, trace = load(sys.argv[1], from_report), load(sys.argv[2], from_trace)
    if not trace:
        return 77
    early = len(report) - len(trace)
    if early < 0 or any(float(e[0]) > float(trace[0][0]) for e in report[:early]):
        print("the report has %d events, the trace file %d" % (len(report), len(trace)))
        return 1
    wrong = [pair for pair in zip(report[early:], trace) if pair[0] != pair[1]]
    for got, want in wrong[:SHOWN]:
        print("report %s\n  file %s" % (got, want))
    print("note: %d events%s" % (len(trace), ", %d are not the same" % len(wrong) if wrong else ""))
    return 1 if wrong else 0


sys.exit(main())
