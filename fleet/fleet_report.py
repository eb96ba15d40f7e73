# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 otst authors
"""otst-fleet report and show: signatures, and which owners their dumps have more often than others.

The parts go into a SQLite file beside them, which is made anew when they change. Statistics are
scipy's: Fisher's exact test of each owner in each signature, Benjamini-Hochberg over all of them.
"""
import html
import json
import os
import shlex
import sqlite3
import sys
import time

import fleet_row
import fleet_scan

LEVEL = 0.05  # share of false associations among those that are called one
FEW = 5  # dumps of a signature below which numbers are small
RANKS = "ABCDEF"
TABLES = """
create table dumps (id integer primary key, key text unique, dump text, time integer, release text, status integer,
    reason text, control integer, signature text, hash text, rank text, evidence text);
create table names (id integer primary key, name text unique);
create table has (name integer, dump integer);
create table parts (stamp text);
"""


def open_db(directory):
    """The SQLite file of a scan, made anew when the parts are not those that it was made of."""
    parts = fleet_scan.parts_of(directory)
    stamp = json.dumps([[os.path.basename(p), os.stat(p).st_size, os.stat(p).st_mtime_ns] for p in parts])
    path = os.path.join(directory, "fleet.db")
    if os.path.isfile(path) and not os.path.islink(path):
        db = sqlite3.connect(path)
        try:
            if db.execute("select stamp from parts").fetchone() == (stamp,):
                return db
        except sqlite3.DatabaseError:
            pass
        db.close()
    new = path + ".new"
    if os.path.lexists(new):
        os.remove(new)
    db = sqlite3.connect(new, isolation_level=None)
    db.executescript("pragma journal_mode = off; pragma synchronous = off;" + TABLES + "begin;")
    names, has = {}, []
    for row in fleet_scan.read_rows(directory):
        of_abc = sorted({e["owner"] for e in row["evidence"] if e["rank"] <= "C" and e["owner"]})
        cursor = db.execute("insert or ignore into dumps values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (
            row["key"], row["dump"], row["time"], row["release"], row["status"], row["reason"], row["control"],
            row["signature"], row["signature_hash"], row["rank"], json.dumps(of_abc)))
        if not cursor.rowcount:
            continue
        all_of = {names.setdefault(n, len(names) + 1) for n in row["owners"] + ["function " + f for f in row["functions"]]}
        has += [(number, cursor.lastrowid) for number in all_of]
        if len(has) > 500000:
            db.executemany("insert into has values (?, ?)", has)
            has = []
    db.executemany("insert into has values (?, ?)", has)
    db.executemany("insert into names values (?, ?)", ((n, name) for name, n in names.items()))
    db.execute("insert into parts values (?)", (stamp,))
    db.execute("commit")
    db.close()
    os.replace(new, path)
    return sqlite3.connect(path)


def adjust(values, total):
    """Benjamini-Hochberg: q of each of these p; those of @total that are not among them are 1."""
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    ret, least = [1.0] * len(values), 1.0
    for place, i in enumerate(order):
        least = min(least, values[i] * total / (len(values) - place))
        ret[i] = least
    return ret


def logs_of(a, b, c, d):
    """(x, log of how often it is) for each x that can be in a's place with these margins; the logs lack a constant."""
    import numpy
    from scipy.special import gammaln
    x = numpy.arange(max(0, a - d), a + min(b, c) + 1)
    return x, -gammaln(x + 1) - gammaln(a + b - x + 1) - gammaln(a + c - x + 1) - gammaln(d - a + x + 1)


def odds(a, b, c, d):
    """
    Odds ratio of ((a, b), (c, d)) with its interval of 95 %, conditional on the margins, to six digits.

    The same as scipy.stats.contingency.odds_ratio(), which takes seconds for large tables.
    """
    import numpy
    from scipy.optimize import brentq
    x, logs = logs_of(a, b, c, d)

    def solve(value_of, want):
        """The odds ratio at which a value that grows with it is the one that is wanted."""
        def miss(log_odds):
            weights = logs + x * log_odds
            weights = numpy.exp(weights - weights.max())
            return float(value_of(weights) / weights.sum()) - want
        middle, step = numpy.log((a + .5) * (d + .5) / (b + .5) / (c + .5)), .5
        while miss(middle - step) > 0 or miss(middle + step) < 0:
            step *= 2
        return float("%.6g" % numpy.exp(brentq(miss, middle - step, middle + step, xtol=1e-10)))
    first, last = x[0] == a, x[-1] == a
    return (0.0 if first else numpy.inf if last else solve(lambda w: w @ x, a),
            0.0 if first else solve(lambda w: w[x >= a].sum(), .025),
            numpy.inf if last else solve(lambda w: -w[x <= a].sum(), -.025))


def least_p(tables):
    """A little less than P(X >= a) of each ((a, b), (c, d)) with a * d > b * c: no p of both sides is below it."""
    import numpy
    from scipy.special import gammaln
    a, b, c, d = numpy.array(tables, dtype=float).reshape(-1, 4).T
    term = numpy.exp(gammaln(a + b + 1) + gammaln(c + d + 1) + gammaln(a + c + 1) + gammaln(b + d + 1)
                     - gammaln(a + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(d + 1) - gammaln(a + b + c + d + 1))
    ret = term.copy()
    for n in range(int(numpy.minimum(b, c).max(initial=0))):
        term *= (b - n) * (c - n) / ((a + n + 1) * (d + n + 1))
        term[(b <= n) | (c <= n)] = 0  # past the end of the distribution
        if not (term > ret * 1e-4).any():
            break
        ret += term
    return ret * (1 - 1e-6)  # gammaln has 16 digits of numbers up to a million


def test_tables(tables, total):
    """
    {table: p of Fisher's exact test} of those tables whose q may be LEVEL or less; @tables may repeat.

    Where a bound below p has a q above LEVEL, p has one too, and what is above it in order, so that the
    slow test is left out for most.
    """
    import numpy
    from scipy.stats import hypergeom
    distinct = {table: n for n, table in enumerate(dict.fromkeys(tables))}
    least = least_p(list(distinct)).tolist()
    least = [least[distinct[table]] for table in tables]
    near = sorted({table for table, q in zip(tables, adjust(least, total)) if q <= LEVEL})
    other = []  # the other side: up to which x is as rare as a
    for table in near:
        x, logs = logs_of(*table)
        other.append(x[(x < table[0]) & (logs <= logs[x == table[0]] + 1e-7)].max(initial=-1))
    a, b, c, d = numpy.array(near, dtype=int).reshape(-1, 4).T
    p = hypergeom.sf(a - 1, a + b + c + d, a + b, a + c) + hypergeom.cdf(other, a + b + c + d, a + b, a + c)
    return dict(zip(near, numpy.minimum(p, 1).tolist()))


def columns_of(db, place, size):
    """{dumps that have it: names}: owners that the same dumps have cannot be told apart."""
    import numpy
    names = dict(db.execute("select id, name from names"))
    groups, current, dumps = {}, None, []

    def end():
        if current is not None:
            column = numpy.array(sorted(dumps), dtype=numpy.uint32)
            if 0 < len(column) < size:
                groups.setdefault(column.tobytes(), []).append(names[current])
    for name, dump in db.execute("select name, dump from has order by name"):
        if name != current:
            end()
            current, dumps = name, []
        if dump in place:
            dumps.append(place[dump])
    end()
    return groups


def associate(db, signatures, rows):
    """Test each owner in each signature of two dumps and more; the number of tests, and those that are associated."""
    import numpy
    from scipy.stats import fisher_exact
    place = {row[0]: i for i, row in enumerate(rows)}
    tested = [s for s in signatures if len(s["ids"]) >= 2]
    code = numpy.zeros(len(rows), dtype=numpy.int64)
    for n, s in enumerate(tested, 1):
        code[[place[i] for i in s["ids"]]] = n
    groups = columns_of(db, place, len(rows))
    cells, tables = [], []
    for column, names in groups.items():
        column = numpy.frombuffer(column, dtype=numpy.uint32)
        inside = numpy.bincount(code[column], minlength=len(tested) + 1)
        for n in numpy.nonzero(inside[1:])[0]:
            s, a = tested[n], int(inside[n + 1])
            with_out = len(column) - a
            b, d = len(s["ids"]) - a, len(rows) - len(s["ids"]) - with_out
            if a * d <= b * with_out:
                continue  # not more often than elsewhere: p counts as 1
            cells.append((s, names))
            tables.append((a, b, with_out, d))
    total = len(groups) * len(tested)
    p_of = test_tables(tables, total)
    found = [p_of.get(table, 1.0) for table in tables]
    odds_of = {}
    for (s, names), table, p, q in zip(cells, tables, found, adjust(found, total)):
        if q > LEVEL:
            continue
        if table not in odds_of:
            odds_of[table] = odds(*table)
        ratio, low, high = odds_of[table]
        near = sum(bool(set(names) & set(owners)) for owners in s["near"])
        s["associated"].append({"owners": sorted(names), "with": table[0], "without": table[1], "elsewhere_with": table[2],
                                "elsewhere_without": table[3], "odds_ratio": ratio, "low": low, "high": high, "p": p, "q": q,
                                "evidence": near})
    for s in tested:
        s["associated"].sort(key=lambda x: (x["q"], -x["odds_ratio"], x["owners"]))
    return total


def summarize(directory):
    """All that the report says, as one value."""
    db = open_db(directory)
    rows = db.execute("select id, hash, signature, time, release, rank, evidence, control, dump, status from dumps "
                      "where reason is null order by dump, id").fetchall()
    by, controls = {}, 0
    for row in rows:
        if row[1] is None or row[7]:
            controls += 1
            continue
        s = by.setdefault(row[1], {"hash": row[1], "signature": row[2], "ids": [], "first": row[3], "last": row[3],
                                   "kernels": {}, "ranks": {}, "near": [], "associated": [], "dumps": []})
        s["ids"].append(row[0])
        s["first"], s["last"] = min(s["first"], row[3]), max(s["last"], row[3])
        s["kernels"][row[4] or "?"] = s["kernels"].get(row[4] or "?", 0) + 1
        s["ranks"][row[5] or "-"] = s["ranks"].get(row[5] or "-", 0) + 1
        s["near"].append(json.loads(row[6]))
        s["dumps"].append(row[8])
    signatures = sorted(by.values(), key=lambda s: (-len(s["ids"]), s["hash"]))
    tests = associate(db, signatures, rows)
    failures = db.execute("select reason, count(*), min(dump) from dumps where reason is not null group by reason "
                          "order by 2 desc, 1").fetchall()
    for s in signatures:
        s["count"] = len(s.pop("ids"))
        s["evidence"] = sum(s["ranks"].get(r, 0) for r in "ABC")
        s["few"] = s["count"] < FEW
        s["near"] = sum(map(bool, s["near"]))
    return {"type": "fleet", "dumps": len(rows), "controls": controls, "tests": tests, "level": LEVEL,
            "failures": [{"reason": r, "count": n, "example": d} for r, n, d in failures], "signatures": signatures}


def say_time(ns):
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(ns / 1e9)) if ns else "?"


def say_counts(counts):
    return ", ".join("%s %d" % kv for kv in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:6])


def lines_of(s):
    """A signature as text."""
    yield "%s  %s" % (s["hash"], s["signature"])
    yield "  %d dump%s, %s to %s" % (s["count"], "s"[:s["count"] != 1], say_time(s["first"]), say_time(s["last"]))
    yield "  kernels     %s" % say_counts(s["kernels"])
    yield "  ranks       %s; %d with evidence A to C" % (say_counts(s["ranks"]), s["evidence"])
    if s["few"]:
        yield "  small numbers: of %d dump%s an association says little" % (s["count"], "s"[:s["count"] != 1])
    for a in s["associated"][:20]:
        yield "  associated  %s" % a["owners"][0]
        if len(a["owners"]) > 1:
            others = ", ".join(a["owners"][1:6]) + (" and %d more" % (len(a["owners"]) - 6) if len(a["owners"]) > 6 else "")
            yield "              always together with %s: these numbers do not tell them apart" % others
        yield "              %d of %d dumps here, %d of %d elsewhere; odds ratio %.3g (%.3g to %.3g), q %.2g" % (
            a["with"], a["with"] + a["without"], a["elsewhere_with"], a["elsewhere_with"] + a["elsewhere_without"],
            a["odds_ratio"], a["low"], a["high"], a["q"])
        yield "              evidence A to C names it in %d dump%s" % (a["evidence"], "s"[:a["evidence"] != 1])
    if len(s["associated"]) > 20:
        yield "              and %d more" % (len(s["associated"]) - 20)
    if not s["associated"]:
        yield "  no owner is associated"


def text_of(report):
    yield "%d dumps, %d of them healthy machines or without a crash; %d signatures; %d could not be read" % (
        report["dumps"], report["controls"], len(report["signatures"]), sum(f["count"] for f in report["failures"]))
    yield "an association does not prove a cause: it says which owners these dumps have more often than the others"
    yield "(Fisher's exact test of %d pairs, false discovery rate %g by Benjamini-Hochberg)" % (report["tests"], LEVEL)
    for s in report["signatures"]:
        yield ""
        yield from lines_of(s)
    if report["failures"]:
        yield ""
        yield "could not be read"
    for f in report["failures"]:
        yield "  %d  %s (%s)" % (f["count"], f["reason"], f["example"])


def page_of(report):
    """The text as a page of HTML: nothing is loaded, nothing runs."""
    body = "\n".join("<h2>%s</h2>" % html.escape(line) if line[:1] not in " (" and "  " in line else html.escape(line)
                     for line in clean(text_of(report)))
    return ("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
            "<title>otst-fleet report</title>\n<style>body { white-space: pre-wrap; font: 15px/1.4 monospace; max-width: 75rem; "
            "margin: 2rem auto } h2 { font-size: 1rem; margin: 0 }</style>\n<body>%s\n</body>\n" % body)


def clean(lines):
    """Nothing of a dump reaches the terminal but text."""
    return map(fleet_row.clean, lines)


def worst(signatures):
    return 4 if any(s["evidence"] for s in signatures) else 0


def report(args):
    found = summarize(args.directory)
    if args.html:
        with open(args.html, "x" if not args.force else "w", encoding="utf-8") as file:
            file.write(page_of(found))
    if args.json:
        print(json.dumps(found, separators=(",", ":"), default=str))
    elif not args.html:
        print("\n".join(clean(text_of(found))))
    return worst(found["signatures"])


def show(args):
    found = [s for s in summarize(args.directory)["signatures"] if s["hash"].startswith(args.signature)]
    if len(found) != 1:
        print("otst-fleet: %s signature begins with %s" % ("no" if not found else "more than one", args.signature),
              file=sys.stderr)
        return 1
    s = found[0]
    if args.json:
        print(json.dumps(s, separators=(",", ":")))
        return worst(found)
    lines = list(lines_of(s))
    lines += ["", "frames"] + ["  " + f for f in s["signature"].partition(": ")[2].split(", ") if f]
    lines += ["", "dumps"] + ["  " + d for d in s["dumps"]]
    lines += ["", "  otst -b " + shlex.quote(s["dumps"][0])]
    print("\n".join(clean(lines)))
    return worst(found)
