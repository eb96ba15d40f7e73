# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 otst authors
"""One dump becomes one row: otst runs on it, within limits of time and memory.

Workers run this; it needs nothing but Python's own library, and fsspec for files that are elsewhere.
docs/otst-fleet.schema.json describes the row. It has nothing in it that differs between two
scans of the same dump.
"""
import contextlib
import hashlib
import json
import os
import re
import resource
import select
import shutil
import signal
import stat
import subprocess
import tempfile

MOST_OUTPUT = 256 << 20  # bytes that a command may print, and a list may have
MOST_RECORD = 16 << 20  # bytes of a line of that
REASON = 300  # characters of a reason
# records that make up a row
WANTED = tuple(b'{"type":"%s"' % t for t in (b"verdict", b"info", b"probe", b"finding", b"coverage"))


# characters that Python takes for printable, and that are invisible or look like a space; as src/base/utf8.c has them
UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U00016fe4\U0001d159\U000e0100-\U000e01ef]")
# what a row has, as in docs/otst-fleet.schema.json
TEXTS = ("dump", "key", "otst")
TEXTS_OR_NONE = ("reason", "release", "machine", "nodename", "signature", "signature_hash", "end", "rank", "verdict")
LISTS = ("owners", "functions", "not_looked")
LARGEST = (1 << 63) - 1  # integer that SQLite takes


class Failed(Exception):
    """A dump that becomes a row with a reason."""


def clean(text):
    """Control characters, invisible ones and those that reorder text are escaped: no name looks like another one."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() and not UNSEEN.match(c) else
                   "\\x%02x" % ord(c) if ord(c) < 0x100 else "\\u%04x" % ord(c) if ord(c) < 0x10000 else "\\U%08x" % ord(c)
                   for c in text)


def refuse(constant):
    raise ValueError("%s is no JSON" % constant)


def parse(line):
    """A record of NDJSON; raises ValueError."""
    try:
        record = json.loads(line, parse_constant=refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(record, dict):
        raise ValueError("no record")
    return record


def text_of(record, name):
    """A text that a record has, or None; raises TypeError."""
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise TypeError("%s is no text" % name)
    return value and clean(value)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def is_row(row):
    """Is it a row as make_row() makes it; others may have been written by anybody."""
    try:
        for value in [row[n] for n in TEXTS] + [row[n] for n in TEXTS_OR_NONE if row[n] is not None] + \
                [v for n in LISTS for v in row[n]] + [v for e in row["evidence"] for v in (e["rank"], e["owner"] or "")]:
            value.encode("utf-8")
        return all(isinstance(row[n], list) for n in (*LISTS, "evidence")) and isinstance(row["control"], bool) and \
            is_integer(row["status"]) and is_integer(row["findings"]) and \
            all(is_integer(row[n]) or (row[n] is None and row["reason"] is not None) for n in ("size", "time"))
    except (AttributeError, KeyError, TypeError, ValueError):
        return False


def is_remote(path):
    return "://" in path


def facts_of(path):
    """(size, time of change in ns) by which a file is known; raises Failed."""
    if is_remote(path):
        import fsspec
        try:
            fs, name = fsspec.core.url_to_fs(path)
            info = fs.info(name)
        except Exception as error:  # each file system has its own
            raise Failed("%s: %s" % (type(error).__name__, error)) from None
        when = info.get("mtime") or info.get("LastModified") or info.get("updated") or 0
        when = when.timestamp() if hasattr(when, "timestamp") else when
        return info.get("size") or 0, int(float(when) * 1e9) if isinstance(when, (int, float)) else 0
    try:
        st = os.stat(path)
    except OSError as error:
        raise Failed(error.strerror) from None
    if not stat.S_ISREG(st.st_mode):
        kind = {stat.S_IFDIR: "a directory", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
        raise Failed("%s, not a file" % kind.get(stat.S_IFMT(st.st_mode), "a device"))
    return st.st_size, st.st_mtime_ns


def key_of(path, size, when, version):
    """What is scanned once: a dump that changed, and another otst, make another key."""
    text = "\0".join([path, str(size), str(when), version])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def wait_for(child, seconds):
    """Its status; raises TimeoutExpired. Popen.wait() alone looks every 50 ms."""
    with contextlib.suppress(OSError), os.fdopen(os.pidfd_open(child.pid)) as handle:
        select.select([handle], [], [], seconds)
        return child.wait(0)
    return child.wait(seconds)


def run_otst(words, seconds, megabytes):
    """(status, records that make up a row, last line of stderr); raises Failed when a limit is reached."""
    limits = {resource.RLIMIT_AS: megabytes << 20, resource.RLIMIT_FSIZE: MOST_OUTPUT, resource.RLIMIT_CORE: 0}

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # a group of its own: nothing that it started stays, and Ctrl-C is the scan's
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        try:
            # from outside: code between fork and exec would copy the worker's page tables
            with contextlib.suppress(ProcessLookupError):  # it ended
                for limit, value in limits.items():
                    resource.prlimit(child.pid, limit, (value, value))
            status = wait_for(child, seconds)
        except subprocess.TimeoutExpired:
            raise Failed("took longer than %g s" % seconds) from None
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        err.seek(0)
        said = err.read(65536).decode("utf-8", "replace").strip().splitlines()
        if status < 0:
            raise Failed("otst ended by signal %d; %s" % (-status, said[-1] if said else "no message"))
        out.seek(0)
        try:
            return status, list(records_of(out)), clean(said[-1]) if said else ""
        except ValueError:
            raise Failed("otst printed a line that is no JSON") from None


def records_of(file):
    """Those records of otst -j that make up a row; raises ValueError."""
    for line in iter(lambda: file.readline(MOST_RECORD), b""):
        if len(line) == MOST_RECORD and not line.endswith(b"\n"):
            raise ValueError("a line of more than %d MB" % (MOST_RECORD >> 20))
        if line.strip() and (line.startswith(WANTED) or not line.startswith(b'{"type":"')):
            yield parse(line)


def say_owner(owner, probe):
    """Names of who placed a probe, as the report shows them."""
    if owner["kind"] in ("unknown", "nobody"):
        return
    programs = probe.get("programs") or []
    if owner["kind"] != "bpf" or not programs:
        yield " ".join([owner["kind"], owner["name"]] + ["srcversion " + s for s in [owner.get("srcversion")] if s])
    for program in programs:
        yield "bpf %s tag %s" % (program["name"], program["tag"])
        for holder in program["holders"] or []:
            yield "agent %s" % holder["comm"]


def add_records(row, records):
    """Put what otst printed, or what a list of a healthy machine has, into a row."""
    owners, functions, unseen = set(), set(), set()
    for record in records:
        kind = record.get("type")
        if kind == "verdict":
            row.update({name: text_of(record, name) for name in ("signature", "signature_hash", "end", "rank", "verdict")})
            row["evidence"] = [{"rank": text_of(e, "rank") or "?", "owner": text_of(e, "owner")} for e in record["evidence"]]
        elif kind == "info":
            row.update({name: text_of(record, name) for name in ("release", "machine", "nodename")})
        elif kind == "probe":
            if record.get("owner") and "member" not in (record.get("facts") or {}):  # what the kernel was given to call hooks no code
                owners.update(map(clean, say_owner(record["owner"], record)))
            symbol, module = text_of(record, "symbol"), text_of(record, "module")
            if symbol and record["kind"] != "tracepoint" and record.get("claimed") != "removed":
                functions.add(symbol + (" [%s]" % module if module else ""))
        elif kind == "finding":
            row["findings"] += 1
        elif kind == "coverage" and record.get("state") != "looked":
            unseen.add("%s %s" % (text_of(record, "of"), text_of(record, "what")))
    row["owners"], row["functions"], row["not_looked"] = sorted(owners), sorted(functions), sorted(unseen)


def fetch(path, directory, most):
    """A copy of a file that is elsewhere; raises Failed."""
    import fsspec
    copy, left = os.path.join(directory, "dump"), most
    try:
        with fsspec.open(path, "rb") as source, open(copy, "wb") as to:
            for block in iter(lambda: source.read(1 << 20), b""):
                left -= len(block)
                if left < 0:
                    raise Failed("larger than %d bytes, the limit of copies" % most)
                to.write(block)
    except Failed:
        raise
    except Exception as error:
        raise Failed("%s: %s" % (type(error).__name__, error)) from None
    return copy


def empty_row(path, version, options):
    """A row with nothing but names."""
    said = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return {"type": "dump", "dump": said, "key": "", "size": None, "time": None, "otst": version, "status": 1,
            "reason": None, "control": bool(options["control"]), "release": None, "machine": None, "nodename": None,
            "signature": None, "signature_hash": None, "end": None, "rank": None, "verdict": None, "evidence": [],
            "findings": 0, "owners": [], "functions": [], "not_looked": []}


def make_row(path, version, options):
    """The row of one dump, whatever happens: what was found, or a reason. @options: otst, seconds, megabytes, most_copy, control, words; lost: do not try, say why."""
    row, directory, reason = empty_row(path, version, options), None, None
    try:
        row["size"], row["time"] = facts_of(path)
        if "lost" in options:
            raise Failed(options["lost"])
        local = path
        if is_remote(path):
            directory = tempfile.mkdtemp(prefix="otst-fleet-")
            local = fetch(path, directory, options["most_copy"])
        with open(local, "rb") as file:
            listed = file.read(8) == b'{"type":'
        if listed:
            row["status"] = 0
            row["control"] = True
            if os.path.getsize(local) > MOST_OUTPUT:
                raise Failed("a list of more than %d MB" % (MOST_OUTPUT >> 20))
            with open(local, "rb") as file:
                add_records(row, records_of(file))
        else:
            words = [options["otst"], "-i", "-l", "-j", "--threads", "1"] + options["words"] + [local]
            row["status"], records, said = run_otst(words, options["seconds"], options["megabytes"])
            if row["status"] in (1, 2):
                raise Failed(said or "otst ended with status %d" % row["status"])
            add_records(row, records)
    except Failed as error:
        reason = str(error)
    except (OSError, ValueError, AttributeError, LookupError, TypeError, MemoryError) as error:
        text = getattr(error, "strerror", None) or str(error)
        reason = "%s: %s" % (type(error).__name__, text)
    finally:
        if directory:
            shutil.rmtree(directory, ignore_errors=True)
    if reason is not None:
        found = {name: row[name] for name in ("size", "time", "control")}
        row = {**empty_row(path, version, options), **found, "reason": clean(reason)[:REASON]}
    row["key"] = key_of(path, row["size"], row["time"], version)
    return row
