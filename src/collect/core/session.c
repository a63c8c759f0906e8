/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Failures and series of a session. */
#include "collect/core/session.h"

#include "common/base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool
option_refuse(struct session *s, const struct backend_option *options,
              const char *name, const char *why)
{
	return fail(s, STATUS_TROUBLE, "-O %s=%s: %s", name,
	            option_value(s->request, options, name), why);
}

bool
option_integer(struct session *s, const struct backend_option *options,
               const char *name, uint64_t least, uint64_t most, uint64_t *value)
{
	const char *text = option_value(s->request, options, name);
	const char *why = parse_integer(text, value);
	char limits[64];

	snprintf(limits, sizeof limits, "not within %ju to %ju",
	         (uintmax_t)least, (uintmax_t)most);
	if (!why && (*value < least || *value > most))
		why = limits;
	return !why || option_refuse(s, options, name, why);
}

bool
option_either(struct session *s, const struct backend_option *options,
              const char *name, const char *first, const char *second,
              bool *is_first)
{
	const char *text = option_value(s->request, options, name);

	*is_first = !strcmp(text, first);
	return *is_first || !strcmp(text, second) ||
	       fail(s, STATUS_TROUBLE, "-O %s=%s: not %s or %s", name, text,
	            first, second);
}
