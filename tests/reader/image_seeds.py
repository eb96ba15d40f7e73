# SPDX-License-Identifier: GPL-2.0-or-later
"""Small memory images, one of each form, for tests/fuzz/images: image_seeds.py DIRECTORY"""
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import image_forms as forms  # noqa: E402

chance = random.Random(1)
memory = [(0x1000, chance.randbytes(4096) + bytes(8192)), (0x10000, b"text " * 16384), (0x80000, chance.randbytes(12288))]
regions, data = forms.regions_of(memory)
for name, image in (("lime", forms.lime(memory)), ("avml", forms.avml(memory)), ("elf", forms.elf_of(memory)),
                    ("qemu", forms.qemu(memory)), ("qemu-packed", forms.libvirt_save(forms.qemu(memory, pack=True))),
                    ("vmware", forms.vmware(regions, data))):
    with open(f"{sys.argv[1]}/{name}", "wb") as f:
        f.write(image)
