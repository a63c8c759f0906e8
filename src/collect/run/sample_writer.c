/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints samples into a buffer, each after the text of its identity. */
#include "collect/run/sample_writer.h"

#include "common/stream/columns.h"
#include "common/stream/writer.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER_SIZE ((size_t)1 << 17)

static bool
is_own_column(const struct sample_writer *writer, const char *name)
{
	for (size_t i = 0; i < NIDENTITY; i++) {
		if (!strcmp(identity_names[i], name))
			return has_identity(writer->group, (enum identity)i);
	}
	return false;
}

void
sample_writer_begin(struct sample_writer *writer, struct preamble *pre,
                    bool no_preamble)
{
	const struct bench *bench = writer->bench;
	const char **name = xcalloc(
	    NIDENTITY + writer->labels->n + bench->nmeasures, sizeof *name);
	size_t n = 0;

	for (size_t i = 0; i < NIDENTITY; i++) {
		if (has_identity(writer->group, (enum identity)i))
			name[n++] = identity_names[i];
	}
	for (size_t i = 0; i < writer->labels->n; i++) {
		const struct label *label = &writer->labels->label[i];

		if (!is_own_column(writer, label->name))
			name[n++] = label->name;
	}
	for (size_t i = 0; i < bench->nmeasures; i++)
		name[n++] = bench->measures[i];
	writer->out =
	    (struct out){.format = writer->json ? FORMAT_JSONL : FORMAT_CSV,
	                 .no_preamble = no_preamble,
	                 .preamble = pre};
	writer->buffer = xmalloc(BUFFER_SIZE);
	out_begin(&writer->out, name, n);
	free(name);
}

const char *
sample_writer_identity(const struct sample_writer *writer,
                       const struct series *series,
                       char *const default_id[NIDENTITY], enum identity column)
{
	const char *value =
	    labels_value(writer->labels, identity_names[column]);

	if (value)
		return value;
	if (series->id[column])
		return series->id[column];
	return default_id[column] ? default_id[column] : "";
}

static void
print_csv_cell(FILE *to, const char *text, bool first)
{
	char *cell = xmalloc(2 * strlen(text) + 3);
	char *end = print_csv_field(cell, text, first, false);

	fwrite(cell, 1, (size_t)(end - cell), to);
	free(cell);
}

/* Writes a cell of the prefix and its comma. */
static void
add_to_prefix(const struct sample_writer *writer, FILE *to, bool first,
              const char *name, const char *text)
{
	if (writer->json) {
		if (first)
			putc('{', to);
		print_json_member(to, name, text, !is_text_key(name));
	} else {
		print_csv_cell(to, text, first);
	}
	putc(',', to);
}

void
sample_writer_series(struct sample_writer *writer, const struct series *series,
                     char *const default_id[NIDENTITY])
{
	struct composed text;
	FILE *to = compose_begin(&text);
	bool first = true;

	for (size_t i = 0; i < NIDENTITY; i++) {
		enum identity column = (enum identity)i;

		if (!has_identity(writer->group, column))
			continue;
		add_to_prefix(
		    writer, to, first, identity_names[i],
		    sample_writer_identity(writer, series, default_id, column));
		first = false;
	}
	for (size_t i = 0; i < writer->labels->n; i++) {
		const struct label *label = &writer->labels->label[i];

		if (!is_own_column(writer, label->name))
			add_to_prefix(writer, to, first, label->name,
			              label->value);
	}
	free(writer->prefix);
	writer->prefix = compose_end(&text, to);
	writer->prefix_length = strlen(writer->prefix);
}

/* Enlarges the buffer if a long identity does not fit. */
static size_t
buffer_for(struct sample_writer *writer, size_t row)
{
	if (2 * row <= BUFFER_SIZE)
		return BUFFER_SIZE;
	writer->buffer = xreallocarray(writer->buffer, 2 * row, 1);
	return 2 * row;
}

/* Longest name of a measure, with quotes and colon. */
#define JSON_NAME_MAX 32

/* Prints the measures of a sample as the last members of an object. */
static char *
print_members(char *to, const struct bench *bench, const uint64_t *sample)
{
	char cells[MEASURES_MAX + 1];
	char *cell = cells;

	*bench->print(cells, sample) = '\0';
	for (size_t i = 0; i < bench->nmeasures; i++) {
		const char *text = strsep(&cell, ",");

		to += sprintf(to, "\"%s\":%s%c", bench->measures[i],
		              *text ? text : "null",
		              i + 1 < bench->nmeasures ? ',' : '}');
	}
	return to;
}

void
sample_writer_write(struct sample_writer *writer, const uint64_t *raw, size_t n)
{
	const struct bench *bench = writer->bench;
	size_t row = writer->prefix_length + MEASURES_MAX +
	             bench->nmeasures * JSON_NAME_MAX + 1;
	size_t room = buffer_for(writer, row) - row;
	const char *limit = writer->buffer + room;
	char *end = writer->buffer;
	uintmax_t buffered = 0;

	for (size_t i = 0; i < n; i++) {
		memcpy(end, writer->prefix, writer->prefix_length);
		end += writer->prefix_length;
		if (writer->json)
			end = print_members(end, bench, raw + i * bench->width);
		else
			end = bench->print(end, raw + i * bench->width);
		*end++ = '\n';
		buffered++;
		if (end > limit || i + 1 == n) {
			out_lines(&writer->out, writer->buffer,
			          (size_t)(end - writer->buffer), buffered);
			end = writer->buffer;
			buffered = 0;
		}
	}
}

void
sample_writer_finish(struct sample_writer *writer, bool complete,
                     const struct preamble *end)
{
	out_finish(&writer->out, complete, end);
	free(writer->prefix);
	free(writer->buffer);
}
