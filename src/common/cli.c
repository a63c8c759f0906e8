#include "common/cli.h"

#include <stdlib.h>

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
	case 'h':
		print_help();
		cli_shown();
	case OPT_VERSION:
		printf("%s %s\n", program_name, VERSION);
		cli_shown();
	case '?':
		try_help();
	default:
		return false;
	}
}
