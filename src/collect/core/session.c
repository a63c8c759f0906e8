/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Failures and series of a session. */
#include "collect/core/session.h"

#include <stdarg.h>
#include <stdlib.h>

void
series_make(struct session *s, size_t n)
{
	series_free(s->series, s->nseries);
	/* Without memory, xcalloc ends the program, which frees them again. */
	s->series = NULL;
	s->nseries = 0;
	s->series = n ? xcalloc(n, sizeof *s->series) : NULL;
	s->nseries = n;
}

bool
fail(struct session *s, int status, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	free(s->failure.text);
	s->failure = (struct failure){status, text};
	return false;
}
