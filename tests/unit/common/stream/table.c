/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads one stream; refuses bad ones. */
#include "rig/table.h"
#include "rig/cmocka.h"

#define UNENDED                                                                \
	"t: standard input: the last line has no line feed: if it was cut "    \
	"off, its last value is wrong\n"
static const struct row good_rows[] = {
    /* Foreign CSV. */
    {BYTES("a,b\n1,2\n3,4\n"), "=a|b\n1|2\n3|4\n", "", 0},
    {BYTES("a,b\n1,2"), "=a|b\n1|2\n", UNENDED, 0},
    {BYTES("a\n\"1\""), "=a\n1\n", UNENDED, 0},
    {BYTES("a,b\r\n1,2\r\n3,4"), "=a|b\n1|2\n3|4\n", UNENDED, 0},
    {BYTES("a,b\r\n1,2\r"), "=a|b\n1|2\n", UNENDED, 0},
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
    {BYTES("a;b,c\n1;2,3\n"), "=a;b|c\n1;2|3\n", "", 0},
    {BYTES("\na;b\n1;2\n"), "=a|b\n1|2\n", "", 0},
    {BYTES("a;b\n1;2\n# pcb-csv: 1\nb,a\n3,4\n# end: rows=1 "
           "complete=yes\n"),
     "=a|b\n1|2\n4|3\n#parts=2\n", "", 0},
    {BYTES("a\t\"b\tc\"\n1\t2,3\n"), "=a|b\tc\n1|2,3\n", "", 0},
    {BYTES("a_us,b (ms)\n1.0625,-.5\nNaN,-\n1e1,x\n6.3566e-02,1e303\n"
           "0e999999999999999999999,-0e1\n"),
     "=a_ns|b_ns\n1062.5|-500000\n|\n10000|x\n63.566|1e309\n"
     "0e999999999999999999999|-0e1\n.missing=2\n",
     "", 0},
    {BYTES("# pcb-csv: 1\na_us,b\n1,NaN\n"), "=a_us|b\n1|NaN\ncut\n",
     "t: standard input: the stream was cut short after 1 rows\n", 0},
    {BYTES("a\tb;c\td\n1\t2\t3\n"), "=a|b;c|d\n1|2|3\n", "", 0},
    {BYTES("a_us,b\n-,1\n-,2\n-,3\n1,3\n"),
     "=a_ns|b\n|1\n|2\n|3\n1000|3\n.missing=3\n", "", 0},
    {BYTES("b,a_us\nx,1\nb,a_us\nx,2\n"), "=b|a_ns\nx|1000\nx|2000\n#parts=2\n",
     "", 0},
    {BYTES("4;5\n6;7\n"), "=1|2\n4|5\n6|7\n", "", 0},
    {BYTES("3\n1\n1\n2\n"), "=1\n3\n1\n1\n2\n", "", 0},
    {BYTES("1;2\n1;2\n"), "=1|2\n1|2\n1|2\n", "", 0},
    {BYTES("# pcb-csv: 1\n1\n1\n2\n# end: rows=2 complete=yes\n"), "=1\n1\n2\n",
     "", 0},
    {BYTES("a\tb\n"), "=a|b\n", "t: standard input: a header, but no rows\n",
     0},

    /* Fields. */
    {BYTES("a,b\n\"1,5\",\"\"\"x\"\"\"\n"), "=a|b\n1,5|\"x\"\n", "", 0},
    {BYTES("a,b\n\"1\n2\r\n3\",\"\r\"\n"), "=a|b\n1\\n2\\r\\n3|\\r\n", "", 0},
    {BYTES("a,b\r\n\"1\n2\r\n3\",\"\r\"\r\n"), "=a|b\n1\\n2\\r\\n3|\\r\n", "",
     0},
    {BYTES("a,b\n\"\n\n\",\"\r\n\r\n\"\n"), "=a|b\n\\n\\n|\\r\\n\\r\\n\n", "",
     0},
    {BYTES("a, b\n 1 ,\t2\t\n"), "=a|b\n1 |\t2\t\n", "", 0},
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

    /* pcb-csv: preamble and end line. */
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

    /* Constant columns, in the place that the list gives them. */
    {BYTES("# pcb-csv: 2\n# k: v\n# constant: a=1,b,\"c=x, \"\"y=\",d=\n"
           "b,e\n2,3\n4,5\n# end: rows=2 complete=yes\n"),
     "=a|b|c|d|e\n1|2|x, \"y=||3\n1|4|x, \"y=||5\n#k=v\n", "", 0},
    {BYTES("# pcb-csv: 2\r\n# constant: a=1\r\nb\r\n2\r\n# end: rows=1 "
           "complete=yes\r\n"),
     "=a|b\n1|2\n", "", 0},
    {BYTES("# pcb-csv: 2\na\n1\n# end: rows=1 complete=yes\n"), "=a\n1\n", "",
     0},
    /* They end with their part. */
    {BYTES("# pcb-csv: 2\n# constant: a=1\nb\n2\n2\n"
           "# end: rows=2 complete=yes\n"
           "# pcb-csv: 2\n# constant: a=3\nb\n2\n# end: rows=1 "
           "complete=yes\n"
           "# pcb-csv: 2\n# constant: b=4\na\n5\n# end: rows=1 "
           "complete=yes\n"
           "# pcb-csv: 1\nb\n2\n# end: rows=1 complete=yes\nb\n7\n"),
     "=a|b\n1|2\n1|2\n3|2\n5|4\n|2\n|7\n#parts=5\n", "", 0},
    {BYTES("# pcb-csv: 2\n# constant: a=1\nb\n2\n3"), "=a|b\n1|2\ncut\n",
     CUT(1), 0},

    /* Warnings. */
    {BYTES("a,b\n"), "=a|b\n", "t: standard input: a header, but no rows\n", 0},
    {BYTES("a,b"), "=a|b\n", "t: standard input: a header, but no rows\n", 0},
    {BYTES("# pcb-csv: 1\na,b\n# end: rows=0 complete=yes\n"), "=a|b\n",
     "t: standard input: a header, but no rows\n", 0},
    {BYTES("# pcb-csv: 1\na,b\n"), "=a|b\ncut\n",
     CUT(0) "t: standard input: a header, but no rows\n", 0},
    {BYTES("# pcb-csv: 1\na\n1\n2\n"), "=a\n1\n2\ncut\n", CUT(2), 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1 complete=no\n"), "=a\n1\ncut\n",
     "t: standard input: the collection was stopped before its end\n", 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1\n"), "=a\n1\ncut\n",
     "t: standard input: the collection was stopped before its end\n", 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=2 complete=yes\n"), "=a\n1\ncut\n",
     "t: standard input: 1 rows, but its end line says 2\n", 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=0 complete=no\n"), "=a\n1\ncut\n",
     "t: standard input: the collection was stopped before its end\n"
     "t: standard input: 1 rows, but its end line says 0\n",
     0},
    /* A last line without its end: the rows before it are complete. */
    {BYTES("# pcb-csv: 1\na\n1\n2"), "=a\n1\ncut\n", CUT(1), 0},
    {BYTES("# pcb-csv: 1\na\n1\n2\r"), "=a\n1\ncut\n", CUT(1), 0},
    {BYTES("# pcb-csv: 1\na\n1\n\""), "=a\n1\ncut\n", CUT(1), 0},
    {BYTES("# pcb-csv: 1\na,b\n1,2\n\"1\n2"), "=a|b\n1|2\ncut\n", CUT(1), 0},
    {BYTES("# pcb-csv: 1\na\n1\n2\0\0\0"), "=a\n1\ncut\n", CUT(1), 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1 complete=yes"), "=a\n1\ncut\n",
     CUT(1), 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1 complete=yes\r"), "=a\n1\ncut\n",
     CUT(1), 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1 complete=yes\n# pcb-csv: 1\n"
           "# tool: x"),
     "=a\n1\ncut\n", CUT(0), 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1 complete=yes\n# pcb-csv: 1\nb,"),
     "=a\n1\ncut\n", CUT(0), 0},

    /* A program that failed before its header, and others that did not. */
    {BYTES("# end: rows=0 complete=no\na\n1\n"), "=a\n1\ncut\n", "", 0},
    {BYTES("# pcb-csv: 1\na\n1\n# end: rows=1 complete=yes\n"
           "# end: rows=0 complete=no\n"),
     "=a\n1\ncut\n", "", 0},
    {BYTES("a\n1\n# end:\trows=2\tcomplete=yes\n"), "=a\n1\ncut\n",
     "t: standard input: 1 rows, but its end line says 2\n", 0},
};

TEST(good_streams_are_read_as_they_are_meant)
{
	assert_rows(good_rows, ARRAY_LEN(good_rows));
}

static const struct row bad_rows[] = {
    {BYTES(""), "", "t: no input (did the program before it fail?)\n", 2},
    {BYTES("\n"), "", "t: standard input: no header row\n", 2},
    {BYTES("# end: rows=0 complete=no\n"), "", "", 2},
    {BYTES("# end: rows=0 complete=no\n# end: rows=0 complete=no\n"), "", "",
     2},
    {BYTES("\xef\xbb\xbf"), "", "t: standard input: no header row\n", 2},
    {BYTES("# pcb-csv: 1\n# tool: x"), "", "t: standard input: no header row\n",
     2},
    {BYTES("# pcb-csv: 1\n# k: v\n# pcb-csv: 1\na\n1\n"), "",
     "t: standard input:3: the part before this one has no header row\n", 2},
    {BYTES("a\n1\n# pcb-csv: 1\n# end: rows=0 complete=no\n# pcb-csv: 1\n"
           "a\n2\n"),
     "=a\n1\n",
     "t: standard input:5: the part before this one has no header row\n", 2},

    /* Header. */
    {BYTES("a,,b\n"), "", "t: standard input:1: column 2 has no name\n", 2},
    {BYTES("\n\na,\n"), "", "t: standard input:3: column 2 has no name\n", 2},
    {BYTES("\"\"\n"), "", "t: standard input:1: column 1 has no name\n", 2},
    {BYTES("a;b\n1,5;2;3\n"), "",
     "t: standard input:2: 3 fields where the header has 2\n", 2},
    {BYTES("a,b,a\n"), "", "t: standard input:1: two columns are called 'a'\n",
     2},
    {BYTES("# pcb-csv: 1\na\n1\n# pcb-csv: 1\nb,b\n"), "=a\n1\n",
     CUT(1) "t: standard input:5: two columns are called 'b'\n", 2},
    {BYTES("\"a\nb\",\"a\nb\"\n"), "",
     "t: standard input:1: two columns are called 'a?b'\n", 2},

    /* Rows. */
    {BYTES("a,b\n1,2\n1,2,3\n"), "=a|b\n1|2\n",
     "t: standard input:3: 3 fields where the header has 2\n", 2},
    {BYTES("a,b\n1\n"), "",
     "t: standard input:2: 1 fields where the header has 2\n", 2},
    {BYTES("a,b\n\"1\n\n2\",3\n4\n"), "=a|b\n1\\n\\n2|3\n",
     "t: standard input:5: 1 fields where the header has 2\n", 2},
    {BYTES("a,b\n# note\n"), "",
     "t: standard input:2: 1 fields where the header has 2\n", 2},
    {BYTES("a,b\n1,2\n\n1,bad\n"), "=a|b\n1|2\n1|bad\n",
     "t: standard input:4: b: 'bad' is bad\n", 2},
    {BYTES("a\n\"x\ny\"\nbad\n"), "=a\nx\\ny\nbad\n",
     "t: standard input:4: a: 'bad' is bad\n", 2},
    {BYTES("\"a\n\x1b[2J\"\nbad\n"), "=a\\n\x1b[2J\nbad\n",
     "t: standard input:3: a??[2J: 'bad' is bad\n", 2},

    /* Quotes. */
    {BYTES("a\n\"1\n"), "",
     "t: standard input:2: a quote is opened and never closed\n", 2},
    {BYTES("a\n\"1\n2\n3"), "",
     "t: standard input:2: a quote is opened and never closed\n", 2},
    {BYTES("a\n\""), "",
     "t: standard input:2: a quote is opened and never closed\n", 2},
    {BYTES("a,b\n1,2\"3\n"), "",
     "t: standard input:2: field 2: a quote in the wrong place\n", 2},
    {BYTES("a,b\n\"1\"2,3\n"), "",
     "t: standard input:2: field 1: a quote in the wrong place\n", 2},
    {BYTES("a,b\n1, \"2\"\n"), "",
     "t: standard input:2: field 2: a quote in the wrong place\n", 2},
    {BYTES("a,b\n1,\"2\" \n"), "",
     "t: standard input:2: field 2: a quote in the wrong place\n", 2},
    {BYTES("a,\"b\n\"\"c\"d\n"), "",
     "t: standard input:1: field 2: a quote in the wrong place\n", 2},

/* A carriage return ends a line only before a line feed. */
#define CR "a carriage return in the middle of a line\n"
    {BYTES("a,b\r1,2\r"), "", "t: standard input:1: " CR, 2},
    {BYTES("a\n1\r2\n"), "", "t: standard input:2: " CR, 2},
    {BYTES("a\n1\r2"), "", "t: standard input:2: " CR, 2},
    {BYTES("a\n1\r\"2\n3\"\n"), "", "t: standard input:2: " CR, 2},
    {BYTES("a\n1\r\r\n"), "", "t: standard input:2: " CR, 2},
    {BYTES("a\n\"1\"\r2\n"), "", "t: standard input:2: " CR, 2},
    {BYTES("a\n\r1\n"), "", "t: standard input:2: " CR, 2},
    {BYTES("a\n\r\r\n"), "", "t: standard input:2: " CR, 2},
    {BYTES("a\n\rx"), "", "t: standard input:2: " CR, 2},
    {BYTES("\r\r\n"), "", "t: standard input:1: " CR, 2},

    /* A last line without its end, and no complete row before it. */
    {BYTES("# pcb-csv: 1\na"), "", "t: standard input: no header row\n", 2},
    {BYTES("# pcb-csv: 1\n\"a\n"), "",
     "t: standard input:2: a quote is opened and never closed\n", 2},
    {BYTES("# pcb-csv: 1\na\n\"1\n"), "",
     "t: standard input:3: a quote is opened and never closed\n", 2},

    /* Marks. */
    {BYTES("# pcb-csv: 3\n"), "",
     "t: standard input:1: pcb-csv version '3': only 1 and 2 are supported\n",
     2},
    {BYTES("a\n1\n# pcb-csv:\n"), "=a\n1\n",
     "t: standard input:3: pcb-csv version '': only 1 and 2 are supported\n",
     2},
    {BYTES("# pcb-csv: 1\x1b\n"), "",
     "t: standard input:1: pcb-csv version '1?': only 1 and 2 are supported\n",
     2},

/* Constant columns. */
#define LIST "# pcb-csv: 2\n# constant: "
    {BYTES(LIST "a=1,a=2\nb\n"), "",
     "t: standard input:2: two columns are called 'a'\n", 2},
    {BYTES(LIST "a=1,b,a\nb\n"), "",
     "t: standard input:2: two columns are called 'a'\n", 2},
    {BYTES(LIST "a=1\nb,a\n"), "",
     "t: standard input:3: two columns are called 'a'\n", 2},
    {BYTES("# constant: a=1\nb\n2\n"), "",
     "t: standard input:1: a list of constants without '# pcb-csv: 2' above "
     "it: a part of a stream?\n",
     2},
    /* A stream of version 2 whose own mark is lost, behind another one's. */
    {BYTES("# pcb-csv: 1\n# constant: a=1\nb\n2\n# end: rows=1 "
           "complete=yes\n"),
     "",
     "t: standard input:2: a list of constants without '# pcb-csv: 2' above "
     "it: a part of a stream?\n",
     2},
    {BYTES(LIST "a=1,c\nb\n"), "",
     "t: standard input:3: 'c' is neither a constant nor a column\n", 2},
    {BYTES(LIST "a=1,=2\nb\n"), "",
     "t: standard input:2: constant 2 has no name\n", 2},
    {BYTES(LIST "a=1\n# constant: c=1\nb\n"), "",
     "t: standard input:3: a second list of constants\n", 2},
    {BYTES(LIST "\"a=1\nb\n\"\n"), "",
     "t: standard input:2: a quote is opened and never closed\n", 2},
    {BYTES(LIST "a=\"1\"\nb\n"), "",
     "t: standard input:2: field 1: a quote in the wrong place\n", 2},
    {BYTES(LIST "a=1\nb\n2\nb\n3\n"), "=a|b\n1|2\n",
     "t: standard input:5: a second header without its '# constant:' line; "
     "pcb-collect --wide writes rows that need none\n",
     2},
    {BYTES(LIST "a=1\nb\n2,3\n"), "",
     "t: standard input:4: 2 fields where the header has 1\n", 2},
    {BYTES(LIST "a=1\nb\nbad\n"), "=a|b\n1|bad\n",
     "t: standard input:4: b: 'bad' is bad\n", 2},
    {BYTES("a\n1\n# end: rows=1 done\n"), "=a\n1\n",
     "t: standard input:3: 'done' in an end line is not key=value\n", 2},
    {BYTES("a\n1\n# end: =5\n"), "=a\n1\n",
     "t: standard input:3: '=5' in an end line is not key=value\n", 2},
    {BYTES("a\n1\n# end: rows=-1\n"), "=a\n1\n",
     "t: standard input:3: rows=-1: not a whole number such as 42\n", 2},
    {BYTES("a\n1\n# end: rows=\n"), "=a\n1\n",
     "t: standard input:3: rows=: empty\n", 2},
    {BYTES("a\n1\n# end: rows=1 complete=yesa\n2\n"), "=a\n1\n",
     "t: standard input:3: complete=yesa: not yes or no\n", 2},

/* A NUL byte. */
#define NUL_BYTE "a NUL byte: this is not a text file\n"
    {BYTES("a\n\0\n"), "", "t: standard input:2: " NUL_BYTE, 2},
    {BYTES("\0"), "", "t: standard input:1: " NUL_BYTE, 2},
    {BYTES("a\n1\n\"2\n\0\"\n"), "=a\n1\n", "t: standard input:3: " NUL_BYTE,
     2},
    {BYTES("# pcb-csv: 1\n# k: \0\na\n1\n"), "",
     "t: standard input:2: " NUL_BYTE, 2},
    {BYTES("\xff\xfe"
           "a\0\n\0"),
     "", "t: standard input:1: " NUL_BYTE, 2},
};

TEST(bad_streams_are_refused_with_their_line)
{
	assert_rows(bad_rows, ARRAY_LEN(bad_rows));
}
