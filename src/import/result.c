/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds the rows of the result until all input is read. */
#include "import/result.h"

#include "common/base/number.h"
#include "common/stream/columns.h"

#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>

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
	added.is_key = is_identity(name) && strcmp(name, "run") != 0;
	added.name = xstrdup(name);
	set_text(&added, label ? label : "");
	array_push(r->column, r->ncols, added);
	return number;
}

void
result_cell(struct result *r, size_t col, const char *text)
{
	if (!r->column[col].labelled)
		set_text(&r->column[col], text);
}

void
result_text(struct result *r, const char *name, const char *text)
{
	result_cell(r, result_column(r, name), text);
}

void
result_u64(struct result *r, const char *name, uint64_t value)
{
	char text[NUMBER_MAX];

	*print_u64(text, value) = '\0';
	result_text(r, name, text);
}

void
result_double(struct result *r, const char *name, double value)
{
	char text[NUMBER_MAX];

	*print_double(text, value) = '\0';
	result_text(r, name, text);
}

void
result_clear(struct result *r)
{
	for (size_t i = 0; i < r->ncols; i++)
		result_cell(r, i, "");
}

/* Stored rows -------------------------------------------------------------- */

static FILE *
open_file(void)
{
	const char *given = getenv("TMPDIR");
	const char *directory = given && *given ? given : "/tmp";
	char *name = xasprintf("%s/pcb-import.XXXXXX", directory);
	int fd = mkostemp(name, O_CLOEXEC);
	FILE *file = NULL;

	if (fd >= 0 && !unlink(name))
		file = fdopen(fd, "w+");
	if (!file)
		die_sys("a temporary file in %s, as TMPDIR says", directory);
	__fsetlocking(file, FSETLOCKING_BYCALLER);
	free(name);
	return file;
}

/* A row is the number of its columns, and the texts with their NULs. */
void
result_end_row(struct result *r)
{
	if (!r->file)
		r->file = open_file();
	fwrite(&r->ncols, sizeof r->ncols, 1, r->file);
	for (size_t i = 0; i < r->ncols; i++)
		fwrite(r->column[i].text, r->column[i].used, 1, r->file);
	if (ferror(r->file))
		die_sys("a temporary file");
	r->rows++;
}

void
result_write(struct result *r, struct out *o)
{
	const char **name = xcalloc(r->ncols, sizeof *name);
	char *text = NULL;
	size_t size = 0;

	if (r->file && (fflush(r->file) || fseeko(r->file, 0, SEEK_SET)))
		die_sys("a temporary file");
	for (size_t i = 0; i < r->ncols; i++)
		name[i] = r->column[i].name;
	out_begin(o, name, r->ncols);
	for (uintmax_t row = 0; row < r->rows; row++) {
		size_t n = 0;

		if (fread(&n, sizeof n, 1, r->file) != 1)
			die_sys("a temporary file");
		/* Columns may have been added since. */
		for (size_t i = 0; i < r->ncols; i++) {
			if (i < n && getdelim(&text, &size, '\0', r->file) < 0)
				die_sys("a temporary file");
			out_text(o, i < n ? text : "");
		}
	}
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
	if (r->file)
		fclose(r->file);
	*r = (struct result){0};
}
