/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/run/dry_run.h"

#include "common/stream/pretty_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long it measures the first point, in ps. */
#define TRIAL_PS 200000000000

/* Whether a trial changes nothing in device and system. */
static bool
may_try(const struct collection *c)
{
	return c->backend->flags & BACKEND_VIRTUAL ||
	       (c->request.bench->id == LAT_CFG &&
	        !bench_option(&c->request, "hold"));
}

/* Points stdout to a file, which it returns; *saved is the old stdout. */
static FILE *
divert_stdout(int *saved)
{
	FILE *file = tmpfile();

	fflush(stdout);
	*saved = dup(STDOUT_FILENO);
	if (!file || *saved < 0 || dup2(fileno(file), STDOUT_FILENO) < 0)
		die_sys("--dry-run: a temporary file");
	return file;
}

static void
restore_stdout(int saved)
{
	fflush(stdout);
	if (dup2(saved, STDOUT_FILENO) < 0)
		die_sys("stdout");
	close(saved);
}

/* Measures the first point for a moment. */
static int
try_point(const struct collection *c, struct trial *trial)
{
	struct collection moment = *c;
	int saved, status;
	FILE *file = divert_stdout(&saved);

	if (!moment.time_limit || moment.time_limit > TRIAL_PS)
		moment.time_limit = TRIAL_PS;
	moment.trial = trial;
	moment.quiet = true;
	status = collection_run(&moment);
	restore_stdout(saved);
	fseek(file, 0, SEEK_END);
	trial->bytes = (double)ftell(file);
	fclose(file);
	return status;
}

static void
say(const char *name, const char *text)
{
	printf("%-9s %s\n", name, text);
}

static void
say_duration(double ns)
{
	char *text = xasprintf("%.0f", ns);
	char *words = human_text("duration_ns", text, false);

	say("duration", words);
	free(text);
	free(words);
}

/* Uses powers of 1000, as for files and rows. */
static void
say_amount(const char *name, double value, const char *unit)
{
	const char *prefix = " kMGTPE";

	while (value >= 999.5 && prefix[1]) {
		value /= 1000;
		prefix++;
	}
	printf("%-9s %.3g%s%.*s%s\n", name, value,
	       *prefix != ' ' || *unit ? " " : "", *prefix != ' ', prefix,
	       unit);
}

static void
say_nodes(const struct sweep *sweep)
{
	char *text = NULL;

	for (size_t i = 0; i < sweep->nnodes; i++) {
		if (sweep->node[i] >= 0)
			xappend(&text, ", ", "%d", sweep->node[i]);
		else
			xappend(&text, ", ", "%s",
			        sweep->node[i] == NODE_LOCAL ? "local"
			                                     : "remote");
	}
	if (text)
		say("node", text);
	free(text);
}

/* How many trials a point takes, by its count or its time. */
static double
times_trial(const struct collection *c, const struct trial *trial)
{
	double counted =
	    (double)c->request.count / fmax(1, (double)trial->taken);
	double timed =
	    (double)c->time_limit / fmax(1, 1000 * (double)trial->ns);

	return c->time_limit ? fmin(counted, timed) : counted;
}

static void
say_expected(const struct collection *c, const struct trial *trial,
             double points)
{
	double times = times_trial(c, trial);
	double rows = trial->rows * (c->request.bench->totals ? 1 : times);

	say_amount("rows", points * rows, "");
	say_duration(points * times * (double)trial->ns);
	say_amount("output",
	           points * rows * trial->bytes / fmax(1, trial->rows), "B");
}

static void
say_untried(const struct collection *c, double points)
{
	if (c->time_limit)
		say_duration(points * (double)c->time_limit / 1000);
	else
		say("duration", "not known without touching the device: --time "
		                "sets it");
}

int
collection_dry_run(const struct collection *c)
{
	bool swept = c->request.bench->group == BENCH_DMA;
	double points = swept ? (double)sweep_points(&c->sweep) : 1;
	struct trial trial = {.cpu = c->request.cpu};
	bool tried = may_try(c);
	int status = tried ? try_point(c, &trial) : STATUS_OK;

	if (status != STATUS_OK)
		return status;
	say("backend", c->backend->name);
	say("device", trial.device        ? trial.device
	              : c->request.device ? c->request.device
	                                  : "the first one");
	if (swept)
		say_nodes(&c->sweep);
	if (trial.cpu >= 0)
		printf("%-9s %d\n", "cpu", trial.cpu);
	printf("%-9s %.0f\n%-9s %" PRIu64 "\n", "points", points, "runs",
	       c->request.runs);
	points *= (double)c->request.runs;
	if (tried)
		say_expected(c, &trial, points);
	else
		say_untried(c, points);
	free(trial.device);
	return STATUS_OK;
}
