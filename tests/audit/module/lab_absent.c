// SPDX-License-Identifier: GPL-2.0-or-later
/* lab_absent.c - lab_hidden, gone from /sys/module as well */
#define LAB_ABSENT
#include "lab_hidden.c"
