/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * stack.h - frames of captured stacks as text, as the kernel prints them.
 */
#ifndef OTST_OUTPUT_STACK_H
#define OTST_OUTPUT_STACK_H

#include "output.h"
#include "../stacks/stack.h"

/**
 * otst_frame_name() - "sym+0x1/0x1d [module]", a plain number when nothing is known
 *
 * Like the kernel's %pB: a return address gets the name of the call before it.
 * In the command's arena; never NULL.
 */
const char *otst_frame_name(struct otst *o, const struct otst_frame *f);

/** otst_pc_title() - the prefix of an address from saved registers: "RIP: 0010:"; never NULL */
const char *otst_pc_title(struct otst *o, uint16_t cs);

#endif /* OTST_OUTPUT_STACK_H */
