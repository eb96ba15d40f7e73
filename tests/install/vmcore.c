// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vmcore.c - a program of somebody else: it knows nothing but <otst.h>, reads an ELF vmcore
 * with virtual addresses in its program headers by itself, and has libotst do the rest.
 *
 *	vmcore VMCORE OPTION ..    runs "otst OPTION .."
 */
#include <elf.h>
#include <otst.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vmcore {
	FILE *file;
	Elf64_Phdr *headers;
	unsigned int count;
	char *notes;
	uint64_t notes_size;
};

static int read_at(struct vmcore *v, uint64_t offset, void *buf, uint64_t len)
{
	return !fseek(v->file, (long)offset, SEEK_SET) && fread(buf, 1, len, v->file) == len ?
		       0 :
		       OTST_ERR_FAULT;
}

/* the engine walks the page tables for virtual addresses that no header has */
static int vmcore_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct vmcore *v = priv;

	for (unsigned int i = 0; i < v->count; i++) {
		const Elf64_Phdr *h = &v->headers[i];
		uint64_t at = addr - (space == OTST_PHYS ? h->p_paddr : h->p_vaddr);

		if (h->p_type == PT_LOAD && at < h->p_filesz && len <= h->p_filesz - at)
			return read_at(v, h->p_offset + at, buf, len);
	}
	return space == OTST_PHYS ? OTST_ERR_FAULT : OTST_ERR_UNSUPPORTED;
}

static int vmcore_info(void *priv, const char **ret, uint64_t *len)
{
	struct vmcore *v = priv;
	uint64_t at = 0;

	while (at + sizeof(Elf64_Nhdr) <= v->notes_size) {
		const Elf64_Nhdr *n = (const Elf64_Nhdr *)(v->notes + at);
		uint64_t body = at + sizeof(*n) + ((n->n_namesz + 3) & ~3u);

		if (!strcmp((const char *)(n + 1), "VMCOREINFO")) {
			*ret = v->notes + body;
			*len = n->n_descsz;
			return 0;
		}
		at = body + ((n->n_descsz + 3) & ~3u);
	}
	return OTST_ERR_LOOKUP;
}

static int vmcore_open(const char *path, struct vmcore *v)
{
	Elf64_Ehdr ehdr;

	v->file = fopen(path, "r");
	if (!v->file || read_at(v, 0, &ehdr, sizeof(ehdr)))
		return -1;
	v->count = ehdr.e_phnum;
	v->headers = calloc(v->count, sizeof(*v->headers));
	if (!v->headers || read_at(v, ehdr.e_phoff, v->headers, v->count * sizeof(*v->headers)))
		return -1;
	for (unsigned int i = 0; i < v->count; i++) {
		const Elf64_Phdr *h = &v->headers[i];

		if (h->p_type != PT_NOTE)
			continue;
		v->notes_size = h->p_filesz;
		v->notes = malloc(h->p_filesz);
		return v->notes ? read_at(v, h->p_offset, v->notes, v->notes_size) : -1;
	}
	return 0;
}

static void vmcore_close(struct vmcore *v)
{
	free(v->headers);
	free(v->notes);
	if (v->file)
		fclose(v->file);
}

static int write_stream(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) != len;
}

int main(int argc, char **argv)
{
	static const struct otst_target_ops ops = {
		.size = sizeof(ops),
		.name = "file",
		.read = vmcore_read,
		.vmcoreinfo = vmcore_info,
	};
	struct otst_output out = { .size = sizeof(out), .write = write_stream, .priv = stdout };
	struct otst_output err = { .size = sizeof(err), .write = write_stream, .priv = stderr };
	struct vmcore v = { 0 };
	struct otst *o;
	int status = 99;

	if (argc < 2 || vmcore_open(argv[1], &v))
		fprintf(stderr, "usage: vmcore VMCORE OPTION ..\n");
	else if (otst_open(&ops, &v, NULL, &o))
		fprintf(stderr, "otst_open failed\n");
	else {
		/* argv[1] stands for the command's name */
		status = otst_run(o, argc - 1, (const char *const *)argv + 1, &out, &err);
		otst_close(o);
	}
	vmcore_close(&v);
	return status;
}
