/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 otst authors */
/*
 * path.h - what a local file is (path.c)
 */
#ifndef OTST_PATH_H
#define OTST_PATH_H

#include "../otst.h"

/**
 * otst_content_name() - what an open file holds: "a dump", "a kernel image", "ASCII text"
 *
 * Return: a static string; NULL when the file is empty.
 */
const char *otst_content_name(int fd);

/** otst_content_is_text() - does an open file hold text, of which it is not empty */
bool otst_content_is_text(int fd);

/** otst_access_problem() - errno in the words of otst_path_problem(): "no such file" */
const char *otst_access_problem(void);

#endif /* OTST_PATH_H */
