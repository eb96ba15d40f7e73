// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * flat.c - the Image of arm64 (Documentation/arch/arm64/booting.rst) and riscv
 * (Documentation/arch/riscv/boot-image-header.rst), and what s390x's boot image unpacks:
 * what objcopy -O binary leaves of vmlinux, which is all that is loaded, from _text on. The
 * kernel's linker scripts put symbols around what has to be found at run time; the dump has
 * them, so that the sections of vmlinux can be put around the bytes again.
 */
#include <elf.h>
#include <libelf.h>
#include <string.h>

#include "../arch/arch.h"
#include "../arch/bytes.h"
#include "../memory/kernel.h"
#include "../names/symbols.h"
#include "flat.h"
#include "image.h"
#include "unnamed.h"

#define ARM64_MAGIC 0x38u
#define RISCV_MAGIC 0x30u
#define IMAGE_SIZE  0x10u

/* behind an image; what is longer is memory that begins with one */
#define SIGNATURE_MAX (1u << 20)

#define SECTIONS_MAX 64u
#define NAMES_MAX    8192u
#define DATA_AT	     65536u /* of the image in the file: sections keep their alignment */

static unsigned int machine_by_magic(const uint8_t *data)
{
	if (!memcmp(data + ARM64_MAGIC, "ARM\x64", 4))
		return EM_AARCH64;
	return memcmp(data + RISCV_MAGIC, "RISCV\0\0\0", 8) ? EM_NONE : EM_RISCV;
}

unsigned int otst_flat_machine(const uint8_t *data, size_t len)
{
	unsigned int machine = len < OTST_FLAT_HEAD ? EM_NONE : machine_by_magic(data);
	uint64_t size;

	if (machine == EM_NONE)
		return EM_NONE;
	/* with .bss, which the file does not have; 0 in kernels before 3.17 */
	size = otst_get_le(data + IMAGE_SIZE, 8);
	return !size || len <= size || len - size <= SIGNATURE_MAX ? machine : EM_NONE;
}

/* ---- where the sections are ---- */

/** struct bounds - a section and the symbols around it; of several rows the first is taken */
struct bounds {
	const char *name;
	const char *start;
	const char *end;
	unsigned int flags;
};

static const char bss[] = ".bss"; /* of which the image has nothing */

static const struct bounds all_bounds[] = {
	{ ".head.text", "_text", "_stext", SHF_EXECINSTR },
	{ ".text", "_stext", "_etext", SHF_EXECINSTR },
	{ ".rodata", "__start_rodata", "__start_notes", 0 },
	{ ".notes", "__start_notes", "__stop_notes", 0 },
	{ ".BTF", "__start_BTF", "__stop_BTF", 0 },
	/* arm64: code that is mapped elsewhere, too, is not in .text since 6.4 */
	{ ".rodata.text", "__entry_tramp_text_start", "__idmap_text_end", SHF_EXECINSTR },
	{ ".rodata.text", "__hibernate_exit_text_start", "__idmap_text_end", SHF_EXECINSTR },
	{ ".rodata.text", "__relocate_new_kernel_start", "__idmap_text_end", SHF_EXECINSTR },
	{ ".rodata.text", "__idmap_text_start", "__idmap_text_end", SHF_EXECINSTR },
	{ ".data", "_sdata", "_edata", SHF_WRITE },
	{ ".data..percpu", "__per_cpu_start", "__per_cpu_end", SHF_WRITE },
	{ ".init.text", "_sinittext", "_einittext", SHF_EXECINSTR },
	{ ".exit.text", "__exittext_begin", "__exittext_end", SHF_EXECINSTR },
	{ ".altinstructions", "__alt_instructions", "__alt_instructions_end", 0 },
	{ ".alternative", "__alt_start", "__alt_end", 0 },
	/* s390x: no symbol is at its end, but at the start of what follows */
	{ ".altinstr_replacement", "__alt_instructions_end", "__stack_prot_start", SHF_EXECINSTR },
	{ ".altinstr_replacement", "__alt_instructions_end", "__nospec_call_start", SHF_EXECINSTR },
	{ ".stack_prot_table", "__stack_prot_start", "__stack_prot_end", 0 },
	{ ".nospec_call_table", "__nospec_call_start", "__nospec_call_end", 0 },
	{ ".nospec_return_table", "__nospec_return_start", "__nospec_return_end", 0 },
	{ ".hyp.reloc", "__hyp_reloc_begin", "__hyp_reloc_end", 0 },
	/* the start-up code has its own names of them */
	{ ".rela.dyn", "__pi_rela_start", "__pi_rela_end", 0 },
	{ ".rela.dyn", "__rela_start", "__rela_end", 0 },
	{ ".rela.dyn", "__rela_dyn_start", "__rela_dyn_end", 0 },
	{ ".relr.dyn", "__pi_relr_start", "__pi_relr_end", 0 },
	{ ".relr.dyn", "__relr_start", "__relr_end", 0 },
	{ bss, "__bss_start", "__bss_stop", SHF_WRITE },
};

/**
 * struct flat - the ELF file that is being made
 * @machine: EM_
 * @base: address of the first byte in the running kernel
 * @shift: run-time address minus link address
 * @sections: @count of them; the first is the null section
 */
struct flat {
	struct otst *o;
	unsigned int machine;
	const uint8_t *data;
	size_t len;
	uint64_t base, shift;
	Elf64_Shdr sections[SECTIONS_MAX];
	size_t count;
	char names[NAMES_MAX];
	size_t names_len;
	Elf64_Phdr notes;
};

static uint32_t add_section_name(struct flat *f, const char *name)
{
	size_t len = strlen(name) + 1, at = f->names_len;

	if (len > NAMES_MAX - at)
		return 0;
	memcpy(f->names + at, name, len);
	f->names_len += len;
	return (uint32_t)at;
}

static bool has_section(const struct flat *f, const char *name)
{
	for (size_t i = 1; i < f->count; i++) {
		if (!strcmp(f->names + f->sections[i].sh_name, name))
			return true;
	}
	return false;
}

/* one place is left for the section of names */
static void add_flat_section(struct flat *f, const char *name, unsigned int flags, uint64_t start,
			     uint64_t end)
{
	bool notes = !strcmp(name, ".notes"), absent = name == bss;
	Elf64_Shdr *s = &f->sections[f->count];

	if (start < f->base || end <= start || (end - f->base > f->len && !absent) ||
	    f->count >= SECTIONS_MAX - 1 || has_section(f, name))
		return;
	*s = (Elf64_Shdr){ .sh_name = add_section_name(f, name),
			   .sh_type = absent ? SHT_NOBITS :
				      notes  ? SHT_NOTE :
					       SHT_PROGBITS,
			   .sh_flags = SHF_ALLOC | flags,
			   .sh_addr = start - f->shift,
			   .sh_offset = DATA_AT + (start - f->base),
			   .sh_size = end - start,
			   .sh_addralign = 4 };
	f->count++;
	if (notes)
		f->notes = (Elf64_Phdr){ .p_type = PT_NOTE,
					 .p_flags = PF_R,
					 .p_offset = s->sh_offset,
					 .p_vaddr = s->sh_addr,
					 .p_filesz = s->sh_size,
					 .p_memsz = s->sh_size,
					 .p_align = 4 };
}

static void add_bounds(struct flat *f)
{
	for (size_t i = 0; i < sizeof(all_bounds) / sizeof(*all_bounds); i++) {
		const struct bounds *b = &all_bounds[i];

		add_flat_section(f, b->name, b->flags, otst_symbol_or0(f->o, b->start),
				 otst_symbol_or0(f->o, b->end));
	}
}

/* include/asm-generic/vmlinux.lds.h, RUNTIME_NAME(): "runtime_ptr_NAME" between two symbols */
static int add_runtime(void *priv, const struct otst_sym *sym, char type)
{
	static const char start[] = "__start_";
	const char *name = sym->name + sizeof(start) - 1;
	struct flat *f = priv;

	(void)type;
	add_flat_section(f, name, 0, sym->addr,
			 otst_symbol_or0(f->o, otst_format(f->o, "__stop_%s", name)));
	return 0;
}

/* ---- the file ---- */

static int write_at(struct flat *f, int fd, const void *bytes, size_t len, uint64_t at)
{
	int error = otst_unnamed_write(fd, bytes, len, at);

	return error ? otst_raise(f->o, OTST_ERR_FILE, "%s", strerror(error)) : 0;
}

static unsigned char order_of(const struct flat *f)
{
	return f->machine == EM_S390 ? ELFDATA2MSB : ELFDATA2LSB;
}

/* headers, which are in the byte order of the machine then */
static int write_headers(struct flat *f, int fd, Elf_Type type, void *headers, size_t len,
			 uint64_t at)
{
	Elf_Data d = { .d_buf = headers, .d_type = type, .d_version = EV_CURRENT, .d_size = len };

	elf_version(EV_CURRENT);
	if (!elf64_xlatetof(&d, &d, order_of(f)))
		return otst_raise(f->o, OTST_ERR_FILE, "%s", elf_errmsg(-1));
	return write_at(f, fd, headers, len, at);
}

static Elf64_Ehdr make_header(const struct flat *f, uint64_t sections_at)
{
	Elf64_Ehdr eh = { .e_type = ET_EXEC,
			  .e_machine = (uint16_t)f->machine,
			  .e_version = EV_CURRENT,
			  .e_phoff = sizeof(eh),
			  .e_shoff = sections_at,
			  .e_ehsize = sizeof(eh),
			  .e_phentsize = sizeof(Elf64_Phdr),
			  .e_phnum = 1,
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = (uint16_t)f->count,
			  .e_shstrndx = (uint16_t)(f->count - 1) };

	memcpy(eh.e_ident, ELFMAG, SELFMAG);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = order_of(f);
	eh.e_ident[EI_VERSION] = EV_CURRENT;
	return eh;
}

/* the headers, the image, the names, the section headers */
static int write_elf(struct flat *f, int fd)
{
	uint64_t names_at = DATA_AT + f->len, sections_at;
	Elf64_Ehdr eh;
	int err;

	f->sections[f->count].sh_name = add_section_name(f, ".shstrtab");
	f->sections[f->count].sh_type = SHT_STRTAB;
	f->sections[f->count].sh_offset = names_at;
	f->sections[f->count++].sh_size = f->names_len;
	sections_at = (names_at + f->names_len + 7) & ~7ull;
	eh = make_header(f, sections_at);
	err = write_headers(f, fd, ELF_T_EHDR, &eh, sizeof(eh), 0);
	err = err ?: write_headers(f, fd, ELF_T_PHDR, &f->notes, sizeof(f->notes), sizeof(eh));
	err = err ?: write_at(f, fd, f->data, f->len, DATA_AT);
	err = err ?: write_at(f, fd, f->names, f->names_len, names_at);
	return err ? err :
		     write_headers(f, fd, ELF_T_SHDR, f->sections, f->count * sizeof(*f->sections),
				   sections_at);
}

/* NULL, or why the sections cannot be found */
static const char *find_flat_image(struct flat *f)
{
	/* riscv's _text begins behind the start-up code */
	const char *first = f->machine == EM_RISCV ? "_start" : "_text";
	const char *other = otst_other_processor(f->o, f->machine);
	uint64_t end, notes;

	if (other)
		return other;

	/* without its notes, nothing proves whose image it is */
	if (!otst_flat_shift(f->o, f->machine, &f->shift) || otst_symbol(f->o, first, &f->base) ||
	    otst_symbol(f->o, "_edata", &end) || otst_symbol(f->o, "__start_notes", &notes))
		return "has no sections, and the dump does not say where they are";
	/* objcopy leaves out what is zero at boot, which comes last */
	return end - f->base > f->len ? "is cut, or another kernel's: it ends before _edata" : NULL;
}

int otst_flat_to_elf(struct otst *o, unsigned int machine, const uint8_t *data, size_t len, int fd)
{
	struct flat *f = otst_alloc(o, sizeof(*f));
	const char *why;
	int err;

	if (!f)
		return otst_no_memory(o);
	*f = (struct flat){
		.o = o, .machine = machine, .data = data, .len = len, .count = 1, .names_len = 1
	};
	why = find_flat_image(f);
	if (why && !otst_stopped(o))
		return otst_raise(o, OTST_ERR_LOOKUP, "%s", why);
	add_bounds(f);
	err = otst_kernel_symbols(o, "__start_runtime_", add_runtime, f);
	if (err && otst_fatal(err))
		return err;
	err = otst_stopped(o);
	return err ? err : write_elf(f, fd);
}
