/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several streams and files as one table. */
#include "rig/cmocka.h"
#include "rig/table.h"

#include "common/stream/table.h"

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
     "=a|b\n1|2\n|3\n#parts=4\ncut\n",
     CUT(0) "t: standard input: a header, but no rows\nt: standard input: a "
            "header, but no rows\n",
     0},

    /* A part that was cut short, has fewer keys, or is foreign. */
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

    /* Parts that were merged from several. */
    {BYTES("# pcb-csv: 1\n# parts: 3\na\n1\n# end: rows=1 complete=yes\n"),
     "=a\n1\n#parts=3\n", "", 0},
    {BYTES("# pcb-csv: 1\n# parts: 3\na\n1\n# end: rows=1 complete=yes\n"
           "# pcb-csv: 1\n# parts: 2\na\n2\n# end: rows=1 complete=yes\n"
           "a\n3\n"),
     "=a\n1\n2\n3\n#parts=6\n", "", 0},
    {BYTES("# pcb-csv: 1\n# parts: many\na\n1\n# end: rows=1 "
           "complete=yes\n"),
     "=a\n1\n#parts=many\n", "", 0},

    /* One without rows among others. */
    {BYTES("a\n1\na\n"), "=a\n1\n#parts=2\n",
     "t: standard input: a header, but no rows\n", 0},
};

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST(parts_become_one_table)
{
	assert_rows(part_rows, ARRAY_LEN(part_rows));
}

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
    {{"header", "ours"},
     "=z|a\n|1\n#parts=2\n",
     "t: header: a header, but no rows\n",
     0},
    {{"header", "header"},
     "=z\n#parts=2\n",
     "t: header: a header, but no rows\nt: header: a header, but no rows\n",
     0},
    {{"short", "ours"},
     "=a\n7\n1\n#k=v\n#parts=2\ncut\n",
     "t: short: the stream was cut short after 1 rows\n",
     0},
    {{"ours", "bad"}, "=a\n1\nbad\n", "t: bad:2: a: 'bad' is bad\n", 2},
    {{"ours", "ragged"},
     "=a\n1\nx\\ny\n",
     "t: ragged:4: 2 fields where the header has 1; "
     "'pcb-import ragged' reads this file\n",
     2},
    {{"ours", "empty"}, "=a\n1\n", "t: empty: 0 bytes: nothing to read\n", 2},
    {{"ours", "comment"}, "=a\n1\n", "t: comment: no header row\n", 2},
    {{"-", "-"},
     "=a|b\n5|6\n",
     "t: no input (did the program before it fail?)\n",
     2},
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

TEST(files_become_one_table)
{
	static const struct bytes in = BYTES("a,b\n5,6\n");
	static const struct {
		const char *name;
		struct bytes content;
	} files[] = {
	    {"ours", BYTES("# pcb-csv: 1\n# k: v\na\n1\n"
	                   "# end: rows=1 complete=yes x=1\n")},
	    {"foreign", BYTES("\xef\xbb\xbf"
	                      "b,a\r\n3,4\r\n")},
	    {"header", BYTES("z\n")},
	    {"short", BYTES("# pcb-csv: 1\n# k: v\na\n7\n")},
	    {"bad", BYTES("a\nbad\n")},
	    {"ragged", BYTES("a\n\"x\ny\"\n1,2\n")},
	    {"comment", BYTES("# note\n")},
	    {"empty", BYTES("")},
	};

	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		write_file(files[i].name, files[i].content);
	for (size_t i = 0; i < ARRAY_LEN(operand_rows); i++) {
		const struct operands *row = &operand_rows[i];
		struct ended e = in_child(show_operands, row, in, FEED_FILE);

		/* The second file's columns show in the first's rows. */
		assert_ended(&e, row->status, row->out, row->err);
		ended_free(&e);
	}
}

TEST(a_stdin_that_is_closed_is_said)
{
	bool slow = false;
	struct ended e =
	    in_child(show_stdin, &slow, (struct bytes)BYTES(""), FEED_NONE);

	assert_ended(&e, 2, "", "t: standard input: Bad file descriptor\n");
	ended_free(&e);
}

static void
show_positions(const void *data)
{
	struct table *t = table_open(NULL, 0);

	printf("%td ", table_find(t, "a"));
	while (table_next(t))
		printf("%s:%ju:%ju ", t->file, t->line, t->rows);
	printf("%td %td %td", table_find(t, "a"), table_find(t, "c"),
	       table_find(t, "A"));
	table_close(t);
}

TEST(rows_know_their_file_and_line)
{
	static const struct bytes in =
	    BYTES("# x\na,b\n\n1,2\n\"1\n2\",3\n4,5\n"
	          "# pcb-csv: 1\n# k: v\nb,c\n6,7\n"
	          "# end: rows=1 complete=yes\n");
	struct ended e = in_child(show_positions, NULL, in, FEED_FILE);

	assert_ended(&e, 0,
	             "-1 standard input:4:1 standard input:5:2 standard "
	             "input:7:3 standard input:11:4 0 2 -1",
	             "");
	ended_free(&e);
}
