/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters from profiles, and from the options that choose them. */
#include "common/sim/params.h"

#include "common/base/list.h"
#include "common/base/nearest.h"
#include "common/cli/option_table.h"
#include "common/stream/table.h"
#include "common/sys/datadir.h"

#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {"name", "value", "unit", "source"};

enum { NAME, VALUE, UNIT };

#define LAYERS_MAX 16 /* most profiles in one, bases included */

/* The index of each column; they may be in any order, none may be missing. */
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
read_value(struct sim_params *params, const struct table *t, const size_t at[],
           enum sim_param param)
{
	const char *name = t->field[at[NAME]];
	char *text = NULL;
	const char *why = sim_param_value(param, t->field[at[VALUE]],
	                                  t->field[at[UNIT]], &text);

	if (why)
		table_die(t, at[UNIT], "%s: '%s': %s", name, t->field[at[UNIT]],
		          why);
	free(params->own[param]);
	params->own[param] = text;
	why = sim_param_set(params, param, text);
	if (why)
		table_die(t, at[VALUE], "%s: '%s': %s", name,
		          t->field[at[VALUE]], why);
}

/* The name of a profile: "x" for "dir/x.csv". */
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

/* Files to read in order; `based` ones have their bases before them. */
struct layers {
	char *file[LAYERS_MAX];
	bool based[LAYERS_MAX];
	size_t n;
};

/* Inserts profiles at `at`; false if one does not exist. */
static bool
insert_layers(struct layers *l, size_t at, const char *names)
{
	for (bool more = true; more; at++) {
		size_t length = strcspn(names, "+");
		char *name = xasprintf("%.*s", (int)length, names);
		char *file = l->n < LAYERS_MAX ? share_find("sim", name) : NULL;

		free(name);
		if (!file)
			return false;
		for (size_t i = l->n++; i > at; i--) {
			l->file[i] = l->file[i - 1];
			l->based[i] = l->based[i - 1];
		}
		l->file[at] = file;
		l->based[at] = false;
		more = names[length];
		names += length + more;
	}
	return true;
}

static bool
is_base(const struct table *t, const size_t at[])
{
	return !strcmp(t->field[at[NAME]], "base");
}

/* If the first row of a file is "base", inserts those profiles before it. */
static void
insert_bases(struct layers *l, size_t layer)
{
	struct table *t = table_open(&l->file[layer], 1);
	size_t at[ARRAY_LEN(columns)];

	l->based[layer] = true;
	if (table_next(t)) {
		find_columns(t, at);
		if (is_base(t, at) &&
		    !insert_layers(l, layer, t->field[at[VALUE]]))
			table_die(t, at[VALUE],
			          "base: '%s': no such profile, or one that is "
			          "based on itself",
			          t->field[at[VALUE]]);
	}
	table_close(t);
}

static void
read_file(struct sim_params *params, char *file)
{
	struct table *t = table_open(&file, 1);
	bool seen[SIM_NPARAMS] = {false};
	size_t at[ARRAY_LEN(columns)];

	for (bool first = true; table_next(t); first = false) {
		enum sim_param param;

		find_columns(t, at);
		if (first && is_base(t, at))
			continue;
		param = param_of(t, at[NAME]);
		if (seen[param])
			table_die(t, at[NAME], "'%s' a second time",
			          t->field[at[NAME]]);
		seen[param] = true;
		read_value(params, t, at, param);
	}
	table_close(t);
}

static void
free_layers(struct layers *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->file[i]);
}

/* The name of joined profiles: "a+b" for "a+dir/b.csv". */
static char *
name_of_layers(const char *names)
{
	char *text = NULL;

	while (names) {
		size_t length = strcspn(names, "+");
		char *file = xasprintf("%.*s", (int)length, names);
		char *name = name_of(file);

		xappend(&text, "+", "%s", name);
		free(name);
		free(file);
		names = names[length] ? names + length + 1 : NULL;
	}
	return text;
}

bool
sim_profile_read(struct sim_params *params, const char *names)
{
	struct layers layers = {0};
	bool found = insert_layers(&layers, 0, names);

	for (size_t i = 0; found && i < layers.n;) {
		if (layers.based[i])
			read_file(params, layers.file[i++]);
		else
			insert_bases(&layers, i);
	}
	if (found)
		params->profile = name_of_layers(names);
	free_layers(&layers);
	return found;
}

const char *
sim_choice_set_profile(void *to, const char *text)
{
	struct sim_choice *choice = to;

	if (!strcmp(text, "sim")) {
		choice->profile = "default";
		return NULL;
	}
	if (strncmp(text, "sim:", 4) != 0)
		return "not sim:NAME, such as sim:e5-2630v4";
	choice->profile = text + 4;
	if (strcmp(choice->profile, "help") != 0)
		return NULL;
	share_list("sim");
	options_finish();
}

const char *
sim_choice_add_setting(void *to, const char *text)
{
	struct sim_choice *choice = to;

	if (!strchr(text, '='))
		return "not NAME=VALUE, such as rc=300ns";
	array_push(choice->setting, choice->n, text);
	return NULL;
}

static _Noreturn void
refuse_name(const char *name)
{
	struct nearest nearest = {.typed = name};

	for (enum sim_param i = SIM_INTERFACE; i < SIM_NPARAMS; i++)
		nearest_offer(&nearest, sim_options[i].name);
	die_usage("-O %s: no such parameter%s", name, nearest_hint(&nearest));
}

static void
apply(struct sim_params *params, const char *setting)
{
	const char *value = strchr(setting, '=') + 1;
	char *name = xasprintf("%.*s", (int)(value - setting - 1), setting);
	enum sim_param param = sim_param_find(name);
	const char *why;

	if (param == SIM_NPARAMS)
		refuse_name(name);
	why = sim_param_set(params, param, value);
	if (why)
		die("-O %s: %s", setting, why);
	free(name);
}

void
sim_choice_load(const struct sim_choice *choice, struct sim_params *params)
{
	enum sim_param param;
	const char *why;

	if (!sim_params_load(params, choice->profile)) {
		warn("sim:%s: no such profile (-d sim:help lists them)",
		     choice->profile);
		exit(STATUS_ABSENT);
	}
	for (size_t i = 0; i < choice->n; i++)
		apply(params, choice->setting[i]);
	why = sim_params_agree(params, &param);
	if (why)
		die("-O %s=%s: %s", sim_options[param].name,
		    params->text[param], why);
}

void
sim_choice_free(struct sim_choice *choice)
{
	free(choice->setting);
}
