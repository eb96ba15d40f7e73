# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of otst --report taken apart, and dumps for it."""
import base64
import hashlib
import html.parser
import json
import os
import re
import subprocess

BUILD = os.environ.get("BUILD", "build")
OTST = BUILD + "/otst"
VMLINUX, VMCORE = BUILD + "/vmcores/vmlinux", BUILD + "/vmcores/vmcore.elf"

# what the bundled dump has -> what a hostile one has there, same length; as the page must show it
HOSTILE = {
    b"lab_sleeper/": (b"<img src=x>\"", '<img src=x>"'),                      # names of tasks
    b"lab_sleep_thread": (b"</script><b>'&lt", "</script><b>'&lt"),           # a symbol, in stacks
    b"lab_disabled_later": (b"\x1b[31m\xff\xfe<i>'\"&\xc2\x85xyz", None),        # a symbol that is probed
    b"return_event": (b"<u onload='\"", "<u onload='\""),                      # an event
    b"sysrq triggered crash": (b"</pre><script>alert()", "</pre><script>alert()"),  # the log
    b"lab_instance": (b"<b>]]>--><a ", "<b>]]>--><a "),                        # a trace array
    b"otst_tracer": (b"<tr>\"'&\\\x07\x7fx", None),                            # a module
}


# damage: kprobe_table[1] leads nowhere; two places of the text are not what their kprobes wrote
DAMAGED = {bytes.fromhex("005f2740638fffff"): bytes.fromhex("efbeadde0000ffff"),
           bytes.fromhex("cc5389f389d689da65488b2c25006201"): bytes.fromhex("905389f389d689da65488b2c25006201"),
           bytes.fromhex("e9f9180100056745230148890424488b"): bytes.fromhex("90f9180100056745230148890424488b")}


def run(*words):
    """(status, standard output and error)"""
    done = subprocess.run([OTST, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def records(*words):
    return [json.loads(line) for line in run(*words, "-j")[1].splitlines()]


def make_dump(path, changes):
    """Writes the bundled dump with other bytes."""
    with open(VMCORE, "rb") as f:
        data = f.read()
    for was, now in changes.items():
        assert len(was) == len(now) and was in data, was
        data = data.replace(was, now)
    with open(path, "wb") as f:
        f.write(data)


def make_hostile(path):
    make_dump(path, {was: now for was, (now, _) in HOSTILE.items()})


class Page(html.parser.HTMLParser):
    """@elements: names; @attributes: (element, name, value); @text: all; @rows: cells of each row of a section's tables"""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        with open(path, "rb") as f:
            self.bytes = f.read()
        self.elements, self.attributes, self.text, self.inside = [], [], "", None
        self.rows, self.section, self.raw, self.open = {}, None, {}, []
        self.faults = []
        self.feed(self.bytes.decode())
        self.close()

    VOID = ("meta", "input")

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs.items()]
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "section":
            self.section = attrs["id"]
        elif tag == "tr":
            self.rows.setdefault(self.section, []).append(0)
        elif tag in ("td", "th"):
            self.rows[self.section][-1] += 1
        elif tag in ("script", "style"):
            self.inside = attrs.get("type", tag)
            self.raw[self.inside] = ""

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append("</%s> at %s closes another element" % (tag, self.getpos()))
        self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.raw[self.inside] += data
        else:
            self.text += data

    def ids(self):
        return [value for _, name, value in self.attributes if name == "id"]

    def check(self):
        """What is wrong with any page."""
        wrong = self.faults + ["%s stays open" % tag for tag in self.open]
        known = set(re.findall(r"<([a-z0-9]+)", open("offline/report/page.html", encoding="utf-8").read()))
        wrong += ["element %s" % e for e in sorted(set(self.elements) - known -
                                                   set("p b h3 ul ol li div dt dd tr td a span details summary pre code".split()))]
        wrong += ["attribute %s of %s" % (name, tag) for tag, name, value in self.attributes
                  if name.startswith("on") or name in ("src", "style") or (name == "href" and not value.startswith("#"))]
        ids = self.ids()
        wrong += ["id %s twice" % i for i in set(ids) if ids.count(i) > 1] if len(ids) != len(set(ids)) else []
        wrong += ["a link to %s" % value for _, name, value in self.attributes
                  if name == "href" and value[1:] not in set(ids)]
        if self.elements.count("script") != 2 or self.elements.count("style") != 1:
            wrong.append("scripts or styles are not ours")
        policy = [value for _, name, value in self.attributes if name == "content" and "default-src" in value][0]
        for name in ("style", "script"):
            digest = base64.b64encode(hashlib.sha256(self.raw[name].encode()).digest()).decode()
            if "%s-src 'sha256-%s'" % (name, digest) not in policy:
                wrong.append("the policy has another hash of %s" % name)
        if "default-src 'none'" not in policy or "unsafe" in policy:
            wrong.append("policy %s" % policy)
        odd = re.findall("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]", self.bytes.decode())
        if odd:
            wrong.append("characters %r" % set(odd))
        if re.search("[<>&]", self.raw["application/json"]):
            wrong.append("markup in the data")
        for section, columns in (("probes", 9), ("tracers", 6)):
            if set(self.rows[section]) != {columns}:
                wrong.append("rows of %s have %s cells" % (section, set(self.rows[section])))
        return wrong

    def data(self):
        return json.loads(self.raw["application/json"])
