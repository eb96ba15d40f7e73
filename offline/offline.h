/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offline.h - what the files of the stand-alone program share.
 *
 * The way a read goes: target.c (the ops of ../src/otst.h) asks dump.c, which
 * translates through the tables that pagetable.c found and fetches physical memory from elfcore.c or
 * kdump.c. Symbols come from elfsyms.c over the vmlinux that vmlinux.c opened. All but main.c can be linked into tests.
 *
 * Functions return 0 or a negative enum otst_err unless said otherwise. What
 * the user has to know goes to standard error through complain().
 */
#ifndef OTST_OFFLINE_H
#define OTST_OFFLINE_H

#include "../src/otst.h"

#include <sys/types.h>

struct dump;
struct elfcore;
struct kdump;
struct vmlinux;
struct elfsyms;

/* ---- complain.c: messages and whole reads ---- */

/** complain() - one line on standard error, "otst: " before it */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** read_fully() - @len bytes at @offset of @fd, all of them or false */
bool read_fully(int fd, void *buf, size_t len, uint64_t offset);

/* ---- progress.c: what long work is at, on standard error when that is a terminal ---- */

/** progress_begin() - work begins; nothing is said in its first two seconds */
void progress_begin(void);

/** progress_step() - what comes now, &otst_target_ops.progress; shown by the next progress_tick() */
void progress_step(const char *what, uint64_t done, uint64_t all);

/** progress_tick() - show it, now and then; cheap */
void progress_tick(void);

/** progress_clear() - before anything else is written to the terminal */
void progress_clear(void);

/** progress_end() - no more of it: what is printed now, or a pager, has the screen */
void progress_end(void);

/* ---- form.c: which kind of file is it ---- */

/** enum form - what the first bytes of a file say */
enum form {
	FORM_NONE = 0, /**< no regular file, or not readable */
	FORM_OTHER,    /**< a file, of no kind that is known here */
	FORM_VMLINUX,  /**< ELF executable */
	FORM_IMAGE,    /**< bzImage: a kernel, but packed and without symbols */
	FORM_PACKED,   /**< gzip, xz, bzip2, zstd */
	FORM_ELF_CORE,
	FORM_KDUMP,	/**< makedumpfile's, diskdump's */
	FORM_FLATTENED, /**< makedumpfile -F, QEMU's kdump formats */
};

/** form_of() - look into the file @path */
enum form form_of(const char *path);

/** form_is_dump() - is this something that dump_open() can try */
bool form_is_dump(enum form form);

/** form_message() - what helps when such a file is packed, else NULL; otst_path_problem() has the other reasons */
const char *form_message(enum form form);

/* ---- flattened.c ---- */

/**
 * flattened_open() - put a flattened dump into its natural order
 * @fd: the flattened file; stays the caller's
 * @ret: descriptor of an unnamed file in $TMPDIR (or /var/tmp) of about the same size
 */
int flattened_open(int fd, int *ret);

/* ---- machine.c: whose memory is it ---- */

/** enum machine - the machines whose dumps are read */
enum machine {
	MACHINE_UNSAID = 0, /**< the file does not say it */
	MACHINE_X86_64,
	MACHINE_ARM64,
};

/** machine_of_elf() - by e_machine; UNSUPPORTED, after a complaint, when it is none of these */
int machine_of_elf(unsigned int e_machine, enum machine *ret);

/** machine_of_name() - by what uname -m prints there; UNSUPPORTED, after a complaint, when it names another */
int machine_of_name(const char *name, enum machine *ret);

/** machine_of_vmcoreinfo() - by the lines that only one machine has */
enum machine machine_of_vmcoreinfo(const char *info, size_t len);

/** where pr_reg lies in a 64-bit kernel's struct elf_prstatus, the body of an NT_PRSTATUS note */
#define PR_REG 112u

/* ---- elfcore.c: ELF dumps ---- */

/** elfcore_open() - @fd must stay open as long as @ret */
int elfcore_open(int fd, struct elfcore **ret);
void elfcore_close(struct elfcore *e);

/** elfcore_read() - physical memory; FAULT when any byte is not in the file */
int elfcore_read(struct elfcore *e, uint64_t phys, void *buf, uint64_t len);

/** elfcore_next() - first physical range at or after @phys that is in the file; false when there is none */
bool elfcore_next(const struct elfcore *e, uint64_t phys, uint64_t *start, uint64_t *end);

/** elfcore_forget() - give back the memory that reads have mapped; for passes over the whole dump */
void elfcore_forget(struct elfcore *e);

/** elfcore_machine() - never MACHINE_UNSAID */
enum machine elfcore_machine(const struct elfcore *e);

/** elfcore_vmcoreinfo() - text of the note, NULL when there is none */
const char *elfcore_vmcoreinfo(const struct elfcore *e, size_t *len);

/** elfcore_phys_base() - phys_base as the kernel text's segment tells it; false when there is no such segment */
bool elfcore_phys_base(const struct elfcore *e, uint64_t *ret);

/** elfcore_regs() - the first @count of pr_reg[] in the NT_PRSTATUS note number @cpu; false when there is none, or fewer */
bool elfcore_regs(const struct elfcore *e, unsigned int cpu, uint32_t count, uint64_t *ret);

/* ---- kdump.c: everything else, through libkdumpfile ---- */

/** kdump_file_open() - @fd must stay open as long as @ret */
int kdump_file_open(int fd, struct kdump **ret);
void kdump_file_close(struct kdump *k);

/** kdump_file_read() - memory in the space enum otst_space @space; virtual only after kdump_file_translate() */
int kdump_file_read(struct kdump *k, int space, uint64_t addr, void *buf, uint64_t len);

/** kdump_file_next() - as elfcore_next() */
bool kdump_file_next(struct kdump *k, uint64_t phys, uint64_t *start, uint64_t *end);

/** kdump_file_machine() - as the header says */
enum machine kdump_file_machine(const struct kdump *k);

/** kdump_file_is_xen() - memory of Xen or of a guest, whose tables pagetable.c does not find */
bool kdump_file_is_xen(struct kdump *k);

/** kdump_file_vmcoreinfo() - text of the dump's VMCOREINFO, NULL when there is none */
const char *kdump_file_vmcoreinfo(const struct kdump *k, size_t *len);

/** kdump_file_phys_base() - as the dump's header has it */
bool kdump_file_phys_base(struct kdump *k, uint64_t *ret);

/** kdump_file_regs() - as elfcore_regs() */
bool kdump_file_regs(struct kdump *k, unsigned int cpu, uint32_t count, uint64_t *ret);

/** kdump_file_translate() - let the library translate virtual addresses, with @info when the dump has no VMCOREINFO */
int kdump_file_translate(struct kdump *k, const char *info, size_t len);

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

/** diskguard_machine() - as the header says */
enum machine diskguard_machine(const struct diskguard *g);

/** diskguard_page_size() - size of the pages in the file */
uint64_t diskguard_page_size(const struct diskguard *g);

/** diskguard_allows() - are these bytes in the dump, and safe to have the library read them; @len is not 0 */
bool diskguard_allows(const struct diskguard *g, uint64_t phys, uint64_t len);

/* ---- vmcoreinfo.c ---- */

/** vmcoreinfo_line() - value of line "@key=", up to the newline; NULL when there is none */
const char *vmcoreinfo_line(const char *info, size_t len, const char *key, size_t *ret_len);

/** vmcoreinfo_hex() - hexadecimal value of "@key=" */
bool vmcoreinfo_hex(const char *info, size_t len, const char *key, uint64_t *ret);

/** vmcoreinfo_number() - decimal, possibly negative value of "@key=" */
bool vmcoreinfo_number(const char *info, size_t len, const char *key, uint64_t *ret);

/** vmcoreinfo_length() - bytes of text at the start of a page when it looks like VMCOREINFO, else 0 */
size_t vmcoreinfo_length(const char *page, size_t size);

/* ---- pagetable.c: where page tables start ---- */

/**
 * pagetable_open() - translation by the kernel's own page table
 * @d: where the tables are read, physically
 * @machine: whose tables they are
 * @info: VMCOREINFO; gives the root, the number of levels, the memory encryption mask
 * @phys_base: what to use where an x86_64's VMCOREINFO has no phys_base (before v4.10); may be NULL
 *
 * Return: 0, NOMEM, or CORRUPT when the text names no root or the root does
 * not map the kernel where the text says it is.
 */
int pagetable_open(struct dump *d, enum machine machine, const char *info, size_t len,
		   const uint64_t *phys_base, struct otst_pagetable **ret);

/* ---- dump.c ---- */

/** dump_open() - open the dump @path; complains itself when it cannot */
int dump_open(const char *path, struct dump **ret);
void dump_close(struct dump *d);

/** dump_read() - @space is an enum otst_space; all or FAULT */
int dump_read(struct dump *d, int space, uint64_t addr, void *buf, uint64_t len);

/** dump_vmcoreinfo() - VMCOREINFO's text, or NULL; lives as long as @d */
const char *dump_vmcoreinfo(const struct dump *d, size_t *len);

/** dump_regs() - @count registers of @cpu as the dump's notes have them; LOOKUP when they do not */
int dump_regs(struct dump *d, unsigned int cpu, uint32_t count, uint64_t *ret);

/* ---- vmlinux.c ---- */

/** vmlinux_open() - open the ELF file @path of the kernel in @d; complains when it cannot */
int vmlinux_open(const char *path, const struct dump *d, struct vmlinux **ret);
void vmlinux_close(struct vmlinux *v);

/** vmlinux_symbol() - by exact name, in the running kernel's addresses */
int vmlinux_symbol(struct vmlinux *v, const char *name, uint64_t *ret);

/** vmlinux_symbol_at() - see &otst_target_ops.symbol_at */
int vmlinux_symbol_at(struct vmlinux *v, uint64_t addr, struct otst_symbol *ret);

/** vmlinux_has_symbols() - has it a symbol table, which then has all symbols */
bool vmlinux_has_symbols(struct vmlinux *v);

/* ---- elfsyms.c: .symtab of a vmlinux; addresses as linked ---- */

/** elfsyms_open() - @elf is libelf's Elf of the file */
int elfsyms_open(void *elf, struct elfsyms **ret);
void elfsyms_close(struct elfsyms *s);
int elfsyms_find(struct elfsyms *s, const char *name, uint64_t *ret);
int elfsyms_at(struct elfsyms *s, uint64_t addr, struct otst_symbol *ret);

/* ---- target.c: struct otst_target_ops over all of it ---- */

struct offline;

/**
 * offline_open() - a dump, and the kernel's ELF file when there is one
 * @vmlinux: may be NULL
 * @interrupted: set from a signal handler when the user asked to stop; may be NULL
 */
int offline_open(const char *vmlinux, const char *vmcore, const volatile int *interrupted,
		 struct offline **ret);
void offline_close(struct offline *f);

/** offline_ops() - to be used with the struct offline as its private pointer */
const struct otst_target_ops *offline_ops(void);

#endif /* OTST_OFFLINE_H */
