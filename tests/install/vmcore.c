// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vmcore.c - a third-party program: it knows nothing but <otst.h>, reads by itself an ELF vmcore
 * with virtual addresses in its program headers, and has libotst do the rest.
 *
 *	vmcore VMCORE OPTION ..            runs "otst OPTION .."
 *	vmcore VMCORE records OPTION ..    prints its records, and how many of each type there were
 *	vmcore VMCORE stacks               prints all tasks' stacks; unwinds one again from a copy
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

/* counts of the types of records, in the order of their first appearance */
struct types {
	char name[32][32];
	unsigned int count[32];
};

static int print_record(void *priv, const char *type, const char *json, size_t len)
{
	struct types *t = priv;
	int i = 0;

	while (i < 31 && t->count[i] && strcmp(t->name[i], type) != 0)
		i++;
	snprintf(t->name[i], sizeof(t->name[i]), "%s", type);
	t->count[i]++;
	return fwrite(json, 1, len, stdout) != len || putchar('\n') == EOF;
}

static int print_records(struct otst *o, int argc, const char *const *argv,
			 const struct otst_output *err)
{
	struct types types = { 0 };
	struct otst_records records = { .size = sizeof(records),
					.record = print_record,
					.priv = &types };
	int status = otst_records(o, argc, argv, &records, err);

	for (int i = 0; i < 32 && types.count[i]; i++)
		fprintf(stderr, "%s %u\n", types.name[i], types.count[i]);
	return status;
}

/* the first stack of a sleeping task that this program can read by itself */
struct kept {
	struct vmcore *core;
	uint64_t task;
	uint64_t pcs[64];
	unsigned int count;
	uint64_t first_slot;
	uint64_t last_slot;
	bool usable; /* so far */
	bool done;
	/* frames of its copy so far, and how many of them differ */
	unsigned int again;
	unsigned int others;
};

static int take_task(void *priv, const struct otst_stack_task *t)
{
	struct kept *k = priv;

	if (!k->done) {
		k->task = t->addr;
		k->usable = !t->running;
		k->count = 0;
	}
	printf("task %016llx %llu %s cpu %u %s\n", (unsigned long long)t->addr,
	       (unsigned long long)t->pid, t->comm, t->cpu, t->running ? "running" : "sleeping");
	return 0;
}

static int take_frame(void *priv, const struct otst_stack_frame *f)
{
	struct kept *k = priv;

	if (!k->done) {
		if (!k->count)
			k->first_slot = f->slot;
		k->last_slot = f->slot;
		/* the copy has the trampoline, too, and nothing tells what it replaced */
		k->usable &= !f->replaced && k->count < 64;
		if (k->count < 64)
			k->pcs[k->count++] = f->pc;
	}
	printf("%016llx %016llx %s %s%s\n", (unsigned long long)f->pc, (unsigned long long)f->slot,
	       f->how, f->reliable ? "" : "? ", f->name);
	return 0;
}

static void take_end(void *priv, const char *how, const char *why)
{
	struct kept *k = priv;
	uint64_t word;

	k->done |= k->usable && k->count && !strcmp(how, "whole") &&
		   !vmcore_read(k->core, OTST_VIRT, k->first_slot, &word, sizeof(word));
	printf("%s%s%s\n\n", how, why ? ": " : "", why ? why : "");
}

static int take_again(void *priv, const struct otst_stack_frame *f)
{
	struct kept *k = priv;

	k->others += k->again >= k->count || k->pcs[k->again] != f->pc;
	k->again++;
	return 0;
}

/* The caller's rbp lies below the first return address (struct inactive_task_frame). */
static int walk_copy(struct otst *o, struct kept *k, const struct otst_output *err)
{
	const struct otst_stack_walk walk = { .size = sizeof(walk),
					      .frame = take_again,
					      .priv = k };
	struct otst_stack_reg regs[] = {
		{ "rip", k->pcs[0] },
		{ "rsp", k->first_slot + 8 },
		{ "rbp", 0 },
	};
	unsigned char bytes[8192];
	/* including the user-mode registers that may follow the last slot */
	struct otst_piece piece = { k->first_slot, bytes,
				    k->last_slot - k->first_slot + 8 + 21 * 8 };
	const struct otst_stack_state state = { .size = sizeof(state),
						.regs = regs,
						.nr_regs = 3,
						.pieces = &piece,
						.nr_pieces = 1,
						.task = k->task,
						.cpu = -1,
						.call = 1 };

	if (!k->done || piece.len > sizeof(bytes) ||
	    vmcore_read(k->core, OTST_VIRT, piece.base, bytes, piece.len) ||
	    vmcore_read(k->core, OTST_VIRT, piece.base - 8, &regs[2].value, 8) ||
	    otst_stack_frames(o, &state, &walk, err))
		return -1;
	fprintf(stderr, "%u frames of %u again, %u others\n", k->again, k->count, k->others);
	return k->again == k->count && !k->others ? 0 : -1;
}

static int print_stacks(struct otst *o, struct vmcore *core, const struct otst_output *err)
{
	struct kept kept = { .core = core };
	const struct otst_stack_walk walk = { .size = sizeof(walk),
					      .task = take_task,
					      .frame = take_frame,
					      .end = take_end,
					      .priv = &kept };

	return otst_stack_tasks(o, &walk, err) || walk_copy(o, &kept, err) ? 1 : 0;
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
		const char *const *words = (const char *const *)argv;

		/* the word before the options stands for the command's name */
		if (argc == 3 && !strcmp(argv[2], "stacks"))
			status = print_stacks(o, &v, &err);
		else if (argc > 2 && !strcmp(argv[2], "records"))
			status = print_records(o, argc - 2, words + 2, &err);
		else
			status = otst_run(o, argc - 1, words + 1, &out, &err);
		otst_close(o);
	}
	vmcore_close(&v);
	return status;
}
