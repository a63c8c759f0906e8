/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cli/check_options.h"

/* What --find gives is no sample of a device. */
static void
check_find(const struct command *command)
{
	const struct collection *c = &command->collection;

	if (c->request.bench->group != BENCH_COUNTERS)
		die_usage("--find: only ddio counts in units and parts");
	if (command->device)
		die_usage("-d: --find names the device");
	if (c->labels.n || c->request.runs > 1 || c->time_limit)
		die_usage("--find takes no -l, -r or --time");
}

void
options_check_meaning(const struct command *command)
{
	const struct collection *c = &command->collection;
	const struct bench *bench = c->request.bench;

	if (command->list &&
	    (c->dma_option || c->cpu_option || command->run_option))
		die_usage("--%s: a list measures nothing",
		          c->dma_option   ? c->dma_option
		          : c->cpu_option ? c->cpu_option
		                          : command->run_option);
	if (command->list &&
	    (command->device || c->request.path || c->request.find))
		die_usage("a list takes only -f, -l, -P, -O and --root");
	if (command->list)
		return;
	if (c->request.find)
		check_find(command);
	else if (command->format_given)
		die_usage("-f: samples are always csv");
	if (bench->group != BENCH_DMA && c->dma_option)
		die_usage("--%s: %s transfers no data", c->dma_option,
		          bench->name);
	if (bench->group != BENCH_PIO && c->cpu_option)
		die_usage("--%s: for benches in which the CPU reads",
		          c->cpu_option);
	if (bench->group != BENCH_PIO && c->request.path)
		die_usage("--path: %s has no path", bench->name);
	if (bench->group == BENCH_COUNTERS && c->warmup_given)
		die_usage("--warmup: %s counts from the start", bench->name);
	if (bench->group != BENCH_COUNTERS && c->request.interval)
		die_usage("-i: %s does not count in intervals", bench->name);
	if (c->request.path && !command->device)
		die_usage("--path: of which device? -d BDF says it");
}
