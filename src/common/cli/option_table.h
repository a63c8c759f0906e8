/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of a program: one table for parsing, --help and completion. */
#ifndef PCB_COMMON_CLI_OPTION_TABLE_H
#define PCB_COMMON_CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Most options of one program, including --help and --version. */
#define OPTIONS_MAX 64

/*
 * OPTION_ONCE: a second value is an error. OPTION_LIST: the value is a
 * comma-separated list, and `set` gets all items given so far. OPTION_ADDS:
 * `set` gets each value and adds it.
 */
struct option_def {
	const char *name;     /* without "--"; NULL ends a list */
	char letter;          /* without "-", or 0 */
	const char *argument; /* of the value, for --help; "[=X]": optional */
	const char *help;     /* one paragraph; --help wraps it */
	unsigned modes;       /* bits of the modes that take it; 0: all */
	const char *words;    /* values for completion, separated by blanks */

	/*
	 * Stores the value in `to`; value is NULL if the option takes none.
	 * Returns NULL, or why the value is wrong.
	 */
	const char *(*set)(void *to, const char *value);
	void *to;

	/* If the option is given again; a flag may be repeated. */
	enum { OPTION_ONCE, OPTION_LIST, OPTION_ADDS } again;

	/*
	 * More values for completion, besides `words`: prints on stdout, one
	 * per line, those that fit the words of the command line; or NULL.
	 */
	void (*complete)(size_t n, char *const word[]);
};

/* Options under one heading of --help. */
struct option_group {
	const char *heading; /* or NULL */
	const struct option_def *options;
};

/* An option's old name and the new one. */
struct option_renamed {
	const char *was; /* NULL ends a list */
	const char *now;
};

/* A mode, which the first operand selects; bit i of `modes` is mode i. */
struct option_mode {
	const char *name; /* NULL ends a list */
	const char *help;
};

struct option_table {
	const char *usage;                /* first lines of --help */
	const struct option_group *group; /* ends with options NULL */
	const char *ending;               /* last lines of --help */
	const struct option_mode *mode;   /* or NULL */
	const char *modes_heading; /* NULL: the first operand is no mode */

	/* What messages call a mode, such as "a kind". */
	const char *mode_called;

	/* Options with a new name, for messages; or NULL. */
	const struct option_renamed *renamed;
};

/* Caller sets the table; the rest is private. */
struct option_parser {
	const struct option_table *table;
	const struct option_def *given[OPTIONS_MAX];
	const char *value[OPTIONS_MAX]; /* all values given for each */
	size_t ngiven;
};

/*
 * Parses the command line with getopt_long and calls `set` of each option, in
 * the order given. Answers --help, --version and --completion-data and exits; a
 * usage error exits, too. Redirects stdout as -o says. Returns the index of the
 * first operand.
 *
 * --completion-data without words lists the modes and options. With the WORDs
 * of a command line, it prints the possible completions of the last one, one
 * per line, whether or not they start with it (see share/bash-completion).
 */
int options_parse(struct option_parser *p, int argc, char *argv[]);

/* Whether an option was given. */
bool options_given(const struct option_parser *p, const char *name);

/*
 * The index of the mode that `operand` names. "help" prints the help and exits
 * with 0. Any other operand is a usage error that names the nearest mode; NULL
 * is one that lists the modes.
 */
size_t options_find_mode(const struct option_table *t, const char *operand);

/* Exits with a usage error if the mode does not take an option given. */
void options_check_mode(const struct option_parser *p, size_t mode);

/* Closes stdout and exits with 0, after an option that only prints a text. */
_Noreturn void options_finish(void);

/* Setters: for a bool, which becomes true, and for a const char *. */
const char *option_set_flag(void *to, const char *value);
const char *option_set_text(void *to, const char *value);

/*
 * Calls `set` for each word of a comma-separated list; a word is valid during
 * its call only. Stops at the first error and returns it, else NULL.
 */
const char *option_each_word(const char *list, void *to,
                             const char *(*set)(void *to, const char *word));

/* Options of several programs; `to` is an enum format or a bool. */
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
/* The same, for programs that also write openmetrics. */
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
/* options_parse calls output_to_file. */
#define OPTION_OUTPUT                                                          \
	{                                                                      \
		"output", 'o', "FILE", "write to FILE, whole or not at all",   \
		    .set = option_set_output                                   \
	}
#define OPTION_NO_PREAMBLE(where)                                              \
	{                                                                      \
		"no-preamble", 'P', NULL, "write no '#' lines",                \
		    .set = option_set_no_preamble, .to = (where)               \
	}

#endif
