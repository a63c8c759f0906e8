/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No sample is lost or changes its group, however its row is read. */
#include "rig/cmocka.h"

#include "rig/support.h"
#include "stats/stats.h"

/* Rows of a file: several times what is read at once. */
#define ROWS  60000
#define FILES REPEATS(60)

static uint64_t seed = 1;

static uint64_t
below(uint64_t limit)
{
	return random_u64(&seed) % limit;
}

struct request {
	char *file;
	bool slow;
	unsigned threads;
	size_t range; /* bytes of the shortest one */
};

#define OTHERS "others: "

static void
write_result(struct table *t, const struct columns *c, const struct groups *g,
             const struct groups *others)
{
	struct out out = {.preamble = &t->preamble};

	write_histogram(&out, t, c, g);
	out_finish(&out, t->complete, &t->end);
	for (size_t k = 0; k < others->keys.n; k++) {
		const struct histogram *d = &others->histogram[k];

		printf(OTHERS);
		for (size_t i = 0; i < c->nkey; i++)
			printf("%s,",
			       key_find(&others->keys.key[k], c->key[i]));
		for (size_t i = 0; i < d->nbins; i++)
			printf(" %g:%ju", d->bin[i].value,
			       (uintmax_t)d->bin[i].count);
		putchar('\n');
	}
	printf("%ju %d\n", t->rows, t->complete);
}

static void
summarise(const void *data)
{
	const struct request *request = data;
	struct columns c = {.by_identity = true};
	struct groups g = {0}, others = {0};
	struct table *t = table_open(&request->file, 1);

	t->slow = request->slow;
	read_samples(t, table_next(t), &c, &g, &others, NULL, request->threads,
	             request->range);
	write_result(t, &c, &g, &others);
	groups_free(&g);
	groups_free(&others);
	columns_free(&c);
	table_close(t);
}

static struct ended
run(char *file, bool slow)
{
	struct request request = {file, slow, 1, USUAL_RANGE};

	return in_child(summarise, &request, (struct bytes){0}, FEED_NONE);
}

static struct ended
run_threads(char *file, unsigned threads, size_t range)
{
	struct request request = {file, false, threads, range};

	return in_child(summarise, &request, (struct bytes){0}, FEED_NONE);
}

#define VALUES 40000 /* more than are counted by their text */

const struct fixtures fixtures = {enter_scratch, leave_scratch};

/*
 * Texts of 1 to 9 characters, always the same one for a value, in groups that
 * see it once, twice and three times in a row.
 */
TEST(all_texts_are_counted)
{
	char name[] = "e";
	FILE *to = fopen(name, "w");
	const char *line;
	struct ended e;

	fputs("node,latency_ns\n", to);
	for (size_t i = 0; i < 2 * 6 * VALUES; i++) {
		size_t value = i / 6 % VALUES;

		fprintf(to, "%d,%.*zu\n",
		        i % 6 < 1   ? 1
		        : i % 6 < 3 ? 2
		                    : 3,
		        (int)(value % 9 + 1), value);
	}
	assert_int_equal(fclose(to), 0);
	e = run(name, false);
	assert_int_equal(e.status, 0);
	line = strstr(e.out, "\nnode,latency_ns,count\n");
	assert_non_null(line);
	line = strstr(line, "\n1,0,") + 1;
	for (size_t node = 1; node <= 3; node++) {
		for (size_t value = 0; value < VALUES; value++) {
			char wanted[40];
			int n = snprintf(wanted, sizeof wanted, "%zu,%zu,%zu\n",
			                 node, value, 2 * node);

			assert_memory_equal(line, wanted, (size_t)n);
			line += n;
		}
	}
	ended_free(&e);
}

/* A text is not its number: the same value once more. */
TEST(texts_of_one_value_are_one)
{
	const struct bytes file =
	    BYTES("latency_ns\n13\n13\n13.0\n13\n1\n013\n");
	char name[] = "f";
	struct ended e;

	write_file(name, file);
	e = run(name, false);
	assert_non_null(strstr(e.out, "latency_ns,count\n1,1\n13,5\n# end:"));
	ended_free(&e);
}

/* A cell of lines that look like rows. */
static void
write_long_cell(FILE *to)
{
	fputs("\"h\n", to);
	for (size_t i = 0; i < ROWS / 2; i++)
		fputs("h,1,5\n", to);
	fputs("h\",1,5\n", to);
}

/* Lines that are not plain rows, or that end the program. */
static void
write_odd(FILE *to, const char *header)
{
	static const char *const odd[] = {
	    "%s\n",
	    "# end: rows=7 complete=yes x=1\n%s\n",
	    "# pcb-csv: 1\n# k: v\n%s\n",
	    "\n%.0s",
	    "\"h\",\"2\",\"3.5\"\n%.0s",
	    "# pcb-csv: 1\nnode,host,latency_ns\n1,2,3\n%.0s",
	    "h,1,\n%.0s",
	    "#h,1,4\n%.0s",
	};
	size_t i = below(12);

	if (i < ARRAY_LEN(odd))
		fprintf(to, odd[i], header);
	else if (i == 8)
		write_long_cell(to);
	else if (i == 9)
		fprintf(to, "%30000d,1,4\n", 1);
	else if (i == 10)
		fputs(below(8) ? "h,1,NaN\n" : "h,1,bad\n", to);
	else
		fputs(below(8) ? "h,1,5\r\n" : "h,1\n", to);
}

/* A file of rows with up to four odd places. */
static void
make_file(const char *name)
{
	static const char *const headers[] = {"host,node,latency_ns",
	                                      "host,node,latency_us",
	                                      "host,gap_ns,latency_ns"};
	static const char *const gaps[] = {"1", "", "-", "x y", "\"2\"", "nan"};
	const char *header = headers[below(ARRAY_LEN(headers))];
	bool gap = strstr(header, "gap");
	uint64_t values = below(2) ? 100 : 1000000, hosts = 1 + below(3);
	size_t odd[4], nodd = below(5);
	FILE *to = fopen(name, "w");

	assert_non_null(to);
	for (size_t i = 0; i < nodd; i++)
		odd[i] = below(ROWS);
	if (below(2))
		fputs("# pcb-csv: 1\n# tool: t\n", to);
	fprintf(to, "%s\n", header);
	for (size_t i = 0; i < ROWS; i++) {
		for (size_t k = 0; k < nodd; k++) {
			if (odd[k] == i)
				write_odd(to, header);
		}
		fprintf(to, "h%ju,", (uintmax_t)below(hosts));
		if (gap && !below(20))
			fputs(gaps[below(ARRAY_LEN(gaps))], to);
		else
			fprintf(to, "%zu", gap ? i : i * 2 / ROWS);
		fprintf(to, ",%ju.5\n", (uintmax_t)below(values));
	}
	if (below(2))
		fputs(below(2) ? "h,1,2" : "# end: rows=1 complete=yes\n", to);
	assert_int_equal(fclose(to), 0);
}

static void
assert_alike(const struct ended *a, const struct ended *b)
{
	assert_int_equal(a->status, b->status);
	assert_string_equal(a->err, b->err);
	assert_int_equal(a->out_size, b->out_size);
	assert_memory_equal(a->out, b->out, a->out_size);
}

TEST(quick_rows_are_as_all_others)
{
	size_t refused = 0;

	for (size_t i = 0; i < FILES; i++) {
		struct ended quick, slow;

		make_file("a");
		quick = run("a", false);
		slow = run("a", true);
		assert_alike(&quick, &slow);
		refused += quick.status != 0;
		ended_free(&slow);
		slow = run_threads("a", 2 + (unsigned)below(7),
		                   10000 + below(200000));
		assert_alike(&quick, &slow);
		ended_free(&quick);
		ended_free(&slow);
	}
	/* Both kinds of files were there. */
	assert_in_range(refused, 1, FILES / 2);
}

/* Behind rows of which only columns that nobody wants differ. */
TEST(an_odd_row_ends_a_run)
{
	static const char *const odd[] = {
	    "5",       "5,6",    "5,6,7,8", ",5,6",    "-,5,6",
	    "5,nan,6", "5,6,",   "5,6,-7",  "5,6,7\r", "5,\"6\",7",
	    "5,6 ,7",  "#5,6,7", "5,6,7x",  "" /* the header */};

	for (size_t i = 0; i < 4 * ARRAY_LEN(odd); i++) {
		const char *header =
		    i & 2 ? "seq,rx_bytes,99_ns" : "gap_ns,n_ns,latency_ns";
		FILE *to = fopen("o", "w");
		struct ended quick, slow;

		assert_non_null(to);
		fprintf(to, "%s%s\n", i & 1 ? "# pcb-csv: 1\n" : "", header);
		for (size_t row = 0; row < 12; row++)
			fprintf(to, "%zu,%zu,%zu.5\n%s%s", row, row * row,
			        row % 3,
			        row != 6      ? ""
			        : *odd[i / 4] ? odd[i / 4]
			                      : header,
			        row == 6 ? "\n" : "");
		assert_int_equal(fclose(to), 0);
		quick = run("o", false);
		slow = run("o", true);
		assert_alike(&quick, &slow);
		ended_free(&quick);
		ended_free(&slow);
	}
}

/* The cell of a row that a thread may or may not take. */
static void
write_host(FILE *to)
{
	static const char *const cells[] = {"a",
	                                    "b",
	                                    "c",
	                                    "\"a, \"\"b\"\"\"",
	                                    "\"a\nb\"",
	                                    "\"a\r\n\n\"",
	                                    "\"a\n5,6,7\n\"",
	                                    "#"};

	fputs(cells[below(below(4) ? 3 : ARRAY_LEN(cells))], to);
}

/* A short part, of a foreign file or of a stream, with its odd places. */
static void
write_short_part(FILE *to)
{
	static const char *const odd[] = {
	    "",        "# note",     "1,2",     "\"x",
	    "a\rb,,3", "a,,",        "a,,NaN",  "a,1,",
	    "#",       "a,27us,1us", "a,0,0",   "a,-1,-1",
	    "\"a\",,", "a,9,9\"",    ",,1",     "a,18446744073709551615,9",
	    "host,x,", "a,,1e999",   "a,1,1,1", "host,count,latency_ns"};
	static const char *const headers[] = {
	    "host,count,latency_ns",
	    "host,count,latency_us",
	    "host,node,latency_ns",
	    "host,bandwidth_gbit_s,latency_ns",
	    "host,latency_ns,bandwidth_gbit_s",
	    "host,gap_us,latency_ns",
	    "gap_ns,gap_us,latency_ns"};
	static const char *const cells[] = {"7",   "8.25", "1e3",   "-",
	                                    "NaN", "x",    "\"9\"", "#"};
	const char *eol = below(3) ? "\n" : "\r\n";
	const char *header = headers[below(ARRAY_LEN(headers))];
	size_t rows = below(2) ? below(6) : below(300);
	bool ours = below(2), plain = below(3), gap = strstr(header, "gap");
	const char *empty = gap && plain ? "7" : "";

	if (ours)
		fprintf(to, "# pcb-csv: 1%s# host: h%ju%s", eol,
		        (uintmax_t)below(2), eol);
	fprintf(to, "%s%s", header, eol);
	for (size_t i = 0; i < rows; i++) {
		if (!below(200))
			fprintf(to, "%s%s", header, eol);
		if (!plain && !below(100))
			fprintf(to, "%s%s", odd[below(ARRAY_LEN(odd))], eol);
		write_host(to);
		fprintf(to, ",%s,",
		        below(9) ? empty
		                 : cells[below(gap ? ARRAY_LEN(cells) : 1)]);
		if (below(20))
			fprintf(to, "%ju.5",
			        (uintmax_t)below(below(2) ? 10 : 100000));
		fputs(eol, to);
	}
	if (ours && below(4))
		fprintf(to, "# end: rows=%zu complete=%s%s", rows + !below(3),
		        below(3) ? "yes" : "no", eol);
}

/* Bytes of a range that cuts such files in many places. */
#define SHORT_RANGE 40
#define SHORT_FILES REPEATS(300)

TEST(threads_change_nothing)
{
	size_t refused = 0, warned = 0, mixed = 0;

	for (size_t i = 0; i < SHORT_FILES; i++) {
		struct ended one, slow, many;
		FILE *to = fopen("p", "w");

		assert_non_null(to);
		for (uint64_t parts = 1 + below(4); parts--;)
			write_short_part(to);
		fputs(below(3) ? "" : "a,1,5", to);
		assert_int_equal(fclose(to), 0);
		one = run("p", false);
		slow = run("p", true);
		many = run_threads("p", 2 + (unsigned)below(7),
		                   SHORT_RANGE + below(200));
		assert_alike(&one, &slow);
		assert_alike(&one, &many);
		refused += one.status != 0;
		warned += !one.status && one.err_size;
		mixed += !one.status && strstr(one.out, OTHERS);
		ended_free(&one);
		ended_free(&slow);
		ended_free(&many);
	}
	assert_in_range(refused, SHORT_FILES / 4, SHORT_FILES * 3 / 4);
	assert_in_range(warned, SHORT_FILES / 10, SHORT_FILES);
	assert_in_range(mixed, SHORT_FILES / 10, SHORT_FILES);
}

/* A part of a stream, with its keys in the rows or before the header. */
static void
write_part(FILE *wide, FILE *compact, size_t rows)
{
	static const char *const names[] = {"host", "node", "note"};
	bool constant[3], any = false;
	const char *before = "# constant: ";
	char value[3][8];

	fputs("# pcb-csv: 1\nhost,node,note,latency_ns\n", wide);
	fputs("# pcb-csv: 2\n", compact);
	for (size_t k = 0; k < 3; k++) {
		constant[k] = below(2);
		snprintf(value[k], sizeof value[k], "%ju", (uintmax_t)below(3));
		any |= constant[k];
	}
	for (size_t k = 0; k < 3 && any; k++, before = ",")
		fprintf(compact, constant[k] ? "%s%s=%s" : "%s%s", before,
		        names[k], value[k]);
	if (any)
		putc('\n', compact);
	for (size_t k = 0; k < 3; k++) {
		if (!constant[k])
			fprintf(compact, "%s,", names[k]);
	}
	fputs("latency_ns\n", compact);
	for (size_t i = 0; i < rows; i++) {
		uintmax_t ns = below(1000);

		for (size_t k = 0; k < 3; k++) {
			if (!constant[k] && !below(50))
				snprintf(value[k], sizeof value[k], "%ju",
				         (uintmax_t)below(3));
			fprintf(wide, "%s,", value[k]);
			if (!constant[k])
				fprintf(compact, "%s,", value[k]);
		}
		fprintf(wide, "%ju\n", ns);
		fprintf(compact, "%ju\n", ns);
	}
	fprintf(wide, "# end: rows=%zu complete=yes\n", rows);
	fprintf(compact, "# end: rows=%zu complete=yes\n", rows);
}

TEST(constants_stand_for_columns)
{
	for (size_t i = 0; i < FILES / 3; i++) {
		size_t nparts = 1 + below(6);
		FILE *to[] = {fopen("w", "w"), fopen("s", "w")};
		struct ended a, b, slow;

		for (size_t k = 0; k < nparts; k++)
			write_part(to[0], to[1],
			           below(2) ? below(9) : ROWS / nparts);
		assert_int_equal(fclose(to[0]), 0);
		assert_int_equal(fclose(to[1]), 0);
		a = run("w", false);
		b = run_threads("s", 3, 30000);
		slow = run("s", true);
		assert_alike(&b, &slow);
		assert_int_equal(a.status, 0);
		assert_int_equal(a.out_size, b.out_size);
		assert_memory_equal(a.out, b.out, a.out_size);
		ended_free(&a);
		ended_free(&b);
		ended_free(&slow);
	}
}
