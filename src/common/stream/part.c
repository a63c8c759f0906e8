/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a stream that start with #: mark, preamble, end line. */
#include "common/stream/part.h"

#include "common/base/number.h"

#include <stdlib.h>
#include <string.h>

static const char part_mark[] = "# pcb-csv:";
static const char end_mark[] = "# end:";

void
part_begin(struct stream_part *p, bool ours)
{
	preamble_free(&p->preamble);
	p->ours = ours;
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
	if (strcmp(version, "1") != 0)
		lines_die(in, NULL, "pcb-csv version '%s': only 1 is supported",
		          version);
	return true;
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
