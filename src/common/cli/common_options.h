/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that all programs share, and how those end that only show a text. */
#ifndef PCB_COMMON_CLI_COMMON_OPTIONS_H
#define PCB_COMMON_CLI_COMMON_OPTIONS_H

#include "common/stream/writer.h"

#include <getopt.h>

/* What getopt_long gives for these; options of programs lie below them. */
#define OPT_VERSION 10000
#define OPT_DEBUG   10001

/* Their rows in a table of long options. */
#define CLI_COMMON                                                             \
	{"no-preamble", no_argument, NULL, 'P'},                               \
	    {"debug", required_argument, NULL, OPT_DEBUG},                     \
	    {"help", no_argument, NULL, 'h'},                                  \
	    {"version", no_argument, NULL, OPT_VERSION},                       \
	{                                                                      \
		0                                                              \
	}

/*
 * Takes -h, --version, --debug, -P into *no_preamble, and -f into *format
 * unless that is NULL. The first two print and exit 0; print_help writes to
 * stdout. A wrong format or category and what getopt has refused end as usage
 * errors. False for any other option.
 */
bool cli_common(int option, void (*print_help)(void), bool *no_preamble,
                enum format *format);

/*
 * Writes a program's help: `options`, then what there is to say of the options
 * above, in column `column` from 0, an empty line and `ending`.
 */
void cli_help(const char *options, int column, const char *ending);

/* Closes stdout and exits 0. */
_Noreturn void cli_shown(void);

#endif
