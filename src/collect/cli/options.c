/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The option table of pcb-collect, its setters and completion; checks of
 * options against the chosen backend, and its defaults.
 */
#include "collect/cli/command.h"

#include "collect/run/runs.h"
#include "common/base/debug.h"
#include "common/base/intmath.h"
#include "common/base/nearest.h"
#include "common/pci/tree.h"
#include "common/sys/datadir.h"
#include "common/sys/sysfs.h"

#include <assert.h>
#include <limits.h>

#define SECOND       UINT64_C(1000000000000) /* ps */
#define MOST_SILENCE (3600 * SECOND)

/* Of a point with --idle, unless the user says more. */
#define IDLE_COUNT 1000
#define IDLE_TIME  (10 * SECOND)

static void
settings_add(struct settings *settings, const char *name, const char *value)
{
	array_push(settings->item, settings->n,
	           (struct setting){xstrdup(name), value});
}

static void
settings_free(struct settings *settings)
{
	for (size_t i = 0; i < settings->n; i++)
		free(settings->item[i].name);
	free(settings->item);
}

/* Backends, their profiles, and the devices that they find. */
static void
complete_devices(size_t n, char *const word[])
{
	const struct request request = {0};

	(void)n;
	(void)word;
	puts("hw");
	for (const struct backend *const *b = backends; *b; b++) {
		struct findings found = {0};

		puts((*b)->name);
		(*b)->probe(&request, &found);
		for (size_t i = 0; i < found.n; i++) {
			if (*found.item[i].device)
				puts(found.item[i].device);
		}
		findings_free(&found);
		if ((*b)->profiles) {
			char *prefix = xasprintf("%s:", (*b)->name);

			share_names((*b)->profiles, prefix);
			free(prefix);
		}
	}
}

/*
 * Whether it is the backend that the user named or, if NULL, has the bench, if
 * one is given.
 */
static bool
is_meant(const struct backend *backend, const struct backend *named,
         const struct bench *bench)
{
	if (named)
		return backend == named;
	return !bench || backend->benches & BENCH_BIT(bench->id);
}

/*
 * Stores the indices of a list's words among n words. NULL, or why it is wrong:
 * `again` if a word is repeated, `unknown` for any other.
 */
static const char *
set_words(const char *text, const char *const word[], size_t n,
          unsigned *chosen, size_t *nchosen, const char *again,
          const char *unknown)
{
	char **item = list_split(text);
	const char *why = NULL;

	*nchosen = 0;
	for (size_t i = 0; item[i] && !why; i++) {
		unsigned which = (unsigned)find_word(item[i], word, n);

		for (size_t k = 0; k < *nchosen; k++) {
			if (chosen[k] == which)
				why = again;
		}
		if (which == n)
			why = unknown;
		else if (!why)
			chosen[(*nchosen)++] = which;
	}
	free(item);
	return why;
}

static const char *
set_patterns(void *to, const char *text)
{
	struct sweep *sweep = to;

	return set_words(text, pattern_names, ARRAY_LEN(sweep->pattern),
	                 sweep->pattern, &sweep->npatterns,
	                 "a pattern is repeated",
	                 "a pattern is random or sequential");
}

static const char *
set_caches(void *to, const char *text)
{
	struct sweep *sweep = to;

	return set_words(text, cache_names, NCACHES, sweep->cache,
	                 &sweep->ncaches, "a state is repeated",
	                 "a state is cold, thrashed, host-warm or device-warm");
}

static const char *
set_nodes(void *to, const char *text)
{
	struct sweep *sweep = to;
	char **item = list_split(text);
	const char *why = NULL;

	sweep->nnodes = 0;
	for (size_t i = 0; item[i] && !why; i++) {
		bool local = !strcmp(item[i], "local");
		uint64_t number = 0;
		int node = local ? NODE_LOCAL : NODE_REMOTE;

		if (!local && strcmp(item[i], "remote") != 0) {
			if (parse_integer(item[i], &number) || number >= 1024)
				why = "a node is local, remote or a number";
			node = (int)number;
		}
		if (!why && sweep->nnodes == ARRAY_LEN(sweep->node))
			why = "too many nodes";
		if (!why)
			sweep->node[sweep->nnodes++] = node;
	}
	free(item);
	return why;
}

static const char *
set_idles(void *to, const char *text)
{
	struct sweep *sweep = to;
	char **item = list_split(text);
	const char *why = NULL;

	sweep->nidles = 0;
	for (size_t i = 0; item[i] && !why; i++) {
		why = sweep->nidles == IDLES_MAX
		          ? "too many times"
		          : parse_time(item[i], &sweep->idle[sweep->nidles]);
		if (!why && sweep->idle[sweep->nidles] > MOST_SILENCE)
			why = "longer than an hour";
		sweep->nidles++;
	}
	free(item);
	return why;
}

static const char *
set_idle_by(void *to, const char *text)
{
	struct sweep *sweep = to;

	return set_words(text, idle_names, NIDLE_BY, sweep->idle_by,
	                 &sweep->nidle_by, "a way is repeated",
	                 "a silence is by sleep or spin");
}

/* Modes: each bench, and these. */
enum { MODE_LIST = NBENCHES, MODE_FIND, MODE_RESTORE, NMODES };

/* Benches that sweep, in `modes` of a row until make_tables sets their bits. */
#define OF_DMA     (1u << 31)
#define OF_WINDOW  (1u << 30)
#define OF_LATENCY (1u << 29)
#define OF_BENCHES (BENCH_BIT(NBENCHES) - 1)
#define OF_PACED   (BENCH_BIT(DDIO) | BENCH_BIT(LINK))
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
     "03:00.0, 8086:1533, eth0; BACKEND[:WHICH]; hw (real)",
     OF_BENCHES | OF_LIST, .type = TYPE_TEXT, .to = &command.device,
     .again = OPTION_LIST, .complete = complete_devices,
     .elsewhere = "dev bdf pci slot gpu nic address"},
    {"size", 's', "LIST", "bytes of a transfer (64)", OF_DMA | OF_WINDOW,
     .type = TYPE_SIZES, .to = &command.collection.sweep.size,
     .again = OPTION_LIST,
     .elsewhere = "bs blocksize block-size msg-size length"},
    {"offset", 0, "LIST", "bytes from the start of a cache line (0)", OF_DMA,
     .type = TYPE_SIZES, .to = &command.collection.sweep.offset,
     .again = OPTION_LIST},
    {"window", 'w', "LIST",
     "bytes that are accessed (8K, or the largest transfer)",
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
     "local remote", set_nodes, &command.collection.sweep, .again = OPTION_LIST,
     .elsewhere = "numa numa-node socket"},
    {"idle", 0, "LIST", "silence before each sample, as 0s,100us,1ms,10ms,1s",
     OF_LATENCY, .set = set_idles, .to = &command.collection.sweep,
     .again = OPTION_LIST},
    {"idle-by", 0, "LIST",
     "what the CPU does in a silence: sleep, spin (sleep)", OF_LATENCY,
     "sleep spin", set_idle_by, &command.collection.sweep,
     .again = OPTION_LIST},
    {"option", 'O', "NAME=VAL", "an option of the backend; -O help lists them",
     ~OF_FIND, .set = set_backend_option,
     .to = &command.collection.request.options, .again = OPTION_ADDS},
    {"find", 0, "BDF", "for ddio: show which unit counts BDF", OF_FIND,
     .set = set_find, .to = &command.collection.request.device},
    {0},
};

static const char *
set_until(void *to, const char *text)
{
	struct fraction part = {0};
	const char *why = parse_percentage(text, &part);

	if (!why && !part.num)
		why = "must be above 0";
	if (!why)
		*(double *)to = (double)part.num / (double)part.den;
	return why;
}

/* Runs with --until, unless -r is given. */
#define UNTIL_RUNS 100

static const struct option_def how_often_options[] = {
    {"count", 'n', "N", "transactions for each point and run", OF_BENCHES,
     .type = TYPE_COUNT, .least = 1, .wrong = "must be at least 1",
     .to = &command.collection.request.count,
     .elsewhere = "-c -N samples iterations iters loops number"},
    {"interval", 'i', "TIME", "length of an interval (ddio: 1s; link: 100ms)",
     OF_PACED, .type = TYPE_TIME, .least = 1, .wrong = "must be greater than 0",
     .to = &command.collection.request.interval},
    {"time", 0, "LIMIT", "time for each point, such as 10s; with -n at most",
     OF_BENCHES, .type = TYPE_TIME, .least = 1,
     .wrong = "must be greater than 0", .to = &command.collection.time_limit,
     .elsewhere = "-t runtime duration timeout seconds"},
    {"runs", 'r', "R", "repeat the whole sweep this many times (1)", OF_BENCHES,
     .type = TYPE_COUNT, .least = 1, .wrong = "must be at least 1",
     .to = &command.collection.request.runs, .elsewhere = "repeat repeats"},
    {"until", 0, "PCT", "repeat until runs agree within PCT, 100 times at most",
     OF_BENCHES & ~OF_PACED, .set = set_until, .to = &command.collection.until},
    {"warmup", 0, "N", "transactions before each point that are not recorded",
     OF_BENCHES & ~OF_PACED, .type = TYPE_COUNT,
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
    {"wide", 0, NULL, "repeat constant columns in each row", OF_BENCHES,
     .type = TYPE_FLAG, .to = &command.collection.wide},
    {"format", 'f', "FORMAT",
     "csv, json, jsonl, or table or md of pcb-stats; default table on a "
     "terminal, else csv",
     .words = "csv table md json jsonl", .type = TYPE_FORMAT,
     .to = &command.format, .elsewhere = "output-format"},
    OPTION_BYTES,
    {"output", 'o', "FILE", "write rows to FILE, and the table to the terminal",
     .type = TYPE_TEXT, .to = &command.output},
    {"dry-run", 0, NULL, "show how much would be measured; measure nothing",
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

/* Tables composed from those of benches and backends. */
struct tables {
	struct option_def option[OPTIONS_MAX];
	struct option_group group[OPTIONS_MAX];
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
	char *heading = NULL;

	for (size_t i = 0; i < NBENCHES; i++) {
		if (backend->benches & BENCH_BIT(i))
			xappend(&heading, ", ", heading ? "%s" : "Of %s",
			        benches[i].name);
	}
	add_group(t, heading, t->option + t->noptions);
	for (const struct bench_option *o = backend->bench_options; o->name;
	     o++) {
		assert(t->noptions < OPTIONS_MAX - 2);
		t->option[t->noptions++] = (struct option_def){
		    .name = o->name,
		    .letter = o->letter,
		    .argument = o->argument,
		    .help = o->help,
		    .modes = backend->benches,
		    .words = o->words,
		    .set = set_bench_option,
		    .to = (void *)o,
		    .again = o->is_list ? OPTION_LIST : OPTION_ONCE};
	}
	t->noptions++;
}

static void
make_tables(struct tables *t)
{
	unsigned dma = 0, window = 0, latency = 0;

	for (size_t i = 0; i < NBENCHES; i++) {
		const struct bench *b = &benches[i];

		t->mode[i] = (struct option_mode){b->name, b->help};
		if (b->group == BENCH_DMA)
			dma |= BENCH_BIT(i);
		if (b->group == BENCH_WINDOW || b->also_windows)
			window |= BENCH_BIT(i);
		if (!strncmp(b->name, "lat_", 4))
			latency |= BENCH_BIT(i);
	}
	for (struct option_def *o = what_options; o->name; o++)
		o->modes = (o->modes & ~(OF_DMA | OF_WINDOW | OF_LATENCY)) |
		           ((o->modes & OF_LATENCY) ? latency : 0) |
		           ((o->modes & OF_DMA) ? dma : 0) |
		           ((o->modes & OF_WINDOW) ? window : 0);
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

/* The backends that have the bench. */
static const char *
backends_of(size_t mode)
{
	static char *text;

	for (const struct backend *const *b = backends; mode < NBENCHES && *b;
	     b++) {
		if ((*b)->benches & BENCH_BIT(mode))
			xappend(&text, " ", text ? "%s" : " (by %s",
			        (*b)->name);
	}
	if (text)
		xappend(&text, "", ")");
	return text ? text : "";
}

static const struct option_hint hints[] = {
    {"rw", "is the bench here: lat_rd and bw_rd read, bw_wr writes"},
    {"iodepth", "is an option of the device here, such as -O inflight=32 or "
                "-O workers=8; 'pcb-collect -O help' lists them"},
    {"live", "is not there: rows come after each point; -f csv shows them"},
    {NULL, NULL}};

static const struct option_table *
option_table(void)
{
	static struct tables tables;
	static const struct option_table table = {
	    .usage = "Usage: pcb-collect BENCH [OPTION]...\n"
	             "       pcb-collect ddio|link [OPTION]... [-- COMMAND "
	             "[ARGUMENT]...]\n"
	             "       pcb-collect ddio --find BDF [OPTION]...\n"
	             "       pcb-collect list [OPTION]... [DEVICE]...\n"
	             "       pcb-collect restore\n"
	             "Measure PCI Express and write one row for each sample, "
	             "pcb-csv(5).\n",
	    .modes_heading = "Benches",
	    .mode_called = "a bench, or 'list'",
	    .hints = hints,
	    .about = backends_of,
	    .mode = tables.mode,
	    .group = tables.group,
	    .ending = "Lists: 64,128 or 64:2048 (doubling), 64:2048:+64, "
	              "64:2048:x4; K, M, G.\n",
	};

	if (!tables.ngroups)
		make_tables(&tables);
	return &table;
}

/*
 * For -O help and for a device BACKEND:help: prints the options of the backend
 * that -d names, else of those that support the bench (or NULL), else of all;
 * or the profiles of the backend; and exits. Accesses no device.
 */
static void
show_backend_help(const char *bench_name)
{
	const struct bench *bench = bench_name ? find_bench(bench_name) : NULL;
	const struct backend *named = named_backend(command.device);
	const struct settings *given = &command.collection.request.options;
	bool asked = false;

	if (named && named->profiles &&
	    !strcmp(command.device + strlen(named->name), ":help")) {
		share_list(named->profiles);
		options_finish();
	}
	for (size_t i = 0; i < given->n && !asked; i++)
		asked = !strcmp(given->item[i].name, "help");
	for (const struct backend *const *b = backends; asked && *b; b++) {
		const struct backend_option *o = (*b)->options;

		if (!is_meant(*b, named, bench))
			continue;
		printf("Options of %s (%s):\n", (*b)->name, (*b)->help);
		if (!o || !o->name)
			puts("  none");
		for (; o && o->name; o++) {
			printf("  -O %s=%s\n        %s\n", o->name, o->value,
			       o->help);
			check_stdout();
		}
	}
	if (asked)
		options_finish();
}

/* Operands after the bench are devices, as behind -d. */
static void
add_devices(char *operand[])
{
	static char *devices; /* the command points to it */

	if (*operand && command.device)
		xappend(&devices, ",", "%s", command.device);
	for (; *operand; operand++) {
		if (find_bench(*operand) || !strcmp(*operand, "list"))
			die_usage("'%s': one bench at a time", *operand);
		if (!strpbrk(*operand, "ghijlnopqrsuvwxyz.:/"))
			die_usage("'%s': a list has no blanks, as in -s "
			          "64,128,256",
			          *operand);
		xappend(&devices, ",", "%s", *operand);
	}
	if (devices)
		command.device = devices;
}

/* Sets the mode from the operands; `before` is the word before them. */
static void
set_mode(const char *before, char *argv[])
{
	const struct option_table *table = command.parser.table;
	struct request *request = &command.collection.request;
	size_t mode = options_find_mode(table, *argv);
	const struct bench *bench = mode < NBENCHES ? &benches[mode] : NULL;

	command.list = mode == MODE_LIST;
	command.restore = mode == MODE_RESTORE;
	command.find = options_given(&command.parser, "find");
	request->bench = bench;
	/* getopt moves operands behind all options, but "--" stays there. */
	if (argv[1] && bench && bench->takes_command && !strcmp(before, "--"))
		request->command = argv + 1;
	else
		add_devices(argv + 1);
	if (command.find && mode != DDIO)
		die_usage("--find is for ddio, not for %s",
		          table->mode[mode].name);
	if (command.find && request->command)
		die_usage("'%s': --find runs no command", argv[1]);
	options_check_mode(&command.parser, command.find ? MODE_FIND : mode);
}

struct command *
parse_options(int argc, char *argv[])
{
	struct collection *c = &command.collection;
	int operand;

	command = (struct command){.parser = {.table = option_table()}};
	c->request.runs = 1;
	c->request.cpu = -1;
	c->request.seed = 1;
	parse_size_list("64", &c->sweep.size);
	parse_size_list("0", &c->sweep.offset);
	parse_size_list("8K", &c->sweep.window);
	set_patterns(&c->sweep, pattern_names[PATTERN_RANDOM]);
	set_caches(&c->sweep, cache_names[CACHE_COLD]);
	set_nodes(&c->sweep, "local");
	set_idle_by(&c->sweep, "sleep");
	operand = options_parse(&command.parser, argc, argv);
	show_backend_help(argv[operand]);
	set_mode(argv[operand - 1], argv + operand);
	if (c->until > 0 && !options_given(&command.parser, "runs"))
		c->request.runs = UNTIL_RUNS;
	if (c->until > 0 && c->request.runs < RUNS_LEAST)
		die_usage("-r %ju: --until needs at least %d runs",
		          (uintmax_t)c->request.runs, RUNS_LEAST);
	c->format = command.format;
	c->request.cache_given = options_given(&command.parser, "cache");
	return &command;
}

/* Checks, and defaults of the backend ------------------------------------- */

static bool
has_option(const struct backend *backend, const char *name)
{
	const struct backend_option *o = backend->options;

	while (o && o->name && strcmp(o->name, name) != 0)
		o++;
	return o && o->name;
}

/* An option with a column is for benches that have this column. */
static bool
suits(const struct option_column *column, const char *option,
      const struct bench *bench)
{
	while (column && column->option && strcmp(column->option, option) != 0)
		column++;
	return !column || !column->option ||
	       column->benches & BENCH_BIT(bench->id);
}

static void
need_value(const struct setting *setting)
{
	if (!setting->value)
		die_usage("-O '%s': a value is missing (-O %s=VALUE)",
		          setting->name, setting->name);
}

/* Refuses what the backend would ignore. */
static void
check_backend_options(const struct collection *c)
{
	static const char *const swept[] = {"size", "window"};
	const struct backend *backend = c->backend;
	const struct settings *given = &c->request.bench_options;
	bool registers = c->request.bench->also_windows &&
	                 !(backend->flags & BACKEND_WINDOWS);

	if (backend->flags & BACKEND_ANY_CPU &&
	    options_given(&command.parser, "cpu"))
		die_usage("--cpu: %s does not bind itself to a CPU",
		          backend->name);
	if (c->sweep.nidles && backend->flags & BACKEND_WAKES)
		die_usage("--idle: the start of a program on the device "
		          "would wake it: %s has no silence",
		          backend->name);
	if (!c->sweep.nidles && options_given(&command.parser, "idle-by"))
		die_usage("--idle-by: --idle says how long");
	for (size_t i = 0; i < given->n; i++) {
		const struct bench_option *o = backend->bench_options;

		while (o && o->name &&
		       strcmp(o->name, given->item[i].name) != 0)
			o++;
		if (!o || !o->name)
			die_usage("--%s: %s has no such option",
			          given->item[i].name, backend->name);
	}
	for (size_t i = 0; registers && i < ARRAY_LEN(swept); i++) {
		if (options_given(&command.parser, swept[i]))
			die_usage("--%s: %s reads registers of 4 bytes; -d "
			          "mmio:%s reads memory of a device",
			          swept[i], backend->name,
			          c->request.device ? c->request.device
			                            : "03:00.0");
	}
	given = &c->request.options;
	for (size_t i = 0; i < given->n; i++) {
		const struct backend_option *o = backend->options;
		const char *name = given->item[i].name;
		struct nearest nearest = {.typed = name};

		if (has_option(backend, name)) {
			need_value(&given->item[i]);
			if (!suits(backend->columns, name, c->request.bench))
				die_usage("-O '%s': not for %s", name,
				          c->request.bench->name);
			continue;
		}
		for (; o && o->name; o++)
			nearest_offer(&nearest, o->name);
		die_usage("-O '%s': %s has no such option%s (-O help lists "
		          "them)",
		          name, backend->name, nearest_hint(&nearest));
	}
}

/* Adds the key columns of bench options and backend options. */
static void
add_columns(struct collection *c)
{
	const struct option_column *column = c->backend->columns;

	for (; column && column->option; column++) {
		const char *value =
		    has_option(c->backend, column->option)
		        ? option_value(&c->request, c->backend->options,
		                       column->option)
		        : bench_option(&c->request, column->option);
		char *cell, *label;

		if (!(column->benches & BENCH_BIT(c->request.bench->id)) ||
		    !value || labels_value(&c->labels, column->column))
			continue;
		cell = column->cell ? column->cell(value) : xstrdup(value);
		label = xasprintf("%s=%s", column->column, cell);
		array_push(command.own_label, command.nown_labels, label);
		labels_add(&c->labels, label);
		free(cell);
	}
}

static bool
is_missing(const char *option)
{
	return !options_given(&command.parser, option);
}

/* The default window holds the largest transfer of the sweep. */
static void
fit_window(struct sweep *sweep)
{
	uint64_t size = 0, offset = 0, end;

	for (size_t i = 0; i < sweep->size.n; i++)
		size = max_u64(size, sweep->size.value[i]);
	for (size_t i = 0; i < sweep->offset.n; i++)
		offset = max_u64(offset, sweep->offset.value[i]);
	if (!__builtin_add_overflow(size, offset, &end) &&
	    end > sweep->window.value[0])
		sweep->window.value[0] = div_round_up(end, LINE) * LINE;
}

void
settle_options(void)
{
	struct collection *c = &command.collection;
	const struct backend_defaults *defaults = &c->backend->defaults;
	const struct bench *bench = c->request.bench;
	unsigned flags = c->backend->flags;
	bool by_backend =
	    bench->totals || flags & (BACKEND_WINDOWS | BACKEND_BLOCKS);

	check_backend_options(c);
	if (c->sweep.nidles && is_missing("count") && is_missing("time")) {
		c->request.count = IDLE_COUNT;
		c->time_limit = IDLE_TIME;
	} else /* A command and --time have their own end. */
		if (is_missing("count"))
			c->request.count =
			    c->request.command || c->time_limit ? UINT64_MAX
			    : defaults->count ? defaults->count
			                      : bench->default_count;
	if (is_missing("warmup"))
		c->warmup = flags & BACKEND_SLOW || c->sweep.nidles ? 1
		            : bench->totals && flags & BACKEND_STEADY_TOTALS
		                ? 0
		                : bench->default_warmup;
	if (by_backend && defaults->window && is_missing("window"))
		c->sweep.window.value[0] = defaults->window;
	if (by_backend && defaults->size && is_missing("size"))
		c->sweep.size.value[0] = defaults->size;
	if (is_missing("window"))
		fit_window(&c->sweep);
	add_columns(c);
	debug(DEBUG_ACCESS, "%s of %s by %s, -n %ju --warmup %ju", bench->name,
	      c->request.device ? c->request.device : "its device",
	      c->backend->name, (uintmax_t)c->request.count,
	      (uintmax_t)c->warmup);
}

void
check_list_options(void)
{
	const struct settings *given = &command.collection.request.options;

	for (size_t i = 0; i < given->n; i++) {
		const struct backend *const *b = backends;

		while (*b && !has_option(*b, given->item[i].name))
			b++;
		if (!*b)
			die_usage("-O '%s': no backend has such an option",
			          given->item[i].name);
		need_value(&given->item[i]);
	}
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
