/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of pcb-model, a row for each. */
#include "model/commands.h"

#include "common/base/util.h"
#include "common/base/version.h"
#include "common/cli/need_input.h"
#include "model/explain.h"
#include "model/inflight.h"
#include "model/join.h"
#include "model/nic.h"
#include "model/why.h"

#include <stdlib.h>

/* The bench of a mode, or NULL. */
static const struct work *
work_of(const struct options *options)
{
	const struct option_mode *mode = options->parser.table->mode;

	return find_work(mode[options->mode].name);
}

static void
write_work(struct out *o, const struct options *options)
{
	struct link_config config = link_config_of(&options->link);

	write_bandwidths(o, &config, work_of(options), &options->sweep);
}

static void
write_rates(struct out *o, const struct options *options)
{
	struct link_config config = link_config_of(&options->link);

	write_link(o, &config);
}

static void
write_times(struct out *o, const struct options *options)
{
	write_serial(o, &options->link, &options->delays);
}

static void
write_lat(struct out *o, const struct options *options)
{
	latency_write_rows(o, &options->latency, &options->link,
	                   &options->sweep);
}

static bool
checked(const struct options *options)
{
	return options_given(&options->parser, "check");
}

/* The result of --check: STATUS_OK or STATUS_NO. */
static int
verdict(const struct join *j, const struct options *options)
{
	size_t n = checked(options) ? join_short(j, options->tolerance) : 0;
	size_t over = options->check_above ? join_above(j, options->above) : 0;

	if (n)
		warn("%zu row%s below the model by more than --check allows", n,
		     n == 1 ? " falls" : "s fall");
	if (over)
		warn("%zu row%s above the bound by more than --check allows: a "
		     "measurement error, or another link",
		     over, over == 1 ? " is" : "s are");
	return n || over ? STATUS_NO : STATUS_OK;
}

/* Warns if the model computes no row of the input. */
static void
warn_of_nothing(const struct join *j)
{
	if (!j->rows.n || j->compared || j->without_model || j->without_value)
		return;
	warn("the model adds nothing: no row is %s",
	     j->latency ? "of a bench that it computes"
	                : "a bandwidth; for latencies, add -d sim:NAME of a "
	                  "simulated host");
}

static int
run_join(struct out *o, const struct options *options)
{
	struct join join = {0};
	struct table *t;
	int status;

	need_input("Usage: pcb-model --join [options] [FILE...]",
	           options->nfiles);
	if (options->latency.choice.profile)
		join.latency = &options->latency;
	t = table_open(options->files, options->nfiles);
	join_read(&join, t, &options->link);
	if (checked(options) && !join.compared)
		die("--check: no row can be compared with the model");
	warn_of_nothing(&join);
	preamble_add_command(&t->preamble);
	o->preamble = &t->preamble;
	join_write(o, t, &join);
	out_finish(o, t->complete, &t->end);
	status = verdict(&join, options);
	join_free(&join);
	table_close(t);
	return status;
}

/* Writes preamble, rows by `write`, and end line. */
static void
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

static int
run_inflight(struct out *o, const struct options *options)
{
	if (options->link.bounds.rtt_ps)
		write_own(o, options, inflight_write);
	else
		inflight_join(o, options);
	return STATUS_OK;
}

static int
run_lat(struct out *o, const struct options *options)
{
	if (options->explain)
		latency_explain(&options->latency, &options->link,
		                &options->sweep);
	else
		write_own(o, options, write_lat);
	return STATUS_OK;
}

/* `write` writes rows; `run` writes the whole stream and returns the status. */
static const struct model_command {
	void (*write)(struct out *o, const struct options *options);
	int (*run)(struct out *o, const struct options *options);
} commands[NMODEL_MODES] = {
    [MODEL_BW_RD] = {.write = write_work},
    [MODEL_BW_WR] = {.write = write_work},
    [MODEL_BW_RDWR] = {.write = write_work},
    [MODEL_LINK] = {.write = write_rates},
    [MODEL_NIC] = {.write = write_nic},
    [MODEL_INFLIGHT] = {.run = run_inflight},
    [MODEL_SERIAL] = {.write = write_times},
    [MODEL_WHY] = {.run = run_why},
    [MODEL_LAT] = {.run = run_lat},
    [MODEL_JOIN] = {.run = run_join},
};

int
run_command(struct out *o, const struct options *options)
{
	const struct model_command *command = &commands[options->mode];

	if (command->run)
		return command->run(o, options);
	if (options->explain)
		explain(&options->link, work_of(options), &options->sweep);
	else
		write_own(o, options, command->write);
	return STATUS_OK;
}
