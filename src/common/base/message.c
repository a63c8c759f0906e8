/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages on stderr, and exits with an error. */
#include "common/base/message.h"

#include "common/base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *program_name = "pcb";

/* Always one line, even if a name from outside holds a newline. */
static void PRINTF_LIKE(1, 0)
    print_message(const char *fmt, va_list ap, int error)
{
	char *text, truncated[256] = "";
	va_list again;

	va_copy(again, ap);
	if (vasprintf(&text, fmt, again) < 0) {
		vsnprintf(truncated, sizeof truncated, fmt, ap);
		text = NULL;
	}
	va_end(again);
	flockfile(stderr);
	fprintf(stderr, "%s: ", program_name);
	print_plain(stderr, text ? text : truncated);
	free(text);
	if (error)
		fprintf(stderr, ": %s", strerror(error));
	fputc('\n', stderr);
	funlockfile(stderr);
}

void
warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message(fmt, ap, 0);
	va_end(ap);
}

void
warn_sys(const char *fmt, ...)
{
	int error = errno;
	va_list ap;

	va_start(ap, fmt);
	print_message(fmt, ap, error);
	va_end(ap);
}

void
die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message(fmt, ap, 0);
	va_end(ap);
	exit(STATUS_TROUBLE);
}

void
die_sys(const char *fmt, ...)
{
	int error = errno;
	va_list ap;

	va_start(ap, fmt);
	print_message(fmt, ap, error);
	va_end(ap);
	exit(STATUS_TROUBLE);
}

void
die_usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_message(fmt, ap, 0);
	va_end(ap);
	try_help();
}

void
try_help(void)
{
	fprintf(stderr, "Try '%s --help'.\n", program_name);
	exit(STATUS_TROUBLE);
}
