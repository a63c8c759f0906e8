/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-ddio: computes metrics of I/O and the cache from uncore counts. */
#include "ddio/ddio.h"

#include "common/cli/option_table.h"
#include "common/stream/foreign.h"
#include "common/stream/writer.h"

#include <math.h>

static struct out out;
static struct input input;
static uint64_t duration_ps;  /* 0: not given */
static const char *separator; /* of perf's output; NULL: rows of pcb-collect */

static const struct option_def options[] = {
    {"duration", 't', "TIME", "duration of the count, if the input lacks it",
     .type = TYPE_TIME, .to = &duration_ps, .least = 1,
     .wrong = "must be greater than 0", .elsewhere = "-d time"},
    {"perf", 'x', "SEP", "read the output of perf stat -x SEP",
     .type = TYPE_NAME, .to = &separator, .wrong = "empty"},
    OPTION_FORMAT(&out.format),
    OPTION_BYTES,
    OPTIONS_OF_OUT(out),
    {0},
};

static const struct option_group groups[] = {{NULL, options}, {NULL, NULL}};

static const struct option_table table = {
    .usage = "Usage: pcb-ddio [options] [FILE...]\n"
             "Compute from counts of uncore events how I/O uses cache and "
             "memory: hits\n"
             "and misses, requests, bandwidths, queues and latencies.\n",
    .group = groups,
    .ending = "See pcb-ddio(1), and pcb-collect-pmu(7) for the counts.\n",
};

/* Output ------------------------------------------------------------------- */

/* The cells of a result; the first ncols columns of keys are called `name`. */
static void
write_result(const struct key *key, char *const name[], size_t ncols,
             const char *metric, const struct metric_value *result)
{
	static const char *const flags[] = {"scaled", "ungrouped",
	                                    "inconsistent"};
	char *words = xstrdup("");

	for (size_t i = 0; i < ncols; i++) {
		if (is_common(name[i]))
			OUT(&out, TEXT(name[i], key_find(key, i)));
	}
	OUT(&out, TEXT("unit", key_find(key, UNIT_COL)),
	    TEXT("part", key_find(key, PART_COL)), TEXT("metric", metric));
	if (input.has_time)
		OUT(&out, TEXT("time_ns", key_find(key, TIME_COL)));
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (result->flags & 1u << i)
			xappend(&words, " ", "%s", flags[i]);
	}
	OUT(&out, VALUE("value", result->value), TEXT("flags", words));
	free(words);
}

/* Warns of rows, and of so many metrics, that were left out. */
static void
warn_left_out(size_t missing, size_t untimed)
{
	if (input.unknown)
		warn("%ju row%s of events that no metric uses, such as %s, %s "
		     "skipped",
		     input.unknown, input.unknown == 1 ? "" : "s",
		     input.example, input.unknown == 1 ? "was" : "were");
	if (input.skipped)
		warn("lines skipped, because they are not of perf stat: %ju",
		     input.skipped);
	if (input.unsupported)
		warn(
		    "counts left out, which this machine does not support: %ju",
		    input.unsupported);
	if (input.repeated)
		warn("%ju count%s left out: their events were already counted, "
		     "in another group",
		     input.repeated, input.repeated == 1 ? "" : "s");
	if (missing)
		warn("metrics left out: a counter never ran: %zu", missing);
	if (untimed)
		warn("metrics left out: no counting time (-t gives it): %zu",
		     untimed);
}

static void
write_metrics(char *const name[], size_t ncols)
{
	double duration = duration_ps         ? (double)duration_ps / 1000
	                  : input.elapsed > 0 ? input.elapsed
	                                      : NAN;
	size_t n[METRIC_UNTIMED + 1] = {0}; /* by outcome */

	for (size_t aggregate = 0; aggregate < input.keys.n; aggregate++) {
		for (size_t i = 0; i < nmetrics; i++) {
			struct metric_value result = {0};
			enum metric_outcome outcome = metric_compute(
			    &metrics[i], &input, aggregate, duration, &result);

			n[outcome]++;
			if (outcome != METRIC_GIVEN)
				continue;
			write_result(&input.keys.key[aggregate], name, ncols,
			             metrics[i].name, &result);
			out_end_row(&out);
		}
	}
	if (!out.rows)
		write_result(&(struct key){0}, name, ncols, "",
		             &(struct metric_value){0});
	warn_left_out(n[METRIC_MISSING], n[METRIC_UNTIMED]);
}

static void
of_files(char *const files[], size_t nfiles)
{
	struct table *t = separator ? NULL : table_open(files, nfiles);
	struct preamble pre = {0};

	if (separator) {
		read_perf(&input, files, nfiles, separator);
		preamble_set(&pre, "tool", "pcb-ddio %s", program_version);
	} else {
		t->read_foreign = foreign_record_read;
		read_rows(&input, t);
	}
	out.preamble = t ? &t->preamble : &pre;
	preamble_add_command(out.preamble);
	write_metrics(t ? t->name : (char *const *)perf_columns,
	              t ? t->ncols : nperf_columns);
	out_finish(&out, !t || t->complete, t ? &t->end : NULL);
	if (t)
		table_close(t);
	preamble_free(&pre);
}

int
main(int argc, char *argv[])
{
	struct option_parser parser = {.table = &table};
	int operand;

	set_program(argc, argv);
	filter_signals();
	operand = options_parse(&parser, argc, argv);
	need_input(table.usage, (size_t)(argc - operand));
	read_metrics();
	of_files(argv + operand, (size_t)(argc - operand));
	input_free(&input);
	close_stdout();
	return STATUS_OK;
}
