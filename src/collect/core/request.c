/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up the values of options. */
#include "collect/core/request.h"

#include "common/base/util.h"

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
option_or_null(const struct request *request,
               const struct backend_option *options, const char *name)
{
	const char *value = option_value(request, options, name);

	return *value ? value : NULL;
}

const char *
bench_option(const struct request *request, const char *name)
{
	return settings_value(&request->bench_options, name);
}
