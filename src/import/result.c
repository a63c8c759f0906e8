/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds the rows of the result until all input is read. */
#include "import/result.h"

#include "common/base/number.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of rows in memory; more go to a file. */
#define MEMORY_MAX ((size_t)4 << 20)

static void
set_text(struct result_column *c, const char *text)
{
	size_t size = strlen(text) + 1;

	if (c->size < size) {
		c->size = 2 * size;
		c->text = xreallocarray(c->text, c->size, 1);
	}
	memcpy(c->text, text, size);
	c->used = size;
}

size_t
result_column(struct result *r, const char *name)
{
	size_t number = key_set_intern_text(&r->names, name);
	const char *label = r->labels ? labels_value(r->labels, name) : NULL;
	struct result_column added = {.labelled = label};

	if (number < r->ncols)
		return number;
	added.name = xstrdup(name);
	set_text(&added, label ? label : "");
	array_push(r->column, r->ncols, added);
	return number;
}

void
result_text(struct result *r, size_t col, const char *text)
{
	if (!r->column[col].labelled)
		set_text(&r->column[col], text);
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
}

void
result_clear(struct result *r)
{
	for (size_t i = 0; i < r->ncols; i++)
		result_text(r, i, "");
}

/* Stored rows -------------------------------------------------------------- */

static _Noreturn void
die_of_file(void)
{
	const char *directory = getenv("TMPDIR");

	die_sys("a temporary file in %s, as TMPDIR says",
	        directory && *directory ? directory : "/tmp");
}

/* Moves the rows in memory to the file. */
static void
spill(struct result *r)
{
	if (!r->file) {
		const char *directory = getenv("TMPDIR");
		char *name =
		    xasprintf("%s/pcb-import.XXXXXX",
		              directory && *directory ? directory : "/tmp");
		int fd = mkostemp(name, O_CLOEXEC);

		r->file = fd < 0 ? NULL : fdopen(fd, "w+");
		if (!r->file)
			die_of_file();
		unlink(name);
		free(name);
	}
	if (fwrite(r->bytes, 1, r->length, r->file) != r->length)
		die_of_file();
	r->length = 0;
}

static void
store(struct result *r, const void *bytes, size_t n)
{
	if (r->length && r->length + n > MEMORY_MAX)
		spill(r);
	if (r->size - r->length < n) {
		r->size = 2 * r->size + n;
		r->bytes = xreallocarray(r->bytes, r->size, 1);
	}
	memcpy(r->bytes + r->length, bytes, n);
	r->length += n;
}

/* A row is the number of its columns, and the texts with their NULs. */
void
result_end_row(struct result *r)
{
	store(r, &r->ncols, sizeof r->ncols);
	for (size_t i = 0; i < r->ncols; i++)
		store(r, r->column[i].text, r->column[i].used);
	r->rows++;
}

void
result_write(struct result *r, struct out *o)
{
	const char **name = xcalloc(r->ncols, sizeof *name);
	FILE *from = r->file;
	char *text = NULL;
	size_t size = 0;

	if (from)
		spill(r);
	else if (r->length)
		from = fmemopen(r->bytes, r->length, "r");
	if (from)
		rewind(from);
	if (r->rows && !from)
		die_of_file();
	for (size_t i = 0; i < r->ncols; i++)
		name[i] = r->column[i].name;
	out_begin(o, name, r->ncols);
	for (uintmax_t row = 0; row < r->rows; row++) {
		size_t n = 0;

		if (fread(&n, sizeof n, 1, from) != 1)
			die_of_file();
		/* Columns may have been added since. */
		for (size_t i = 0; i < r->ncols; i++) {
			if (i < n && getdelim(&text, &size, '\0', from) < 0)
				die_of_file();
			out_text(o, i < n ? text : "");
		}
	}
	if (from && from != r->file)
		fclose(from);
	free(text);
	free(name);
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
	if (r->file)
		fclose(r->file);
	*r = (struct result){0};
}
