/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * owner.h - whose code an address belongs to.
 */
#ifndef OTST_OWNER_H
#define OTST_OWNER_H

#include "../list/list.h"

/** otst_owner_of_code() - the module or built-in function that @addr lies in */
void otst_owner_of_code(struct otst *o, uint64_t addr, struct otst_owner *ret);

/** otst_owner_of_handlers() - the same for a kprobe's handlers, or for its record */
void otst_owner_of_handlers(struct otst *o, struct otst_probe *p);

#endif /* OTST_OWNER_H */
