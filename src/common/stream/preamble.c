/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metadata: the lines of a stream that start with #. */
#include "common/stream/preamble.h"

#include "common/base/number.h"
#include "common/stream/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Preamble: "# key: value" ------------------------------------------------- */

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

void
preamble_set(struct preamble *pre, const char *key, const char *fmt, ...)
{
	struct preamble_entry *entry = find(pre, key);
	char *value;
	va_list ap;

	va_start(ap, fmt);
	value = xvasprintf(fmt, ap);
	va_end(ap);
	for (char *p = value; *p; p++) {
		if (iscntrl((unsigned char)*p))
			*p = '?';
	}
	if (entry) {
		free(entry->value);
		entry->value = value;
		return;
	}
	array_push(pre->entry, pre->n,
	           (struct preamble_entry){xstrdup(key), value});
}

void
preamble_free(struct preamble *pre)
{
	for (size_t i = 0; i < pre->n; i++) {
		free(pre->entry[i].key);
		free(pre->entry[i].value);
	}
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

/* Counts of a run: those of several runs are added. */
static bool
is_count(const char *key)
{
	return !strcmp(key, "interrupts") ||
	       !strcmp(key, "involuntary_switches");
}

void
preamble_intersect(struct preamble *into, const struct preamble *other)
{
	double own = preamble_tick_ns(into);
	double others = preamble_tick_ns(other);
	struct preamble both = {0};

	if (others > own)
		preamble_set(into, tick_key, "%s",
		             preamble_get(other, tick_key));
	for (size_t i = 0; i < into->n; i++) {
		const struct preamble_entry *entry = &into->entry[i];
		const char *value = preamble_get(other, entry->key);
		uint64_t a, b;
		bool merged =
		    (own > 0 || others > 0) && !strcmp(entry->key, tick_key);

		if (value && is_count(entry->key) &&
		    !parse_integer(value, &a) &&
		    !parse_integer(entry->value, &b))
			preamble_set(&both, entry->key, "%ju",
			             (uintmax_t)(a + b));
		else if (merged || (value && !strcmp(value, entry->value)))
			preamble_set(&both, entry->key, "%s", entry->value);
	}
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

/* Parts: mark, preamble and end line --------------------------------------- */

static const char part_mark[] = "# pcb-csv:";
static const char end_mark[] = "# end:";

void
part_begin(struct stream_part *p, bool ours)
{
	preamble_free(&p->preamble);
	p->ours = ours;
	p->compact = p->compact && ours;
	p->in_rows = false;
	p->ended = false;
	p->rows = 0;
}

void
part_free(struct stream_part *p)
{
	preamble_free(&p->preamble);
	preamble_free(&p->end_keys);
	free(p->rest);
}

static bool
starts_with(const char *line, size_t length, const char *mark)
{
	size_t n = strlen(mark);

	return length >= n && !memcmp(line, mark, n);
}

/*
 * A copy of the line behind its first `skip` bytes, without the line end. It is
 * valid until the next call.
 */
static char *
rest_of(struct stream_part *p, const char *line, size_t length, size_t skip)
{
	while (length > skip &&
	       (line[length - 1] == '\n' || line[length - 1] == '\r'))
		length--;
	length -= skip;
	p->rest = xreallocarray(p->rest, length + 1, 1);
	memcpy(p->rest, line + skip, length);
	p->rest[length] = '\0';
	return p->rest;
}

bool
part_is_mark(struct stream_part *p, const struct lines *in, const char *line,
             size_t length)
{
	const char *version;

	if (!starts_with(line, length, part_mark))
		return false;
	version = rest_of(p, line, length, sizeof part_mark - 1);
	version += strspn(version, " ");
	p->compact = !strcmp(version, "2");
	if (!p->compact && strcmp(version, "1") != 0)
		lines_die(in, NULL,
		          "pcb-csv version '%s': only 1 and 2 are supported",
		          version);
	return true;
}

size_t
part_constants(const char *line, size_t length)
{
	static const char mark[] = "# constant: ";

	return starts_with(line, length, mark) ? sizeof mark - 1 : 0;
}

void
part_take_comment(struct stream_part *p, const char *line, size_t length)
{
	char *text, *colon;

	if (!p->ours || !starts_with(line, length, "# "))
		return;
	text = rest_of(p, line, length, 2);
	colon = strstr(text, ": ");
	if (colon) {
		*colon = '\0';
		preamble_set(&p->preamble, text, "%s", colon + 2);
	}
}

bool
part_failed(const struct stream_part *p, const char *line, size_t length)
{
	return !p->ours && length == strlen(FAILED_STREAM) &&
	       starts_with(line, length, FAILED_STREAM);
}

static void
take_end_word(struct stream_part *p, const struct lines *in, char *word)
{
	size_t length = strcspn(word, "=");
	const char *value = word + length + 1;

	if (!word[length])
		lines_die(in, NULL, "'%s' in an end line is not key=value",
		          word);
	word[length] = '\0';
	if (!strcmp(word, "rows")) {
		uint64_t rows;
		const char *why = parse_integer(value, &rows);

		if (why)
			lines_die(in, NULL, "rows=%s: %s", value, why);
		p->end_rows = rows;
	} else if (!strcmp(word, "complete")) {
		p->end_complete = !strcmp(value, "yes");
		if (!p->end_complete && strcmp(value, "no") != 0)
			lines_die(in, NULL, "complete=%s: not yes or no",
			          value);
	} else {
		preamble_set(&p->end_keys, word, "%s", value);
	}
}

bool
part_take_end(struct stream_part *p, const struct lines *in, const char *line,
              size_t length)
{
	char *rest, *word;

	if (!starts_with(line, length, end_mark))
		return false;
	if (line[length - 1] != '\n')
		lines_die(in, NULL, "the last line is cut off");
	p->ended = true;
	p->end_complete = false;
	p->end_rows = p->rows;
	rest = rest_of(p, line, length, sizeof end_mark - 1);
	while ((word = strsep(&rest, " "))) {
		if (*word)
			take_end_word(p, in, word);
	}
	return true;
}

bool
part_is_whole(const struct stream_part *p, const char *file)
{
	bool cut = p->ours && !p->ended;
	bool stopped = p->ended && !p->end_complete;
	bool miscounted = p->ended && p->end_rows != p->rows;

	if (cut)
		warn("%s: the stream was cut short after %ju rows", file,
		     p->rows);
	if (stopped)
		warn("%s: the collection was stopped before its end", file);
	if (miscounted)
		warn("%s: %ju rows, but its end line says %ju", file, p->rows,
		     p->end_rows);
	return !cut && !stopped && !miscounted;
}

uint64_t
part_count(const struct stream_part *p)
{
	const char *text = preamble_get(&p->preamble, "parts");
	uint64_t n;

	return text && !parse_integer(text, &n) ? n : 1;
}
