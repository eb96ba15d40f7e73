// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dump.c - one opened dump, whatever its form: physical memory, virtual memory,
 * VMCOREINFO.
 *
 * A dump without the VMCOREINFO note (QEMU's, when the guest has not told it)
 * still has the text: since Linux 203e9e41219b ("kexec: move vmcoreinfo out of
 * the kernel's .bss section") (v4.13) the kernel keeps it at the start of a
 * page of its own. All pages are searched for it, from the end of memory
 * because the kernel allocates downwards when it boots. A text is believed when
 * the page table that it names maps the kernel where it says.
 */
#include "offline.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_SIZE 4096u

/* A search gives back what it has mapped after each of these. */
#define FORGET_SIZE (16u << 20)

struct dump {
	int fd;
	int file_fd; /* of a flattened dump, else the same as fd */
	struct elfcore *elf;
	struct kdump *kdump;
	struct otst_pagetable *pagetable;
	enum machine machine;
	char *found; /* VMCOREINFO out of memory */
	size_t found_len;
};

static int read_phys(struct dump *d, uint64_t phys, void *buf, uint64_t len)
{
	if (d->elf)
		return elfcore_read(d->elf, phys, buf, len);
	return kdump_file_read(d->kdump, OTST_PHYS, phys, buf, len);
}

static bool next_range(struct dump *d, uint64_t phys, uint64_t *start, uint64_t *end)
{
	if (d->elf)
		return elfcore_next(d->elf, phys, start, end);
	return kdump_file_next(d->kdump, phys, start, end);
}

const char *dump_vmcoreinfo(const struct dump *d, size_t *len)
{
	const char *info = d->elf ? elfcore_vmcoreinfo(d->elf, len) :
				    kdump_file_vmcoreinfo(d->kdump, len);

	if (info)
		return info;
	*len = d->found_len;
	return d->found;
}

/* Xen's memory has tables of its own below those of the kernels: the library knows them. */
static bool is_xen(const struct dump *d)
{
	return d->kdump && d->machine == MACHINE_X86_64 && kdump_file_is_xen(d->kdump);
}

static int open_pagetable(struct dump *d, const char *info, size_t len)
{
	enum machine machine = d->machine;
	uint64_t base;
	bool has_base = d->elf ? elfcore_phys_base(d->elf, &base) :
				 kdump_file_phys_base(d->kdump, &base);
	int err;

	if (machine == MACHINE_UNSAID)
		machine = machine_of_vmcoreinfo(info, len);
	err = pagetable_open(d, machine, info, len, has_base ? &base : NULL, &d->pagetable);
	if (!err)
		d->machine = machine;
	return err;
}

/* ---- VMCOREINFO in memory ---- */

static bool try_page(struct dump *d, uint64_t phys)
{
	char page[PAGE_SIZE];
	size_t len;

	if (read_phys(d, phys, page, sizeof(page)))
		return false;
	len = vmcoreinfo_length(page, sizeof(page));
	if (!len || (!is_xen(d) && open_pagetable(d, page, len)))
		return false;
	d->found = strndup(page, len);
	d->found_len = d->found ? len : 0;
	return d->found;
}

static bool looks_like_vmcoreinfo(struct dump *d, uint64_t phys)
{
	static const char start[] = "OSRELEASE=";
	char peek[sizeof(start) - 1];

	return !read_phys(d, phys, peek, sizeof(peek)) && !memcmp(peek, start, sizeof(peek));
}

/* From the end of [start, end) to its start. */
static bool search_range(struct dump *d, uint64_t start, uint64_t end)
{
	start = (start + PAGE_SIZE - 1) & ~(uint64_t)(PAGE_SIZE - 1);
	end &= ~(uint64_t)(PAGE_SIZE - 1);

	while (end > start) {
		end -= PAGE_SIZE;
		if (looks_like_vmcoreinfo(d, end) && try_page(d, end))
			return true;
		if (d->elf && !(end % FORGET_SIZE))
			elfcore_forget(d->elf);
	}
	return false;
}

struct range {
	uint64_t start;
	uint64_t end;
};

static size_t list_ranges(struct dump *d, struct range **ret)
{
	struct range *list = NULL;
	size_t count = 0, room = 0;
	uint64_t start, end, at = 0;

	while (next_range(d, at, &start, &end)) {
		if (count == room) {
			struct range *more;

			room = room ? room * 2 : 64;
			more = realloc(list, room * sizeof(*list));
			if (!more)
				break;
			list = more;
		}
		list[count++] = (struct range){ start, end };
		at = end;
	}
	*ret = list;
	return count;
}

static bool search_vmcoreinfo(struct dump *d)
{
	struct range *ranges;
	size_t count = list_ranges(d, &ranges);
	bool found = false;

	while (count-- && !found)
		found = search_range(d, ranges[count].start, ranges[count].end);
	free(ranges);
	return found;
}

/* ---- opening ---- */

static int open_form(struct dump *d, enum form form)
{
	char magic[4];
	int err;

	if (form == FORM_FLATTENED) {
		err = flattened_open(d->file_fd, &d->fd);
		if (err)
			return err;
		form = read_fully(d->fd, magic, sizeof(magic), 0) &&
				       !memcmp(magic, ELFMAG, SELFMAG) ?
			       FORM_ELF_CORE :
			       FORM_KDUMP;
	}
	if (form == FORM_ELF_CORE) {
		err = elfcore_open(d->fd, &d->elf);
		if (!err)
			d->machine = elfcore_machine(d->elf);
		return err;
	}
	err = kdump_file_open(d->fd, &d->kdump);
	if (!err)
		d->machine = kdump_file_machine(d->kdump);
	return err;
}

static int open_translation(struct dump *d)
{
	size_t len;
	const char *info = dump_vmcoreinfo(d, &len);

	if (info && !is_xen(d) && !open_pagetable(d, info, len))
		return 0;
	if (!info && search_vmcoreinfo(d)) {
		if (!is_xen(d))
			return 0;
		info = dump_vmcoreinfo(d, &len);
	}
	if (info && is_xen(d))
		return kdump_file_translate(d->kdump, info, len);
	if (!info)
		complain(
			"the dump has no VMCOREINFO, neither as a note nor in memory: no address can be translated");
	else if (d->machine == MACHINE_UNSAID && machine_of_vmcoreinfo(info, len) == MACHINE_UNSAID)
		complain(
			"neither the dump's header nor its VMCOREINFO says of which machine it is; dumps of x86_64 and arm64 can be read");
	else
		complain("the dump's VMCOREINFO does not lead to the kernel's page table");
	return OTST_ERR_CORRUPT;
}

int dump_open(const char *path, struct dump **ret)
{
	enum form form = form_of(path);
	struct dump *d;
	int err;

	if (form_message(form) && form != FORM_OTHER) {
		complain("%s: %s", path, form_message(form));
		return OTST_ERR_UNSUPPORTED;
	}
	d = calloc(1, sizeof(*d));
	if (!d)
		return OTST_ERR_NOMEM;
	d->file_fd = open(path, O_RDONLY | O_CLOEXEC);
	d->fd = d->file_fd;
	if (d->fd < 0) {
		complain("cannot open %s: %s", path, strerror(errno));
		err = OTST_ERR_UNSUPPORTED;
	} else {
		err = open_form(d, form);
	}
	if (!err)
		err = open_translation(d);
	if (err) {
		dump_close(d);
		return err;
	}
	*ret = d;
	return 0;
}

void dump_close(struct dump *d)
{
	if (!d)
		return;
	otst_pagetable_destroy(d->pagetable);
	elfcore_close(d->elf);
	kdump_file_close(d->kdump);
	free(d->found);
	if (d->fd >= 0 && d->fd != d->file_fd)
		close(d->fd);
	if (d->file_fd >= 0)
		close(d->file_fd);
	free(d);
}

int dump_regs(struct dump *d, unsigned int cpu, uint32_t count, uint64_t *ret)
{
	bool found = d->elf ? elfcore_regs(d->elf, cpu, count, ret) :
			      kdump_file_regs(d->kdump, cpu, count, ret);

	return found ? 0 : OTST_ERR_LOOKUP;
}

/* ---- reading ---- */

int dump_read(struct dump *d, int space, uint64_t addr, void *buf, uint64_t len)
{
	if (space == OTST_PHYS)
		return read_phys(d, addr, buf, len);
	if (d->pagetable)
		return otst_pagetable_read(d->pagetable, addr, buf, len);
	if (d->kdump)
		return kdump_file_read(d->kdump, OTST_VIRT, addr, buf, len);
	return OTST_ERR_FAULT;
}
