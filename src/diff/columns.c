/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the statistic and assigns a role to each key column. */
#include "diff/columns.h"

#include "common/stream/columns.h"
#include "diff/summarise.h"

#include <stdlib.h>
#include <string.h>

const char *const floor_names[NFLOORS] = {
    [FLOOR_MIN] = "min",
    [FLOOR_P1] = "p1",
    [FLOOR_MODE] = "mode",
};

/* Whether the column is this statistic, followed by a unit. */
static bool
is_statistic(const char *column, const char *name)
{
	size_t length = strlen(name);

	return column + length + 1 == unit_of(column) &&
	       !strncmp(column, name, length);
}

static bool
fits_statistic(const struct diff_columns *c, const char *name)
{
	const char *unit = unit_of(name);

	if (!*unit || (!c->by && strcmp(unit, "ns") != 0))
		return false;
	if (!strcmp(name, c->statistic))
		return true;
	return is_statistic(name, c->statistic);
}

/* The index of a name in a list, or n. */
static size_t
place_of(const char *name, char *const list[], size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(name, list[i]) != 0)
		i++;
	return i;
}

static enum role
role_of(const struct diff_columns *c, const char *name)
{
	/* With "file", --by means operands, even if a column has that name. */
	if (!diff_columns_by_file(c) && place_of(name, c->by, c->nby) < c->nby)
		return ROLE_BY;
	if (place_of(name, c->ignore, c->nignore) < c->nignore)
		return 0;
	if (!strcmp(name, "run"))
		return ROLE_RUN;
	if (c->by)
		return ROLE_GROUP;
	if (!strcmp(name, "device"))
		return ROLE_DEVICE;
	if (!strcmp(name, "parent"))
		return ROLE_PARENT;
	if (!strcmp(name, "link"))
		return ROLE_LINK;
	return ROLE_GROUP;
}

static void
take_statistic(struct diff_columns *c, const struct table *t, size_t col)
{
	if (c->value >= 0)
		die("%s: both %s and %s exist: choose one with --statistic",
		    t->file, t->name[c->value], t->name[col]);
	c->value = (ptrdiff_t)col;
}

static void
note_floor(struct diff_columns *c, const char *name, size_t col)
{
	for (size_t i = 0; i < NFLOORS; i++) {
		if (is_statistic(name, floor_names[i]) &&
		    !strcmp(unit_of(name), "ns"))
			c->floor[i] = (ptrdiff_t)col;
	}
}

static void
begin(struct diff_columns *c)
{
	c->value = -1;
	for (size_t i = 0; i < NFLOORS; i++)
		c->floor[i] = -1;
}

bool
diff_columns_by_file(const struct diff_columns *c)
{
	return c->nby == 1 && !strcmp(c->by[0], "file");
}

void
diff_columns_update(struct diff_columns *c, const struct table *t)
{
	if (!c->known)
		begin(c);
	c->key = xreallocarray(c->key, t->ncols, sizeof *c->key);
	for (; c->known < t->ncols; c->known++) {
		const char *name = t->name[c->known];

		note_floor(c, name, c->known);
		if (fits_statistic(c, name))
			take_statistic(c, t, c->known);
		else if (is_identity(name))
			c->key[c->nkey++] =
			    (struct key_column){c->known, role_of(c, name),
			                        place_of(name, c->by, c->nby)};
	}
}

static void
check_links(const struct diff_columns *c, const struct table *t)
{
	if (table_find(t, "device") < 0 ||
	    (!c->parents_given && table_find(t, "parent") < 0))
		die("%s: nothing names what to compare: give two files, or a "
		    "column (--by COLUMN); the latency of links needs the "
		    "columns device and parent",
		    t->file);
}

static void
need_columns(const struct table *t, char *const name[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		need_given_column(t, name[i]);
}

void
diff_columns_check(const struct diff_columns *c, const struct table *t)
{
	if (c->value < 0 && are_samples(t->name, t->ncols))
		die("%s: these are samples: pipe them through pcb-stats first",
		    t->file);
	if (!c->by)
		check_links(c, t);
	else if (!diff_columns_by_file(c))
		need_columns(t, c->by, c->nby);
	need_columns(t, c->ignore, c->nignore);
	if (c->value < 0)
		no_column(t, xasprintf("%s%s", c->statistic,
		                       *unit_of(c->statistic) ? ""
		                       : c->by                ? "_*"
		                                              : "_ns"));
}

void
row_key(struct key *key, const struct table *t, const struct diff_columns *c,
        unsigned roles, const char *device)
{
	key->length = 0;
	for (size_t i = 0; i < c->nkey; i++) {
		const struct key_column *id = &c->key[i];

		if (!(id->role & roles))
			continue;
		key_append(key, id->col,
		           device && id->role == ROLE_DEVICE
		               ? device
		               : t->field[id->col]);
	}
}

bool
diff_columns_has_floor(const struct diff_columns *c, size_t floor)
{
	bool asked = false;

	for (size_t i = 0; i < NFLOORS; i++)
		asked = asked || (c->floor[i] >= 0 && c->floor[i] == c->value);
	return asked && c->floor[floor] >= 0 && c->floor[floor] != c->value;
}

void
diff_columns_free(struct diff_columns *c)
{
	free(c->key);
	free(c->by);
	free(c->ignore);
	*c = (struct diff_columns){0};
}
