/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/core/backend.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const pattern_names[] = {
    [PATTERN_RANDOM] = "random",
    [PATTERN_SEQUENTIAL] = "sequential",
};

const char *const cache_names[] = {
    [CACHE_COLD] = "cold",
    [CACHE_THRASHED] = "thrashed",
    [CACHE_HOST_WARM] = "host-warm",
    [CACHE_DEVICE_WARM] = "device-warm",
};

const char *const hold_names[NHOLDS] = {
    [HOLD_IDLE] = "idle",
    [HOLD_GOVERNOR] = "governor",
    [HOLD_POWER] = "power",
    [HOLD_PRIORITY] = "priority",
};

static void PRINTF_LIKE(2, 0)
    replace_text(char **old, const char *fmt, va_list ap)
{
	char *text = xvasprintf(fmt, ap);

	free(*old);
	*old = text;
}

void
series_make(struct session *s, size_t n)
{
	for (size_t i = 0; i < s->nseries; i++) {
		for (size_t k = 0; k < NIDENTITY; k++)
			free(s->series[i].id[k]);
	}
	free(s->series);
	s->series = n ? xcalloc(n, sizeof *s->series) : NULL;
	s->nseries = n;
}

void
series_set(struct series *series, enum identity column, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	replace_text(&series->id[column], fmt, ap);
	va_end(ap);
}

bool
fail(struct session *s, int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	replace_text(&s->failure.text, fmt, ap);
	va_end(ap);
	s->failure.status = status;
	return false;
}

const char *
option_value(const struct request *request,
             const struct backend_option *options, const char *name)
{
	for (size_t i = request->nsettings; i--;) {
		if (!strcmp(request->setting[i].name, name))
			return request->setting[i].value;
	}
	while (strcmp(options->name, name) != 0)
		options++;
	return options->value;
}

const char *
option_or_null(const struct request *request,
               const struct backend_option *options, const char *name)
{
	const char *value = option_value(request, options, name);

	return *value ? value : NULL;
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

	va_start(ap, fmt);
	replace_text(field, fmt, ap);
	va_end(ap);
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

void
backend_probe(const struct backend *backend, const struct request *request,
              struct findings *list)
{
	if (backend->probe)
		backend->probe(request, list);
}
