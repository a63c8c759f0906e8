/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/sim/params.h"

#include "common/stream/table.h"
#include "common/sys/datadir.h"

#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {"name", "value", "unit", "source"};

enum { NAME, VALUE, UNIT };

/* Where each column is; they may come in any order, and all must be there. */
static void
find_columns(const struct table *t, size_t at[])
{
	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		ptrdiff_t found = table_find(t, columns[i]);

		if (found < 0)
			die("%s: not a profile: there is no column '%s'",
			    t->file, columns[i]);
		at[i] = (size_t)found;
	}
}

static enum sim_param
param_of(const struct table *t, size_t column)
{
	const char *name = t->field[column];
	enum sim_param param = sim_param_find(name);

	if (param < SIM_NPARAMS)
		return param;
	table_die(t, column, "'%s': no such parameter", name);
}

static void
read_row(struct sim_params *params, const struct table *t, const size_t at[])
{
	const char *name = t->field[at[NAME]], *why;
	enum sim_param param = param_of(t, at[NAME]);
	char *text = NULL;

	if (params->own[param])
		table_die(t, at[NAME], "'%s' a second time", name);
	why = sim_param_value(param, t->field[at[VALUE]], t->field[at[UNIT]],
	                      &text);
	if (why)
		table_die(t, at[UNIT], "%s: '%s': %s", name, t->field[at[UNIT]],
		          why);
	params->own[param] = text;
	why = sim_param_set(params, param, text);
	if (why)
		table_die(t, at[VALUE], "%s: '%s': %s", name,
		          t->field[at[VALUE]], why);
}

/* "dir/x.csv" is the profile x. */
static char *
name_of(const char *file)
{
	const char *slash = strrchr(file, '/');
	char *name = xstrdup(slash ? slash + 1 : file);
	char *dot = strrchr(name, '.');

	if (dot && dot != name)
		*dot = '\0';
	return name;
}

bool
sim_profile_read(struct sim_params *params, const char *name)
{
	char *file = share_find("sim", name);
	size_t at[ARRAY_LEN(columns)];
	struct table *t;

	if (!file)
		return false;
	params->profile = name_of(file);
	t = table_open(&file, 1);
	while (table_next(t)) {
		find_columns(t, at);
		read_row(params, t, at);
	}
	table_close(t);
	free(file);
	return true;
}
