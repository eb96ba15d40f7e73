/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * arch.h - what is known about a processor without a dump. Each processor has
 * one file in this folder; the rest of the engine uses that file's table.
 */
#ifndef OTST_ARCH_H
#define OTST_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../otst.h"

/**
 * OTST_ARCHES() - every architecture, one row each
 *
 * Per-architecture tables are made of these rows, here and in other folders, with
 * weak references: an architecture whose files are not linked in has an empty entry.
 */
#define OTST_ARCHES(row) row(x86_64) row(aarch64) row(riscv64) row(s390x) row(ppc64le)

/* ---- registers ---- */

/** room for the registers of any architecture */
#define OTST_REGS_MAX 40

/** room for the registers that the processor itself stores */
#define OTST_STORED_MAX 256u

/** instead of a register's number: there is none */
#define OTST_NO_REG 0xff

/**
 * struct otst_register - one register
 * @name: as gdb and JSON call it
 * @member: its member of struct pt_regs; @index: its index when that is an array
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
 * @before: the text before it
 * @reg: its number
 * @digits: minimum number of digits
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
 * struct otst_insn_known - an instruction that some version of libcapstone lacks or misreads
 * @bytes: the first @count bytes of an instruction of @len bytes, the last of them under @mask
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
 * struct otst_open_flags - flags of open() for which some architectures have their own values
 *
 * The values in include/uapi/asm-generic/fcntl.h are 0200000, 0400000, 040000 and 0100000.
 */
struct otst_open_flags {
	uint32_t directory, nofollow, direct, largefile;
};

enum otst_branch_kind { OTST_BRANCH_NONE, OTST_BRANCH_CALL, OTST_BRANCH_JUMP };

/**
 * struct otst_branch - a direct call or jump
 * @len: its length in bytes
 * @target: where it leads; 0 when the bytes end before it
 */
struct otst_branch {
	enum otst_branch_kind kind;
	unsigned int len;
	uint64_t target;
};

/**
 * struct otst_debug_registers - registers for hardware breakpoints, as each cpu keeps them
 * @slots: per-cpu array of the perf events that use the @count registers
 * @addresses: per-cpu array of the values written to them; @control: variable with two bits for
 *	each register, set when it is on; NULL where the kernel keeps no copy
 * @name: name of a register, without its number
 */
struct otst_debug_registers {
	const char *slots, *addresses, *control;
	const char *name;
	unsigned int count;
};

/* ---- page tables ---- */

#define OTST_PAGINGS_MAX 3u /* how many one VMCOREINFO may mean */

/**
 * struct otst_paging - where a kernel's page tables start and how they look
 * @root: physical address of the top table (init_top_pgt, swapper_pg_dir)
 * @encryption: on x86_64, bits of an entry that do not belong to the address (sme_me_mask)
 * @page_shift: 12; on arm64 also 14 or 16
 * @va_bits: bits of an address that the tables translate; on x86_64 48 or 57, on riscv64 39, 48
 *	or 57, on s390x 42 or 53, on ppc64le 46 or 52
 * @linear: with ppc64le's hash MMU, the @linear_len bytes from this address on are physical memory
 *	from 0 on and are not in the tables; elsewhere @linear_len is 0
 * @mapped: where the vmalloc area starts; such tables do have an entry for it
 * @machine: the machine that has these tables, EM_*
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

/** reads physical memory: 0 and all bytes, or FAULT */
typedef int otst_phys_fn(void *priv, uint64_t phys, void *buf, uint64_t len);

/**
 * gets a value of VMCOREINFO by its key, "SYMBOL(_stext)", "NUMBER(VA_BITS)", "PAGESIZE"; false when there
 * is none. NUMBER(phys_base) may come from the dump's headers instead.
 */
typedef bool otst_fact_fn(void *priv, const char *key, uint64_t *ret);

/**
 * otst_pagetable_create() - translation through page tables
 * @paging: copied; @root is not read before the first walk
 * @priv: handed to @read
 * @ret: to be freed with otst_pagetable_destroy(); caches tables until then
 *
 * Return: 0, NOMEM, or UNSUPPORTED when @paging makes no sense.
 */
int otst_pagetable_create(const struct otst_paging *paging, otst_phys_fn *read, void *priv,
			  struct otst_pagetable **ret);

/**
 * otst_pagetable_find() - the same, with tables that VMCOREINFO leads to
 * @machine: EM_*
 * @facts: handed to @fact
 *
 * Return: 0, NOMEM, or CORRUPT when VMCOREINFO names no table, or the table does not
 * map the kernel where VMCOREINFO says it is: this rejects stale copies, from an
 * earlier boot.
 */
int otst_pagetable_find(uint32_t machine, otst_fact_fn *fact, void *facts, otst_phys_fn *read,
			void *priv, struct otst_pagetable **ret);

/** otst_pagetable_forget() - the tables may have changed: read them again */
void otst_pagetable_forget(struct otst_pagetable *p);

/** otst_pagetable_destroy() - NULL is fine */
void otst_pagetable_destroy(struct otst_pagetable *p);

/**
 * otst_pagetable_walk() - translate one address
 * @span: bytes from @virt on that are mapped in one piece
 *
 * Return: 0, or FAULT when it is not mapped or a table cannot be read.
 */
int otst_pagetable_walk(struct otst_pagetable *p, uint64_t virt, uint64_t *phys, uint64_t *span);

/** enum otst_right - what the kernel may do with a page */
enum otst_right { OTST_MAY_WRITE = 1, OTST_MAY_EXECUTE = 2, OTST_MAY_ALL = 3 };

/**
 * struct otst_mapped - @len bytes that one entry of a table maps
 * @rights: of enum otst_right, as all levels of tables together leave them
 */
struct otst_mapped {
	uint64_t virt, phys, len;
	unsigned int rights;
};

/**
 * struct otst_mapped_visit - what otst_pagetable_executable() calls
 * @map: for each entry that maps executable memory, by address; what is not 0 ends the walk
 * @tick: before each table; what is not 0 ends the walk
 * @tables: how many tables were read; @lost: how many were not, because they cannot be read;
 *	@lost_at: the physical address of the first of these
 */
struct otst_mapped_visit {
	int (*map)(void *priv, const struct otst_mapped *m);
	int (*tick)(void *priv);
	void *priv;
	size_t tables, lost;
	uint64_t lost_at;
};

/**
 * otst_pagetable_executable() - the kernel's addresses at which it may execute
 *
 * Return: 0, NOMEM, UNSUPPORTED where the tables do not tell, or what @map or @tick returned.
 */
int otst_pagetable_executable(struct otst_pagetable *p, struct otst_mapped_visit *v);

/**
 * otst_pagetable_rights() - what the kernel may do at @virt, of enum otst_right; 0 also when it is not mapped
 * @lost: set when a table cannot be read; may be NULL
 */
unsigned int otst_pagetable_rights(struct otst_pagetable *p, uint64_t virt, bool *lost);

/** otst_pagetable_read() - @len bytes at a virtual address; 0, FAULT, or what @read returned */
int otst_pagetable_read(struct otst_pagetable *p, uint64_t virt, void *buf, uint64_t len);

/** enum otst_reloc_slot - tables that the loader makes in a module */
enum otst_reloc_slot { OTST_SLOT_NONE, OTST_SLOT_GOT, OTST_SLOT_PLT, OTST_SLOTS };

#define OTST_SLOT_MAX 40u /* bytes of the longest entry of such a table */

/** enum otst_reloc_toc - how a relocation uses a module's table of contents (TOC) */
enum otst_reloc_toc {
	OTST_TOC_NONE,
	OTST_TOC_BASE,	/**< relative to the TOC pointer, not to the place */
	OTST_TOC_VALUE, /**< the pointer is its value */
	OTST_TOC_CALL, /**< a call: to the local entry of the module's own function, or to a stub */
};

/**
 * struct otst_toc - how modules reach data through a TOC, and functions outside through stubs
 * @pointer: the symbol that stands for the TOC pointer
 * @section: section of the table; @stubs: section of the kernel's stubs, taken as the table
 *	where there is no @section
 * @bias: distance from the table, rounded down to @align, to its pointer
 * @stub: type of a stub; @function: its member with the function that it calls
 * @own_call: the symbol through which functions call ftrace; its stub keeps the pointer
 * @reloc: what a relocation of this type needs
 * @local: bytes from a function to its local entry, from its symbol's st_other
 * @restore: changes the instruction after a call by a stub, so that it sets the pointer again
 * @magic: member of @stub that marks it, with @mark in it
 * @kernel: member of struct paca_struct with the kernel's pointer
 * @put: writes the instructions of a stub, which is @distance bytes above the module's pointer
 * @put_own: the same for a stub of ftrace, whose function is @distance bytes above the kernel's
 *	pointer, which is at @member of struct paca_struct
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
 * struct otst_arch_registers - a processor's registers, and how functions use them
 * @list: its @count registers; the index is the register's number everywhere in the
 *	engine. The order is that of pr_reg[] in an NT_PRSTATUS note and of struct pt_regs.
 * @pc, @sp, @fp: numbers of these registers
 * @ra: the one that holds the return address at a function's entry;
 *	OTST_NO_REG where calls push it
 * @dwarf_ra: column of the return address in DWARF call frames
 * @args: registers of a function's first @nr_args arguments; the rest is on the stack,
 *	from @stack_args bytes above the stack pointer at the entry
 * @by_reference: a structure of more than two words is passed by its address
 * @syscall: register of a system call's number; @syscall_args: those of its six arguments
 * @shown: @nr_shown registers in the order of the kernel's show_regs()
 * @shown_pc: the text before the address there, or with @segments before the code
 *	segment
 * @user_mode: were these registers taken in user mode
 * @thread_sp: member of task_struct with the stack pointer of a task that is not running
 * @graph_place: member of struct ftrace_ret_stack with the frame pointer of the caller;
 *	NULL for "retp", which on some architectures is stale or missing
 */
struct otst_arch_registers {
	const struct otst_register *list;
	const uint8_t *args;
	const struct otst_shown_reg *shown;
	const char *shown_pc;
	uint8_t count, nr_args, nr_shown;
	uint8_t pc, sp, fp, ra, dwarf_ra;
	uint8_t stack_args;
	bool segments;
	bool by_reference;
	uint8_t syscall, syscall_args[6];
	bool (*user_mode)(const uint64_t *regs);
	const char *thread_sp;
	const char *graph_place;
};

/**
 * struct otst_arch_stored - registers that the processor itself stores when a cpu stops
 * @areas: symbol of an array of pointers, one per cpu, to where it stores them; NULL when it
 *	does not. Pointers are multiples of @align
 * @at, @len: where the registers are there, at most OTST_STORED_MAX bytes
 * @take: takes the registers from these bytes; false when none were stored
 */
struct otst_arch_stored {
	const char *areas;
	uint16_t align, at, len;
	bool (*take)(const uint8_t *bytes, uint64_t *ret);
};

/** struct otst_arch_insns - instructions; @bytes are those at @addr, at least 4 of them */
struct otst_arch_insns {
	/** the breakpoints of kprobes and of a debugger (kgdb) */
	struct otst_insn_form breakpoint, kgdb_breakpoint;
	/** of kprobes on an instruction shorter than @breakpoint; empty if that does not matter */
	struct otst_insn_form short_breakpoint;
	/** what is at a site from which ftrace calls nobody */
	struct otst_insn_form nop;
	/** instructions start at multiples of this: 1 when they have any length */
	unsigned int step;
	/** length of the instruction; NULL where kprobes save as much as their breakpoint covers */
	size_t (*len)(const uint8_t *bytes);
	/** how far a call reaches in both directions; 0: anywhere in the kernel and its modules */
	uint64_t call_reach;
	/** bytes that put_branch() writes */
	unsigned int branch_len;
	/** is it an unconditional direct call or jump; false when not, and @ret->kind is NONE */
	bool (*branch)(const uint8_t *bytes, size_t len, uint64_t addr, struct otst_branch *ret);
	/** writes the call or jump at @addr to @target; returns its bytes, 0 if out of reach */
	size_t (*put_branch)(uint8_t *to, enum otst_branch_kind kind, uint64_t addr,
			     uint64_t target);
	/** length of what marks a function as an indirect target, or replaces the mark; else 0 */
	size_t (*entry_mark)(const uint8_t *bytes);
	/** length of a nop that leaves room for a call of ftrace; 0 for all else */
	size_t (*entry_nop)(const uint8_t *bytes);
	/** how many bytes after a function's first one all its arguments are still in place */
	unsigned int entry_max;
	/** bytes before a return address that follows_call() looks at */
	unsigned int call_window;
	/** may these bytes, all before a return address, end with a call */
	bool (*follows_call)(const uint8_t *before);
	/** calls and jumps that BPF writes into its programs' text lead straight to their target */
	bool bpf_pokes_straight;
};

/** struct otst_arch_ftrace - how ftrace calls from a function's entry */
struct otst_arch_ftrace {
	/** what ftrace writes before each of its calls when the kernel boots; empty if nothing */
	struct otst_insn_form call_prefix;
	/** own arch_ftrace_trampoline_func(): enabled_functions says what a trampoline calls */
	bool names_callee;
	/** how many bytes after a function's first one the call of ftrace may be */
	unsigned int call_max;
	/** bytes of a call that may come before its ftrace site and then stay there; else 0 */
	unsigned int call_lead;
	/** how far from the common trampoline such a call reaches, in both directions */
	unsigned int lead_reach;
	/**
	 * Each site keeps a branch to its own veneer: makes the instruction there branch
	 * or not. False when it is another instruction. NULL where sites have no such branch.
	 */
	bool (*switch_site)(uint8_t *insn, bool on);
	/** where the call is in a site's own stub, its veneer (struct dyn_ftrace.arch.ool_stub) */
	unsigned int stub_call;
};

/** struct otst_arch_relocs - how the kernel's loader puts a module into memory */
struct otst_arch_relocs {
	/**
	 * Applies a module's relocation as the kernel does it: @value is symbol plus addend,
	 * @addr the address of the place. False for a type that modules do not have, and when
	 * the place has no room. NULL where modules' files are not read.
	 */
	bool (*apply)(uint8_t *place, size_t room, uint32_t type, uint64_t addr, uint64_t value);
	/**
	 * Does a relocation of @type name the place of another one, to take its value and
	 * address, and may the other be of type @at_place (0: any)? NULL where there are none.
	 */
	bool (*by_place)(uint32_t type, uint32_t at_place);
	/**
	 * The slot that a relocation of @type uses instead of its symbol; one of the PLT only
	 * when the symbol is out of reach. NULL where there are none.
	 */
	enum otst_reloc_slot (*slot)(uint32_t type);
	/** bytes of a veneer (a module's PLT); veneer() says where it leads, NULL if none exist */
	unsigned int veneer_len;
	bool (*veneer)(const uint8_t *bytes, uint64_t addr, uint64_t *ret);
	/**
	 * Writes an entry of a module's PLT, of @size bytes at @at, that leads to @target. False
	 * when no kernel has entries of that size, or the entry does not reach. @via: on riscv64
	 * the word with the target; on s390x the last entry, which has the jump, or 0 when each
	 * entry has its own. NULL where there are none.
	 */
	bool (*put_plt)(uint8_t *to, uint64_t size, uint64_t at, uint64_t target, uint64_t via);
	/** sizes that entries may have; 0 ends them */
	uint8_t plt_sizes[3];
	/** the last entry of a PLT whose entries share its jump */
	struct otst_plt_jump {
		uint8_t bytes[12], len;
	} plt_jump;
	/** NULL where modules have none */
	const struct otst_toc *toc;
};

/** struct otst_arch_disasm - libcapstone's constants, and what it gets wrong or leaves out */
struct otst_arch_disasm {
	bool has_capstone;
	int arch, mode, syntax;
	const struct otst_insn_known *known;
	uint8_t nr_known;
	/** text of an instruction that libcapstone versions print differently; else false */
	bool (*spell)(const uint8_t *bytes, char ret[OTST_INSN_TEXT]);
	/**
	 * Where a relative branch leads, or the address of an operand relative to the
	 * instruction: then @refers is set. Leaves @target alone when there is neither.
	 */
	void (*refer)(const struct cs_insn *insn, bool branch, uint64_t *target, bool *refers);
};

/** struct otst_arch_space - which addresses are whose */
struct otst_arch_space {
	/** the lowest address that a kernel may have */
	uint64_t kernel_begin;
	/** code of the kernel, of modules and of BPF lies above this */
	uint64_t text_begin;
	/** end of a program's addresses, and of those that it gets unless it asks for more */
	uint64_t user_end, user_window;
	/** SECTION_SIZE_BITS, if VMCOREINFO does not have it; 0: not known */
	uint8_t section_bits;
};

/** struct otst_arch_paging - the kernel's page tables */
struct otst_arch_paging {
	/** page and address sizes that kernels are built with, or switch to when they boot */
	const struct otst_paging *layouts;
	uint8_t nr_layouts;
	/** symbols of the top table, the newest first, NULL-terminated */
	const char *const *top_tables;
	/** a variable with the bits of an entry that do not belong to the address; NULL for none */
	const char *encryption;
	/** number of address bits from @shift on that index a table; NULL: a table fills a page */
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
	 * What an entry leaves of the rights to a page, of enum otst_right; @is_memory as above.
	 * NULL where the tables do not tell.
	 */
	unsigned int (*rights)(const struct otst_paging *g, uint64_t entry, bool is_memory);
	/**
	 * What VMCOREINFO says about the tables, as @fact returns it. Fills @ret, the most
	 * likely one first, and returns how many; @virt and @phys: an address for which
	 * both are known.
	 */
	size_t (*find)(otst_fact_fn *fact, void *priv, struct otst_paging ret[OTST_PAGINGS_MAX],
		       uint64_t *virt, uint64_t *phys);
};

/** struct otst_arch_image - the kernel's image in memory */
struct otst_arch_image {
	/** a symbol that all its kernels have, and no others; the source file that defines it */
	const char *head_symbol, *head_source;
	/** the image's part before _stext is not mapped */
	bool head_unmapped;
	/** it is linked at a multiple of this, and the boot loader keeps to that */
	uint32_t align;
	/** where it begins as linked, if VMCOREINFO does not say how far it was moved; or 0 */
	uint64_t link;
	/** its variable that relates its virtual addresses to physical ones; where in it */
	const char *offset;
	uint8_t offset_at;
	/**
	 * By how much its addresses were moved; @move is the physical address
	 * minus the linked one, @offset the value of that variable.
	 */
	uint64_t (*shift)(uint64_t move, uint64_t offset);
};

/**
 * struct otst_arch - one processor
 * @name: as in new_utsname.machine; "" for a processor that has no file here
 * @elf_machine: EM_*
 * @page_size: size of its pages, 0 when kernels choose among several
 * @open_flags: NULL for the generic ones
 * @debug: its @nr_debug kinds of registers for hardware breakpoints
 *
 * Required of each: @name, @elf_machine; of @insn: step, branch_len, branch, put_branch, entry_mark,
 * entry_nop, follows_call. With these go others: with @reg.list user_mode, thread_sp and shown_pc; with
 * @stored.areas take; with @reloc.slot put_plt; with @reloc.veneer veneer_len; with @disasm.has_capstone
 * refer; with @paging.layouts top_tables, translates, decode_entry and find. All else may be left out.
 * tests/unit/test_arch.c names what is missing.
 */
struct otst_arch {
	const char *name;
	uint16_t elf_machine;
	uint32_t page_size;
	struct otst_arch_registers reg;
	struct otst_arch_stored stored;
	struct otst_arch_insns insn;
	struct otst_arch_ftrace ftrace;
	struct otst_arch_relocs reloc;
	struct otst_arch_disasm disasm;
	struct otst_arch_space space;
	struct otst_arch_paging paging;
	struct otst_arch_image image;
	const struct otst_open_flags *open_flags;
	const struct otst_debug_registers *debug;
	unsigned int nr_debug;
};

extern const struct otst_arch otst_arch_unknown;

/*
 * what a processor has that has none yet of the functions that are required: no branch is known or can be
 * written, no function begins with a mark or a nop, any bytes may end with a call
 */
bool otst_arch_no_branch(const uint8_t *bytes, size_t len, uint64_t addr, struct otst_branch *ret);
size_t otst_arch_put_nothing(uint8_t *to, enum otst_branch_kind kind, uint64_t addr,
			     uint64_t target);
size_t otst_arch_no_mark(const uint8_t *bytes);
bool otst_arch_may_follow_call(const uint8_t *before);

/** otst_arch_named() - the processor that new_utsname.machine names; never NULL */
const struct otst_arch *otst_arch_named(const char *machine);

/** otst_arch_of_elf() - the processor of an ELF file's e_machine; never NULL */
const struct otst_arch *otst_arch_of_elf(uint16_t machine);

/** otst_insn_is() - do @len bytes begin with this instruction */
bool otst_insn_is(const struct otst_insn_form *form, const uint8_t *bytes, size_t len);

/** otst_breakpoint_at() - the breakpoint of kprobes that @len bytes begin with, or NULL */
const struct otst_insn_form *otst_breakpoint_at(const struct otst_arch *arch, const uint8_t *bytes,
						size_t len);

/** otst_breakpoint_on() - the breakpoint that a kprobe writes over an instruction of @len bytes */
const struct otst_insn_form *otst_breakpoint_on(const struct otst_arch *arch, size_t len);

/** otst_arch_row() - the @i-th of all that are linked in; NULL after the last one */
const struct otst_arch *otst_arch_row(size_t i);

#define OTST_DECLARE_ARCH(arch) \
	extern const struct otst_arch otst_arch_##arch __attribute__((weak));
OTST_ARCHES(OTST_DECLARE_ARCH)
#undef OTST_DECLARE_ARCH

#endif /* OTST_ARCH_H */
