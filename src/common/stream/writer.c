/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes results as CSV, a table or JSON lines. */
#include "common/stream/writer.h"

#include "common/base/number.h"
#include "common/base/terminal_size.h"
#include "common/base/utf8.h"
#include "common/stream/column_role.h"
#include "common/stream/openmetrics.h"
#include "common/stream/pretty_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const format_names[] = {
    [FORMAT_CSV] = "csv",
    [FORMAT_TABLE] = "table",
    [FORMAT_JSONL] = "jsonl",
    [FORMAT_MD] = "md",
};

bool
parse_format(const char *name, enum format *format)
{
	for (size_t i = FORMAT_CSV; i < ARRAY_LEN(format_names); i++) {
		if (!strcmp(name, format_names[i])) {
			*format = (enum format)i;
			return true;
		}
	}
	return false;
}

enum format
default_format(void)
{
	return isatty(STDOUT_FILENO) ? FORMAT_TABLE : FORMAT_CSV;
}

static void
put(const char *text, size_t length)
{
	if (fwrite_unlocked(text, 1, length, stdout) != length)
		check_stdout();
}

/* CSV ---------------------------------------------------------------------- */

/* The number of leading bytes that need no escape. */
static size_t
plain_length(const char *text)
{
	size_t n = 0;

	while (text[n] != ',' && text[n] != '"' && text[n] != '\r' &&
	       text[n] != '\n' && text[n])
		n++;
	return n;
}

/* For a text whose first `plain` bytes need no escape. */
static bool
needs_quotes(const char *text, size_t plain, bool first, bool alone)
{
	/* A reader would drop an unquoted byte order mark at a file's start. */
	if (first && (*text == '#' || (unsigned char)*text == 0xef))
		return true;
	return text[plain] || (alone && !*text);
}

char *
print_csv_field(char *to, const char *text, bool first, bool alone)
{
	if (!needs_quotes(text, plain_length(text), first, alone))
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

/* Appends the separator behind the cell, and writes both. */
static void
csv_put(const struct out *o, const char *text, char *end)
{
	*end++ = o->column + 1 < o->ncols ? ',' : '\n';
	put(text, (size_t)(end - text));
}

static void
csv_cell(const struct out *o, const char *text)
{
	bool alone = o->ncols == 1;
	char some[256];
	size_t plain = plain_length(text);
	char *buffer;

	if (plain < sizeof some &&
	    !needs_quotes(text, plain, !o->column, alone)) {
		csv_put(o, some, mempcpy(some, text, plain));
		return;
	}
	buffer = xmalloc(2 * strlen(text) + 3);
	csv_put(o, buffer, print_csv_field(buffer, text, !o->column, alone));
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

/* JSON must be UTF-8: U+FFFD replaces each invalid byte. */
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
 * Whether a column is written as numbers: by its name, or, if that does not
 * decide, if all of its cells are numbers.
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

/* {"preamble":{...}}, with all values as texts. */
static void
json_begin(const struct out *o)
{
	fputs("{\"preamble\":{\"pcb-csv\":\"1\"", stdout);
	for (size_t i = 0; i < o->preamble->n; i++) {
		putchar(',');
		json_cell(o->preamble->entry[i].key,
		          o->preamble->entry[i].value, false);
	}
	fputs("}}\n", stdout);
}

static void
json_end(const struct out *o, bool complete, const struct preamble *end)
{
	printf("{\"end\":{\"rows\":%ju,\"complete\":\"%s\"", o->rows,
	       complete ? "yes" : "no");
	for (size_t i = 0; end && i < end->n; i++) {
		putchar(',');
		json_cell(end->entry[i].key, end->entry[i].value, true);
	}
	fputs("}}\n", stdout);
}

static void
json_finish(const struct out *o, bool complete, const struct preamble *end)
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
	if (!o->no_preamble)
		json_end(o, complete, end);
}

/* All formats -------------------------------------------------------------- */

void
out_begin(struct out *o, const char *const name[], size_t ncols)
{
	stream_begins();
	if (o->format == FORMAT_DEFAULT)
		o->format = default_format();
	o->name = xcalloc(ncols, sizeof *o->name);
	o->ncols = ncols;
	for (size_t i = 0; i < ncols; i++)
		o->name[i] = xstrdup(name[i]);
	if (o->format == FORMAT_CSV)
		csv_begin(o);
	else if (o->format == FORMAT_JSONL && !o->no_preamble)
		json_begin(o);
	check_stdout();
}

static void
keep_cell(struct out *o, const char *text)
{
	if (o->ncells == o->max) {
		o->max = 2 * o->max + 64;
		o->cell = xreallocarray(o->cell, o->max, sizeof *o->cell);
	}
	o->cell[o->ncells++] = xstrdup(text);
}

static void
end_cell(struct out *o)
{
	if (++o->column == o->ncols) {
		o->column = 0;
		o->rows++;
	}
}

void
out_text(struct out *o, const char *text)
{
	if (o->format == FORMAT_CSV)
		csv_cell(o, text);
	else
		keep_cell(o, text);
	end_cell(o);
}

/* A number, which CSV never quotes; `text` has room for one more byte. */
static void
out_number(struct out *o, char text[NUMBER_MAX], char *end)
{
	if (o->format == FORMAT_CSV) {
		csv_put(o, text, end);
		end_cell(o);
	} else {
		*end = '\0';
		out_text(o, text);
	}
}

void
out_u64(struct out *o, uint64_t value)
{
	char text[NUMBER_MAX];

	out_number(o, text, print_u64(text, value));
}

void
out_value(struct out *o, double value)
{
	char text[NUMBER_MAX];

	out_number(o, text, print_double(text, value));
}

void
out_double(struct out *o, double value)
{
	if (isfinite(value))
		out_value(o, value);
	else
		out_text(o, "");
}

void
out_lines(struct out *o, const char *text, size_t length, uintmax_t rows)
{
	put(text, length);
	o->rows += rows;
}

static bool
may_colour(void)
{
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) &&
	       !(terminal && !strcmp(terminal, "dumb"));
}

static void
write_table(const struct out *o)
{
	const bool md = o->format == FORMAT_MD;

	print_table(&(struct pretty_table){
	    .name = o->name,
	    .ncols = o->ncols,
	    .cell = o->cell,
	    .rows = o->rows,
	    .width = md ? 0 : terminal_size().columns,
	    .colour = !md && may_colour(),
	    .markdown = md,
	    .bytes = o->bytes,
	});
}

void
out_finish(struct out *o, bool complete, const struct preamble *end)
{
	if (o->format == FORMAT_CSV)
		csv_finish(o, complete, end);
	else if (o->format == FORMAT_TABLE || o->format == FORMAT_MD)
		write_table(o);
	else if (o->format == FORMAT_OPENMETRICS)
		openmetrics_print(o->name, o->ncols, o->cell, o->rows);
	else if (o->format == FORMAT_JSONL)
		json_finish(o, complete, end);
	for (size_t i = 0; i < o->ncells; i++)
		free(o->cell[i]);
	for (size_t i = 0; i < o->ncols; i++)
		free(o->name[i]);
	free(o->cell);
	free(o->name);
	fflush(stdout);
	check_stdout();
}
