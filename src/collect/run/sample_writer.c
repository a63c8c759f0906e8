/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/run/sample_writer.h"

#include <stdlib.h>
#include <string.h>

/* As much as a pipe holds: each write wakes the reader up, which takes time. */
#define BUFFER_SIZE ((size_t)1 << 20)

static bool
is_own_column(const struct rows *rows, const char *name)
{
	for (size_t i = 0; i < NIDENTITY; i++) {
		if (!strcmp(identity_names[i], name))
			return has_identity(rows->bench->initiator,
			                    (enum identity)i);
	}
	return false;
}

void
rows_begin(struct rows *rows, struct preamble *pre, bool no_preamble)
{
	const struct bench *bench = rows->bench;
	const char **name = xcalloc(
	    NIDENTITY + rows->labels->n + bench->nmeasures, sizeof *name);
	size_t n = 0;

	for (size_t i = 0; i < NIDENTITY; i++) {
		if (has_identity(bench->initiator, (enum identity)i))
			name[n++] = identity_names[i];
	}
	for (size_t i = 0; i < rows->labels->n; i++) {
		const struct label *label = &rows->labels->label[i];

		if (!is_own_column(rows, label->name))
			name[n++] = label->name;
	}
	for (size_t i = 0; i < bench->nmeasures; i++)
		name[n++] = bench->measures[i];
	rows->out = (struct out){
	    .format = FORMAT_CSV, .no_preamble = no_preamble, .preamble = pre};
	rows->buffer = xmalloc(BUFFER_SIZE);
	out_begin(&rows->out, name, n);
	free(name);
}

const char *
rows_identity(const struct rows *rows, const struct series *series,
              char *const fallback[NIDENTITY], enum identity column)
{
	const char *value = labels_value(rows->labels, identity_names[column]);

	if (value)
		return value;
	if (series->id[column])
		return series->id[column];
	return fallback[column] ? fallback[column] : "";
}

/* Appends a cell and its comma to the prefix. */
static void
add_to_prefix(struct rows *rows, const char *text)
{
	bool first = !rows->prefix_length;
	char *end;

	rows->prefix = xreallocarray(
	    rows->prefix, rows->prefix_length + 2 * strlen(text) + 3, 1);
	end = print_csv_field(rows->prefix + rows->prefix_length, text, first,
	                      false);
	*end++ = ',';
	rows->prefix_length = (size_t)(end - rows->prefix);
}

void
rows_series(struct rows *rows, const struct series *series,
            char *const fallback[NIDENTITY])
{
	rows->prefix_length = 0;
	for (size_t i = 0; i < NIDENTITY; i++) {
		enum identity column = (enum identity)i;

		if (has_identity(rows->bench->initiator, column))
			add_to_prefix(rows, rows_identity(rows, series,
			                                  fallback, column));
	}
	for (size_t i = 0; i < rows->labels->n; i++) {
		const struct label *label = &rows->labels->label[i];

		if (!is_own_column(rows, label->name))
			add_to_prefix(rows, label->value);
	}
}

/* A buffer that a long identity does not fit in is made larger. */
static size_t
buffer_for(struct rows *rows, size_t row)
{
	if (2 * row <= BUFFER_SIZE)
		return BUFFER_SIZE;
	rows->buffer = xreallocarray(rows->buffer, 2 * row, 1);
	return 2 * row;
}

void
rows_write(struct rows *rows, const uint64_t *raw, size_t n)
{
	const struct bench *bench = rows->bench;
	size_t row = rows->prefix_length + MEASURES_MAX + 1;
	size_t room = buffer_for(rows, row) - row;
	const char *limit = rows->buffer + room;
	char *end = rows->buffer;
	uintmax_t buffered = 0;

	for (size_t i = 0; i < n; i++) {
		memcpy(end, rows->prefix, rows->prefix_length);
		end += rows->prefix_length;
		end = bench->print(end, raw + i * bench->width);
		*end++ = '\n';
		buffered++;
		if (end > limit || i + 1 == n) {
			out_lines(&rows->out, rows->buffer,
			          (size_t)(end - rows->buffer), buffered);
			end = rows->buffer;
			buffered = 0;
		}
	}
}

void
rows_finish(struct rows *rows, bool complete, const struct preamble *end)
{
	out_finish(&rows->out, complete, end);
	free(rows->prefix);
	free(rows->buffer);
}
