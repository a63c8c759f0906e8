/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints samples into a buffer, each after the text of its identity. */
#include "collect/run/sample_writer.h"

#include "common/base/util.h"
#include "common/stream/columns.h"
#include "common/stream/writer.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER_SIZE ((size_t)1 << 17)

void
sample_writer_begin(struct sample_writer *writer, struct preamble *pre,
                    bool no_preamble)
{
	const struct bench *bench = writer->bench;
	const char **name = xcalloc(
	    NIDENTITY + writer->labels->n + bench->nmeasures, sizeof *name);
	size_t n = 0;

	writer->name = name;
	for (size_t i = 0; i < NIDENTITY; i++) {
		if (has_identity(writer->group, (enum identity)i))
			name[n++] = identity_names[i];
	}
	for (size_t i = 0, own = n; i < writer->labels->n; i++) {
		const char *label = writer->labels->label[i].name;

		if (find_word(label, name, own) == own)
			name[n++] = label;
	}
	writer->nkeys = n;
	for (size_t i = 0; i < bench->nmeasures; i++)
		name[n++] = bench->measures[i];
	writer->out =
	    (struct out){.format = writer->json ? FORMAT_JSONL : FORMAT_CSV,
	                 .no_preamble = no_preamble,
	                 .preamble = pre};
	out_begin(&writer->out, name, n);
}

const char *
sample_writer_key(const struct sample_writer *writer,
                  const struct series *series,
                  char *const default_id[NIDENTITY], const char *name)
{
	const char *value = labels_value(writer->labels, name);
	size_t i = find_word(name, identity_names, NIDENTITY);

	if (!value && i < NIDENTITY)
		value = series->id[i] ? series->id[i] : default_id[i];
	return value ? value : "";
}

void
sample_writer_series(struct sample_writer *writer, const struct series *series,
                     char *const default_id[NIDENTITY])
{
	struct composed composed;
	FILE *to = compose_begin(&composed);

	for (size_t i = 0; i < writer->nkeys; i++) {
		const char *name = writer->name[i];
		const char *text =
		    sample_writer_key(writer, series, default_id, name);
		char *cell;

		if (writer->json) {
			putc(i ? ',' : '{', to);
			print_json_member(to, name, text, !is_text_key(name));
		} else {
			cell = xmalloc(2 * strlen(text) + 3);
			*print_csv_field(cell, text, !i, false) = '\0';
			fprintf(to, "%s%s", i ? "," : "", cell);
			free(cell);
		}
	}
	putc(',', to);
	free(writer->prefix);
	writer->prefix = compose_end(&composed, to);
	writer->prefix_length = strlen(writer->prefix);
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
	size_t size = 2 * row > BUFFER_SIZE ? 2 * row : BUFFER_SIZE;
	char *end = writer->buffer = xreallocarray(writer->buffer, size, 1);
	const char *limit = writer->buffer + size - row;
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
	free(writer->name);
	free(writer->prefix);
	free(writer->buffer);
}
