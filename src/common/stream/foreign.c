/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Feeds libcsv line by line, so that a refusal names its line. */
#include "common/stream/foreign.h"

#include <csv.h>

/* The record that libcsv is reading. */
struct reading {
	struct record *rec;
	size_t n, used;
	int end;           /* the character that ended it, or 0 */
	bool stray_return; /* libcsv ends a record there */
};

static void *
resize(void *memory, size_t size)
{
	return xreallocarray(memory, size, 1);
}

static void
begin(struct csv_parser *parser, unsigned char options, char separator)
{
	csv_init(parser, options);
	csv_set_realloc_func(parser, resize);
	csv_set_delim(parser, (unsigned char)separator);
}

/* For libcsv: blanks are part of a field, as RFC 4180 says. */
static int
is_no_blank(unsigned char c)
{
	(void)c;
	return 0;
}

static void
take_field(void *text, size_t length, void *data)
{
	struct reading *r = data;
	struct record *rec = r->rec;

	r->stray_return |= r->end == '\r';
	if (rec->copy_size <= r->used + length) {
		rec->copy_size = 2 * (r->used + length) + 64;
		rec->copy = xreallocarray(rec->copy, rec->copy_size, 1);
	}
	if (length)
		memcpy(rec->copy + r->used, text, length);
	r->used += length;
	rec->copy[r->used++] = '\0';
	r->n++;
}

static void
end_record(int character, void *data)
{
	struct reading *r = data;

	r->stray_return |= r->end == '\r' && character != '\n';
	/* An empty line is an empty field. */
	if (!r->n)
		take_field(NULL, 0, r);
	r->end = character;
}

bool
foreign_record_read(struct record *rec, struct lines *in, char separator)
{
	struct reading r = {.rec = rec};
	struct csv_parser parser;
	const char *line, *why = NULL;
	size_t length, all = 0;

	begin(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL, separator);
	csv_set_space_func(&parser, is_no_blank);
	while (!r.end && !why && (line = lines_next(in, &length))) {
		all += length;
		if (memchr(line, '\0', length))
			why = NUL_BYTE;
		else if (all > RECORD_MAX)
			why = LONG_RECORD;
		else if (csv_parse(&parser, line, length, take_field,
		                   end_record, &r) != length)
			why = STRAY_QUOTE;
	}
	if (!why && csv_fini(&parser, take_field, end_record, &r))
		why = OPEN_QUOTE;
	csv_free(&parser);
	if (r.stray_return)
		lines_die(in, NULL, STRAY_RETURN);
	if (why && !strcmp(why, STRAY_QUOTE))
		lines_die(in, NULL, "field %zu: %s", r.n + 1, why);
	if (why)
		lines_die(in, NULL, "%s", why);
	record_set(rec, rec->copy, r.n);
	return all;
}

void
foreign_line_read(struct record *rec, const char *line, char separator)
{
	struct reading r = {.rec = rec};
	struct csv_parser parser;

	begin(&parser, 0, separator);
	csv_parse(&parser, line, strlen(line), take_field, NULL, &r);
	csv_fini(&parser, take_field, NULL, &r);
	csv_free(&parser);
	record_set(rec, rec->copy, r.n);
}
