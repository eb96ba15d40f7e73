// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vmlinux.c - an image file for text dumps: functions at the addresses that the
 * dumps give them, so that their prototypes and lines come from the compiler.
 */
#define AT(where) __attribute__((section(where), noinline, used))

enum lab_color { LAB_RED, LAB_GREEN = 5, LAB_BLUE = -1 };

struct lab_pair {
	long first;
	int second;
};

struct lab_large {
	long words[3];
};

#ifdef MODINFO
static const char modinfo[] __attribute__((section(".modinfo"), used)) = MODINFO;
#endif

#ifdef BANNER
const char linux_banner[] __attribute__((section(".banner"), used)) = BANNER;
#endif

AT(".stext") void _stext(void)
{
}

AT(".do_fork")
long do_fork(unsigned long clone_flags, unsigned long stack_start, unsigned long stack_size,
	     int *parent_tidptr, int *child_tidptr)
{
	return (long)(clone_flags + stack_start + stack_size) + *parent_tidptr + *child_tidptr;
}

AT(".lab_many")
long lab_many(signed char small, _Bool yes, enum lab_color color, struct lab_pair pair,
	      const char *name, struct lab_large large, unsigned short last, struct lab_pair late,
	      int behind)
{
	return small + yes + color + pair.first + name[0] + large.words[1] + last + late.second +
	       behind;
}
