/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes what pcb-diff --by compared; its command has the column. */
#include "plot/data/comparison.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

static const char option[] = "--by";

/* The argument of the last --by of a command, or NULL. Free it. */
static char *
column_of(const char *command)
{
	const char *found = NULL, *at = command;

	while ((at = strstr(at, option))) {
		at += strlen(option);
		found = at;
	}
	if (!found || !strchr(" =", *found))
		return NULL;
	found += strspn(found, " ='");
	return xasprintf("%.*s", (int)strcspn(found, " ='"), found);
}

/* The column whose values were compared, or -1. */
static ptrdiff_t
compared_column(const struct table *t)
{
	ptrdiff_t col = -1;

	for (size_t i = 0; i < t->preamble.n; i++) {
		const struct preamble_entry *e = &t->preamble.entry[i];
		char *name =
		    !strcmp(e->key, "command") ? column_of(e->value) : NULL;

		if (name && table_find(t, name) >= 0)
			col = table_find(t, name);
		free(name);
	}
	return col;
}

/* "cache cold", or "cold" if the column is unknown. Free it. */
static char *
base_words(const struct names *names)
{
	ptrdiff_t col = compared_column(names->t);
	const char *base = names_constant(names, "base");

	return col < 0 ? xstrdup(base) : value_words(names->t->name[col], base);
}

/* The only condition compared with the base, or NULL. Free it. */
static char *
other_words(const struct names *names)
{
	ptrdiff_t col = compared_column(names->t);
	const char *column = col < 0 ? "" : names->t->name[col];
	const char *other = names_constant(names, column);

	return *other ? value_words(column, other) : NULL;
}

/* "OTHER WITH BASE", or "WITH column BASE"; drops the columns from names. */
static char *
compared_words(struct names *names, const char *with)
{
	char *other = other_words(names), *base = base_words(names), *words;
	ptrdiff_t col = compared_column(names->t);

	words = other ? xasprintf("%s %s %s", other,
	                          *with == '%' ? "in % of" : with,
	                          names_constant(names, "base"))
	              : xasprintf("%s %s", with, base);
	names_hide(names, "base");
	if (other)
		names_hide(names, names->t->name[col]);
	free(other);
	free(base);
	return words;
}

char *
difference_words(struct names *names)
{
	if (!*names_constant(names, "base"))
		return xstrdup("difference");
	return compared_words(names, "minus");
}

char *
ratio_words(struct names *names)
{
	if (!*names_constant(names, "base"))
		return xstrdup("% of the base");
	return compared_words(names, "% of");
}
