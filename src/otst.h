/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * otst.h - the whole interface between the engine and its front ends.
 *
 * A front end (the crash extension, the file reader, gdb, the test targets)
 * implements struct otst_target_ops over whatever gives it a dump, opens an
 * engine on it with otst_open() and hands command lines to otst_run(). It
 * needs nothing else from the engine and includes none of its other headers.
 *
 * The engine never prints, exits or longjmps. Only one thread at a time may
 * use a struct otst.
 */
#ifndef OTST_H
#define OTST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OTST_API __attribute__((visibility("default")))

/**
 * enum otst_err - what a call can return: 0 or a negative error
 *
 * Callers distinguish LOOKUP, FAULT and CORRUPT; they pass all others up unchanged.
 */
enum otst_err {
	OTST_OK = 0,
	/** the dump's debug information has no such symbol, type, member or enumerator */
	OTST_ERR_LOOKUP = -1,
	/** the memory is not in the dump, or not mapped */
	OTST_ERR_FAULT = -2,
	/** the data was read and makes no sense */
	OTST_ERR_CORRUPT = -3,
	/** out of memory on this machine */
	OTST_ERR_NOMEM = -4,
	/** the user asked to stop */
	OTST_ERR_INTERRUPTED = -5,
	/** the command line is wrong */
	OTST_ERR_USAGE = -6,
	/** this target or architecture cannot do that */
	OTST_ERR_UNSUPPORTED = -7,
	/** the output was closed */
	OTST_ERR_OUTPUT = -8,
	/** the cpu was in user mode: there is no kernel stack to show (EAGAIN of stack(9)) */
	OTST_ERR_AGAIN = -9,
	/** a file on this machine could not be written, or is not usable */
	OTST_ERR_FILE = -10,
	/** the size of one of the caller's structures cannot be right */
	OTST_ERR_SIZE = -11,
	/** one of the caller's structures uses members that this library does not know */
	OTST_ERR_NEWER = -12,
};

/*
 * Structures whose first member is "size" may grow: new members are added at
 * the end, in units of 8 bytes. The caller sets it to sizeof(struct ..). A
 * smaller size is from an older header: the missing members are taken as 0. A
 * larger size is from a newer header: the members that this library does not
 * know must be 0, or the call fails with OTST_ERR_NEWER.
 */

/** enum otst_space - what an address handed to &otst_target_ops.read means */
enum otst_space {
	OTST_VIRT = 0, /**< kernel virtual */
	OTST_PHYS = 1, /**< physical */
};

/** enum otst_kind - the shape of a structure member */
enum otst_kind {
	OTST_KIND_OTHER = 0,
	OTST_KIND_INT, /**< integer, enum, bool, char */
	OTST_KIND_POINTER,
	OTST_KIND_ARRAY,
	OTST_KIND_STRUCT, /**< struct or union */
};

/**
 * struct otst_member - where a member lies in its structure
 * @offset: bytes from the start of the structure
 * @size: bytes of the member; for a bit field, of its storage unit. 0 for a flexible array
 * @bit_offset: for a bit field, bits from the least significant bit of the unit, else 0
 * @bit_size: for a bit field, its width in bits, else 0
 * @kind: enum otst_kind
 * @count: elements of an array, 0 when flexible or not an array
 * @is_signed: 1 when an integer member is signed
 * @type: name of the innermost struct, union or base type behind pointers
 *	and arrays, without "struct"; empty when it has none
 */
struct otst_member {
	uint64_t offset;
	uint64_t size;
	uint32_t bit_offset;
	uint32_t bit_size;
	uint32_t kind;
	uint32_t count;
	uint32_t is_signed;
	char type[64];
};

/**
 * struct otst_symbol - a symbol found by address
 * @addr: its value
 * @size: bytes to the next symbol, 0 when unknown
 * @name: NUL-terminated, cut when longer
 * @module: module it belongs to, empty for the kernel itself
 */
struct otst_symbol {
	uint64_t addr;
	uint64_t size;
	char name[512];
	char module[64];
};

/** enum otst_knowledge - what &otst_target_ops.knows says */
enum otst_knowledge {
	OTST_KNOWS_SYMBOLS, /**< all symbols of the kernel, data as well as functions */
	OTST_KNOWS_TYPES,   /**< all its structures, their members and enumerators */
};

/**
 * struct otst_target_ops - the engine's only access to a dump
 *
 * Plain C types only, so that other languages can fill it. Every function
 * gets the @priv that was handed to otst_open(). Unless stated otherwise a
 * function returns 0 or a negative enum otst_err, leaves its result alone on
 * error, prints nothing and does not raise. A NULL member means "this target
 * cannot do that", the same as OTST_ERR_LOOKUP, or OTST_ERR_FAULT for reads.
 */
struct otst_target_ops {
	/** sizeof(struct otst_target_ops); it has to extend past @read */
	uint64_t size;
	/** short name of the target for otst -i: "crash", "file", ... */
	const char *name;

	/**
	 * Reads @len bytes at @addr, all or nothing.
	 * @space is an enum otst_space. OTST_ERR_FAULT when any byte is missing.
	 * A target that cannot translate a virtual address returns
	 * OTST_ERR_UNSUPPORTED: the engine then walks the kernel's page tables with
	 * physical reads. It finds them through VMCOREINFO, through &otst_options.vmlinux
	 * and @memory, or when symbols and virtual reads of the kernel's image work.
	 */
	int (*read)(void *priv, int space, uint64_t addr, void *buf, uint64_t len);

	/**
	 * Address of a kernel symbol, by its exact name, in the running kernel's
	 * addresses. Without it the engine uses the symbols of &otst_options.vmlinux.
	 */
	int (*symbol)(void *priv, const char *name, uint64_t *ret);

	/** The symbol at or below @addr. LOOKUP when nothing known contains @addr. */
	int (*symbol_at)(void *priv, uint64_t addr, struct otst_symbol *ret);

	/*
	 * Types. The engine calls these three when it can read neither BTF nor an image
	 * file with DWARF for the kernel.
	 */

	/**
	 * Member @member of struct or union @type ("kprobe", no keyword).
	 * @member may be a path through embedded structures ("node.rethook");
	 * anonymous structures and unions are transparent. Where several
	 * structures share the name, it is always the same one, also in type_size().
	 */
	int (*member)(void *priv, const char *type, const char *member, struct otst_member *ret);

	/** Size in bytes of struct, union or typedef @type. */
	int (*type_size)(void *priv, const char *type, uint64_t *ret);

	/** Value of the enumerator @name, of any enum. */
	int (*enumerator)(void *priv, const char *name, int64_t *ret);

	/**
	 * The VMCOREINFO text, if @notes do not have it. @ret stays valid until the
	 * target is closed. With neither, the engine reads the kernel's own copy.
	 */
	int (*vmcoreinfo)(void *priv, const char **ret, uint64_t *len);

	/** True once the user asked to stop (Ctrl-C). Cheap; called often. */
	bool (*interrupted)(void *priv);

	/**
	 * Registers of @cpu (the kernel's number) when the dump was taken, from its
	 * NT_PRSTATUS note or the like. Fills @count words at @ret, in the order of
	 * pr_reg[] in the note of the kernel's architecture; @names has their names:
	 * "rax", "x0". A register that the target does not have is 0. LOOKUP when the
	 * dump has no registers of @cpu; the engine then looks in @notes. This is for
	 * a target that has registers but no notes.
	 */
	int (*cpu_regs)(void *priv, unsigned int cpu, const char *const *names, uint32_t count,
			uint64_t *ret);

	/** Path of the debug info that the front end loaded for @module; @ret has @len bytes. */
	int (*module_file)(void *priv, const char *module, char *ret, uint64_t len);

	/**
	 * Does this target know all of @what, an enum otst_knowledge? Only then does
	 * LOOKUP from symbol(), or from member(), type_size() and enumerator(), mean
	 * that the kernel has no such thing.
	 */
	bool (*knows)(void *priv, int what);

	/**
	 * Reports progress of work that may take long: @what says in a few words what is
	 * being done; @done of @all bytes are finished, 0 when unknown. For a user who
	 * is waiting; called often.
	 */
	void (*progress)(void *priv, const char *what, uint64_t done, uint64_t all);

	/**
	 * The ELF notes of the dump file, one after the other, as they are in the file:
	 * registers of the cpus (NT_PRSTATUS), VMCOREINFO. @ret stays valid until the
	 * target is closed.
	 */
	int (*notes)(void *priv, const void **ret, uint64_t *len);

	/**
	 * For a target that has physical memory and translates no virtual addresses: the
	 * first range of memory that ends above @phys, without what is below @phys.
	 * LOOKUP after the last range.
	 */
	int (*memory)(void *priv, uint64_t phys, uint64_t *start, uint64_t *end);

	/**
	 * @len bytes of physical memory at @phys will be read soon: a target with slow
	 * reads may start on them on another thread. The bytes it then reads are the same.
	 */
	void (*ahead)(void *priv, uint64_t phys, uint64_t len);

	/**
	 * Runs @work with @what on another thread; @work calls neither engine nor target. @start
	 * and @finish go together. Return: the job to pass to @finish; 0 when no thread is free,
	 * and then @work is not run.
	 */
	uint64_t (*start)(void *priv, void (*work)(void *what), void *what);

	/** Waits until @job, which start() returned, is done. */
	void (*finish)(void *priv, uint64_t job);

	/**
	 * For a target that does not know where its physical memory begins: from now on it
	 * begins at @phys, a multiple of the page size; before the first call, at 0. UNSUPPORTED
	 * if it does know.
	 */
	int (*place)(void *priv, uint64_t phys);

	/**
	 * For a file that does not say which memory its bytes are: part @i of it, as the target
	 * took it. @size bytes of the file from @offset on are memory at @phys. LOOKUP after the
	 * last one, and when the file does say it.
	 */
	int (*extent)(void *priv, uint64_t i, uint64_t *phys, uint64_t *size, uint64_t *offset);

	/** what the user may try when no kernel is found in this memory; or NULL */
	const char *hint;
};

/**
 * struct otst_options - what the front end knows besides the dump
 * @size: sizeof(struct otst_options)
 * @vmlinux: path of the kernel's ELF file for text as built, types (BTF, DWARF)
 *	and lines; NULL when there is none. When it cannot be opened every command fails
 * @no_btf: take types from DWARF, or without it from &otst_target_ops.member (for tests)
 * @in_session: the front end already has its dump: files among the operands are a mistake
 * @big_endian: the dump is of a big-endian kernel
 * @live: the kernel is running and changes its memory while it is read
 * @search: without @vmlinux: look for it where distributions install it, in this directory
 *	as their root ("/"); NULL: do not look for it
 * @debuginfod: ask the servers of $DEBUGINFOD_URLS, too, when @search finds none
 * @btf: path of a file with the kernel's BTF, raw or in the section .BTF of an ELF file; types
 *	come from it alone. NULL when there is none
 */
struct otst_options {
	uint64_t size;
	const char *vmlinux;
	uint64_t no_btf;
	uint64_t in_session;
	uint64_t big_endian;
	uint64_t live;
	const char *search;
	uint64_t debuginfod;
	const char *btf;
};

/**
 * struct otst_output - where a command's text goes
 * @size: sizeof(struct otst_output); it has to extend past @priv
 * @write: gets @len bytes; a non-zero return stops the command with
 *	OTST_ERR_OUTPUT. Whatever the dump held, the text has no control characters
 *	except newline, tab and, where colours are wanted, their escape sequences.
 * @priv: handed to @write
 * @width: columns of the terminal; 0 when it is not a terminal: then a record is one line
 * @color: it is a terminal that shows colours; decides --color=auto
 */
struct otst_output {
	uint64_t size;
	int (*write)(void *priv, const char *text, size_t len);
	void *priv;
	uint32_t width;
	uint32_t color;
};

/**
 * struct otst_records - where a command's records go
 * @size: sizeof(struct otst_records)
 * @record: gets one record as JSON: @len bytes, without a newline, and a NUL; they are
 *	valid until it returns. @type is the record's "type". A non-zero return stops
 *	the command.
 * @priv: handed to @record
 *
 * docs/otst.schema.json describes each type. Within a version of the schema, members
 * and types are only added: a program has to ignore those that it does not know.
 */
struct otst_records {
	uint64_t size;
	int (*record)(void *priv, const char *type, const char *json, size_t len);
	void *priv;
};

/** enum otst_exit - what otst_run() returns; fits a process's exit status */
enum otst_exit {
	/**
	 * all was read, nothing to report. Data that is not understood and is shown as
	 * found, such as an event as raw fields, is a note and does not change the status.
	 */
	OTST_EXIT_CLEAN = 0,
	/** the command failed, or an operand names nothing in this kernel */
	OTST_EXIT_FAILED = 1,
	OTST_EXIT_USAGE = 2,	/**< wrong options */
	OTST_EXIT_PARTIAL = 3,	/**< done, but some records could not be read or looked at */
	OTST_EXIT_FINDINGS = 4, /**< done; a record and the kernel text disagree */
};

struct otst;

/**
 * otst_open() - start an engine on a target
 * @ops: copied; what it points to must outlive the engine
 * @priv: handed back to every function of @ops
 * @options: may be NULL; copied
 * @ret: the engine; free with otst_close()
 *
 * Looks nothing up: the first command pays for what it needs.
 *
 * Return: 0, OTST_ERR_NOMEM, OTST_ERR_SIZE, OTST_ERR_NEWER, or
 * OTST_ERR_UNSUPPORTED when @ops cannot read.
 */
OTST_API int otst_open(const struct otst_target_ops *ops, void *priv,
		       const struct otst_options *options, struct otst **ret);

/** otst_close() - free an engine and everything it cached; NULL is fine */
OTST_API void otst_close(struct otst *o);

/**
 * otst_run() - run one command line
 * @o: engine
 * @argc: number of words in @argv
 * @argv: options and operands as in "otst -l -v", argv[0] being the command's name
 * @out: where the result goes
 * @err: where complaints go; may be the same as @out
 *
 * What a command allocates is freed before it returns; if a front end leaves
 * a command by longjmp, the next otst_run() or otst_close() frees it.
 *
 * Return: enum otst_exit. OTST_EXIT_FAILED without a complaint when the size of
 * @err cannot be right.
 */
OTST_API int otst_run(struct otst *o, int argc, const char *const *argv,
		      const struct otst_output *out, const struct otst_output *err);

/**
 * otst_records() - run one command line and get its records one by one
 * @records: gets what "-j" prints; @argv need not contain "-j": a record for each probe,
 *	trace or the like, records for what could not be read ("error", "coverage"),
 *	and finally "end" with their numbers
 * @err: where complaints go
 *
 * A command that produces text and no records, such as -h or -x folded, is a usage
 * error.
 *
 * Return: enum otst_exit; after a stop, what is known up to then.
 */
OTST_API int otst_records(struct otst *o, int argc, const char *const *argv,
			  const struct otst_records *records, const struct otst_output *err);

/**
 * otst_help() - the help page
 *
 * Return: NULL-terminated array of strings: name, one-line description,
 * synopsis, then the lines of the body, as crash's help_data wants it.
 */
OTST_API const char *const *otst_help(void);

/**
 * otst_takes_argument() - does this word of a command line take the next word as its argument
 * @word: starts with a dash: "-k", "-lvk", "--text"; "-kkprobe" and "--text=FILE" do not
 */
OTST_API bool otst_takes_argument(const char *word);

/** enum otst_need - what a command line is answered from */
enum otst_need {
	OTST_NEED_DUMP,
	OTST_NEED_TYPES, /**< the types of a kernel will do: -R */
	OTST_NEED_NOTHING, /**< it lists what options take, or names a log to read: -k help, --text FILE */
};

/**
 * otst_needs() - what a front end has to open before otst_run() of this command line
 * @argv: @argc words: a name, options, operands, without the files that the front end has taken
 *
 * Words that are not options of otst are passed over.
 */
OTST_API enum otst_need otst_needs(int argc, const char *const *argv);

/** otst_size() - "800K", "5M", "2G", "1T", or bytes; 0 for anything else */
OTST_API uint64_t otst_size(const char *text);

/**
 * otst_character() - the character that @text begins with, @len bytes of UTF-8, at least one
 * @code: its number; the first byte, when it is not UTF-8
 * @bytes: how many it has; 1 when it is not UTF-8
 *
 * Return: true if the character may be shown as it is. False for control characters other than tab and
 * newline; for what is invisible, looks like a space, or reorders the text around it; for what is not UTF-8.
 */
OTST_API bool otst_character(const char *text, size_t len, uint32_t *code, size_t *bytes);

/** otst_memory_default() - bytes that a command may use without --memory: a quarter of the machine's */
OTST_API uint64_t otst_memory_default(void);

/**
 * otst_path_problem() - why a file on this machine is neither a kernel image nor a dump
 *
 * Return: "no such file", "is a directory", "ASCII text, neither a kernel image nor a
 * dump"; NULL when the file is one of the two. A static string.
 */
OTST_API const char *otst_path_problem(const char *path);

/** enum otst_written - what an option writes */
enum otst_written {
	OTST_WRITTEN_PAGE,    /**< the page of --report */
	OTST_WRITTEN_INDEX,   /**< index.txt of --bundle */
	OTST_WRITTEN_LISTING, /**< a listing of --bundle, beside its index.txt */
	OTST_WRITTEN_DAT,     /**< -x trace.dat:FILE */
};

/** OTST_PAGE_SEAL - the last line of a page, with otst_page_sum(): nobody has changed it since */
#define OTST_PAGE_SEAL "<!-- otst %016llx -->\n"

/** otst_page_sum() - a number of all that is before the last line of a page */
OTST_API unsigned long long otst_page_sum(const char *text, size_t len);

/** OTST_INDEX_HEAD - the first line of index.txt */
#define OTST_INDEX_HEAD "STATUS\tFILE\tCOMMAND\n"

/**
 * otst_output_problem() - why a file on this machine must not be written
 * @ret: the file to write, which is @path with symbolic links followed; the caller
 *	frees it. May be NULL
 *
 * An output replaces only an empty file, or one that the same option wrote before. Symbolic links are followed
 * unless they lead nowhere, or are another user's in a sticky directory that anybody can write to, which the kernel
 * refuses with fs.protected_symlinks; the files of a bundle must not be links.
 *
 * Return: what is there: "a kernel image", "a dump", "ASCII text", "a directory"; NULL
 * when the file may be written. A static string.
 */
OTST_API const char *otst_output_problem(const char *path, enum otst_written what, char **ret);

/**
 * otst_output_open() - start to write what will be @path
 * @path: from otst_output_problem()
 * @partial: its name until then, in the same directory; the caller frees it
 *
 * It has the mode of a new file; where it will replace one that only its owner may read, that mode.
 *
 * Return: a descriptor; -1 with errno.
 */
OTST_API int otst_output_open(const char *path, char **partial);

/**
 * otst_output_finish() - give a file that is written its name
 * @partial: from otst_output_open(); it is removed when the file does not get its name
 * @what: as for otst_output_problem(), which is asked once more, of the file that is replaced
 *
 * Return: NULL, or why not: a static string.
 */
OTST_API const char *otst_output_finish(const char *partial, const char *path,
					enum otst_written what);

/** otst_error_text() - an enum otst_err in words: "out of memory"; a static string, never NULL */
OTST_API const char *otst_error_text(int err);

/** otst_version() - version of the engine, "1.2.3" */
OTST_API const char *otst_version(void);

/**
 * otst_layout() - the structures of this header as they were compiled
 * @ret: @size bytes; gets a NUL-terminated text, cut when it is longer
 *
 * For callers in other languages, which repeat the declarations: they make the
 * same text from their own and compare. Each structure has a line with its size,
 * then one line per member with its offset and size; the constants come last:
 *
 *	struct otst_output 32
 *		size 0 8
 *		write 8 8
 *	OTST_ERR_FAULT -2
 *
 * Return: length of the text.
 */
OTST_API size_t otst_layout(char *ret, size_t size);

/*
 * Stacks: frames of tasks in the dump, or frames from registers and stack bytes
 * that the caller has. On x86_64, arm64, riscv64, ppc64le and s390x.
 */

/**
 * struct otst_stack_frame - one program counter of a stack
 * @size: sizeof(struct otst_stack_frame) of the library
 * @pc: where execution continues; the real return address when a trampoline replaced it
 * @slot: address that held @pc; 0 for a register, or when unknown
 * @replaced: trampoline of a return probe or of function graph that was in @slot
 *	instead of @pc, else 0
 * @regs: address of the struct pt_regs that @pc comes from, else 0
 * @name: as the kernel prints it: "vfs_read+0x1d/0x2a0", "lab_two+0x5/0x20 [otst_lab]";
 *	a return address gets the name of the function that its call is in
 * @place: the stack that @slot lies on: "TASK", "IRQ", "NMI"; NULL when unknown
 * @how: how it was found: "given"; "orc", the kernel's ORC tables; "cfi", the
 *	call frames of vmlinux; "fp", the frame pointer; "scan", a word on the stack
 *	that looks like a return address
 * @reliable: it is not a guess
 * @exact: @pc is the next instruction and not the return address of a call
 */
struct otst_stack_frame {
	uint64_t size;
	uint64_t pc;
	uint64_t slot;
	uint64_t replaced;
	uint64_t regs;
	const char *name;
	const char *place;
	const char *how;
	uint32_t reliable;
	uint32_t exact;
};

/**
 * struct otst_stack_task - a task of the dump
 * @size: sizeof(struct otst_stack_task) of the library
 * @addr: address of its struct task_struct
 * @pid: pid of the thread in the initial namespace; 0 for idle tasks
 * @comm: its name
 * @cpu: the last cpu that it ran on
 * @running: it was running when the kernel stopped
 */
struct otst_stack_task {
	uint64_t size;
	uint64_t addr;
	uint64_t pid;
	const char *comm;
	uint32_t cpu;
	uint32_t running;
};

/**
 * struct otst_stack_walk - who gets stacks; what a call hands over is valid until it returns
 * @size: sizeof(struct otst_stack_walk)
 * @task: called before the frames of a task; it returns 0 to get them, a positive number
 *	to skip this task, a negative one to stop. NULL: all tasks.
 * @frame: called for each frame, the innermost first; non-zero stops
 * @end: called after the last frame; @how is "whole": it ends at user mode or where a
 *	thread starts; "full": there are more; "cut": the bytes end in the middle; "lost":
 *	nothing tells who the caller is; "none": there is no stack. @why: what was missing,
 *	or NULL. @end may be NULL.
 * @priv: handed to all of them
 */
struct otst_stack_walk {
	uint64_t size;
	int (*task)(void *priv, const struct otst_stack_task *task);
	int (*frame)(void *priv, const struct otst_stack_frame *frame);
	void (*end)(void *priv, const char *how, const char *why);
	void *priv;
};

/** struct otst_piece - @len bytes of a stack; @base: address of the first */
struct otst_piece {
	uint64_t base;
	const void *bytes;
	size_t len;
};

/** struct otst_return - @ret: the real return address, which a trampoline had replaced in @slot */
struct otst_return {
	uint64_t slot;
	uint64_t ret;
};

/** struct otst_stack_reg - a register; @name: "rip", as &otst_target_ops.cpu_regs gets it */
struct otst_stack_reg {
	const char *name;
	uint64_t value;
};

/**
 * struct otst_stack_state - registers, and the stack to unwind from them
 * @size: sizeof(struct otst_stack_state)
 * @regs: @nr_regs of them, in any order; program counter, stack pointer and frame
 *	pointer are always used. Registers that are missing are 0.
 * @pieces: the copy of the stack, @nr_pieces of them; NULL: it is read from the dump. With
 *	pieces the dump's stacks are not used: they have changed since.
 * @returns: return addresses that trampolines had replaced at that time, @nr_returns of
 *	them; NULL: those that the dump still has
 * @task: address of its struct task_struct; 0 when unknown
 * @cpu: -1 when unknown: then its interrupt stacks are unknown, too
 * @full: the other registers are known, too; a few kinds of code need them
 * @call: the program counter is a return address and not the next instruction
 */
struct otst_stack_state {
	uint64_t size;
	const struct otst_stack_reg *regs;
	uint64_t nr_regs;
	const struct otst_piece *pieces;
	uint64_t nr_pieces;
	const struct otst_return *returns;
	uint64_t nr_returns;
	uint64_t task;
	int64_t cpu;
	uint32_t full;
	uint32_t call;
};

/**
 * otst_stack_tasks() - stacks of the dump's tasks
 * @err: where a complaint goes
 *
 * Return: 0; OTST_ERR_OUTPUT when @walk stopped it; another enum otst_err.
 */
OTST_API int otst_stack_tasks(struct otst *o, const struct otst_stack_walk *walk,
			      const struct otst_output *err);

/**
 * otst_stack_frames() - one stack from registers and bytes
 * @walk: its @task is not called
 * @err: where a complaint goes
 *
 * Return: 0, however the stack ends; OTST_ERR_OUTPUT when @walk stopped it;
 * OTST_ERR_AGAIN when the registers are from user mode; OTST_ERR_USAGE when the kernel's
 * architecture has no such register; another enum otst_err.
 */
OTST_API int otst_stack_frames(struct otst *o, const struct otst_stack_state *state,
			       const struct otst_stack_walk *walk, const struct otst_output *err);

#ifdef __cplusplus
}
#endif

#endif /* OTST_H */
