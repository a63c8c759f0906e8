/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of a program: one table to parse, to explain and to complete. */
#ifndef PCB_COMMON_CLI_OPTION_TABLE_H
#define PCB_COMMON_CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Options that one program may have, --help and --version included. */
#define OPTIONS_MAX 64

/*
 * OPTION_ONCE: a second value is an error. OPTION_LIST: the value is a list
 * with commas, and `set` is called with all that was given so far. OPTION_ADDS:
 * `set` is called with each value, and adds it.
 */
struct option_def {
	const char *name;     /* without "--"; NULL ends a list */
	char letter;          /* without "-", or 0 */
	const char *argument; /* the value, for --help; "[=X]": optional */
	const char *help;     /* one paragraph, wrapped where it is printed */
	unsigned modes;       /* bits of the modes that take it; 0: all do */
	const char *words;    /* values that are completed, between blanks */

	/*
	 * Takes the value into `to`; NULL if there is none. Returns NULL, or
	 * why the value is wrong.
	 */
	const char *(*set)(void *to, const char *value);
	void *to;

	/* What it means to give the option again; a flag may be repeated. */
	enum { OPTION_ONCE, OPTION_LIST, OPTION_ADDS } again;

	/*
	 * For completion, beside `words`: prints values on stdout, a line each,
	 * that go with the words of the command line; or NULL.
	 */
	void (*complete)(size_t n, char *const word[]);
};

/* Options that stand together in --help. */
struct option_group {
	const char *heading; /* or NULL */
	const struct option_def *options;
};

/* An option, as it was typed once, and what is to be typed now. */
struct option_renamed {
	const char *was; /* NULL ends a list */
	const char *now;
};

/* What a program can be asked to do; bit i of `modes` is the one at i. */
struct option_mode {
	const char *name; /* NULL ends a list */
	const char *help;
};

struct option_table {
	const char *usage;                /* first lines of --help */
	const struct option_group *group; /* ends with one without options */
	const char *ending;               /* last lines of --help */
	const struct option_mode *mode;   /* or NULL */
	const char *modes_heading; /* NULL: the first operand is no mode */

	/* Else for messages: what a mode is called, as in "a kind". */
	const char *mode_called;

	/* Options that had another name: for messages; or NULL. */
	const struct option_renamed *renamed;
};

/* Caller sets the table; the rest is private. */
struct option_parser {
	const struct option_table *table;
	const struct option_def *given[OPTIONS_MAX];
	const char *value[OPTIONS_MAX]; /* all that was given of each */
	size_t ngiven;
};

/*
 * Parses the command line as getopt_long does and calls `set` of each option in
 * the order given. Answers --help, --version and --completion-data, which end
 * the program, as a usage error does. Returns the index of the first operand;
 * stdout is then what -o says.
 *
 * --completion-data alone lists the modes and options. WORDs behind it are
 * those of a command line up to the one that is typed: what that may be is
 * printed, a line each, where it begins or not (see share/bash-completion).
 */
int options_parse(struct option_parser *p, int argc, char *argv[]);

/* Whether an option was given. */
bool options_given(const struct option_parser *p, const char *name);

/*
 * The number of the mode that an operand names, which may be NULL. "help" shows
 * the help and exits 0; anything else ends with a usage error: without an
 * operand it lists the modes, and where one is near it names that.
 */
size_t options_find_mode(const struct option_table *t, const char *operand);

/* Ends with a usage error if an option was given that the mode does not take.
 */
void options_check_mode(const struct option_parser *p, size_t mode);

/* Closes stdout and exits 0: for an option that only shows a text. */
_Noreturn void options_finish(void);

/* Setters for a bool, set to true, and for a const char *, set to the value. */
const char *option_set_flag(void *to, const char *value);
const char *option_set_text(void *to, const char *value);

/*
 * Calls `set` for each word of a list, between commas; a word is gone when it
 * returns. Returns NULL, or the first reason, which ends the list.
 */
const char *option_each_word(const char *list, void *to,
                             const char *(*set)(void *to, const char *word));

/* Options that programs share: to an enum format and to a bool. */
const char *option_set_format(void *to, const char *value);
const char *option_set_no_preamble(void *to, const char *value);
const char *option_set_output(void *to, const char *value);
#define OPTION_FORMAT(where)                                                   \
	{                                                                      \
		"format", 'f', "FORMAT",                                       \
		    "csv, table, md or jsonl; default table on a terminal, "   \
		    "else csv",                                                \
		    .words = "csv table md jsonl", .set = option_set_format,   \
		    .to = (where)                                              \
	}
/* The same, with openmetrics, of the programs that write that. */
const char *option_set_metrics_format(void *to, const char *value);
#define OPTION_METRICS_FORMAT(where)                                           \
	{                                                                      \
		"format", 'f', "FORMAT",                                       \
		    "csv, table, md, jsonl or openmetrics; default table on "  \
		    "a terminal, else csv",                                    \
		    .words = "csv table md jsonl openmetrics",                 \
		    .set = option_set_metrics_format, .to = (where)            \
	}
#define OPTION_BYTES(where)                                                    \
	{                                                                      \
		"bytes", 0, NULL, "in tables: GB/s instead of Gbit/s",         \
		    .set = option_set_flag, .to = (where)                      \
	}
/* Acted upon by options_parse, see output_to_file. */
#define OPTION_OUTPUT                                                          \
	{                                                                      \
		"output", 'o', "FILE",                                         \
		    "write to FILE, which is replaced once all is written",    \
		    .set = option_set_output                                   \
	}
#define OPTION_NO_PREAMBLE(where)                                              \
	{                                                                      \
		"no-preamble", 'P', NULL, "write no '#' lines",                \
		    .set = option_set_no_preamble, .to = (where)               \
	}

#endif
