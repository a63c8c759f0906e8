/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parameters: name, default and help, range, parsers; contradictions;
 * profiles that set them, and the options that choose profiles.
 */
#include "common/sim/params.h"

#include "common/base/nearest.h"
#include "common/base/number.h"
#include "common/base/util.h"
#include "common/cli/option_table.h"
#include "common/stream/table.h"
#include "common/sys/datadir.h"

#define OPTION(id, range, name, value, help) {name, value, help},
const struct backend_option sim_options[] = {
    SIM_PARAMS(OPTION){"link", "gen3x8/mps256/mrrs512/rcb64",
                       "the link, as in pcb-csv(5)"},
    {NULL, NULL, NULL},
};

static const char *
parse_interface(const char *text, uint64_t *value)
{
	static const char *const words[] = {"engine", "command"};

	*value = find_word(text, words, ARRAY_LEN(words));
	return *value == ARRAY_LEN(words) ? "neither engine nor command" : NULL;
}

static const char *
parse_switch(const char *text, uint64_t *value)
{
	static const char *const words[] = {"off", "on"};

	*value = find_word(text, words, ARRAY_LEN(words));
	return *value == ARRAY_LEN(words) ? "neither on nor off" : NULL;
}

static const char *
parse_warm_node(const char *text, uint64_t *value)
{
	static const char *const words[] = {"0", "1", "memory"};

	*value = find_word(text, words, ARRAY_LEN(words));
	return *value == ARRAY_LEN(words) ? "not memory, 0 or 1" : NULL;
}

/* A power of two: a page or a boundary. */
static const char *
parse_power(const char *text, uint64_t *value)
{
	uint64_t size = 0;
	const char *why = parse_size(text, &size);

	if (why)
		return why;
	if (!size || (size & (size - 1)))
		return "not a power of two";
	*value = size;
	return NULL;
}

/* The size of a region, or 0. */
static const char *
parse_region(const char *text, uint64_t *value)
{
	return strcmp(text, "0") ? parse_power(text, value)
	                         : parse_size(text, value);
}

/* Parser and range of a number. */
static const struct range {
	const char *(*parse)(const char *text, uint64_t *value);
	uint64_t least, most;
	const char *text;
} any_time = {parse_time, 0, MILLISECOND, "not within 0ns to 1ms"},
  second = {parse_time, 0, 1000 * MILLISECOND, "not within 0ns to 1s"},
  ticks = {parse_time, 1, MILLISECOND, "not within 1ps to 1ms"},
  million = {parse_count, 0, 1000000, "not within 0 to 1M"},
  some = {parse_count, 1, 65536, "not within 1 to 65536"},
  few = {parse_count, 1, 64, "not within 1 to 64"},
  ways = {parse_count, 0, 64, "not within 0 to 64"},
  drift = {parse_count, 0, 100000, "not within 0 to 100K"},
  percents = {parse_count, 0, 100, "not within 0 to 100"},
  data_credits = {parse_count, 256, 65536, "not within 256 to 65536"},
  chunks = {parse_size, 4, 65536, "not within 4 to 64K"},
  dllps = {parse_size, 0, 1024, "not within 0 to 1K"},
  combined = {parse_size, 0, 8192, "not within 0 to 8K"},
  caches = {parse_size, LINE, UINT64_C(4) << 30, "not within 64 to 4G"},
  aligns = {parse_power, 1, 64, "not within 1 to 64"},
  cuts = {parse_power, 128, 4096, "not within 128 to 4K"},
  pages = {parse_power, 4096, UINT64_C(1) << 30, "not within 4K to 1G"},
  regions = {parse_region, 0, UINT64_C(1) << 39, "not within 0 to 512G"},
  interfaces = {parse_interface, 0, 1, ""}, switches = {parse_switch, 0, 1, ""},
  nodes = {parse_warm_node, 0, 2, ""};

#define RANGE(id, range, ...) &(range),
static const struct range *const ranges[SIM_NUMBERS] = {SIM_PARAMS(RANGE)};

enum sim_param
sim_param_find(const char *name)
{
	enum sim_param i = SIM_INTERFACE;

	while (i < SIM_NPARAMS && strcmp(sim_options[i].name, name) != 0)
		i++;
	return i;
}

const char *
sim_param_set(struct sim_params *params, enum sim_param param, const char *text)
{
	struct link link = params->link;
	const char *why;

	if (param == SIM_LINK) {
		why = link_parse_brief(text, &link);
		if (!why && link.bus != BUS_PCIE)
			why = "only PCI Express is simulated";
		if (!why)
			why = link_check_mode(&link);
		if (!why)
			params->link = link;
	} else {
		const struct range *range = ranges[param];
		uint64_t *value = &params->number[param];

		why = range->parse(text, value);
		if (!why && (*value < range->least || *value > range->most))
			why = range->text;
	}
	if (!why)
		params->text[param] = text;
	return why;
}

const char *
sim_params_agree(const struct sim_params *params, enum sim_param *param)
{
	const uint64_t *n = params->number;

	*param = SIM_WAYS;
	if (n[SIM_LLC] / LINE < n[SIM_WAYS])
		return "more than the cache has lines";
	*param = SIM_DDIO_WAYS;
	if (n[SIM_DDIO_WAYS] > n[SIM_WAYS])
		return "more than the cache has ways";
	*param = SIM_IOTLB_WAYS;
	if (n[SIM_IOTLB_WAYS] && n[SIM_IOTLB] % n[SIM_IOTLB_WAYS])
		return "does not divide the entries of the IOTLB";
	return NULL;
}

static bool
is_given(const struct sim_params *params, enum sim_param param)
{
	return params->text[param] != sim_options[param].value;
}

const char *
sim_params_lack(const struct sim_params *params, bool remote)
{
	if (!strcmp(params->profile, "default"))
		return NULL;
	if (params->number[SIM_IOMMU] &&
	    !(is_given(params, SIM_IOTLB) && is_given(params, SIM_WALK)))
		return "this machine was not measured with an IOMMU: assume "
		       "one with -O iotlb=116 -O walk=285ns, as of Broadwell";
	if ((remote || params->number[SIM_WARM_NODE] == 1) &&
	    !(is_given(params, SIM_REMOTE) &&
	      is_given(params, SIM_REMOTE_WRITE)))
		return "memory on another node was not measured on this "
		       "machine: assume it with -O remote=60ns "
		       "-O remote-write=120ns, for example";
	return NULL;
}

void
sim_params_say_assumed(const struct sim_params *params)
{
	if (params->number[SIM_IOMMU] && params->walk_source &&
	    params->text[SIM_WALK] == params->own[SIM_WALK])
		warn("sim:%s: this machine was not measured with an IOMMU; %s",
		     params->profile, params->walk_source);
}

void
sim_params_free(struct sim_params *params)
{
	for (size_t i = 0; i < SIM_NPARAMS; i++)
		free(params->own[i]);
	free(params->profile);
	free(params->walk_source);
}

/* Profiles ----------------------------------------------------------------- */

static const char *const columns[] = {"name", "value", "unit", "source"};

enum { NAME, VALUE, UNIT, SOURCE };

#define LAYERS_MAX 16 /* most profiles in one, bases included */

/*
 * Converts a value and its unit, see pcb-sim(7), to a text for sim_param_set:
 * "15" and "MiB" become "15M". Free it. Returns NULL, or why the parameter does
 * not have this unit (a constant).
 */
static const char *
text_of(enum sim_param param, const char *value, const char *unit, char **text)
{
	static const char *const times[] = {"ps", "ns", "us", "ms"};
	static const char *const sizes[] = {"B", "KiB", "MiB", "GiB"};
	const char *(*parse)(const char *, uint64_t *) =
	    param == SIM_LINK ? NULL : ranges[param]->parse;
	size_t length = 0; /* of the unit's part in the text */

	if (parse == parse_time) {
		if (find_word(unit, times, ARRAY_LEN(times)) ==
		    ARRAY_LEN(times))
			return "the unit of a time is ps, ns, us or ms";
		length = strlen(unit);
	} else if (parse == parse_size || parse == parse_power ||
	           parse == parse_region) {
		if (find_word(unit, sizes, ARRAY_LEN(sizes)) ==
		    ARRAY_LEN(sizes))
			return "the unit of a size is B, KiB, MiB or GiB";
		length = *unit != 'B';
	} else if (*unit) {
		return "this has no unit";
	}
	*text = xasprintf("%s%.*s", value, (int)length, unit);
	return NULL;
}

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

static void
read_value(struct sim_params *params, const struct table *t, const size_t at[],
           enum sim_param param)
{
	const char *name = t->field[at[NAME]];
	char *text = NULL;
	const char *why =
	    text_of(param, t->field[at[VALUE]], t->field[at[UNIT]], &text);

	if (why)
		table_die(t, at[UNIT], "%s: '%s': %s", name, t->field[at[UNIT]],
		          why);
	free(params->own[param]);
	params->own[param] = text;
	if (param == SIM_WALK) {
		const char *source = t->field[at[SOURCE]];

		free(params->walk_source);
		params->walk_source =
		    !strncmp(source, "assumed", 7) ? xstrdup(source) : NULL;
	}
	why = sim_param_set(params, param, text);
	if (why)
		table_die(t, at[VALUE], "%s: '%s': %s", name,
		          t->field[at[VALUE]], why);
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
			table_die(
			    t, at[VALUE],
			    "base: '%s': no such profile, or the profile is "
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
		const char *name;

		find_columns(t, at);
		if (first && is_base(t, at))
			continue;
		name = t->field[at[NAME]];
		param = sim_param_find(name);
		if (param == SIM_NPARAMS)
			table_die(t, at[NAME], "'%s': no such parameter", name);
		if (seen[param])
			table_die(t, at[NAME], "'%s' a second time", name);
		seen[param] = true;
		read_value(params, t, at, param);
	}
	table_close(t);
}

/* The name of joined profiles: "a+b" for "a+dir/b.csv". */
static char *
name_of_layers(const char *names)
{
	char *text = NULL;

	while (names) {
		size_t length = strcspn(names, "+");
		char *file = xasprintf("%.*s", (int)length, names);
		char *name = basename(file);
		char *dot = strrchr(name, '.');

		if (dot && dot != name)
			*dot = '\0';
		xappend(&text, "+", "%s", name);
		free(file);
		names = names[length] ? names + length + 1 : NULL;
	}
	return text;
}

bool
sim_params_load(struct sim_params *params, const char *which)
{
	struct layers layers = {0};
	bool found = true;

	for (enum sim_param i = SIM_INTERFACE; i < SIM_NPARAMS; i++)
		sim_param_set(params, i, sim_options[i].value);
	if (which && strcmp(which, "default") != 0)
		found = insert_layers(&layers, 0, which);
	for (size_t i = 0; found && i < layers.n;) {
		if (layers.based[i])
			read_file(params, layers.file[i++]);
		else
			insert_bases(&layers, i);
	}
	if (found)
		params->profile = name_of_layers(which ? which : "default");
	for (size_t i = 0; i < layers.n; i++)
		free(layers.file[i]);
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
	for (size_t i = 0; i < choice->n; i++) {
		const char *value = strchr(choice->setting[i], '=') + 1;
		char *name =
		    xasprintf("%.*s", (int)(value - choice->setting[i] - 1),
		              choice->setting[i]);
		struct nearest nearest = {.typed = name};

		param = sim_param_find(name);
		for (size_t k = 0; k < SIM_NPARAMS; k++)
			nearest_offer(&nearest, sim_options[k].name);
		if (param == SIM_NPARAMS)
			die_usage("-O %s: no such parameter%s", name,
			          nearest_hint(&nearest));
		why = sim_param_set(params, param, value);
		if (why)
			die("-O %s: %s", choice->setting[i], why);
		free(name);
	}
	why = sim_params_agree(params, &param);
	if (why)
		die("-O %s=%s: %s", sim_options[param].name,
		    params->text[param], why);
}
