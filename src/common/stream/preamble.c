/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metadata: the lines of a stream that start with #. */
#include "common/stream/preamble.h"

#include "common/base/number.h"

#include <ctype.h>

/* Preamble: "# key: value" ------------------------------------------------- */

const char *
preamble_get(const struct preamble *pre, const char *key)
{
	size_t i = key_set_find_text(&pre->keys, key);

	return i < pre->n ? pre->entry[i].value : NULL;
}

void
preamble_set(struct preamble *pre, const char *key, const char *fmt, ...)
{
	size_t i = key_set_intern_text(&pre->keys, key);
	char *value;
	va_list ap;

	va_start(ap, fmt);
	value = xvasprintf(fmt, ap);
	va_end(ap);
	for (char *p = value; *p; p++) {
		if (iscntrl((unsigned char)*p))
			*p = '?';
	}
	if (i == pre->n)
		array_push(pre->entry, pre->n,
		           (struct preamble_entry){xstrdup(key), NULL});
	free(pre->entry[i].value);
	pre->entry[i].value = value;
}

void
preamble_free(struct preamble *pre)
{
	for (size_t i = 0; i < pre->n; i++) {
		free(pre->entry[i].key);
		free(pre->entry[i].value);
	}
	free(pre->entry);
	key_set_free(&pre->keys);
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
preamble_number(const struct preamble *pre, const char *key)
{
	const char *text = preamble_get(pre, key);
	double number;

	return text && !parse_number(text, &number) ? number : 0;
}

void
preamble_intersect(struct preamble *into, const struct preamble *other)
{
	const struct preamble *coarse =
	    preamble_number(other, CLOCK_TICK) >
	            preamble_number(into, CLOCK_TICK)
	        ? other
	        : into;
	struct preamble both = {0};

	for (size_t i = 0; i < into->n; i++) {
		const struct preamble_entry *entry = &into->entry[i];
		const char *value = preamble_get(other, entry->key);
		uint64_t a, b;

		if (value &&
		    list_has("interrupts,involuntary_switches", entry->key) &&
		    !parse_integer(value, &a) &&
		    !parse_integer(entry->value, &b))
			preamble_set(&both, entry->key, "%ju",
			             (uintmax_t)(a + b));
		else if (value && !strcmp(value, entry->value))
			preamble_set(&both, entry->key, "%s", value);
	}
	if (preamble_number(coarse, CLOCK_TICK) > 0)
		preamble_set(&both, CLOCK_TICK, "%s",
		             preamble_get(coarse, CLOCK_TICK));
	preamble_free(into);
	*into = both;
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
