/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a request, series and failures of a session, findings. */
#include "collect/core/session.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
settings_add(struct settings *settings, const char *name, const char *value)
{
	settings->item = xreallocarray(settings->item, settings->n + 1,
	                               sizeof *settings->item);
	settings->item[settings->n++] = (struct setting){xstrdup(name), value};
}

void
settings_free(struct settings *settings)
{
	for (size_t i = 0; i < settings->n; i++)
		free(settings->item[i].name);
	free(settings->item);
	*settings = (struct settings){0};
}

const char *
settings_value(const struct settings *settings, const char *name)
{
	for (size_t i = settings->n; i--;) {
		if (!strcmp(settings->item[i].name, name))
			return settings->item[i].value;
	}
	return NULL;
}

const char *
option_value(const struct request *request,
             const struct backend_option *options, const char *name)
{
	const char *value = settings_value(&request->options, name);

	if (value)
		return value;
	while (strcmp(options->name, name) != 0)
		options++;
	return options->value;
}

const char *
bench_option(const struct request *request, const char *name)
{
	return settings_value(&request->bench_options, name);
}

void
series_set(struct series *series, enum identity column, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	free(series->id[column]);
	series->id[column] = text;
}

void
series_identify(struct series *series, const char *kind, const char *device,
                const char *link)
{
	series_set(series, ID_KIND, "%s", kind);
	series_set(series, ID_DEVICE, "%s", device);
	series_set(series, ID_LINK, "%s", link);
}

void
series_make(struct session *s, size_t n)
{
	struct series *old = s->series;
	size_t nold = s->nseries;

	/* Without memory, xcalloc ends the program, which frees them. */
	s->series = NULL;
	s->nseries = 0;
	for (size_t i = 0; i < nold; i++) {
		for (size_t k = 0; k < NIDENTITY; k++)
			free(old[i].id[k]);
	}
	free(old);
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

struct finding *
findings_add(struct findings *list, const char *backend)
{
	struct finding *f;

	list->item = xreallocarray(list->item, list->n + 1, sizeof *f);
	f = &list->item[list->n++];
	*f = (struct finding){.backend = backend};
	f->device = xstrdup("");
	f->parent = xstrdup("");
	f->link = xstrdup("");
	f->driver = xstrdup("");
	f->node = xstrdup("");
	f->name = xstrdup("");
	f->why_not = xstrdup("");
	f->remedy = xstrdup("");
	return f;
}

void
finding_text(char **field, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	free(*field);
	*field = text;
}

void
findings_free(struct findings *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct finding *f = &list->item[i];

		free(f->device);
		free(f->parent);
		free(f->link);
		free(f->driver);
		free(f->node);
		free(f->name);
		free(f->why_not);
		free(f->remedy);
	}
	free(list->item);
	*list = (struct findings){0};
}
