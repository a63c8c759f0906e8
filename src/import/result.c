/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds the rows of the result until all input is read. */
#include "import/result.h"

#include "common/base/number.h"

#include <stdlib.h>
#include <string.h>

size_t
result_column(struct result *r, const char *name)
{
	size_t number = key_set_intern_text(&r->names, name);

	if (number < r->ncols)
		return number;
	r->column = xreallocarray(r->column, r->ncols + 1, sizeof *r->column);
	r->column[r->ncols] =
	    (struct result_column){.name = xstrdup(name), .text = xstrdup("")};
	return r->ncols++;
}

void
result_text(struct result *r, size_t col, const char *text)
{
	struct result_column *c = &r->column[col];
	size_t length = strlen(text);

	if (c->length == length && !memcmp(c->text, text, length))
		return;
	if (c->size <= length) {
		c->size = 2 * length + 1;
		c->text = xreallocarray(c->text, c->size, 1);
	}
	memcpy(c->text, text, length + 1);
	c->length = length;
	if (r->first > col)
		r->first = col;
}

void
result_u64(struct result *r, size_t col, uint64_t value)
{
	char text[NUMBER_MAX];

	*print_u64(text, value) = '\0';
	result_text(r, col, text);
}

void
result_double(struct result *r, size_t col, double value)
{
	char text[NUMBER_MAX];

	*print_double(text, value) = '\0';
	result_text(r, col, text);
	r->column[col].computed = true;
}

void
result_clear(struct result *r)
{
	for (size_t i = 0; i < r->ncols; i++)
		result_text(r, i, "");
}

/* Makes room for `length` more bytes. */
static char *
more_room(struct result *r, size_t length)
{
	if (r->size - r->length < length) {
		r->size = 2 * r->size + length;
		r->bytes = xreallocarray(r->bytes, r->size, 1);
	}
	return r->bytes + r->length;
}

/* A stored row: this, then the texts of these columns, each with its NUL. */
struct stored_row {
	uint32_t first, ncols;
};

void
result_end_row(struct result *r)
{
	struct stored_row row = {(uint32_t)r->first, (uint32_t)r->ncols};
	size_t length = sizeof row;
	char *to;

	for (size_t i = r->first; i < r->ncols; i++)
		length += r->column[i].length + 1;
	to = more_room(r, length);
	memcpy(to, &row, sizeof row);
	to += sizeof row;
	for (size_t i = r->first; i < r->ncols; i++) {
		memcpy(to, r->column[i].text, r->column[i].length + 1);
		to += r->column[i].length + 1;
	}
	r->length += length;
	r->rows++;
	r->first = r->ncols;
}

/* The row being written. */
struct row_writer {
	const struct result *result;
	const char *from;   /* next stored row */
	const char **cell;  /* texts of its columns */
	const char **label; /* override cells; or NULL */
	char *line;         /* of CSV */
	size_t *begin;      /* offset of each column in it */
	size_t size;
};

/* Takes the next row; returns the first column that differs. */
static size_t
next_row(struct row_writer *w)
{
	struct stored_row row;

	memcpy(&row, w->from, sizeof row);
	w->from += sizeof row;
	for (size_t i = row.first; i < row.ncols; i++) {
		w->cell[i] = w->from;
		w->from += strlen(w->from) + 1;
	}
	return row.first;
}

static const char *
text_of(const struct row_writer *w, size_t col)
{
	return w->label[col] ? w->label[col] : w->cell[col];
}

static void
write_cells(struct row_writer *w, struct out *o)
{
	for (size_t i = 0; i < w->result->ncols; i++) {
		const char *text = text_of(w, i);

		if (w->result->column[i].computed && *text)
			out_double(o, strtod(text, NULL));
		else
			out_text(o, text);
	}
}

/* Writes a line; columns before `first` are in it already. */
static void
write_line(struct row_writer *w, struct out *o, size_t first)
{
	size_t ncols = w->result->ncols;
	size_t end = w->begin[first];

	for (size_t i = first; i < ncols; i++) {
		const char *text = text_of(w, i);
		size_t most = end + 2 * strlen(text) + 3;
		char *to;

		if (w->size < most) {
			w->size = 2 * most;
			w->line = xreallocarray(w->line, w->size, 1);
		}
		w->begin[i] = end;
		to = print_csv_field(w->line + end, text, i == 0, ncols == 1);
		*to++ = i + 1 < ncols ? ',' : '\n';
		end = (size_t)(to - w->line);
	}
	w->begin[ncols] = end;
	out_lines(o, w->line, end, 1);
}

static void
write_rows(struct row_writer *w, struct out *o)
{
	for (uintmax_t i = 0; i < w->result->rows; i++) {
		size_t first = next_row(w);

		if (o->format == FORMAT_CSV)
			write_line(w, o, first);
		else
			write_cells(w, o);
	}
}

void
result_write(const struct result *r, const struct labels *labels, struct out *o)
{
	const char **name = xcalloc(r->ncols, sizeof *name);
	struct row_writer w = {
	    .result = r,
	    .from = r->bytes,
	    .cell = xcalloc(r->ncols, sizeof *w.cell),
	    .label = xcalloc(r->ncols, sizeof *w.label),
	    .begin = xcalloc(r->ncols + 1, sizeof *w.begin),
	};

	for (size_t i = 0; i < r->ncols; i++) {
		name[i] = r->column[i].name;
		w.cell[i] = "";
		w.label[i] = labels_value(labels, name[i]);
	}
	out_begin(o, name, r->ncols);
	write_rows(&w, o);
	free(name);
	free(w.cell);
	free(w.label);
	free(w.begin);
	free(w.line);
}

void
result_free(struct result *r)
{
	for (size_t i = 0; i < r->ncols; i++) {
		free(r->column[i].name);
		free(r->column[i].text);
	}
	free(r->column);
	key_set_free(&r->names);
	free(r->bytes);
	*r = (struct result){0};
}
