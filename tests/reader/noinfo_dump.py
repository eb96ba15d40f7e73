# SPDX-License-Identifier: GPL-2.0-or-later
"""A dump's memory without VMCOREINFO: in its note, in the kernel's own copy."""
import re

TEXT = re.compile(rb"OSRELEASE=[^\0]{1000,}\0")


def without_note(memory):
    note = memory.index(b"VMCOREINFO\0\0OSRELEASE=")
    size = int.from_bytes(memory[note - 8:note - 4], "little")
    memory[note:note + 12 + size] = bytes(12 + size)
    return memory


def without_text(memory):
    """@memory has no note any more. Return: where the text was, as matches"""
    texts = list(TEXT.finditer(bytes(memory)))
    for text in texts:
        memory[text.start():text.end()] = bytes(len(text.group()))
    return texts
