#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold the places that "otst -a -v -j" lists against the files themselves.

    audit.py VMLINUX VMCORE LINES

Every byte of the kernel's text that differs between image file and dump has to
lie in a place that is listed, and every place that is listed has to differ.
"""

import json
import re
import sys

from elf import Elf


def main():
    image, core = Elf(sys.argv[1]), Elf(sys.argv[2])
    slide = int(re.search(rb"KERNELOFFSET=([0-9a-f]+)", core.data).group(1), 16)
    _, _, _, link, offset, size, _, _, _, _ = image.sections[".text"]
    covered = bytearray(size)
    built = image.data[offset:offset + size]
    wrong = 0
    for line in open(sys.argv[3], encoding="ascii"):
        record = json.loads(line)
        if record["type"] != "difference" or record["module"]:
            continue
        at = int(record["address"], 16) - slide - link
        length = record["length"]
        if not 0 <= at < size:
            continue
        covered[at:at + length] = b"\1" * length
        found = core.read(link + slide + at, length)
        if found == built[at:at + length]:
            print(f"{record['address']}: {record['class']}: does not differ")
            wrong += 1
    count = 0
    for at in range(0, size, 4096):
        length = min(4096, size - at)
        found = core.read(link + slide + at, length)
        if found is None or found == built[at:at + length]:
            continue
        for i in range(length):
            if found[i] != built[at + i]:
                count += 1
                if not covered[at + i]:
                    wrong += 1
                    print(f"{link + slide + at + i:#x}: differs, and is not listed")
        if wrong > 20:
            break
    print(f"note: {count} bytes differ")
    return wrong != 0 or count == 0


if __name__ == "__main__":
    sys.exit(main())
