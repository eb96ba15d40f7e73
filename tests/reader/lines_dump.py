# SPDX-License-Identifier: GPL-2.0-or-later
"""The bundled dump with large ring buffers in an instance, lab_instance with functions, lab_events with
events: entries of thousands of tasks and functions, some damaged. `lines_dump.py VMCORES NEW MB INSTANCE`"""
import importlib.machinery
import importlib.util
import struct
import sys

try:
    import drgn
except ImportError:
    print("no drgn")
    sys.exit(77)
sys.path.insert(0, "bench")
loader = importlib.machinery.SourceFileLoader("ring_grow", "bench/ring-grow")
ring_grow = importlib.util.module_from_spec(importlib.util.spec_from_loader("ring_grow", loader))
loader.exec_module(ring_grow)

HEADER = 16  # of a sub-buffer
FUNCTION = 1  # TRACE_FN


class Changer:
    """@entries: how many got another task, and functions among them another function"""

    def __init__(self, text):
        self.text = text
        self.entries = 0

    def change_page(self, page, number):
        """Other tasks and other functions; every seventh page stays, and every 40th has a damaged entry"""
        if number % 7 == 6:
            return
        end = HEADER + struct.unpack_from("<Q", page, 8)[0] & 0xfffff
        at = HEADER
        while at + 24 < end:
            kind = struct.unpack_from("<I", page, at)[0] & 31
            if kind > 28 or not kind:
                at += 8 if kind >= 30 else 4 + struct.unpack_from("<I", page, at + 4)[0]
                continue
            self.entries += 1
            struct.pack_into("<i", page, at + 8, 1 + (self.entries // 16) % 3000)
            if struct.unpack_from("<H", page, at + 4)[0] == FUNCTION:
                struct.pack_into("<Q", page, at + 12, self.text + self.entries * 48 % 0x800000)
            at += 4 + kind * 4
        if number % 40 == 39:
            struct.pack_into("<I", page, HEADER + 400, 0x1c)


def make(vmcores, new, mb, instance):
    """@vmcores: the folder with the bundled dump. Return: how many entries the new sub-buffers have"""
    prog = drgn.Program()
    prog.set_core_dump(f"{vmcores}/vmcore.elf")
    prog.load_debug_info([f"{vmcores}/vmlinux"])
    array = ring_grow.instance(prog, instance)
    dump = ring_grow.Dump(prog, f"{vmcores}/vmcore.elf", new)
    flags = array.trace_flags
    dump.write_word(flags.address_, flags.value_() & ~prog["TRACE_ITER_SYM_OFFSET"].value_())
    changer = Changer(prog.symbol("_stext").address)
    ring_grow.grow_buffer(prog, dump, array.array_buffer, mb, changer.change_page)
    return changer.entries


if __name__ == "__main__":
    make(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4])
