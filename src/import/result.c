/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds the rows of the result until all input is read. */
#include "import/result.h"

#include "common/base/number.h"
#include "common/stream/swar.h"

#include <stdlib.h>
#include <string.h>

/* The most bytes that print_cell uses for a text. */
static size_t
most_of(size_t length)
{
	return 2 * length + 10;
}

size_t
result_column(struct result *r, const char *name)
{
	size_t number = key_set_intern_text(&r->names, name);
	struct result_column *added;

	if (number < r->ncols)
		return number;
	r->column = xreallocarray(r->column, r->ncols + 1, sizeof *r->column);
	added = &r->column[r->ncols];
	*added = (struct result_column){
	    .name = xstrdup(name),
	    .text = xcalloc(1, 8),
	    .size = 8,
	};
	if (r->labels)
		added->label = labels_value(r->labels, name);
	r->most += most_of(added->label ? strlen(added->label) : 0);
	return r->ncols++;
}

void
result_text(struct result *r, size_t col, const char *text)
{
	struct result_column *c = &r->column[col];
	size_t length = strlen(text);

	if (c->length == length && !memcmp(c->text, text, length))
		return;
	if (c->size < length + 8) {
		c->size = 2 * length + 8;
		c->text = xreallocarray(c->text, c->size, 1);
		r->most += most_of(c->size);
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

/*
 * A stored row: this, then the cells from `first` to ncols as CSV, each with a
 * comma behind it.
 */
struct stored_row {
	uint32_t first, ncols, length;
};

/*
 * Copies a text by words, unless CSV may escape one of its bytes: NULL then.
 * All bytes that CSV escapes are less than '-'. Up to 7 bytes behind both are
 * used.
 */
static char *
print_plain(char *to, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i += 8) {
		uint64_t word = load_word(text + i);

		store_word(to + i, word);
		if (length - i < 8)
			word |= UINT64_MAX << 8 * (length - i);
		if (bytes_below(word, '-'))
			return NULL;
	}
	return to + length;
}

/* Prints a column's cell and the comma. */
static char *
print_cell(char *to, const struct result_column *c, bool first)
{
	char *end = NULL;

	if (!c->label && !first)
		end = print_plain(to, c->text, c->length);
	if (!end)
		end = print_csv_field(to, c->label ? c->label : c->text, first,
		                      false);
	*end = ',';
	return end + 1;
}

void
result_end_row(struct result *r)
{
	struct stored_row row = {(uint32_t)r->first, (uint32_t)r->ncols, 0};
	char *begin = more_room(r, sizeof row + r->most);
	char *to = begin + sizeof row;

	for (size_t i = r->first; i < r->ncols; i++)
		to = print_cell(to, &r->column[i], i == 0);
	row.length = (uint32_t)(to - begin - (ptrdiff_t)sizeof row);
	memcpy(begin, &row, sizeof row);
	r->length += (size_t)(to - begin);
	r->rows++;
	r->first = r->ncols;
}

#define LINE_SIZE 256 /* at first */

/* The row being written. */
struct row_writer {
	const struct result *result;
	const char *from;    /* next stored row */
	char *line;          /* the row as stored, from its first column on */
	size_t length, size; /* of the line; of its memory */
	size_t col, at;      /* a column and its offset in the line */
	char *cell;          /* memory for one text */
};

/* Moves behind the cell at `at`. */
static void
skip_cell(struct row_writer *w)
{
	bool quoted = false;

	for (; quoted || w->line[w->at] != ','; w->at++)
		quoted ^= w->line[w->at] == '"';
	w->at++;
	w->col++;
}

static size_t
offset_of(struct row_writer *w, size_t col)
{
	if (col < w->col)
		w->col = w->at = 0;
	while (w->col < col)
		skip_cell(w);
	return w->at;
}

/* Makes the next row; returns the number of columns that it lacks. */
static size_t
next_row(struct row_writer *w)
{
	struct stored_row row;
	size_t lacks, most;

	memcpy(&row, w->from, sizeof row);
	w->from += sizeof row;
	w->length = offset_of(w, row.first);
	lacks = w->result->ncols - row.ncols;
	most = w->length + row.length + lacks;
	if (w->size < most) {
		w->size = 2 * most;
		w->line = xreallocarray(w->line, w->size, 1);
	}
	memcpy(w->line + w->length, w->from, row.length);
	w->length += row.length;
	w->from += row.length;
	return lacks;
}

/* The text of the cell at `at`. */
static const char *
text_at(const struct row_writer *w, size_t at)
{
	const char *from = w->line + at;
	bool quoted = *from == '"';
	char *to = w->cell;

	for (from += quoted; quoted || *from != ','; from++) {
		if (*from == '"' && *++from != '"')
			break;
		*to++ = *from;
	}
	*to = '\0';
	return w->cell;
}

static void
write_cells(struct row_writer *w, struct out *o, size_t lacks)
{
	size_t ncols = w->result->ncols;

	w->cell = xreallocarray(w->cell, w->length + 1, 1);
	for (size_t i = 0; i < ncols - lacks; i++) {
		const char *text = text_at(w, offset_of(w, i));

		if (w->result->column[i].computed && *text)
			out_double(o, strtod(text, NULL));
		else
			out_text(o, text);
	}
	for (size_t i = 0; i < lacks; i++)
		out_text(o, "");
}

/* A row of one empty cell would be an empty line. */
static void
write_line(struct row_writer *w, struct out *o, size_t lacks)
{
	size_t length = w->length + lacks;

	if (length == 1) {
		out_lines(o, "\"\"\n", 3, 1);
		return;
	}
	memset(w->line + w->length, ',', lacks);
	w->line[length - 1] = '\n';
	out_lines(o, w->line, length, 1);
	w->line[length - 1] = ',';
}

static void
write_rows(struct row_writer *w, struct out *o)
{
	for (uintmax_t i = 0; i < w->result->rows; i++) {
		size_t lacks = next_row(w);

		if (o->format == FORMAT_CSV)
			write_line(w, o, lacks);
		else
			write_cells(w, o, lacks);
	}
}

void
result_write(const struct result *r, struct out *o)
{
	const char **name = xcalloc(r->ncols, sizeof *name);
	struct row_writer w = {
	    .result = r,
	    .from = r->bytes,
	    .line = xmalloc(LINE_SIZE),
	    .size = LINE_SIZE,
	};

	for (size_t i = 0; i < r->ncols; i++)
		name[i] = r->column[i].name;
	out_begin(o, name, r->ncols);
	write_rows(&w, o);
	free(name);
	free(w.line);
	free(w.cell);
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
