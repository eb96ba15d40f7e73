// SPDX-License-Identifier: GPL-2.0-or-later
/* lab_unlisted.c - lab_hidden, gone from all places where the kernel keeps modules */
#define LAB_UNLISTED
#include "lab_hidden.c"
