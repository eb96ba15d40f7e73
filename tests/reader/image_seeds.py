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
cpus = [dict.fromkeys(forms.REGISTERS, 0x1122334455667788 + i) for i in range(2)]
for regs in cpus:
    regs.update(cs=0x10, ss=0x18, ds=0, es=0, fs=0, gs=0)
loader = forms.boot_params_of([(0, 0x9F000, 1), (0x100000, 0xBFE00000, 1), (0xBFF00000, 0x100000, 2), (1 << 32, 1 << 20, 1)])
iomem = b"00000000-00000fff : Reserved\n00001000-0000ffff : System RAM\n  00002000-00002fff : Kernel code\n"
twice = memory + [(0x11000, b"text " * 4096)]
for name, image in (("lime", forms.lime(memory)), ("avml", forms.avml(memory)), ("elf", forms.elf_of(memory)),
                    ("lime-twice", forms.lime(twice)), ("avml-twice", forms.avml(twice)), ("elf-twice", forms.elf_of(twice)),
                    ("qemu", forms.qemu(memory)), ("qemu-packed", forms.libvirt_save(forms.qemu(memory, pack=True))),
                    ("qemu-cpus", forms.qemu([memory[0]], devices=forms.qemu_devices(cpus))),
                    ("vmware", forms.vmware(regions, data)), ("vmware-cpus", forms.vmware(regions, data, cpus=cpus)), ("vbox", forms.vbox(memory, cpus)),
                    ("xen", forms.xen(memory, cpus)), ("sadump", forms.sadump(memory, cpus)),
                    ("sadump-media", forms.sadump(memory, cpus, media=True)), ("kdump", forms.kdump(memory)),
                    ("kdump-part", forms.kdump(memory, part=(4, 0x82))), ("raw", bytes(4096) + loader + bytes(8192)),
                    ("map", iomem), ("map-offsets", b"# start end offset\n1000 2000 0\n0x2000 0x5000 3000\n")):
    with open(f"{sys.argv[1]}/{name}", "wb") as f:
        f.write(image)
