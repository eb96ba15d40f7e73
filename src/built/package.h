/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * package.h - which package of its distribution has a kernel's vmlinux.
 */
#ifndef OTST_PACKAGE_H
#define OTST_PACKAGE_H

#include <stdbool.h>

#define OTST_PACKAGE_LEN 256u

/**
 * struct otst_package - a package with a vmlinux
 * @distribution: "Debian"; "RHEL" also for what is built from its sources
 */
struct otst_package {
	const char *distribution;
	char name[OTST_PACKAGE_LEN];
};

/**
 * otst_debug_package() - the package, by what the kernel says of itself
 * @release, @version: uname -r, -v
 * @banner: the first line of its log, "" when unknown
 *
 * Return: false when the distribution is not known.
 */
bool otst_debug_package(const char *release, const char *version, const char *banner,
			struct otst_package *ret);

#endif /* OTST_PACKAGE_H */
