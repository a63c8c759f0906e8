/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints samples into a buffer, each after the text of its identity. */
#include "collect/run/sample_writer.h"

#include "common/base/util.h"
#include "common/stream/columns.h"
#include "common/stream/writer.h"

#include <ctype.h>

#define BUFFER_SIZE ((size_t)1 << 17)

#define ALL 0xffu

/* The groups whose benches write a key column. */
static const struct {
	const char *name;
	unsigned groups;
} columns[NIDENTITY] = {
    [ID_HOST] = {"host", ALL},
    [ID_RUN] = {"run", ALL},
    [ID_KIND] = {"kind", ALL},
    [ID_BENCH] = {"bench", ALL},
    [ID_DEVICE] = {"device", ALL ^ BENCH_COUNTERS},
    [ID_LINK] = {"link", BENCH_DMA | BENCH_PIO | BENCH_NIC_LOOP | BENCH_WINDOW},
    [ID_PARENT] = {"parent", BENCH_PIO | BENCH_LINKS | BENCH_WINDOW},
    [ID_ACCESS] = {"access", BENCH_PIO | BENCH_WINDOW},
    [ID_REGISTER] = {"register", BENCH_PIO | BENCH_WINDOW},
    [ID_STORE] = {"store", BENCH_WINDOW},
    [ID_TLPS] = {"tlps", BENCH_WINDOW},
    [ID_INTERFACE] = {"interface", BENCH_DMA},
    [ID_SIZE] = {"size_bytes", BENCH_DMA | BENCH_WINDOW},
    [ID_OFFSET] = {"offset_bytes", BENCH_DMA},
    [ID_WINDOW] = {"window_bytes", BENCH_DMA | BENCH_WINDOW},
    [ID_PATTERN] = {"pattern", BENCH_DMA},
    [ID_CACHE] = {"cache", BENCH_DMA | BENCH_NIC_LOOP},
    [ID_NODE] = {"node", BENCH_DMA},
    [ID_IOMMU] = {"iommu", BENCH_DMA},
    [ID_PAGE] = {"page_bytes", BENCH_DMA},
    [ID_IDLE] = {"idle_us", BENCH_DMA | BENCH_PIO | BENCH_WINDOW},
    [ID_IDLE_BY] = {"idle_by", BENCH_DMA | BENCH_PIO | BENCH_WINDOW},
    [ID_SOCKET] = {"socket", BENCH_COUNTERS},
    [ID_UNIT] = {"unit", BENCH_COUNTERS},
    [ID_PART] = {"part", BENCH_COUNTERS},
    [ID_EVENT] = {"event", BENCH_COUNTERS},
    [ID_END] = {"end", BENCH_LINKS},
    [ID_WHAT] = {"what", BENCH_LINKS},
};

/* The text of a key column; "" if none. */
static const char *
sample_writer_key(const struct sample_writer *writer,
                  const struct series *series, const char *name)
{
	const char *value = labels_value(writer->labels, name);
	size_t i = 0;

	while (i < NIDENTITY && strcmp(name, columns[i].name) != 0)
		i++;
	if (!value && i < NIDENTITY)
		value = series->id[i] ? series->id[i] : writer->default_id[i];
	return value ? value : "";
}

/* A line of the preamble holds no control characters. */
static bool
has_control(const char *text)
{
	while (*text && !iscntrl((unsigned char)*text))
		text++;
	return *text;
}

/* Whether all rows of a column have the text of the first series. */
static bool
is_constant(const struct sample_writer *writer, const char *name,
            const struct series series[], size_t n)
{
	static const char *const fixed[] = {"host", "kind", "bench", "device"};
	const char *text;

	if (writer->wide || !n)
		return false;
	text = sample_writer_key(writer, series, name);
	if (has_control(text))
		return false;
	for (size_t i = 1; i < n; i++) {
		if (strcmp(text, sample_writer_key(writer, &series[i], name)) !=
		    0)
			return false;
	}
	return !writer->many || labels_value(writer->labels, name) ||
	       find_word(name, fixed, ARRAY_LEN(fixed)) < ARRAY_LEN(fixed);
}

/*
 * The list of constants; the name alone of another column holds its place.
 * NULL if no column is constant.
 */
static char *
constants_list(const struct sample_writer *writer)
{
	size_t last = writer->nkeys;
	struct composed list;
	FILE *to;

	while (last && !writer->constant[last - 1])
		last--;
	if (!last)
		return NULL;
	to = compose_begin(&list);
	for (size_t i = 0; i < last; i++) {
		const char *text = writer->constant[i];
		char *item = xasprintf("%s%s%s", writer->name[i],
		                       text ? "=" : "", text ? text : "");

		fputs(i ? "," : "", to);
		print_csv_field(to, item, false, false);
		free(item);
	}
	return compose_end(&list, to);
}

void
sample_writer_begin(struct sample_writer *writer, struct preamble *pre,
                    bool no_preamble, const struct series series[], size_t n)
{
	const struct bench *bench = writer->bench;
	const char **name = xcalloc(
	    NIDENTITY + writer->labels->n + bench->nmeasures, sizeof *name);
	size_t ncols = 0, nout = 0;
	const char **in_rows;
	char *constants;

	writer->name = name;
	for (size_t i = 0; i < NIDENTITY; i++) {
		bool silence = i == ID_IDLE || i == ID_IDLE_BY;

		if (columns[i].groups & writer->group &&
		    (!silence || (n && series->id[i])))
			name[ncols++] = columns[i].name;
	}
	for (size_t i = 0, own = ncols; i < writer->labels->n; i++) {
		const char *label = writer->labels->label[i].name;

		if (find_word(label, name, own) == own)
			name[ncols++] = label;
	}
	writer->nkeys = ncols;
	writer->constant = xcalloc(ncols, sizeof *writer->constant);
	for (size_t i = 0; i < ncols; i++) {
		if (is_constant(writer, name[i], series, n))
			writer->constant[i] =
			    xstrdup(sample_writer_key(writer, series, name[i]));
	}
	for (size_t i = 0; i < bench->nmeasures; i++)
		name[ncols++] = bench->measures[i];
	constants = constants_list(writer);
	writer->out = (struct out){.format = writer->format,
	                           .no_preamble = no_preamble,
	                           .constants = constants,
	                           .preamble = pre};
	in_rows = xcalloc(ncols, sizeof *in_rows);
	for (size_t i = 0; i < ncols; i++) {
		if (i >= writer->nkeys || !writer->constant[i])
			in_rows[nout++] = name[i];
	}
	out_begin(&writer->out, in_rows, nout);
	free(in_rows);
	free(constants);
}

void
sample_writer_series(struct sample_writer *writer, const struct series *series)
{
	struct composed composed;
	FILE *to = compose_begin(&composed);
	size_t n = 0; /* cells so far */

	for (size_t i = 0; i < writer->nkeys; i++) {
		const char *name = writer->name[i];
		const char *text = sample_writer_key(writer, series, name);
		const char *constant = writer->constant[i];

		if (constant && strcmp(text, constant) != 0)
			die("%s changed from '%s' to '%s': --wide writes it in "
			    "each row",
			    name, constant, text);
		if (constant)
			continue;
		if (writer->format != FORMAT_CSV) {
			putc(i ? ',' : '{', to);
			print_json_member(to, name, text, holds_numbers(name));
		} else {
			print_csv_field(to, text, !n, false);
			putc(',', to);
		}
		n++;
	}
	if (writer->format != FORMAT_CSV)
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

	*sample_print(bench, cells, sample) = '\0';
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
		if (writer->format != FORMAT_CSV)
			end = print_members(end, bench, raw + i * bench->width);
		else
			end = sample_print(bench, end, raw + i * bench->width);
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
	for (size_t i = 0; i < writer->nkeys; i++)
		free(writer->constant[i]);
	free(writer->constant);
	free(writer->name);
	free(writer->prefix);
	free(writer->buffer);
}
