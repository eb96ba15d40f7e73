// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_modslots.c - otst -a on modules whose loader made a GOT, a PLT or stubs: for each machine a
 * file with the relocations that need them, and a dump with the bytes that follow from
 * arch/ARCH/kernel/module*.c, worked out by hand; then with one of them changed.
 */
#include "mock.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- files ---- */

enum { MAX_RELAS = 8, MAX_SYMBOLS = 8, MAX_TABLES = 4, TEXT = 1, RELA, FIRST_TABLE };

/* symbols are undefined but for .text's, which is number 1 */
struct file {
	unsigned char order;
	uint16_t machine;
	const char *symbols[MAX_SYMBOLS]; /* from number 2 on, "?" before the name of a weak one */
	uint8_t text[24];
	size_t text_len;
	struct {
		uint64_t at;
		uint32_t type, symbol;
		int64_t addend;
	} relas[MAX_RELAS];
	struct {
		const char *name;
		uint64_t flags, size;
	} tables[MAX_TABLES]; /* sections that the loader fills */
};

static size_t add_name(char *names, size_t *len, const char *name)
{
	size_t at = *len;

	strcpy(names + at, name);
	*len += strlen(name) + 1;
	return at;
}

static Elf_Scn *add_section(Elf *elf, char *names, size_t *len, const char *name, GElf_Shdr sh,
			    Elf_Type type, void *data, size_t size)
{
	Elf_Scn *scn = elf_newscn(elf);
	Elf_Data *d = elf_newdata(scn);
	GElf_Shdr have;

	assert_non_null(gelf_getshdr(scn, &have));
	sh.sh_name = (GElf_Word)add_name(names, len, name);
	sh.sh_addralign = 8;
	assert_true(gelf_update_shdr(scn, &sh));
	*d = (Elf_Data){
		.d_buf = data, .d_size = size, .d_type = type, .d_align = 8, .d_version = EV_CURRENT
	};
	return scn;
}

static void write_file(const struct file *f, const char *path)
{
	char names[256] = "", strings[256] = "";
	size_t names_len = 1, strings_len = 1, i, nr = 2, relas = 0, tables = 0;
	Elf64_Sym symbols[MAX_SYMBOLS + 2] = {
		{ 0 }, { .st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION), .st_shndx = TEXT }
	};
	Elf64_Rela rela[MAX_RELAS];
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	GElf_Ehdr eh;
	uint8_t zero[8] = { 0 };
	Elf *elf;

	assert_true(fd >= 0);
	(void)elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	assert_non_null(gelf_newehdr(elf, ELFCLASS64));
	assert_non_null(gelf_getehdr(elf, &eh));
	eh.e_ident[EI_DATA] = f->order;
	eh.e_machine = f->machine;
	eh.e_type = ET_REL;
	eh.e_version = EV_CURRENT;

	for (i = 0; i < MAX_SYMBOLS && f->symbols[i]; i++) {
		bool weak = *f->symbols[i] == '?';

		symbols[nr++] = (Elf64_Sym){ .st_name = (Elf64_Word)add_name(strings, &strings_len,
									     f->symbols[i] + weak),
					     .st_info = ELF64_ST_INFO(weak ? STB_WEAK : STB_GLOBAL,
								      STT_NOTYPE) };
	}
	for (; relas < MAX_RELAS && f->relas[relas].type; relas++)
		rela[relas] = (Elf64_Rela){ f->relas[relas].at,
					    ELF64_R_INFO((uint64_t)f->relas[relas].symbol,
							 f->relas[relas].type),
					    f->relas[relas].addend };
	while (tables < MAX_TABLES && f->tables[tables].name)
		tables++;
	add_section(elf, names, &names_len, ".text",
		    (GElf_Shdr){ .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR },
		    ELF_T_BYTE, (void *)f->text, f->text_len);
	add_section(elf, names, &names_len, ".rela.text",
		    (GElf_Shdr){ .sh_type = SHT_RELA,
				 .sh_info = TEXT,
				 .sh_link = (GElf_Word)(FIRST_TABLE + tables),
				 .sh_entsize = sizeof(*rela) },
		    ELF_T_RELA, rela, relas * sizeof(*rela));
	for (i = 0; i < tables; i++)
		add_section(elf, names, &names_len, f->tables[i].name,
			    (GElf_Shdr){ .sh_type = SHT_PROGBITS,
					 .sh_flags = SHF_ALLOC | f->tables[i].flags },
			    ELF_T_BYTE, zero, f->tables[i].size);
	add_section(elf, names, &names_len, ".symtab",
		    (GElf_Shdr){ .sh_type = SHT_SYMTAB,
				 .sh_link = (GElf_Word)(FIRST_TABLE + tables + 1),
				 .sh_info = 2,
				 .sh_entsize = sizeof(*symbols) },
		    ELF_T_SYM, symbols, nr * sizeof(*symbols));
	add_section(elf, names, &names_len, ".strtab", (GElf_Shdr){ .sh_type = SHT_STRTAB },
		    ELF_T_BYTE, strings, strings_len);
	add_name(names, &names_len, ".shstrtab");
	names_len -= strlen(".shstrtab") + 1;
	eh.e_shstrndx = (GElf_Half)(FIRST_TABLE + tables + 2);
	add_section(elf, names, &names_len, ".shstrtab", (GElf_Shdr){ .sh_type = SHT_STRTAB },
		    ELF_T_BYTE, names, names_len + strlen(".shstrtab") + 1);
	assert_true(gelf_update_ehdr(elf, &eh));
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
}

/* ---- dumps ---- */

#define HEAD                                           \
	"type new_utsname 390\n"                       \
	"	sysname 0 char[65]\n"                        \
	"	machine 260 char[65]\n"                      \
	"type uts_namespace 400\n"                     \
	"	name 0 struct new_utsname\n"                 \
	"sym init_uts_ns 0xffffffff82100000 400\n"     \
	"obj uts_namespace init_uts_ns\n"              \
	"	name.sysname = \"Linux\"\n"                  \
	"	name.machine = \"%s\"\n"                     \
	"type list_head 16\n"                          \
	"	next 0 ptr list_head\n"                      \
	"	prev 8 ptr list_head\n"                      \
	"sym modules 0xffffffff82000000 16\n"          \
	"sym _stext 0xffffffff81000000 0x1000\n"       \
	"sym lab_call 0xffffffff81002000 0x100\n"      \
	"sym lab_word 0xffffffff81003000 0x100\n"      \
	"sym lab_evil 0xffffffff81004000 0x100\n"      \
	"sym ftrace_caller 0xffffffff81005000 0x100\n" \
	"sym _etext 0xffffffff81100000 0x1000\n"       \
	"type module_layout 16\n"                      \
	"	base 0 ptr\n"                                \
	"	size 8 u32\n"                                \
	"	text_size 12 u32\n"                          \
	"type attribute_group 16\n"                    \
	"	bin_attrs 0 ptr\n"                           \
	"type module_sect_attrs 16\n"                  \
	"	grp 0 struct attribute_group\n"              \
	"type attribute 8\n"                           \
	"	name 0 ptr char\n"                           \
	"type bin_attribute 16\n"                      \
	"	attr 0 struct attribute\n"                   \
	"	private 8 ptr\n"                             \
	"let text %s\n"

#define MODULE                                                              \
	"type module 300\n"                                                 \
	"	state 0 u32\n"                                                    \
	"	list 8 struct list_head\n"                                        \
	"	name 24 char[56]\n"                                               \
	"	core_layout 80 struct module_layout\n"                            \
	"	init_layout 96 struct module_layout\n"                            \
	"	sect_attrs 112 ptr\n"                                             \
	"	arch 120 struct mod_arch_specific\n"                              \
	"let attrs 0xffffffffc0004000\n"                                    \
	"let lab 0xffffffffc0003000\n"                                      \
	"obj module lab\n"                                                  \
	"	name = \"lab\"\n"                                                 \
	"	core_layout.base = text\n"                                        \
	"	core_layout.size = 0x4000\n"                                      \
	"	core_layout.text_size = 0x1000\n"                                 \
	"	sect_attrs = attrs\n"                                             \
	"list modules lab+module.list\n"                                    \
	"u64 attrs: attrs+16 0\n"                                           \
	"u64 attrs+16: attrs+0x100 attrs+0x110 attrs+0x120 attrs+0x130 0\n" \
	"u64 attrs+0x100: attrs+0x200 text attrs+0x220 text+0x100\n"        \
	"u64 attrs+0x120: attrs+0x240 text+0x200 attrs+0x260 text+0x300\n"  \
	"str attrs+0x200 \".text\"\n"                                       \
	"str attrs+0x220 \"%s\"\n"                                          \
	"str attrs+0x240 \"%s\"\n"                                          \
	"str attrs+0x260 \"%s\"\n"                                          \
	"fill text 0x1000 0\n"

/*
 * @order: the first line, or ""; @base: where the module's text is; @sections: of the loader, 0x100 to 0x300 behind it;
 * @arch: members of struct mod_arch_specific
 */
struct dump {
	const char *order, *machine, *base, *sections[3];
	const char *arch, *rest;
};

static char *write_dump(const struct dump *d, const char *change)
{
	char *ret;

	assert_true(asprintf(&ret, "%s" HEAD "%s" MODULE "%s%s", d->order, d->machine, d->base,
			     d->arch, d->sections[0], d->sections[1], d->sections[2], d->rest,
			     change) > 0);
	return ret;
}

/* ---- what is run ---- */

/* a line that changes the dump, and what -a then says, alone or among @others; NULL: nothing */
struct change {
	const char *line, *finding;
	bool others;
};

static void run(const struct file *f, const struct dump *dump, const char *places,
		const struct change *c)
{
	char dir[] = "/tmp/otst-unit-XXXXXX", path[64], *text;
	const char *words[] = { "otst", "-a", "--modules", dir, NULL };
	const char *first;
	struct mock *m;
	char *out;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/lab.ko", dir);
	write_file(f, path);
	text = write_dump(dump, c->line);
	m = mock_open(text);
	free(text);
	mock_run(m, words, &out);
	unlink(path);
	rmdir(dir);
	first = strstr(out, "\n! ");
	if (c->finding &&
	    (!first || !strstr(first, c->finding) || (!c->others && strstr(first + 1, "\n! "))))
		fail_msg("\"%s\" is not what is found, or not alone:\n%s", c->finding, out);
	if (!c->finding && first)
		fail_msg("something is found:\n%s", out);
	if (!c->finding && !strstr(out, places))
		fail_msg("no \"%s\":\n%s", places, out);
	free(out);
	mock_close(m);
}

static void run_all(const struct file *f, const struct dump *dump, const char *places,
		    const struct change *c)
{
	for (; c->line; c++)
		run(f, dump, places, c);
}

/* ---- s390x ---- */

#define S390_ARCH                     \
	"type mod_arch_specific 40\n" \
	"	got_offset 0 u64\n"         \
	"	got_size 8 u64\n"           \
	"	plt_offset 16 u64\n"        \
	"	plt_size 24 u64\n"

/* bytes of the PLT, and the last of the distance to its second entry */
#define S390_DUMP(size, second, plt)                                                             \
	{                                                                                        \
		"big-endian\n", "s390x", "0xfffffffd00000000", { ".got.a", ".got.b", ".got.c" }, \
			S390_ARCH,                                                               \
			"set module lab\n"                                                       \
			"	arch.got_offset = 0x100\n"                                             \
			"	arch.got_size = 16\n"                                                  \
			"	arch.plt_offset = 0x110\n"                                             \
			"	arch.plt_size = " size "\n"                                      \
			"mem text: c4 18 00 00 00 80 c0 e5 00 00 00 85 c0 e5 00 00 00 " second   \
			"\n"                                                                     \
			"mem text+18: c4 18 00 00 00 7b\n"                                       \
			"u64 text+0x100: lab_word 0\n" plt                                       \
	}

/* lgrl of the word; brasl of lab_call and of the weak one, both out of reach; the weak one */
static const struct file s390 = {
	ELFDATA2MSB,
	EM_S390,
	{ "lab_word", "lab_call", "?lab_weak" },
	{ 0xc4, 0x18, 0, 0, 0, 0, 0xc0, 0xe5, 0, 0, 0, 0,
	  0xc0, 0xe5, 0, 0, 0, 0, 0xc4, 0x18, 0, 0, 0, 0 },
	24,
	{ { 2, R_390_GOTENT, 2, 2 },
	  { 8, R_390_PLT32DBL, 3, 2 },
	  { 14, R_390_PLT32DBL, 4, 2 },
	  { 20, R_390_GOTENT, 4, 2 } },
	{ { NULL, 0, 0 } },
};

/* distances in half words from the instruction: to 0x100, 0x110, the PLT's second entry, 0x108 */
static void s390_own_jumps(void **state)
{
	static const struct dump dump =
		S390_DUMP("44", "8d",
			  "mem text+0x110: 0d 10 e3 10 10 0c 00 04 07 f1 00 00 00 00\n"
			  "u64 text+0x11e: lab_call\n"
			  "mem text+0x126: 0d 10 e3 10 10 0c 00 04 07 f1 00 00 00 00\n"
			  "u64 text+0x134: 0\n");
	static const struct change changes[] = {
		{ "", NULL, false },
		{ "u64 text+0x100: lab_evil\n",
		  "the entry of lab_word in GOT is not what loading made: it leads to 0xffffffff81004000 lab_evil",
		  false },
		{ "u64 text+0x11e: lab_evil\n",
		  "the entry of lab_call in PLT is not what loading made: it leads to 0xffffffff81004000 lab_evil",
		  false },
		{ "mem text+0x118: 07 fe\n",
		  "the entry of lab_call in PLT is not what loading made\n", false },
		{ "u64 text+0x134: lab_evil\n",
		  "the entry of lab_weak in PLT is not what loading made: it leads to 0xffffffff81004000 lab_evil",
		  false },
		{ "unmap text+0x100 16\n", NULL, false },
		{ NULL, NULL, false },
	};

	(void)state;
	run_all(&s390, &dump, "module-slot           ", changes);
}

/* brcl to the last entry: 0x13c - 0x118 and 0x13c - 0x12e */
static void s390_shared_jump(void **state)
{
	static const struct dump dump =
		S390_DUMP("66", "8d",
			  "mem text+0x110: 0d 10 e3 10 10 0c 00 04 c0 f4 00 00 00 12\n"
			  "u64 text+0x11e: lab_call\n"
			  "mem text+0x126: 0d 10 e3 10 10 0c 00 04 c0 f4 00 00 00 07\n"
			  "u64 text+0x134: 0\n"
			  "mem text+0x13c: c6 00 00 00 00 05 a7 f4 00 00 07 f1\n");
	static const struct change changes[] = {
		{ "", NULL, false },
		{ "mem text+0x12a: 10 0c 00 04 c0 f4 00 00 00 08\n",
		  "the entry of lab_weak in PLT is not what loading made\n", false },
		{ "mem text+0x146: 07 f2\n",
		  "the entry of all in PLT's jump is not what loading made\n", false },
		{ NULL, NULL, false },
	};

	(void)state;
	run_all(&s390, &dump, "module-slot           5 ", changes);
}

/* entries of 20 bytes */
static void s390_short(void **state)
{
	static const struct dump dump =
		S390_DUMP("40", "8c",
			  "mem text+0x110: 0d 10 e3 10 10 0a 00 04 07 f1 00 00\n"
			  "u64 text+0x11c: lab_call\n"
			  "mem text+0x124: 0d 10 e3 10 10 0a 00 04 07 f1 00 00\n"
			  "u64 text+0x130: 0\n");
	static const struct change changes[] = {
		{ "", NULL, false },
		{ "u64 text+0x11c: lab_evil\n",
		  "the entry of lab_call in PLT is not what loading made: it leads to 0xffffffff81004000 lab_evil",
		  false },
		{ NULL, NULL, false },
	};

	(void)state;
	run_all(&s390, &dump, "module-slot           4 ", changes);
}

/* ---- riscv64 ---- */

/* la of the word by its entry; a call of the weak one, far away; of lab_call, which is in reach */
static const struct file riscv = {
	ELFDATA2LSB,
	EM_RISCV,
	{ "lab_word", "lab_call", "?lab_weak" },
	{ 0x17, 0x05, 0, 0, 0x03, 0x35, 0x05, 0, 0x97, 0,    0, 0,
	  0xe7, 0x80, 0, 0, 0x97, 0,	0,    0, 0xe7, 0x80, 0, 0 },
	24,
	{ { 0, R_RISCV_GOT_HI20, 2, 0 },
	  { 4, R_RISCV_PCREL_LO12_I, 1, 0 },
	  { 8, R_RISCV_CALL_PLT, 4, 0 },
	  { 16, R_RISCV_CALL_PLT, 3, 0 } },
	{ { ".plt", SHF_WRITE, 1 }, { ".got", SHF_WRITE, 1 }, { ".got.plt", SHF_WRITE, 1 } },
};

static void riscv64(void **state)
{
	/* .plt at 0x100, .got at 0x200, .got.plt at 0x300; the kernel 0x41001ff0 from the second call */
	static const struct dump dump = {
		"",
		"riscv64",
		"0xffffffff40000000",
		{ ".plt", ".got", ".got.plt" },
		"type mod_section 16\n"
		"	num_entries 8 s32\n"
		"type mod_arch_specific 48\n"
		"	got 0 struct mod_section\n"
		"	plt 16 struct mod_section\n"
		"	got_plt 32 struct mod_section\n",
		"set module lab\n"
		"	arch.got.num_entries = 1\n"
		"	arch.plt.num_entries = 1\n"
		"	arch.got_plt.num_entries = 1\n"
		"mem text: 17 05 00 00 03 35 05 20 97 00 00 00 e7 80 80 0f\n"
		"mem text+16: 97 20 00 41 e7 80 00 ff\n"
		"mem text+0x100: 97 02 00 00 03 b3 02 20 67 00 03 00\n"
		"u64 text+0x200: lab_word\n"
		"u64 text+0x300: 0\n",
	};
	static const struct change changes[] = {
		{ "", NULL, false },
		{ "u64 text+0x200: lab_evil\n",
		  "the entry of lab_word in .got is not what loading made: it leads to 0xffffffff81004000 lab_evil",
		  false },
		{ "u64 text+0x300: lab_evil\n",
		  "the entry of lab_weak in .got.plt is not what loading made: it leads to 0xffffffff81004000 lab_evil",
		  false },
		{ "mem text+0x106: 82\n",
		  "the entry of lab_weak in .plt is not what loading made\n", false },
		{ "mem text+0x108: 67 80\n",
		  "the entry of lab_weak in .plt is not what loading made\n", false },
		{ NULL, NULL, false },
	};
	static const struct change other = { "set module lab\n	arch.got.num_entries = 2\n", NULL,
					     false };

	(void)state;
	run_all(&riscv, &dump, "module-slot           3 ", changes);
	/* the kernel says it made two: they are not compared */
	run(&riscv, &dump,
	    "!! module lab: its GOT and PLT are not what its file leads to: 2 entries are not compared",
	    &other);
}

/* ---- ppc64le ---- */

/* calls of both, with room to restore the pointer; of ftrace */
static const struct file ppc = {
	ELFDATA2LSB,
	EM_PPC64,
	{ "lab_call", "lab_word" },
	{ 0x01, 0, 0, 0x48, 0, 0, 0, 0x60, 0x01, 0, 0, 0x48, 0, 0, 0, 0x60 },
	16,
	{ { 0, R_PPC64_REL24, 2, 0 }, { 8, R_PPC64_REL24, 3, 0 } },
	{ { ".stubs", SHF_EXECINSTR, 0 } },
};

static void ppc64le(void **state)
{
	/*
	 * There is no .toc: the pointer is .stubs, at 0x100, plus 0x8000. Its first stub belongs to
	 * the last symbol. The kernel's pointer is 0x10000 after ftrace_caller.
	 */
	static const struct dump dump = {
		"",
		"ppc64le",
		"0xffffffffc0000000",
		{ ".stubs", ".got.a", ".got.b" },
		"type mod_arch_specific 40\n"
		"	tramp 0 u64\n"
		"	ool_stubs 8 u64\n"
		"type ppc64_stub_entry 40\n"
		"	jump 0 u32[7]\n"
		"	magic 28 u32\n"
		"	funcdata 32 u64\n"
		"type paca_struct 64\n"
		"	kernel_toc 16 u64\n",
		"sym paca_ptrs 0xffffffff82200000 8\n"
		"u64 paca_ptrs: paca_ptrs+16\n"
		"u64 paca_ptrs+16: paca_ptrs+32\n"
		"fill paca_ptrs+32 64 0\n"
		"u64 paca_ptrs+48: ftrace_caller+0x10000\n"
		"mem text: 29 01 00 48 18 00 41 e8 f9 00 00 48 18 00 41 e8\n"
		"mem text+0x100: 00 00 62 3d 00 80 6b 39 18 00 41 f8 20 00 8b e9 a6 03 89 7d 20 "
		"04 80 4e 00 00 00 00 62 75 74 73\n"
		"u64 text+0x120: lab_word\n"
		"mem text+0x128: 00 00 62 3d 28 80 6b 39 18 00 41 f8 20 00 8b e9 a6 03 89 7d 20 "
		"04 80 4e 00 00 00 00 62 75 74 73\n"
		"u64 text+0x148: lab_call\n"
		"mem text+0x150: 10 00 8d e9 ff ff 8c 3d 00 00 8c 39 a6 03 89 7d 20 04 80 4e 00 "
		"00 00 00 00 00 00 00 62 75 74 73\n"
		"u64 text+0x170: ftrace_caller\n",
	};
	static const struct change changes[] = {
		{ "", NULL, false },
		{ "u64 text+0x120: lab_evil\n",
		  "the entry of lab_word in .stubs is not what loading made: it leads to 0xffffffff81004000 lab_evil",
		  false },
		/* two that lead to the same function */
		{ "u64 text+0x120: lab_call\n",
		  "the entry of lab_word in .stubs is not what loading made: it leads to 0xffffffff81002000 lab_call",
		  false },
		{ "u64 text+0x148: 0\n",
		  "the entry of lab_call in .stubs is not what loading made: it leads to 0x0000000000000000",
		  false },
		{ "mem text+0x12c: 30\n",
		  "the entry of lab_call in .stubs is not what loading made\n", false },
		{ "mem text+0x158: 04\n",
		  "the entry of ftrace_caller in .stubs is not what loading made\n", false },
		/* one that nobody calls is not known */
		{ "u64 text+0x198: lab_evil\n", NULL, false },
		{ NULL, NULL, false },
	};
	static const struct change sites = {
		"set module lab\n	arch.ool_stubs = text+0x178\nfill text+0x178 0x60 0x60\n",
		NULL, false
	};
	static const struct change most = { "u64 text+0x120: lab_evil\nu64 text+0x148: lab_evil\n",
					    NULL, false };

	(void)state;
	run_all(&ppc, &dump, "module-slot           3 ", changes);
	/* what is behind them is ftrace's */
	run(&ppc, &dump, "loading made\n136 bytes of text compared", &sites);
	/* most of them: then their expected contents are not known */
	run(&ppc, &dump,
	    "!! module lab: its GOT and PLT are not what its file leads to: 3 entries are not compared",
	    &most);
}

/* ---- arm64 ---- */

/* calls of both, twice of one */
static const struct file arm = {
	ELFDATA2LSB,
	EM_AARCH64,
	{ "lab_call", "lab_word" },
	{ 0, 0, 0, 0x94, 0, 0, 0, 0x94, 0, 0, 0, 0x94 },
	12,
	{ { 0, R_AARCH64_CALL26, 2, 0 },
	  { 4, R_AARCH64_CALL26, 3, 0 },
	  { 8, R_AARCH64_CALL26, 2, 0 } },
	{ { ".plt", SHF_EXECINSTR, 1 }, { ".text.ftrace_trampoline", SHF_EXECINSTR, 1 } },
};

static void arm64(void **state)
{
	/* adrp: pages from 0xc0000 to 0x81002, 0x81003, 0x81005: -0x3effe, -0x3effd, -0x3effb */
	static const struct dump dump = {
		"",
		"aarch64",
		"0xffffffffc0000000",
		{ ".plt", ".text.ftrace_trampoline", ".got.b" },
		"type plt_entry 12\n"
		"	adrp 0 u32\n"
		"type mod_plt_sec 16\n"
		"	plt_num_entries 8 s32\n"
		"type mod_arch_specific 48\n"
		"	core 0 struct mod_plt_sec\n",
		"set module lab\n"
		"	arch.core.plt_num_entries = 2\n"
		"mem text: 40 00 00 94 42 00 00 94 3e 00 00 94\n"
		"mem text+0x100: 10 80 e0 d0 10 02 00 91 00 02 1f d6\n"
		"mem text+0x10c: 10 80 e0 f0 10 02 00 91 00 02 1f d6\n"
		"mem text+0x200: 30 80 e0 b0 10 02 00 91 00 02 1f d6\n",
	};
	static const struct change changes[] = {
		{ "", NULL, false },
		{ "mem text+0x200: 30 80 e0 d0\n",
		  "the entry of ftrace_caller in .text.ftrace_trampoline is not what loading made\n",
		  false },
		/* the call that goes there leads elsewhere, too */
		{ "mem text+0x10c: 30 80 e0 90\n",
		  "the entry of lab_word in .plt is not what loading made\n", true },
		{ NULL, NULL, false },
	};

	(void)state;
	run_all(&arm, &dump, "module-slot           3 ", changes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(s390_own_jumps), cmocka_unit_test(s390_shared_jump),
		cmocka_unit_test(s390_short),	  cmocka_unit_test(riscv64),
		cmocka_unit_test(ppc64le),	  cmocka_unit_test(arm64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
