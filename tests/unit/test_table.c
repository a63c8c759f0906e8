/* The reader: what it makes of each input, and how it refuses bad ones. */
#include "common/lines.h"
#include "common/table.h"

#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MIB RECORD_MAX

/* Says what a table holds ------------------------------------------------- */

static void
show(const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", stdout);
		else if (*text == '\r')
			fputs("\\r", stdout);
		else
			putchar(*text);
	}
}

static void
show_all(const char *before, const char *const text[], size_t n)
{
	fputs(before, stdout);
	for (size_t i = 0; i < n; i++) {
		if (i)
			putchar('|');
		show(text[i]);
	}
	putchar('\n');
}

static void
show_keys(const char *before, const struct preamble *pre)
{
	for (size_t i = 0; i < pre->n; i++)
		printf("%s%s=%s\n", before, pre->entry[i].key,
		       pre->entry[i].value);
}

static bool
is_bad(const struct table *t, size_t *col)
{
	for (*col = 0; *col < t->ncols; ++*col) {
		if (!strcmp(t->field[*col], "bad"))
			return true;
	}
	return false;
}

#define SHORT 8

/* What is said to be as in the row before must be so, where texts are short. */
static void
check_steady(const struct table *t, char before[4][SHORT])
{
	if (t->steady > t->ncols)
		puts("too steady");
	for (size_t i = 0; i < t->ncols && i < 4; i++) {
		if (i < t->steady && strlen(t->field[i]) < SHORT &&
		    strcmp(t->field[i], before[i]) != 0)
			puts("not steady");
		snprintf(before[i], SHORT, "%s", t->field[i]);
	}
}

/* The text of a column as a number, which is 0 where it is not known. */
static void
check_word(const struct table *t, size_t col)
{
	const char *text = t->field[col];
	char word[SHORT] = "";

	for (size_t i = 0; i < SHORT - 1; i++)
		word[i] = (char)(t->word >> 8 * i);
	if (t->word && (strcmp(text, word) != 0 || t->word >> 56))
		puts("wrong word");
}

/*
 * One line for each row, after one with the column names ("=") when there
 * are new ones; at the end the keys of preamble ("#") and end lines ("."),
 * and "cut" if the table is not complete. A field that says "bad" is refused.
 */
static void
show_table(char *const files[], size_t nfiles, bool slow)
{
	struct table *t = table_open(files, nfiles);
	char before[4][SHORT] = {""};
	uintmax_t rows = 0;
	size_t known = 0, watched = 0, col;

	t->slow = slow;
	while (table_next(t)) {
		check_steady(t, before);
		check_word(t, watched);
		if (t->ncols > known)
			show_all("=", (const char *const *)t->name, t->ncols);
		known = t->ncols;
		show_all("", t->field, t->ncols);
		if (is_bad(t, &col))
			table_die(t, col, "'%s' is bad", t->field[col]);
		rows++;
		watched = (size_t)(rows / 3) % t->ncols;
		table_watch(t, watched);
	}
	if (t->ncols > known)
		show_all("=", (const char *const *)t->name, t->ncols);
	show_keys("#", &t->preamble);
	show_keys(".", &t->end);
	if (!t->complete)
		puts("cut");
	if (t->rows != rows)
		puts("wrong number of rows");
	table_close(t);
}

static void
show_stdin(const void *data)
{
	const bool *slow = data;

	show_table(NULL, 0, *slow);
}

/* Inputs ------------------------------------------------------------------ */

struct row {
	struct bytes in;
	const char *out;
	const char *err;
	int status;
};

#define CUT(rows) "t: -: the stream was cut short after " #rows " rows\n"
#define LAST      "the last line is cut off (the rows before it are whole)\n"

static const struct row good_rows[] = {
    /* Foreign CSV. */
    {BYTES("a,b\n1,2\n3,4\n"), "=a|b\n1|2\n3|4\n", "", 0},
    {BYTES("a,b\n1,2"), "=a|b\n1|2\n", "", 0},
    {BYTES("a\n\"1\""), "=a\n1\n", "", 0},
    {BYTES("a,b\r\n1,2\r\n3,4"), "=a|b\n1|2\n3|4\n", "", 0},
    {BYTES("a,b\r\n1,2\r"), "=a|b\n1|2\n", "", 0},
    {BYTES("\xef\xbb\xbf"
           "a,b\n1,2\n"),
     "=a|b\n1|2\n", "", 0},
    {BYTES("\xef\xbb\xbf"
           "# pcb-csv: 1\na\n1\n# end: rows=1 complete=yes\n"),
     "=a\n1\n", "", 0},
    {BYTES("a\n\xef\xbb\xbf\n"), "=a\n\xef\xbb\xbf\n", "", 0},
    {BYTES("# a note\n#a: b\na,b\n1,2\n"), "=a|b\n1|2\n", "", 0},
    {BYTES("a,b\n#1,2\n# 3,4\n#,\n"), "=a|b\n#1|2\n# 3|4\n#|\n", "", 0},
    {BYTES("a\n# pcb-csv\n#end: 1\n"), "=a\n# pcb-csv\n#end: 1\n", "", 0},
    {BYTES("Size (B),x y\n1,2\n"), "=Size (B)|x y\n1|2\n", "", 0},

    /* Fields. */
    {BYTES("a,b\n\"1,5\",\"\"\"x\"\"\"\n"), "=a|b\n1,5|\"x\"\n", "", 0},
    {BYTES("a,b\n\"1\n2\r\n3\",\"\r\"\n"), "=a|b\n1\\n2\\r\\n3|\\r\n", "", 0},
    {BYTES("a,b\r\n\"1\n2\r\n3\",\"\r\"\r\n"), "=a|b\n1\\n2\\r\\n3|\\r\n", "",
     0},
    {BYTES("a,b\n\"\n\n\",\"\r\n\r\n\"\n"), "=a|b\n\\n\\n|\\r\\n\\r\\n\n", "",
     0},
    {BYTES("a,b\n 1 ,\t2\t\n"), "=a|b\n 1 |\t2\t\n", "", 0},
    {BYTES("a,b\n,\n\"\",\"\"\n"), "=a|b\n|\n|\n", "", 0},
    {BYTES("\"#a\",\"b\"\n\"#1\",2\n"), "=#a|b\n#1|2\n", "", 0},
    {BYTES("\"# pcb-csv: 1\"\n\"# pcb-csv: 2\"\n\"# end: rows=7\"\n"
           "\"x\n# end: rows=7\n# pcb-csv: 2\n\"\n"),
     "=# pcb-csv: 1\n# pcb-csv: 2\n# end: rows=7\nx\\n# end: rows=7\\n# "
     "pcb-csv: 2\\n\n",
     "", 0},
    {BYTES("\"a\nb\",\"c,d\"\n1,2\n"), "=a\\nb|c,d\n1|2\n", "", 0},

    /* Blank lines. */
    {BYTES("\n\r\na\n\n1\n\r\n\n2\n\n"), "=a\n1\n2\n", "", 0},
    {BYTES("a\n\"\"\n"), "=a\n\n", "", 0},
    {BYTES("\n# pcb-csv: 1\n\n# k: v\n\na\n\n1\n\n# end: rows=1 "
           "complete=yes\n\n"),
     "=a\n1\n#k=v\n", "", 0},

    /* Our stream: preamble and end line. */
    {BYTES("# pcb-csv: 1\n# tool: x 1\n# note:  a: b \n# empty: \n# odd\n"
           "#tight: no\na\n1\n# end: rows=1 complete=yes drift_ppm=0.5 "
           " aer=0\n"),
     "=a\n1\n#tool=x 1\n#note= a: b \n#empty=\n.drift_ppm=0.5\n.aer=0\n", "",
     0},
    {BYTES("# pcb-csv: 1\n# k: old\n# l: \x01\x7f\n# k: new\na\n1\n"
           "# end: rows=1 complete=yes\n"),
     "=a\n1\n#k=new\n#l=?\?\n", "", 0},
    {BYTES("# pcb-csv: 1\r\n# k: v\r\na\r\n1\r\n# end: rows=1 "
           "complete=yes\r\n"),
     "=a\n1\n#k=v\n", "", 0},
    {BYTES("# pcb-csv:1\na\n1\n# end:complete=yes rows=1\n"), "=a\n1\n", "", 0},
    {BYTES("# pcb-csv: 1\n#  pcb-csv: 7\n# pcb-csv : 7\n#pcb-csv: 7\na\n1\n"
           "# end: rows=1 complete=yes\n"),
     "=a\n1\n# pcb-csv=7\n#pcb-csv =7\n", "", 0},

    /* Warnings. */
    {BYTES("a,b\n"), "=a|b\n", "t: -: a header, but no rows\n", 0},
    {BYTES("a,b"), "=a|b\n", "t: -: a header, but no rows\n", 0},
    {BYTES("# pcb-csv: 1\na,b\n# end: rows=0 complete=yes\n"), "=a|b\n",
     "t: -: a header, but no rows\n", 0},
    {BYTES("# pcb-csv: 1\na,b\n"), "=a|b\ncut\n",
     CUT(0) "t: -: a header, but no rows\n", 0},
    {BYTES("# pcb-csv: 1\na\n1\n2\n"), "=a\n1\n2\ncut\n", CUT(2), 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1 complete=no\n"), "=a\n1\ncut\n",
     "t: -: the collection was stopped before its end\n", 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1\n"), "=a\n1\ncut\n",
     "t: -: the collection was stopped before its end\n", 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=2 complete=yes\n"), "=a\n1\ncut\n",
     "t: -: 1 rows, but its end line says 2\n", 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=0 complete=no\n"), "=a\n1\ncut\n",
     "t: -: the collection was stopped before its end\n"
     "t: -: 1 rows, but its end line says 0\n",
     0},
    {BYTES("a\n1\n# end: rows=2 complete=yes\n"), "=a\n1\ncut\n",
     "t: -: 1 rows, but its end line says 2\n", 0},
};

#define ONE(key, row)                                                          \
	"# pcb-csv: 1\n# same: s\n" key "a,b\n" row                            \
	"\n# end: rows=1 complete=yes x=1 "

static const struct row part_rows[] = {
    /* A part mark, a repeated header. */
    {BYTES(ONE("# k: 1\n", "1,2") "y=1\n" ONE("# k: 2\n", "3,4") "y=2\n"),
     "=a|b\n1|2\n3|4\n#same=s\n#parts=2\n.x=1\n", "", 0},
    {BYTES(ONE("", "1,2") "\n" ONE("# k: 2\n", "3,4") "\n"),
     "=a|b\n1|2\n3|4\n#same=s\n#parts=2\n.x=1\n", "", 0},
    {BYTES("a,b\n1,2\na,b\n3,4\n"), "=a|b\n1|2\n3|4\n#parts=2\n", "", 0},
    {BYTES("a,b\n1,2\n\"a\",\"b\"\r\n3,4\n"), "=a|b\n1|2\n3|4\n#parts=2\n", "",
     0},
    {BYTES("a,b\n1,2\nb,a\n3,4\n"), "=a|b\n1|2\nb|a\n3|4\n", "", 0},

    /* Other columns, another order. */
    {BYTES("# pcb-csv: 1\na,b\n1,2\n# end: rows=1 complete=yes\n"
           "# pcb-csv: 1\nb,c,a\n3,4,5\n# end: rows=1 complete=yes\n"
           "# pcb-csv: 1\nd\n6\n# end: rows=1 complete=yes\n"),
     "=a|b\n1|2\n=a|b|c\n5|3|4\n=a|b|c|d\n|||6\n#parts=3\n", "", 0},
    {BYTES("# pcb-csv: 1\na,b\n1,2\n# end: rows=1 complete=yes\n"
           "# pcb-csv: 1\nb\nb\nb\n3\n# end: rows=1 complete=yes\n"),
     "=a|b\n1|2\n|3\n#parts=4\ncut\n", CUT(0), 0},

    /* A part that was cut short, or says less, or is not ours. */
    {BYTES("# pcb-csv: 1\n# k: v\na\n1\n# pcb-csv: 1\n# k: v\na\n2\n"
           "# end: rows=1 complete=yes\n"),
     "=a\n1\n2\n#k=v\n#parts=2\ncut\n", CUT(1), 0},
    {BYTES("# pcb-csv: 1\n# k: v\na\n1\n# end: rows=1 complete=yes x=1\n"
           "a\n2\n"),
     "=a\n1\n2\n#parts=2\n", "", 0},
    {BYTES("a\n1\n# pcb-csv: 1\n# k: v\na\n2\n# end: rows=1 complete=yes "
           "x=1\n"),
     "=a\n1\n2\n#parts=2\n", "", 0},
    {BYTES("# pcb-csv: 1\na\n1\na\n2\n# end: rows=1 complete=yes\n"),
     "=a\n1\n2\n#parts=2\ncut\n", CUT(1), 0},

    /* Parts that stand for several. */
    {BYTES("# pcb-csv: 1\n# parts: 3\na\n1\n# end: rows=1 complete=yes\n"),
     "=a\n1\n#parts=3\n", "", 0},
    {BYTES("# pcb-csv: 1\n# parts: 3\na\n1\n# end: rows=1 complete=yes\n"
           "# pcb-csv: 1\n# parts: 2\na\n2\n# end: rows=1 complete=yes\n"
           "a\n3\n"),
     "=a\n1\n2\n3\n#parts=6\n", "", 0},
    {BYTES("# pcb-csv: 1\n# parts: many\na\n1\n# end: rows=1 "
           "complete=yes\n"),
     "=a\n1\n#parts=many\n", "", 0},

    /* One without rows among others is no news. */
    {BYTES("a\n1\na\n"), "=a\n1\n#parts=2\n", "", 0},
};

static const struct row bad_rows[] = {
    {BYTES(""), "", "t: -: empty: not even a header row\n", 2},
    {BYTES("\n"), "", "t: -: no header row\n", 2},
    {BYTES("\xef\xbb\xbf"), "", "t: -: no header row\n", 2},
    {BYTES("# pcb-csv: 1\n# tool: x"), "", "t: -: no header row\n", 2},
    {BYTES("# pcb-csv: 1\na\n1\n# pcb-csv: 1\n"), "=a\n1\n",
     CUT(1) "t: -: no header row\n", 2},

    /* Header. */
    {BYTES("a,,b\n"), "", "t: -:1: column 2 has no name\n", 2},
    {BYTES("\n\na,\n"), "", "t: -:3: column 2 has no name\n", 2},
    {BYTES("\"\"\n"), "", "t: -:1: column 1 has no name\n", 2},
    {BYTES("a,b,a\n"), "", "t: -:1: two columns are called 'a'\n", 2},
    {BYTES("# pcb-csv: 1\na\n1\n# pcb-csv: 1\nb,b\n"), "=a\n1\n",
     CUT(1) "t: -:5: two columns are called 'b'\n", 2},
    {BYTES("\"a\nb\",\"a\nb\"\n"), "", "t: -:1: two columns are called 'a?b'\n",
     2},

    /* Rows. */
    {BYTES("a,b\n1,2\n1,2,3\n"), "=a|b\n1|2\n",
     "t: -:3: 3 fields where the header has 2\n", 2},
    {BYTES("a,b\n1\n"), "", "t: -:2: 1 fields where the header has 2\n", 2},
    {BYTES("a,b\n\"1\n\n2\",3\n4\n"), "=a|b\n1\\n\\n2|3\n",
     "t: -:5: 1 fields where the header has 2\n", 2},
    {BYTES("a,b\n# note\n"), "", "t: -:2: 1 fields where the header has 2\n",
     2},
    {BYTES("a,b\n1,2\n\n1,bad\n"), "=a|b\n1|2\n1|bad\n",
     "t: -:4: b: 'bad' is bad\n", 2},
    {BYTES("a\n\"x\ny\"\nbad\n"), "=a\nx\\ny\nbad\n",
     "t: -:4: a: 'bad' is bad\n", 2},
    {BYTES("\"a\n\x1b[2J\"\nbad\n"), "=a\\n\x1b[2J\nbad\n",
     "t: -:3: a??[2J: 'bad' is bad\n", 2},

    /* Quotes. */
    {BYTES("a\n\"1\n"), "", "t: -:2: a quote is opened and never closed\n", 2},
    {BYTES("a\n\"1\n2\n3"), "", "t: -:2: a quote is opened and never closed\n",
     2},
    {BYTES("a\n\""), "", "t: -:2: a quote is opened and never closed\n", 2},
    {BYTES("a,b\n1,2\"3\n"), "",
     "t: -:2: field 2: a quote in the wrong place\n", 2},
    {BYTES("a,b\n\"1\"2,3\n"), "",
     "t: -:2: field 1: a quote in the wrong place\n", 2},
    {BYTES("a,b\n1, \"2\"\n"), "",
     "t: -:2: field 2: a quote in the wrong place\n", 2},
    {BYTES("a,b\n1,\"2\" \n"), "",
     "t: -:2: field 2: a quote in the wrong place\n", 2},
    {BYTES("a,\"b\n\"\"c\"d\n"), "",
     "t: -:1: field 2: a quote in the wrong place\n", 2},

/* A carriage return ends a line with its line feed only. */
#define CR "a carriage return in the middle of a line\n"
    {BYTES("a,b\r1,2\r"), "", "t: -:1: " CR, 2},
    {BYTES("a\n1\r2\n"), "", "t: -:2: " CR, 2},
    {BYTES("a\n1\r2"), "", "t: -:2: " CR, 2},
    {BYTES("a\n1\r\"2\n3\"\n"), "", "t: -:2: " CR, 2},
    {BYTES("a\n1\r\r\n"), "", "t: -:2: " CR, 2},
    {BYTES("a\n\"1\"\r2\n"), "", "t: -:2: " CR, 2},
    {BYTES("a\n\r1\n"), "", "t: -:2: " CR, 2},
    {BYTES("a\n\r\r\n"), "", "t: -:2: " CR, 2},
    {BYTES("\r\r\n"), "", "t: -:1: " CR, 2},

    /* A last line without its end. */
    {BYTES("# pcb-csv: 1\na\n1\n2"), "=a\n1\n", "t: -:4: " LAST, 2},
    {BYTES("# pcb-csv: 1\na\n1\n2\r"), "=a\n1\n", "t: -:4: " LAST, 2},
    {BYTES("# pcb-csv: 1\na\n1\n\""), "=a\n1\n", "t: -:4: " LAST, 2},
    {BYTES("# pcb-csv: 1\na\n\"1\n2"), "", "t: -:3: " LAST, 2},
    {BYTES("# pcb-csv: 1\na"), "", "t: -:2: " LAST, 2},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1 complete=yes"), "=a\n1\n",
     "t: -:4: the last line is cut off\n", 2},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1 complete=yes\r"), "=a\n1\n",
     "t: -:4: the last line is cut off\n", 2},

    /* Marks. */
    {BYTES("# pcb-csv: 2\n"), "",
     "t: -:1: pcb-csv version '2': only 1 is known here\n", 2},
    {BYTES("a\n1\n# pcb-csv:\n"), "=a\n1\n",
     "t: -:3: pcb-csv version '': only 1 is known here\n", 2},
    {BYTES("# pcb-csv: 1\x1b\n"), "",
     "t: -:1: pcb-csv version '1?': only 1 is known here\n", 2},
    {BYTES("a\n1\n# end: rows=1 done\n"), "=a\n1\n",
     "t: -:3: 'done' in an end line is not key=value\n", 2},
    {BYTES("a\n1\n# end: rows=-1\n"), "=a\n1\n",
     "t: -:3: rows=-1: not a number\n", 2},
    {BYTES("a\n1\n# end: rows=\n"), "=a\n1\n", "t: -:3: rows=: empty\n", 2},

/* A NUL byte. */
#define NUL_BYTE "a NUL byte: this is not a text file\n"
    {BYTES("a\n\0\n"), "", "t: -:2: " NUL_BYTE, 2},
    {BYTES("\0"), "", "t: -:1: " NUL_BYTE, 2},
    {BYTES("a\n1\n\"2\n\0\"\n"), "=a\n1\n", "t: -:3: " NUL_BYTE, 2},
    {BYTES("# pcb-csv: 1\n# k: \0\na\n1\n"), "", "t: -:2: " NUL_BYTE, 2},
    {BYTES("\xff\xfe"
           "a\0\n\0"),
     "", "t: -:1: " NUL_BYTE, 2},
};

static const bool lanes[] = {false, true};

static void
same_in_every_feed(const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++, row++) {
		for (enum feed feed = FEED_FILE; feed <= FEED_BYTES; feed++) {
			for (size_t lane = 0; lane < 2; lane++) {
				struct ended e = in_child(
				    show_stdin, &lanes[lane], row->in, feed);

				assert_ended(&e, row->status, row->out,
				             row->err);
				ended_free(&e);
			}
		}
	}
}

static void
good(void **state)
{
	(void)state;
	same_in_every_feed(good_rows, ARRAY_LEN(good_rows));
}

static void
parts(void **state)
{
	(void)state;
	same_in_every_feed(part_rows, ARRAY_LEN(part_rows));
}

static void
bad(void **state)
{
	(void)state;
	same_in_every_feed(bad_rows, ARRAY_LEN(bad_rows));
}

/* Both lanes -------------------------------------------------------------- */

/* Pieces of streams: mostly rows that begin as the row before. */
static const char *const pieces[] = {"x,1,2\n",
                                     "x,1,3\n",
                                     "x,1,23\n",
                                     "x,1,\n",
                                     "x,12,3\n",
                                     "x,,3\n",
                                     "xy,1,2\n",
                                     ",1,2\n",
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
		    (size_t)(kind >> 8) % (kind & 3 ? 8 : ARRAY_LEN(pieces));

		fputs(pieces[i], f);
	}
	fclose(f);
	return text;
}

static void
both_lanes(void **state)
{
	uint64_t seed = 7;

	(void)state;
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

/* A table of this file, which is closed. */
static struct table *
open_file(FILE *f)
{
	rewind(f);
	dup2(fileno(f), STDIN_FILENO);
	fclose(f);
	return table_open(NULL, 0);
}

static void
words(void **state)
{
	static const char text[] = "n,x\n1,1\n2,20.5\n3,20.5\n4,1234567\n5,"
	                           "12345678\n6,\n7,\"1\"\n8,2\n9,3\n";
	static const uint64_t expected[] = {
	    0, 0, 0x352e3032, 0x37363534333231, 0, 0, 0, 0, 0x33};
	FILE *f = tmpfile();
	struct table *t;

	(void)state;
	assert_non_null(f);
	fputs(text, f);
	t = open_file(f);
	for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
		assert_true(table_next(t));
		table_watch(t, 1);
		assert_int_equal(t->word, expected[i]);
	}
	assert_false(table_next(t));
	table_close(t);
}

/* The input is read in pieces: at their borders a row may have no word. */
static void
words_of_many_rows(void **state)
{
	enum { ROWS = 200000 };
	FILE *f = tmpfile();
	size_t words = 0;
	struct table *t;

	(void)state;
	assert_non_null(f);
	fputs("n,x\n", f);
	for (unsigned i = 0; i < ROWS; i++)
		fprintf(f, "%u,%u\n", i, i % 10);
	t = open_file(f);
	for (unsigned i = 0; i < ROWS; i++) {
		assert_true(table_next(t));
		table_watch(t, 1);
		if (t->word)
			assert_int_equal(t->word, '0' + i % 10);
		words += t->word != 0;
	}
	assert_in_range(words, ROWS - 100, ROWS);
	table_close(t);
}

/* Long records ------------------------------------------------------------ */

/* `before`, `n` times 'x' (`line` of them to a line, if given), `after`. */
struct long_row {
	const char *before;
	size_t n;
	size_t line;
	const char *after;
	const char *err;
	int status;
};

#define LONG_RECORD "a record of over 1 MiB\n"

static const struct long_row long_rows[] = {
    {"a\n", MIB - 1, 0, "\n", "", 0},
    {"a\n", MIB, 0, "", "", 0},
    {"a\n\"", MIB - 3, 100, "\"\n", "", 0},
    {"a\n", MIB, 0, "\n", "t: -:2: " LONG_RECORD, 2},
    {"a\n", MIB + 1, 0, "", "t: -:2: " LONG_RECORD, 2},
    {"a\n", MIB + 100, 0, "\n", "t: -:2: " LONG_RECORD, 2},
    {"a\n", 3 * MIB, 0, "\n", "t: -:2: " LONG_RECORD, 2},
    {"a\n1\n\"", MIB - 2, 100, "\"\n", "t: -:3: " LONG_RECORD, 2},
    {"a\n1\n\"", 2 * MIB, 100, "", "t: -:3: " LONG_RECORD, 2},
    {"a\n1\n\"", 2 * MIB, 0, "", "t: -:3: " LONG_RECORD, 2},
    {"# ", MIB - 3, 0, "\na\n1\n", "", 0},
    {"# ", MIB - 2, 0, "\na\n1\n", "t: -:1: " LONG_RECORD, 2},
    {"# ", 3 * MIB, 0, "\na\n1\n", "t: -:1: " LONG_RECORD, 2},
    {"# pcb-csv: 1\na\n1\n# end: x=", MIB, 0, "\n", "t: -:4: " LONG_RECORD, 2},
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

	(void)data;
	while (table_next(t))
		;
	printf("%ju", t->rows);
	table_close(t);
}

static void
long_records(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(long_rows); i++) {
		const struct long_row *row = &long_rows[i];
		struct bytes in = make_long(row);
		struct ended e = in_child(count_rows, NULL, in, FEED_FILE);

		assert_ended(&e, row->status, row->status ? "" : "1", row->err);
		ended_free(&e);
		free((char *)in.text);
	}
}

/* Rows and fields that lie across the ends of the reader's buffer. */
static void
many_rows(void **state)
{
	static const char line[] = "17,\"a \"\"quoted\"\"\ntext\",x\n";
	static const char header[] = "a,b,c\n";
	size_t rows = 200000;
	size_t size = sizeof header - 1 + rows * (sizeof line - 1);
	char *text = malloc(size + 1);
	char *end = text;
	char expected[32];
	struct ended e;

	(void)state;
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

/* Operands ---------------------------------------------------------------- */

struct operands {
	const char *name[4];
	const char *out;
	const char *err;
	int status;
};

static const struct operands operand_rows[] = {
    {{"ours"}, "=a\n1\n#k=v\n.x=1\n", "", 0},
    {{"-"}, "=a|b\n5|6\n", "", 0},
    {{"./ours"}, "=a\n1\n#k=v\n.x=1\n", "", 0},
    {{"ours", "-", "ours"}, "=a\n1\n=a|b\n5|6\n1|\n#parts=3\n", "", 0},
    {{"ours", "ours"}, "=a\n1\n1\n#k=v\n#parts=2\n.x=1\n", "", 0},
    {{"foreign", "foreign"}, "=b|a\n3|4\n3|4\n#parts=2\n", "", 0},
    {{"foreign", "ours"}, "=b|a\n3|4\n|1\n#parts=2\n", "", 0},
    {{"header", "ours"}, "=z|a\n|1\n#parts=2\n", "", 0},
    {{"header", "header"},
     "=z\n#parts=2\n",
     "t: header: a header, but no rows\n",
     0},
    {{"short", "ours"},
     "=a\n7\n1\n#k=v\n#parts=2\ncut\n",
     "t: short: the stream was cut short after 1 rows\n",
     0},
    {{"ours", "bad"}, "=a\n1\nbad\n", "t: bad:2: a: 'bad' is bad\n", 2},
    {{"ours", "ragged"},
     "=a\n1\nx\\ny\n",
     "t: ragged:4: 2 fields where the header has 1\n",
     2},
    {{"ours", "empty"},
     "=a\n1\n",
     "t: empty: empty: not even a header row\n",
     2},
    {{"ours", "comment"}, "=a\n1\n", "t: comment: no header row\n", 2},
    {{"-", "-"}, "=a|b\n5|6\n", "t: -: empty: not even a header row\n", 2},
    {{"absent"}, "", "t: absent: No such file or directory\n", 2},
    {{"ours", "absent"},
     "=a\n1\n",
     "t: absent: No such file or directory\n",
     2},
    {{"."}, "", "t: .: Is a directory\n", 2},
};

static void
show_operands(const void *data)
{
	const struct operands *o = data;
	size_t n = 0;

	while (o->name[n])
		n++;
	show_table((char *const *)o->name, n, false);
}

static void
operands(void **state)
{
	static const struct bytes in = BYTES("a,b\n5,6\n");

	(void)state;
	write_file("ours",
	           (struct bytes)BYTES("# pcb-csv: 1\n# k: v\na\n1\n"
	                               "# end: rows=1 complete=yes x=1\n"));
	write_file("foreign", (struct bytes)BYTES("\xef\xbb\xbf"
	                                          "b,a\r\n3,4"));
	write_file("header", (struct bytes)BYTES("z\n"));
	write_file("short",
	           (struct bytes)BYTES("# pcb-csv: 1\n# k: v\na\n7\n"));
	write_file("bad", (struct bytes)BYTES("a\nbad\n"));
	write_file("ragged", (struct bytes)BYTES("a\n\"x\ny\"\n1,2\n"));
	write_file("comment", (struct bytes)BYTES("# note\n"));
	write_file("empty", (struct bytes)BYTES(""));
	for (size_t i = 0; i < ARRAY_LEN(operand_rows); i++) {
		const struct operands *row = &operand_rows[i];
		struct ended e = in_child(show_operands, row, in, FEED_FILE);

		/* What only the second file lacks shows in the first's rows. */
		assert_ended(&e, row->status, row->out, row->err);
		ended_free(&e);
	}
}

static void
no_stdin(void **state)
{
	struct ended e =
	    in_child(show_stdin, &lanes[0], (struct bytes)BYTES(""), FEED_NONE);

	(void)state;
	assert_ended(&e, 2, "", "t: -: Bad file descriptor\n");
	ended_free(&e);
}

/* Columns, lines and names, as the caller sees them. ---------------------- */

static void
show_positions(const void *data)
{
	struct table *t = table_open(NULL, 0);

	(void)data;
	printf("%td ", table_find(t, "a"));
	while (table_next(t))
		printf("%s:%ju:%ju ", t->file, t->line, t->rows);
	printf("%td %td %td", table_find(t, "a"), table_find(t, "c"),
	       table_find(t, "A"));
	table_close(t);
}

static void
positions(void **state)
{
	static const struct bytes in =
	    BYTES("# x\na,b\n\n1,2\n\"1\n2\",3\n4,5\n"
	          "# pcb-csv: 1\n# k: v\nb,c\n6,7\n"
	          "# end: rows=1 complete=yes\n");
	struct ended e = in_child(show_positions, NULL, in, FEED_FILE);

	(void)state;
	assert_ended(&e, 0, "-1 -:4:1 -:5:2 -:7:3 -:11:4 0 2 -1", "");
	ended_free(&e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(good),
	    cmocka_unit_test(parts),
	    cmocka_unit_test(bad),
	    cmocka_unit_test(both_lanes),
	    cmocka_unit_test(words),
	    cmocka_unit_test(words_of_many_rows),
	    cmocka_unit_test(long_records),
	    cmocka_unit_test(many_rows),
	    cmocka_unit_test(operands),
	    cmocka_unit_test(no_stdin),
	    cmocka_unit_test(positions),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
