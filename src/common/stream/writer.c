/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/stream/writer.h"

#include "common/base/number.h"
#include "common/base/utf8.h"
#include "common/stream/column_role.h"
#include "common/stream/pretty_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const format_names[] = {
    [FORMAT_CSV] = "csv",
    [FORMAT_TABLE] = "table",
    [FORMAT_JSONL] = "jsonl",
};

bool
parse_format(const char *name, enum format *format)
{
	size_t n = find_word(name, format_names, ARRAY_LEN(format_names));

	if (n == ARRAY_LEN(format_names))
		return false;
	*format = (enum format)n;
	return true;
}

enum format
default_format(void)
{
	return isatty(STDOUT_FILENO) ? FORMAT_TABLE : FORMAT_CSV;
}

static void
put(const char *text, size_t length)
{
	if (fwrite(text, 1, length, stdout) != length)
		check_stdout();
}

/* CSV ---------------------------------------------------------------------- */

static bool
needs_quotes(const char *text, bool first, bool alone)
{
	/* An unquoted UTF-8 byte order mark would be lost at a file's start. */
	if (first && (*text == '#' || (unsigned char)*text == 0xef))
		return true;
	return text[strcspn(text, ",\"\r\n")] || (alone && !*text);
}

char *
print_csv_field(char *to, const char *text, bool first, bool alone)
{
	if (!needs_quotes(text, first, alone))
		return stpcpy(to, text);
	*to++ = '"';
	for (; *text; text++) {
		if (*text == '"')
			*to++ = '"';
		*to++ = *text;
	}
	*to++ = '"';
	return to;
}

static void
csv_cell(const struct out *o, const char *text)
{
	char *buffer = xmalloc(2 * strlen(text) + 3);
	char *end = print_csv_field(buffer, text, !o->column, o->ncols == 1);

	*end++ = o->column + 1 < o->ncols ? ',' : '\n';
	put(buffer, (size_t)(end - buffer));
	free(buffer);
}

static void
csv_begin(struct out *o)
{
	if (!o->no_preamble) {
		put("# pcb-csv: 1\n", 13);
		preamble_write(o->preamble, stdout);
	}
	for (o->column = 0; o->column < o->ncols; o->column++)
		csv_cell(o, o->name[o->column]);
	o->column = 0;
}

static void
csv_finish(const struct out *o, bool complete, const struct preamble *end)
{
	if (o->no_preamble)
		return;
	printf("# end: rows=%ju complete=%s", o->rows, complete ? "yes" : "no");
	for (size_t i = 0; end && i < end->n; i++)
		printf(" %s=%s", end->entry[i].key, end->entry[i].value);
	putchar('\n');
}

/* JSON lines --------------------------------------------------------------- */

/* Bytes that are no UTF-8 would make it no JSON: U+FFFD stands for each. */
static void
json_string(const char *text)
{
	size_t n;

	putchar('"');
	for (; *text; text += n ? n : 1) {
		n = utf8_length(text);
		if (!n)
			fputs("\xef\xbf\xbd", stdout);
		else if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if (n == 1 && (*text < 0x20 || *text == 0x7f))
			printf("\\u%04x", (unsigned)*text);
		else
			put(text, n);
	}
	putchar('"');
}

/* The grammar of RFC 8259: no plus sign, no leading zero, digits around '.' */
static bool
is_json_number(const char *text)
{
	size_t n;

	text += *text == '-';
	n = strspn(text, "0123456789");
	if (!n || (n > 1 && *text == '0'))
		return false;
	text += n;
	if (*text == '.') {
		n = strspn(text + 1, "0123456789");
		if (!n)
			return false;
		text += n + 1;
	}
	if (*text == 'e' || *text == 'E') {
		text += 1 + (text[1] == '-' || text[1] == '+');
		n = strspn(text, "0123456789");
		if (!n)
			return false;
		text += n;
	}
	return !*text;
}

/*
 * Whether the cells of a column are written as numbers: by its name, and if
 * that does not tell, whether all cells of the output are numbers.
 */
static bool
is_number_column(const struct out *o, size_t col)
{
	const char *name = o->name[col];

	if (!is_identity(name) || is_numeric_key(name) ||
	    is_bare_statistic(name))
		return true;
	if (is_text_key(name))
		return false;
	for (uintmax_t row = 0; row < o->rows; row++) {
		const char *text = o->cell[row * o->ncols + col];

		if (*text && !is_json_number(text))
			return false;
	}
	return true;
}

/* "a b" as ["a","b"]. */
static void
json_list(const char *text)
{
	char *copy = xstrdup(text), *rest = *copy ? copy : NULL;
	bool more = false;

	putchar('[');
	while (rest) {
		if (more)
			putchar(',');
		json_string(strsep(&rest, " "));
		more = true;
	}
	putchar(']');
	free(copy);
}

static void
json_cell(const char *name, const char *text, bool number)
{
	json_string(name);
	putchar(':');
	if (!strcmp(name, "benches"))
		json_list(text);
	else if (!*text)
		fputs("null", stdout);
	else if (number && is_json_number(text))
		fputs(text, stdout);
	else
		json_string(text);
}

static void
json_finish(const struct out *o)
{
	bool *number = xcalloc(o->ncols, sizeof *number);

	for (size_t i = 0; i < o->ncols; i++)
		number[i] = is_number_column(o, i);
	for (uintmax_t row = 0; row < o->rows; row++) {
		for (size_t i = 0; i < o->ncols; i++) {
			putchar(i ? ',' : '{');
			json_cell(o->name[i], o->cell[row * o->ncols + i],
			          number[i]);
		}
		fputs("}\n", stdout);
	}
	free(number);
}

/* All formats -------------------------------------------------------------- */

void
out_begin(struct out *o, const char *const name[], size_t ncols)
{
	o->name = xcalloc(ncols, sizeof *o->name);
	o->ncols = ncols;
	for (size_t i = 0; i < ncols; i++)
		o->name[i] = xstrdup(name[i]);
	if (o->format == FORMAT_CSV)
		csv_begin(o);
	check_stdout();
}

/* Numbers that another program has computed are as long as they can be. */
static bool
round_text(const struct out *o, const char *text, char rounded[ROUNDED_MAX])
{
	const char *point = strchr(text, '.');
	double value;

	if (!point || strlen(point) <= 7 || is_identity(o->name[o->column]) ||
	    parse_number(text, &value))
		return false;
	round_for_table(rounded, value);
	return true;
}

static void
keep_cell(struct out *o, const char *text)
{
	char rounded[ROUNDED_MAX];

	if (o->ncells == o->max) {
		o->max = 2 * o->max + 64;
		o->cell = xreallocarray(o->cell, o->max, sizeof *o->cell);
	}
	if (o->format == FORMAT_TABLE && round_text(o, text, rounded))
		text = rounded;
	o->cell[o->ncells++] = xstrdup(text);
}

void
out_text(struct out *o, const char *text)
{
	if (o->format == FORMAT_CSV)
		csv_cell(o, text);
	else
		keep_cell(o, text);
	if (++o->column == o->ncols) {
		o->column = 0;
		o->rows++;
	}
}

void
out_u64(struct out *o, uint64_t value)
{
	char text[NUMBER_MAX];

	*print_u64(text, value) = '\0';
	out_text(o, text);
}

void
out_double(struct out *o, double value)
{
	char text[NUMBER_MAX];

	if (!isfinite(value))
		*text = '\0';
	else if (o->format == FORMAT_TABLE)
		round_for_table(text, value);
	else
		*print_double(text, value) = '\0';
	out_text(o, text);
}

void
out_lines(struct out *o, const char *text, size_t length, uintmax_t rows)
{
	put(text, length);
	o->rows += rows;
}

void
out_finish(struct out *o, bool complete, const struct preamble *end)
{
	if (o->format == FORMAT_CSV)
		csv_finish(o, complete, end);
	else if (o->format == FORMAT_TABLE)
		print_table(o->name, o->ncols, o->cell, o->rows);
	else
		json_finish(o);
	for (size_t i = 0; i < o->ncells; i++)
		free(o->cell[i]);
	for (size_t i = 0; i < o->ncols; i++)
		free(o->name[i]);
	free(o->cell);
	free(o->name);
	fflush(stdout);
	check_stdout();
}
