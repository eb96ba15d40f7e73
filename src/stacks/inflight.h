/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * inflight.h - shared by inflight.c and inflight_graph.c.
 */
#ifndef OTST_INFLIGHT_H
#define OTST_INFLIGHT_H

#include "stack.h"

/**
 * struct otst_inflight_list - calls while they are being collected
 * @items: vector of struct otst_inflight *
 * @errors: vector of const char *
 */
struct otst_inflight_list {
	struct otst *o;
	struct otst_vec items;
	struct otst_messages errors;
};

/** otst_inflight_member() - where @member is, NULL when this kernel has none */
const struct otst_member *otst_inflight_member(struct otst *o, const char *type,
					       const char *member);

/** otst_inflight_add() - append a call; never NULL */
struct otst_inflight *otst_inflight_add(struct otst_inflight_list *l, enum otst_inflight_kind kind,
					uint64_t record, uint64_t task);

/**
 * otst_inflight_graph() - append the frames of @task's shadow stack (inflight_graph.c)
 *
 * Return: 0, also when it is bad, with the reason in @l->errors; or what ends a command.
 */
int otst_inflight_graph(struct otst_inflight_list *l, uint64_t task);

#endif /* OTST_INFLIGHT_H */
