# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 otst authors
"""libotst.py - the structures and functions of libotst (src/otst.h) for ctypes, and what the
front ends in Python (gdb/otst.py, drgn/otst.py) share.

The library is the file that $OTST_LIB names, else the one that was installed with this
file, else ../build/libotst.so.0 beside its folder, else the libotst.so.0 that the dynamic
loader finds. Its structures have to be those that are declared here, which otst_layout()
tells.
"""
import bisect
import ctypes
import os
import struct

# the interface that this file is written for
SONAME = "libotst.so.0"
# where "make install" put the library; it writes the path here
INSTALLED = ""

VIRT, PHYS = 0, 1
LOOKUP, FAULT, INTERRUPTED, UNSUPPORTED = -1, -2, -5, -7
KNOWS_SYMBOLS, KNOWS_TYPES = 0, 1
OTHER, INT, POINTER, ARRAY, STRUCT = range(5)
EXIT_FAILED, EXIT_USAGE = 1, 2

CONSTANTS = {
    "OTST_ERR_LOOKUP": LOOKUP, "OTST_ERR_FAULT": FAULT, "OTST_ERR_INTERRUPTED": INTERRUPTED,
    "OTST_ERR_UNSUPPORTED": UNSUPPORTED, "OTST_VIRT": VIRT, "OTST_PHYS": PHYS,
    "OTST_KNOWS_SYMBOLS": KNOWS_SYMBOLS, "OTST_KNOWS_TYPES": KNOWS_TYPES,
    "OTST_KIND_OTHER": OTHER, "OTST_KIND_INT": INT, "OTST_KIND_POINTER": POINTER,
    "OTST_KIND_ARRAY": ARRAY, "OTST_KIND_STRUCT": STRUCT,
    "OTST_EXIT_FAILED": EXIT_FAILED, "OTST_EXIT_USAGE": EXIT_USAGE,
}

Pointer, String, U64 = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64


class LibraryError(Exception):
    """There is no library, or it is of another version."""


class Member(ctypes.Structure):
    """struct otst_member"""
    _fields_ = [("offset", U64), ("size", U64), ("bit_offset", ctypes.c_uint32),
                ("bit_size", ctypes.c_uint32), ("kind", ctypes.c_uint32),
                ("count", ctypes.c_uint32), ("is_signed", ctypes.c_uint32),
                ("type", ctypes.c_char * 64)]


class Symbol(ctypes.Structure):
    """struct otst_symbol"""
    _fields_ = [("addr", U64), ("size", U64), ("name", ctypes.c_char * 512),
                ("module", ctypes.c_char * 64)]


def function(result, *arguments):
    """Type of a member of the ops; each gets the private pointer first."""
    return ctypes.CFUNCTYPE(result, Pointer, *arguments)


class Sized(ctypes.Structure):
    """A structure whose first member is its size."""

    def __init__(self, *members, **named):
        super().__init__(ctypes.sizeof(self), *members, **named)


class Ops(Sized):
    """struct otst_target_ops"""
    _fields_ = [
        ("size", U64), ("name", String),
        ("read", function(ctypes.c_int, ctypes.c_int, U64, Pointer, U64)),
        ("symbol", function(ctypes.c_int, String, ctypes.POINTER(U64))),
        ("symbol_at", function(ctypes.c_int, U64, ctypes.POINTER(Symbol))),
        ("member", function(ctypes.c_int, String, String, ctypes.POINTER(Member))),
        ("type_size", function(ctypes.c_int, String, ctypes.POINTER(U64))),
        ("enumerator", function(ctypes.c_int, String, ctypes.POINTER(ctypes.c_int64))),
        ("vmcoreinfo", function(ctypes.c_int, ctypes.POINTER(String), ctypes.POINTER(U64))),
        ("interrupted", function(ctypes.c_bool)),
        ("cpu_regs", function(ctypes.c_int, ctypes.c_uint, ctypes.POINTER(String),
                              ctypes.c_uint32, ctypes.POINTER(U64))),
        ("module_file", function(ctypes.c_int, String, Pointer, U64)),
        ("knows", function(ctypes.c_bool, ctypes.c_int)),
        ("progress", function(None, String, U64, U64)),
        ("notes", function(ctypes.c_int, ctypes.POINTER(Pointer), ctypes.POINTER(U64))),
        ("memory", function(ctypes.c_int, U64, ctypes.POINTER(U64), ctypes.POINTER(U64))),
        ("ahead", function(None, U64, U64)),
        ("start", function(U64, Pointer, Pointer)), ("finish", function(None, U64)),
        ("place", function(ctypes.c_int, U64)),
        ("extent", function(ctypes.c_int, U64, ctypes.POINTER(U64), ctypes.POINTER(U64), ctypes.POINTER(U64))),
        ("hint", String),
    ]


class Options(Sized):
    """struct otst_options"""
    _fields_ = [("size", U64), ("vmlinux", String), ("no_btf", U64), ("in_session", U64),
                ("big_endian", U64), ("live", U64), ("search", String), ("debuginfod", U64),
                ("btf", String)]


class Output(Sized):
    """struct otst_output"""
    _fields_ = [("size", U64), ("write", function(ctypes.c_int, Pointer, ctypes.c_size_t)),
                ("priv", Pointer), ("width", ctypes.c_uint32), ("color", ctypes.c_uint32)]


class Records(Sized):
    """struct otst_records"""
    _fields_ = [("size", U64), ("record", function(ctypes.c_int, String, String, ctypes.c_size_t)),
                ("priv", Pointer)]


STRUCTURES = {"otst_member": Member, "otst_symbol": Symbol, "otst_target_ops": Ops,
              "otst_options": Options, "otst_output": Output, "otst_records": Records}


def layout():
    """The declarations above in the format of otst_layout()."""
    lines = []
    for name, structure in STRUCTURES.items():
        lines.append(f"struct {name} {ctypes.sizeof(structure)}")
        for member, *_ in structure._fields_:
            field = getattr(structure, member)
            lines.append(f"\t{member} {field.offset} {field.size}")
    return lines + [f"{name} {value}" for name, value in CONSTANTS.items()]


def find_library():
    named = os.environ.get("OTST_LIB")
    if named:
        return named
    here = os.path.dirname(os.path.realpath(__file__))
    for path in (INSTALLED, os.path.join(here, "..", "build", SONAME)):
        if path and os.path.exists(path):
            return path
    return SONAME


def check_layout(library, path):
    text = ctypes.create_string_buffer(1 << 16)
    library.otst_layout(text, len(text))
    theirs, ours = text.value.decode().splitlines(), layout()
    if theirs != ours:
        other = next((a or b for a, b in zip(theirs + [""], ours + [""]) if a != b), "")
        raise LibraryError(f"{path} is of another version than libotst.py: \"{other.strip()}\"")


def load_library():
    """The library as a ctypes object. LibraryError when there is none, or it is another one."""
    path = find_library()
    engine, words, results = Pointer, ctypes.POINTER(String), ctypes.POINTER(Output)
    functions = {
        "otst_layout": (ctypes.c_size_t, [Pointer, ctypes.c_size_t]),
        "otst_help": (ctypes.POINTER(String), []),
        "otst_version": (String, []),
        "otst_error_text": (String, [ctypes.c_int]),
        "otst_open": (ctypes.c_int, [ctypes.POINTER(Ops), Pointer, ctypes.POINTER(Options),
                                     ctypes.POINTER(engine)]),
        "otst_close": (None, [engine]),
        "otst_run": (ctypes.c_int, [engine, ctypes.c_int, words, results, results]),
        "otst_records": (ctypes.c_int, [engine, ctypes.c_int, words, ctypes.POINTER(Records),
                                        results]),
    }
    try:
        library = ctypes.PyDLL(path)
        for name, (result, arguments) in functions.items():
            made = getattr(library, name)
            made.restype, made.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise LibraryError(f"{path}: {error}; OTST_LIB can name the library") from None
    check_layout(library, path)
    return library


def to_words(words):
    """Words of a command line as otst_run() takes them: their number, and the words."""
    return len(words), (String * (len(words) + 1))(*words)


# ---- a command ----

def answer_with(value, ret):
    """Answers a callback with a value, or with LOOKUP if it is None."""
    if value is None:
        return LOOKUP
    ret[0] = value
    return 0


class Target:
    """The callbacks of a command. A front end's class has a method for each member of struct
    otst_target_ops that it can answer, without the private pointer. Exceptions must not get
    lost in the library: the callback returns an error instead, and the front end raises the
    exception when the library is done."""
    name = b""
    big_endian = False

    def __init__(self):
        self.raised = None
        self.absent = set()
        self.ops = Ops(name=self.name)
        for name, kind in Ops._fields_[2:]:
            answer = getattr(self, name, None)
            if answer:
                setattr(self.ops, name, kind(self.guard(answer)))

    def guard(self, answer):
        def call(_priv, *arguments):
            failed = False if answer == getattr(self, "knows", None) else INTERRUPTED
            if self.raised and answer != self.interrupted:
                return failed
            try:
                return answer(*arguments)
            except BaseException as error:  # pylint: disable=broad-except
                self.raised = error
                return failed
        return call

    def interrupted(self):
        return self.raised is not None

    # What a front end knows about symbols and types. Its class has address(name) and
    # constant(name), which return None if there is none; find_type(name), without typedefs;
    # strip(type), which strips typedefs; find_field(container, name), which returns (member, its
    # first bit), also through anonymous structures, or None; describe(member, first bit, ret),
    # which fills in a struct otst_member; size_of(type).

    def knows(self, what):
        """The image file has all symbols, and all types with its debug information."""
        if what == KNOWS_TYPES:
            return self.find_type("task_struct") is not None
        return self.address("init_task") is not None

    def symbol(self, name, ret):
        """The engine asks for a name wherever it decides by it, and finding out that there is none takes
        a debugger milliseconds."""
        if name in self.absent:
            return LOOKUP
        found = self.address(name.decode())
        if found is None:
            self.absent.add(name)
        return answer_with(found, ret)

    def find_member(self, container, path):
        """(member, its first bit) of a path through embedded structures, or None."""
        start, found = 0, None
        for name in path.split("."):
            found = container and self.find_field(container, name)
            if not found:
                return None
            start += found[1]
            container = self.strip(found[0].type)
        return found[0], start

    def member(self, container, path, ret):
        container = self.find_type(container.decode())
        found = container and self.find_member(container, path.decode())
        if not found:
            return LOOKUP
        self.describe(*found, ret[0])
        return 0

    def type_size(self, name, ret):
        found = self.find_type(name.decode())
        return answer_with(None if found is None else self.size_of(found), ret)

    def enumerator(self, name, ret):
        return answer_with(self.constant(name.decode()), ret)

    def output(self, take, width=0, color=False):
        """A struct otst_output that hands its text to take()."""
        def write(text, size):
            take(ctypes.string_at(text, size).decode("ascii", "backslashreplace"))
            return 0
        return Output(Output._fields_[1][1](self.guard(write)), None, width, color)

    def run(self, library, words, out, err, live=False, **files):
        """Runs a command and returns its status. Each command has its own engine: a live kernel
        has changed by the time the next one comes. files: vmlinux, search, btf of struct
        otst_options, None for none."""
        named = {key: os.fsencode(path) for key, path in files.items() if path is not None}
        options = Options(in_session=True, big_endian=self.big_endian, live=live, **named)
        engine = Pointer()
        refused = library.otst_open(self.ops, None, options, engine)
        if refused:
            raise LibraryError(f"cannot start: {library.otst_error_text(refused).decode()}")
        try:
            words = [b"otst"] + [os.fsencode(word) for word in words]
            return library.otst_run(engine, *to_words(words), out, err)
        finally:
            library.otst_close(engine)


# ---- ELF vmcores ----

def elf_order(head):
    """The struct module's character for the byte order of a 64-bit ELF file, of which head is the
    first 64 bytes; None when it is not such a file."""
    orders = {b"\x7fELF\x02\x01": "<", b"\x7fELF\x02\x02": ">"}
    return orders.get(head[:6]) if len(head) >= 64 else None


def read_elf(file):
    """The program headers of a vmcore, [(virtual address, physical address, size)], and its
    notes; None when it is not a 64-bit ELF file."""
    head = file.read(64)
    order = elf_order(head)
    if not order:
        return None
    head = struct.unpack(order + "16sHHIQQQIHHHHHH", head)
    start, count = head[5], head[10]
    if count == 0xffff:
        file.seek(head[6] + 44)
        count, = struct.unpack(order + "I", file.read(4))
    file.seek(start)
    table, loads, notes = file.read(56 * count), [], b""
    for kind, _, offset, virt, phys, size, _, _ in struct.iter_unpack(order + "IIQQQQQQ", table):
        if kind == 1 and size:
            loads.append((virt, phys, size))
        elif kind == 4:
            file.seek(offset)
            notes += file.read(size)
    return loads, notes


def join_ranges(ranges):
    """Ranges that touch become one."""
    joined = []
    for start, virt, size in ranges:
        if joined and joined[-1][0] + joined[-1][2] >= start:
            size = max(joined[-1][2], start + size - joined[-1][0])
            start, virt, _ = joined.pop()
        joined.append((start, virt, size))
    return joined


def find_range(ranges, addr):
    """(where it is in virtual memory, bytes up to the range's end)"""
    at = bisect.bisect_right(ranges, (addr, 1 << 64)) - 1
    if at < 0 or addr >= ranges[at][0] + ranges[at][2]:
        return 0, 0
    start, virt, size = ranges[at]
    return virt + addr - start, size - (addr - start)
