// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * package.c - which package of its distribution has a kernel's vmlinux. Distributions
 * name themselves in the kernel's release ("4.18.0-553.el8_10.x86_64"), in its version
 * ("#1 SMP Debian 6.1.27-1") or by who built it, in the banner ("geeko@buildhost").
 */
#include <stdio.h>
#include <string.h>

#include "package.h"

static void set_package(struct otst_package *ret, const char *distribution, const char *before,
			const char *middle, const char *after)
{
	ret->distribution = distribution;
	snprintf(ret->name, sizeof(ret->name), "%s%s%s", before, middle, after);
}

/* ---- rpm: kernel-debuginfo-RELEASE, with the variant between the two words ---- */

/** struct family - @tag: in the release, before digits: ".el8_10" */
struct family {
	const char *tag;
	const char *distribution;
};

static const struct family families[] = {
	{ ".el", "RHEL" },	{ ".fc", "Fedora" },	{ ".amzn", "Amazon Linux" },
	{ ".oe", "openEuler" }, { ".an", "Anolis OS" }, { ".tl", "TencentOS" },
};

static const char *find_family(const char *release)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		const char *tag = strstr(release, families[i].tag);

		if (tag && tag[strlen(families[i].tag)] >= '0' &&
		    tag[strlen(families[i].tag)] <= '9')
			return families[i].distribution;
	}
	return NULL;
}

/*
 * A variant comes last since RHEL 9 and in Fedora: "5.14.0-427.el9_4.x86_64+rt"; both the
 * variant rt of RHEL 8 and Oracle's kernel are within: ".rt7.342.el8_10.", ".el8uek."
 */
static void set_rpm(const char *release, const char *distribution, struct otst_package *ret)
{
	size_t len = strcspn(release, "+");
	const char *variant = release[len] ? release + len + 1 : "";
	char middle[OTST_PACKAGE_LEN / 2];

	if (!*variant && strstr(release, ".rt"))
		variant = "rt";
	if (!*variant && strstr(release, "uek"))
		variant = "uek";
	snprintf(middle, sizeof(middle), "%s%s-debuginfo-%.*s", *variant ? "-" : "", variant,
		 (int)len, release);
	set_package(ret, strcmp(variant, "uek") ? distribution : "Oracle Linux", "kernel", middle,
		    "");
}

/* ---- SUSE: kernel-FLAVOUR-debuginfo, of the version that is installed ---- */

static const char *find_flavour(const char *release, const char *banner)
{
	static const char *const flavours[] = { "default", "rt", "64kb", "azure", "preempt" };
	const char *last = strrchr(release, '-');

	for (size_t i = 0; last && i < sizeof(flavours) / sizeof(*flavours); i++) {
		/* others use these words, too, but for the first */
		if (!strcmp(last + 1, flavours[i]) && (!i || strstr(banner, "(geeko@")))
			return last + 1;
	}
	return NULL;
}

/* ---- Arch Linux: the headers have it; "(linux-lts@archlinux)" names the package ---- */

static bool set_arch(const char *banner, struct otst_package *ret)
{
	const char *end = strstr(banner, "@archlinux)"), *start = end;
	char name[64];

	while (start && start > banner && start[-1] != '(')
		start--;
	if (!start || start == banner || strncmp(start, "linux", 5) != 0)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)(end - start), start);
	set_package(ret, "Arch Linux", name, "-headers", "");
	return true;
}

bool otst_debug_package(const char *release, const char *version, const char *banner,
			struct otst_package *ret)
{
	const char *word;

	if (!*release)
		return false;
	/* Ubuntu's first: its compiler's version may have the word Debian */
	if (strstr(version, "Ubuntu") || strstr(version, "ubuntu"))
		set_package(ret, "Ubuntu", "linux-image-unsigned-", release, "-dbgsym");
	else if (strstr(version, "Debian"))
		set_package(ret, "Debian", "linux-image-", release, "-dbg");
	else if ((word = find_family(release)))
		set_rpm(release, word, ret);
	else if ((word = find_flavour(release, banner)))
		set_package(ret, "SUSE", "kernel-", word, "-debuginfo");
	else
		return set_arch(banner, ret);
	return true;
}
