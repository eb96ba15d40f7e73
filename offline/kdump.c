// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * kdump.c - dumps in forms other than ELF. diskpages.c reads makedumpfile's compressed
 * dumps, library.c those of Xen and s390's own.
 */
#include "diskpages.h"
#include "forms.h"
#include "library.h"
#include "../front/notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* @library reads the dump unless there are @pages */
struct kdump {
	struct diskguard *guard;
	struct diskparts *parts;
	struct diskpages *pages;
	struct library *library;
	char *vmcoreinfo;
	size_t vmcoreinfo_len;
};

static int open_pages(struct kdump *k, const struct form_file *file)
{
	uint64_t offset, size;
	int err;

	err = diskparts_open(k->guard, file->more, file->nr_more, &k->parts);
	if (!err)
		err = diskpages_open(k->parts, diskguard_page_size(k->guard), file->threads,
				     &k->pages);
	if (err || !diskguard_vmcoreinfo(k->guard, &offset, &size))
		return err;
	k->vmcoreinfo = calloc(1, size + 1);
	if (!k->vmcoreinfo)
		return OTST_ERR_NOMEM;
	if (read_fully(file->fd, k->vmcoreinfo, size, offset))
		k->vmcoreinfo_len = strlen(k->vmcoreinfo);
	return 0;
}

static void close_kdump(void *priv)
{
	struct kdump *k = priv;

	if (!k)
		return;
	library_close(k->library);
	diskpages_close(k->pages);
	diskparts_close(k->parts);
	diskguard_close(k->guard);
	free(k->vmcoreinfo);
	free(k);
}

static int read_kdump(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct kdump *k = priv;

	if (space == OTST_VIRT && !(k->library && library_translates(k->library)))
		return OTST_ERR_UNSUPPORTED;
	if (!len)
		return 0;
	if (len - 1 > UINT64_MAX - addr)
		return OTST_ERR_FAULT;
	return k->pages ? diskpages_read(k->pages, addr, buf, len) :
			  library_read(k->library, space, addr, buf, len);
}

static void read_kdump_ahead(void *priv, uint64_t phys, uint64_t len)
{
	struct kdump *k = priv;

	if (k->pages)
		diskpages_ahead(k->pages, phys, len);
}

static bool next_kdump_range(void *priv, uint64_t phys, uint64_t *start, uint64_t *end)
{
	struct kdump *k = priv;

	return k->pages ? diskparts_next(k->parts, phys, start, end) :
			  library_next(k->library, phys, start, end);
}

static const char *kdump_vmcoreinfo(void *priv, size_t *len)
{
	const struct kdump *k = priv;

	if (k->library)
		return library_vmcoreinfo(k->library, len);
	*len = k->vmcoreinfo_len;
	return k->vmcoreinfo;
}

static int open_reader(struct kdump *k, const struct form_file *file)
{
	int err = diskguard_open(file->fd, &k->guard);

	if (err)
		return err;
	if (k->guard && !file->xen)
		return open_pages(k, file);
	if (k->guard && dump_is_part(file->fd)) {
		complain(
			"one part of a split dump of Xen; join the parts first: makedumpfile --reassemble");
		return OTST_ERR_UNSUPPORTED;
	}
	return library_open(file->fd, k->guard, &k->library);
}

static int open_kdump(const struct form_file *file, void **ret)
{
	struct kdump *k = calloc(1, sizeof(*k));
	int err;

	if (!k)
		return OTST_ERR_NOMEM;
	err = open_reader(k, file);
	if (err) {
		close_kdump(k);
		return err;
	}
	*ret = k;
	return 0;
}

const struct form_ops kdump_form = {
	.open = open_kdump,
	.close = close_kdump,
	.read = read_kdump,
	.next = next_kdump_range,
	.ahead = read_kdump_ahead,
	.vmcoreinfo = kdump_vmcoreinfo,
};
