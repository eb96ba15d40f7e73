/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * otst_ext.c - the crash extension: crash's session as a target, and the
 * command "otst".
 *
 * The only file that includes crash's defs.h. It builds with the header of
 * whatever crash is installed and holds no knowledge of the kernel: memory,
 * symbols and types go to the engine through struct otst_target_ops, and the
 * engine's text goes to crash's fp.
 *
 * crash leaves a function by longjmp on a fatal error, on Ctrl-C and when
 * gdb finds the output closed. Each call into crash that can do so is made by
 * call_crash(), which catches the jump, and Ctrl-C only sets a flag while the
 * engine runs. After the command the session is as crash expects it.
 */
#include <defs.h>

#include <elf.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include "front/notes.h"
#include "src/otst.h"

/* Ctrl-C this often in one command gives up on the engine's own way out. */
#define PATIENCE 3

static struct {
	struct otst *engine;
	void *notes; /* of the dump's file */
	size_t notes_len;
	bool strays; /* does crash read other pages in the place of vmalloc's */
	/* what a command changed in crash, to be put back */
	bool running;
	struct sigaction old_int, old_pipe;
	volatile sig_atomic_t stops;
} session;

static void cmd_otst(void);
static void cmd_cleanup(void);

static struct command_table_entry commands[] = {
	{ "otst", cmd_otst, NULL, MINIMAL },
	/* crash calls this one whenever it has abandoned a command */
	{ "_otst_cleanup", cmd_cleanup, NULL, CLEANUP | HIDDEN_COMMAND | MINIMAL },
	{ NULL, NULL, NULL, 0 },
};

static bool starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/*
 * Machines
 */

/*
 * The 64-bit targets of crash whose kernels the engine reads. -D chooses the target that this
 * file is for, as in crash's own sources. The byte order is that of the machine where crash
 * runs, because crash cannot swap bytes; processor and page size are found in the dump.
 */
static const struct machine {
	const char *name;      /* as crash's machine_type() knows it */
	bool image_if_minimal; /* does crash translate addresses of the image under --minimal */
} machines[] = {
	{ "X86_64", true }, { "ARM64", true },	  { "PPC64", true },
	{ "S390X", true },  { "RISCV64", false },
};

/* NULL when this file was compiled for another target than that of the crash which loads it */
static const struct machine *this_machine(void)
{
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (STREQ(machines[i].name, MACHINE_TYPE) && machine_type(MACHINE_TYPE))
			return &machines[i];
	return NULL;
}

/*
 * Signals
 */

static void on_interrupt(int sig)
{
	if (++session.stops >= PATIENCE)
		sigaction(sig, &session.old_int, NULL);
}

static void catch_interrupt(struct sigaction *old)
{
	struct sigaction sa = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };

	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, old);
}

static void mask_interrupt(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigprocmask(how, &set, NULL);
}

static void enter_command(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	session.stops = 0;
	catch_interrupt(&session.old_int);
	sigaction(SIGPIPE, &ignore, &session.old_pipe);
	session.running = true;
}

static void leave_command(void)
{
	if (!session.running)
		return;
	session.running = false;
	sigaction(SIGINT, &session.old_int, NULL);
	sigaction(SIGPIPE, &session.old_pipe, NULL);
	mask_interrupt(SIG_UNBLOCK);
}

/*
 * Calls into crash
 */

struct call {
	int (*fn)(struct call *c);
	int space;
	uint64_t addr;
	void *buf;
	uint64_t len;
	const char *name, *member;
	int64_t value;
};

/*
 * Calls c->fn, and turns a longjmp to crash's main loop into OTST_ERR_FAULT.
 *
 * crash translates addresses with FAULT_ON_ERROR, so that one page table
 * missing from the dump would end the command; its message would land in the
 * middle of the output. Both are kept from happening here.
 */
static int call_crash(struct call *c)
{
	FILE *out = fp, *error_fp = pc->error_fp, *pipe = pc->stdpipe;
	jmp_buf main_loop;
	int err;

	pc->error_fp = pc->nullfp;
	memcpy(main_loop, pc->main_loop_env, sizeof(main_loop));
	fp = pc->nullfp;
	pc->stdpipe = NULL;

	if (setjmp(pc->main_loop_env) == 0)
		err = c->fn(c);
	else
		err = session.stops ? OTST_ERR_INTERRUPTED : OTST_ERR_FAULT;

	memcpy(pc->main_loop_env, main_loop, sizeof(main_loop));
	pc->error_fp = error_fp;
	fp = out;
	pc->stdpipe = pipe;
	/* crash has cleaned up behind the whole command: nothing to go back to */
	if (!session.running)
		RESTART();
	return err;
}

/*
 * The same for what goes through gdb. gdb takes SIGINT for itself and crash
 * leaves its own handler behind, so Ctrl-C waits until ours is back.
 */
static int call_gdb(struct call *c)
{
	int err;

	if (output_closed())
		return OTST_ERR_OUTPUT;

	mask_interrupt(SIG_BLOCK);
	err = call_crash(c);
	if (pc->tmpfile2)
		close_tmpfile2();
	pc->flags &= ~IN_GDB;
	catch_interrupt(NULL);
	mask_interrupt(SIG_UNBLOCK);
	/* gdb also gives up when it finds the output closed: that says nothing about the name */
	if (err && session.stops)
		return OTST_ERR_INTERRUPTED;
	if (err && output_closed())
		return OTST_ERR_OUTPUT;
	return err == OTST_ERR_FAULT ? OTST_ERR_LOOKUP : err;
}

/*
 * Memory and symbols
 */

static int do_read(struct call *c)
{
	int type = c->space == OTST_PHYS ? PHYSADDR : KVADDR;

	if (!readmem(c->addr, type, c->buf, c->len, "otst", RETURN_ON_ERROR | QUIET))
		return OTST_ERR_FAULT;
	return 0;
}

static int do_symbol(struct call *c)
{
	char *name = (char *)c->name;
	struct syment *sp;

	/* symbol_search() alone walks the whole table for a name that is not there */
	if (!kernel_symbol_exists(name))
		return OTST_ERR_LOOKUP;
	sp = symbol_search(name);
	if (!sp)
		return OTST_ERR_LOOKUP;
	c->addr = sp->value;
	return 0;
}

static uint64_t read_word(uint64_t addr)
{
	ulong word = 0;
	struct call c = {
		.fn = do_read, .space = OTST_VIRT, .addr = addr, .buf = &word, .len = sizeof(word)
	};

	return call_crash(&c) ? 0 : word;
}

/*
 * Does crash read what is in vmalloc's memory? Where it cannot read the first module it warns, and goes on
 * to read other pages: 8.0.6 does on ppc64le with pages of 4 KiB. The first module leads back to the
 * list of modules.
 */
static bool finds_modules(void)
{
	struct call list = { .fn = do_symbol, .name = "modules" };
	uint64_t first;

	if (call_crash(&list))
		return true;
	first = read_word(list.addr);
	return first == list.addr || read_word(first + sizeof(ulong)) == list.addr;
}

/*
 * Under --minimal crash does not set up what it translates vmalloc's, modules'
 * and randomised addresses with, and would read some other page: only of the
 * kernel's image is it sure. Not on riscv64, where crash guesses where the memory of
 * kernels before 5.14 begins. It does not start there without VMCOREINFO, which leads the
 * engine to the page tables.
 */
static bool is_in_doubt(uint64_t addr, uint64_t len)
{
	struct syment *start, *end;

	if (!(pc->flags & MINIMAL_MODE))
		return session.strays && IS_VMALLOC_ADDR(addr);
	if (!this_machine()->image_if_minimal)
		return true;
	start = symbol_search("_stext");
	end = symbol_search("_end");
	return !start || !end || addr < start->value || addr + len > end->value;
}

static int ext_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct call c = { .fn = do_read, .space = space, .addr = addr, .buf = buf, .len = len };

	(void)priv;
	if (len == 0)
		return 0;
	if (len > LONG_MAX || addr + len - 1 < addr)
		return OTST_ERR_FAULT;
	if (space == OTST_VIRT && is_in_doubt(addr, len))
		return OTST_ERR_UNSUPPORTED;
	return call_crash(&c);
}

static int ext_symbol(void *priv, const char *name, uint64_t *ret)
{
	struct call c = { .fn = do_symbol, .name = name };
	int err;

	(void)priv;
	err = call_crash(&c);
	if (!err)
		*ret = c.addr;
	return err;
}

static int do_symbol_at(struct call *c)
{
	struct otst_symbol *sym = c->buf;
	struct load_module *module = NULL;
	struct syment *sp, *next;
	ulong offset = 0;

	sp = value_search(c->addr, &offset);
	/* crash adds symbols of its own that bound a module */
	if (!sp || starts_with(sp->name, "_MODULE_"))
		return OTST_ERR_LOOKUP;

	memset(sym, 0, sizeof(*sym));
	sym->addr = c->addr - offset;
	snprintf(sym->name, sizeof(sym->name), "%s", sp->name);
	if (module_symbol(c->addr, NULL, &module, NULL, 0) && module)
		snprintf(sym->module, sizeof(sym->module), "%s", module->mod_name);
	next = next_symbol(NULL, sp);
	if (next && next->value > sp->value)
		sym->size = next->value - sp->value;
	return 0;
}

static int ext_symbol_at(void *priv, uint64_t addr, struct otst_symbol *ret)
{
	struct otst_symbol sym;
	struct call c = { .fn = do_symbol_at, .addr = addr, .buf = &sym };
	int err;

	(void)priv;
	err = call_crash(&c);
	if (!err)
		*ret = sym;
	return err;
}

/*
 * Types
 */

/* What gdb says to a command, its lines joined; LOOKUP when it complains. */
static int ask_gdb(char *answer, size_t size, const char *format, ...)
{
	char command[BUFSIZE], line[BUFSIZE];
	size_t len = 0;
	va_list ap;
	int ok;

	va_start(ap, format);
	vsnprintf(command, sizeof(command), format, ap);
	va_end(ap);

	answer[0] = '\0';
	open_tmpfile2();
	ok = gdb_pass_through(command, pc->tmpfile2, GNU_RETURN_ON_ERROR);
	rewind(pc->tmpfile2);
	while (ok && fgets(line, sizeof(line), pc->tmpfile2)) {
		size_t n = strlen(line);

		/* of a long body the first and the last lines matter */
		if (len + n >= size)
			len = len > size / 2 ? size / 2 : 0;
		if (n >= size - len)
			n = size - len - 1;
		memcpy(answer + len, line, n);
		len += n;
		answer[len] = '\0';
	}
	close_tmpfile2();
	while (len && strchr(" \n", answer[len - 1]))
		answer[--len] = '\0';
	return ok && len ? 0 : OTST_ERR_LOOKUP;
}

/* Skips the words of @s that say nothing about its shape. */
static const char *skip_qualifiers(const char *s)
{
	static const char *const words[] = { "type = ", "const ", "volatile " };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (starts_with(s, words[i]))
			return skip_qualifiers(s + strlen(words[i]));
	return s;
}

/*
 * Shape, count, sign and innermost type from gdb's ptype:
 *	type = struct hlist_node {\n...\n} *
 *	type = unsigned char [16]
 *	type = int (*)(struct kprobe *, struct pt_regs *)
 */
static void parse_type(const char *text, struct otst_member *m)
{
	const char *base = skip_qualifiers(text), *name = base;
	const char *tail, *end, *array, *function;
	bool aggregate = starts_with(base, "struct ") || starts_with(base, "union ");
	bool enumeration = starts_with(base, "enum ");

	tail = strrchr(base, '}');
	tail = tail ? tail + 1 : base + strcspn(base, "*[(");
	if (aggregate || enumeration)
		name = strchr(base, ' ') + 1;
	end = name + strcspn(name, enumeration || aggregate ? " {*[(" : "*[({");
	while (end > name && end[-1] == ' ')
		end--;

	tail += strspn(tail, " ");
	array = strchr(tail, '[');
	function = strstr(tail, "(*");
	if (function) {
		/* "(*)(..)" is a pointer, "(*[4])(..)" an array of them */
		m->kind = array && array < strchr(function, ')') ? OTST_KIND_ARRAY :
								   OTST_KIND_POINTER;
	} else if (tail[0] == '*' || array) {
		m->kind = array ? OTST_KIND_ARRAY : OTST_KIND_POINTER;
	} else if (aggregate) {
		m->kind = OTST_KIND_STRUCT;
	} else {
		m->kind = OTST_KIND_INT;
		m->is_signed = !enumeration && !strstr(base, "unsigned") && !strstr(base, "ool");
	}
	if (m->kind == OTST_KIND_ARRAY)
		m->count = strtoul(array + 1, NULL, 10);
	if (!function)
		snprintf(m->type, sizeof(m->type), "%.*s", (int)(end - name), name);
}

/*
 * Place and width of @member when it is a bit field of the structure that
 * gdb shows for @ptype. The width is in gdb's text ("unsigned int x : 3;"),
 * the first bit in what crash's own request to gdb returns.
 */
static int find_bits(char *ptype, const char *member, struct otst_member *m)
{
	struct gnu_request req = { .command = GNU_GET_DATATYPE, .flags = GNU_RETURN_ON_ERROR };
	char pattern[128], line[BUFSIZE], type[128] = "";
	const char *found = NULL;
	uint64_t bit;

	snprintf(pattern, sizeof(pattern), " %s : ", member);
	open_tmpfile2();
	if (gdb_pass_through(ptype, pc->tmpfile2, GNU_RETURN_ON_ERROR)) {
		rewind(pc->tmpfile2);
		while (!found && fgets(line, sizeof(line), pc->tmpfile2)) {
			if (sscanf(line, "type = %*[a-z] %127[^ \n{]", type) != 1)
				found = strstr(line, pattern);
		}
	}
	close_tmpfile2();
	if (!found || !type[0])
		return OTST_ERR_LOOKUP;

	req.name = type;
	req.member = (char *)member;
	req.fp = pc->nullfp;
	gdb_interface(&req);
	if ((req.flags & GNU_COMMAND_FAILED) || !req.typecode || req.member_offset < 0 ||
	    req.member_length <= 0)
		return OTST_ERR_LOOKUP;

	bit = req.member_offset;
	m->size = req.member_length;
	m->offset = bit / 8 / m->size * m->size;
	m->bit_offset = bit - m->offset * 8;
	m->bit_size = strtoul(found + strlen(pattern), NULL, 10);
	return 0;
}

static int do_member(struct call *c)
{
	static const char *const keywords[] = { "struct ", "union ", "" };
	struct otst_member *m = c->buf;
	char text[2 * BUFSIZE], container[300] = "", expr[600];
	unsigned long offset, size;
	size_t i;
	int err = OTST_ERR_LOOKUP;

	for (i = 0; err && i < sizeof(keywords) / sizeof(*keywords); i++) {
		snprintf(container, sizeof(container), "((%s%s *)0)", keywords[i], c->name);
		snprintf(expr, sizeof(expr), "%s->%s", container, c->member);
		err = ask_gdb(text, sizeof(text), "ptype %s", expr);
	}
	if (err)
		return err;

	memset(m, 0, sizeof(*m));
	parse_type(text, m);
	err = ask_gdb(text, sizeof(text),
		      "printf \"%%lu %%lu\", (unsigned long)&%s, "
		      "(unsigned long)sizeof(%s)",
		      expr, expr);
	if (!err && sscanf(text, "%lu %lu", &offset, &size) == 2) {
		m->offset = offset;
		m->size = size;
	} else {
		err = OTST_ERR_LOOKUP;
	}
	if (m->kind != OTST_KIND_INT)
		return err;

	/* bit fields: only those of the outermost structure, where the kernel's are */
	snprintf(expr, sizeof(expr), "ptype *%s", container);
	if (!strchr(c->member, '.') && find_bits(expr, c->member, m) == 0)
		return 0;
	return err;
}

static int ext_member(void *priv, const char *type, const char *member, struct otst_member *ret)
{
	struct otst_member m;
	struct call c = { .fn = do_member, .name = type, .member = member, .buf = &m };
	int err;

	(void)priv;
	if (strlen(type) > 128 || strlen(member) > 128)
		return OTST_ERR_LOOKUP;
	err = call_gdb(&c);
	if (!err)
		*ret = m;
	return err;
}

static int do_type_size(struct call *c)
{
	c->value = STRUCT_SIZE((char *)c->name);
	return c->value < 0 ? OTST_ERR_LOOKUP : 0;
}

static int ext_type_size(void *priv, const char *type, uint64_t *ret)
{
	struct call c = { .fn = do_type_size, .name = type };
	int err;

	(void)priv;
	err = call_gdb(&c);
	if (!err)
		*ret = c.value;
	return err;
}

static int do_enumerator(struct call *c)
{
	long value;

	if (!enumerator_value((char *)c->name, &value))
		return OTST_ERR_LOOKUP;
	c->value = value;
	return 0;
}

static int ext_enumerator(void *priv, const char *name, int64_t *ret)
{
	char copy[128];
	struct call c = { .fn = do_enumerator, .name = copy };
	int err;

	(void)priv;
	/* crash writes into the name */
	if (snprintf(copy, sizeof(copy), "%s", name) >= (int)sizeof(copy))
		return OTST_ERR_LOOKUP;
	err = call_gdb(&c);
	if (!err)
		*ret = c.value;
	return err;
}

/* the file that "mod -s" loaded */
static int do_module_file(struct call *c)
{
	struct load_module *module;

	if (!is_module_name((char *)c->name, NULL, &module) || !module ||
	    !(module->mod_flags & MOD_LOAD_SYMS))
		return OTST_ERR_LOOKUP;
	snprintf(c->buf, c->len, "%s", module->mod_namelist);
	return module->mod_namelist[0] ? 0 : OTST_ERR_LOOKUP;
}

static int ext_module_file(void *priv, const char *name, char *ret, uint64_t len)
{
	struct call c = { .fn = do_module_file, .name = name, .buf = ret, .len = len };

	(void)priv;
	return call_crash(&c);
}

static bool ext_interrupted(void *priv)
{
	(void)priv;
	return session.stops > 0;
}

/* crash reads all of the kernel's symbols when it starts, and types unless it was told not to */
static bool ext_knows(void *priv, int what)
{
	(void)priv;
	return what == OTST_KNOWS_SYMBOLS || !(pc->flags & MINIMAL_MODE);
}

/* all notes of the dump's file: crash itself has those of cpus that are on line alone */
static int ext_notes(void *priv, const void **ret, uint64_t *len)
{
	int fd = session.notes || !pc->dumpfile ? -1 : open(pc->dumpfile, O_RDONLY | O_CLOEXEC);

	(void)priv;
	if (fd >= 0) {
		dump_notes(fd, &session.notes, &session.notes_len);
		close(fd);
	}
	*ret = session.notes;
	*len = session.notes_len;
	return session.notes ? 0 : OTST_ERR_LOOKUP;
}

static const struct otst_target_ops ext_ops = {
	.size = sizeof(struct otst_target_ops),
	.name = "crash",
	.read = ext_read,
	.symbol = ext_symbol,
	.symbol_at = ext_symbol_at,
	.member = ext_member,
	.type_size = ext_type_size,
	.enumerator = ext_enumerator,
	.interrupted = ext_interrupted,
	.module_file = ext_module_file,
	.knows = ext_knows,
	.notes = ext_notes,
};

/*
 * The command
 */

/* Piece by piece, so that Ctrl-C does not have to wait for a slow reader of all of it. */
static int write_result(void *priv, const char *text, size_t len)
{
	(void)priv;
	while (len) {
		size_t piece = len < BUFSIZE ? len : BUFSIZE;

		if (session.stops || fwrite(text, 1, piece, fp) != piece || ferror(fp))
			return -1;
		text += piece;
		len -= piece;
	}
	return 0;
}

static int write_complaint(void *priv, const char *text, size_t len)
{
	FILE *file = priv ? priv : fp;

	return fwrite(text, 1, len, file) == len ? 0 : -1;
}

/* 0 when the text goes to no terminal; behind crash's own pager it does */
static uint32_t terminal_width(void)
{
	struct winsize size;

	if (pc->redirect & (REDIRECT_TO_PIPE | REDIRECT_TO_FILE) || !isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}

/* True when the ELF file at @path holds kernel text: a separate debug file does not. */
static bool has_text(const char *path)
{
	FILE *file = fopen(path, "r");
	bool found = false;
	Elf64_Ehdr ehdr;
	Elf64_Shdr shdr;
	int i;

	if (!file)
		return false;
	if (fread(&ehdr, sizeof(ehdr), 1, file) == 1 && fseek(file, ehdr.e_shoff, SEEK_SET) == 0)
		for (i = 0; i < ehdr.e_shnum && !found; i++)
			found = fread(&shdr, sizeof(shdr), 1, file) == 1 &&
				shdr.sh_type == SHT_PROGBITS && (shdr.sh_flags & SHF_EXECINSTR);
	fclose(file);
	return found;
}

static const char *find_vmlinux(void)
{
	if (pc->namelist && has_text(pc->namelist))
		return pc->namelist;
	if (pc->namelist_debug && has_text(pc->namelist_debug))
		return pc->namelist_debug;
	return pc->namelist;
}

/* crash knows double quotes only: 'vfs_*' as in a shell means vfs_* */
static void unquote_words(void)
{
	for (int i = 1; i < argcnt; i++) {
		size_t len = strlen(args[i]);

		if (len > 1 && args[i][0] == '\'' && args[i][len - 1] == '\'') {
			args[i][len - 1] = '\0';
			args[i]++;
		}
	}
}

static void cmd_otst(void)
{
	/* without colours: the pager may not know them */
	struct otst_output out = { .size = sizeof(out),
				   .write = write_result,
				   .width = terminal_width() };
	struct otst_output err = { .size = sizeof(err), .write = write_complaint };
	struct otst_options options = { .size = sizeof(options) };
	bool interrupted;
	int refused;

	/* complaints stay out of pipes and files */
	if (pc->redirect & (REDIRECT_TO_PIPE | REDIRECT_TO_FILE))
		err.priv = stderr;

	enter_command();
	if (!session.engine) {
		options.in_session = true;
		/* crash has no way to swap bytes */
		options.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
		options.vmlinux = find_vmlinux();
		session.strays = !(pc->flags & MINIMAL_MODE) && !finds_modules();
		refused = otst_open(&ext_ops, NULL, &options, &session.engine);
		if (refused) {
			leave_command();
			error(FATAL, "cannot start: %s\n", otst_error_text(refused));
		}
	}
	unquote_words();
	otst_run(session.engine, argcnt, (const char *const *)args, &out, &err);
	interrupted = session.stops > 0;
	leave_command();

	/* the rest of what Ctrl-C does is up to crash: back to the prompt */
	if (interrupted)
		raise(SIGINT);
}

static void cmd_cleanup(void)
{
	leave_command();
}

static void __attribute__((constructor)) otst_ext_init(void)
{
	/* crash takes any file of the machine where it runs; its structures differ from target to target */
	if (!this_machine()) {
		error(INFO, "otst.so is for dumps of %s, this crash is for those of %s\n",
		      MACHINE_TYPE, pc->machine_type);
		return;
	}
	commands[0].help_data = (char **)otst_help();
	register_extension(commands);
}

static void __attribute__((destructor)) otst_ext_fini(void)
{
	otst_close(session.engine);
	free(session.notes);
}
