// SPDX-License-Identifier: GPL-2.0-or-later
/* lab_order_plain: no BPF program comes here, so there is no direct call. */
#define FUNCTION "vfs_fallocate"
#define NO_MIDDLE
#include "lab_order.c"
