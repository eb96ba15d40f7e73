# SPDX-License-Identifier: GPL-2.0-or-later
"""A dump opened with drgn, and its symbols: for the scripts beside this one."""
import drgn


def open_dump(vmlinux, vmcore):
    prog = drgn.Program()
    prog.set_core_dump(vmcore)
    prog.load_debug_info([vmlinux])
    return prog


def symbol(prog, address):
    try:
        s = prog.symbol(address)
        return f"{s.name}+{address - s.address:#x}"
    except LookupError:
        return hex(address)
