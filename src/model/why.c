/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/why.h"

#include "common/base/terminal_size.h"
#include "common/base/util.h"
#include "common/base/version.h"
#include "common/cli/wrap.h"
#include "model/causes.h"
#include "model/rate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A measured number this close above its bound may be rounded. */
#define ABOVE 1.005

static const struct work *
find_bench(const struct options *o)
{
	const struct work *work = find_work(o->bench ? o->bench : "bw_rd");

	if (!work || work->by_host)
		die_usage("--bench '%s': not bw_rd, bw_wr or bw_rdwr",
		          o->bench);
	if (o->sweep.size.n > 1)
		die_usage("-s: one size at a time");
	return work;
}

/* With one decimal, and without a minus before 0. */
static double
rounded(double percent)
{
	return fabs(percent) < 0.05 ? 0 : percent;
}

/* Prints a text, indented, as wide as the terminal. */
static void
print_indented(const char *head, const char *text)
{
	size_t columns = terminal_size().columns;
	int indent = printf("   %s", head);

	print_wrapped((size_t)indent, columns ? columns + 1 : 0, text);
}

/* For people: its number, the deviation, and how to confirm it. */
static void
print_cause(size_t rank, const struct cause *c, const char *verdict,
            double gbit_s)
{
	if (rank)
		printf("%zu. %s", rank, c->name);
	else
		printf("%s: %s", verdict, c->name);
	if (!isnan(c->gbit_s))
		printf("  %.2f GB/s, %.1f Gbit/s, %+.1f %%", c->gbit_s / 8,
		       c->gbit_s, rounded(100 * (c->gbit_s / gbit_s - 1)));
	putchar('\n');
	print_indented("", c->what);
	print_indented("to separate: ", c->separate);
}

static void
write_cause(struct out *o, size_t rank, const struct cause *c,
            const char *verdict, double gbit_s)
{
	if (o->format == FORMAT_TABLE) {
		print_cause(rank, c, verdict, gbit_s);
		return;
	}
	out_text(o, "model");
	if (rank)
		out_u64(o, rank);
	else
		out_text(o, "");
	out_text(o, c->name);
	out_text(o, verdict);
	out_text(o, c->what);
	out_double(o, c->gbit_s);
	out_double(o, 100 * (c->gbit_s / gbit_s - 1));
	out_text(o, c->separate);
}

/* If nothing fits: says so, and how the number itself may be wrong. */
static void
write_unexplained(struct out *o, const struct causes *all, double gbit_s)
{
	static char above[] =
	    "more than the link carries in one direction: both directions "
	    "together, GB for Gbit, data that stayed in a cache, or a wider "
	    "link than given";
	static char below[] = "no cause, and no two together, give this number";
	double most = 0;
	struct cause c = {.name = "unexplained",
	                  .gbit_s = NAN,
	                  .separate = "pcb-doctor BDF; pcb-model --join for "
	                              "the whole sweep of sizes"};

	for (size_t i = 0; i < all->n; i++) {
		if (!strcmp(all->cause[i].name, "link"))
			most = all->cause[i].gbit_s;
	}
	c.what = most > 0 && gbit_s > most * ABOVE ? above : below;
	write_cause(o, 1, &c, "", gbit_s);
}

/* Of matching causes with one name, only the likeliest is printed. */
static bool
was_written(const struct causes *all, size_t at)
{
	const struct cause *c = &all->cause[at];

	for (size_t i = 0; i < at && c->verdict == VERDICT_FITS; i++) {
		if (!strcmp(all->cause[i].name, c->name))
			return true;
	}
	return false;
}

static void
write_causes(struct out *o, const struct causes *all, double gbit_s)
{
	static const char *const names[] = {
	    "kind",           "rank",    "cause",
	    "verdict",        "what",    "bandwidth_gbit_s",
	    "difference_pct", "separate"};
	size_t rank = 0;

	if (o->format != FORMAT_TABLE)
		out_begin(o, names, ARRAY_LEN(names));
	if (!all->n || all->cause[0].verdict != VERDICT_FITS)
		write_unexplained(o, all, gbit_s);
	for (size_t i = 0; i < all->n; i++) {
		const struct cause *c = &all->cause[i];

		if (c->verdict == VERDICT_OFF || was_written(all, i))
			continue;
		if (c->verdict == VERDICT_FITS)
			rank++;
		write_cause(o, c->verdict == VERDICT_FITS ? rank : 0, c,
		            verdict_names[c->verdict], gbit_s);
	}
}

int
run_why(struct out *o, const struct options *options)
{
	const struct work *work = find_bench(options);
	struct preamble *pre;
	struct causes all = {0};
	double gbit_s = 0, tolerance = WHY_TOLERANCE / 100.0;
	const char *why = model_parse_rate(options->files[0], &gbit_s);
	bool fits;

	if (why)
		die_usage("'%s': %s", options->files[0], why);
	if (options->tolerance.den)
		tolerance = (double)options->tolerance.num /
		            (double)options->tolerance.den;
	causes_find(&all, options, work, gbit_s);
	causes_judge(&all, gbit_s, tolerance);
	pre = xcalloc(1, sizeof *pre);
	preamble_set(pre, "tool", "pcb-model %s", program_version);
	preamble_add_command(pre);
	o->preamble = pre;
	write_causes(o, &all, gbit_s);
	if (o->format != FORMAT_TABLE)
		out_finish(o, true, NULL);
	fits = all.n && all.cause[0].verdict == VERDICT_FITS;
	causes_free(&all);
	preamble_free(pre);
	free(pre);
	return fits ? STATUS_OK : STATUS_NO;
}
