// SPDX-License-Identifier: GPL-2.0-or-later
/* lab_order_modify: a function whose return value BPF programs may replace (fmod_ret). */
#define FUNCTION "security_file_fcntl"
#define NO_MIDDLE
#include "lab_order.c"
