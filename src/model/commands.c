/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/commands.h"

#include "common/base/util.h"
#include "common/base/version.h"
#include "model/explain.h"
#include "model/inflight.h"
#include "model/join.h"
#include "model/options.h"

#include <stdlib.h>
#include <string.h>

static void
write_work(struct out *o, const struct options *options)
{
	struct slot slot = slot_of(&options->slot);

	write_bandwidths(o, &slot, find_work(options->command->name),
	                 &options->sweep);
}

static void
write_slot(struct out *o, const struct options *options)
{
	struct slot slot = slot_of(&options->slot);

	write_link(o, &slot);
}

static void
write_times(struct out *o, const struct options *options)
{
	write_serial(o, &options->slot, &options->delays);
}

/* What --check says about the rows: STATUS_OK or STATUS_NO. */
static int
verdict(const struct join *j, const struct options *options)
{
	size_t n = options->check ? join_short(j, options->tolerance) : 0;
	size_t over = options->check_above ? join_above(j, options->above) : 0;

	if (n)
		warn("%zu row%s short of the model by more than --check allows",
		     n, n == 1 ? " falls" : "s fall");
	if (over)
		warn("%zu row%s above the bound by more than --check allows: "
		     "an error of measurement, or not the link that was used",
		     over, over == 1 ? " is" : "s are");
	return n || over ? STATUS_NO : STATUS_OK;
}

static int
run_join(struct out *o, const struct options *options)
{
	struct table *t = table_open(options->files, options->nfiles);
	struct join join = {0};
	int status;

	join_read(&join, t, &options->slot);
	if (options->check && !join.compared)
		die("--check: no row that the model could be compared with");
	preamble_add_command(&t->preamble);
	o->preamble = &t->preamble;
	join_write(o, t, &join);
	out_finish(o, t->complete, &t->end);
	status = verdict(&join, options);
	join_free(&join);
	table_close(t);
	return status;
}

const struct command join_command = {
    "--join",
    {OPT_CHECK, OPT_INFLIGHT, OPT_RTT, OPT_PH, OPT_PD, OPT_LOOP},
    .operands = true,
    .run = run_join,
};

static const struct command commands[] = {
    {"bw_rd",
     {'s', OPT_OFFSET, OPT_EXPLAIN, 'w', OPT_INFLIGHT, OPT_RTT},
     .write = write_work},
    {"bw_wr",
     {'s', OPT_OFFSET, OPT_EXPLAIN, 'w', OPT_PH, OPT_PD, OPT_LOOP},
     .write = write_work},
    {"bw_rdwr",
     {'s', OPT_OFFSET, OPT_EXPLAIN, 'w', OPT_INFLIGHT, OPT_RTT, OPT_PH, OPT_PD,
      OPT_LOOP},
     .write = write_work},
    {"link", {OPT_EXPLAIN}, .write = write_slot},
    {"nic",
     {'M', 's', OPT_DIRECTION, OPT_FRAME, OPT_RATE, OPT_VLAN, OPT_IFG,
      OPT_INFLIGHT, OPT_RTT, OPT_PH, OPT_PD, OPT_LOOP},
     .write = write_nic},
    {"inflight",
     {OPT_RATE, OPT_FRAME, OPT_RTT},
     .operands = true,
     .no_link = true,
     .run = run_inflight},
    {"serial",
     {OPT_PROC, OPT_SERDES, OPT_FLIGHT},
     .any_bus = true,
     .write = write_times},
};

const struct command *
find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	}
	return NULL;
}

void
write_own(struct out *o, const struct options *options,
          void (*write)(struct out *o, const struct options *options))
{
	struct preamble *pre = xcalloc(1, sizeof *pre);

	preamble_set(pre, "tool", "pcb-model %s", program_version);
	preamble_add_command(pre);
	o->preamble = pre;
	write(o, options);
	out_finish(o, true, NULL);
	preamble_free(pre);
	free(pre);
}

int
run_command(struct out *o, const struct options *options)
{
	if (options->command->run)
		return options->command->run(o, options);
	if (options->explain)
		explain(&options->slot, find_work(options->command->name),
		        &options->sweep);
	else
		write_own(o, options, options->command->write);
	return STATUS_OK;
}
