# SPDX-License-Identifier: GPL-2.0-or-later
"""The memory of an ELF dump in the forms in which other tools write it, from what is public of
these forms. Memory is a list of (physical address, bytes), ascending, without overlaps."""
import ctypes
import functools
import json
import re
import struct
import zlib

PT_LOAD, PT_NOTE = 1, 4
PAGE = 4096


def order_of(elf):
    return "<" if elf[5] == 1 else ">"


def headers(elf):
    order = order_of(elf)
    at, = struct.unpack_from(order + "Q", elf, 32)
    count, = struct.unpack_from(order + "H", elf, 56)
    return [(at + 56 * i, *struct.unpack_from(order + "IIQQQQ", elf, at + 56 * i)) for i in range(count)]


def memory_of(elf):
    """/proc/vmcore has the kernel's image twice"""
    parts = sorted((phys, -size, offset) for _, kind, _, offset, _, phys, size in headers(elf) if kind == PT_LOAD)
    found, covered = [], 0
    for phys, size, offset in parts:
        skip = max(covered - phys, 0)
        if -size <= skip:
            continue
        covered = phys - size
        found.append((phys + skip, bytes(elf[offset + skip:offset - size])))
    return found


def without_notes(elf):
    """The ELF dump with what a memory image has, too: without registers and VMCOREINFO's note"""
    elf = bytearray(elf)
    for at, kind, *_ in headers(elf):
        if kind == PT_NOTE:
            struct.pack_into(order_of(elf) + "I", elf, at, 0)
    return elf


# ---- LiME, lime.ko's format=lime: README of LiME, "Spec" ----

def lime_header(magic, version, start, size, order="<"):
    return struct.pack(order + "IIQQQ", magic, version, start, start + size - 1, 0)


def lime(memory, order="<"):
    """@order: that of the machine. AVML's is little-endian."""
    return b"".join(lime_header(0x4C694D45, 1, start, len(data), order) + data for start, data in memory)


def zlib_of_lime(image):
    """compress=1: DEFLATE_WBITS, DEFLATE_MEMLEVEL of its deflate.c"""
    pack = zlib.compressobj(-1, zlib.DEFLATED, 11, 5)
    return pack.compress(image) + pack.flush()


def blocks_of_avml(memory):
    """at most 16 MiB each, without those that are zero: src/image.rs of AVML"""
    for start, data in memory:
        for at in range(0, len(data), 16 << 20):
            block = data[at:at + (16 << 20)]
            if block.count(0) != len(block):
                yield start + at, block


# ---- raw: the address is the offset, and the file may leave out a hole below 4 GiB ----

def padded(memory):
    end = memory[-1][0] + len(memory[-1][1])
    image = bytearray(end)
    for start, data in memory:
        image[start:start + len(data)] = data
    return image


def filled(memory):
    """Memory that is not in the dump is zero, from the GiB on where it begins"""
    low = padded([part for part in memory if part[0] < 1 << 32])
    begin = memory[0][0] & -(1 << 30)
    return [(begin, bytes(memoryview(low)[begin:]))] + [part for part in memory if part[0] >= 1 << 32]


def without_hole(memory, hole):
    """what lies above 4 GiB follows the memory below @hole"""
    low = [part for part in memory if part[0] < 1 << 32]
    return low + [(start - (1 << 32) + hole, data) for start, data in memory if start >= 1 << 32]


def write_sparse(path, memory):
    """without pages of zeros"""
    with open(path, "wb") as f:
        f.truncate(memory[-1][0] + len(memory[-1][1]))
        for start, data in memory:
            for at in range(0, len(data), PAGE):
                page = data[at:at + PAGE]
                if page.count(0) != len(page):
                    f.seek(start + at)
                    f.write(page)
    return path


# ---- a machine of x86_64 with memory above 4 GiB ----

HOLE = 0xC0000000


class Flat:
    """Memory as one piece that can be changed"""

    def __init__(self, memory):
        self.memory = memory
        self.bytes = padded(memory)

    def word(self, at):
        return int.from_bytes(self.bytes[at:at + 8], "little")

    def put(self, at, data):
        self.bytes[at:at + len(data)] = data

    def parts(self):
        return [(start, bytes(self.bytes[start:start + len(data)])) for start, data in self.memory]


def vmcoreinfo_at(memory):
    """not the kernel's format string"""
    return re.search(rb"OSRELEASE=\d", memory).start()


def fact(flat, key):
    at = flat.bytes.index(b"\n" + key + b"=", vmcoreinfo_at(flat.bytes)) + len(key) + 2
    return flat.bytes[at:flat.bytes.index(b"\n", at)].decode()


def boot_params(flat):
    """struct boot_params: setup_header.header, e820_entries"""
    at = flat.bytes.index(b"HdrS")
    while not 0 < flat.bytes[at - 0x202 + 0x1E8] < 128 or flat.word(at - 0x202 + 0x2D0) >= 1 << 20:
        at = flat.bytes.index(b"HdrS", at + 1)
    return at - 0x202


def leaves(flat, table, level, virt, first, last):
    """page table entries, (where, virtual address), of 4 KiB pages from @first to @last"""
    for i in range(512):
        entry = flat.word(table + 8 * i)
        here = virt | i << (12 + 9 * level)
        if not entry & 1 or here > last or here + (1 << (12 + 9 * level)) <= first:
            continue
        if not level:
            yield table + 8 * i
        elif not entry & 0x80:
            yield from leaves(flat, entry & 0xFFFFFFFFFF000, level - 1, here, first, last)


def with_high_memory(memory):
    """The pages of modules move to 4 GiB and up; the boot loader's table says that there is memory."""
    flat = Flat(memory)
    base = int(fact(flat, b"NUMBER(phys_base)"))
    root = int(fact(flat, b"SYMBOL(swapper_pg_dir)"), 16) - 0xFFFFFFFF80000000 + base
    moved = []
    for entry in leaves(flat, root, 3, 0xFFFF << 48, 0xFFFFFFFFC0000000, 0xFFFFFFFFFEFFFFFF):
        value = flat.word(entry)
        page = value & 0xFFFFFFFFFF000
        if page + PAGE > len(flat.bytes) or page >= 1 << 32:
            continue
        to = (1 << 32) + PAGE * len(moved)
        moved.append((page, bytes(flat.bytes[page:page + PAGE])))
        flat.put(entry, (value & ~0xFFFFFFFFFF000 | to).to_bytes(8, "little"))
    for page, _ in moved:
        flat.put(page, bytes(PAGE))
    params = boot_params(flat)
    count = flat.bytes[params + 0x1E8]
    table = params + 0x2D0
    last = max(range(count), key=lambda i: (flat.word(table + 20 * i + 16) & 0xFFFFFFFF == 1, flat.word(table + 20 * i)))
    flat.put(table + 20 * last + 8, (HOLE - (1 << 20) - flat.word(table + 20 * last)).to_bytes(8, "little"))
    flat.put(table + 20 * count, struct.pack("<QQI", 1 << 32, PAGE * len(moved), 1))
    flat.put(params + 0x1E8, bytes([count + 1]))
    return flat.parts() + [(1 << 32, b"".join(data for _, data in moved))]


def elf_of(memory, order="<", times=1):
    """An ELF dump without notes; @times: so many headers lead to the same bytes"""
    at = 64 + 56 * len(memory) * times
    head = b"\x7fELF\2" + (b"\1\1" if order == "<" else b"\2\1") + bytes(9)
    head += struct.pack(order + "HHIQQQIHHHHHH", 4, 62 if order == "<" else 22, 1, 0, 64, 0, 0, 64, 56, len(memory) * times, 0, 0, 0)
    for start, data in memory:
        head += struct.pack(order + "IIQQQQQQ", PT_LOAD, 7, at, 0, start, len(data), len(data), 0) * times
        at += len(data)
    return head + b"".join(data for _, data in memory)


# ---- AVML: src/image.rs and src/io/snappy.rs of AVML, framing_format.txt of snappy ----

def pack_literally(data):
    """snappy without compression: format_description.txt, 61 << 2 is a literal with 2 bytes of length"""
    size, length = b"", len(data)
    while length >= 0x80:
        size, length = size + bytes([length & 0x7F | 0x80]), length >> 7
    return size + bytes([length]) + b"\xf4" + (len(data) - 1).to_bytes(2, "little") + data


def packer():
    """what packs a block: the library, which otst needs anyway"""
    try:
        library = ctypes.CDLL("libsnappy.so.1")
    except OSError:
        return pack_literally
    room = ctypes.create_string_buffer(1 << 17)

    def pack(data):
        size = ctypes.c_size_t(len(room))
        assert not library.snappy_compress(data, ctypes.c_size_t(len(data)), room, ctypes.byref(size))
        return room.raw[:size.value]
    return pack


def crc32c_table():
    """what 16 bits become: of CRC-32C's polynomial, RFC 3720, reversed"""
    table = []
    for crc in range(1 << 16):
        for _ in range(16):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


CRC32C = []


@functools.lru_cache(1024)
def checksum(data):
    """framing_format.txt, "3. Checksums": CRC-32C, masked"""
    CRC32C.extend(crc32c_table() if not CRC32C else ())
    crc = 0xFFFFFFFF
    for two, in struct.iter_unpack("<H", data[:len(data) & ~1]):
        crc = crc >> 16 ^ CRC32C[(crc ^ two) & 0xFFFF]
    if len(data) & 1:
        crc ^= data[-1]
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8 & 0xFFFFFFFF).to_bytes(4, "little")


def chunk(kind, data, crc):
    return bytes([kind]) + (len(data) + 4).to_bytes(3, "little") + crc + data


def flip(data, places):
    data = bytearray(data)
    for at in places:
        data[at] ^= 1
    return bytes(data)


def avml(memory, pack=packer(), wrong=()):
    """@wrong: addresses of bytes that are not what the checksums are of"""
    image = []
    for start, data in blocks_of_avml(memory):
        stream = [b"\xff\6\0\0sNaPpY"]
        for at in range(0, len(data), 65536):
            plain = data[at:at + 65536]
            crc = checksum(plain)
            plain = flip(plain, [byte - start - at for byte in wrong if 0 <= byte - start - at < len(plain)])
            packed = pack(plain)
            stream.append(chunk(0, packed, crc) if len(packed) < len(plain) * 7 // 8 else chunk(1, plain, crc))
        stream = b"".join(stream)
        image += [lime_header(0x4C4D5641, 2, start, len(data)), stream, struct.pack("<Q", len(stream))]
    return b"".join(image)


# ---- QEMU: migration/savevm.c, ram.c; libvirt: src/qemu/qemu_saveimage.h ----

FILL, SIZES, PLAIN, END, SAME, DIFFERENT, PACKED = 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x100


def name(text):
    return bytes([len(text)]) + text.encode()


def subsection(text, data):
    return b"\5" + name("configuration/" + text) + struct.pack(">I", 1) + data


def section(kind, number, data, start=b""):
    return bytes([kind]) + struct.pack(">I", number) + start + data + b"\x7e" + struct.pack(">I", number)


def qemu_page(block, offset, page, before, pack):
    """one page as the stream has it; @before: the block of the page before"""
    same, of = (SAME, b"") if block == before else (0, name(block))
    if page.count(page[:1]) == len(page):
        return struct.pack(">Q", offset | FILL | same) + of + page[:1]
    if pack:
        packed = zlib.compress(page)
        return struct.pack(">Q", offset | PACKED | same) + of + struct.pack(">I", len(packed)) + packed
    return struct.pack(">Q", offset | PLAIN | same) + of + page


# hw/core/cpu, target/i386/cpu.h: the order of env.regs and env.segs
QEMU_REGS = "ax cx dx bx sp bp si di r8 r9 r10 r11 r12 r13 r14 r15".split()
QEMU_SEGMENTS = "es cs ss ds fs gs".split()
SEGMENT = {"vmsd_name": "segment", "version": 1, "fields": [
    {"name": "selector", "type": "uint32", "size": 4}, {"name": "base", "type": "uint64", "size": 8},
    {"name": "limit", "type": "uint32", "size": 4}, {"name": "flags", "type": "uint32", "size": 4}]}
# vmstate_x86_cpu, with a field before and one among those that are wanted, as another release may have it
CPU_FIELDS = [
    {"name": "env.before", "array_len": 3, "type": "uint16", "size": 2},
    {"name": "env.regs", "array_len": 16, "type": "uint64", "size": 8}, {"name": "env.eip", "type": "uint64", "size": 8},
    {"name": "env.eflags", "type": "uint64", "size": 8}, {"name": "env.hflags", "type": "uint32", "size": 4},
    {"name": "a \"quoted\" ] }", "type": "struct", "struct": {"fields": [{"name": "env.regs", "size": 1}]}, "size": 10},
    {"name": "env.segs", "array_len": 6, "type": "struct", "struct": SEGMENT, "size": 20},
    {"name": "env.ldt", "type": "struct", "struct": SEGMENT, "size": 20}]


def qemu_cpu(regs):
    segments = b"".join(struct.pack(">IQII", regs[segment], 0, 0, 0) for segment in QEMU_SEGMENTS)
    return (bytes(6) + struct.pack(">16Q", *(regs[reg] for reg in QEMU_REGS)) +
            struct.pack(">QQI", regs["ip"], regs["flags"], 0) + bytes(10) + segments + bytes(20))


def qemu_devices(cpus, fields=None, first=0):
    """what follows the memory: a section for each cpu, and the text that says what is in it"""
    out, text = b"", {"page_size": 4096, "devices": [{"name": "timer", "instance_id": 0, "fields": [{"name": "cpu", "size": 1}]}]}
    for i, regs in enumerate(cpus):
        out += section(4, 10 + 2 * i, bytes(7), name("cpu_common") + struct.pack(">II", first + i, 1))
        out += section(4, 11 + 2 * i, qemu_cpu(regs), name("cpu") + struct.pack(">II", first + i, 12))
        text["devices"] += [{"name": "cpu_common", "instance_id": first + i, "fields": []},
                            {"name": "cpu", "instance_id": first + i, "vmsd_name": "cpu", "version": 12,
                             "fields": CPU_FIELDS if fields is None else fields, "subsections": [{"fields": [{"name": "x"}]}]}]
    text = json.dumps(text).encode()
    return out + b"\0\6" + struct.pack(">I", len(text)) + text


def qemu(memory, machine="pc-i440fx-7.2", block="pc.ram", base=0, pack=False, twice=True, devices=b"\0"):
    """The memory in two parts: in the first some pages are not in their last state. A section
    of a device that is migrated in parts as well stands between them."""
    size = max(start + len(data) for start, data in memory) - base
    size += -size % PAGE
    pages = {start - base + at: data[at:at + PAGE] for start, data in memory for at in range(0, len(data), PAGE)}
    sizes = name("pc.bios") + struct.pack(">Q", 0x40000) + name(block) + struct.pack(">Q", size)
    ram = name("ram") + struct.pack(">II", 0, 4)
    other = name("spapr/htab") + struct.pack(">II", 0, 1)
    first, last = [], []
    for i, (offset, page) in enumerate(sorted(pages.items())):
        before = block if first else "pc.bios"
        if twice and i % 7 == 3:
            first.append(qemu_page(block, offset, bytes([i & 0xFF]) * 100 + page[100:], before, pack))
            last.append(qemu_page(block, offset, page, block, pack))
        else:
            first.append(qemu_page(block, offset, page, before, pack))
    end = struct.pack(">Q", END)
    config = struct.pack(">I", len(machine)) + machine.encode() + subsection("target-page-bits", struct.pack(">I", 12))
    config += subsection("capabilities", struct.pack(">I", 1) + name("x-ignore-shared")) + subsection("uuid", bytes(16))
    return b"".join((
        b"QEVM" + struct.pack(">I", 3) + b"\7" + config,
        section(1, 2, struct.pack(">Q", size + 0x40000 | SIZES) + sizes + end, ram),
        section(1, 3, bytes(4), other), b"\x08" + struct.pack(">HH", 1, 3) + b"abc",
        section(2, 2, qemu_page("pc.bios", 0, b"bios" * 1024, "", False) + b"".join(first) + end),
        section(2, 3, b"\x7e\0\0\0\1" * 3), section(3, 2, b"".join(last) + end),
        section(4, 4, bytes(100), name("timer") + struct.pack(">II", 0, 2)), devices))


def libvirt_save(stream, packed=0, magic=b"LibvirtQemudSave"):
    text = b"<domain type='kvm'/>\0"
    return magic + struct.pack("<IIIII", 2, len(text), 1, packed, 0) + bytes(56) + text + stream


# ---- VMware: vmware_vmss.h of crash ----

def tag(text, value, *indices):
    head = bytes([len(indices) << 6 | len(value), len(text)]) + text.encode()
    return head + struct.pack(f"<{len(indices)}I", *indices) + value


def block(text, data, padding, kind=0x3F):
    return bytes([kind, len(text)]) + text.encode() + struct.pack("<QQH", len(data), len(data), padding) + bytes(padding) + data


def vmware_cpu(regs, i):
    """the first cpu's registers one by one, the others' in a block"""
    order = "ax cx dx bx bp sp si di".split()
    names = [(reg, f"r{reg}") for reg in order] + [(f"r{n}", f"r{n}") for n in range(8, 16)]
    if i:
        data = struct.pack("<16Q", *(regs[reg] for reg, _ in names))
        out = b"\x7f\x06gpregs" + struct.pack("<IQQH", i, len(data), len(data), 5) + bytes(5) + data
    else:
        out = b"".join(tag(text, struct.pack("<Q", regs[reg]), i) for reg, text in names)
    return out + tag("rip", struct.pack("<Q", regs["ip"]), i) + tag("eflags", struct.pack("<I", regs["flags"] & 0xFFFFFFFF), i)


def vmware(regions, data=None, magic=0xBED2BED2, kind=0x3F, cpus=None):
    """@regions: (page, page in the file, pages); @data: memory that is in the state itself"""
    memory = tag("align_mask", struct.pack("<I", 0xFFFF)) + tag("regionsCount", struct.pack("<I", len(regions)))
    for i, region in enumerate(regions):
        for text, value in zip(("regionPPN", "regionPageNum", "regionSize"), region):
            memory += tag(text, struct.pack("<I", value), i)
    if data is not None:
        memory += block("Memory", data, 77, kind)
    memory += bytes(2)
    if cpus is None:
        cpu = tag("cpu:numVCPUs", struct.pack("<I", 2)) + block("gpregs", bytes(128), 3) + bytes(2)
    else:
        cpu = tag("cpu:numVCPUs", struct.pack("<I", len(cpus))) + b"".join(map(vmware_cpu, cpus, range(len(cpus)))) + bytes(2)
    at, head = 12 + 2 * 80, struct.pack("<III", magic, 8, 2)
    for text, group in (("cpu", cpu), ("memory", memory)):
        head += text.encode().ljust(64, b"\0") + struct.pack("<QQ", at, len(group))
        at += len(group)
    return head + cpu + memory


def regions_of(memory):
    """the same, and the file"""
    found, data, at = [], [], 0
    for start, part in memory:
        found.append((start // PAGE, at, len(part) // PAGE))
        data.append(part)
        at += len(part) // PAGE
    return found, b"".join(data)


# ---- registers: struct user_regs_struct of x86_64, as in NT_PRSTATUS ----

REGISTERS = ("r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs flags sp ss "
             "fs_base gs_base ds es fs gs").split()


def notes(elf):
    """(where it is, name, type, bytes)"""
    for _, kind, _, offset, _, _, size in headers(elf):
        at, end = offset, offset + size
        while kind == PT_NOTE and at < end:
            name_size, size, number = struct.unpack_from("<III", elf, at)
            start = at + 12 + (name_size + 3) // 4 * 4
            yield at, bytes(elf[at + 12:at + 12 + name_size]), number, bytes(elf[start:start + size])
            at = start + (size + 3) // 4 * 4


def registers_of(elf):
    return [dict(zip(REGISTERS, struct.unpack_from("<27Q", data, 112)))
            for _, name, number, data in notes(elf) if name == b"CORE\0" and number == 1]


def without_vmcoreinfo(elf):
    """The ELF dump with the notes of a virtual machine monitor: the registers alone"""
    elf = bytearray(elf)
    for at, name, *_ in notes(elf):
        if name == b"VMCOREINFO\0":
            elf[at + 12:at + 12 + len(name)] = b"NOTHING".ljust(len(name), b"\0")
    return elf


# ---- VirtualBox's dumpvmcore: VMM/VMMR3/DBGFCoreWrite.cpp, include/VBox/vmm/dbgfcorefmt.h ----

def vbox_note(text, number, data):
    """the length of the name is without its NUL, and all is padded to 8 bytes"""
    assert not len(data) % 8
    return struct.pack("<III", len(text), len(data), number) + text.encode().ljust(8, b"\0") + data


def vbox_selector(value):
    return struct.pack("<QIIHHI", 0, 0xFFFFFFFF, 0xA09B, value, 0, 0)


def vbox_cpu(regs):
    data = struct.pack("<18Q", *(regs[r] for r in "ax bx cx dx si di r8 r9 r10 r11 r12 r13 r14 r15 ip sp bp flags".split()))
    data += b"".join(vbox_selector(regs[r]) for r in "cs ds es fs gs ss".split())
    # cr0 to cr4, dr0 to dr7, gdtr, idtr, ldtr, tr, sysenter, 9 MSRs, xcr0, xcr1, size of what follows
    return data + bytes(4 * 8 + 8 * 8 + 2 * 16 + 2 * 24 + 3 * 8 + 9 * 8 + 2 * 8) + struct.pack("<II", 832, 0) + bytes(832)


def vbox(memory, cpus, version=0x10006, magic=0xC01AC0DE):
    core = vbox_note("VBCORE", 0xB00, struct.pack("<IIIIII", magic, version, 24, 7 << 24, 160000, len(cpus)))
    core += b"".join(vbox_note("VBCPU", 0xB01, vbox_cpu(regs)) for regs in cpus)
    # the last range is one of a device, which is not in the file
    ranges = [(start, len(data), len(data)) for start, data in memory] + [(0xF0000000, 0, 0x1000000)]
    at = 64 + 56 * (1 + len(ranges))
    head = b"\x7fELF\2\1" + bytes(10)
    head += struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 1 + len(ranges), 64, 0, 0)
    head += struct.pack("<IIQQQQQQ", PT_NOTE, 4, at, 0, 0, len(core), len(core), 0)
    at += len(core)
    for start, size, room in ranges:
        head += struct.pack("<IIQQQQQQ", PT_LOAD, 4, at, 0, start, size, room, 0)
        at += size
    return head + core + b"".join(data for _, data in memory)


# ---- Xen's xl dump-core: docs/misc/dump-core-format.txt, tools/libs/guest/xg_core.c ----

def xen_context(regs):
    """struct vcpu_guest_context: what of it precedes user_regs, and its size"""
    data = bytes(520) + struct.pack("<15Q", *(regs[r] for r in REGISTERS[:15])) + bytes(8)
    data += struct.pack("<QQQQQ", regs["ip"], regs["cs"] | 1 << 32, regs["flags"], regs["sp"], regs["ss"])
    return data.ljust(5168, b"\0")


def xen(memory, cpus, table=".xen_pfn", lost=3):
    """@lost: pages that the guest gave back while it was dumped"""
    pages = [(start // PAGE + i, data[PAGE * i:PAGE * (i + 1)]) for start, data in memory for i in range(len(data) // PAGE)]
    numbers = [number for number, _ in pages] + [(1 << 64) - 1] * lost
    if table == ".xen_p2m":
        numbers = [n for number in numbers for n in (number, (number + 0x1000) % (1 << 64))]
    note = b"".join(struct.pack("<III4s", 4, len(data), number, b"Xen") + data for number, data in (
        (0x2000000, b""), (0x2000001, struct.pack("<QQQQ", 0xF00FEBEE, len(cpus), len(pages) + lost, PAGE)),
        (0x2000002, bytes(1276)), (0x2000003, struct.pack("<Q", 1))))
    texts = ("", ".shstrtab", ".note.Xen", ".xen_prstatus", ".xen_shared_info", ".xen_pages", table)
    strings = b"\0" + b"".join(text.encode() + b"\0" for text in texts[1:])
    at = 64 + 64 * len(texts)
    before = note + b"".join(xen_context(regs) for regs in cpus) + bytes(PAGE)
    gap = -(at + len(before)) % PAGE
    sizes = {".note.Xen": len(note), ".xen_prstatus": 5168 * len(cpus), ".xen_shared_info": PAGE,
             ".xen_pages": PAGE * (len(pages) + lost), table: 8 * len(numbers), ".shstrtab": len(strings)}
    places = {}
    for text in (".note.Xen", ".xen_prstatus", ".xen_shared_info", ".xen_pages", table, ".shstrtab"):
        at += gap if text == ".xen_pages" else 0
        places[text], at = at, at + sizes[text]
    head = b"\x7fELF\2\1\1\0\1" + bytes(7) + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 0, 64, 0, 64, 56, 0, 64, len(texts), 1)
    head += bytes(64)
    for text in texts[1:]:
        kind = {".shstrtab": 3, ".note.Xen": 7}.get(text, 1)
        head += struct.pack("<IIQQQQIIQQ", strings.index(text.encode() + b"\0"), kind, 0, 0, places[text], sizes[text], 0, 0, 0, 0)
    return b"".join((head, before, bytes(gap), *(data for _, data in pages), bytes(PAGE * lost),
                     struct.pack(f"<{len(numbers)}Q", *numbers), strings))


# ---- sadump: sadump_mod.h of makedumpfile and crash; a bitmap's first page is its highest bit ----

SIGNATURE = b"sadump\0\0"


def sadump_part(disk=0):
    """struct sadump_part_header: what follows its signature, its disk, the end with its magic numbers"""
    head = SIGNATURE + struct.pack("<IIII", 1, 60, 0, 0) + bytes(64) + b"system".ljust(16) + b"set".ljust(16) + b"volume".ljust(16)
    head += struct.pack("<HBBBBBBIhBB", 2026, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0) + struct.pack("<IIQ", disk, 0, 1 << 30)
    magic = 12345
    while len(head) < PAGE:
        head += struct.pack("<I", magic)
        magic = (magic + 7) * 11 & 0xFFFFFFFF
    return head


def sadump_cpu(regs):
    """struct sadump_smram_cpu_state"""
    data = bytearray(1024)
    struct.pack_into("<16Q", data, 796, *(regs[r] for r in "r15 r14 r13 r12 r11 r10 r9 r8 ax cx dx bx sp bp si di".split()))
    struct.pack_into("<6I", data, 936, *(regs[r] for r in "es cs ss ds fs gs".split()))
    struct.pack_into("<5Q", data, 968, 0, 0, regs["ip"], 0xD01, regs["flags"])
    return bytes(data)


def sadump(memory, cpus, version=1, media=False, disk=0):
    end = max(start + len(data) for start, data in memory) // PAGE
    blocks = -(-end // (8 * PAGE))
    dumped = bytearray(blocks * PAGE)
    for start, data in memory:
        for pfn in range(start // PAGE, (start + len(data)) // PAGE):
            dumped[pfn // 8] |= 0x80 >> pfn % 8
    states = b"".join(sadump_cpu(regs) for regs in cpus)
    sub = struct.pack("<I", len(states)) + bytes(16 * len(cpus)) + states
    sub += bytes(-len(sub) % PAGE)
    head = SIGNATURE + struct.pack("<II", version, 0) + bytes(16)
    head += struct.pack("<IIIIIIIIIIIII", 0, 0, PAGE, 0, len(sub) // PAGE, blocks, blocks, 0 if version else end, 0, 0, 0, 0, len(cpus))
    head += bytes(4) + struct.pack("<QQQQ", end if version else 0, 0, 0, 0)
    before = b"system".ljust(16) + b"set".ljust(16) + bytes(20) if media else b""
    return b"".join((before.ljust(PAGE if media else 0, b"\0"), sadump_part(disk), head.ljust(PAGE, b"\0"), sub,
                     b"\xff" * (blocks * PAGE), dumped, *(data for _, data in memory)))


# ---- makedumpfile's compressed form: diskdump_mod.h ----

def kdump(memory, version=6, notes_of=b"", part=None):
    """@part: (first page, end) of one of the files that --split makes"""
    pages = {start // PAGE + i: data[PAGE * i:PAGE * (i + 1)] for start, data in memory for i in range(len(data) // PAGE)}
    end = max(pages) + 1
    bits = bytearray(-(-end // (8 * PAGE)) * PAGE)
    for pfn in pages:
        bits[pfn // 8] |= 1 << pfn % 8
    first, last = part or (0, end)
    head = b"KDUMP   " + struct.pack("<I", version) + b"".join(t.ljust(65, b"\0") for t in (
        b"Linux", b"lab", b"6.1.0", b"#1", b"x86_64", b"")) + bytes(6 + 16)
    head += struct.pack("<IIIIIIIIIi", 1, PAGE, 1, 2 * len(bits) // PAGE, end, 0, 0, 0, 0, 1)
    sub = struct.pack("<QiiQQQQQQQQ", 0, 31, part is not None, first, last, 0, 0, PAGE + 104, len(notes_of), 0, 0)
    sub += struct.pack("<QQQ", first, last, end) + notes_of
    at = PAGE * 2 + 2 * len(bits) + 24 * len([pfn for pfn in pages if first <= pfn < last])
    table, data = [], []
    for pfn in sorted(pfn for pfn in pages if first <= pfn < last):
        packed = zlib.compress(pages[pfn])
        small = len(packed) < PAGE
        data.append(packed if small else pages[pfn])
        table.append(struct.pack("<QIIQ", at, len(data[-1]), int(small), 0))
        at += len(data[-1])
    return b"".join((head.ljust(PAGE, b"\0"), sub.ljust(PAGE, b"\0"), bits, bits, *table, *data))


# ---- struct boot_params: what a boot loader says of memory ----

def boot_params_of(ranges):
    page = bytearray(PAGE)
    page[0x1E8] = len(ranges)
    page[0x202:0x206] = b"HdrS"
    for i, (start, size, kind) in enumerate(ranges):
        struct.pack_into("<QQI", page, 0x2D0 + 20 * i, start, size, kind)
    return bytes(page)
