#include "common/table.h"

#include "common/text.h"
#include "common/units.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE ((size_t)1 << 18)

static const char part_mark[] = "# pcb-csv:";
static const char end_mark[] = "# end:";

/* The fields of one record: texts one after the other, each with its NUL. */
struct record {
	char *text;
	size_t used, size;
	size_t *start; /* of each field in text */
	size_t n, max;
	bool done;
};

/*
 * The fast lane: most rows begin as the row before, and differ in their last
 * field. `prefix` holds the raw bytes, up to the field `first`, that the next
 * row is expected to begin with; record holds the row before, if `valid`.
 */
struct plain {
	bool valid;
	char *prefix;
	size_t length, size;
	size_t first;
};

struct table_reader {
	char *const *files;
	size_t nfiles;
	const char *header; /* of files that have none; NULL: they do */

	/* The open file and what has been read from it. */
	int fd;
	char *buffer;
	size_t size, pos, end;
	bool eof;
	uintmax_t next_line;
	char *rest; /* of a comment line */

	struct csv_parser csv;
	struct record record;
	struct plain plain;

	/* The current part. */
	bool in_rows; /* its header has been read */
	bool ours;    /* it began with a part mark */
	bool ended;   /* it had an end mark, with these two values: */
	bool end_complete;
	uintmax_t end_rows;
	uintmax_t rows;
	struct preamble preamble;
	struct preamble end_keys;
	size_t *column; /* of the table, for each field of this part */
	size_t nfields;
	size_t in_place; /* so many fields, from the first, have their number */
	bool headless;   /* no header in this file yet */
	unsigned headers; /* over all files */
	uint64_t parts;   /* these, or what they were merged from */
};

/* A line, and no more than that, whatever the input holds. */
static void PRINTF_LIKE(4, 0)
    message(const char *file, uintmax_t line, const char *column,
            const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		die("out of memory");
	flockfile(stderr);
	fprintf(stderr, "%s: %s:", program_name, file);
	if (line)
		fprintf(stderr, "%ju:", line);
	fputc(' ', stderr);
	if (column) {
		print_plain(stderr, column);
		fputs(": ", stderr);
	}
	print_plain(stderr, text);
	fputc('\n', stderr);
	funlockfile(stderr);
	free(text);
}

void
table_die(const struct table *t, size_t col, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(t->file, t->line, t->name[col], fmt, ap);
	va_end(ap);
	exit(STATUS_TROUBLE);
}

/* A message about the record or line being read, not about one column. */
static _Noreturn void PRINTF_LIKE(2, 3)
    die_here(const struct table *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(t->file, t->line, NULL, fmt, ap);
	va_end(ap);
	exit(STATUS_TROUBLE);
}

/* Nothing is a space to be trimmed: fields are taken as they stand. */
static int
no_space(unsigned char c)
{
	(void)c;
	return 0;
}

/* Input: lines out of a buffer. ------------------------------------------- */

/* Reads more behind what is unread; false at the end of the file. */
static bool
fill(struct table *t)
{
	struct table_reader *r = t->reader;
	ssize_t got;

	if (r->eof)
		return false;
	if (r->pos)
		memmove(r->buffer, r->buffer + r->pos, r->end - r->pos);
	r->end -= r->pos;
	r->pos = 0;
	if (r->size - r->end < READ_SIZE) {
		r->size += READ_SIZE;
		r->buffer = xreallocarray(r->buffer, r->size, 1);
	}
	do
		got = read(r->fd, r->buffer + r->end, r->size - r->end);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		die_sys("%s", t->file);
	r->end += (size_t)got;
	r->eof = !got;
	return got > 0;
}

/*
 * The next line, LF included where it has one; NULL at the end of the file.
 * It stays in the buffer until the next call.
 */
static char *
next_line(struct table *t, size_t *length)
{
	struct table_reader *r = t->reader;
	size_t searched = 0;
	char *line, *lf = NULL;

	for (;;) {
		size_t unread = r->end - r->pos;

		line = r->buffer + r->pos;
		if (unread > searched)
			lf = memchr(line + searched, '\n', unread - searched);
		if (lf || unread > TABLE_RECORD_MAX)
			break;
		searched = unread;
		if (!fill(t))
			break;
	}
	line = r->buffer + r->pos;
	*length = lf ? (size_t)(lf - line) + 1 : r->end - r->pos;
	if (!*length)
		return NULL;
	if (*length > TABLE_RECORD_MAX)
		die_here(t, "a record of over 1 MiB");
	r->pos += *length;
	r->next_line++;
	return line;
}

static void
check_text(const struct table *t, const char *line, size_t length)
{
	if (memchr(line, '\0', length))
		die_here(t, "a NUL byte: this is not a text file");
}

static bool
open_next(struct table *t)
{
	static const char bom[] = "\xef\xbb\xbf";
	struct table_reader *r = t->reader;

	if (!r->nfiles)
		return false;
	t->file = *r->files++;
	r->nfiles--;
	r->fd = STDIN_FILENO;
	if (strcmp(t->file, "-") != 0)
		r->fd = open(t->file, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		die_sys("%s", t->file);
	r->pos = r->end = 0;
	r->next_line = 1;
	r->headless = true;
	r->eof = false;
	while (r->end < 3 && fill(t))
		;
	if (!r->end)
		die("%s: empty: not even a header row", t->file);
	if (r->end >= 3 && !memcmp(r->buffer, bom, 3))
		r->pos = 3;
	return true;
}

static void
close_current(struct table *t)
{
	if (t->reader->fd > STDIN_FILENO)
		close(t->reader->fd);
	t->reader->fd = -1;
}

/* Records: libcsv, one line at a time. ------------------------------------- */

static void
on_field(void *text, size_t length, void *data)
{
	struct record *rec = data;

	if (rec->n == rec->max) {
		rec->max = 2 * rec->max + 16;
		rec->start =
		    xreallocarray(rec->start, rec->max, sizeof *rec->start);
	}
	if (rec->size - rec->used <= length) {
		rec->size = 2 * rec->size + length + 1;
		rec->text = xreallocarray(rec->text, rec->size, 1);
	}
	if (length)
		memcpy(rec->text + rec->used, text, length);
	rec->text[rec->used + length] = '\0';
	rec->start[rec->n++] = rec->used;
	rec->used += length + 1;
}

static void
on_record(int end, void *data)
{
	struct record *rec = data;

	(void)end;
	rec->done = true;
}

static const char *
record_field(const struct record *rec, size_t i)
{
	return rec->text + rec->start[i];
}

static void
check_syntax(const struct table *t)
{
	const struct table_reader *r = t->reader;
	int error = csv_error((struct csv_parser *)&r->csv);

	if (error == CSV_EPARSE)
		die_here(t, "field %zu: a quote in the wrong place",
		         r->record.n + 1);
	if (error)
		die("out of memory");
}

/*
 * Parses one line. A carriage return ends a record for libcsv wherever it
 * stands; so the line goes to it without its end first.
 */
static void
parse_line(struct table *t, const char *line, size_t length)
{
	struct table_reader *r = t->reader;
	struct record *rec = &r->record;
	size_t body = length;

	body -= body && line[body - 1] == '\n';
	body -= body && line[body - 1] == '\r';
	csv_parse(&r->csv, line, body, on_field, on_record, rec);
	check_syntax(t);
	if (rec->done)
		die_here(t, "a carriage return in the middle of a line");
	csv_parse(&r->csv, line + body, length - body, on_field, on_record,
	          rec);
	check_syntax(t);
}

/*
 * Parses the record that begins with `line`; reads further lines while a
 * quote is open.
 */
static void
read_record(struct table *t, const char *line, size_t length)
{
	struct table_reader *r = t->reader;
	struct record *rec = &r->record;
	size_t total = 0;

	r->plain.valid = false;
	rec->n = rec->used = 0;
	rec->done = false;
	if (line[0] == '\r')
		die_here(t, "a carriage return in the middle of a line");
	while (line) {
		total += length;
		if (total > TABLE_RECORD_MAX)
			die_here(t, "a record of over 1 MiB");
		if (line[length - 1] != '\n' && r->ours)
			die_here(t, "the last line is cut off (the rows "
			            "before it are whole)");
		parse_line(t, line, length);
		if (rec->done)
			return;
		line = next_line(t, &length);
		if (line)
			check_text(t, line, length);
	}
	if (csv_fini(&r->csv, on_field, on_record, rec))
		die_here(t, "a quote is opened and never closed");
}

/* Parts: preamble, header, end. -------------------------------------------- */

static bool
starts_with(const char *line, size_t length, const char *mark)
{
	size_t n = strlen(mark);

	return length >= n && !memcmp(line, mark, n);
}

/*
 * A copy of what follows the first `skip` bytes of a line, without the line's
 * end. It lasts until the next call.
 */
static char *
rest_of(struct table_reader *r, const char *line, size_t length, size_t skip)
{
	while (length > skip &&
	       (line[length - 1] == '\n' || line[length - 1] == '\r'))
		length--;
	length -= skip;
	r->rest = xreallocarray(r->rest, length + 1, 1);
	memcpy(r->rest, line + skip, length);
	r->rest[length] = '\0';
	return r->rest;
}

static void
finish_part(struct table *t)
{
	struct table_reader *r = t->reader;
	bool cut = r->ours && !r->ended;
	bool miscounted = r->ended && r->end_rows != r->rows;

	if (!r->in_rows)
		return;
	if (cut)
		warn("%s: the stream was cut short after %ju rows", t->file,
		     r->rows);
	else if (r->ended && !r->end_complete)
		warn("%s: the collection was stopped before its end", t->file);
	if (miscounted)
		warn("%s: %ju rows, but its end line says %ju", t->file,
		     r->rows, r->end_rows);
	if (cut || miscounted || (r->ended && !r->end_complete))
		t->complete = false;
	if (r->headers == 1) {
		t->end = r->end_keys;
		r->end_keys = (struct preamble){0};
	} else {
		preamble_intersect(&t->end, &r->end_keys);
		preamble_free(&r->end_keys);
	}
	r->in_rows = false;
}

static void
begin_part(struct table *t, bool ours)
{
	struct table_reader *r = t->reader;

	finish_part(t);
	preamble_free(&r->preamble);
	r->ours = ours;
	r->ended = false;
	r->rows = 0;
}

static void
read_part_mark(struct table *t, const char *line, size_t length)
{
	const char *version =
	    rest_of(t->reader, line, length, sizeof part_mark - 1);

	version += strspn(version, " ");
	if (strcmp(version, "1") != 0)
		die_here(t, "pcb-csv version '%s': only 1 is known here",
		         version);
	begin_part(t, true);
}

static void
read_preamble_line(struct table *t, const char *line, size_t length)
{
	struct table_reader *r = t->reader;
	char *text, *colon;

	if (!r->ours || !starts_with(line, length, "# "))
		return;
	text = rest_of(r, line, length, 2);
	colon = strstr(text, ": ");
	if (colon) {
		*colon = '\0';
		preamble_set(&r->preamble, text, "%s", colon + 2);
	}
}

static void
read_end_word(struct table *t, char *word)
{
	struct table_reader *r = t->reader;
	char *value = strchr(word, '=');

	if (!value)
		die_here(t, "'%s' in an end line is not key=value", word);
	*value++ = '\0';
	if (!strcmp(word, "rows")) {
		uint64_t rows;
		const char *why = parse_integer(value, &rows);

		if (why)
			die_here(t, "rows=%s: %s", value, why);
		r->end_rows = rows;
	} else if (!strcmp(word, "complete")) {
		r->end_complete = !strcmp(value, "yes");
	} else {
		preamble_set(&r->end_keys, word, "%s", value);
	}
}

static void
read_end_mark(struct table *t, const char *line, size_t length)
{
	struct table_reader *r = t->reader;
	char *rest = rest_of(r, line, length, sizeof end_mark - 1);
	char *word;

	if (line[length - 1] != '\n')
		die_here(t, "the last line is cut off");
	r->ended = true;
	r->end_complete = false;
	r->end_rows = r->rows;
	while ((word = strsep(&rest, " "))) {
		if (*word)
			read_end_word(t, word);
	}
	begin_part(t, false);
}

static size_t
add_column(struct table *t, const char *name)
{
	ptrdiff_t known = table_find(t, name);

	if (known >= 0)
		return (size_t)known;
	t->name = xreallocarray(t->name, t->ncols + 1, sizeof *t->name);
	t->field = xreallocarray(t->field, t->ncols + 1, sizeof *t->field);
	t->name[t->ncols] = xstrdup(name);
	t->field[t->ncols] = "";
	return t->ncols++;
}

static void
check_header(const struct table *t)
{
	const struct record *rec = &t->reader->record;

	for (size_t i = 0; i < rec->n; i++) {
		const char *name = record_field(rec, i);

		if (!*name)
			die_here(t, "column %zu has no name", i + 1);
		for (size_t k = 0; k < i; k++) {
			if (!strcmp(name, record_field(rec, k)))
				die_here(t, "two columns are called '%s'",
				         name);
		}
	}
}

/* How many parts a part stands for: filters merge them and keep the number. */
static uint64_t
merged_parts(const struct preamble *pre)
{
	const char *text = preamble_get(pre, "parts");
	uint64_t n;

	return text && !parse_integer(text, &n) ? n : 1;
}

static void
read_header(struct table *t)
{
	struct table_reader *r = t->reader;
	const struct record *rec = &r->record;

	check_header(t);
	for (size_t i = 0; i < t->ncols; i++)
		t->field[i] = "";
	r->column = xreallocarray(r->column, rec->n, sizeof *r->column);
	r->nfields = rec->n;
	for (size_t i = 0; i < rec->n; i++)
		r->column[i] = add_column(t, record_field(rec, i));
	r->in_place = 0;
	while (r->in_place < rec->n && r->column[r->in_place] == r->in_place)
		r->in_place++;
	r->in_rows = true;
	r->headless = false;
	r->parts += merged_parts(&r->preamble);
	if (!r->headers++) {
		preamble_copy(&t->preamble, &r->preamble);
	} else {
		preamble_intersect(&t->preamble, &r->preamble);
	}
}

static bool
is_repeated_header(const struct table *t)
{
	const struct table_reader *r = t->reader;

	if (r->record.n != r->nfields)
		return false;
	/* From the last: numbers are the quickest to differ from names. */
	for (size_t i = r->nfields; i--;) {
		if (strcmp(record_field(&r->record, i),
		           t->name[r->column[i]]) != 0)
			return false;
	}
	return true;
}

static void
take_row(struct table *t)
{
	struct table_reader *r = t->reader;

	if (r->record.n != r->nfields)
		die_here(t, "%zu fields where the header has %zu", r->record.n,
		         r->nfields);
	for (size_t i = 0; i < r->nfields; i++)
		t->field[r->column[i]] = record_field(&r->record, i);
	t->steady = 0;
	r->rows++;
	t->rows++;
}

/* True if the line was one of ours and not part of a record. */
static bool
read_special(struct table *t, const char *line, size_t length)
{
	struct table_reader *r = t->reader;

	if (line[0] == '\n' || (length == 2 && !memcmp(line, "\r\n", 2)))
		return true;
	if (line[0] != '#')
		return false;
	if (starts_with(line, length, part_mark))
		read_part_mark(t, line, length);
	else if (r->in_rows && starts_with(line, length, end_mark))
		read_end_mark(t, line, length);
	else if (!r->in_rows)
		read_preamble_line(t, line, length);
	else
		return false;
	return true;
}

/* The fast lane: rows without quotes. ---------------------------------------
 */

/* Bytes that a plain field cannot hold; the comma ends it. */
static const bool is_special[256] = {
    ['\0'] = true, ['\r'] = true, ['"'] = true, [','] = true};

/* Whether the line begins as the row before did, up to the field `first`. */
static bool
begins_alike(const struct plain *plain, const char *line, size_t length)
{
	return plain->valid && length >= plain->length &&
	       !memcmp(line, plain->prefix, plain->length);
}

/*
 * Copies a field to where the row before had it, up to the comma or the end
 * of the line; *same tells if it was there already.
 */
static size_t
copy_field(char *to, const char *from, const char *end, bool *same)
{
	const char *p = from;
	unsigned char differ = 0;

	for (; p < end && !is_special[(unsigned char)*p]; p++, to++) {
		differ |= (unsigned char)(*p ^ *to);
		*to = *p;
	}
	differ |= (unsigned char)*to;
	*to = '\0';
	*same = *same && !differ;
	return (size_t)(p - from);
}

/*
 * Splits the line from its field `first` on. False where it is not plain or
 * has another number of fields; record is spoilt then.
 */
static bool
split_plain(struct table_reader *r, const char *line, size_t length,
            size_t first)
{
	struct record *rec = &r->record;
	const char *end = line + length;
	size_t at = first ? rec->start[first] : 0;
	bool same = r->plain.valid;

	r->plain.valid = false;
	r->plain.first = first;
	for (size_t i = first;; i++) {
		same = same && rec->start[i] == at;
		rec->start[i] = at;
		at += copy_field(rec->text + at, line + at, end, &same);
		if (same && i + 1 < r->nfields)
			r->plain.first = i + 1;
		if (i + 1 == r->nfields)
			return line + at == end;
		if (line + at == end || line[at++] != ',')
			return false;
	}
}

/* What the next row is expected to begin with: what this one shares. */
static void
expect(struct plain *plain, const char *line, size_t length)
{
	if (plain->size <= length) {
		plain->size = 2 * length + 1;
		plain->prefix = xreallocarray(plain->prefix, plain->size, 1);
	}
	memcpy(plain->prefix, line, length);
	plain->length = length;
}

/* Room for a line and for as many fields as the header has. */
static void
make_room(struct table_reader *r, size_t length)
{
	struct record *rec = &r->record;

	if (rec->size <= length) {
		rec->size = 2 * length + 1;
		rec->text = xreallocarray(rec->text, rec->size, 1);
		r->plain.valid = false;
	}
	if (rec->max < r->nfields) {
		rec->max = r->nfields;
		rec->start =
		    xreallocarray(rec->start, rec->max, sizeof *rec->start);
	}
}

/*
 * Takes a row whose line holds no quote. False, and nothing has happened, for
 * every line that is anything else, and for wrong ones: libcsv sees to those.
 */
static bool
take_plain_row(struct table *t, const char *line, size_t length)
{
	struct table_reader *r = t->reader;
	struct record *rec = &r->record;
	struct plain *plain = &r->plain;
	size_t first = 0;

	if (*line == '#' || *line == '\r' || line[length - 1] != '\n')
		return false;
	length--;
	length -= length && line[length - 1] == '\r';
	if (!length)
		return false;
	make_room(r, length);
	if (begins_alike(plain, line, length))
		first = plain->first;
	if (!split_plain(r, line, length, first))
		return false;
	rec->n = r->nfields;
	if (is_repeated_header(t))
		return false;
	for (size_t i = first; i < r->nfields; i++)
		t->field[r->column[i]] = record_field(rec, i);
	if (!first || plain->first != first)
		expect(plain, line, rec->start[plain->first]);
	plain->valid = true;
	t->steady = plain->first < r->in_place ? plain->first : r->in_place;
	r->rows++;
	t->rows++;
	return true;
}

/* The next row of the open file; false at its end. */
static bool
next_row(struct table *t)
{
	struct table_reader *r = t->reader;
	size_t length;
	char *line;

	for (;;) {
		t->line = r->next_line;
		line = next_line(t, &length);
		if (!line)
			return false;
		if (r->in_rows && !t->slow && take_plain_row(t, line, length))
			return true;
		check_text(t, line, length);
		if (read_special(t, line, length))
			continue;
		read_record(t, line, length);
		if (!r->in_rows) {
			read_header(t);
		} else if (is_repeated_header(t)) {
			begin_part(t, false);
			read_header(t);
		} else {
			take_row(t);
			return true;
		}
	}
}

/* Ends the file: a part's preamble must have been followed by a header. */
static void
finish_file(struct table *t)
{
	struct table_reader *r = t->reader;

	if (r->headless || (r->ours && !r->in_rows))
		die("%s: no header row", t->file);
	finish_part(t);
	begin_part(t, false);
	close_current(t);
}

bool
table_next(struct table *t)
{
	struct table_reader *r = t->reader;

	for (;;) {
		if (r->fd >= 0) {
			if (next_row(t))
				return true;
			finish_file(t);
		}
		if (!open_next(t))
			break;
		if (r->header) {
			read_record(t, r->header, strlen(r->header));
			read_header(t);
		}
	}
	if (!t->rows)
		warn("%s: a header, but no rows", t->file);
	if (r->parts > 1)
		preamble_set(&t->preamble, "parts", "%ju", (uintmax_t)r->parts);
	return false;
}

struct table *
table_open(char *const files[], size_t nfiles)
{
	static char dash[] = "-";
	static char *const standard_input[] = {dash};
	struct table *t = xcalloc(1, sizeof *t);
	struct table_reader *r = xcalloc(1, sizeof *r);

	t->reader = r;
	t->complete = true;
	r->files = nfiles ? files : standard_input;
	r->nfiles = nfiles ? nfiles : 1;
	r->fd = -1;
	if (csv_init(&r->csv, CSV_STRICT | CSV_STRICT_FINI))
		die("out of memory");
	csv_set_space_func(&r->csv, no_space);
	return t;
}

void
table_set_header(struct table *t, const char *header)
{
	t->reader->header = header;
}

void
table_close(struct table *t)
{
	struct table_reader *r = t->reader;

	csv_free(&r->csv);
	preamble_free(&r->preamble);
	preamble_free(&r->end_keys);
	free(r->record.text);
	free(r->record.start);
	free(r->column);
	free(r->plain.prefix);
	free(r->buffer);
	free(r->rest);
	free(r);
	for (size_t i = 0; i < t->ncols; i++)
		free(t->name[i]);
	free(t->name);
	free(t->field);
	preamble_free(&t->preamble);
	preamble_free(&t->end);
	free(t);
}

ptrdiff_t
table_find(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->ncols; i++) {
		if (!strcmp(t->name[i], name))
			return (ptrdiff_t)i;
	}
	return -1;
}

const char *
table_part_value(const struct table *t, const char *key)
{
	return preamble_get(&t->reader->preamble, key);
}

double
table_number(const struct table *t, size_t col)
{
	double value;
	const char *why = parse_number(t->field[col], &value);

	if (why)
		table_die(t, col, "'%s': %s", t->field[col], why);
	return value;
}

uint64_t
table_weight(const struct table *t, size_t col)
{
	uint64_t weight;
	const char *why;

	if (!*t->field[col])
		return 1;
	why = parse_integer(t->field[col], &weight);
	if (why)
		table_die(t, col, "'%s': %s", t->field[col], why);
	return weight;
}
