/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the options that all programs share, and prints their help. */
#include "common/cli/common_options.h"

#include "common/base/debug.h"
#include "common/base/version.h"

#include <stdlib.h>

void
cli_help(const char *options, int column, const char *ending)
{
	static const struct {
		const char *option, *meaning;
	} lines[] = {
	    {"-f, --format FORMAT", "csv, table or jsonl; default table on a"},
	    {"", "terminal, else csv"},
	    {"-P, --no-preamble", "write no '#' lines"},
	    {"    --debug LIST", "trace on stderr, such as vfio,restore; all"},
	    {"-h, --help", "show this help"},
	    {"    --version", "show the version"},
	};

	fputs(options, stdout);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		printf("  %-*s%s\n", column - 2, lines[i].option,
		       lines[i].meaning);
	printf("\n%s", ending);
}

void
cli_shown(void)
{
	close_stdout();
	exit(STATUS_OK);
}

bool
cli_common(int option, void (*print_help)(void), bool *no_preamble,
           enum format *format)
{
	switch (option) {
	case 'f':
		if (!format)
			return false;
		if (!parse_format(optarg, format))
			die_usage("-f '%s': not csv, table or jsonl", optarg);
		return true;
	case 'P':
		*no_preamble = true;
		return true;
	case OPT_DEBUG:
		debug_enable("--debug", optarg);
		return true;
	case 'h':
		print_help();
		cli_shown();
	case OPT_VERSION:
		printf("%s %s\n", program_name, program_version);
		cli_shown();
	case '?':
		try_help();
	default:
		return false;
	}
}
