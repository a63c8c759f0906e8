/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of a program: one table for parsing, --help and completion. */
#ifndef PCB_COMMON_CLI_OPTION_TABLE_H
#define PCB_COMMON_CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most options of one program, including --help and --version. */
#define OPTIONS_MAX 80

/*
 * What an option takes, and the type of `to`. Texts point into argv or are
 * valid until exit. A value that its parser refuses, see common/base/number.h,
 * is a usage error with the parser's reason.
 */
enum option_type {
	TYPE_OWN,         /* any value, which `set` parses and stores */
	TYPE_FLAG,        /* no value; bool: true */
	TYPE_TEXT,        /* const char * */
	TYPE_NAME,        /* const char *, not empty; or `wrong` */
	TYPE_CHOICE,      /* unsigned: its index in `words` */
	TYPE_CHOICES,     /* unsigned: a bit for each of a list of these */
	TYPE_INTEGER,     /* uint64_t; parse_integer */
	TYPE_UNSIGNED,    /* unsigned or int; parse_integer; needs `most` */
	TYPE_COUNT,       /* uint64_t; parse_count */
	TYPE_BYTES,       /* uint64_t; parse_size */
	TYPE_TIME,        /* uint64_t, in picoseconds; parse_time */
	TYPE_SIZES,       /* struct size_list; parse_size_list */
	TYPE_PERCENTAGE,  /* struct fraction; parse_percentage */
	TYPE_LABEL,       /* struct labels; labels_add; with OPTION_ADDS */
	TYPE_FORMAT,      /* enum format */
	TYPE_METRICS,     /* enum format, which may be openmetrics */
	TYPE_NO_PREAMBLE, /* no value; bool: true */
	TYPE_OUTPUT,      /* a file for output_to_file; `to` is not used */
};

/*
 * A row says what the option takes (`type`) and where the value goes (`to`); a
 * function `set` is for values that must be computed. OPTION_ONCE: a second
 * value is an error. OPTION_LIST: the value is a comma-separated list, and the
 * last one stored has all items given so far. OPTION_ADDS: each value is
 * stored, and adds to those before. Parts of `help` that begin with "for MODE
 * and MODE:", the next ones after "; ", replace the rest in the help of these.
 */
struct option_def {
	const char *name;     /* without "--"; NULL ends a list */
	char letter;          /* without "-", or 0 */
	const char *argument; /* of the value, for --help; "[=X]": optional */
	const char *help;     /* one paragraph; --help wraps it, see below */
	unsigned modes;       /* bits of the modes that take it; 0: all */
	const char *words;    /* values for completion, separated by blanks */

	/*
	 * For TYPE_OWN: stores the value in `to`; value is NULL if the option
	 * takes none. Returns NULL, or why the value is wrong.
	 */
	const char *(*set)(void *to, const char *value);
	void *to;
	enum option_type type;

	/*
	 * Limits of a number; `most` 0: none. `wrong` is why a value beyond
	 * them is wrong, and an empty TYPE_NAME.
	 */
	uint64_t least, most;
	const char *wrong;

	/* If the option is given again; a flag may be repeated. */
	enum { OPTION_ONCE, OPTION_LIST, OPTION_ADDS } again;

	/*
	 * More values for completion, besides `words`: prints on stdout, one
	 * per line, those that fit the words of the command line; or NULL.
	 */
	void (*complete)(size_t n, char *const word[]);

	/*
	 * Words of other programs for it, without "--" (a letter with its "-"),
	 * separated by blanks: a message leads from them to this option.
	 */
	const char *elsewhere;
};

/* Options under one heading of --help. */
struct option_group {
	const char *heading; /* or NULL */
	const struct option_def *options;
};

/* A word that is no option, "-t" or "fix" for --fix, and what to say of it. */
struct option_hint {
	const char *word; /* NULL ends a list */
	const char *hint; /* follows the word in the message */
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
	bool help_by_mode; /* --help leaves out the options of some modes */

	/* What messages call a mode, such as "a kind". */
	const char *mode_called;

	/* Behind `help` in the help of one mode, or NULL; valid until exit. */
	const char *(*about)(size_t mode);

	/* What to say about some words that are no options; or NULL. */
	const struct option_hint *hints;
};

/* Caller sets the table; the rest is private. */
struct option_parser {
	const struct option_table *table;
	const struct option_def *given[OPTIONS_MAX];
	const char *value[OPTIONS_MAX]; /* all values given for each */
	size_t ngiven;
};

/*
 * Parses the command line with getopt_long and stores each value, in the
 * order given. Answers --help, help WORD, --list, --version and
 * --completion-data and exits; a usage error exits, too. Redirects stdout as -o
 * says; the ending of the output's name sets the format unless it is given, and
 * is a usage error if it is that of a picture. --json, --png and the like mean
 * the option that has this value. Returns the index of the first operand.
 *
 * --completion-data with the WORDs of a command line prints the possible
 * completions of the last one, one per line, whether or not they start with it
 * (see share/bash-completion).
 */
int options_parse(struct option_parser *p, int argc, char *argv[]);

/* The name of the file that stdout is; "" if it is no regular file. */
const char *name_of_stdout(void);

/*
 * The ending of a file's name behind the last dot, in lower case, or ""; valid
 * until the next call.
 */
const char *ending_of(const char *file);

/* Whether an option was given. */
bool options_given(const struct option_parser *p, const char *name);

/*
 * The index of the mode that `operand` names. Any other operand is a usage
 * error that names the nearest mode; NULL is one that lists the modes.
 */
size_t options_find_mode(const struct option_table *t, const char *operand);

/* Exits with a usage error if the mode does not take an option given. */
void options_check_mode(const struct option_parser *p, size_t mode);

/* Closes stdout and exits with 0, after an option that only prints a text. */
_Noreturn void options_finish(void);

/*
 * Calls `set` for each word of a comma-separated list; a word is valid during
 * its call only. Stops at the first error and returns it, else NULL.
 */
const char *option_each_word(const char *list, void *to,
                             const char *(*set)(void *to, const char *word));

/*
 * Ends a filter that has no operands and whose stdin is a terminal: prints the
 * first line of `usage`, which starts with "Usage:", and how to give it input;
 * status as for a usage error.
 */
void need_input(const char *usage, size_t noperands);

/* Leaves out the operands "-"; returns how many others are in front then. */
size_t without_dash(char *operand[], size_t n);

/* Dies, as for a usage error, if two of the n operands are equal. */
void need_distinct(char *const operand[], size_t n);

/* Rows of several programs; `where` is an enum format or a bool. */
#define OPTION_FORMATS(where, which, all, all_words)                           \
	{                                                                      \
		"format", 'f', "FORMAT",                                       \
		    "csv, table, md, json" all "; default table on a "         \
		    "terminal, else csv",                                      \
		    .words = "csv table md json jsonl" all_words,              \
		    .type = (which), .to = (where),                            \
		    .elsewhere = "output-format"                               \
	}
#define OPTION_FORMAT(where) OPTION_FORMATS(where, TYPE_FORMAT, " or jsonl", "")
/* The same, for programs that also write openmetrics. */
#define OPTION_METRICS_FORMAT(where)                                           \
	OPTION_FORMATS(where, TYPE_METRICS, ", jsonl or openmetrics",          \
	               " openmetrics")
/* The other rows of all programs that write a struct out. */
#define OPTIONS_OF_OUT(out)                                                    \
	{"output", 'o', "FILE", "write to FILE, whole or not at all",          \
	 .type = TYPE_OUTPUT},                                                 \
	{                                                                      \
		"no-preamble", 'P', NULL, "write no '#' lines",                \
		    .type = TYPE_NO_PREAMBLE, .to = &(out).no_preamble         \
	}
#define OPTION_BYTES                                                           \
	{                                                                      \
		"bytes", 0, NULL,                                              \
		    "GB/s instead of Gbit/s, as PCB_UNITS=bytes",              \
		    .type = TYPE_FLAG, .to = &shows_bytes                      \
	}

#endif
