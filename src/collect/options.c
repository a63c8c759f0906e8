#include "collect/options.h"

#include "collect/cpu_options.h"
#include "collect/meaning.h"
#include "common/cli.h"
#include "common/pci.h"

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
    "\n"
    "Where the CPU reads (lat_cfg, lat_mmio):\n"
    "      --aspm off         no ASPM on the way to the device meanwhile\n"
    "      --hold LIST        idle, governor, power, priority: held meanwhile\n"
    "      --cross-traffic BDF[:REGISTER]  read that before each sample\n"
    "      --load N           N other CPUs read the same meanwhile\n"
    "      --seed N           of access order and simulation\n"
    "\n"
    "Output:\n"
    "  -l, --label NAME=VAL   a constant column, or another value for one\n"
    "  -P, --no-preamble      no '#' lines\n"
    "  -f, --format FORMAT    of list and --find: csv, table, jsonl\n"
    "  -q, --quiet            no progress\n"
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
		die_usage("%s %s: %s", option, text, why);
}

static uint64_t
positive(const char *option, const char *text)
{
	uint64_t value = 0;

	check(option, text, parse_count(text, &value));
	if (!value)
		die_usage("%s %s: 1 or more", option, text);
	return value;
}

static uint64_t
some_time(const char *option, const char *text)
{
	uint64_t picoseconds = 0;

	check(option, text, parse_time(text, &picoseconds));
	if (!picoseconds)
		die_usage("%s %s: more than nothing", option, text);
	return picoseconds;
}

/*
 * Splits a list at its commas and calls `add` for each item; a reason it
 * returns ends the program.
 */
static void
each_item(const char *option, const char *text, struct sweep *sweep,
          const char *(*add)(struct sweep *sweep, const char *item))
{
	char *copy = xstrdup(text);
	char *rest = copy;
	char *item;

	while ((item = strsep(&rest, ",")))
		check(option, text, add(sweep, item));
	free(copy);
}

static const char *
add_pattern(struct sweep *sweep, const char *item)
{
	for (size_t i = RANDOM; i <= SEQUENTIAL; i++) {
		if (strcmp(item, pattern_names[i]) != 0)
			continue;
		for (size_t k = 0; k < sweep->npatterns; k++) {
			if (sweep->pattern[k] == (enum pattern)i)
				return "a pattern is there twice";
		}
		sweep->pattern[sweep->npatterns++] = (enum pattern)i;
		return NULL;
	}
	return "a pattern is random or sequential";
}

static const char *
add_cache(struct sweep *sweep, const char *item)
{
	for (size_t i = 0; i < NCACHES; i++) {
		if (strcmp(item, cache_names[i]) != 0)
			continue;
		for (size_t k = 0; k < sweep->ncaches; k++) {
			if (sweep->cache[k] == (enum cache)i)
				return "a state is there twice";
		}
		sweep->cache[sweep->ncaches++] = (enum cache)i;
		return NULL;
	}
	return "a state is cold, thrashed, host-warm or device-warm";
}

static const char *
add_node(struct sweep *sweep, const char *item)
{
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
		die_usage("--find %s: not a device (such as 03:00.0)", text);
	return text;
}

static int
parse_cpu(const char *text)
{
	uint64_t cpu = 0;

	check("--cpu", text, parse_integer(text, &cpu));
	if (cpu > INT_MAX)
		die_usage("--cpu %s: out of range", text);
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
sweep_option(struct sweep *sweep, int option, const char *text)
{
	switch (option) {
	case 's':
		check("-s", text, parse_size_list(text, &sweep->size));
		break;
	case 'w':
		check("-w", text, parse_size_list(text, &sweep->window));
		break;
	case OPT_OFFSET:
		check("--offset", text, parse_size_list(text, &sweep->offset));
		break;
	case OPT_PATTERN:
		sweep->npatterns = 0;
		each_item("--pattern", text, sweep, add_pattern);
		break;
	case OPT_CACHE:
		sweep->ncaches = 0;
		each_item("--cache", text, sweep, add_cache);
		break;
	default:
		sweep->nnodes = 0;
		each_item("--node", text, sweep, add_node);
		break;
	}
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
	case OPT_OFFSET:
	case OPT_PATTERN:
	case OPT_CACHE:
	case OPT_NODE:
		c->dma_option = option_name(option);
		if (option == OPT_CACHE)
			c->request.cache_given = true;
		c->size_given = c->size_given || option == 's';
		c->window_given = c->window_given || option == 'w';
		sweep_option(&c->sweep, option, optarg);
		break;
	case OPT_ASPM:
	case OPT_HOLD:
	case OPT_CROSS:
	case OPT_LOAD:
		cpu_option(c, option_name(option), optarg);
		break;
	case 'b':
		c->dma_option = option_name(option);
		check("-b", optarg, parse_size(optarg, &c->request.buffer));
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
	sweep_option(&c->sweep, 's', "64");
	sweep_option(&c->sweep, OPT_OFFSET, "0");
	sweep_option(&c->sweep, 'w', "8K");
	sweep_option(&c->sweep, OPT_PATTERN, "random");
	sweep_option(&c->sweep, OPT_CACHE, "cold");
	sweep_option(&c->sweep, OPT_NODE, "local");
	command->format = default_format();
}

/* Operands are moved behind all options, and "--" stays before them. */
static bool
takes_command(const struct collection *c, const char *before)
{
	return c->request.bench && c->request.bench->initiator == BY_OTHERS &&
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
		die_usage("%s: one bench at a time", argv[1]);
	if (!command->list && !c->request.bench)
		die_usage("%s: no such bench", *argv);
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
free_options(struct command *command)
{
	struct collection *c = &command->collection;

	for (size_t i = 0; i < c->request.nsettings; i++)
		free(c->request.setting[i].name);
	free(c->request.setting);
	labels_free(&c->labels);
	free(c->cross_label);
	free(c->load_label);
	for (size_t i = 0; i < c->ncolumn_texts; i++)
		free(c->column_text[i]);
	free(c->column_text);
	free(c->sweep.size.value);
	free(c->sweep.offset.value);
	free(c->sweep.window.value);
}
