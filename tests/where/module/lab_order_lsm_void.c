// SPDX-License-Identifier: GPL-2.0-or-later
/* lab_order_lsm_void: what LSM programs are attached to, without a return value. */
#define FUNCTION "bpf_lsm_file_set_fowner"
#define NO_MIDDLE
#include "lab_order.c"
