/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * forms.h - the forms in which a file can hold a machine's memory. Each form has one row of
 * operations and one file; dump.c has the table.
 */
#ifndef OTST_FORMS_H
#define OTST_FORMS_H

#include "offline.h"

#include <inttypes.h>

/** COPIES_DIFFER - complaint, once a dump, about an address of such memory */
#define COPIES_DIFFER                                                            \
	"memory at 0x%" PRIx64 " is in the file twice, with different content: " \
	"such memory counts as missing"

/**
 * struct form_file - what is to be opened
 * @fd: stays open as long as the opened form
 * @path: its name, for files that lie beside it
 * @more: @nr_more further files of the same dump: the parts of a split one
 * @threads: how many may inflate pages, including this one
 * @xen: the notes say that it is memory of Xen
 * @memory_map: the file of --memory-map; or NULL
 */
struct form_file {
	int fd;
	const char *path;
	const char *const *more;
	size_t nr_more;
	unsigned int threads;
	bool xen;
	const char *memory_map;
};

/**
 * struct form_ops - what a form can do; @priv is what @open returned
 * @takes_map: --memory-map makes sense
 * @has_no_byte_order: no header says that the kernel is little-endian
 * @hint: for when no kernel is found in it; or NULL
 * @open: complain, and return an error, when the file is not usable
 * @read: @space is an enum otst_space; all or FAULT; UNSUPPORTED for virtual memory, but Xen's
 * @next: first physical range in the file at or after @phys; false when there is none
 * @place: memory begins at @phys; false, and nothing changes, if the file says where it is; may be NULL
 * @extent: part @i of a file that does not say which memory it holds; false after the last one; may be NULL
 * @ahead: this physical memory will be read soon; NULL when that is of no use
 * @registers: append the registers of the file's cpus, NT_PRSTATUS, to the notes at @notes; may be NULL
 * @vmcoreinfo: text of VMCOREINFO if the form has it outside of notes, else NULL; may be NULL
 */
struct form_ops {
	bool takes_map;
	bool has_no_byte_order;
	const char *hint;
	int (*open)(const struct form_file *file, void **ret);
	void (*close)(void *priv);
	int (*read)(void *priv, int space, uint64_t addr, void *buf, uint64_t len);
	bool (*next)(void *priv, uint64_t phys, uint64_t *start, uint64_t *end);
	bool (*place)(void *priv, uint64_t phys);
	bool (*extent)(void *priv, uint64_t i, uint64_t *phys, uint64_t *size, uint64_t *offset);
	void (*ahead)(void *priv, uint64_t phys, uint64_t len);
	int (*registers)(void *priv, const struct form_file *file, void **notes, size_t *len);
	const char *(*vmcoreinfo)(void *priv, size_t *len);
};

extern const struct form_ops elfcore_form; /* elfcore.c: ELF dumps */
extern const struct form_ops xencore_form; /* xencore.c: xl dump-core's */
extern const struct form_ops sadump_form;  /* sadump.c: of Fujitsu's firmware */
extern const struct form_ops kdump_form;   /* kdump.c: makedumpfile's and libkdumpfile's */
extern const struct form_ops lime_form;	   /* lime.c: LiME's, AVML's without compression */
extern const struct form_ops avml_form;	   /* avml.c: AVML's */
extern const struct form_ops qemu_form;	   /* qemu.c: QEMU's migration stream */
extern const struct form_ops vmware_form;  /* vmware.c: VMware's .vmss and .vmsn */
extern const struct form_ops raw_form;	   /* raw.c: no header at all */

/* ---- segments.c: runs of physical memory that lie in the file as they are ---- */

struct segments;

/** segments_create() - none yet; @fd must stay open as long as @ret */
int segments_create(int fd, struct segments **ret);

/** segments_file_size() - size of the file in bytes */
uint64_t segments_file_size(const struct segments *s);

/**
 * segments_add() - @size bytes of memory at @phys are in the file at @offset
 *
 * What lies past the file's end is left out and counted.
 */
int segments_add(struct segments *s, uint64_t phys, uint64_t size, uint64_t offset);

/**
 * segments_sort() - all are added; memory that is there twice reads as missing where its copies differ
 * @what: the file, for complaints: "dump"
 *
 * Return: 0; CORRUPT, after a complaint, if the file holds no memory.
 */
int segments_sort(struct segments *s, const char *what);

/** segments_let_move() - memory changes while it is read: its copies are not compared */
void segments_let_move(struct segments *s);

/** segments_let_place() - where the only segment is in memory is not known yet: it can be placed */
void segments_let_place(struct segments *s);

/**
 * segments_finish() - end of a form's open(): sort them, and hand them over
 * @err: of adding them; an error closes @s
 */
int segments_finish(struct segments *s, int err, const char *what, void **ret);

/** segments_fill_gaps() - memory between segments is zero: the tool leaves zeros out */
void segments_fill_gaps(struct segments *s);

/** segments_skip_holes() - segments_next() passes over holes of a sparse file; they read as zeros */
void segments_skip_holes(struct segments *s);

/* operations of a form; @priv is a struct segments */
void segments_close(void *priv);
int segments_read(void *priv, int space, uint64_t phys, void *buf, uint64_t len);
bool segments_next(void *priv, uint64_t phys, uint64_t *start, uint64_t *end);
bool segments_place(void *priv, uint64_t phys);
bool segments_extent(void *priv, uint64_t i, uint64_t *phys, uint64_t *size, uint64_t *offset);

/* ---- lime.c: the headers of LiME and AVML ---- */

#define RANGE_HEADER 32u

/** struct range_header - @size bytes of memory from @start on follow it */
struct range_header {
	uint32_t magic;
	uint32_t version;
	uint64_t start;
	uint64_t size;
};

/** range_header_read() - the header at byte @at of @fd; false when it is not there in full */
bool range_header_read(int fd, bool big_endian, uint64_t at, struct range_header *ret);

/** range_header_valid() - true if it is one of these, and there can be such memory */
bool range_header_valid(const struct range_header *r, uint32_t magic);

/* ---- registers.c: registers of x86_64, as notes at the end of those at @notes ---- */

/** registers_of_vbox() - those of VirtualBox's notes, if there are any */
int registers_of_vbox(void **notes, size_t *len);

/** registers_of_xen() - those of @size bytes of Xen's struct vcpu_guest_context */
int registers_of_xen(const unsigned char *contexts, size_t size, void **notes, size_t *len);

/** registers_of_sadump() - those of @count cpus, states of @size bytes as SMM saves them */
int registers_of_sadump(const unsigned char *states, uint64_t size, uint64_t count, void **notes,
			size_t *len);

/**
 * struct qemu_cpu - where a cpu's values are, which are big-endian
 * @regs: 16 of them; @segments: six times @segment_size bytes, which begin with the selector
 */
struct qemu_cpu {
	const unsigned char *regs, *ip, *flags, *segments;
	size_t segment_size;
};

/** registers_of_qemu() - those of one cpu */
int registers_of_qemu(const struct qemu_cpu *cpu, void **notes, size_t *len);

/** struct named_registers - of one cpu, by their names; @set: bits of those that were given */
struct named_registers {
	uint64_t values[21];
	uint32_t set;
};

/** registers_set() - @name is "rax", "rip", "eflags"; nothing for other names */
void registers_set(struct named_registers *r, const char *name, uint64_t value);

/** registers_add() - add a note; LOOKUP unless instruction and stack pointer are set */
int registers_add(struct named_registers *r, void **notes, size_t *len);

/* ---- sadump.c ---- */

#define SADUMP_MAGIC "sadump\0"

/* ---- memorymap.c ---- */

/** memory_map_add() - add the segments that the file of --memory-map names; complains itself */
int memory_map_add(const char *path, struct segments *s);

/* ---- vmware.c ---- */

/* the first bytes of a state */
#define VMWARE_MAGIC	  "\xd2\xbe\xd2\xbe"
#define VMWARE_PARTIAL	  "\xd3\xbe\xd3\xbe"
#define VMWARE_RESTORED	  "\xd1\xba\xd1\xba"
#define VMWARE_NO_RESTORE "\xd2\xba\xd2\xba"

/**
 * vmware_add_regions() - add the segments of a .vmem file as the state beside it has them
 * @ret: 0, or an error after a complaint
 *
 * Return: false, and nothing is done, unless @path is a .vmem with a .vmss or .vmsn.
 */
bool vmware_add_regions(const char *path, struct segments *s, int *ret);

#endif /* OTST_FORMS_H */
