/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libcsv and the stream's splitter read the same fields, and refuse the same.
 */
#include "common/stream/foreign.h"

#include "rig/cmocka.h"
#include "rig/exit.h"
#include "rig/support.h"

static bool
read_ours(struct record *rec, struct lines *in, char separator)
{
	return record_read(rec, in, separator, false);
}

/* The fields of all records, behind their lines, and where it was refused. */
struct seen {
	char fields[512];
	size_t records;
	uintmax_t refused; /* the line of that record; 0: all were read */
};

static struct seen
read_by(bool (*read)(struct record *, struct lines *, char), const char *text,
        char separator)
{
	static struct record rec;
	static struct lines in;
	static struct seen seen;
	static FILE *before, *to;
	char buffer[128 + LINES_SLACK] = "";

	strcpy(buffer, text);
	before = stderr;
	stderr = fopen("/dev/null", "w");
	to = fmemopen(seen.fields, sizeof seen.fields, "w");
	in = (struct lines){.file = "f",
	                    .buffer = buffer,
	                    .next = 1,
	                    .end = strlen(text),
	                    .fd = -1,
	                    .eof = true};
	seen = (struct seen){.records = 0};
	is_reading = true;
	if (setjmp(refused)) {
		seen.refused = in.line;
	} else {
		while (in.line = in.next, read(&rec, &in, separator)) {
			seen.records++;
			fprintf(to, "%ju:", in.line);
			for (size_t i = 0; i < rec.n; i++)
				fprintf(to, "(%s)", rec.field[i]);
		}
	}
	is_reading = false;
	fclose(to);
	fclose(stderr);
	stderr = before;
	return seen;
}

/* Adds 1 to the number of texts that are CSV. */
static void
assert_same(const char *text, char separator, size_t *good)
{
	struct seen ours = read_by(read_ours, text, separator);
	struct seen theirs = read_by(foreign_record_read, text, separator);

	if (strcmp(ours.fields, theirs.fields) != 0 ||
	    ours.refused != theirs.refused)
		fail_msg("'%s' is %s, refused in line %ju; by libcsv %s, %ju",
		         text, ours.fields, ours.refused, theirs.fields,
		         theirs.refused);
	*good += ours.records && !ours.refused;
}

#define LETTERS   "a,\"\r\n "
#define LONGEST   6
#define ALL_TEXTS 46656 /* 6 to the power of 6 */

TEST(both_read_every_short_text_alike)
{
	size_t good = 0;

	for (unsigned number = 0; number < ALL_TEXTS; number++) {
		char text[LONGEST + 1] = "";
		unsigned n = number;

		for (int i = 0; i < LONGEST; i++, n /= 6)
			text[i] = LETTERS[n % 6];
		assert_same(text, ',', &good);
	}
	assert_in_range(good, ALL_TEXTS / 10, ALL_TEXTS / 2);
}

/* Records of several lines, and the other separators. */
TEST(both_read_long_texts_alike)
{
	static const char *const pieces[] = {
	    "x",    "\"", "\"\"", "\"a,b;c\td\"", "\"a\n\r\nb\"", " ",  "\n",
	    "\r\n", "\n", "#",    "\xc3\xa9",     "\xff",         "\r",
	};
	static const char separators[] = ",;\t";
	uint64_t seed = 1;
	size_t good = 0;

	for (int i = 0; i < 60000; i++) {
		char separator[] = {separators[i % 3], '\0'};
		char text[128] = "", *to = text;

		for (uint64_t n = random_u64(&seed) % 12; n--;) {
			size_t k = random_u64(&seed) % (2 * ARRAY_LEN(pieces));

			to = stpcpy(to, k < ARRAY_LEN(pieces) ? pieces[k]
			                                      : separator);
		}
		assert_same(text, *separator, &good);
	}
	assert_in_range(good, 10000, 50000);
}
