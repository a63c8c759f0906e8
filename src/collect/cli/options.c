/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option table of pcb-collect, its setters and completion. */
#include "collect/cli/options.h"

#include "collect/cli/devices.h"
#include "common/base/util.h"
#include "common/pci/tree.h"
#include "common/sys/datadir.h"
#include "common/sys/root.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
print_devices(const struct backend *backend)
{
	const struct request request = {0};
	struct findings found = {0};

	probe(backend, &request, &found);
	for (size_t i = 0; i < found.n; i++) {
		if (*found.item[i].device)
			puts(found.item[i].device);
	}
	findings_free(&found);
}

/* Backends, their profiles, and the devices that they find. */
static void
complete_devices(size_t n, char *const word[])
{
	(void)n;
	(void)word;
	puts("hw");
	for (const struct backend *const *b = backends; *b; b++) {
		puts((*b)->name);
		print_devices(*b);
		if ((*b)->profiles) {
			char *prefix = xasprintf("%s:", (*b)->name);

			share_names((*b)->profiles, prefix);
			free(prefix);
		}
	}
}

/* The value of -d or --device; NULL if not given. */
static const char *
device_among(size_t n, char *const word[])
{
	for (size_t i = 0; i + 1 < n; i++) {
		if (!strcmp(word[i], "-d") || !strcmp(word[i], "--device"))
			return word[i + 1];
	}
	return NULL;
}

static const struct bench *
bench_among(size_t n, char *const word[])
{
	const struct bench *bench = NULL;

	for (size_t i = 0; i < n && !bench; i++)
		bench = find_bench(word[i]);
	return bench;
}

/* "NAME=" of the backends that -d names or, without it, that have the bench. */
static void
complete_backend_options(size_t n, char *const word[])
{
	const struct backend *named = named_backend(device_among(n, word));
	const struct bench *bench = bench_among(n, word);

	for (const struct backend *const *b = backends; *b; b++) {
		const struct backend_option *o = (*b)->options;

		if (named ? *b != named
		          : bench && !((*b)->benches & BENCH_BIT(bench->id)))
			continue;
		for (; o && o->name; o++)
			printf("%s=\n", o->name);
	}
}

static const char *
add_pattern(void *to, const char *item)
{
	struct sweep *sweep = to;

	for (size_t i = PATTERN_RANDOM; i <= PATTERN_SEQUENTIAL; i++) {
		if (strcmp(item, pattern_names[i]) != 0)
			continue;
		for (size_t k = 0; k < sweep->npatterns; k++) {
			if (sweep->pattern[k] == (enum pattern)i)
				return "a pattern is repeated";
		}
		sweep->pattern[sweep->npatterns++] = (enum pattern)i;
		return NULL;
	}
	return "a pattern is random or sequential";
}

static const char *
add_cache(void *to, const char *item)
{
	struct sweep *sweep = to;

	for (size_t i = 0; i < NCACHES; i++) {
		if (strcmp(item, cache_names[i]) != 0)
			continue;
		for (size_t k = 0; k < sweep->ncaches; k++) {
			if (sweep->cache[k] == (enum cache)i)
				return "a state is repeated";
		}
		sweep->cache[sweep->ncaches++] = (enum cache)i;
		return NULL;
	}
	return "a state is cold, thrashed, host-warm or device-warm";
}

static const char *
add_node(void *to, const char *item)
{
	struct sweep *sweep = to;
	uint64_t number = 0;
	int node;

	if (!strcmp(item, "local"))
		node = NODE_LOCAL;
	else if (!strcmp(item, "remote"))
		node = NODE_REMOTE;
	else if (!parse_integer(item, &number) && number < 1024)
		node = (int)number;
	else
		return "a node is local, remote or a number";
	if (sweep->nnodes == ARRAY_LEN(sweep->node))
		return "too many nodes";
	sweep->node[sweep->nnodes++] = node;
	return NULL;
}

static const char *
set_patterns(void *to, const char *text)
{
	struct sweep *sweep = to;

	sweep->npatterns = 0;
	return option_each_word(text, sweep, add_pattern);
}

static const char *
set_caches(void *to, const char *text)
{
	struct sweep *sweep = to;

	sweep->ncaches = 0;
	return option_each_word(text, sweep, add_cache);
}

static const char *
set_nodes(void *to, const char *text)
{
	struct sweep *sweep = to;

	sweep->nnodes = 0;
	return option_each_word(text, sweep, add_node);
}

static void
default_sweep(struct sweep *sweep)
{
	parse_size_list("64", &sweep->size);
	parse_size_list("0", &sweep->offset);
	parse_size_list("8K", &sweep->window);
	set_patterns(sweep, pattern_names[PATTERN_RANDOM]);
	set_caches(sweep, cache_names[CACHE_COLD]);
	set_nodes(sweep, "local");
}

#define DEFAULT_SEED 1

/* Modes: each bench, and these. */
enum { MODE_LIST = NBENCHES, MODE_FIND, MODE_RESTORE, NMODES };

/* Benches that sweep, in `modes` of a row until make_tables sets their bits. */
#define OF_DMA     (1u << 31)
#define OF_WINDOW  (1u << 30)
#define OF_BENCHES (BENCH_BIT(NBENCHES) - 1)
#define OF_LIST    (1u << MODE_LIST)
#define OF_FIND    (1u << MODE_FIND)

static struct command command;

/* Adds "NAME=VALUE" or "NAME". */
static const char *
set_backend_option(void *to, const char *text)
{
	size_t length = strcspn(text, "=");
	char *name = xasprintf("%.*s", (int)length, text);

	settings_add(to, name, text[length] ? text + length + 1 : NULL);
	free(name);
	return NULL;
}

static const char *
set_find(void *to, const char *text)
{
	char bdf[BDF_MAX];

	*(const char **)to = text;
	return parse_bdf(text, bdf) ? NULL : "not a device (such as 03:00.0)";
}

static struct option_def what_options[] = {
    {"device", 'd', "LIST",
     "as 03:00.0, 8086:1533, eth0, nvme0; BACKEND[:WHICH]; hw (no simulation)",
     OF_BENCHES | OF_LIST, .type = TYPE_TEXT, .to = &command.device,
     .again = OPTION_LIST, .complete = complete_devices},
    {"size", 's', "LIST", "bytes of a transfer (64)", OF_DMA | OF_WINDOW,
     .type = TYPE_SIZES, .to = &command.collection.sweep.size,
     .again = OPTION_LIST},
    {"offset", 0, "LIST", "bytes from the start of a cache line (0)", OF_DMA,
     .type = TYPE_SIZES, .to = &command.collection.sweep.offset,
     .again = OPTION_LIST},
    {"window", 'w', "LIST", "bytes of the buffer that are accessed (8K)",
     OF_DMA | OF_WINDOW, .type = TYPE_SIZES,
     .to = &command.collection.sweep.window, .again = OPTION_LIST},
    {"buffer", 'b', "SIZE", "bytes of the buffer", OF_DMA, .type = TYPE_BYTES,
     .to = &command.collection.request.buffer},
    {"pattern", 0, "LIST", "random, sequential (random)", OF_DMA,
     "random sequential", set_patterns, &command.collection.sweep,
     .again = OPTION_LIST},
    {"cache", 0, "LIST", "cold, thrashed, host-warm, device-warm (cold)",
     OF_DMA, "cold thrashed host-warm device-warm", set_caches,
     &command.collection.sweep, .again = OPTION_LIST},
    {"node", 0, "LIST", "NUMA node: local, remote or a number (local)", OF_DMA,
     "local remote", set_nodes, &command.collection.sweep,
     .again = OPTION_LIST},
    {"option", 'O', "NAME=VAL", "an option of the backend; -O help lists them",
     ~OF_FIND, .set = set_backend_option,
     .to = &command.collection.request.options, .again = OPTION_ADDS,
     .complete = complete_backend_options},
    {"find", 0, "BDF", "for ddio: show which unit counts BDF", OF_FIND,
     .set = set_find, .to = &command.collection.request.device},
    {0},
};

static const struct option_def how_often_options[] = {
    {"count", 'n', "N", "transactions for each point and run", OF_BENCHES,
     .type = TYPE_COUNT, .least = 1, .wrong = "must be at least 1",
     .to = &command.collection.request.count},
    {"time", 0, "LIMIT",
     "measure each point for this time, such as 10s; with -n, at most",
     OF_BENCHES, .type = TYPE_TIME, .least = 1,
     .wrong = "must be greater than 0", .to = &command.collection.time_limit},
    {"runs", 'r', "R", "repeat the whole sweep this many times (1)", OF_BENCHES,
     .type = TYPE_COUNT, .least = 1, .wrong = "must be at least 1",
     .to = &command.collection.request.runs},
    {"warmup", 0, "N", "transactions before each point that are not recorded",
     OF_BENCHES & ~BENCH_BIT(DDIO), .type = TYPE_COUNT,
     .to = &command.collection.warmup},
    {"cpu", 0, "N", "pin to this CPU", OF_BENCHES, .type = TYPE_UNSIGNED,
     .most = INT_MAX, .wrong = "out of range",
     .to = &command.collection.request.cpu},
    {"seed", 0, "N", "seed of access order and simulation (1)", OF_BENCHES,
     .type = TYPE_INTEGER, .to = &command.collection.request.seed},
    {0},
};

static const struct option_def output_options[] = {
    {"label", 'l', "NAME=VAL", "add a constant column, or set one",
     OF_BENCHES | OF_LIST, .type = TYPE_LABEL, .to = &command.collection.labels,
     .again = OPTION_ADDS},
    {"no-preamble", 'P', NULL, "no '#' lines", .type = TYPE_NO_PREAMBLE,
     .to = &command.collection.no_preamble},
    {"format", 'f', "FORMAT",
     "csv, jsonl, or table or md of pcb-stats; default table on a terminal, "
     "else csv",
     .words = "csv table md jsonl", .type = TYPE_FORMAT, .to = &command.format},
    OPTION_BYTES(&command.bytes),
    {"output", 'o', "FILE", "write rows to FILE, and the table to the terminal",
     .type = TYPE_TEXT, .to = &command.output},
    {"dry-run", 0, NULL, "show what would be measured, and how long it takes",
     OF_BENCHES, .type = TYPE_FLAG, .to = &command.dry_run},
    {"quiet", 'q', NULL, "no progress", .type = TYPE_FLAG,
     .to = &command.collection.quiet},
    {"root", 0, "DIR", "use /sys, /proc and /dev below this directory (/)",
     .set = root_option},
    {0},
};

/* Sets a bench option, from its backend's table. */
static const char *
set_bench_option(void *to, const char *value)
{
	const struct bench_option *option = to;
	const char *why = value && option->check ? option->check(value) : NULL;

	settings_add(&command.collection.request.bench_options, option->name,
	             value ? value : "");
	return why;
}

static struct option_def
from_bench_option(const struct bench_option *o, unsigned modes)
{
	return (struct option_def){.name = o->name,
	                           .letter = o->letter,
	                           .argument = o->argument,
	                           .help = o->help,
	                           .modes = modes,
	                           .words = o->words,
	                           .set = set_bench_option,
	                           .to = (void *)o,
	                           .again =
	                               o->is_list ? OPTION_LIST : OPTION_ONCE};
}

/* Tables composed from those of benches and backends. */
struct tables {
	struct option_def option[OPTIONS_MAX];
	struct option_group group[OPTIONS_MAX];
	char heading[OPTIONS_MAX][2 * BENCH_NAMES_MAX];
	struct option_mode mode[NMODES + 1];
	size_t noptions, ngroups;
};

static void
add_group(struct tables *t, const char *heading,
          const struct option_def *options)
{
	assert(t->ngroups < OPTIONS_MAX - 1);
	t->group[t->ngroups++] = (struct option_group){heading, options};
}

/* The last element of the array stays empty and ends the last group. */
static void
add_bench_options(struct tables *t, const struct backend *backend)
{
	char *heading = t->heading[t->ngroups];
	size_t used = 0;

	for (size_t i = 0; i < NBENCHES; i++) {
		if (backend->benches & BENCH_BIT(i))
			used += (size_t)snprintf(
			    heading + used, sizeof *t->heading - used, "%s%s",
			    used ? ", " : "Of ", benches[i].name);
	}
	add_group(t, heading, t->option + t->noptions);
	for (const struct bench_option *o = backend->bench_options; o->name;
	     o++) {
		assert(t->noptions < OPTIONS_MAX - 2);
		t->option[t->noptions++] =
		    from_bench_option(o, backend->benches);
	}
	t->noptions++;
}

/* The modes of a row: those named, and the benches of a group. */
static unsigned
modes_of(unsigned named)
{
	unsigned modes = named & ~(OF_DMA | OF_WINDOW);

	for (size_t i = 0; i < NBENCHES; i++) {
		const struct bench *b = &benches[i];

		if ((named & OF_DMA && b->group == BENCH_DMA) ||
		    (named & OF_WINDOW &&
		     (b->group == BENCH_WINDOW || b->also_windows)))
			modes |= BENCH_BIT(i);
	}
	return modes;
}

static void
make_tables(struct tables *t)
{
	for (struct option_def *o = what_options; o->name; o++)
		o->modes = modes_of(o->modes);
	for (size_t i = 0; i < NBENCHES; i++)
		t->mode[i] =
		    (struct option_mode){benches[i].name, benches[i].help};
	t->mode[MODE_LIST] = (struct option_mode){
	    "list", "devices of this machine and their benches"};
	t->mode[MODE_FIND].name = "ddio --find";
	t->mode[MODE_RESTORE] = (struct option_mode){
	    "restore", "restore settings that a killed run left changed"};
	add_group(t, "What is measured", what_options);
	add_group(t, "How often", how_often_options);
	for (const struct backend *const *b = backends; *b; b++) {
		if ((*b)->bench_options)
			add_bench_options(t, *b);
	}
	add_group(t, "Output", output_options);
}

static const struct option_renamed renamed[] = {{"--aspm", "--hold aspm"},
                                                {NULL, NULL}};

static const struct option_table *
option_table(void)
{
	static struct tables tables;
	static const struct option_table table = {
	    .usage = "Usage: pcb-collect BENCH [OPTION]...\n"
	             "       pcb-collect ddio [OPTION]... [-- COMMAND "
	             "[ARGUMENT]...]\n"
	             "       pcb-collect ddio --find BDF [OPTION]...\n"
	             "       pcb-collect list [-f csv|table|jsonl] [-l "
	             "NAME=VALUE]...\n"
	             "       pcb-collect restore\n"
	             "Measure PCI Express and write one row for each sample, "
	             "pcb-csv(5).\n",
	    .modes_heading = "Benches",
	    .mode_called = "a bench, or 'list'",
	    .renamed = renamed,
	    .mode = tables.mode,
	    .group = tables.group,
	    .ending = "Lists: 64,128 or 64:2048 (doubling), 64:2048:+64, "
	              "64:2048:x4; K, M, G.\n",
	};

	if (!tables.ngroups)
		make_tables(&tables);
	return &table;
}

static void
set_defaults(void)
{
	struct collection *c = &command.collection;

	command = (struct command){.parser = {.table = option_table()}};
	c->request.runs = 1;
	c->request.cpu = -1;
	c->request.seed = DEFAULT_SEED;
	default_sweep(&c->sweep);
}

/* getopt moves operands behind all options, but "--" stays before them. */
static bool
takes_command(const struct bench *bench, const char *before)
{
	return bench && bench->takes_command && !strcmp(before, "--");
}

static void
set_bench(const char *before, char *argv[])
{
	struct request *request = &command.collection.request;
	size_t mode;

	mode = options_find_mode(command.parser.table, *argv);
	command.list = mode == MODE_LIST;
	command.restore = mode == MODE_RESTORE;
	request->bench = mode < NBENCHES ? &benches[mode] : NULL;
	if (argv[1] && !takes_command(request->bench, before))
		die_usage("'%s': one bench at a time", argv[1]);
	if (argv[1])
		request->command = argv + 1;
}

static size_t
mode_of_command(void)
{
	const struct bench *bench = command.collection.request.bench;

	command.find = options_given(&command.parser, "find");
	if (command.find && (!bench || bench->id != DDIO))
		die_usage("--find is for ddio, not for %s", bench ? bench->name
		                                            : command.list
		                                                ? "list"
		                                                : "restore");
	if (command.restore)
		return MODE_RESTORE;
	if (command.list)
		return MODE_LIST;
	if (command.find && command.collection.request.command)
		die_usage("'%s': --find runs no command",
		          *command.collection.request.command);
	return command.find || !bench ? MODE_FIND : (size_t)bench->id;
}

struct command *
parse_options(int argc, char *argv[], command_hook *hook)
{
	struct request *request = &command.collection.request;
	int operand;

	set_defaults();
	operand = options_parse(&command.parser, argc, argv);
	if (hook)
		hook(&command, argv[operand]);
	set_bench(argv[operand - 1], argv + operand);
	options_check_mode(&command.parser, mode_of_command());
	command.collection.format = command.format;
	request->cache_given = options_given(&command.parser, "cache");
	return &command;
}

void
free_options(struct command *given)
{
	struct collection *c = &given->collection;

	settings_free(&c->request.options);
	settings_free(&c->request.bench_options);
	labels_free(&c->labels);
	for (size_t i = 0; i < given->nown_labels; i++)
		free(given->own_label[i]);
	free(given->own_label);
	free(c->found_device);
	free(c->sweep.size.value);
	free(c->sweep.offset.value);
	free(c->sweep.window.value);
}
