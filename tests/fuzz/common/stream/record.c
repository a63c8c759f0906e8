/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows that are compared with the one before are the same as all others. */
#include "fuzz/reader.h"

static void
keep_row(const struct table *t, void *data)
{
	FILE *f = data;

	fprintf(f, "%ju", t->line);
	for (size_t i = 0; i < t->ncols; i++)
		fwrite(t->field[i], 1, strlen(t->field[i]) + 1, f);
}

/* All rows as one text, followed by "refused" if the input was. */
static char *
read_rows(bool slow, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);
	struct table *t;

	if (!f)
		abort();
	t = read_stdin(slow, keep_row, f);
	fputs(t ? "read" : "refused", f);
	if (t)
		table_close(t);
	fclose(f);
	return text;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	size_t slow_size, fast_size;
	char *slow, *fast;

	set_stdin(bytes, size);
	slow = read_rows(true, &slow_size);
	set_stdin(bytes, size);
	fast = read_rows(false, &fast_size);
	if (slow_size != fast_size || memcmp(slow, fast, slow_size) != 0)
		abort();
	free(slow);
	free(fast);
	return 0;
}
