// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * program.c - BPF programs that own probes: struct bpf_prog and its aux of
 * include/linux/bpf.h, and the arrays of programs that are attached to trace events.
 */
#include <inttypes.h>
#include <string.h>

#include "../types/blob.h"
#include "bpf.h"

#define MAX_PROGRAMS 64u /* BPF_TRACE_MAX_PROGS, BPF_CGROUP_MAX_PROGS */
#define NAME_CUT     15u /* BPF_OBJ_NAME_LEN without the NUL */

/*
 * The kernel cuts names to 15 characters; the function that the program was made from has the
 * whole name in the program's own types (get_prog_full_name() of bpftool).
 */
static const char *whole_name(struct otst *o, struct otst_view *aux, const char *name)
{
	struct otst_blob *blob;
	const char *whole;
	uint64_t type;

	if (strlen(name) < NAME_CUT || !otst_u64_or(aux, "func_info", 0) ||
	    otst_read_member(o, "bpf_func_info", otst_u64(aux, "func_info"), "type_id", &type) ||
	    otst_blob_open(o, otst_u64_or(aux, "btf", 0), &blob))
		return name;
	whole = otst_blob_name(o, blob, (uint32_t)type);
	return strncmp(whole, name, NAME_CUT) ? name : whole;
}

int otst_program_read(struct otst *o, uint64_t prog, struct otst_program *ret)
{
	struct otst_view v, aux;
	uint8_t tag[8];
	uint64_t at;
	int err;

	err = otst_view_read(o, "bpf_prog", prog, &v);
	if (err)
		return err;
	ret->addr = prog;
	ret->type = (uint32_t)otst_u64_or(&v, "type", 0);
	at = otst_u64(&v, "aux");
	if (v.err)
		return v.err;
	err = otst_view_read(o, "bpf_prog_aux", at, &aux);
	if (err)
		return err;
	ret->id = (uint32_t)otst_u64_or(&aux, "id", 0);
	ret->name = otst_view_has(&aux, "name") ? otst_chars(&aux, "name") : "";
	ret->name = whole_name(o, &aux, ret->name);
	if (otst_view_has(&v, "tag") && !otst_read(o, otst_addr_of(&v, "tag"), tag, sizeof(tag)))
		/* bpftool prints its bytes in memory order */
		ret->tag = otst_format(o, "%016" PRIx64, otst_get_be(tag, sizeof(tag)));
	return aux.err;
}

int otst_probe_program(struct otst *o, struct otst_probe *p, uint64_t prog)
{
	struct otst_program *program = otst_vec_push(o, &p->programs, sizeof(*program));
	int err = otst_program_read(o, prog, program);

	if (err)
		otst_vec_pop(&p->programs);
	return err ? otst_fail(o, err, "BPF program") : 0;
}

int otst_bpf_owner(struct otst *o, uint64_t prog, struct otst_probe *p)
{
	int err;

	p->owner = (struct otst_owner){ .kind = OTST_OWNER_BPF };
	err = otst_probe_program(o, p, prog);
	if (!err)
		p->owner.name = ((const struct otst_program *)p->programs.data)->name;
	return err;
}

/* struct bpf_prog_array: NULL-terminated; a removed program leaves a dummy */
static int read_program_array(struct otst *o, uint64_t array, struct otst_probe *p)
{
	uint64_t dummy = otst_symbol_or0(o, "dummy_bpf_prog"), size, prog, i;
	const struct otst_member *items, *member;
	int err;

	err = otst_member(o, "bpf_prog_array", "items", &items);
	err = err ?: otst_member(o, "bpf_prog_array_item", "prog", &member);
	err = err ?: otst_type_size(o, "bpf_prog_array_item", &size);
	for (i = 0; !err; i++) {
		err = otst_read_u64(o, array + items->offset + i * size + member->offset, &prog);
		if (err || !prog)
			break;
		if (i == MAX_PROGRAMS)
			err = otst_raise(o, OTST_ERR_CORRUPT, "more than %u", MAX_PROGRAMS);
		else if (prog != dummy)
			err = otst_probe_program(o, p, prog);
	}
	return err ? otst_fail(o, err, "programs of the event") : 0;
}

int otst_bpf_on_event(struct otst *o, const char *type, uint64_t at, const char *call,
		      struct otst_probe *p)
{
	const char *array = otst_format(o, "%sprog_array", call);
	const char *single = otst_format(o, "%sprog", call);
	const struct otst_program *first;
	uint64_t value;
	int err = 0;

	/*
	 * Linux e87c6bc3852b ("bpf: permit multiple bpf attachments for a single
	 * perf event") (v4.15)
	 */
	if (otst_has_member(o, type, array)) {
		err = otst_read_member(o, type, at, array, &value);
		if (!err && value)
			err = read_program_array(o, value, p);
	} else if (otst_has_member(o, type, single)) {
		err = otst_read_member(o, type, at, single, &value);
		if (!err && value)
			err = otst_probe_program(o, p, value);
	}
	first = p->programs.data;
	/* an event of perf with a program exists only for that program */
	if (!err && p->programs.count && p->owner.kind == OTST_OWNER_PERF) {
		p->owner.kind = OTST_OWNER_BPF;
		p->owner.name = first->name;
	}
	return err;
}
