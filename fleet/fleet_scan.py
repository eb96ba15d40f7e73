# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 otst authors
"""otst-fleet scan: each dump once, by the workers of Dask, into parts of NDJSON.

Only the scan writes: a row is one write at the end of a part, so that whatever dies leaves at most one
row cut off, which the next scan takes away and makes again.
"""
import errno
import fnmatch
import glob
import itertools
import json
import os
import stat
import subprocess
import sys
import time

import fleet_row


def list_dumps(operands, match):
    """Paths of DIR, GLOB, @LIST, URL and files, each once, in order."""
    seen = {}
    for operand in operands:
        if operand.startswith("@"):
            with open(operand[1:], encoding="utf-8", errors="surrogateescape") as file:
                found = [line.rstrip("\n") for line in file if line.strip()]
        elif fleet_row.is_remote(operand):
            import fsspec
            fs, name = fsspec.core.url_to_fs(operand)
            names = fs.find(name) if not glob.has_magic(name) and fs.isdir(name) else fs.glob(name) or [name]
            found = [fs.unstrip_protocol(n) for n in names]
        elif os.path.isdir(operand):
            found = []
            for directory, subs, files in os.walk(operand):
                subs.sort()
                found += [os.path.join(directory, f) for f in sorted(files) if fnmatch.fnmatch(f, match)]
        else:
            found = not os.path.exists(operand) and glob.has_magic(operand) and sorted(glob.glob(operand)) or [operand]
        for path in found:
            path = path if fleet_row.is_remote(path) else os.path.abspath(path)
            seen.setdefault(path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"), path)
    return list(seen.values())


def parts_of(directory):
    return sorted(glob.glob(os.path.join(glob.escape(directory), "part-*.ndjson")))


def open_part(path, flags):
    """As open() does, but not what is no file; raises OSError."""
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(errno.EINVAL, "not a file of a scan", path)


def read_rows(directory, repair=False):
    """Rows of all parts. @repair: take away what a scan that died has left half written."""
    strange = 0
    for part in parts_of(directory):
        with open(part, "r+b" if repair else "rb", opener=open_part) as file:
            good = 0
            for line in iter(lambda: file.readline(fleet_row.MOST_RECORD), b""):
                whole = line.endswith(b"\n")
                try:
                    row = fleet_row.parse(line) if whole else None
                except ValueError:
                    row = None
                good += len(line) if whole or len(line) == fleet_row.MOST_RECORD else 0
                if row and fleet_row.is_row(row):
                    yield row
                elif whole:
                    strange += 1
            if repair:
                file.truncate(good)
    if strange:
        print("otst-fleet: %s: %d lines are not rows of a scan, and are not counted" % (directory, strange), file=sys.stderr)


class Parts:
    """One part for a worker and hour."""

    def __init__(self, directory):
        self.directory, self.names = directory, {}

    def add(self, worker, row):
        number = self.names.setdefault(worker, len(self.names))
        path = os.path.join(self.directory, "part-%s-%03d.ndjson" % (time.strftime("%Y%m%dT%HZ", time.gmtime()), number))
        line = (json.dumps(row, separators=(",", ":"), sort_keys=True) + "\n").encode()
        with open(path, "ab", buffering=0, opener=open_part) as file:
            end = file.tell()
            try:
                if file.write(line) != len(line):
                    raise OSError(28, "No space left on device")
            except OSError:
                os.truncate(path, end)
                raise


def say_progress(done, failed, total, began):
    rate = done / max(time.monotonic() - began, 1e-3)
    rest = (total - done) / rate if rate else 0
    return "%d of %d dumps, %d failed, %.1f/s, %d:%02d left" % (done, total, failed, rate, rest // 60, rest % 60)


BATCH = 4  # dumps of a task, when there are many: the scheduler's work is by tasks


def work(paths, version, options):
    """On a worker: its address and the rows."""
    from distributed import get_worker
    return get_worker().address, [fleet_row.make_row(path, version, options) for path in paths]


def open_client(args):
    from distributed import Client, LocalCluster
    return Client(args.scheduler or LocalCluster(n_workers=args.workers or os.cpu_count() or 1, threads_per_worker=1,
                                                 dashboard_address=None, host="127.0.0.1", silence_logs=50))


def run(paths, version, options, args, parts):
    """Hand out the dumps, a few for each worker at a time; the number of those that failed."""
    from distributed import as_completed
    import cloudpickle
    for module in (fleet_row, sys.modules[__name__]):
        cloudpickle.register_pickle_by_value(module)  # workers elsewhere have no otst-fleet
    began, done, failed, told = time.monotonic(), 0, 0, 0.0
    todo = iter(paths)
    client = open_client(args)
    try:
        client.wait_for_workers(1, timeout=120)
        workers = max(1, len(client.scheduler_info()["workers"]))
        batch = BATCH if len(paths) >= 16 * BATCH * workers else 1
        batches = iter(lambda: list(itertools.islice(todo, batch)), [])
        task = {}

        def submit(some):
            future = client.submit(work, some, version, options, pure=False, retries=2)
            task[future.key] = some
            return future
        queue = as_completed([submit(some) for some in itertools.islice(batches, 3 * workers)])
        while not queue.is_empty():
            while not queue.has_ready() and client.status not in ("closing", "closed"):
                time.sleep(0.005)
            future = next(queue) if queue.has_ready() else None
            if not future or future.status in ("cancelled", "lost"):
                raise ConnectionError("the scheduler is gone")
            some = task.pop(future.key)
            worker, rows = future.result() if future.status == "finished" else ("none", [])
            if not rows and len(some) > 1:  # one of them may have killed its worker again and again
                for path in some:
                    queue.add(submit([path]))
            elif not rows:
                rows = [fleet_row.make_row(some[0], version, {**options, "lost": "the worker died each time"})]
            for row in rows:
                parts.add(worker, row)
                done += 1
                failed += row["reason"] is not None
            following = next(batches, None) if rows else None
            if following:
                queue.add(submit(following))
            future.release()
            if not args.quiet and time.monotonic() - told > 1:
                told = time.monotonic()
                print("\r" + say_progress(done, failed, len(paths), began), end="", file=sys.stderr, flush=True)
    finally:
        if not args.quiet:
            print("\r" + say_progress(done, failed, len(paths), began), file=sys.stderr)
        cluster = client.cluster
        client.close()
        if cluster:
            cluster.close()
    return failed


def scan(args):
    try:
        said = subprocess.run([args.otst, "--version"], stdout=subprocess.PIPE, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        print("otst-fleet: %s: %s" % (args.otst, error), file=sys.stderr)
        return 1
    version = said.partition("\n")[0]  # what follows is of this machine
    options = {"otst": args.otst, "seconds": args.time, "megabytes": args.memory, "most_copy": args.copy << 20,
               "control": args.control, "words": ["--modules", args.modules] if args.modules else []}
    os.makedirs(args.into, exist_ok=True)
    known = {row["key"] for row in read_rows(args.into, repair=True)}
    paths, old = [], 0
    for path in list_dumps(args.operands, args.match):
        try:
            size, when = fleet_row.facts_of(path)
        except fleet_row.Failed:
            size = when = None
        if fleet_row.key_of(path, size, when, version) in known:
            old += 1
        else:
            paths.append(path)
    if old and not args.quiet:
        print("otst-fleet: %d dumps are known" % old, file=sys.stderr)
    try:
        failed = run(paths, version, options, args, Parts(args.into)) if paths else 0
    except KeyboardInterrupt:
        print("otst-fleet: interrupted; the same command goes on", file=sys.stderr)
        return 130
    except OSError as error:
        print("otst-fleet: %s: %s; the same command goes on" % (args.into, error.strerror or error), file=sys.stderr)
        return 1
    return 3 if failed else 0
