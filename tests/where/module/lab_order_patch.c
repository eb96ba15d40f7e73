// SPDX-License-Identifier: GPL-2.0-or-later
/* lab_order_patch: a function that is live-patched. */
#define FUNCTION "vfs_setpos"
#define REPLACED
#include "lab_order.c"
