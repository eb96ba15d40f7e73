/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * notes.h - ELF notes, wherever they come from (notes.c)
 */
#ifndef OTST_NOTES_H
#define OTST_NOTES_H

#include "../base/command.h"

/** struct otst_note - one ELF note; @name_len counts the NUL; @name, @desc point into the notes */
struct otst_note {
	uint32_t type;
	const char *name;
	uint64_t name_len;
	const unsigned char *desc;
	uint64_t len;
};

/**
 * otst_note_next() - get the note at *@at, and move *@at to the next one
 *
 * Return: false at the end, and where the notes are damaged.
 */
bool otst_note_next(const struct otst *o, const unsigned char *notes, size_t len, size_t *at,
		    struct otst_note *ret);

/** otst_note_find() - find the note of this name and type that follows @skip others */
bool otst_note_find(const struct otst *o, const unsigned char *notes, size_t len, const char *name,
		    uint32_t type, unsigned int skip, struct otst_note *ret);

/** otst_dump_note() - the same among the notes of the dump file, &otst_target_ops.notes */
bool otst_dump_note(struct otst *o, const char *name, uint32_t type, unsigned int skip,
		    struct otst_note *ret);

/** otst_program_of_core() - whose core the dump file is: "bash (PID 7: bash -x)"; NULL: no program's */
const char *otst_program_of_core(struct otst *o);

/** otst_erased() - says what makedumpfile's --config erased in the dump; NULL when it erased nothing */
const char *otst_erased(struct otst *o);

#endif /* OTST_NOTES_H */
