/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cli/options.h"

#include "collect/cli/check_options.h"
#include "collect/cli/dma_options.h"
#include "collect/cli/pio_options.h"
#include "common/cli/common_options.h"
#include "common/pci/tree.h"
#include "common/sys/root.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SEED 1

static const char usage_text[] =
    "Usage: pcb-collect BENCH [OPTION]...\n"
    "       pcb-collect ddio [OPTION]... [-- COMMAND [ARGUMENT]...]\n"
    "       pcb-collect ddio --find BDF [OPTION]... [-- COMMAND...]\n"
    "       pcb-collect list [-f csv|table|jsonl] [-l NAME=VALUE]...\n"
    "Measures PCI Express and writes one row for each sample, pcb-csv(5).\n"
    "\n"
    "Benches:\n";

static const char options_text[] =
    "\n"
    "What is measured:\n"
    "  -d, --device DEVICE    a function such as 03:00.0, or BACKEND[:WHICH]\n"
    "      --path             with -d BDF: the bridges above it, too\n"
    "  -s, --size LIST        bytes of a transfer (64)\n"
    "      --offset LIST      bytes from the start of a cache line (0)\n"
    "  -w, --window LIST      bytes of the buffer that are accessed (8K)\n"
    "  -b, --buffer SIZE      bytes of the buffer\n"
    "      --pattern LIST     random, sequential (random)\n"
    "      --cache LIST       cold, thrashed, host-warm, device-warm (cold)\n"
    "      --node LIST        NUMA node: local, remote or a number (local)\n"
    "  -O, --option NAME=VAL  an option of the backend; -O help lists them\n"
    "\n"
    "How often:\n"
    "  -n, --count N          transactions for each point and run\n"
    "      --time LIMIT       end a point after this time, such as 10s\n"
    "  -r, --runs R           whole sweeps (1)\n"
    "  -i, --interval TIME    of ddio: counts for each of these (1s, or while\n"
    "                         COMMAND runs)\n"
    "      --find BDF         of ddio: find the unit and part that counts it\n"
    "      --warmup N         transactions first that are not recorded\n"
    "      --cpu N            pin to this CPU\n"
    "      --seed N           of access order and simulation (1)\n"
    "\n"
    "Where the CPU reads (lat_cfg, lat_mmio):\n"
    "      --aspm off         no ASPM on the way to the device meanwhile\n"
    "      --hold LIST        idle, governor, power, priority: held meanwhile\n"
    "      --cross-traffic BDF[:REGISTER]  read that before each sample\n"
    "      --load N           N other CPUs read the same meanwhile\n"
    "\n"
    "Output:\n"
    "  -l, --label NAME=VAL   a constant column, or another value for one\n"
    "  -P, --no-preamble      no '#' lines\n"
    "  -f, --format FORMAT    of list and --find: csv, table, jsonl\n"
    "  -q, --quiet            no progress\n"
    "      --root DIR         where /sys, /proc and /dev are (/)\n"
    "      --debug LIST       trace on stderr, such as vfio,restore; all\n"
    "  -h, --help             this text\n"
    "      --version          the version\n"
    "\n"
    "Lists: 64,128 or 64:2048 (doubling), 64:2048:+64, 64:2048:x4; K, M, G.\n";

enum {
	OPT_PATH = CHAR_MAX + 1,
	OPT_OFFSET,
	OPT_PATTERN,
	OPT_CACHE,
	OPT_NODE,
	OPT_TIME,
	OPT_WARMUP,
	OPT_CPU,
	OPT_SEED,
	OPT_ASPM,
	OPT_HOLD,
	OPT_CROSS,
	OPT_LOAD,
	OPT_FIND,
	OPT_ROOT,
};

static const char short_options[] = "d:s:w:b:O:n:i:r:l:Pf:qh";

static const struct option long_options[] = {
    {"device", required_argument, NULL, 'd'},
    {"path", no_argument, NULL, OPT_PATH},
    {"size", required_argument, NULL, 's'},
    {"offset", required_argument, NULL, OPT_OFFSET},
    {"window", required_argument, NULL, 'w'},
    {"buffer", required_argument, NULL, 'b'},
    {"pattern", required_argument, NULL, OPT_PATTERN},
    {"cache", required_argument, NULL, OPT_CACHE},
    {"node", required_argument, NULL, OPT_NODE},
    {"option", required_argument, NULL, 'O'},
    {"count", required_argument, NULL, 'n'},
    {"time", required_argument, NULL, OPT_TIME},
    {"interval", required_argument, NULL, 'i'},
    {"runs", required_argument, NULL, 'r'},
    {"warmup", required_argument, NULL, OPT_WARMUP},
    {"cpu", required_argument, NULL, OPT_CPU},
    {"find", required_argument, NULL, OPT_FIND},
    {"root", required_argument, NULL, OPT_ROOT},
    {"seed", required_argument, NULL, OPT_SEED},
    {"aspm", required_argument, NULL, OPT_ASPM},
    {"hold", required_argument, NULL, OPT_HOLD},
    {"cross-traffic", required_argument, NULL, OPT_CROSS},
    {"load", required_argument, NULL, OPT_LOAD},
    {"label", required_argument, NULL, 'l'},
    {"format", required_argument, NULL, 'f'},
    {"quiet", no_argument, NULL, 'q'},
    CLI_COMMON,
};

static void
print_help(void)
{
	fputs(usage_text, stdout);
	for (size_t i = 0; i < NBENCHES; i++)
		printf("  %-9s %s\n", benches[i].name, benches[i].help);
	fputs(options_text, stdout);
}

/* Stops with "-x TEXT: why" if there is a reason. */
static void
check(const char *option, const char *text, const char *why)
{
	if (why)
		die_usage("%s '%s': %s", option, text, why);
}

static uint64_t
positive(const char *option, const char *text)
{
	uint64_t value = 0;

	check(option, text, parse_count(text, &value));
	if (!value)
		die_usage("%s '%s': 1 or more", option, text);
	return value;
}

static uint64_t
some_time(const char *option, const char *text)
{
	uint64_t picoseconds = 0;

	check(option, text, parse_time(text, &picoseconds));
	if (!picoseconds)
		die_usage("%s '%s': more than nothing", option, text);
	return picoseconds;
}

/*
 * "NAME=VALUE" in two: the name is copied, the value stays where it is (NULL
 * if there is none).
 */
static char *
split(const char *text, const char **value)
{
	char *name = xstrdup(text);
	size_t length = strcspn(text, "=");

	*value = text[length] ? text + length + 1 : NULL;
	name[length] = '\0';
	return name;
}

static void
add_setting(struct request *request, const char *text)
{
	struct setting setting;

	setting.name = split(text, &setting.value);
	request->setting = xreallocarray(
	    request->setting, request->nsettings + 1, sizeof *request->setting);
	request->setting[request->nsettings++] = setting;
}

static const char *
a_function(const char *text)
{
	char bdf[BDF_MAX];

	if (!parse_bdf(text, bdf))
		die_usage("--find '%s': not a device (such as 03:00.0)", text);
	return text;
}

static int
parse_cpu(const char *text)
{
	uint64_t cpu = 0;

	check("--cpu", text, parse_integer(text, &cpu));
	if (cpu > INT_MAX)
		die_usage("--cpu '%s': out of range", text);
	return (int)cpu;
}

/* What an option is called in a message. */
static const char *
option_name(int option)
{
	const struct option *o = long_options;

	while (o->val != option)
		o++;
	return o->name;
}

static void
run_option(struct collection *c, int option, const char *text)
{
	struct request *request = &c->request;

	switch (option) {
	case 'n':
		request->count = positive("-n", text);
		break;
	case 'r':
		request->runs = positive("-r", text);
		break;
	case 'i':
		request->interval = some_time("-i", text);
		break;
	case OPT_TIME:
		c->time_limit = some_time("--time", text);
		break;
	case OPT_WARMUP:
		check("--warmup", text, parse_count(text, &c->warmup));
		c->warmup_given = true;
		break;
	case OPT_CPU:
		request->cpu = parse_cpu(text);
		break;
	default:
		check("--seed", text, parse_integer(text, &request->seed));
		break;
	}
}

static void
one_option(struct command *command, int option)
{
	struct collection *c = &command->collection;

	if (option == 'f')
		command->format_given = true;
	if (cli_common(option, print_help, &c->no_preamble, &command->format))
		return;
	switch (option) {
	case 'd':
		command->device = optarg;
		break;
	case 'l':
		labels_add(&c->labels, optarg);
		break;
	case 'O':
		add_setting(&c->request, optarg);
		break;
	case OPT_ROOT:
		check("--root", optarg, *optarg ? NULL : "empty");
		root_set(optarg);
		break;
	case 'q':
		c->quiet = true;
		break;
	case OPT_PATH:
		c->request.path = true;
		break;
	case OPT_FIND:
		c->request.find = a_function(optarg);
		break;
	case 's':
	case 'w':
	case 'b':
	case OPT_OFFSET:
	case OPT_PATTERN:
	case OPT_CACHE:
	case OPT_NODE:
		dma_option(c, option_name(option), optarg);
		break;
	case OPT_ASPM:
	case OPT_HOLD:
	case OPT_CROSS:
	case OPT_LOAD:
		cpu_option(c, option_name(option), optarg);
		break;
	default:
		command->run_option = option_name(option);
		run_option(c, option, optarg);
		break;
	}
}

static void
set_defaults(struct command *command)
{
	struct collection *c = &command->collection;

	c->request.runs = 1;
	c->request.cpu = -1;
	c->request.seed = DEFAULT_SEED;
	dma_defaults(c);
	command->format = default_format();
}

/* Operands are moved behind all options, and "--" stays before them. */
static bool
takes_command(const struct collection *c, const char *before)
{
	return c->request.bench && c->request.bench->group == BENCH_COUNTERS &&
	       !strcmp(before, "--");
}

static void
check_bench(struct command *command, const char *before, char *argv[])
{
	struct collection *c = &command->collection;

	if (!*argv)
		die_usage("name a bench, or 'list'");
	command->list = !strcmp(*argv, "list");
	c->request.bench = find_bench(*argv);
	if (argv[1] && !takes_command(c, before))
		die_usage("'%s': one bench at a time", argv[1]);
	if (!command->list && !c->request.bench)
		die_usage("'%s': no such bench", *argv);
	if (argv[1])
		c->request.command = argv + 1;
}

void
parse_options(struct command *command, int argc, char *argv[])
{
	int option;

	set_defaults(command);
	while ((option = getopt_long(argc, argv, short_options, long_options,
	                             NULL)) != -1)
		one_option(command, option);
	check_bench(command, argv[optind - 1], argv + optind);
	options_check_meaning(command);
	cpu_labels(&command->collection);
}

void
add_own_label(struct collection *c, char *text)
{
	c->own_label =
	    xreallocarray(c->own_label, c->nown_labels + 1, sizeof text);
	c->own_label[c->nown_labels++] = text;
	labels_add(&c->labels, text);
}

void
free_options(struct command *command)
{
	struct collection *c = &command->collection;

	for (size_t i = 0; i < c->request.nsettings; i++)
		free(c->request.setting[i].name);
	free(c->request.setting);
	labels_free(&c->labels);
	for (size_t i = 0; i < c->nown_labels; i++)
		free(c->own_label[i]);
	free(c->own_label);
	free(c->sweep.size.value);
	free(c->sweep.offset.value);
	free(c->sweep.window.value);
}
