// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * makers.c - is the kernel making or freeing executable memory at this moment? Between the page
 * tables and the records there are steps in which such memory belongs to nobody: a module that is
 * freed leaves the lists first, then waits for RCU; the same with its init text, kprobes' pages and
 * ftrace's trampolines.
 */
#include <inttypes.h>
#include <string.h>

#include "../stacks/stack.h"
#include "expect.h"

/* functions during which there may be executable memory without a record */
static const char *const makers[] = {
	/* kernel/module: modules, and their init text */
	"load_module",
	"free_module",
	"do_free_init",
	"__do_sys_delete_module",
	"__x64_sys_delete_module",
	"__arm64_sys_delete_module",
	/* kernel/kprobes.c */
	"__get_insn_slot",
	"__free_insn_slot",
	"collect_one_slot",
	"collect_garbage_slots",
	"kprobe_optimizer",
	/* kernel/trace/ftrace.c */
	"arch_ftrace_update_trampoline",
	"ftrace_update_trampoline",
	"ftrace_startup",
	"ftrace_shutdown",
	"ftrace_trampoline_free",
	/* mm/execmem.c */
	"execmem_alloc",
	"execmem_alloc_rw",
	"execmem_free",
	"execmem_cache_clean",
};

/* kernel/kexec*.c: its control page is one of the direct map */
static const char *const direct_makers[] = {
	"machine_kexec_prepare",       "do_kexec_load",
	"__do_sys_kexec_file_load",    "__x64_sys_kexec_file_load",
	"__arm64_sys_kexec_file_load", "kimage_free",
};

#define MAX_STACK (1u << 20)

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

struct looking {
	struct otst *o;
	bool direct;
	struct otst_stack *stack;
	struct otst_lost lost;
	const char *found;
};

static const char *find_name(const struct otst_sym *sym, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct otst_sym maker = { .name = names[i] };

		if (!strcmp(sym->name, names[i]) || otst_sym_is_part(sym, &maker))
			return names[i];
	}
	return NULL;
}

static const char *maker_at(const struct looking *look, uint64_t code)
{
	const char *found = NULL;
	struct otst_sym sym;

	otst_symbolize(look->o, code, &sym);
	if (!sym.name || sym.module)
		return NULL;
	if (!look->direct)
		found = find_name(&sym, makers, COUNT(makers));
	return found ? found : find_name(&sym, direct_makers, COUNT(direct_makers));
}

/*
 * A task that was running and whose registers nobody saved, as in an image of raw memory: when it is
 * inside one of these functions, a word of its stack leads back there. A cpu that idles makes
 * nothing: none of them is called by an interrupt.
 */
static bool look_at_words(const struct looking *look, const struct otst_task *t, const char **ret)
{
	struct otst *o = look->o;
	const struct otst_text_bounds *b = otst_text_bounds(o);
	uint64_t size = otst_thread_size(o), i, word;
	uint8_t *words;

	if (t->idle)
		return true;
	words = t->stack && size <= MAX_STACK ? otst_alloc(o, size) : NULL;
	if (!words || otst_read(o, t->stack, words, size))
		return false;
	for (i = 0; i + 8 <= size && !*ret; i += 8) {
		word = otst_get(o, words + i, 8);
		if (otst_in_bounds(b, word))
			*ret = maker_at(look, word - 1);
	}
	return true;
}

static int look_at_maker(struct looking *look, const struct otst_task *t)
{
	size_t i, lost = look->lost.count;
	const char *maker = NULL;
	int err = otst_stack_save_any(look->o, t, look->stack, &look->lost);

	for (i = 0; !err && !maker && i < look->stack->count; i++) {
		const struct otst_frame *f = &look->stack->frames[i];

		maker = maker_at(look, otst_frame_code(look->o, f->pc, f->exact));
	}
	if (!err)
		otst_lost_end(look->o, look->stack, &look->lost);
	if (!err && (t->current || t->on_cpu) && look->lost.count > lost &&
	    look_at_words(look, t, &maker))
		look->lost.count = lost;
	if (maker)
		look->found = otst_format(look->o, "%s/%" PRIu64 " is in %s",
					  t->comm ? t->comm : "?", t->pid, maker);
	return err;
}

static int look_at_tasks(struct looking *look)
{
	const struct otst_tasks *tasks;
	int err = otst_tasks(look->o, &tasks);

	for (size_t i = 0; !err && !look->found && i < tasks->count; i++) {
		err = otst_check(look->o);
		err = err ?: look_at_maker(look, tasks->items[i]);
	}
	if (!err && !look->found && tasks->errors.count)
		look->found = "not all tasks could be read";
	if (!err && !look->found && look->lost.count)
		look->found = otst_format(look->o, "the stack%s of %zu task%s could not be read",
					  otst_number(look->lost.count, "", "s"), look->lost.count,
					  otst_number(look->lost.count, "", "s"));
	return err;
}

static bool modules_move(struct otst *o)
{
	uint64_t at = otst_symbol_or0(o, "init_free_list"), first;
	struct otst_module *const *m;

	if (at && (otst_read_u64(o, at, &first) || first))
		return true;
	if (otst_modules(o, &m))
		return otst_has_symbol(o, "modules");
	for (; *m; m++) {
		if ((*m)->state != OTST_MODULE_LIVE)
			return true;
	}
	return false;
}

int otst_audit_makers(struct otst *o, bool direct, const char **ret)
{
	struct looking look = { .o = o, .direct = direct, .stack = otst_stack_create(o, 0) };
	int err;

	*ret = NULL;
	if (!look.stack)
		return otst_no_memory(o);
	if (!direct && modules_move(o)) {
		*ret = "a module is being loaded or freed";
		return 0;
	}
	err = look_at_tasks(&look);
	if (err && !otst_fatal(err)) {
		look.found = otst_strdup(o, otst_message(o));
		err = 0;
	}
	*ret = look.found;
	return err;
}
