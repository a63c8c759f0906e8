/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys and values of a preamble: set, merged, written. */
#include "common/stream/preamble.h"

#include "common/base/list.h"
#include "common/base/number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char tick_key[] = "clock_tick_ns";

static struct preamble_entry *
find(const struct preamble *pre, const char *key)
{
	for (size_t i = 0; i < pre->n; i++) {
		if (!strcmp(pre->entry[i].key, key))
			return &pre->entry[i];
	}
	return NULL;
}

const char *
preamble_get(const struct preamble *pre, const char *key)
{
	const struct preamble_entry *entry = find(pre, key);

	return entry ? entry->value : NULL;
}

static char *
without_controls(char *text)
{
	for (char *p = text; *p; p++) {
		if (iscntrl((unsigned char)*p))
			*p = '?';
	}
	return text;
}

void
preamble_set(struct preamble *pre, const char *key, const char *fmt, ...)
{
	struct preamble_entry *entry = find(pre, key);
	char *value;
	va_list ap;

	va_start(ap, fmt);
	value = xvasprintf(fmt, ap);
	va_end(ap);
	without_controls(value);
	if (entry) {
		free(entry->value);
		entry->value = value;
		return;
	}
	array_push(pre->entry, pre->n,
	           (struct preamble_entry){xstrdup(key), value});
}

static void
remove_at(struct preamble *pre, size_t i)
{
	free(pre->entry[i].key);
	free(pre->entry[i].value);
	pre->n--;
	memmove(pre->entry + i, pre->entry + i + 1,
	        (pre->n - i) * sizeof *pre->entry);
}

void
preamble_free(struct preamble *pre)
{
	while (pre->n)
		remove_at(pre, pre->n - 1);
	free(pre->entry);
	*pre = (struct preamble){0};
}

void
preamble_copy(struct preamble *into, const struct preamble *other)
{
	for (size_t i = 0; i < other->n; i++)
		preamble_set(into, other->entry[i].key, "%s",
		             other->entry[i].value);
}

double
preamble_tick_ns(const struct preamble *pre)
{
	const char *text = preamble_get(pre, tick_key);
	double tick = 0;

	return text && parse_number(text, &tick) ? 0 : tick;
}

void
preamble_intersect(struct preamble *into, const struct preamble *other)
{
	double own = preamble_tick_ns(into);
	double others = preamble_tick_ns(other);

	if (others > own)
		preamble_set(into, tick_key, "%s",
		             preamble_get(other, tick_key));
	for (size_t i = into->n; i--;) {
		const char *key = into->entry[i].key;
		const char *value = preamble_get(other, key);

		if ((own > 0 || others > 0) && !strcmp(key, tick_key))
			continue;
		if (!value || strcmp(value, into->entry[i].value) != 0)
			remove_at(into, i);
	}
}

void
preamble_add_command(struct preamble *pre)
{
	const char *before = preamble_get(pre, "command");

	preamble_set(pre, "command", "%s%s%s", before ? before : "",
	             before ? " | " : "", program_command);
}

void
preamble_note(struct preamble *pre, const char *key, const char *text,
              const char *of)
{
	const char *before = preamble_get(pre, key);

	preamble_set(pre, key, "%s%s%s (%s)", before ? before : "",
	             before ? "; " : "", text, of);
}

void
preamble_write(const struct preamble *pre, FILE *to)
{
	for (size_t i = 0; i < pre->n; i++)
		fprintf(to, "# %s: %s\n", pre->entry[i].key,
		        pre->entry[i].value);
}
