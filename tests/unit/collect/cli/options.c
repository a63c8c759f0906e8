/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cli/command.h"
#include "rig/cmocka.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define ARGV_MAX 40

/* Parses a command line without the program's name. */
static struct command *
parse(const char *line)
{
	static char words[512];
	char *argv[ARGV_MAX] = {(char *)"pcb-collect"};
	char *rest = words;
	int argc = 1;

	assert_true(strlen(line) < sizeof words);
	strcpy(words, line);
	for (char *word; (word = strsep(&rest, " "));)
		argv[argc++] = word;
	optind = 0; /* resets getopt */
	return parse_options(argc, argv);
}

static void
assert_sizes(const struct size_list *list, size_t n, const uint64_t *sizes)
{
	assert_int_equal(list->n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(list->value[i], sizes[i]);
}

#define ASSERT_SIZES(list, ...)                                                \
	assert_sizes(&(list),                                                  \
	             sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),     \
	             (uint64_t[]){__VA_ARGS__})

static void
defaults_are_those_of_the_manual(void **state)
{
	struct command *command = parse("lat_wrrd");
	const struct collection *c = &command->collection;
	const struct sweep *sweep = &c->sweep;

	assert_ptr_equal(c->request.bench, &benches[LAT_WRRD]);
	assert_false(command->list || command->find);
	assert_null(command->device);
	ASSERT_SIZES(sweep->size, 64);
	ASSERT_SIZES(sweep->offset, 0);
	ASSERT_SIZES(sweep->window, 8192);
	assert_int_equal(sweep->npatterns, 1);
	assert_int_equal(sweep->pattern[0], PATTERN_RANDOM);
	assert_int_equal(sweep->ncaches, 1);
	assert_int_equal(sweep->cache[0], CACHE_COLD);
	assert_int_equal(sweep->nnodes, 1);
	assert_int_equal(sweep->node[0], NODE_LOCAL);
	assert_int_equal(c->request.runs, 1);
	assert_int_equal(c->request.count, 0);
	assert_int_equal(c->request.buffer, 0);
	assert_int_equal(c->request.cpu, -1);
	assert_int_equal(c->request.seed, 1);
	assert_int_equal(c->time_limit, 0);
	assert_false(c->quiet || c->no_preamble);
	assert_int_equal(command->parser.ngiven, 0);
	assert_int_equal(c->request.bench_options.n, 0);
	assert_int_equal(c->labels.n, 0);
	assert_int_equal(c->request.options.n, 0);
	assert_int_equal(sweep_points(sweep), 1);
	free_options(command);
}

static void
short_options(void **state)
{
	struct command *command =
	    parse("-d sim -s 64,128 bw_rd -w 4K:16K -b 1G -n 3K -r 5 -Pq");
	const struct collection *c = &command->collection;

	assert_ptr_equal(c->request.bench, &benches[BW_RD]);
	assert_string_equal(command->device, "sim");
	ASSERT_SIZES(c->sweep.size, 64, 128);
	ASSERT_SIZES(c->sweep.window, 4096, 8192, 16384);
	assert_int_equal(c->request.buffer, UINT64_C(1) << 30);
	assert_int_equal(c->request.count, 3000);
	assert_int_equal(c->request.runs, 5);
	assert_true(c->no_preamble && c->quiet);
	free_options(command);
}

static void
long_options(void **state)
{
	struct command *command = parse(
	    "--device 03:00.0 --size 8 --offset 0,4 --window 1M "
	    "--buffer 2M --pattern sequential,random "
	    "--cache device-warm,host-warm,thrashed,cold "
	    "--node 1,local,remote --count 7 --time 1.5us --runs 2 "
	    "--warmup 0 --cpu 3 --seed 18446744073709551615 --no-preamble "
	    "--quiet bw_rdwr");
	const struct collection *c = &command->collection;
	const struct sweep *sweep = &c->sweep;

	assert_ptr_equal(c->request.bench, &benches[BW_RDWR]);
	assert_string_equal(command->device, "03:00.0");
	assert_null(bench_option(&c->request, "path"));
	ASSERT_SIZES(sweep->size, 8);
	ASSERT_SIZES(sweep->offset, 0, 4);
	ASSERT_SIZES(sweep->window, 1 << 20);
	assert_int_equal(c->request.buffer, 2 << 20);
	assert_int_equal(sweep->npatterns, 2);
	assert_int_equal(sweep->pattern[0], PATTERN_SEQUENTIAL);
	assert_int_equal(sweep->pattern[1], PATTERN_RANDOM);
	assert_int_equal(sweep->ncaches, 4);
	assert_int_equal(sweep->cache[0], CACHE_DEVICE_WARM);
	assert_int_equal(sweep->cache[1], CACHE_HOST_WARM);
	assert_int_equal(sweep->cache[2], CACHE_THRASHED);
	assert_int_equal(sweep->cache[3], CACHE_COLD);
	assert_int_equal(sweep->nnodes, 3);
	assert_int_equal(sweep->node[0], 1);
	assert_int_equal(sweep->node[1], NODE_LOCAL);
	assert_int_equal(sweep->node[2], NODE_REMOTE);
	assert_int_equal(c->request.count, 7);
	assert_int_equal(c->time_limit, 1500000);
	assert_int_equal(c->request.runs, 2);
	assert_true(options_given(&command->parser, "warmup"));
	assert_int_equal(c->warmup, 0);
	assert_int_equal(c->request.cpu, 3);
	assert_int_equal(c->request.seed, UINT64_MAX);
	assert_true(c->no_preamble && c->quiet);
	assert_int_equal(sweep_points(sweep), 2 * 2 * 4 * 3);
	free_options(command);
}

static void
a_path_leads_to_a_device(void **state)
{
	struct command *command =
	    parse("lat_cfg --path --device 03:00.0 --runs 3");
	const struct request *request = &command->collection.request;

	assert_ptr_equal(request->bench, &benches[LAT_CFG]);
	assert_string_equal(bench_option(request, "path"), "");
	assert_null(bench_option(request, "hold"));
	free_options(command);
}

static void
lists_add_up(void **state)
{
	struct command *command =
	    parse("lat_rd -s 1,2 -s 3 --pattern random --pattern "
	          "sequential --cache cold --cache thrashed -d A -d B "
	          "--node 0,2 --node 1");
	const struct sweep *sweep = &command->collection.sweep;

	ASSERT_SIZES(sweep->size, 1, 2, 3);
	assert_int_equal(sweep_points(sweep), 3 * 2 * 2 * 3);
	assert_int_equal(sweep->pattern[1], PATTERN_SEQUENTIAL);
	assert_int_equal(sweep->cache[1], CACHE_THRASHED);
	assert_int_equal(sweep->node[2], 1);
	assert_string_equal(command->device, "A,B");
	free_options(command);
}

static void
labels_and_settings_are_split_at_the_first_sign(void **state)
{
	struct command *command =
	    parse("lat_rd -l host=a=b -l my_2=,\" -l empty= -O rc=1us -O bare "
	          "-O x=");
	const struct collection *c = &command->collection;
	const struct setting *setting = c->request.options.item;

	assert_int_equal(c->labels.n, 3);
	assert_string_equal(c->labels.label[0].name, "host");
	assert_string_equal(c->labels.label[0].value, "a=b");
	assert_string_equal(c->labels.label[1].name, "my_2");
	assert_string_equal(c->labels.label[1].value, ",\"");
	assert_string_equal(c->labels.label[2].value, "");
	assert_int_equal(c->request.options.n, 3);
	assert_string_equal(setting[0].name, "rc");
	assert_string_equal(setting[0].value, "1us");
	assert_string_equal(setting[1].name, "bare");
	assert_null(setting[1].value);
	assert_string_equal(setting[2].value, "");
	free_options(command);
}

static void
a_list_has_a_format(void **state)
{
	static const struct {
		const char *line;
		enum format format;
	} cases[] = {{"list -f csv", FORMAT_CSV},
	             {"-f table list", FORMAT_TABLE},
	             {"list --format jsonl", FORMAT_JSONL},
	             {"-f csv list -P -P", FORMAT_CSV}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct command *command = parse(cases[i].line);

		assert_true(command->list);
		assert_int_equal(command->format, cases[i].format);
		free_options(command);
	}
}

/* Every point once; sizes change fastest, nodes slowest. */
static void
points_of_a_sweep(void **state)
{
	struct command *command =
	    parse("lat_rd -s 1,2,3 --offset 0,1 -w 4K,8K,16K,32K "
	          "--pattern random,sequential --cache cold,host-warm "
	          "--node 0,1");
	const struct sweep *sweep = &command->collection.sweep;
	size_t i = 0;

	assert_int_equal(sweep_points(sweep), 192);
	for (size_t n = 0; n < 2; n++)
		for (size_t c = 0; c < 2; c++)
			for (size_t p = 0; p < 2; p++)
				for (size_t k = 0; k < 24; k++, i++) {
					struct point point =
					    sweep_point(sweep, i);

					assert_int_equal(point.size, k % 3 + 1);
					assert_int_equal(point.offset,
					                 k / 3 % 2);
					assert_int_equal(point.window,
					                 4096 << k / 6);
					assert_int_equal(point.pattern,
					                 sweep->pattern[p]);
					assert_int_equal(point.cache,
					                 sweep->cache[c]);
					assert_int_equal(point.node,
					                 sweep->node[n]);
				}
	free_options(command);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(defaults_are_those_of_the_manual),
	    cmocka_unit_test(short_options),
	    cmocka_unit_test(long_options),
	    cmocka_unit_test(a_path_leads_to_a_device),
	    cmocka_unit_test(lists_add_up),
	    cmocka_unit_test(labels_and_settings_are_split_at_the_first_sign),
	    cmocka_unit_test(a_list_has_a_format),
	    cmocka_unit_test(points_of_a_sweep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
