#include "common/record.h"

#include "common/swar.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

/* Any record: libcsv, one line at a time. ---------------------------------- */

/* Nothing is a space to be trimmed: fields are taken as they stand. */
static int
no_space(unsigned char c)
{
	(void)c;
	return 0;
}

void
record_init(struct record *rec)
{
	if (csv_init(&rec->csv, CSV_STRICT | CSV_STRICT_FINI))
		die("out of memory");
	csv_set_space_func(&rec->csv, no_space);
}

void
record_free(struct record *rec)
{
	csv_free(&rec->csv);
	free(rec->text);
	free(rec->field);
	free(rec->prefix);
}

static void
make_room(struct record *rec, size_t n)
{
	if (rec->max < n) {
		rec->max = 2 * n;
		rec->field =
		    xreallocarray(rec->field, rec->max, sizeof *rec->field);
	}
}

static void
on_field(void *text, size_t length, void *data)
{
	struct record *rec = data;

	make_room(rec, rec->n + 1);
	if (rec->size - rec->used <= length) {
		rec->size = 2 * rec->size + length + 1;
		rec->text =
		    xreallocarray(rec->text, rec->size + TABLE_SLACK, 1);
	}
	if (length)
		memcpy(rec->text + rec->used, text, length);
	rec->text[rec->used + length] = '\0';
	rec->field[rec->n++].length = length;
	rec->used += length + 1;
}

/* The text has its place now: it no longer grows. */
static void
on_record(int end, void *data)
{
	struct record *rec = data;
	const char *text = rec->text;

	(void)end;
	rec->done = true;
	for (size_t i = 0; i < rec->n; i++) {
		rec->field[i].text = text;
		text += rec->field[i].length + 1;
	}
}

static void
check_syntax(struct record *rec, const struct lines *in)
{
	int error = csv_error(&rec->csv);

	if (error == CSV_EPARSE)
		lines_die(in, NULL, "field %zu: a quote in the wrong place",
		          rec->n + 1);
	if (error)
		die("out of memory");
}

/*
 * Parses one line. A carriage return ends a record for libcsv wherever it
 * stands; so the line goes to it without its end first.
 */
static void
parse_line(struct record *rec, const struct lines *in, const char *line,
           size_t length)
{
	size_t body = length;

	body -= body && line[body - 1] == '\n';
	body -= body && line[body - 1] == '\r';
	csv_parse(&rec->csv, line, body, on_field, on_record, rec);
	check_syntax(rec, in);
	if (rec->done)
		lines_die(in, NULL,
		          "a carriage return in the middle of a line");
	csv_parse(&rec->csv, line + body, length - body, on_field, on_record,
	          rec);
	check_syntax(rec, in);
}

void
record_read(struct record *rec, struct lines *in, const char *line,
            size_t length, bool whole)
{
	size_t total = 0;

	rec->plain = false;
	rec->first = 0;
	rec->n = rec->used = 0;
	rec->done = false;
	if (line[0] == '\r')
		lines_die(in, NULL,
		          "a carriage return in the middle of a line");
	while (line) {
		total += length;
		if (total > TABLE_RECORD_MAX)
			lines_die(in, NULL, "a record of over 1 MiB");
		if (line[length - 1] != '\n' && whole)
			lines_die(in, NULL,
			          "the last line is cut off (the rows "
			          "before it are whole)");
		parse_line(rec, in, line, length);
		if (rec->done)
			return;
		line = lines_next(in, &length);
		if (line)
			lines_check(in, line, length);
	}
	if (csv_fini(&rec->csv, on_field, on_record, rec))
		lines_die(in, NULL, "a quote is opened and never closed");
}

/* Plain records: without quotes. ------------------------------------------- */

/* Ends a field at the comma; false if it is the last there may be. */
static bool
end_field(struct record *rec, size_t *i, size_t n, const char *comma)
{
	struct field *field = &rec->field[*i];

	field->length = (size_t)(comma - field->text);
	if (++*i == n)
		return false;
	field[1].text = comma + 1;
	return true;
}

static bool
ends_line(const char *p, const char *limit)
{
	return *p == '\n' || (*p == '\r' && p + 1 < limit && p[1] == '\n');
}

/*
 * Finds the ends of the fields from number `i` on, which begins at `from`,
 * and the end of the line, eight bytes at a time: all that ends something is
 * less than '-'. NULL where the line is not plain, has not n fields, or goes
 * on beyond `limit`.
 */
static const char *
find_fields(struct record *rec, const char *from, const char *limit, size_t i,
            size_t n)
{
	rec->field[i].text = from;
	for (const char *word = from; word < limit; word += 8) {
		uint64_t small = bytes_below(load_word(word), '-');

		for (; small; small &= small - 1) {
			const char *p = word + __builtin_ctzll(small) / 8;

			if (p >= limit)
				return NULL;
			if (*p == ',') {
				if (!end_field(rec, &i, n, p))
					return NULL;
			} else if (ends_line(p, limit)) {
				return end_field(rec, &i, n, p) ? NULL : p;
			} else if (*p == '"' || *p == '\r' || !*p) {
				return NULL;
			}
		}
	}
	return NULL;
}

static bool
same_field(const struct field *a, const struct field *b)
{
	size_t n = a->length;

	/* The last character is the quickest to differ, in a number. */
	return n == b->length && (!n || a->text[n - 1] == b->text[n - 1]) &&
	       !memcmp(a->text, b->text, n);
}

/* What the next line is expected to begin with: the first fields of this. */
static void
expect(struct record *rec, const char *line, size_t first)
{
	size_t length = (size_t)(rec->field[first].text - line);

	if (rec->prefix_size <= length) {
		rec->prefix_size = 2 * length + 1;
		rec->prefix = xreallocarray(rec->prefix, rec->prefix_size, 1);
	}
	memcpy(rec->prefix, line, length);
	rec->length = length;
	rec->first = first;
}

/* Whether the line begins as the record before did, up to field `first`. */
static bool
begins_alike(const struct record *rec, const struct lines *in)
{
	return rec->plain && rec->fills == in->fills && rec->length &&
	       in->end - in->pos > rec->length &&
	       !memcmp(in->buffer + in->pos, rec->prefix, rec->length);
}

/* Puts a NUL behind each field from number `i` on. */
static void
end_texts(const struct record *rec, char *line, size_t i, size_t n)
{
	for (; i < n; i++) {
		size_t at = (size_t)(rec->field[i].text - line);

		line[at + rec->field[i].length] = '\0';
	}
}

/* What begins other lines than rows; a row may, and is not plain then. */
static bool
begins_special(char c)
{
	return c == '#' || c == '\r' || c == '\n';
}

bool
record_take_plain(struct record *rec, struct lines *in, size_t n,
                  size_t *changed)
{
	char *line = in->buffer + in->pos;
	size_t first = begins_alike(rec, in) ? rec->first : 0;
	bool learns = rec->plain && rec->fills == in->fills && first + 1 < n;
	const char *end, *from = first ? line + rec->length : line;
	struct field before;
	bool crlf;

	if (in->pos == in->end || begins_special(*line))
		return false;
	make_room(rec, n + 1);
	before = rec->field[first];
	end = find_fields(rec, from, in->buffer + in->end, first, n);
	if (!end || (size_t)(end - line) >= TABLE_RECORD_MAX) {
		rec->plain = false;
		return false;
	}
	crlf = *end == '\r';
	*changed = first;
	if (learns && same_field(&before, &rec->field[first]))
		first++;
	if (first != *changed || first != rec->first)
		expect(rec, line, first);
	end_texts(rec, line, *changed, n);
	rec->n = n;
	rec->plain = true;
	rec->fills = in->fills;
	in->pos += (size_t)(end - line) + (crlf ? 2 : 1);
	in->next++;
	return true;
}
