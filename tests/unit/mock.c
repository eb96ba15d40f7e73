// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mock.c - an engine over a dump that a unit test writes in its source.
 */
#include "mock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int mock_read(void *priv, int space, uint64_t addr, void *buf, uint64_t len)
{
	struct mock *m = priv;

	int err = text_target_ops()->read(m->dump, space, addr, buf, len);

	m->reads++;
	if (!err && m->moves)
		m->moves(addr, buf, len);
	return err;
}

static int mock_symbol(void *priv, const char *name, uint64_t *ret)
{
	return text_target_ops()->symbol(((struct mock *)priv)->dump, name, ret);
}

static int mock_symbol_at(void *priv, uint64_t addr, struct otst_symbol *ret)
{
	return text_target_ops()->symbol_at(((struct mock *)priv)->dump, addr, ret);
}

static int mock_member(void *priv, const char *type, const char *member, struct otst_member *ret)
{
	return text_target_ops()->member(((struct mock *)priv)->dump, type, member, ret);
}

static int mock_type_size(void *priv, const char *type, uint64_t *ret)
{
	return text_target_ops()->type_size(((struct mock *)priv)->dump, type, ret);
}

static int mock_enumerator(void *priv, const char *name, int64_t *ret)
{
	return text_target_ops()->enumerator(((struct mock *)priv)->dump, name, ret);
}

static int mock_vmcoreinfo(void *priv, const char **ret, uint64_t *len)
{
	return text_target_ops()->vmcoreinfo(((struct mock *)priv)->dump, ret, len);
}

static int mock_notes(void *priv, const void **ret, uint64_t *len)
{
	return text_target_ops()->notes(((struct mock *)priv)->dump, ret, len);
}

static bool mock_interrupted(void *priv)
{
	return ((struct mock *)priv)->interrupted;
}

struct mock *mock_open_options(const char *text, const struct otst_options *options)
{
	struct otst_options given = options ? *options :
					      (struct otst_options){ .size = sizeof(given) };
	struct mock *m = text_xrealloc(NULL, sizeof(*m));
	char path[] = "/tmp/otst-unit-XXXXXX", message[1024];
	int fd = mkstemp(path), err;

	memset(m, 0, sizeof(*m));
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	err = text_target_open(path, message, sizeof(message), &m->dump);
	unlink(path);
	if (err)
		fail_msg("%s", message);
	m->ops = (struct otst_target_ops){
		.size = sizeof(m->ops),
		.name = "mock",
		.read = mock_read,
		.symbol = mock_symbol,
		.symbol_at = mock_symbol_at,
		.member = mock_member,
		.type_size = mock_type_size,
		.enumerator = mock_enumerator,
		.vmcoreinfo = mock_vmcoreinfo,
		.notes = mock_notes,
		.interrupted = mock_interrupted,
	};
	given.size = sizeof(given);
	given.big_endian = text_target_big_endian(m->dump);
	assert_int_equal(otst_open(&m->ops, m, &given, &m->o), 0);
	return m;
}

struct mock *mock_open(const char *text)
{
	return mock_open_options(text, NULL);
}

void mock_close(struct mock *m)
{
	otst_close(m->o);
	text_target_close(m->dump);
	free(m);
}

static int collect(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) != len;
}

int mock_run(struct mock *m, const char *const *words, char **ret)
{
	size_t len;
	FILE *f = open_memstream(ret, &len);
	struct otst_output out = { .size = sizeof(out), .write = collect, .priv = f };
	int count = 0, status;

	assert_non_null(f);
	while (words[count])
		count++;
	status = otst_run(m->o, count, words, &out, &out);
	fclose(f);
	return status;
}

void mock_put(void *to, uint64_t v, size_t size)
{
	uint8_t *p = to;

	for (size_t i = 0; i < size; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}
