/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The latency of a link and what is odd about it, from rows of five runs. */
#include "diff/diff.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#define RUNS 5

/* A bridge at 100 ns in all runs, and a device below it. */
struct link_row {
	const char *link;
	double tick_ns;
	double min[RUNS]; /* of the device */
	double p1;        /* in all runs; 0: as min */
	bool has_child;

	double latency, low, high;
	const char *flags;
};

static const struct link_row rows[] = {
    /* The median of the runs' differences; a bridge has no flag. */
    {"", 0, {250, 251, 249, 260, 250}, 0, true, 150, 149, 160, ""},
    {"", 0, {250, 251, 249, 260, 250}, 0, false, 150, 149, 160, "completer"},
    /* It answers before the bridge. */
    {"", 0, {60, 61, 62, 63, 64}, 0, true, -38, -40, -36, "negative"},
    /* The limits contain 0; the tick exceeds the latency, or just not. */
    {"", 0, {99, 101, 102, 103, 104}, 0, true, 2, -1, 4, "indistinct"},
    {"", 11, {110, 110, 110, 110, 110}, 0, true, 10, 10, 10, "indistinct"},
    {"", 10, {110, 110, 110, 110, 110}, 0, true, 10, 10, 10, ""},
    /* p1 differs by more than a tenth, or within the limits or the tick. */
    {"", 0, {200, 200, 200, 200, 200}, 212, true, 100, 100, 100, "floor"},
    {"", 0, {200, 200, 200, 200, 200}, 211, true, 100, 100, 100, ""},
    {"", 0, {190, 200, 200, 200, 220}, 215, true, 100, 90, 120, ""},
    {"", 20, {200, 200, 200, 200, 200}, 215, true, 100, 100, 100, ""},
    /* A read of four bytes takes five clocks or more of 30 ns on the bus. */
    {"pci32/33", 0, {200, 200, 200, 200, 200}, 0, true, 100, 100, 100, "short"},
    {"pci32/33", 0, {900, 900, 900, 900, 900}, 0, true, 800, 800, 800, ""},
};

static void
write_rows(const struct link_row *row)
{
	FILE *to = fopen("in", "w");

	assert_non_null(to);
	fprintf(to, "# pcb-csv: 1\n# clock_tick_ns: %g\n", row->tick_ns);
	fputs("device,parent,link,run,min_ns,p1_ns\n", to);
	for (int run = 0; run < RUNS; run++) {
		fprintf(to, "a,,,%d,100,100\nb,a,%s,%d,%g,%g\n", run, row->link,
		        run, row->min[run],
		        row->p1 > 0 ? row->p1 : row->min[run]);
		if (row->has_child)
			fprintf(to, "c,b,,%d,9999,9999\n", run);
	}
	fprintf(to, "# end: rows=%d complete=yes\n",
	        RUNS * (row->has_child ? 3 : 2));
	assert_int_equal(fclose(to), 0);
}

static void
check_link(const struct link_row *row, const struct links *l)
{
	const struct edge *e = &l->edge[1];
	struct link_stats f = link_stats_of(l, e);
	char *flags;

	assert_string_equal(edge_named(l, e, "device"), "b");
	assert_string_equal(edge_text(l, e, PARENT_COL), "a");
	assert_true(edge_is_link(e));
	assert_false(edge_is_link(&l->edge[0]));
	assert_float_equal(f.latency, row->latency, 1e-9);
	assert_float_equal(f.limits.low, row->low, 1e-9);
	assert_float_equal(f.limits.high, row->high, 1e-9);
	assert_float_equal(f.floor[FLOOR_P1],
	                   row->p1 > 0 ? row->p1 - 100 : row->latency, 1e-9);
	assert_int_equal(f.runs, RUNS);
	flags = flags_text(f.flags);
	assert_string_equal(flags, row->flags);
	free(flags);
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST(links_are_differences)
{
	char name[] = "in";
	char *files[] = {name};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct diff_columns columns = {.statistic = "min"};
		struct table *t = (write_rows(&rows[i]), table_open(files, 1));
		struct links l = {0};

		read_links(&l, t, &columns);
		check_link(&rows[i], &l);
		links_free(&l);
		diff_columns_free(&columns);
		table_close(t);
	}
}
