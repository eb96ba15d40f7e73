// SPDX-License-Identifier: GPL-2.0-or-later
/* dwarf.c - placeholder */
#include "offline.h"
int dwarf_open(int fd, struct dwarf **ret) { (void)fd; (void)ret; return OTST_ERR_LOOKUP; }
void dwarf_close(struct dwarf *d) { (void)d; }
int dwarf_member(struct dwarf *d, const char *type, const char *member, struct otst_member *ret) { (void)d;(void)type;(void)member;(void)ret; return OTST_ERR_LOOKUP; }
int dwarf_type_size(struct dwarf *d, const char *type, uint64_t *ret){ (void)d;(void)type;(void)ret; return OTST_ERR_LOOKUP; }
int dwarf_enumerator(struct dwarf *d, const char *name, int64_t *ret){ (void)d;(void)name;(void)ret; return OTST_ERR_LOOKUP; }
