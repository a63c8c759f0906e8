/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes results: pcb-csv(5), tables, JSON, Markdown, OpenMetrics. */
#include "common/stream/writer.h"

#include "common/base/number.h"
#include "common/base/utf8.h"
#include "common/base/util.h"
#include "common/stream/columns.h"
#include "common/stream/pretty_table.h"
#include "common/stream/table.h"

#include <ctype.h>
#include <math.h>
#include <unistd.h>

/* JSON --------------------------------------------------------------------- */

/*
 * Prints a text in quotes. U+FFFD replaces each byte that is no UTF-8. JSON
 * escapes all control characters, OpenMetrics only LF.
 */
static void
print_quoted(FILE *to, const char *text, bool json)
{
	size_t n;

	putc('"', to);
	for (; *text; text += n ? n : 1) {
		n = utf8_length(text);
		if (!n)
			fputs("\xef\xbf\xbd", to);
		else if (*text == '"' || *text == '\\')
			fprintf(to, "\\%c", *text);
		else if (json && iscntrl((unsigned char)*text))
			fprintf(to, "\\u%04x", (unsigned)*text);
		else if (*text == '\n')
			fputs("\\n", to);
		else
			fwrite(text, 1, n, to);
	}
	putc('"', to);
}

/* RFC 8259: no plus sign, no leading zero, digits on both sides of the point.
 */
static bool
is_json_number(const char *text)
{
	const char *first = text + (*text == '-'), *point = strchr(text, '.');
	double value;

	return !parse_number(text, &value) && isdigit((unsigned char)*first) &&
	       (*first != '0' || !isdigit((unsigned char)first[1])) &&
	       (!point || isdigit((unsigned char)point[1]));
}

void
print_json_member(FILE *to, const char *name, const char *text, bool number)
{
	print_quoted(to, name, true);
	putc(':', to);
	if (!*text)
		fputs("null", to);
	else if (number && is_json_number(text))
		fputs(text, to);
	else
		print_quoted(to, text, true);
}

/* OpenMetrics -------------------------------------------------------------- */

/* Units of metrics: a value is to be multiplied and divided by two numbers. */
static const struct base_unit {
	const char *unit, *base;
	double times, by;
} base_units[] = {
    {"ns", "seconds", 1, 1e9},
    {"gbit_s", "bytes_per_second", 1e9, 8},
    {"per_s", "per_second", 1, 1},
    {"pct", "ratio", 1, 100},
    {"", "", 1, 1},
};

/*
 * Prints a value with its key columns as labels, without empty ones. Promtool
 * accepts letters, digits and _ in their names, which replaces all else.
 */
static void
print_sample(const struct out *o, const char *metric, char *const row[],
             double value)
{
	char before = '{', text[NUMBER_MAX];

	fputs(metric, stdout);
	for (size_t i = 0; i < o->ncols; i++) {
		const char *p = o->name[i];

		if (!is_label(p) || !*row[i])
			continue;
		printf("%c%s", before, isdigit((unsigned char)*p) ? "_" : "");
		for (; *p; p++)
			putchar(isalnum((unsigned char)*p) ? *p : '_');
		putchar('=');
		print_quoted(stdout, row[i], false);
		before = ',';
	}
	*print_double(text, value) = '\0';
	printf("%s %s\n", before == ',' ? "}" : "", text);
}

/* A gauge for each column of values. */
static void
print_gauges(const struct out *o)
{
	for (size_t col = 0; col < o->ncols; col++) {
		const char *column = o->name[col], *unit = unit_of(column);
		const struct base_unit *b = base_units;
		char *name;

		if (is_label(column))
			continue;
		while (*b->unit && strcmp(unit, b->unit) != 0)
			b++;
		/* median_ns becomes pcb_median_seconds. */
		name = !strcmp(column, "n") ? xstrdup("pcb_samples")
		       : !*b->unit
		           ? xasprintf("pcb_%s", column)
		           : xasprintf("pcb_%.*s%s", (int)(unit - column),
		                       column, b->base);
		printf("# HELP %s The column %s of pcb-csv(5).\n"
		       "# TYPE %s gauge\n",
		       name, column, name);
		for (uintmax_t r = 0; r < o->rows; r++) {
			char *const *row = o->cell + r * o->ncols;
			double value;

			if (*row[col] && !parse_number(row[col], &value))
				print_sample(o, name, row,
				             value * b->times / b->by);
		}
		free(name);
	}
	puts("# EOF");
}

/* CSV ---------------------------------------------------------------------- */

void
print_csv_field(FILE *to, const char *text, bool first, bool alone)
{
	size_t plain = strcspn(text, ",\"\r\n");
	/* A reader would drop an unquoted byte order mark at a file's start. */
	bool quoted = text[plain] || (alone && !plain) ||
	              (first && (*text == '#' || (unsigned char)*text == 0xef));

	if (quoted)
		putc('"', to);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', to);
		putc_unlocked(*text, to);
	}
	if (quoted)
		putc('"', to);
}

/* JSON rows ---------------------------------------------------------------- */

static void
print_entries(const struct preamble *entries, bool numbers)
{
	for (size_t i = 0; entries && i < entries->n; i++) {
		putchar(',');
		print_json_member(stdout, entries->entry[i].key,
		                  entries->entry[i].value, numbers);
	}
}

/*
 * Goes to the next line of a document. The metadata are written late, so that a
 * program that fails before the first row has written nothing. They are texts.
 */
static void
json_next(struct out *o, const char *between)
{
	if (!o->begun && !o->no_preamble) {
		fputs("{\"meta\":{\"pcb-csv\":\"1\"", stdout);
		print_entries(o->preamble, false);
		fputs("},\"rows\":", stdout);
	}
	puts(o->begun ? between : "[");
	o->begun = true;
}

static void
json_finish(struct out *o, bool complete, const struct preamble *end)
{
	bool *number = xcalloc(o->ncols, sizeof *number);
	bool whole = o->format == FORMAT_JSON;

	for (size_t i = 0; i < o->ncols; i++)
		number[i] = holds_numbers(o->name[i]);
	for (size_t i = 0; i < o->ncells;) {
		if (whole)
			json_next(o, ",");
		for (size_t col = 0; col < o->ncols; col++) {
			putchar(col ? ',' : '{');
			print_json_member(stdout, o->name[col], o->cell[i++],
			                  number[col]);
		}
		fputs(whole ? "}" : "}\n", stdout);
	}
	free(number);
	if (!whole)
		return;
	json_next(o, "");
	putchar(']');
	if (!o->no_preamble) {
		printf(",\"end\":{\"rows\":%ju,\"complete\":\"%s\"", o->rows,
		       complete ? "yes" : "no");
		print_entries(end, true);
		fputs("}}", stdout);
	}
	putchar('\n');
}

/* All formats -------------------------------------------------------------- */

enum format
default_format(void)
{
	return isatty(STDOUT_FILENO) ? FORMAT_TABLE : FORMAT_CSV;
}

bool
is_table(const struct out *o)
{
	enum format format = o->format ? o->format : default_format();

	return format == FORMAT_TABLE || format == FORMAT_MD;
}

/* The preamble's name of a device, "" if none. Free it. */
static char *
device_name(const struct out *o, const char *device)
{
	char *key = xasprintf("; %s=", device);
	const char *at = *device ? strstr(o->device_names, key) : NULL;

	at = at ? at + strlen(key) : "";
	free(key);
	return xasprintf("%.*s", (int)strcspn(at, ";"), at);
}

static void
add_column(struct out *o, const char *name)
{
	if (key_set_intern_text(&o->columns, name) < o->ncols)
		die("two columns would be called '%s'", name);
	o->name[o->ncols++] = xstrdup(name);
}

void
out_begin(struct out *o, const char *const name[], size_t ncols)
{
	const char *names;

	if (o->format == FORMAT_DEFAULT)
		o->format = default_format();
	names = is_table(o) ? preamble_get(o->preamble, DEVICE_NAMES) : NULL;
	if (names && find_word("name", name, ncols) == ncols)
		o->device_names = xasprintf("; %s", names);
	o->name = xcalloc(ncols + 1, sizeof *o->name);
	for (size_t i = 0; i < ncols; i++) {
		add_column(o, name[i]);
		if (o->device_names && !strcmp(name[i], "device"))
			add_column(o, "name");
	}
	stream_begins();
	if (o->format == FORMAT_CSV) {
		if (!o->no_preamble) {
			printf("# pcb-csv: %d\n", o->constants ? 2 : 1);
			preamble_write(o->preamble, stdout);
		}
		if (o->constants)
			printf("# constant: %s\n", o->constants);
		for (size_t i = 0; i < ncols; i++)
			out_text(o, name[i]);
		o->rows = 0;
	}
	check_stdout();
}

static void
end_cell(struct out *o)
{
	bool last = ++o->column == o->ncols;

	if (o->format == FORMAT_CSV)
		putc_unlocked(last ? '\n' : ',', stdout);
	if (!last)
		return;
	o->column = 0;
	o->rows++;
	check_stdout();
}

/* Takes the text. */
static void
keep_cell(struct out *o, char *text)
{
	/* Room for twice as many at each power of two. */
	if (!(o->ncells & (o->ncells - 1)))
		o->cell =
		    xreallocarray(o->cell, 2 * o->ncells + 1, sizeof *o->cell);
	o->cell[o->ncells++] = text;
	end_cell(o);
}

void
out_text(struct out *o, const char *text)
{
	bool named = o->device_names && !strcmp(o->name[o->column], "device");

	if (o->format == FORMAT_CSV) {
		print_csv_field(stdout, text, !o->column, o->ncols == 1);
		end_cell(o);
		return;
	}
	keep_cell(o, xstrdup(text));
	if (named)
		keep_cell(o, device_name(o, text));
}

/* Text of a cell, for a number in the buffer. */
static const char *
out_cell_text(const struct out_cell *cell, char buffer[])
{
	char *end = buffer;

	if (cell->text)
		return cell->text;
	if (isfinite(cell->number))
		end = print_double(buffer, cell->number);
	*end = '\0';
	return buffer;
}

void
out_cells(struct out *o, const struct out_cell cell[])
{
	char buffer[NUMBER_MAX];

	for (; cell->name; cell++) {
		const char *text = out_cell_text(cell, buffer);

		if (!o->name) {
			array_push(o->names, o->nnames,
			           cell->measure && *o->unit
			               ? xasprintf("%s_%s", cell->name, o->unit)
			               : xstrdup(cell->name));
			array_push(o->first, o->nfirst, xstrdup(text));
		} else if (o->format == FORMAT_CSV && text == buffer && *text) {
			/* A number is never quoted. */
			while (*text)
				putc_unlocked(*text++, stdout);
			end_cell(o);
		} else {
			out_text(o, text);
		}
	}
}

void
out_end_row(struct out *o)
{
	if (o->name)
		return;
	out_begin(o, (const char *const *)o->names, o->nnames);
	for (size_t i = 0; i < o->nfirst; i++)
		out_text(o, o->first[i]);
}

/* Kept rows ---------------------------------------------------------------- */

void
keep_begin(struct kept *k)
{
	k->to = compose_begin(&k->text);
}

static void
keep_text(struct kept *k, const char *text)
{
	fwrite_unlocked(text, 1, strlen(text) + 1, k->to);
}

void
keep_row(struct kept *k, const struct table *t)
{
	for (size_t i = 0; i < t->ncols; i++)
		keep_text(k, t->field[i]);
	array_push(k->ncols, k->n, t->ncols);
}

void
keep_cells(struct kept *k, const struct out_cell cell[])
{
	char buffer[NUMBER_MAX];

	for (k->nadded = 0; cell->name; cell++) {
		k->added[k->nadded++] = cell->name;
		keep_text(k, out_cell_text(cell, buffer));
	}
}

void
keep_write(struct out *o, const struct table *t, struct kept *k)
{
	char *text = compose_end(&k->text, k->to), *at = text;

	for (size_t i = 0; i < k->n || !i; i++) {
		size_t ncols = k->n ? k->ncols[i] : 0;

		for (size_t c = 0; c < t->ncols; c++) {
			const char *name = t->name[c];

			if (find_word(name, k->added, k->nadded) == k->nadded)
				OUT(o, TEXT(name, c < ncols ? at : ""));
			at += c < ncols ? strlen(at) + 1 : 0;
		}
		for (size_t c = 0; c < k->nadded; c++) {
			OUT(o, TEXT(k->added[c], at));
			at += strlen(at) + 1;
		}
		if (k->n)
			out_end_row(o);
	}
	free(text);
	free(k->ncols);
}

/* Lines and ends ----------------------------------------------------------- */

void
out_lines(struct out *o, const char *text, size_t length, uintmax_t rows)
{
	const char *end = text + length, *stop;

	o->rows += rows;
	for (; text < end && o->format == FORMAT_JSON; text = stop + 1) {
		stop = memchr(text, '\n', (size_t)(end - text));
		json_next(o, ",");
		fwrite_unlocked(text, 1, (size_t)(stop - text), stdout);
	}
	fwrite_unlocked(text, 1, (size_t)(end - text), stdout);
	/* After kill -9, at most a part of these lines is missing. */
	fflush_unlocked(stdout);
	check_stdout();
}

void
out_finish(struct out *o, bool complete, const struct preamble *end)
{
	complete &= tables_complete();
	if (!o->name)
		out_begin(o, (const char *const *)o->names, o->nnames);
	if (o->format == FORMAT_CSV && !o->no_preamble) {
		printf("# end: rows=%ju complete=%s", o->rows,
		       complete ? "yes" : "no");
		for (size_t i = 0; end && i < end->n; i++)
			printf(" %s=%s", end->entry[i].key,
			       end->entry[i].value);
		putchar('\n');
	} else if (is_table(o) && o->rows)
		print_table(o);
	else if (o->format == FORMAT_OPENMETRICS)
		print_gauges(o);
	else if (o->format == FORMAT_JSON || o->format == FORMAT_JSONL)
		json_finish(o, complete, end);
	for (size_t i = 0; i < o->ncells; i++)
		free(o->cell[i]);
	for (size_t i = 0; i < o->ncols; i++)
		free(o->name[i]);
	for (size_t i = 0; i < o->nnames; i++) {
		free(o->names[i]);
		free(o->first[i]);
	}
	free(o->names);
	free(o->first);
	free(o->cell);
	free(o->name);
	key_set_free(&o->columns);
	free(o->device_names);
	fflush(stdout);
	check_stdout();
}
