/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All formats of text and JSON, all files of tests/data/import/others: what
 * surrounds tables never changes the rows, a broken row is refused, and a lost
 * line makes no other row wrong.
 */
#include "import/text.h"
#include "import/formats.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#include <ctype.h>

#define LINES_MAX  128
#define INPUTS_MAX 64
#define STEP       (4 / REPEATS(4)) /* through lines, marks and ways */

/*
 * The files in tests/data/import/others/formats, but an unfinished one, whose
 * last row counts until another comes.
 */
static struct input {
	const struct importer *importer;
	char file[40];
	bool whole; /* its tables hold empty lines, or are JSON */
	struct lines_of {
		char *line[LINES_MAX];
		size_t n;
	} lines;
} inputs[INPUTS_MAX];
static size_t ninputs;

/* Lines without a table's numbers. */
static const char *const words[] = {
    "worker-3",
    "user@host:~$ numactl -N 0 ./run 2>&1 | tee log.txt",
    "[2026-11-20 10:00:01.125] WARNING: the clock is 3 MHz slow (code 7)",
    "```",
    "",
    "\033[1mnote\033[0m",
    "Conflicting values were found: 1500.000000 != 3300.016000. Go on.",
    "host:3442:3442 [0] INFO Launch mode Parallel",
    "...",
    "real	0m12.345s",
    "| a | table of words |",
    "(1) a note: 12.98 GB/s were seen before, and 13 before that",
    "[1700000000.125] [host:77:0]  parser.c:80  UCX  INFO  variables: A=y",
};

static const struct importer *
find_importer(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(importers); i++) {
		if (!strcmp(importers[i]->name, name))
			return importers[i];
	}
	fail_msg("no such format: %s", name);
	return NULL;
}

static FILE *
open_input(const char *name)
{
	char *path = xasprintf("tests/data/import/others/%s", name);
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	free(path);
	return f;
}

static void
read_lines(struct lines_of *to, FILE *f)
{
	size_t size = 0;

	while (getline(&to->line[to->n], &size, f) >= 0) {
		to->line[to->n][strcspn(to->line[to->n], "\n")] = '\0';
		assert_true(++to->n < LINES_MAX);
		size = 0;
	}
	fclose(f);
}

static int
read_inputs(void **state)
{
	FILE *f = open_input("formats");
	char line[120], format[40];

	while (fgets(line, sizeof line, f)) {
		struct input *in = &inputs[ninputs];

		if (strstr(line, " unfinished\n"))
			continue;
		assert_true(++ninputs < INPUTS_MAX);
		assert_int_equal(sscanf(line, "%39s %39s", format, in->file),
		                 2);
		in->importer = find_importer(format);
		in->whole = strstr(line, " whole\n");
		read_lines(&in->lines, open_input(in->file));
	}
	fclose(f);
	return 0;
}

static bool
is_json(size_t file)
{
	return strstr(inputs[file].file, ".json");
}

static void
import_stdin(const void *importer)
{
	/* The end of the child frees it. */
	static struct job job = {.nfiles = 1};
	struct out o = {.format = FORMAT_CSV, .no_preamble = true};
	struct preamble none = {0};

	job.file = lines_stdin;
	import_read(&job, importer);
	result_write(&job.result, &o);
	out_finish(&o, true, &none);
}

/* The rows of a text; NULL, and the message, if it is refused. */
static char *
rows_of(const struct importer *importer, const struct lines_of *lines,
        char **message)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct ended e;

	for (size_t i = 0; i < lines->n; i++)
		fprintf(f, "%s\n", lines->line[i]);
	fclose(f);
	e = in_child(import_stdin, importer, (struct bytes){text, size},
	             FEED_FILE);
	free(text);
	*message = e.err;
	if (!e.status)
		return e.out;
	assert_int_equal(e.status, 2);
	free(e.out);
	return NULL;
}

static size_t
count_lines(const char *text)
{
	size_t n = 0;

	for (; text && (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

/* A fixed sequence. */
static size_t
choose(size_t n)
{
	static uint64_t state = 54;

	state = state * 6364136223846793005U + 1442695040888963407U;
	return (size_t)(state >> 33) % n;
}

/* Inserts lines before the one with this index. */
static struct lines_of
insert(const struct lines_of *to, size_t at, char *const line[], size_t n)
{
	struct lines_of all = *to;

	assert_true(to->n + n <= LINES_MAX);
	memmove(all.line + at + n, all.line + at,
	        (to->n - at) * sizeof *all.line);
	memcpy(all.line + at, line, n * sizeof *line);
	all.n += n;
	return all;
}

static void
must_be_same(size_t i, size_t at, char *const line[], size_t n,
             const char *wanted)
{
	struct lines_of all = insert(&inputs[i].lines, at, line, n);
	char *message, *rows = rows_of(inputs[i].importer, &all, &message);

	if (!rows || strcmp(rows, wanted) != 0)
		fail_msg("%s: '%s' before line %zu: %s\n%s", inputs[i].file,
		         line[n / 2], at + 1, message, rows ? rows : "");
	free(rows);
	free(message);
}

static bool
is_empty(const char *line)
{
	return !line[strspn(line, " \t")];
}

const struct fixtures fixtures = {read_inputs, NULL};

/* Words between any two lines of a text. */
TEST(test_words)
{
	for (size_t i = 0; i < ninputs; i++) {
		const struct lines_of *file = &inputs[i].lines;
		char *message;
		char *rows = rows_of(inputs[i].importer, file, &message);

		assert_non_null(rows);
		free(message);
		for (size_t at = 0; at <= file->n; at += STEP) {
			char *line =
			    (char *)(uintptr_t)words[choose(ARRAY_LEN(words))];

			if (is_json(i) && at && at < file->n)
				continue;
			/* An empty line ends a table. */
			if (is_empty(line) && at && at < file->n &&
			    !is_empty(file->line[at]))
				continue;
			must_be_same(i, at, &line, 1, rows);
		}
		free(rows);
	}
}

/* Lines and objects of other programs, as paragraphs of their own. */
TEST(test_others)
{
	static char empty[] = "";

	for (size_t i = 0; i < ninputs; i++) {
		const struct lines_of *file = &inputs[i].lines;
		char *message;
		char *rows = rows_of(inputs[i].importer, file, &message);

		free(message);
		for (size_t k = 0; k < REPEATS(40); k++) {
			size_t other = choose(ninputs);
			size_t at = choose(file->n + 1);
			size_t line = choose(inputs[other].lines.n);
			char *inserted[LINES_MAX] = {empty};
			size_t n = 1;

			while (at && at < file->n &&
			       (inputs[i].whole || !is_empty(file->line[at])))
				at--;
			if (inputs[other].importer == inputs[i].importer ||
			    (inputs[i].importer == &qdma_importer &&
			     inputs[other].importer == &xdma_importer))
				continue;
			if (is_json(other))
				while (n <= inputs[other].lines.n) {
					inserted[n] =
					    inputs[other].lines.line[n - 1];
					n++;
				}
			else
				inserted[n++] = inputs[other].lines.line[line];
			inserted[n++] = empty;
			if (file->n + n <= LINES_MAX)
				must_be_same(i, at, inserted, n, rows);
		}
		free(rows);
	}
}

#define CELLS_MAX 32

struct row {
	char *cell[CELLS_MAX];
	size_t n;
};

/* The cells of the line of CSV at *text, which goes to the next line. */
static struct row
next_row(char **text)
{
	char *line = strsep(text, "\n");
	struct row row = {.n = 0};

	while (line && row.n < CELLS_MAX) {
		char *end = *line == '"' ? strchr(line + 1, '"') : line;

		end += strcspn(end, ",");
		row.cell[row.n++] = line;
		line = *end ? end + 1 : NULL;
		*end = '\0';
	}
	return row;
}

/* Whether the cell may differ: it names what a lost line said, less exactly. */
static bool
may_differ(const char *column, const char *cell)
{
	return !*cell ||
	       list_has("run,test,device,peer,seq,gpus,clone", column) ||
	       (!strcmp(column, "bench") &&
	        (!strncmp(cell, "nvbandwidth", 11) ||
	         list_has("perftest,cuda_h2d,cuda_d2h", cell)));
}

static bool
is_part(const struct row *head, const struct row *part, const struct row *of,
        const struct row *row)
{
	for (size_t i = 0; i < part->n; i++) {
		size_t k = find_word(head->cell[i],
		                     (const char *const *)of->cell, of->n);

		if (!may_differ(head->cell[i], part->cell[i]) &&
		    (k >= row->n || strcmp(row->cell[k], part->cell[i]) != 0))
			return false;
	}
	return true;
}

/* The first row that is no part of a row of the whole, or NULL. */
static char *
find_wrong(const char *rows, const char *whole)
{
	char *copy = xstrdup(rows), *rest = copy;
	struct row head = next_row(&rest), row;

	while (rest && (row = next_row(&rest), row.n > 1)) {
		char *all = xstrdup(whole), *left = all;
		struct row of = next_row(&left), one;
		bool found = false;

		while (left && !found && (one = next_row(&left), one.n > 1))
			found = is_part(&head, &row, &of, &one);
		free(all);
		if (!found)
			return xasprintf("%s, %s", row.cell[3],
			                 row.cell[row.n - 1]);
	}
	free(copy);
	return NULL;
}

/* Without any line: refused, or rows that are parts of those of the whole. */
TEST(test_lost)
{
	for (size_t i = 0; i < ninputs; i++) {
		const struct lines_of *file = &inputs[i].lines;
		char *message;
		char *whole = rows_of(inputs[i].importer, file, &message);

		free(message);
		for (size_t at = 0; at < file->n && !is_json(i); at += STEP) {
			struct lines_of less = *file;
			char *rows, *wrong;

			less.n--;
			memmove(less.line + at, less.line + at + 1,
			        (less.n - at) * sizeof *less.line);
			rows = rows_of(inputs[i].importer, &less, &message);
			wrong = rows && !strstr(rows, "_progress")
			            ? find_wrong(rows, whole)
			            : NULL;
			if (wrong)
				fail_msg("%s without line %zu '%s': %s",
				         inputs[i].file, at + 1, file->line[at],
				         wrong);
			free(rows);
			free(message);
		}
		free(whole);
	}
}

/* The row without its last word, twice, or with a letter in its last number. */
static char *
broken(const char *row, size_t way)
{
	static const char separators[] = " \t,|=";
	size_t end = strlen(row), begin;

	if (way == 1)
		return xasprintf("%s %s", row, row);
	while (end && strchr(separators, row[end - 1]))
		end--;
	for (;;) {
		for (begin = end; begin; begin--) {
			if (strchr(separators, row[begin - 1]))
				break;
		}
		while (way == 0 && begin && strchr(separators, row[begin - 1]))
			begin--;
		if (way == 0)
			return xasprintf("%.*s", (int)begin, row);
		/* An address is no number of a result. */
		if ((isdigit((unsigned char)row[begin]) &&
		     row[begin + 1] != 'x') ||
		    !begin)
			return xasprintf("%.*sx7%s", (int)begin + 1, row,
			                 row + begin + 1);
		end = begin - 1;
	}
}

static bool
is_heading(const char *line)
{
	static const char *const parts[] = {
	    "(row)", "Matrix",    "peak",   "Device",
	    "size=", "Measuring", "Remote", "Transfer Size"};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (strstr(line, parts[i]))
			return true;
	}
	return false;
}

/*
 * Whether the line is a row: the last one, or there are fewer without it, or
 * only reports on the way.
 */
static bool
is_row(size_t i, size_t at, size_t nrows, bool *last)
{
	struct lines_of less = inputs[i].lines;
	char *message, *rows;
	bool row;

	less.line[at] = (char *)(uintptr_t) "...";
	rows = rows_of(inputs[i].importer, &less, &message);
	row = strpbrk(inputs[i].lines.line[at], "0123456789") &&
	      !is_heading(inputs[i].lines.line[at]) &&
	      (rows ? count_lines(rows) < nrows || strstr(rows, "_progress")
	            : *last);
	*last = *last && !row;
	free(rows);
	free(message);
	return row;
}

static void
must_be_refused(size_t i, size_t at, size_t way)
{
	struct lines_of odd = inputs[i].lines;
	char *message, *rows, *place;
	size_t line = 0;

	odd.line[at] = broken(inputs[i].lines.line[at], way);
	rows = rows_of(inputs[i].importer, &odd, &message);
	place = strstr(message, "standard input:");
	if (place)
		sscanf(place, "standard input:%zu: ", &line);
	/* Titles are missed in the row below. */
	if (rows || line < at + 1 || line > at + 3)
		fail_msg("%s:%zu: '%s': %s%s", inputs[i].file, at + 1,
		         odd.line[at], message, rows ? rows : "");
	free(message);
	free(odd.line[at]);
}

TEST(test_broken)
{
	for (size_t i = 0; i < ninputs; i++) {
		char *message;
		char *rows =
		    rows_of(inputs[i].importer, &inputs[i].lines, &message);
		size_t nrows = count_lines(rows);
		bool last = true;

		for (size_t at = is_json(i) ? 0 : inputs[i].lines.n; at--;) {
			if (!is_row(i, at, nrows, &last))
				continue;
			for (size_t way = at % STEP; way < 3; way += STEP)
				must_be_refused(i, at, way);
		}
		assert_true(!last || is_json(i));
		free(rows);
		free(message);
	}
}

/* The same marks on all lines, and twice the lines. */
TEST(test_marks)
{
	static const struct {
		const char *before, *after;
	} marks[] = {
	    {"> ", ""},
	    {"[1,0]<stdout>:\033[32m", "\033[0m"},
	    {"[prterun-node-7@1,12]<stdout>: ", ""},
	    {"12: ", "\r"},
	    {"[2026-11-20 10:00:01] ", ""},
	    {"2026-11-20T10:00:01.125Z ", ""},
	    {"Nov  9 10:00:01 ", ""},
	    {"10:00:01.125 ", ""},
	    {"\t", "\n"},
	    {"50 %\r", ""},
	    {"\xc2\xa0", "\033(B\033[m"},
	};

	for (size_t i = 0; i < ninputs; i++) {
		char *message;
		char *wanted =
		    rows_of(inputs[i].importer, &inputs[i].lines, &message);

		for (size_t k = 0; k < ARRAY_LEN(marks); k += STEP) {
			struct lines_of all = inputs[i].lines;
			char *again, *rows;

			for (size_t n = 0; n < all.n; n++)
				all.line[n] = xasprintf(
				    "%s%s%s",
				    *all.line[n] ? marks[k].before : "",
				    all.line[n], marks[k].after);
			rows = rows_of(inputs[i].importer, &all, &again);
			if (!rows || strcmp(rows, wanted) != 0)
				fail_msg("%s, mark '%s': %s%s", inputs[i].file,
				         marks[k].before, again,
				         rows ? rows : "");
			for (size_t n = 0; n < all.n; n++)
				free(all.line[n]);
			free(again);
			free(rows);
		}
		free(wanted);
		free(message);
	}
}
