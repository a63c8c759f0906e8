/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of devices that backends find. */
#include "collect/core/finding.h"

#include <stdarg.h>
#include <stdlib.h>

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
