/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refuses to wait for input from a terminal. */
#include "common/cli/need_input.h"

#include "common/base/util.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void
need_input(const char *usage, size_t noperands)
{
	if (noperands || !isatty(STDIN_FILENO))
		return;
	fprintf(stderr, "%.*s\n", (int)strcspn(usage, "\n"), usage);
	die_usage(
	    "no input: name a FILE or use a pipe ('-' reads the terminal)");
}
