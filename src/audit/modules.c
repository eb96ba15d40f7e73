// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
/*
 * modules.c - modules that hide: the list of modules against the other places in which the
 * kernel keeps them, see names/module_sets.c. A module that is being loaded or freed is in some
 * of them only, and is then unformed.
 */
#include <inttypes.h>

#include "../names/module_sets.h"
#include "expect.h"

/* "the module tree, /sys/module and the list of bug tables" */
static const char *name_sets(struct otst *o, unsigned int sets)
{
	const char *s = "";

	for (int i = 0; i < OTST_MODULES_SETS; i++) {
		if (sets & 1u << i)
			s = otst_format(o, "%s%s%s", s,
					!*s		? "" :
					sets >> (i + 1) ? ", " :
							  " and ",
					otst_module_set_name((enum otst_module_set)i));
	}
	return s;
}

/* how many of the findings so far are about what leads into @m */
static size_t count_pointers(struct otst *o, const struct otst_audit *a,
			     const struct otst_module *m)
{
	const struct otst_finding *f = a->findings.data;
	size_t i, n = 0;

	for (i = 0; i < a->findings.count; i++)
		n += f[i].kind == OTST_FINDING_POINTER && otst_module_at(o, f[i].addr) == m;
	return n;
}

static const char *describe_text(struct otst *o, const struct otst_module *m)
{
	for (unsigned int i = 0; i < m->nr_ranges; i++) {
		if (m->ranges[i].text && !m->ranges[i].init)
			return otst_format(o, "; its text: %" PRIu64 " bytes at 0x%" PRIx64,
					   m->ranges[i].size, m->ranges[i].base);
	}
	return "";
}

static int report_hidden(struct otst *o, struct otst_audit *a, const struct otst_module *m)
{
	const char *where = otst_format(o, "module %s, which hides", m->name);
	size_t n;
	int err = 0;

	for (unsigned int i = 0; i < m->nr_ranges && !err; i++) {
		const struct otst_module_range *r = &m->ranges[i];

		otst_audit_seek(o, a, r->base, r->base + r->size);
		err = otst_audit_variables(o, a, r->base, r->base + r->size, where);
	}
	n = count_pointers(o, a, m);
	otst_finding_add(
		o, a, OTST_FINDING_MODULE, m->addr,
		otst_format(o, "module %s hides: it is not on the list of modules, but in %s%s%s",
			    m->name, name_sets(o, m->hidden), describe_text(o, m),
			    n ? otst_format(o, "; %zu %s into it", n,
					    otst_number(n, "pointer leads", "pointers lead")) :
				""));
	return err;
}

/* bug tables are left out: not every kernel lists the module that has none */
static void check_listed(struct otst *o, struct otst_audit *a, const struct otst_module *m,
			 const struct otst_module_members *sets)
{
	unsigned int missing = 0;

	for (int i = 0; i < OTST_MODULES_BUGS; i++) {
		if (sets[i].there && !sets[i].why && !otst_module_set_has(&sets[i], m->addr))
			missing |= 1u << i;
	}
	if (missing)
		otst_finding_add(o, a, OTST_FINDING_MODULE, m->addr,
				 otst_format(o,
					     "module %s is on the list of modules, but not in %s",
					     m->name, name_sets(o, missing)));
}

static int read_sets(struct otst *o, struct otst_audit *a, struct otst_module_members *sets)
{
	int i, err = 0;

	for (i = 0; i < OTST_MODULES_SETS && !err; i++) {
		err = otst_module_set_read(o, (enum otst_module_set)i, &sets[i]);
		a->kept.there[i] = sets[i].there;
		a->kept.count[i] = sets[i].items.count;
		if (!err && sets[i].why)
			otst_audit_gap(o, a, "modules that hide", OTST_LOOKED_IN_PART,
				       otst_format(o, "%s: %s",
						   otst_module_set_name((enum otst_module_set)i),
						   sets[i].why));
	}
	return err;
}

int otst_audit_hidden(struct otst *o, struct otst_audit *a)
{
	struct otst_module_members sets[OTST_MODULES_SETS] = { 0 };
	struct otst_module *const *m;
	int err = otst_modules(o, &m);

	/* a kernel without modules; what keeps the list from being read is an error by itself */
	if (err)
		return otst_check(o);
	if (otst_modules_error(o)) {
		otst_audit_gap(o, a, "modules that hide", OTST_LOOKED_NOT, otst_modules_error(o));
		return otst_check(o);
	}
	if (otst_hidden_modules_error(o))
		otst_audit_gap(o, a, "modules that hide", OTST_LOOKED_IN_PART,
			       otst_hidden_modules_error(o));
	err = read_sets(o, a, sets);
	for (; !err && *m; m++) {
		a->kept.listed++;
		if ((*m)->state == OTST_MODULE_LIVE)
			check_listed(o, a, *m, sets);
	}
	err = err ?: otst_hidden_modules(o, &m);
	for (; !err && *m; m++)
		err = report_hidden(o, a, *m);
	return err ? err : otst_check(o);
}
