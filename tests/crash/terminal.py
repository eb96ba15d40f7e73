# SPDX-License-Identifier: GPL-2.0-or-later
"""Drives crash on a pseudo-terminal; started by tests/crash/terminal.

Exit status as in the other tests: 0 passed, 1 failed, 77 skipped.
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import tempfile
import termios
import time

PROMPT = b"crash> "
COLUMNS = 100
LIMIT = 120  # seconds to wait for anything


class Failure(Exception):
    pass


class Session:
    """One crash on a terminal of 24 lines."""

    def __init__(self):
        argv = [os.environ["CRASH"], "-s", "--no_scroll", os.environ["VMLINUX"], os.environ["VMCORE"]]
        self.text = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="vt100", LINES="24", COLUMNS="80", HOME="/nonexistent")
            os.execvp(argv[0], argv)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))

    def send(self, text):
        os.write(self.fd, text)

    def wait(self, *wanted, limit=LIMIT):
        """Reads until one of @wanted arrives; returns everything up to it."""
        end = time.monotonic() + limit
        while True:
            for what in wanted:
                at = self.text.find(what)
                if at >= 0:
                    got, self.text = self.text[: at + len(what)], self.text[at + len(what):]
                    sys.stdout.write(got.decode("utf-8", "replace"))
                    return got
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            try:
                data = os.read(self.fd, 65536) if ready else b""
            except OSError:
                data = b""
            if not data:
                why = "crash ended" if ready else "nothing came"
                raise Failure("%s while waiting for %r; last: %r" % (why, wanted, self.text[-300:]))
            self.text += data

    def command(self, line):
        """Runs one command line; returns what it printed."""
        self.send(line.encode() + b"\n")
        return self.wait(PROMPT)

    def silence(self, seconds):
        """Reads nothing for a while: the terminal's buffer fills, the command blocks."""
        time.sleep(seconds)


def longest(session):
    """The command with the most output, its last line and its size."""
    best = ("", b"", 0)
    for words in ("-f -v", "-l -v", "-l -v -j", "-f -v -j", "-t -s ftrace -j"):
        with tempfile.NamedTemporaryFile() as file:
            session.command("otst %s > %s" % (words, file.name))
            text = file.read()
        if len(text) > best[2]:
            best = ("otst " + words, text.rstrip(b"\n").rsplit(b"\n", 1)[-1], len(text))
    return best


def check(condition, message):
    if not condition:
        raise Failure(message)


def interrupt(session, command, last):
    """Ctrl-C while the command waits for the terminal."""
    session.send(command.encode() + b"\n")
    session.silence(1.5)
    session.send(b"\x03")
    got = session.wait(PROMPT, limit=20)
    check(last not in got.replace(b"\r", b""), "Ctrl-C did not stop %s" % command)
    got = session.command("otst -i")
    check(len(got) > 100, "otst -i printed next to nothing after Ctrl-C")


def interrupt_early(session, commands):
    """Ctrl-C in the first milliseconds, while tables and types are read; then all as before."""
    expected = {}
    for words in commands:
        with tempfile.NamedTemporaryFile() as file:
            session.command("otst %s > %s" % (words, file.name))
            expected[words] = file.read()
    for milliseconds in range(1, 21, 2):
        # a new engine, which knows nothing yet
        session.command("extend -u %s/otst.so" % os.environ["BUILD"])
        session.command("extend %s/otst.so" % os.environ["BUILD"])
        session.send(b"otst -i\n")
        session.silence(milliseconds / 1000)
        session.send(b"\x03")
        try:
            session.wait(PROMPT, limit=20)
        except Failure as failure:
            # a Ctrl-C that arrives before the line is read discards the line and makes no prompt
            if "crash ended" in str(failure):
                raise
        # a Ctrl-C that arrives after the command makes its own prompt and costs the next character
        session.send(b"\n\nset scroll off\n")
        session.wait(b"scroll: off")
        session.wait(PROMPT)
        for words in commands:
            with tempfile.NamedTemporaryFile() as file:
                session.command("otst %s > %s" % (words, file.name))
                check(file.read() == expected[words],
                      "otst %s is another after Ctrl-C %d ms into otst -i" % (words, milliseconds))


def page(session, command):
    """Shows a page, then quits the pager; afterwards the session goes on."""
    session.send(command.encode() + b"\n")
    session.wait(b"--More--")
    session.send(b"q")
    session.wait(PROMPT)


def widths(session):
    """Lines fit the terminal, a record is one line in a pipe; colours come only on request."""
    def longest_line(line):
        got = session.command(line)
        check(b"\x1b[3" not in got, "colours that nobody asked for: %s" % line)
        # readline switches bracketed paste on and off around each line that is typed
        got = re.sub(rb"\x1b\[\?2004[hl]", b"", got)
        # the first line is what was typed, the last one the prompt
        return max(map(len, got.replace(b"\r", b"").split(b"\n")[1:-1]))

    listing = "otst -l -k kprobe,kretprobe,tracepoint"
    wide = longest_line(listing + " --width 0")
    check(wide > 120, "no line is too long for a terminal")
    check(longest_line(listing) <= COLUMNS, "the lines do not fit the terminal")
    piped = longest_line(listing + " | cat")
    check(piped == wide, "the lines of a pipe have %d columns, not %d" % (piped, wide))
    check(b"\x1b[32marmed" in session.command(listing + " --color=always"), "no colours")


def main():
    session = Session()
    session.wait(PROMPT)
    got = session.command("extend %s/otst.so" % os.environ["BUILD"])
    check(b"shared object loaded" in got, "extend failed")

    command, last, size = longest(session)
    print("longest output: %s, %d bytes" % (command, size))
    check(size > 0, "no command printed anything")

    widths(session)
    session.command("set scroll more")
    session.command("set scroll on")
    page(session, command)
    page(session, command)
    # the pager may stop at the end of this one's output, too
    session.send(b"set scroll off\n")
    if session.wait(PROMPT, b"--More--").endswith(b"--More--"):
        session.send(b"q")
        session.wait(PROMPT)
    session.command("otst %s | head -n 2" % command.split(None, 1)[1])
    interrupt_early(session, ("-i", "-l", "-f", "-T"))

    if size < 32768:
        # the terminal takes it all at once: Ctrl-C comes too late to be seen
        print("SKIP: paging works; no output is long enough to be interrupted")
        return 77
    for _ in range(3):
        interrupt(session, command, last)
    session.command("extend -u %s/otst.so" % os.environ["BUILD"])
    got = session.command("sym linux_banner")
    check(b"linux_banner" in got, "crash does not work after unloading")
    session.send(b"quit\n")
    return 0


try:
    sys.exit(main())
except Failure as failure:
    print("\n%s" % failure)
    sys.exit(1)
