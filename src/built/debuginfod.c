// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * debuginfod.c - asks the servers of $DEBUGINFOD_URLS for the kernel's image file, by its
 * build ID, through elfutils' libdebuginfod. The library is loaded when the user asks for
 * it, and never else: it brings an HTTP client with it. The file goes to the library's
 * cache, not into the user's directories. A static program (OTST_STATIC) can load none.
 */
#ifdef OTST_STATIC
#include "search.h"

const char *otst_debuginfod(struct otst *o, const struct otst_build_id *id, char **ret)
{
	(void)o;
	(void)id;
	*ret = NULL;
	return "a static otst loads no library";
}
#else
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug.h"
#include "search.h"

#define LIBRARY "libdebuginfod.so.1"

struct debuginfod_client;

/** struct debuginfod - functions of elfutils/debuginfod.h */
struct debuginfod {
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	int (*find_debuginfo)(struct debuginfod_client *client, const unsigned char *id, int len,
			      char **path);
	void (*set_progressfn)(struct debuginfod_client *client,
			       int (*fn)(struct debuginfod_client *client, long done, long all));
	void (*set_user_data)(struct debuginfod_client *client, void *data);
};

/* The functions exist since elfutils 0.180. The library stays loaded: curl has threads. */
static const char *load_library(struct debuginfod *ret)
{
	const struct {
		const char *name;
		void *to;
	} functions[] = {
		{ "debuginfod_begin", &ret->begin },
		{ "debuginfod_end", &ret->end },
		{ "debuginfod_find_debuginfo", &ret->find_debuginfo },
		{ "debuginfod_set_progressfn", &ret->set_progressfn },
		{ "debuginfod_set_user_data", &ret->set_user_data },
	};
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL), *function;

	if (!handle)
		return LIBRARY " is not installed";
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		function = dlsym(handle, functions[i].name);
		if (!function)
			return LIBRARY " is too old";
		memcpy(functions[i].to, &function, sizeof(function));
	}
	return NULL;
}

/* the engine behind a client: the callback gets only the client, so the function is looked up again */
static struct otst *get_engine(struct debuginfod_client *client)
{
	void *(*get)(struct debuginfod_client *) = NULL;
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD), *function, *o;

	function = handle ? dlsym(handle, "debuginfod_get_user_data") : NULL;
	memcpy(&get, &function, sizeof(get));
	o = get ? get(client) : NULL;
	if (handle)
		dlclose(handle);
	return o;
}

/* non-zero ends the download */
static int show_download(struct debuginfod_client *client, long done, long all)
{
	struct otst *o = get_engine(client);

	if (!o)
		return 0;
	if (o->ops.progress && done >= 0 && all >= 0)
		o->ops.progress(o->priv, "downloading vmlinux", (uint64_t)done, (uint64_t)all);
	return otst_check(o) != 0;
}

static const char *ask_servers(struct otst *o, const struct debuginfod *lib,
			       const struct otst_build_id *id, char **ret)
{
	struct debuginfod_client *client = lib->begin();
	const char *why = NULL;
	int fd;

	if (!client)
		return "out of memory";
	lib->set_user_data(client, o);
	lib->set_progressfn(client, show_download);
	fd = lib->find_debuginfo(client, id->bytes, (int)id->len, ret);
	lib->end(client);
	if (fd < 0)
		why = otst_format(o, "%s", strerror(-fd));
	else
		close(fd);
	return why;
}

const char *otst_debuginfod(struct otst *o, const struct otst_build_id *id, char **ret)
{
	const char *urls = getenv("DEBUGINFOD_URLS"), *why;
	struct debuginfod lib;

	*ret = NULL;
	if (!urls || !*urls)
		return "DEBUGINFOD_URLS names no server";
	why = load_library(&lib);
	return why ? why : ask_servers(o, &lib, id, ret);
}
#endif
