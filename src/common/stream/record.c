/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits a row into fields: a CSV record, or an object of JSON lines. */
#include "common/stream/record.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <jansson.h>

/* Any record: libcsv, one line at a time. ---------------------------------- */

/* Fields keep their spaces: no character counts as one. */
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
	/* libcsv grows its buffer by this, and copies it each time. */
	csv_set_blk_size(&rec->csv, RECORD_MAX / 16);
}

void
record_free(struct record *rec)
{
	csv_free(&rec->csv);
	free(rec->text);
	free(rec->field);
	free(rec->end);
	free(rec->lead);
}

static void
make_room(struct record *rec, size_t n)
{
	if (rec->max < n) {
		rec->max = 2 * n;
		rec->field =
		    xreallocarray(rec->field, rec->max, sizeof *rec->field);
		rec->end = xreallocarray(rec->end, rec->max, sizeof *rec->end);
	}
}

void
record_set(struct record *rec, const char *text, size_t n)
{
	make_room(rec, n);
	for (size_t i = 0; i < n; i++) {
		rec->field[i] = text;
		text += strlen(text) + 1;
	}
	rec->n = n;
	rec->next = NULL;
}

static void
on_field(void *text, size_t length, void *data)
{
	struct record *rec = data;

	make_room(rec, rec->n + 1);
	if (rec->size - rec->used <= length) {
		rec->size = 2 * rec->size + length + 1;
		rec->text = xreallocarray(rec->text, rec->size, 1);
	}
	if (length)
		memcpy(rec->text + rec->used, text, length);
	rec->text[rec->used + length] = '\0';
	rec->n++;
	rec->used += length + 1;
}

/* The text no longer grows, so pointers into it are valid. */
static void
on_record(int end, void *data)
{
	struct record *rec = data;

	(void)end;
	rec->done = true;
	record_set(rec, rec->text, rec->n);
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
 * Parses one line. For libcsv a carriage return ends a record anywhere, so it
 * gets the line without its end first.
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

bool
record_read(struct record *rec, struct lines *in, const char *line,
            size_t length, bool whole)
{
	size_t total = 0;

	rec->next = NULL;
	rec->n = rec->used = 0;
	rec->done = false;
	if (line[0] == '\r')
		lines_die(in, NULL,
		          "a carriage return in the middle of a line");
	while (line) {
		total += length;
		if (total > RECORD_MAX)
			lines_die(in, NULL, "a record of over 1 MiB");
		if (line[length - 1] != '\n' && whole) {
			csv_free(&rec->csv);
			record_init(rec);
			return false;
		}
		parse_line(rec, in, line, length);
		if (rec->done)
			return true;
		line = lines_next(in, &length);
		if (line)
			lines_check(in, line, length);
	}
	if (csv_fini(&rec->csv, on_field, on_record, rec))
		lines_die(in, NULL, "a quote is opened and never closed");
	return true;
}

/* Plain records: without quotes and line ends in fields. ------------------- */

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

static bool
ends_line(const char *p)
{
	return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

/*
 * The quote that ends the field opened at `open`. NULL if the field is not
 * plain, or the next byte does not end a field.
 */
static char *
find_closing(char *open)
{
	char *p = open + 1;

	while (*p != '"' && *p != '\n' && *p != '\r' && *p)
		p++;
	if (*p != '"' || (p[1] != ',' && !ends_line(p + 1)))
		return NULL;
	return p;
}

/*
 * Finds n fields, the first at `text`, their ends and the end of the line,
 * eight bytes at a time: every byte that ends something is less than '-', also
 * the NUL behind the input. NULL if the line is not plain or has another number
 * of fields.
 */
static char *
find_fields(const char *field[], char *field_end[], size_t n, char *text)
{
	char *closing = NULL, *next;
	size_t i = 0;

	*field = text;
	for (char *word = text;; word = next) {
		uint64_t small = bytes_below(load_word(word), '-');

		next = word + 8;
		for (; small; small &= small - 1) {
			char *p = word + (unsigned)__builtin_ctzll(small) / 8;

			if (*p == ',') {
				field_end[i] = closing ? closing : p;
				closing = NULL;
				if (++i == n)
					return NULL;
				field[i] = p + 1;
			} else if (ends_line(p)) {
				field_end[i] = closing ? closing : p;
				return i + 1 == n ? p : NULL;
			} else if (*p == '"' && p == field[i]) {
				closing = find_closing(p);
				if (!closing)
					return NULL;
				field[i]++;
				next = closing + 1;
				break;
			} else if (*p == '"' || *p == '\r' || !*p) {
				return NULL;
			}
		}
	}
}

/* Keeps the text before the last field, for comparison with the next line. */
static void
keep_lead(struct record *rec, const char *line)
{
	const char *last = rec->field[rec->n - 1];

	rec->lead_length = (size_t)(last - line);
	if (rec->lead_length && last[-1] == '"')
		rec->lead_length--;
	if (rec->lead_size < rec->lead_length) {
		rec->lead_size = 2 * rec->lead_length;
		rec->lead = xreallocarray(rec->lead, rec->lead_size, 1);
	}
	if (rec->lead_length)
		memcpy(rec->lead, line, rec->lead_length);
}

bool
record_take_plain(struct record *rec, struct lines *in, size_t n)
{
	char *line = in->buffer + in->pos, *end;
	size_t lead = rec->lead_length, first = 0;
	bool repeats;

	/* It may be no row; a row that starts so is not plain. */
	if (*line == '#' || *line == '\r' || *line == '\n')
		return false;
	make_room(rec, n);
	repeats = rec->next == line && in->end - in->pos > lead &&
	          (!lead || !memcmp(line, rec->lead, lead));
	if (repeats)
		first = n - 1;
	else
		lead = 0;
	end = find_fields(&rec->field[first], &rec->end[first], n - first,
	                  line + lead);
	rec->next = NULL;
	if (!end || end - line >= (ptrdiff_t)RECORD_MAX)
		return false;
	rec->n = n;
	rec->repeats = repeats;
	rec->next = end + (*end == '\r' ? 2 : 1);
	if (!repeats)
		keep_lead(rec, line);
	for (size_t i = first; i < n; i++)
		*rec->end[i] = '\0';
	in->pos = (size_t)(rec->next - in->buffer);
	in->next++;
	return true;
}

/* JSON lines --------------------------------------------------------------- */

/* A string, number, true, false or null as text; false for others. */
static bool
print_scalar(FILE *to, const json_t *value)
{
	char number[NUMBER_MAX] = "";

	if (json_is_integer(value))
		fprintf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		*print_double(number, json_real_value(value)) = '\0';
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "true" : "false", to);
	else if (json_is_string(value))
		fputs(json_string_value(value), to);
	fputs(number, to);
	return !json_is_array(value) && !json_is_object(value);
}

/* ["a","b"] as "a b"; false if an item is no scalar. */
static bool
print_cell(FILE *to, const json_t *value)
{
	bool good = json_is_array(value) || print_scalar(to, value);
	const json_t *item;
	size_t i;

	json_array_foreach(value, i, item)
	{
		if (i)
			fputc(' ', to);
		good = print_scalar(to, item) && good;
	}
	return good;
}

const char *
json_line_parse(struct json_line *j, const char *line, size_t length)
{
	json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
	struct composed names, values;
	FILE *to = compose_begin(&values), *name_to = compose_begin(&names);
	bool good = true;
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
	if (j->renamed) {
		free(j->name);
		j->name = names.text;
		j->length = names.length;
	} else {
		free(names.text);
	}
	if (length > 8 && !memcmp(line, "{\"meta\":", 8))
		name = "a document of -f json is not read back: use -f jsonl, "
		       "CSV, or jq -c '.rows[]'";
	else if (length && *line == '[')
		name = "a JSON array: jq -c '.[]' makes lines of it";
	else if (!json_is_object(object))
		name = "not a JSON object on one line, as jq -c writes it";
	else
		name = good ? NULL
		            : "an object in a row: a cell is a text, a number "
		              "or a list of these";
	json_decref(object);
	return name;
}

void
json_line_free(struct json_line *j)
{
	free(j->name);
	free(j->value);
	*j = (struct json_line){0};
}
