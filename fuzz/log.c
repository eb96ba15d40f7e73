// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * log.c - logs as people hold them: the first byte chooses what is done with the rest.
 */
#include "harness.h"

static int read_nothing(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	(void)priv, (void)space, (void)addr, (void)buf, (void)len;
	return OTST_ERR_FAULT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct otst_target_ops ops = { .size = sizeof(ops),
						    .name = "none",
						    .read = read_nothing };
	static const char *const ways[][4] = {
		{ "-t" },	    { "-t", "-v" },    { "-t", "-j" },	  { "-t", "-n3" },
		{ "-t", "-xfolded" }, { "-t", "-xlog" }, { "-b", "-v" }, { "-b", "-j" },
	};
	const char *words[8] = { "otst" };
	static struct otst *o;
	int n = 1;

	if (!size || (!o && otst_open(&ops, NULL, NULL, &o)))
		return 0;
	for (const char *const *way = ways[*data % (sizeof(ways) / sizeof(*ways))]; *way; way++)
		words[n++] = *way;
	words[n++] = "--text";
	words[n] = harness_file(data + 1, size - 1);
	harness_command(o, words);
	return 0;
}
