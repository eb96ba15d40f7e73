/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * offline.h - what the files of the stand-alone program share.
 *
 * The path of a read: target.c (the ops of ../src/otst.h) asks dump.c, which
 * fetches physical memory from the file of the dump's form (forms.h). All but main.c can be linked into tests.
 *
 * Functions return 0 or a negative enum otst_err unless said otherwise. What the
 * user has to know goes to standard error through complain().
 */
#ifndef OTST_OFFLINE_H
#define OTST_OFFLINE_H

#include "../src/otst.h"

#include <signal.h>
#include <sys/types.h>

struct dump;

/* ---- complain.c: messages and whole reads ---- */

/** complain() - one line on standard error, "otst: " before it */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** INCOMPLETE_DUMP - complaint about a dump whose header says that it ends too early */
#define INCOMPLETE_DUMP \
	"the dump is incomplete: makedumpfile could not write all of it, so memory is missing"

/** read_fully() - read @len bytes at @offset of @fd; false unless all of them can be read */
bool read_fully(int fd, void *buf, size_t len, uint64_t offset);

/**
 * grow_array() - make room for one more item
 * @items: @count of them, @size bytes each; NULL for none yet
 * @room: for so many there is room; 0 at first
 *
 * Return: the array, perhaps elsewhere; NULL when out of memory, and @items is still there.
 */
void *grow_array(void *items, size_t count, size_t *room, size_t size);

/* ---- progress.c: progress of long work, on standard error when that is a terminal ---- */

/** progress_begin() - work begins; nothing is said in its first two seconds */
void progress_begin(void);

/** progress_step() - set what progress_tick() shows next, see &otst_target_ops.progress */
void progress_step(const char *what, uint64_t done, uint64_t all);

/** progress_tick() - show the progress now and then; cheap */
void progress_tick(void);

/** progress_clear() - erase the line before anything else is written to the terminal */
void progress_clear(void);

/** progress_end() - show no more progress: the screen now belongs to the output, or to a pager */
void progress_end(void);

/* ---- form.c: which kind of file is it ---- */

/** enum form - what the first bytes of a file say */
enum form {
	FORM_NONE = 0, /**< not a regular file, or not readable */
	FORM_OTHER,    /**< a file of no known kind */
	FORM_VMLINUX,  /**< a kernel: an ELF executable, or what a boot loader loads */
	FORM_PACKED,   /**< gzip, xz, bzip2, zstd; not a kernel */
	FORM_ELF_CORE,
	FORM_XEN_CORE,	/**< an ELF core without program headers: xl dump-core's */
	FORM_KDUMP,	/**< makedumpfile's, diskdump's, s390's own */
	FORM_SADUMP,	/**< of Fujitsu's firmware */
	FORM_PART,	/**< one of the files that makedumpfile --split makes */
	FORM_FLATTENED, /**< makedumpfile -F, QEMU's kdump formats */
	FORM_LIME,	/**< LiME, AVML without compression */
	FORM_AVML,	/**< AVML with compression */
	FORM_QEMU,	/**< QEMU's migration stream, also in libvirt's save files */
	FORM_VMWARE,	/**< VMware's .vmss, .vmsn */
	FORM_RAW,	/**< not known by any header, and large: it may be raw memory */
	FORM_FOREIGN,	/**< memory or a disk in a form that has to be converted */
	FORM_BTF,	/**< types of a kernel: BTF that is detached from it */
};

/**
 * form_of() - look into the file @path
 * @advice: what to do with a file that cannot be read as it is, or NULL; otst_path_problem()
 *          has the rest
 */
enum form form_of(const char *path, const char **advice);

/** form_is_dump() - true if this is something that dump_open() can try (dump.c) */
bool form_is_dump(enum form form);

/* ---- flattened.c ---- */

/**
 * flattened_open() - put a flattened dump into its natural order
 * @fd: the flattened file; stays the caller's
 * @ret: descriptor of an unnamed file in $TMPDIR (or /var/tmp) of about the same size
 */
int flattened_open(int fd, int *ret);

/* ---- machine.c: UNSUPPORTED, after a complaint, for a machine whose dumps are not read ---- */

/** machine_check_elf() - check by e_machine */
int machine_check_elf(unsigned int e_machine);

/** machine_check_name() - check by what uname -m prints there; 0 for an unknown name */
int machine_check_name(const char *name);

/* ---- diskguard.c ---- */

struct diskguard;

/**
 * diskguard_open() - check the header of a compressed dump
 * @ret: NULL when @fd is of another form
 *
 * Return: 0, NOMEM, or CORRUPT or UNSUPPORTED after a complaint.
 */
int diskguard_open(int fd, struct diskguard **ret);
void diskguard_close(struct diskguard *g);

/** diskguard_page_size() - size of the pages in the file */
uint64_t diskguard_page_size(const struct diskguard *g);

/** diskguard_allows() - are these bytes dumped, and safe for the library to read; @len is not 0 */
bool diskguard_allows(const struct diskguard *g, uint64_t phys, uint64_t len);

/* ---- live.c: the running kernel ---- */

#define LIVE_KERNEL "/proc/kcore"

/** live_is_path() - true if @path names LIVE_KERNEL */
bool live_is_path(const char *path);

/**
 * live_problem() - why LIVE_KERNEL cannot be opened
 * @error: errno
 * @proc: there is a /proc
 * @root: the program runs as root
 * @lockdown: text of /sys/kernel/security/lockdown, "" when there is none
 */
const char *live_problem(int error, bool proc, bool root, const char *lockdown);

/** live_open() - its descriptor; -1 after a complaint */
int live_open(void);

/* ---- livesyms.c: symbols of the running kernel, from /proc/kallsyms ---- */

struct livesyms;

/** livesyms_open() - the kernel's own symbols, without those of modules */
int livesyms_open(const char *path, struct livesyms **ret);
void livesyms_close(struct livesyms *s);

/** livesyms_find() - find a symbol, a global one if there are several; else LOOKUP */
int livesyms_find(const struct livesyms *s, const char *name, uint64_t *ret);

/** livesyms_at() - see &otst_target_ops.symbol_at */
int livesyms_at(const struct livesyms *s, uint64_t addr, struct otst_symbol *ret);

/* ---- dump.c ---- */

/**
 * struct dump_files - what the user names
 * @path: the dump
 * @more: @nr_more further parts of a split dump
 * @memory_map: the file of --memory-map; or NULL
 */
struct dump_files {
	const char *path;
	const char *const *more;
	size_t nr_more;
	const char *memory_map;
};

/** dump_open() - complains itself when the dump cannot be opened; @threads: see &form_file */
int dump_open(const struct dump_files *files, unsigned int threads, struct dump **ret);
void dump_close(struct dump *d);

/** dump_read() - @space: enum otst_space; all or FAULT; UNSUPPORTED: virtual memory except Xen's */
int dump_read(struct dump *d, int space, uint64_t addr, void *buf, uint64_t len);

/** dump_reads_ahead() - does dump_ahead() do anything */
bool dump_reads_ahead(const struct dump *d);

/** dump_ahead() - this physical memory will be read soon */
void dump_ahead(struct dump *d, uint64_t phys, uint64_t len);

/** dump_next() - first physical range in the dump at or after @phys; false when there is none */
bool dump_next(struct dump *d, uint64_t phys, uint64_t *start, uint64_t *end);

/** dump_place() - its memory begins at @phys; false if the dump itself says where it is */
bool dump_place(struct dump *d, uint64_t phys);

/** dump_extent() - part @i of a file that does not say which memory it holds; false: there is none */
bool dump_extent(struct dump *d, uint64_t i, uint64_t *phys, uint64_t *size, uint64_t *offset);

/** dump_vmcoreinfo() - VMCOREINFO's text if the library has it, else NULL; lives as long as @d */
const char *dump_vmcoreinfo(const struct dump *d, size_t *len);

/** dump_elf_notes() - its ELF notes, or NULL; they live as long as @d */
const void *dump_elf_notes(const struct dump *d, size_t *len);

/** dump_hint() - for when no kernel is found in it, see &form_ops.hint; NULL once that was done */
const char *dump_hint(const struct dump *d);

/** dump_is_big_endian() - true if the kernel is big-endian */
bool dump_is_big_endian(const struct dump *d);

/* ---- helper.c ---- */

struct helper;

/** helper_create() - a thread that is started at its first use; NULL when out of memory */
struct helper *helper_create(void);
void helper_destroy(struct helper *h);

/** helper_start(), helper_finish() - see &otst_target_ops.start; only one thread may call them */
uint64_t helper_start(struct helper *h, void (*work)(void *what), void *what);
void helper_finish(struct helper *h, uint64_t number);

/* ---- confine.c ---- */

/**
 * struct confinement - what the process may still do
 * @words: @nr_words of the command line; files among them can be read
 * @search: root of the directories where kernels are installed; NULL: they are not searched
 * @types: a file that no word names; NULL for none
 * @page, @bundle, @data: where --report, --bundle, -x trace.dat: write; NULL without
 * @memory: limit on the arenas of a command, in bytes
 * @live: the running kernel is read
 */
struct confinement {
	const char *const *words;
	size_t nr_words;
	const char *search;
	const char *types;
	const char *page;
	const char *bundle;
	const char *data;
	uint64_t memory;
	bool live;
};

/** confine() - from here on the process can do nothing else; as far as the kernel can do that */
void confine(const struct confinement *c);

/** confine_parts() - which parts are in force here: "files (Landlock 7), system calls (seccomp), memory" */
const char *confine_parts(void);

/* ---- calls.c ---- */

/** calls_filter() - forbid system calls from here on; false when this kernel or processor cannot */
bool calls_filter(bool writes);

/** calls_can_filter() - can it */
bool calls_can_filter(void);

/** calls_end() - handler of SIGSYS: says what the program tried, and ends it */
void calls_end(int signal, siginfo_t *info, void *context);

/* ---- loaded.c ---- */

/** loaded_drop() - give back what only the dynamic loader needed */
void loaded_drop(void);

/* ---- target.c: struct otst_target_ops over a dump ---- */

struct offline;

/**
 * offline_open() - open a dump
 * @interrupted: a signal handler sets it when the user asks to stop; may be NULL
 * @threads: how many may work at once; 1 for this one alone
 */
int offline_open(const struct dump_files *files, const volatile sig_atomic_t *interrupted,
		 unsigned int threads, struct offline **ret);
void offline_close(struct offline *f);

/** offline_is_live() - true if it is the running kernel */
bool offline_is_live(const struct offline *f);

/** offline_is_big_endian() - true if the kernel is big-endian */
bool offline_is_big_endian(const struct offline *f);

/** offline_ops() - the ops; their private pointer is the struct offline */
const struct otst_target_ops *offline_ops(const struct offline *f);

/* ---- names.c ---- */

/**
 * struct names - the names of the running kernel's symbols
 *
 * names_read() returns NULL when @path cannot be read or there is no memory.
 */
struct names;
struct names *names_read(const char *path);
bool names_have(const struct names *n, const char *name);
/* are those of variables among them: else only functions have names (no CONFIG_KALLSYMS_ALL) */
bool names_have_data(const struct names *n);
void names_free(struct names *n);

#endif /* OTST_OFFLINE_H */
