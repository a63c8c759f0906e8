/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows that the result holds are those that were set, in every format. */
#include "import/result.h"

#include "common/base/number.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 6
#define ROWS    40
#define RESULTS 300

/* A result, and its cells one by one. */
struct model {
	enum format format;
	size_t ncols, nrows;
	char text[ROWS][COLUMNS][64];
	struct result result;
};

static void
random_text(uint64_t *seed, char *to)
{
	static const char *const parts[] = {
	    "7",       "1234.5", "-",  "x", "\"",       ",", "\n",
	    "#",       " ",      "\r", ".", "\xc3\xa9", "!", "\xef\xbb\xbf",
	    "abcdefgh"};
	size_t n = random_u64(seed) % 5;

	for (*to = '\0'; n--;)
		to = stpcpy(to, parts[random_u64(seed) % ARRAY_LEN(parts)]);
}

/* Sets some cells of the next row; the others stay as they are. */
static void
add_row(struct model *m, uint64_t *seed)
{
	size_t row = m->nrows++;

	if (row)
		memcpy(m->text[row], m->text[row - 1], sizeof m->text[row]);
	for (size_t i = random_u64(seed) % (m->ncols + 1); i < m->ncols; i++) {
		random_text(seed, m->text[row][i]);
		result_text(&m->result, i, m->text[row][i]);
	}
	result_end_row(&m->result);
}

static void
fill(struct model *m, uint64_t *seed)
{
	size_t most = 1 + random_u64(seed) % COLUMNS;

	for (size_t row = random_u64(seed) % ROWS; row--;) {
		if (!m->ncols || (m->ncols < most && !(random_u64(seed) % 4))) {
			char name[] = {(char)('a' + m->ncols), '\0'};

			assert_int_equal(result_column(&m->result, name),
			                 m->ncols);
			m->ncols++;
		}
		add_row(m, seed);
	}
}

static void
write_model(const void *data)
{
	const struct model *m = data;
	struct preamble pre = {0};
	struct out out = {.format = m->format, .preamble = &pre};
	struct result result = m->result;

	result_write(&result, &out);
	out_finish(&out, true, NULL);
}

/* Cell by cell. The first column may have a label. */
static void
write_cells(const void *data)
{
	static const char *const name[] = {"a", "b", "c", "d", "e", "f"};
	const struct model *m = data;
	const struct labels *labels = m->result.labels;
	struct preamble pre = {0};
	struct out out = {.format = m->format, .preamble = &pre};

	out_begin(&out, name, m->ncols);
	for (size_t row = 0; row < m->nrows; row++) {
		for (size_t i = 0; i < m->ncols; i++)
			out_text(&out, i || !labels->n
			                   ? m->text[row][i]
			                   : labels->label[0].value);
	}
	out_finish(&out, true, NULL);
}

static void
rows_are_those_that_were_set(void **state)
{
	static const enum format formats[] = {FORMAT_CSV, FORMAT_JSONL,
	                                      FORMAT_TABLE};
	uint64_t seed = 1;

	for (size_t i = 0; i < RESULTS; i++) {
		struct labels labels = {0};
		struct model m = {.format = formats[i % 3],
		                  .result.labels = &labels};
		struct ended is, wanted;

		if (i % 2)
			labels_add(&labels, "a=x,\"y");
		fill(&m, &seed);
		if (m.ncols) {
			is = in_child(write_model, &m, (struct bytes){0},
			              FEED_NONE);
			wanted = in_child(write_cells, &m, (struct bytes){0},
			                  FEED_NONE);
			assert_ended(&is, 0, wanted.out, "");
			ended_free(&is);
			ended_free(&wanted);
		}
		result_free(&m.result);
		labels_free(&labels);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rows_are_those_that_were_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
