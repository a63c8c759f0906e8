#include "common/record.h"

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
	free(rec->start);
	free(rec->prefix);
}

static void
on_field(void *text, size_t length, void *data)
{
	struct record *rec = data;

	if (rec->n == rec->max) {
		rec->max = 2 * rec->max + 16;
		rec->start =
		    xreallocarray(rec->start, rec->max, sizeof *rec->start);
	}
	if (rec->size - rec->used <= length) {
		rec->size = 2 * rec->size + length + 1;
		rec->text = xreallocarray(rec->text, rec->size, 1);
	}
	if (length)
		memcpy(rec->text + rec->used, text, length);
	rec->text[rec->used + length] = '\0';
	rec->start[rec->n++] = rec->used;
	rec->used += length + 1;
}

static void
on_record(int end, void *data)
{
	struct record *rec = data;

	(void)end;
	rec->done = true;
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

/* Bytes that a plain field cannot hold; the comma ends it. */
static const bool is_special[256] = {
    ['\0'] = true, ['\r'] = true, ['"'] = true, [','] = true};

/* Whether the line begins as the row before did, up to the field `first`. */
static bool
begins_alike(const struct record *rec, const char *line, size_t length)
{
	return rec->plain && length >= rec->length &&
	       !memcmp(line, rec->prefix, rec->length);
}

/*
 * Copies a field to where the row before had it, up to the comma or the end
 * of the line; *same tells if it was there already.
 */
static size_t
copy_field(char *to, const char *from, const char *end, bool *same)
{
	const char *p = from;
	unsigned char differ = 0;

	for (; p < end && !is_special[(unsigned char)*p]; p++, to++) {
		differ |= (unsigned char)(*p ^ *to);
		*to = *p;
	}
	differ |= (unsigned char)*to;
	*to = '\0';
	*same = *same && !differ;
	return (size_t)(p - from);
}

/*
 * Splits the line from its field `changed` on. False where it is not plain or
 * has not n fields; the record is spoilt then.
 */
static bool
split(struct record *rec, const char *line, size_t length, size_t n,
      size_t changed)
{
	const char *end = line + length;
	size_t at = changed ? rec->start[changed] : 0;
	bool same = rec->plain;

	rec->plain = false;
	rec->first = changed;
	for (size_t i = changed;; i++) {
		same = same && rec->start[i] == at;
		rec->start[i] = at;
		at += copy_field(rec->text + at, line + at, end, &same);
		if (same && i + 1 < n)
			rec->first = i + 1;
		if (i + 1 == n)
			return line + at == end;
		if (line + at == end || line[at++] != ',')
			return false;
	}
}

/* What the next line is expected to begin with: what this one shares. */
static void
expect(struct record *rec, const char *line, size_t length)
{
	if (rec->prefix_size <= length) {
		rec->prefix_size = 2 * length + 1;
		rec->prefix = xreallocarray(rec->prefix, rec->prefix_size, 1);
	}
	memcpy(rec->prefix, line, length);
	rec->length = length;
}

/* Room for a line and for its fields. */
static void
make_room(struct record *rec, size_t length, size_t n)
{
	if (rec->size <= length) {
		rec->size = 2 * length + 1;
		rec->text = xreallocarray(rec->text, rec->size, 1);
		rec->plain = false;
	}
	if (rec->max < n) {
		rec->max = n;
		rec->start =
		    xreallocarray(rec->start, rec->max, sizeof *rec->start);
	}
}

bool
record_read_plain(struct record *rec, const char *line, size_t length, size_t n,
                  size_t *changed)
{
	if (*line == '#' || *line == '\r' || line[length - 1] != '\n')
		return false;
	length--;
	length -= length && line[length - 1] == '\r';
	if (!length)
		return false;
	make_room(rec, length, n);
	*changed = begins_alike(rec, line, length) ? rec->first : 0;
	if (!split(rec, line, length, n, *changed))
		return false;
	rec->n = n;
	if (!*changed || rec->first != *changed)
		expect(rec, line, rec->start[rec->first]);
	rec->plain = true;
	return true;
}
