/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stap.h - interface between the files that turn SystemTap's output into traces.
 *
 *	stap.c		the source; print buffers and messages of a module
 *	relay.c	its relay channel	-> the bytes of each cpu
 *	stream.c	these bytes		-> pieces that were written at once
 *	line.c	a line			-> a frame, or text
 *	text.c	text of a piece		-> a trace
 */
#ifndef OTST_STAP_TRACES_H
#define OTST_STAP_TRACES_H

#include "../traces.h"
#include "../../capturers/stap.h"

/** enum otst_stap_place - where a piece of text was found, in the order of the output */
enum otst_stap_place {
	OTST_STAP_RELAY,  /**< the relay channel, which stapio reads */
	OTST_STAP_BUFFER, /**< the print buffer of a cpu whose probe has not ended */
	OTST_STAP_QUEUE,  /**< messages for stapio */
};

/**
 * struct otst_stap_piece - text that was written at once: what one probe printed
 * @text: @len bytes, not cleaned
 * @cpu: -1 when unknown
 * @sequence: number of the piece in its module, valid when @has_sequence
 * @read: stapio has read it, at least in part
 * @cut: its end was lost; @begun: its beginning was lost
 */
struct otst_stap_piece {
	enum otst_stap_place place;
	const char *text;
	size_t len;
	int cpu;
	uint32_t sequence;
	bool has_sequence;
	bool read;
	bool cut;
	bool begun;
};

/**
 * struct otst_stap_reader - reads the output of one module
 * @frames_only: leave out what has no stack
 * @first: where its traces begin in @ret
 */
struct otst_stap_reader {
	struct otst *o;
	const struct otst_stap *stap;
	struct otst_traces *ret;
	bool frames_only;
	size_t first;
};

/**
 * otst_stap_piece() - make a trace of @p (text.c)
 *
 * It makes several traces where nothing tells what was written at once.
 */
int otst_stap_piece(struct otst_stap_reader *r, const struct otst_stap_piece *p);

/**
 * otst_stap_line() - is this line a frame, as print_backtrace() and its like print it (line.c)
 * @ret: @ret->text points into the line
 */
bool otst_stap_line(struct otst *o, const char *text, struct otst_trace_line *ret, size_t *len);

/**
 * struct otst_stap_run - consecutive bytes of one cpu's buffer
 * @unread: the first byte that stapio has not read; @len when it has read all
 * @whole: a piece begins at the first byte
 * @edges: where its sub-buffers end, @nr_edges of them
 */
struct otst_stap_run {
	const unsigned char *data;
	size_t len;
	size_t unread;
	bool whole;
	size_t *edges;
	size_t nr_edges;
};

/** otst_stap_stream() - split @run into its pieces (stream.c) */
int otst_stap_stream(struct otst_stap_reader *r, int cpu, const struct otst_stap_run *run);

/**
 * otst_stap_relay() - read all of the module's relay channel (relay.c)
 *
 * Return: 0, or an error that ends the command.
 */
int otst_stap_relay(struct otst_stap_reader *r);

/** otst_stap_relay_holds() - does a buffer of the module's relay channel hold @at (relay.c) */
int otst_stap_relay_holds(struct otst *o, const struct otst_stap *stap, uint64_t at, bool *ret);

#endif /* OTST_STAP_TRACES_H */
