/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits a row into fields: a CSV record, or an object of JSON lines. */
#include "common/stream/record.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <jansson.h>

/* CSV ---------------------------------------------------------------------- */

void
record_free(struct record *rec)
{
	free(rec->field);
	free(rec->end);
	free(rec->lead);
	free(rec->copy);
	*rec = (struct record){0};
}

static inline void
add_field(struct record *rec, const char *field, char *end)
{
	if (rec->n == rec->max) {
		rec->max = 2 * rec->max + 16;
		rec->field =
		    xreallocarray(rec->field, rec->max, sizeof *rec->field);
		rec->end = xreallocarray(rec->end, rec->max, sizeof *rec->end);
	}
	rec->field[rec->n] = field;
	rec->end[rec->n++] = end;
}

void
record_set(struct record *rec, const char *text, size_t n)
{
	rec->next = NULL;
	rec->repeats = false;
	rec->word = 0;
	for (rec->n = 0; rec->n < n; text += strlen(text) + 1)
		add_field(rec, text, NULL);
}

/* The eight bytes at p, the first one in the lowest bits. */
static uint64_t
load_word(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/*
 * Sets the highest bit of each byte that is less than `limit`, at most 128.
 * Only the lowest set bit is reliable; higher ones may be wrong.
 */
static uint64_t
bytes_below(uint64_t word, unsigned char limit)
{
	const uint64_t each = UINT64_C(0x0101010101010101);

	return (word - each * limit) & ~word & (each << 7);
}

static const char carriage_return[] = STRAY_RETURN;
static const char nul_byte[] = NUL_BYTE;
static const char quote[] = STRAY_QUOTE;

static char *
refuse(struct record *rec, char *at, const char *why)
{
	rec->wrong = why;
	rec->wrong_at = at;
	return NULL;
}

/* The quote that ends the field opened at `open`; NULL as find_fields. */
static char *
find_closing(struct record *rec, char *open, const char *stop, char separator)
{
	char *p = open + 1;

	for (;; p++) {
		if (*p == '\n')
			rec->breaks++;
		else if (!*p)
			return p < stop ? refuse(rec, p, nul_byte) : NULL;
		else if (*p == '"' && p[1] != '"')
			break;
		else if (*p == '"')
			rec->escapes += *++p == '"';
	}
	if (p[1] && p[1] != separator && p[1] != '\n' && p[1] != '\r')
		return refuse(rec, p, quote);
	return p;
}

/*
 * Finds the fields from rec->n on, the first at `text`, and returns the end of
 * the last line. It looks at eight bytes at a time: every byte that ends
 * something is less than `limit`, also the NUL at `stop`, behind the input,
 * which ends a record if it is the `last` one. NULL if the record goes on
 * behind the input, or is no CSV: `wrong` says why.
 */
static char *
find_fields(struct record *rec, char *text, const char *stop, char separator,
            bool last)
{
	const unsigned char limit = separator == ';' ? '<' : '-';
	char *closing = NULL, *next;
	const char *field = text;

	rec->escapes = rec->breaks = 0;
	rec->wrong = NULL;
	for (char *word = text;; word = next) {
		uint64_t small = bytes_below(load_word(word), limit);

		next = word + 8;
		for (; small; small &= small - 1) {
			char *p = word + (unsigned)__builtin_ctzll(small) / 8;

			if (*p == separator) {
				add_field(rec, field, closing ? closing : p);
				closing = NULL;
				field = p + 1;
			} else if (*p == '\n' || (*p == '\r' && p[1] == '\n') ||
			           (last && p + (*p == '\r') == stop)) {
				add_field(rec, field, closing ? closing : p);
				return p;
			} else if (*p == '"' && p == field) {
				closing = find_closing(rec, p, stop, separator);
				if (!closing)
					return NULL;
				field++;
				next = closing + 1;
				break;
			} else if (*p == '"') {
				return refuse(rec, p, quote);
			} else if (*p == '\r' || !*p) {
				return p + (*p == '\r') == stop
				           ? NULL
				           : refuse(rec, p,
				                    *p ? carriage_return
				                       : nul_byte);
			}
		}
	}
}

/* Makes texts of the fields from `first` on, and goes behind their line. */
static void
finish_record(struct record *rec, struct lines *in, size_t first, char *end)
{
	in->next += 1 + rec->breaks;
	in->pos = (size_t)(end - in->buffer);
	in->pos += in->pos < in->end && *end == '\r';
	in->pos += in->pos < in->end;
	for (size_t i = first; i < rec->n; i++) {
		char *from = (char *)rec->field[i], *to = from;

		/* Only a field in quotes has them. */
		while (rec->escapes && from < rec->end[i]) {
			from += *from == '"';
			*to++ = *from++;
		}
		*(rec->escapes ? to : rec->end[i]) = '\0';
	}
}

/* Dies of a record that is no CSV; false if it lacks LF and must be whole. */
static bool
refuse_record(const struct record *rec, struct lines *in, bool whole)
{
	const char *rest;
	size_t length;

	in->pos = (size_t)(rec->wrong_at - in->buffer);
	rest = lines_next(in, &length);
	if (whole && (!rest || rest[length - 1] != '\n'))
		return false;
	if (rec->wrong != quote)
		lines_die(in, NULL, "%s", rec->wrong);
	lines_die(in, NULL, "field %zu: %s", rec->n + 1, quote);
}

bool
record_read(struct record *rec, struct lines *in, char separator, bool whole)
{
	bool last = false;
	size_t begin;
	char *end;

	for (;;) {
		rec->n = 0;
		end = find_fields(rec, in->buffer + in->pos,
		                  in->buffer + in->end, separator, last);
		if (end || rec->wrong)
			break;
		if (in->end - in->pos > RECORD_MAX)
			lines_die(in, NULL, LONG_RECORD);
		if (last)
			lines_die(in, NULL, OPEN_QUOTE);
		last = !lines_fill(in);
		if (last && (in->pos == in->end ||
		             (whole && in->buffer[in->end - 1] != '\n')))
			return false;
	}
	if (!end)
		return refuse_record(rec, in, whole);
	begin = in->pos;
	finish_record(rec, in, 0, end);
	if (in->pos - begin > RECORD_MAX)
		lines_die(in, NULL, LONG_RECORD);
	rec->next = NULL;
	rec->repeats = false;
	rec->word = 0;
	return true;
}

/* A field as a number, by word_of. */
static uint64_t
field_word(const char *text, const char *end)
{
	size_t length = (size_t)(end - text);

	if (!length || length > sizeof(uint64_t))
		return 0;
	return load_word(text) & UINT64_MAX >> (64 - 8 * length);
}

/* Keeps the text of the lead, for comparison with the next line. */
static void
keep_lead(struct record *rec, const char *line)
{
	const char *behind = rec->field[rec->lead_fields];

	rec->lead_length = (size_t)(behind - line);
	if (rec->lead_length && behind[-1] == '"')
		rec->lead_length--;
	if (rec->lead_size < rec->lead_length) {
		rec->lead_size = 2 * rec->lead_length;
		rec->lead = xreallocarray(rec->lead, rec->lead_size, 1);
	}
	if (rec->lead_length)
		memcpy(rec->lead, line, rec->lead_length);
}

bool
record_take(struct record *rec, struct lines *in, char separator, size_t n,
            size_t lead)
{
	char *line = in->buffer + in->pos, *end;
	size_t length = rec->lead_length;

	rec->repeats = rec->next == line && rec->lead_fields == lead &&
	               in->end - in->pos > length &&
	               (!length || !memcmp(line, rec->lead, length));
	rec->lead_fields = lead;
	rec->n = rec->repeats ? lead : 0;
	rec->next = NULL; /* also if no row is here: the buffer may move */
	if (*line == '#' || *line == '\r' || *line == '\n')
		return false;
	end = find_fields(rec, line + (rec->repeats ? length : 0),
	                  in->buffer + in->end, separator, false);
	if (!end || rec->n != n || end - line >= (ptrdiff_t)RECORD_MAX)
		return false;
	rec->word =
	    rec->escapes ? 0 : field_word(rec->field[n - 1], rec->end[n - 1]);
	if (!rec->repeats)
		keep_lead(rec, line);
	finish_record(rec, in, rec->repeats ? lead : 0, end);
	rec->next = rec->breaks ? NULL : in->buffer + in->pos;
	return true;
}

/*
 * The line feed of a plain record, whose fields behind `between` separators is
 * its last; sets that field. NULL if it is not plain.
 */
static char *
find_plain(char *text, char separator, size_t between, bool digits,
           struct plain *last)
{
	const unsigned char limit = separator == ';' ? '<' : '-';

	for (char *word = text;; word += 8) {
		uint64_t small = bytes_below(load_word(word), limit);

		for (; small; small &= small - 1) {
			char *p = word + (unsigned)__builtin_ctzll(small) / 8;
			bool digit = *text >= '0' && *text <= '9';

			if ((unsigned char)*p >= limit)
				continue;
			if (*p == separator && between && (digit || !digits)) {
				between--;
				text = p + 1;
			} else if (*p == '\n' && !between && digit) {
				*last =
				    (struct plain){text, field_word(text, p)};
				return p;
			} else {
				return NULL;
			}
		}
	}
}

size_t
record_take_run(struct record *rec, struct lines *in, char separator,
                bool digits, struct plain last[], size_t most)
{
	const char *stop = in->buffer + in->end;
	char *line = in->buffer + in->pos, *end;
	size_t length = rec->lead_length, n = 0;

	if (rec->next != line)
		return 0;
	while (n < most && stop - line > (ptrdiff_t)length &&
	       (!length || !memcmp(line, rec->lead, length)) &&
	       (end = find_plain(line + length, separator,
	                         rec->n - 1 - rec->lead_fields, digits,
	                         &last[n])) &&
	       end - line < (ptrdiff_t)RECORD_MAX) {
		*end = '\0';
		n++;
		line = end + 1;
	}
	in->next += n;
	in->pos = (size_t)(line - in->buffer);
	rec->next = line;
	return n;
}

/* JSON lines --------------------------------------------------------------- */

/* A value as text, a list as its items with blanks; false for others. */
static bool
print_cell(FILE *to, const json_t *value)
{
	bool list = json_is_array(value);
	size_t n = list ? json_array_size(value) : 1;

	for (size_t i = 0; i < n; i++) {
		const json_t *item = list ? json_array_get(value, i) : value;
		char number[NUMBER_MAX] = "";

		if (json_is_array(item) || json_is_object(item))
			return false;
		if (json_is_integer(item))
			sprintf(number, "%" JSON_INTEGER_FORMAT,
			        json_integer_value(item));
		else if (json_is_real(item))
			*print_double(number, json_real_value(item)) = '\0';
		fprintf(to, "%s%s", i ? " " : "",
		        json_is_string(item)  ? json_string_value(item)
		        : json_is_true(item)  ? "true"
		        : json_is_false(item) ? "false"
		                              : number);
	}
	return true;
}

const char *
json_line_parse(struct json_line *j, const char *line, size_t length)
{
	static char why[JSON_ERROR_TEXT_LENGTH + 80];
	json_error_t error;
	json_t *object =
	    json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
	struct composed names, values;
	FILE *to = compose_begin(&values), *name_to = compose_begin(&names);
	bool good = json_is_object(object);
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value)
	{
		fprintf(name_to, "%s%c", name, '\0');
		good = print_cell(to, value) && good;
		fputc('\0', to);
	}
	free(j->value);
	j->value = compose_end(&values, to);
	compose_end(&names, name_to);
	j->n = json_object_size(object);
	j->renamed = !j->name || names.length != j->length ||
	             memcmp(names.text, j->name, j->length) != 0;
	free(j->name);
	j->name = names.text;
	j->length = names.length;
	snprintf(why, sizeof why, "%s%s",
	         object ? "a cell is a text, a number or a list of these"
	                : "not a JSON object on one line, as jq -c writes it: ",
	         object ? "" : error.text);
	json_decref(object);
	if (good)
		return NULL;
	if (length && *line == '[')
		return "a JSON array: jq -c '.[]' makes lines of it";
	if (length > 8 && !memcmp(line, "{\"meta\":", 8))
		return "a document of -f json is not read back: use -f jsonl, "
		       "CSV, or jq -c '.rows[]'";
	return why;
}

void
json_line_free(struct json_line *j)
{
	free(j->name);
	free(j->value);
	*j = (struct json_line){0};
}
