/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fast and slow parsing; long inputs. */
#include "rig/cmocka.h"
#include "rig/table.h"

#include "common/stream/record.h"
#include "common/stream/table.h"

#include <unistd.h>

#define MIB RECORD_MAX

/* Pieces of streams: mostly rows that start like the row before. */
static const char *const pieces[] = {"x,1,2\n",
                                     "x,1,3\n",
                                     "x,1,23\n",
                                     "x,1,\n",
                                     "x,12,3\n",
                                     "x,,3\n",
                                     "xy,1,2\n",
                                     ",1,2\n",
                                     "\"x\",1,2\n",
                                     "\"x\",\"1\",3\n",
                                     "\"x,y\",1,\"2\"\n",
                                     "x,\"\",\"3\"\r\n",
                                     "x,1,2\r\n",
                                     "x,\"1\",2\n",
                                     "x,1,2,\n",
                                     "x,1\n",
                                     "a,b,c\n",
                                     "c,b,a\n",
                                     "\n",
                                     "\r\n",
                                     "#x,1,2\n",
                                     "# end: rows=3 complete=yes\n",
                                     "# pcb-csv: 1\na,b,c\n",
                                     "# pcb-csv: 1\nb,a,d\n",
                                     "x,\"1\n\",2\n",
                                     "x,1,\r2\n",
                                     "\"x\"\"\",1,2\n",
                                     "\"x\"y,1,2\n",
                                     "x,\"1\r\",2\n",
                                     "x\",1,2\n",
                                     "x\"1\",1,2\n",
                                     "x,1,2",
                                     "a,1,2\n"};

static char *
random_stream(uint64_t *seed, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	assert_non_null(f);
	fputs("a,b,c\n", f);
	for (uint64_t n = random_u64(seed) % 12; n--;) {
		uint64_t kind = random_u64(seed);
		/* The first ones are likely, so that streams are long. */
		size_t i =
		    (size_t)(kind >> 8) % (kind & 3 ? 12 : ARRAY_LEN(pieces));

		fputs(pieces[i], f);
	}
	fclose(f);
	return text;
}

TEST(both_lanes_give_the_same)
{
	const bool lanes[] = {false, true};
	uint64_t seed = 7;

	for (int i = 0; i < 1000; i++) {
		size_t size;
		char *text = random_stream(&seed, &size);
		struct bytes in = {text, size};
		struct ended slow =
		    in_child(show_stdin, &lanes[1], in, FEED_FILE);
		struct ended fast =
		    in_child(show_stdin, &lanes[0], in, FEED_FILE);

		assert_ended(&fast, slow.status, slow.out, slow.err);
		ended_free(&slow);
		ended_free(&fast);
		free(text);
	}
}

/* A row is not compared with one that stood where the buffer was read anew. */
TEST(a_blank_line_ends_the_comparison)
{
	char text[32] = "x,1\n\n";
	struct lines in = {.buffer = text, .end = 5, .fd = -1, .eof = true};
	struct record rec = {0};

	assert_true(record_take(&rec, &in, ',', 2, 1));
	assert_false(record_take(&rec, &in, ',', 2, 1));
	memcpy(text + in.pos, "x,2\n", 5);
	in.end = in.pos + 4;
	assert_true(record_take(&rec, &in, ',', 2, 1));
	assert_false(rec.repeats);
	assert_ptr_equal(rec.field[0], text + 4);
	record_free(&rec);
}

/* A table of this file; closes the file. */
static struct table *
open_file(FILE *f)
{
	rewind(f);
	dup2(fileno(f), STDIN_FILENO);
	fclose(f);
	return table_open(NULL, 0);
}

/*
 * Quotes do not prevent comparing the columns before the last one. Input is
 * read in pieces: a row at their borders may be compared with none.
 */
TEST(rows_that_begin_alike_change_one_column)
{
	enum { ROWS = 200000 };
	FILE *f = tmpfile();
	size_t alike = 0;
	struct table *t;

	assert_non_null(f);
	fputs("a,b,n\n", f);
	for (unsigned i = 0; i < ROWS; i++)
		fprintf(f, "\"x, y\",\"z\",%u\n", i);
	t = open_file(f);
	while (table_next(t))
		alike += t->changed == 2;
	assert_int_equal(t->rows, ROWS);
	assert_in_range(alike, ROWS - 200, ROWS);
	table_close(t);
}

/* `before`, `n` times 'x' (`line` of them to a line, if given), `after`. */
struct long_row {
	const char *before;
	size_t n;
	size_t line;
	const char *after;
	const char *err;
	int status;
};

#define TOO_LONG LONG_RECORD "\n"
#define UNENDED                                                                \
	"the last line has no line feed: if it was cut off, its last value "   \
	"is "                                                                  \
	"wrong\n"

static const struct long_row long_rows[] = {
    {"a\n", MIB - 1, 0, "\n", "", 0},
    {"a\n", MIB, 0, "", "t: standard input: " UNENDED, 0},
    {"a\n\"", MIB - 3, 100, "\"\n", "", 0},
    {"a\n", MIB, 0, "\n", "t: standard input:2: " TOO_LONG, 2},
    {"a\n", MIB + 1, 0, "", "t: standard input:2: " TOO_LONG, 2},
    {"a\n", MIB + 100, 0, "\n", "t: standard input:2: " TOO_LONG, 2},
    {"a\n", 3 * MIB, 0, "\n", "t: standard input:2: " TOO_LONG, 2},
    {"a\n1\n\"", MIB - 2, 100, "\"\n", "t: standard input:3: " TOO_LONG, 2},
    {"a\n1\n\"", 2 * MIB, 100, "", "t: standard input:3: " TOO_LONG, 2},
    {"a\n1\n\"", 2 * MIB, 0, "", "t: standard input:3: " TOO_LONG, 2},
    {"# ", MIB - 3, 0, "\na\n1\n", "", 0},
    {"# ", MIB - 2, 0, "\na\n1\n", "t: standard input:1: " TOO_LONG, 2},
    {"# ", 3 * MIB, 0, "\na\n1\n", "t: standard input:1: " TOO_LONG, 2},
    {"# pcb-csv: 1\na\n1\n# end: x=", MIB, 0, "\n",
     "t: standard input:4: " TOO_LONG, 2},
};

static struct bytes
make_long(const struct long_row *row)
{
	size_t before = strlen(row->before);
	size_t after = strlen(row->after);
	size_t size = before + row->n + after;
	char *text = malloc(size);

	assert_non_null(text);
	memset(text, 'x', size);
	memcpy(text, row->before, before);
	memcpy(text + size - after, row->after, after);
	for (size_t i = row->line; row->line && i < row->n; i += row->line)
		text[before + i] = '\n';
	return (struct bytes){text, size};
}

static void
count_rows(const void *data)
{
	struct table *t = table_open(NULL, 0);

	while (table_next(t))
		;
	printf("%ju", t->rows);
	table_close(t);
}

TEST(a_record_has_at_most_a_mebibyte)
{
	for (size_t i = 0; i < ARRAY_LEN(long_rows); i++) {
		const struct long_row *row = &long_rows[i];
		struct bytes in = make_long(row);
		struct ended e = in_child(count_rows, NULL, in, FEED_FILE);

		assert_ended(&e, row->status, row->status ? "" : "1", row->err);
		ended_free(&e);
		free((char *)in.text);
	}
}

/* Rows and fields that cross the ends of the reader's buffer. */
TEST(rows_lie_across_the_ends_of_buffers)
{
	static const char line[] = "17,\"a \"\"quoted\"\"\ntext\",x\n";
	static const char header[] = "a,b,c\n";
	size_t rows = 200000;
	size_t size = sizeof header - 1 + rows * (sizeof line - 1);
	char *text = malloc(size + 1);
	char *end = text;
	char expected[32];
	struct ended e;

	assert_non_null(text);
	end = stpcpy(end, header);
	for (size_t i = 0; i < rows; i++)
		end = stpcpy(end, line);
	snprintf(expected, sizeof expected, "%zu", rows);
	e = in_child(count_rows, NULL, (struct bytes){text, size}, FEED_FILE);
	assert_ended(&e, 0, expected, "");
	ended_free(&e);
	free(text);
}
