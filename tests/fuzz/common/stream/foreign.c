/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libcsv and the stream's splitter read the same fields, and refuse the same.
 */
#include "fuzz/ending.h"

#include "common/stream/foreign.h"

static bool
read_ours(struct record *rec, struct lines *in, char separator)
{
	return record_read(rec, in, separator, false);
}

/* The fields of all records, then the line where they are refused, or 0. */
static char *
read_by(bool (*read)(struct record *, struct lines *, char), char separator,
        size_t *size)
{
	static struct record rec;
	static struct lines in;
	static char *text;
	FILE *to = open_memstream(&text, size);

	if (!to)
		abort();
	rec = (struct record){0};
	in = (struct lines){.files = lines_stdin, .nfiles = 1, .fd = -1};
	is_reading = true;
	if (!setjmp(refused)) {
		lines_open_next(&in);
		while (in.line = in.next, read(&rec, &in, separator)) {
			fprintf(to, "%zu fields in %ju", rec.n, in.line);
			for (size_t i = 0; i < rec.n; i++)
				fwrite(rec.field[i], 1,
				       strlen(rec.field[i]) + 1, to);
		}
		in.line = 0;
	}
	is_reading = false;
	fprintf(to, "%ju", in.line);
	fclose(to);
	record_free(&rec);
	free(in.buffer);
	return text;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char separator;
	size_t ours_size, theirs_size;
	char *ours, *theirs;

	if (!size)
		return 0;
	separator = ",;\t"[*bytes % 3];
	set_stdin(bytes + 1, size - 1);
	ours = read_by(read_ours, separator, &ours_size);
	set_stdin(bytes + 1, size - 1);
	theirs = read_by(foreign_record_read, separator, &theirs_size);
	if (ours_size != theirs_size || memcmp(ours, theirs, ours_size) != 0)
		abort();
	free(ours);
	free(theirs);
	return 0;
}
