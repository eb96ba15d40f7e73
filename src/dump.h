/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * dump.h - the decoders' only access to the dump.
 *
 * Memory, symbols, types, modules, the kernel's text as built, and walkers that
 * cannot run away. Everything is looked up once, at its first use, and cached in the
 * engine; decoders hold no state of their own.
 *
 * Conventions. Functions return 0 or a negative enum otst_err. Results are
 * untouched on error. Memory handed out belongs to the command's arena (freed
 * when the command ends) unless the description says "engine": such memory lives
 * as long as the engine. Callers never free. Addresses are kernel virtual
 * addresses. 64-bit kernels only.
 *
 * Less common interfaces have headers of their own: blob.h, coverage.h, debug.h,
 * disassemble.h, idr.h, image.h, lookup.h, rodata.h, task.h.
 */
#ifndef OTST_DUMP_H
#define OTST_DUMP_H

#include "base/command.h"
#include "memory/kernel.h"
#include "memory/memory.h"
#include "names/modules.h"
#include "names/symbols.h"
#include "types/types.h"
#include "memory/walk.h"

#endif /* OTST_DUMP_H */
