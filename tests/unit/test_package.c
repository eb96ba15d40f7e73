// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * test_package.c - package.c on what kernels of distributions say of themselves, and the
 * names of the packages in their archives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../../src/built/package.h"

struct example {
	const char *release;
	const char *version;
	const char *banner;
	const char *distribution; /* NULL: not known */
	const char *package;
};

static const struct example examples[] = {
	{ "6.1.0-9-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.27-1 (2023-05-08)", "", "Debian",
	  "linux-image-6.1.0-9-amd64-dbg" },
	{ "5.15.0-91-generic", "#101-Ubuntu SMP Tue Nov 14 13:30:08 UTC 2023",
	  "Linux version 5.15.0-91-generic (buildd@lcy02-amd64-045) (gcc (Ubuntu 11.4.0) 11.4.0)",
	  "Ubuntu", "linux-image-unsigned-5.15.0-91-generic-dbgsym" },
	{ "6.5.0-1016-azure", "#16~22.04.1-Ubuntu SMP Fri Feb 16 15:42:02 UTC 2024", "", "Ubuntu",
	  "linux-image-unsigned-6.5.0-1016-azure-dbgsym" },
	{ "4.18.0-553.el8_10.x86_64", "#1 SMP Mon May 13 15:03:17 EDT 2024", "", "RHEL",
	  "kernel-debuginfo-4.18.0-553.el8_10.x86_64" },
	{ "4.18.0-553.rt7.342.el8_10.x86_64", "#1 SMP PREEMPT_RT Mon May 13 15:03:17 EDT 2024", "",
	  "RHEL", "kernel-rt-debuginfo-4.18.0-553.rt7.342.el8_10.x86_64" },
	{ "5.14.0-427.13.1.el9_4.x86_64+rt", "#1 SMP PREEMPT_RT", "", "RHEL",
	  "kernel-rt-debuginfo-5.14.0-427.13.1.el9_4.x86_64" },
	{ "5.14.0-427.13.1.el9_4.aarch64+64k", "#1 SMP", "", "RHEL",
	  "kernel-64k-debuginfo-5.14.0-427.13.1.el9_4.aarch64" },
	{ "5.15.0-205.149.5.1.el9uek.x86_64", "#2 SMP", "", "Oracle Linux",
	  "kernel-uek-debuginfo-5.15.0-205.149.5.1.el9uek.x86_64" },
	{ "6.8.5-301.fc40.x86_64", "#1 SMP PREEMPT_DYNAMIC Thu Apr 11 20:00:10 UTC 2024", "",
	  "Fedora", "kernel-debuginfo-6.8.5-301.fc40.x86_64" },
	{ "6.1.91-99.172.amzn2023.x86_64", "#1 SMP PREEMPT_DYNAMIC", "", "Amazon Linux",
	  "kernel-debuginfo-6.1.91-99.172.amzn2023.x86_64" },
	{ "6.4.0-150600.21-default",
	  "#1 SMP PREEMPT_DYNAMIC Thu May 16 11:09:22 UTC 2024 (36c1e09)", "", "SUSE",
	  "kernel-default-debuginfo" },
	{ "5.14.21-150500.33.54-azure", "#1 SMP Thu Apr 25 11:08:01 UTC 2024 (b1ae4b6)",
	  "Linux version 5.14.21-150500.33.54-azure (geeko@buildhost) (gcc (SUSE Linux) 7.5.0)",
	  "SUSE", "kernel-azure-debuginfo" },
	{ "6.9.2-arch1-1", "#1 SMP PREEMPT_DYNAMIC Sun, 26 May 2024 01:30:29 +0000",
	  "Linux version 6.9.2-arch1-1 (linux@archlinux) (gcc (GCC) 14.1.1 20240522)", "Arch Linux",
	  "linux-headers" },
	{ "6.6.32-1-lts", "#1 SMP PREEMPT_DYNAMIC Sun, 26 May 2024 01:30:29 +0000",
	  "Linux version 6.6.32-1-lts (linux-lts@archlinux) (gcc (GCC) 14.1.1 20240522)",
	  "Arch Linux", "linux-lts-headers" },
	{ "6.1.192-otst", "#1 SMP PREEMPT Mon Nov 23 2026", "Linux version 6.1.192-otst (x@y)",
	  NULL, NULL },
	{ "6.1.elf", "#1", "(@archlinux)", NULL, NULL },
	{ "6.1-azure", "#1", "@archlinux)", NULL, NULL },
	{ "", "Debian", "", NULL, NULL },
};

static void test_examples(void **state)
{
	struct otst_package p;

	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		const struct example *e = &examples[i];

		assert_int_equal(otst_debug_package(e->release, e->version, e->banner, &p),
				 e->distribution != NULL);
		if (!e->distribution)
			continue;
		assert_string_equal(p.distribution, e->distribution);
		assert_string_equal(p.name, e->package);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_examples) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
