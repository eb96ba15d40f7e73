/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * arch.h - what is known of a processor without a dump. One file of this
 * folder describes one processor; the rest of the engine asks its table.
 */
#ifndef OTST_ARCH_H
#define OTST_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../otst.h"

/**
 * OTST_ARCHES() - every architecture, a row each
 *
 * Tables by architecture are made of these rows, here and in other folders, with
 * weak references: where the files of one are not linked, its place is empty.
 */
#define OTST_ARCHES(row) row(x86_64) row(aarch64) row(riscv64) row(s390x) row(ppc64le)

/* ---- registers ---- */

/** room for the registers of any architecture */
#define OTST_REGS_MAX 40

/** room for what the processor stores of them */
#define OTST_STORED_MAX 256u

/** in the place of a register's number: there is none */
#define OTST_NO_REG 0xff

/**
 * struct otst_register - one register
 * @name: as gdb and JSON call it
 * @member: where struct pt_regs has it; @index: of an array
 * @dwarf: its number in DWARF, OTST_NO_REG for none
 */
struct otst_register {
	const char *name;
	const char *member;
	uint8_t index;
	uint8_t dwarf;
};

/**
 * struct otst_shown_reg - a register in the text of the kernel's show_regs()
 * @before: what stands before it
 * @reg: its number
 * @digits: at least so many
 * @mask: bits that are shown, 0 for all
 */
struct otst_shown_reg {
	const char *before;
	uint8_t reg;
	uint8_t digits;
	uint64_t mask;
};

/* ---- instructions ---- */

#define OTST_BRANCH_MAX 8u /* bytes of the longest call or jump that a kernel patches in */

/** struct otst_insn_form - an instruction that is always the same @len bytes */
struct otst_insn_form {
	uint8_t bytes[OTST_BRANCH_MAX];
	uint8_t len;
};

/**
 * struct otst_insn_known - an instruction that some version of libcapstone lacks, or takes for another
 * @bytes: @len bytes begin with @count of these, the last of them under @mask
 */
struct otst_insn_known {
	uint8_t bytes[OTST_BRANCH_MAX];
	uint8_t count;
	uint8_t mask;
	uint8_t len;
	const char *text;
};

#define OTST_VENEER_MAX 24u

#define OTST_INSN_TEXT 32u /* room for what spell() writes */

struct cs_insn;

/**
 * struct otst_open_flags - flags of open() that some architectures have of their own
 *
 * Those of include/uapi/asm-generic/fcntl.h are 0200000, 0400000, 040000 and 0100000.
 */
struct otst_open_flags {
	uint32_t directory, nofollow, direct, largefile;
};

enum otst_branch_kind { OTST_BRANCH_NONE, OTST_BRANCH_CALL, OTST_BRANCH_JUMP };

/**
 * struct otst_branch - a direct call or jump
 * @len: its bytes
 * @target: where it leads; 0 when the end of the bytes cuts it off
 */
struct otst_branch {
	enum otst_branch_kind kind;
	unsigned int len;
	uint64_t target;
};

/**
 * struct otst_debug_registers - registers for hardware breakpoints, as each cpu keeps them
 * @slots: per-cpu array of @count users' perf events
 * @addresses: per-cpu array of what was written to them; @control: variable with two bits of each
 *	that is on; NULL where the kernel keeps no copy
 * @name: of the first, without its number
 */
struct otst_debug_registers {
	const char *slots, *addresses, *control;
	const char *name;
	unsigned int count;
};

/* ---- page tables ---- */

#define OTST_PAGINGS_MAX 3u /* that one VMCOREINFO may mean */

/**
 * struct otst_paging - where a kernel's page tables start and how they look
 * @root: physical address of the top table (init_top_pgt, swapper_pg_dir)
 * @encryption: on x86_64, bits of an entry that do not belong to the address (sme_me_mask)
 * @page_shift: 12; on arm64 also 14 or 16
 * @va_bits: bits of an address that the tables translate; on x86_64 48 or 57, on riscv64 39, 48 or 57,
 *	on s390x 42 or 53, on ppc64le 46 or 52
 * @linear: @linear_len bytes from here on are physical memory from 0 on, and not in the tables: those of
 *	ppc64le's hash MMU; elsewhere @linear_len is 0
 * @mapped: where vmalloc's area starts, of which such tables have an entry
 * @machine: whose they are, EM_*
 */
struct otst_paging {
	uint64_t root;
	uint64_t encryption;
	uint64_t linear;
	uint64_t linear_len;
	uint64_t mapped;
	uint32_t page_shift;
	uint32_t va_bits;
	uint32_t machine;
};

struct otst_pagetable;

/**
 * otst_pagetable_create() - translation by page tables
 * @paging: copied; @root is not looked at before the first walk
 * @read: reads physical memory, all or FAULT
 * @priv: handed to @read
 * @ret: to be freed with otst_pagetable_destroy(); caches tables until then
 *
 * Return: 0, NOMEM, or UNSUPPORTED when @paging makes no sense.
 */
int otst_pagetable_create(const struct otst_paging *paging,
			  int (*read)(void *priv, uint64_t phys, void *buf, uint64_t len),
			  void *priv, struct otst_pagetable **ret);

/**
 * otst_pagetable_find() - the same, with tables that VMCOREINFO leads to
 * @machine: EM_*
 * @fact: a value of VMCOREINFO by its key, "SYMBOL(_stext)", "NUMBER(VA_BITS)", "PAGESIZE"; false when
 *	it has none. Where it says nothing of NUMBER(phys_base) the dump's headers may.
 * @facts: handed to @fact
 *
 * Return: 0, NOMEM, or CORRUPT when it names no table, or the table does not map
 * the kernel where VMCOREINFO says it is: stale copies, of an earlier boot, do
 * not pass.
 */
int otst_pagetable_find(uint32_t machine, bool (*fact)(void *priv, const char *key, uint64_t *ret),
			void *facts,
			int (*read)(void *priv, uint64_t phys, void *buf, uint64_t len), void *priv,
			struct otst_pagetable **ret);

/** otst_pagetable_forget() - the tables may have changed: read them again */
void otst_pagetable_forget(struct otst_pagetable *p);

/** otst_pagetable_destroy() - NULL is fine */
void otst_pagetable_destroy(struct otst_pagetable *p);

/**
 * otst_pagetable_walk() - translate one address
 * @span: bytes from @virt that are mapped in one piece
 *
 * Return: 0, or FAULT when it is not mapped or a table cannot be read.
 */
int otst_pagetable_walk(struct otst_pagetable *p, uint64_t virt, uint64_t *phys, uint64_t *span);

/** otst_pagetable_read() - @len bytes at a virtual address; 0, FAULT, or what the reader returned */
int otst_pagetable_read(struct otst_pagetable *p, uint64_t virt, void *buf, uint64_t len);

/** enum otst_reloc_slot - tables of a module that its loader makes */
enum otst_reloc_slot { OTST_SLOT_NONE, OTST_SLOT_GOT, OTST_SLOT_PLT, OTST_SLOTS };

#define OTST_SLOT_MAX 40u /* bytes of the longest entry of such a table */

/** enum otst_reloc_toc - what a relocation has to do with a module's table of contents (TOC) */
enum otst_reloc_toc {
	OTST_TOC_NONE,
	OTST_TOC_BASE,	/**< relative to its pointer, not to the place */
	OTST_TOC_VALUE, /**< the pointer is its value */
	OTST_TOC_CALL, /**< of the module's own functions to where the pointer is set; of others to a stub */
};

/**
 * struct otst_toc - how modules reach their data by a table of contents, and others' functions by stubs
 * @pointer: the symbol that stands for the table's pointer
 * @section: the table; @stubs: the kernel's stubs, which are the table where there is none
 * @bias: from the table to its pointer, behind @align
 * @stub: type of a stub; @function: its member, whom it calls
 * @own_call: the symbol by which functions call ftrace, whose stub keeps the pointer
 * @reloc: what a relocation of this type needs
 * @local: from a function to where its pointer is set, by its symbol's st_other
 * @restore: change what stands behind such a call, so that it sets the pointer again
 * @magic: member of @stub that marks it, with @mark in it
 * @kernel: member of struct paca_struct with the kernel's pointer
 * @put: the instructions of a stub, which is @distance bytes behind the module's pointer
 * @put_own: those of ftrace's, whose function is @distance bytes behind the kernel's pointer,
 *	which is at @member of struct paca_struct
 */
struct otst_toc {
	const char *pointer, *section, *stubs;
	uint64_t bias, align;
	const char *stub, *function;
	const char *own_call;
	enum otst_reloc_toc (*reloc)(uint32_t type);
	unsigned int (*local)(uint8_t st_other);
	void (*restore)(uint8_t *place, size_t room);
	const char *magic, *kernel;
	uint32_t mark;
	void (*put)(uint8_t *to, uint64_t distance);
	void (*put_own)(uint8_t *to, uint64_t distance, uint64_t member);
};

/**
 * struct otst_arch - one processor
 * @name: as new_utsname.machine says it; "" of a processor that has no file here
 * @elf_machine: EM_*
 * @page_size: of its pages, 0 when kernels choose among several
 * @head_symbol: a symbol that all its kernels have, and no others
 * @head_source: the file of the kernel's sources that defines it
 *
 * @regs: @nr_regs of them, their numbers everywhere in the engine: in the order of
 *	pr_reg[] of an NT_PRSTATUS note, which is that of struct pt_regs as well
 * @pc, @sp, @fp: numbers of these registers
 * @ra: the one that holds the return address at a function's entry;
 *	OTST_NO_REG where calls push it
 * @dwarf_ra: column of the return address in DWARF call frames
 * @args: registers of a function's arguments, @nr_args; the rest is on the stack,
 *	from @stack_args bytes above its pointer at the entry
 * @by_reference: of a structure of more than two words the address is passed
 * @syscall: register of a system call's number, @syscall_args of its six arguments
 * @shown: @nr_shown registers in the order of the kernel's show_regs()
 * @shown_pc: what stands before the address there, and before a code segment
 *	with @segments
 * @open_flags: NULL for the generic ones
 * @user_mode: were these registers taken in user mode
 * @thread_sp: member of task_struct with the stack pointer of a task that does not run
 * @graph_place: member of struct ftrace_ret_stack with the frame pointer of the caller;
 *	NULL for "retp", which on some architectures is stale or missing
 * @stored_areas: symbol of an array of pointers, one a cpu, to where the processor stores the registers of
 *	a stopped cpu; NULL when it does not. Each pointer is a multiple of @stored_align
 * @stored_at, @stored_len: their place there, at most OTST_STORED_MAX bytes
 * @take_stored: takes the registers from these bytes; false when none were stored
 */
struct otst_arch {
	const char *name;
	uint16_t elf_machine;
	uint32_t page_size;
	const char *head_symbol, *head_source;

	/* registers */
	const struct otst_register *regs;
	const uint8_t *args;
	const struct otst_shown_reg *shown;
	const char *shown_pc;
	uint8_t nr_regs, nr_args, nr_shown;
	uint8_t pc, sp, fp, ra, dwarf_ra;
	uint8_t stack_args;
	bool segments;
	bool by_reference;
	uint8_t syscall, syscall_args[6];
	const struct otst_open_flags *open_flags;
	bool (*user_mode)(const uint64_t *regs);
	const char *thread_sp;
	const char *graph_place;
	const char *stored_areas;
	uint16_t stored_align, stored_at, stored_len;
	bool (*take_stored)(const uint8_t *bytes, uint64_t *ret);

	/* instructions; @bytes are what stands at @addr, at least 4 of them */

	/** of kprobes, and of a debugger (kgdb) */
	struct otst_insn_form breakpoint, kgdb_breakpoint;
	/** of kprobes on an instruction that is shorter than @breakpoint; of no bytes where that does not matter */
	struct otst_insn_form short_breakpoint;
	/** what stands where ftrace calls nobody */
	struct otst_insn_form nop;
	/** what ftrace writes before each of its calls when the kernel starts; of no bytes where that is nothing */
	struct otst_insn_form call_prefix;
	/** enabled_functions says what a trampoline calls: arch_ftrace_trampoline_func() is not the weak one */
	bool names_callee;
	/** how far behind a function's first byte the call of ftrace may be */
	unsigned int call_max;
	/** how far a call reaches, to both sides; 0: to all of the kernel and its modules */
	uint64_t call_reach;
	/** distance between instructions: 1 when they are of any length */
	unsigned int insn_step;
	/** bytes of an instruction by its first ones; NULL where kprobes keep as much as their breakpoint covers */
	size_t (*insn_len)(const uint8_t *bytes);
	/** bytes of what put_branch() makes */
	unsigned int branch_len;
	/** bytes of a call that are before its ftrace site and stay there, where that may be; else 0 */
	unsigned int call_lead;
	/** how far from the common trampoline such a call reaches, to both sides */
	unsigned int lead_reach;
	/** is it an unconditional direct call or jump; false when not, and @ret->kind is NONE */
	bool (*branch)(const uint8_t *bytes, size_t len, uint64_t addr, struct otst_branch *ret);
	/** the call or jump at @addr to @target; bytes that were written, 0 when there is none so far */
	size_t (*put_branch)(uint8_t *to, enum otst_branch_kind kind, uint64_t addr,
			     uint64_t target);
	/** length of what marks a function as a target of indirect calls, or stands in its place; 0 for all else */
	size_t (*entry_mark)(const uint8_t *bytes);
	/** length of a nop that makes room for a call of ftrace; 0 for all else */
	size_t (*entry_nop)(const uint8_t *bytes);
	/** how far behind a function's first byte all its arguments are where they were */
	unsigned int entry_max;
	/** bytes before a return address that follows_call() looks at */
	unsigned int call_window;
	/** may these bytes, all before a return address, end with a call */
	bool (*follows_call)(const uint8_t *before);
	/** bytes of a veneer (a module's PLT), and where one leads; veneer() is NULL where there are none */
	unsigned int veneer_len;
	/**
	 * Each site of ftrace keeps the way to a veneer of its own: make the instruction
	 * there take it or not. False when it is another one. NULL where sites have no such way.
	 */
	bool (*switch_site)(uint8_t *insn, bool on);
	bool (*veneer)(const uint8_t *bytes, uint64_t addr, uint64_t *ret);
	/** a site may jump to a stub of its own, its veneer (struct dyn_ftrace.arch.ool_stub): where in that the call is */
	unsigned int stub_call;
	/** BPF writes calls and jumps into its programs' text that lead straight to their target */
	bool bpf_pokes_straight;
	/**
	 * A relocation of a module, as the kernel does it: @value is symbol and addend,
	 * @addr the place's. False for a type that modules do not have, and when the place has no
	 * room. NULL where modules' files are not read.
	 */
	bool (*relocate)(uint8_t *place, size_t room, uint32_t type, uint64_t addr, uint64_t value);
	/**
	 * Does a relocation of @type name the place of another one, whose value and address it
	 * takes, and may that be of type @at_place (0: any)? NULL where there are none.
	 */
	bool (*reloc_by_place)(uint32_t type, uint32_t at_place);
	/**
	 * The slot that a symbol has for a relocation of @type: it goes there, or for one of the
	 * PLT when the symbol is out of reach. NULL where there are none.
	 */
	enum otst_reloc_slot (*reloc_slot)(uint32_t type);
	/**
	 * An entry of a module's PLT, of @size bytes at @at, that leads to @target; false when no kernel
	 * has entries of that size, or it does not reach. @via: on riscv64 the word with the target; on s390x
	 * the last entry, which has the jump, or 0 when each has its own. NULL where there are none.
	 */
	bool (*put_plt)(uint8_t *to, uint64_t size, uint64_t at, uint64_t target, uint64_t via);
	/** sizes that entries may have, up to 0 */
	uint8_t plt_sizes[3];
	/** what the last entry has, in a PLT whose entries share their jump */
	struct otst_plt_jump {
		uint8_t bytes[12], len;
	} plt_jump;
	/** NULL where modules have none */
	const struct otst_toc *toc;

	/* disassembly: libcapstone's constants, and what has to be said beside it */
	bool has_capstone;
	int capstone_arch, capstone_mode, capstone_syntax;
	const struct otst_insn_known *known;
	uint8_t nr_known;
	/** text of an instruction that versions of libcapstone print differently; false for all else */
	bool (*spell)(const uint8_t *bytes, char ret[OTST_INSN_TEXT]);
	/**
	 * Where a relative branch leads, or what lies at an operand relative to the
	 * instruction: then @refers is set. @target is left alone when there is neither.
	 */
	void (*refer)(const struct cs_insn *insn, bool branch, uint64_t *target, bool *refers);

	/* hardware breakpoints */
	const struct otst_debug_registers *debug;
	unsigned int nr_debug;

	/* address ranges */
	/** the lowest address that a kernel may have */
	uint64_t kernel_begin;
	/** code of the kernel, of modules, of BPF lies above */
	uint64_t text_begin;
	/** what the image has before _stext is not mapped */
	bool head_unmapped;
	/** end of the addresses that programs may have, and of those that they get unless they ask for more */
	uint64_t user_end, user_window;
	/** SECTION_SIZE_BITS where VMCOREINFO does not say it; 0: not known */
	uint8_t section_bits;

	/* page tables */
	/** sizes of pages and addresses that kernels are built with, or switch to when they start */
	const struct otst_paging *layouts;
	uint8_t nr_layouts;
	/** symbols of the top table, the newest first, up to NULL */
	const char *const *top_tables;
	/** a variable with the bits of an entry that do not belong to the address; NULL for none */
	const char *encryption;
	/** bits of an address that choose among a table's entries, above @shift; NULL: a table fills a page */
	unsigned int (*index_bits)(const struct otst_paging *g, unsigned int shift);
	/** entries are big-endian, whatever the kernel is */
	bool big_tables;
	/** may the tables translate this address */
	bool (*translates)(const struct otst_paging *g, uint64_t virt);
	/**
	 * What an entry at @shift says: where the next table or the memory is, and
	 * whether it is memory. False when it is not present.
	 */
	bool (*decode_entry)(const struct otst_paging *g, uint64_t entry, unsigned int shift,
			     uint64_t *next, bool *is_memory);
	/**
	 * What VMCOREINFO says of the tables, which @fact is asked for: so many of
	 * @ret, the likely one first, and a virtual address whose physical one is known.
	 */
	size_t (*find_pagings)(bool (*fact)(void *priv, const char *key, uint64_t *ret), void *priv,
			       struct otst_paging ret[OTST_PAGINGS_MAX], uint64_t *virt,
			       uint64_t *phys);
	/** the boot loader puts the kernel's image at multiples of this, as it is linked to some */
	uint32_t image_align;
	/** the variable of the image that says how its virtual addresses follow from physical ones, and where in it */
	const char *image_offset;
	uint8_t image_offset_at;
	/**
	 * By how much the image's addresses were moved; @move is physical address minus
	 * linked one, @offset the value of that variable.
	 */
	uint64_t (*image_shift)(uint64_t move, uint64_t offset);
};

extern const struct otst_arch otst_arch_unknown;

/** otst_arch_named() - the processor that new_utsname.machine names; never NULL */
const struct otst_arch *otst_arch_named(const char *machine);

/** otst_arch_of_elf() - the processor of an ELF file's e_machine; never NULL */
const struct otst_arch *otst_arch_of_elf(uint16_t machine);

/** otst_insn_is() - do @len bytes begin with this instruction */
bool otst_insn_is(const struct otst_insn_form *form, const uint8_t *bytes, size_t len);

/** otst_breakpoint_at() - the breakpoint of kprobes that @len bytes begin with; NULL when they do not */
const struct otst_insn_form *otst_breakpoint_at(const struct otst_arch *arch, const uint8_t *bytes,
						size_t len);

/** otst_breakpoint_on() - the breakpoint that a kprobe writes over this instruction of @len bytes */
const struct otst_insn_form *otst_breakpoint_on(const struct otst_arch *arch, size_t len);

/** otst_arch_row() - the @i-th of all that are there, NULL behind the last one */
const struct otst_arch *otst_arch_row(size_t i);

#define OTST_DECLARE_ARCH(arch) \
	extern const struct otst_arch otst_arch_##arch __attribute__((weak));
OTST_ARCHES(OTST_DECLARE_ARCH)
#undef OTST_DECLARE_ARCH

#endif /* OTST_ARCH_H */
