/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output reads back equal, for streams drawn with a fixed seed. */
#include "common/stream/table.h"
#include "common/stream/writer.h"

#include "rig/cmocka.h"
#include "rig/support.h"

#define MAX_COLUMNS 8
#define MAX_ROWS    20
#define MAX_PARTS   3
#define STREAMS     400

/* A part: names in row 0 of text, then rows of cells. */
struct part {
	bool no_preamble;
	size_t ncols, nrows;
	char text[1 + MAX_ROWS][MAX_COLUMNS][32];
};

struct stream {
	size_t nparts;
	struct part part[MAX_PARTS];
};

static void
random_text(uint64_t *seed, const struct part *p, char *to)
{
	static const char *const nasty[] = {
	    "\"", ",",        "\r", "\n",     "#",  " ", "\t",
	    "x",  "\xc3\xa9", "7",  "\r\n",   "\"", ",", "\xff",
	    "'",  "\\",       "=",  "# end:", ":",  ";", "\xef\xbb\xbf",
	};
	size_t n = random_u64(seed) % 6;
	char *end = to;

	*to = '\0';
	while (n--)
		end = stpcpy(end, nasty[random_u64(seed) % ARRAY_LEN(nasty)]);
	/* Without a mark, blanks before a field do not count. */
	if (p->no_preamble && *to == ' ')
		*to = '_';
}

static bool
is_taken(const struct part *p, size_t ncols, const char *name)
{
	for (size_t i = 0; i < ncols; i++) {
		if (!strcmp(p->text[0][i], name))
			return true;
	}
	return !*name;
}

/* A row equal to the header would be a second header. */
static bool
is_header(const struct part *p, size_t row)
{
	for (size_t i = 0; i < p->ncols; i++) {
		if (strcmp(p->text[0][i], p->text[row][i]) != 0)
			return false;
	}
	return true;
}

static void
random_part(uint64_t *seed, struct part *p)
{
	p->ncols = 1 + random_u64(seed) % MAX_COLUMNS;
	/* A single column without a mark may have another separator. */
	p->no_preamble = p->ncols > 1 && random_u64(seed) % 4 == 0;
	p->nrows = random_u64(seed) % (MAX_ROWS + 1);
	for (size_t i = 0; i < p->ncols; i++) {
		do
			random_text(seed, p, p->text[0][i]);
		while (is_taken(p, i, p->text[0][i]));
	}
	for (size_t row = 1; row <= p->nrows; row++) {
		do {
			for (size_t i = 0; i < p->ncols; i++)
				random_text(seed, p, p->text[row][i]);
		} while (is_header(p, row));
	}
}

/* A header without a mark would be a row of the part before: drops those. */
static void
random_stream(uint64_t *seed, struct stream *s)
{
	s->nparts = 1 + random_u64(seed) % MAX_PARTS;
	for (size_t i = 0; i < s->nparts; i++) {
		random_part(seed, &s->part[i]);
		if (i && s->part[i - 1].no_preamble)
			s->part[i].no_preamble = false;
	}
}

static void
write_stream(const void *data)
{
	const struct stream *s = data;

	for (size_t k = 0; k < s->nparts; k++) {
		const struct part *p = &s->part[k];
		const char *name[MAX_COLUMNS];
		struct preamble pre = {0};
		struct out o = {.format = FORMAT_CSV,
		                .no_preamble = p->no_preamble,
		                .preamble = &pre};

		for (size_t i = 0; i < p->ncols; i++)
			name[i] = p->text[0][i];
		preamble_set(&pre, "seed", "%zu", k);
		out_begin(&o, name, p->ncols);
		preamble_free(&pre);
		for (size_t row = 1; row <= p->nrows; row++) {
			for (size_t i = 0; i < p->ncols; i++)
				out_text(&o, p->text[row][i]);
		}
		out_finish(&o, true, NULL);
	}
}

/* Whether the current row equals this row of the part. */
static bool
is_same_row(const struct table *t, const struct part *p, size_t row)
{
	size_t known = 0;

	for (size_t i = 0; i < p->ncols; i++) {
		ptrdiff_t col = table_find(t, p->text[0][i]);

		if (col < 0 || strcmp(t->field[col], p->text[row][i]) != 0)
			return false;
	}
	for (size_t col = 0; col < t->ncols; col++)
		known += is_taken(p, p->ncols, t->name[col]) || !*t->field[col];
	return known == t->ncols;
}

static void
read_stream(const void *data)
{
	const struct stream *s = data;
	struct table *t;
	bool same = true;

	fclose(stderr); /* a header without rows is valid here */
	t = table_open(NULL, 0);
	for (size_t k = 0; k < s->nparts; k++) {
		for (size_t row = 1; row <= s->part[k].nrows; row++)
			same = same && table_next(t) &&
			       is_same_row(t, &s->part[k], row);
	}
	same = same && !table_next(t) && t->complete;
	table_close(t);
	exit(same ? 0 : 1);
}

TEST(read_back_equal)
{
	uint64_t seed = 12;

	for (int i = 0; i < STREAMS; i++) {
		struct stream s;
		struct ended wrote, read;

		random_stream(&seed, &s);
		wrote = in_child(write_stream, &s, (struct bytes)BYTES(""),
		                 FEED_FILE);
		assert_int_equal(wrote.status, 0);
		read = in_child(read_stream, &s,
		                (struct bytes){wrote.out, wrote.out_size},
		                i % 40 ? FEED_FILE : FEED_BYTES);
		if (read.status)
			print_error("not read back:\n%s\n", wrote.out);
		assert_ended(&read, 0, "", "");
		ended_free(&wrote);
		ended_free(&read);
	}
}
