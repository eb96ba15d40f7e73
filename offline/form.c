// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * form.c - tells a vmlinux, the forms of a dump and other files apart by
 * their first bytes, so that operands can come in any order.
 */
#include "forms.h"
#include "../front/notes.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/**
 * struct magic - bytes at @offset
 * @advice: what to do with a file that is not read as it is
 */
struct magic {
	enum form form;
	size_t offset;
	size_t len;
	const char *bytes;
	const char *advice;
};

#define UNPACK(command) "a compressed file; unpack it first (" command ")"

static const char lkcd[] =
	"a dump of LKCD, which was given up before the first kernel that otst reads; crash reads it";

static const struct magic magics[] = {
	{ FORM_KDUMP, 0, 8, "KDUMP   ", NULL },
	{ FORM_KDUMP, 0, 8, "DISKDUMP", NULL },
	{ FORM_KDUMP, 0, 8, S390_DUMP_MAGIC, NULL },
	{ FORM_SADUMP, 0, 8, SADUMP_MAGIC, NULL },
	{ FORM_SADUMP, 4096, 8, SADUMP_MAGIC, NULL },
	{ FORM_FLATTENED, 0, 12, "makedumpfile", NULL },
	{ FORM_AVML, 0, 4, "AVML", NULL },
	{ FORM_VMWARE, 0, 4, VMWARE_MAGIC, NULL },
	{ FORM_VMWARE, 0, 4, VMWARE_PARTIAL, NULL },
	{ FORM_VMWARE, 0, 4, VMWARE_RESTORED, NULL },
	{ FORM_VMWARE, 0, 4, VMWARE_NO_RESTORE, NULL },
	/* of machines whose sizes have 32 bits */
	{ FORM_VMWARE, 0, 4, "\xd0\xbe\xd0\xbe", NULL },
	{ FORM_VMWARE, 0, 4, "\xd0\xbe\xd2\xbe", NULL },
	{ FORM_QEMU, 0, 4, "QEVM", NULL },
	{ FORM_QEMU, 0, 12, "LibvirtQemud", NULL },
	{ FORM_LIME, 0, 4, "EMiL", NULL },
	{ FORM_LIME, 0, 8, LIME_BIG_ENDIAN, NULL },
	{ FORM_BTF, 0, 8, "\x9f\xeb\x01\0\x18\0\0\0", NULL },
	{ FORM_BTF, 0, 8, "\xeb\x9f\x01\0\0\0\0\x18", NULL },
	{ FORM_PACKED, 0, 2, "\x1f\x8b", UNPACK("gzip -d") },
	{ FORM_PACKED, 0, 6,
	  "\xfd"
	  "7zXZ\0",
	  UNPACK("xz -d") },
	{ FORM_PACKED, 0, 3, "BZh", UNPACK("bzip2 -d") },
	{ FORM_PACKED, 0, 4, "\x28\xb5\x2f\xfd", UNPACK("zstd -d") },
	{ FORM_PACKED, 0, 4, "\x04\x22\x4d\x18", UNPACK("lz4 -d") },
	{ FORM_PACKED, 0, 9, "\x89LZO\0\r\n\x1a\n", UNPACK("lzop -d") },
	/* zlib's header for a window of 2 KiB, which hardly anything else asks for */
	{ FORM_FOREIGN, 0, 2, "\x38\x8d",
	  "an image that LiME compressed with zlib (compress=1); unpack it first: pigz -dc <FILE >NEW" },
	{ FORM_FOREIGN, 0, 4, "QFI\xfb",
	  "a qcow2 disk; if savevm put the memory into it, start it with qemu -S -loadvm NAME, "
	  "and write the memory with dump-guest-memory" },
	{ FORM_FOREIGN, 0, 4, "KDMV",
	  "a disk of VMware; the memory is in the .vmem, .vmss or .vmsn file beside it" },
	{ FORM_FOREIGN, 0, 21, "# Disk DescriptorFile",
	  "a disk of VMware; the memory is in the .vmem, .vmss or .vmsn file beside it" },
	{ FORM_FOREIGN, 0, 10, "\x7fVirtualBo",
	  "a saved state of VirtualBox; resume it, and VBoxManage debugvm NAME dumpvmcore "
	  "--filename FILE writes the memory" },
	{ FORM_FOREIGN, 0, 4, "<<< ",
	  "a disk of VirtualBox; VBoxManage debugvm NAME dumpvmcore --filename FILE writes the "
	  "memory of a running machine" },
	{ FORM_FOREIGN, 0, 8, "vhdxfile", "a disk of Hyper-V; it holds no memory" },
	{ FORM_FOREIGN, 0, 8, "conectix", "a disk of Hyper-V; it holds no memory" },
	{ FORM_FOREIGN, 0, 4, "\x14\x20\x28\x01",
	  "a saved state of Hyper-V (.vmrs); MemProcFS writes its memory as a raw file" },
	{ FORM_FOREIGN, 0, 8, "\xed\x23\x8f\x61\x73\x01\x19\xa8", lkcd },
	{ FORM_FOREIGN, 0, 8, "\xa8\x19\x01\x73\x61\x8f\x23\xed", lkcd },
	{ FORM_FOREIGN, 0, 6, "PAGEDU",
	  "a crash dump in Windows' form; dump the machine as ELF: virsh dump --memory-only --format elf" },
	{ FORM_FOREIGN, 0, 16, "LinuxGuestRecord",
	  "a saved guest of Xen; restore it with xl restore -p, and xl dump-core writes the memory" },
	{ FORM_FOREIGN, 0, 6, "LUKS\xba\xbe",
	  "encrypted with LUKS; open it with cryptsetup, and copy the dump out of it" },
	{ FORM_FOREIGN, 0, 8, "EVF\x09\x0d\x0a\xff\0",
	  "an image of EnCase (EWF); ewfexport -f raw writes a raw file" },
	{ FORM_FOREIGN, 0, 4, "PK\3\4", "a zip archive; unpack it first (unzip)" },
	{ FORM_FOREIGN, 0, 6, "7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first (7z x)" },
	{ FORM_FOREIGN, 257, 5, "ustar", "a tar archive; unpack it first (tar -xf)" },
	{ FORM_FOREIGN, 512, 8, "EFI PART",
	  "the image of a disk; mount it, and copy the dump out of it" },
	{ FORM_FOREIGN, 4086, 10, "SWAPSPACE2", "a swap area; it holds no dump" },
	{ FORM_FOREIGN, 4086, 9, "S1SUSPEND",
	  "a swap area with a hibernated system, which is not read; resume it, and dump it then" },
};

/* Raw memory has no magic, but it has zeros, though not in each page, and is not small. */
#define RAW_LEAST  (1 << 20)
#define RAW_PLACES 8

#define PHNUM_AT offsetof(Elf64_Ehdr, e_phnum)

static enum form elf_form(const unsigned char *head, const char *path)
{
	unsigned int type = head[EI_DATA] == ELFDATA2MSB ? head[16] << 8 | head[17] :
							   head[17] << 8 | head[16];

	if (type == ET_CORE)
		return head[PHNUM_AT] || head[PHNUM_AT + 1] ? FORM_ELF_CORE : FORM_XEN_CORE;
	/* programs and libraries have these types, too */
	if (type == ET_EXEC || type == ET_DYN)
		return otst_path_problem(path) ? FORM_OTHER : FORM_VMLINUX;
	return FORM_OTHER;
}

static bool is_raw(int fd, off_t size)
{
	unsigned char page[4096];
	bool zeros = false;

	for (int i = 0; size >= RAW_LEAST && !zeros && i < RAW_PLACES; i++) {
		ssize_t got = pread(fd, page, sizeof(page), size / RAW_PLACES * i);

		zeros = got > 0 && memchr(page, 0, (size_t)got);
	}
	return zeros;
}

static enum form form_of_fd(int fd, const char *path, off_t size, const char **advice)
{
	unsigned char head[4096 + 8] = { 0 };
	ssize_t got = pread(fd, head, sizeof(head), 0);

	if (got <= 0)
		return FORM_OTHER;
	if (!memcmp(head, ELFMAG, SELFMAG))
		return elf_form(head, path);
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		if (memcmp(head + magics[i].offset, magics[i].bytes, magics[i].len) != 0 ||
		    (magics[i].form == FORM_PACKED && !otst_path_problem(path)))
			continue;
		*advice = magics[i].advice;
		return magics[i].form == FORM_KDUMP && dump_is_part(fd) ? FORM_PART :
									  magics[i].form;
	}
	if (!otst_path_problem(path))
		return FORM_VMLINUX;
	return is_raw(fd, size) ? FORM_RAW : FORM_OTHER;
}

enum form form_of(const char *path, const char **advice)
{
	enum form form = FORM_NONE;
	struct stat st;
	int fd;

	*advice = NULL;
	/* live_open() reports why it cannot be opened */
	if (live_is_path(path))
		return FORM_ELF_CORE;
	/* Opening a FIFO would wait for its other end. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return FORM_NONE;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		form = form_of_fd(fd, path, st.st_size, advice);
	close(fd);
	return form;
}
