/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds the rows of the result until all input is read. */
#include "import/result.h"

#include "common/base/number.h"
#include "common/stream/swar.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Bytes of rows in memory; more go to a file. Bytes written at once, which a
 * cache of the CPU holds.
 */
#define MEMORY_MAX ((size_t)4 << 20)
#define AT_ONCE    ((size_t)1 << 17)

static void
set_text(struct result *r, struct result_column *c, const char *text,
         size_t length)
{
	if (c->size < length + 8) {
		r->most -= c->size;
		c->size = 2 * length + 16;
		r->most += c->size;
		c->text = xreallocarray(c->text, c->size, 1);
	}
	memcpy(c->text, text, length + 1);
	c->length = length;
}

size_t
result_column(struct result *r, const char *name)
{
	size_t number = key_set_intern_text(&r->names, name);
	const char *label = r->labels ? labels_value(r->labels, name) : NULL;
	struct result_column *added;

	if (number < r->ncols)
		return number;
	r->column = xreallocarray(r->column, r->ncols + 1, sizeof *r->column);
	added = &r->column[r->ncols];
	*added =
	    (struct result_column){.name = xstrdup(name), .labelled = label};
	set_text(r, added, label ? label : "", label ? strlen(label) : 0);
	return r->ncols++;
}

void
result_text(struct result *r, size_t col, const char *text)
{
	struct result_column *c = &r->column[col];

	if (c->labelled)
		return;
	set_text(r, c, text, strlen(text));
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
}

void
result_clear(struct result *r)
{
	for (size_t i = 0; i < r->ncols; i++)
		result_text(r, i, "");
}

/* Stored rows -------------------------------------------------------------- */

/* Before the texts of a row. */
struct row_head {
	uint32_t ncols, length;
};

static const char *
temporary_directory(void)
{
	const char *directory = getenv("TMPDIR");

	return directory && *directory ? directory : "/tmp";
}

static _Noreturn void
die_of_file(void)
{
	die_sys("a temporary file in %s, as TMPDIR says",
	        temporary_directory());
}

/* Moves the rows in memory to the file. */
static void
spill(struct result *r)
{
	if (!r->file) {
		char *name =
		    xasprintf("%s/pcb-import.XXXXXX", temporary_directory());
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

/* Makes room for n more bytes, and 8 behind them. */
static char *
more_room(struct result *r, size_t n)
{
	if (r->length && r->length + n > (r->file ? AT_ONCE : MEMORY_MAX))
		spill(r);
	if (r->size - r->length < n + 8) {
		r->size = 2 * r->size + n + 8;
		r->bytes = xreallocarray(r->bytes, r->size, 1);
	}
	return r->bytes + r->length;
}

void
result_end_row(struct result *r)
{
	const struct result_column *before =
	    r->first ? &r->column[r->first - 1] : NULL;
	size_t at = before ? before->at + before->length + 1 : 0;
	struct row_head head;
	char *to;

	if (!r->row || r->row_size < r->most) {
		r->row_size = 2 * r->most;
		r->row = xreallocarray(r->row, r->row_size, 1);
	}
	for (size_t i = r->first; r->column && i < r->ncols; i++) {
		struct result_column *c = &r->column[i];

		/* By words: cells are short. */
		for (size_t k = 0; k <= c->length; k += 8)
			store_word(r->row + at + k, load_word(c->text + k));
		c->at = at;
		at += c->length + 1;
	}
	head = (struct row_head){(uint32_t)r->ncols, (uint32_t)at};
	to = more_room(r, sizeof head + at);
	memcpy(to, &head, sizeof head);
	memcpy(to + sizeof head, r->row, at);
	r->length += sizeof head + at;
	r->rows++;
	r->first = r->ncols;
}

/* Output ------------------------------------------------------------------- */

/* The stored rows from the first on, and CSV lines not yet written. */
struct row_writer {
	struct result *result;
	struct out *out;
	size_t at; /* of the next row in the result's memory */
	char *lines;
	size_t length, size;
	uintmax_t n;
};

/* Goes to the next row; its texts are valid until the next call. */
static const char *
next_row(struct row_writer *w, struct row_head *head)
{
	struct result *r = w->result;
	size_t left = r->length - w->at;

	*head = (struct row_head){0};
	if (left >= sizeof *head)
		memcpy(head, r->bytes + w->at, sizeof *head);
	if (left < sizeof *head + head->length) {
		memmove(r->bytes, r->bytes + w->at, left);
		r->length = left + fread(r->bytes + left, 1, r->size - 8 - left,
		                         r->file);
		if (ferror(r->file))
			die_of_file();
		w->at = 0;
		memcpy(head, r->bytes, sizeof *head);
	}
	w->at += sizeof *head + head->length;
	return r->bytes + w->at - head->length;
}

/*
 * Prints the texts of a row as CSV, a comma behind each; false if one may need
 * quotes. Works on eight bytes at a time, and uses up to 7 behind both: all
 * bytes that CSV escapes are less than '-'.
 */
static bool
print_plain(char *to, const char *text, size_t length)
{
	const uint64_t top = UINT64_C(0x8080808080808080);
	uint64_t bad = (unsigned char)*text == 0xef; /* a byte order mark */

	for (size_t i = 0; i < length; i += 8) {
		uint64_t word = load_word(text + i), nul;

		if (length - i < 8)
			word |= UINT64_MAX << 8 * (length - i);
		nul = ~(((word & ~top) + ~top) | word) & top;
		bad |= bytes_below(word | nul, '-');
		store_word(to + i, word | (nul >> 7) * ',');
	}
	return !bad;
}

static void
write_lines(struct row_writer *w)
{
	out_lines(w->out, w->lines, w->length, w->n);
	w->length = w->n = 0;
}

/* Earlier rows lack columns that were added later. */
static void
write_row(struct row_writer *w)
{
	struct row_head head;
	const char *text = next_row(w, &head);
	size_t lacks = w->result->ncols - head.ncols;
	size_t length = head.length + lacks;
	char *line;

	if (!w->lines || w->size - w->length < length + 8) {
		w->size = 2 * (w->length + length) + AT_ONCE;
		w->lines = xreallocarray(w->lines, w->size, 1);
	}
	line = w->lines + w->length;
	/* A row of one empty cell would be an empty line. */
	if (w->out->format == FORMAT_CSV && length > 1 &&
	    print_plain(line, text, head.length)) {
		memset(line + head.length, ',', lacks);
		line[length - 1] = '\n';
		w->length += length;
		w->n++;
		if (w->length >= AT_ONCE)
			write_lines(w);
		return;
	}
	if (w->n)
		write_lines(w);
	for (size_t i = 0; i < head.ncols; i++) {
		out_text(w->out, text);
		text += strlen(text) + 1;
	}
	while (lacks--)
		out_text(w->out, "");
}

void
result_write(struct result *r, struct out *o)
{
	const char **name = xcalloc(r->ncols, sizeof *name);
	struct row_writer w = {.result = r, .out = o};

	if (r->file) {
		spill(r);
		if (fflush(r->file) || fseeko(r->file, 0, SEEK_SET))
			die_of_file();
	}
	for (size_t i = 0; i < r->ncols; i++)
		name[i] = r->column[i].name;
	out_begin(o, name, r->ncols);
	for (uintmax_t i = 0; i < r->rows; i++)
		write_row(&w);
	if (w.n)
		write_lines(&w);
	free(name);
	free(w.lines);
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
	free(r->row);
	free(r->bytes);
	if (r->file)
		fclose(r->file);
	*r = (struct result){0};
}
