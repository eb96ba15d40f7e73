// SPDX-License-Identifier: GPL-2.0-or-later
/* lab_order_lsm: what LSM programs are attached to, with a return value. */
#define FUNCTION "bpf_lsm_file_lock"
#define NO_MIDDLE
#include "lab_order.c"
