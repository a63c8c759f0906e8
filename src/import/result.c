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
	size_t size = strlen(text) + 1;

	if (c->size < size) {
		c->size = 2 * size;
		c->text = xreallocarray(c->text, c->size, 1);
	}
	memcpy(c->text, text, size);
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
		*r->column[i].text = '\0';
}

static void
append(struct result *r, const void *bytes, size_t length)
{
	if (r->size - r->length < length) {
		r->size = 2 * r->size + length;
		r->bytes = xreallocarray(r->bytes, r->size, 1);
	}
	memcpy(r->bytes + r->length, bytes, length);
	r->length += length;
}

void
result_end_row(struct result *r)
{
	append(r, &r->ncols, sizeof r->ncols);
	for (size_t i = 0; i < r->ncols; i++) {
		const char *text = r->column[i].text;

		append(r, text, strlen(text) + 1);
	}
	r->rows++;
}

static void
write_cell(struct out *o, const struct result_column *column, const char *text)
{
	if (column->computed && *text)
		out_double(o, strtod(text, NULL));
	else
		out_text(o, text);
}

/* Writes the row at `from` and returns where the next one is. */
static const char *
write_row(const struct result *r, const char *const label[], const char *from,
          struct out *o)
{
	size_t n;

	memcpy(&n, from, sizeof n);
	from += sizeof n;
	for (size_t i = 0; i < r->ncols; i++) {
		const char *text = i < n ? from : "";

		if (i < n)
			from += strlen(from) + 1;
		write_cell(o, &r->column[i], label[i] ? label[i] : text);
	}
	return from;
}

void
result_write(const struct result *r, const struct labels *labels, struct out *o)
{
	const char **name = xcalloc(r->ncols, sizeof *name);
	const char **label = xcalloc(r->ncols, sizeof *label);
	const char *row = r->bytes;

	for (size_t i = 0; i < r->ncols; i++) {
		name[i] = r->column[i].name;
		label[i] = labels_value(labels, name[i]);
	}
	out_begin(o, name, r->ncols);
	for (uintmax_t i = 0; i < r->rows; i++)
		row = write_row(r, label, row, o);
	free(name);
	free(label);
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
