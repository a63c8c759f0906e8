/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads all inputs as one table, row by row. */
#include "common/stream/table.h"

#include "common/base/number.h"
#include "common/base/parallel.h"
#include "common/base/reader.h"

#include <ctype.h>
#include <unistd.h>

/* A column of the list in "# constant:". */
struct constant {
	char *name;
	char *value; /* behind the name; NULL: only the place of a field */
};

/* A part of the input, which has a header of its own. */
struct part {
	int ours;     /* the version in "# pcb-csv:"; 0: foreign */
	bool in_rows; /* its header has been read */
	bool plain;   /* and it may have plain rows */
	uintmax_t rows;
	struct preamble preamble;

	bool ended; /* an end line was read, with these values: */
	bool end_complete;
	uint64_t end_rows;
	struct preamble end_keys; /* all but the two above */

	struct constant *constant;
	size_t nconstants;
};

struct table_reader {
	struct lines in;
	struct record record;

	struct part part;
	struct place {
		size_t column;                 /* of the table */
		char *heading;                 /* its name in the header */
		struct foreign_column foreign; /* in a foreign part */
	} * place;                             /* of each field of the part */
	size_t nfields, nplaces;               /* there may be more places */
	const bool *wanted;                    /* of columns below nwanted */
	size_t nwanted;
	size_t lead;            /* fields before the last that are not wanted */
	uintmax_t missing;      /* cells without a number in foreign parts; */
	uintmax_t lead_missing; /* in the lead of the row */
	char separator;         /* of the fields of this file */
	bool json;              /* the file is JSON lines, */
	struct json_line object; /* and this is the current object */
	bool headless;           /* no header in this file yet */
	bool failed;             /* its writer failed before the first row */
	unsigned headers;        /* of all files */
	uint64_t parts;          /* counting those they were merged from */
	struct key_set columns;  /* of the table */
};

/* Parts and their headers -------------------------------------------- */

static bool all_complete = true;

bool
tables_complete(void)
{
	return all_complete;
}

/* The cell of a column that the part lacks, by its address. */
static const char absent[] = "";

/* Takes the columns of the part away from it. */
static void
clear_fields(struct table *t)
{
	const struct table_reader *r = t->reader;

	if (t->name_files && t->ncols)
		t->field[0] = absent;
	for (size_t i = 0; i < r->part.nconstants; i++) {
		ptrdiff_t column = table_find(t, r->part.constant[i].name);

		if (column >= 0)
			t->field[column] = absent;
	}
	for (size_t i = 0; i < r->nfields; i++)
		t->field[r->place[i].column] = absent;
}

/* Ends the part, with warnings if it is not complete, and starts another. */
static void
begin_part(struct table *t, int ours)
{
	struct part *p = &t->reader->part;
	bool cut = p->ours && !p->ended;
	bool stopped = p->ended && !p->end_complete;
	bool miscounted = p->ended && p->end_rows != p->rows;

	if (cut)
		warn("%s: the stream was cut short after %ju rows", t->file,
		     p->rows);
	if (stopped)
		warn("%s: the collection was stopped before its end", t->file);
	if (miscounted)
		warn("%s: %ju rows, but its end line says %ju", t->file,
		     p->rows, p->end_rows);
	if (cut || stopped || miscounted)
		t->complete = all_complete = false;
	if (p->in_rows && !p->rows)
		warn("%s: a header, but no rows", t->file);
	if (p->in_rows)
		(t->reader->headers == 1 ? preamble_copy : preamble_intersect)(
		    &t->end, &p->end_keys);
	clear_fields(t);
	while (p->nconstants)
		free(p->constant[--p->nconstants].name);
	free(p->constant);
	preamble_free(&p->preamble);
	preamble_free(&p->end_keys);
	*p = (struct part){.ours = ours};
}

/* Reads the list of constants, a record of CSV on one line. */
static void
read_constants(struct table_reader *r)
{
	struct key_set names = {0};

	if (r->part.nconstants)
		lines_die(&r->in, NULL, "a second list of constants");
	record_read(&r->record, &r->in, ',', false);
	if (r->in.next > r->in.line + 1)
		lines_die(&r->in, NULL, OPEN_QUOTE);
	for (size_t i = 0; i < r->record.n; i++) {
		char *name = xstrdup(r->record.field[i]);
		char *value = strchr(name, '=');

		if (value)
			*value++ = '\0';
		array_push(r->part.constant, r->part.nconstants,
		           (struct constant){name, value});
		if (!*name)
			lines_die(&r->in, NULL, "constant %zu has no name",
			          i + 1);
		if (key_set_intern_text(&names, name) < i)
			lines_die(&r->in, NULL, "two columns are called '%s'",
			          name);
	}
	key_set_free(&names);
}

static size_t
add_column(struct table *t, const char *name)
{
	ptrdiff_t number = table_find(t, name);

	if (number >= 0)
		return (size_t)number;
	t->name = xreallocarray(t->name, t->ncols + 1, sizeof *t->name);
	t->field = xreallocarray(t->field, t->ncols + 1, sizeof *t->field);
	t->name[t->ncols] = xstrdup(name);
	t->field[t->ncols] = absent;
	key_set_intern_text(&t->reader->columns, name);
	return t->ncols++;
}

/* Gives the part a column of the table. */
static void
take_column(struct table *t, size_t column, const char *cell)
{
	if (t->field[column] != absent)
		lines_die(&t->reader->in, NULL, "two columns are called '%s'",
		          t->name[column]);
	t->field[column] = cell;
}

/*
 * Takes the columns of the part, and dies if they are no columns of one header:
 * the constants, and the fields in the record, or in numbered ones 1, 2 and so
 * on.
 */
static void
place_fields(struct table *t, bool numbered)
{
	struct table_reader *r = t->reader;

	if (t->name_files)
		add_column(t, "file");
	for (size_t i = 0; i < r->part.nconstants; i++) {
		const struct constant *c = &r->part.constant[i];
		size_t column = add_column(t, c->name);

		if (c->value)
			take_column(t, column, c->value);
	}
	r->nfields = 0;
	while (r->nplaces < r->record.n)
		array_push(r->place, r->nplaces, (struct place){0});
	for (size_t i = 0; i < r->record.n; i++) {
		const char *name = r->record.field[i];
		char number[NUMBER_MAX];

		*print_u64(number, i + 1) = '\0';
		if (numbered)
			name = number;
		free(r->place[i].heading);
		r->place[i].heading = xstrdup(name);
		/* "a, b" */
		if (!r->part.ours)
			name += strspn(name, " ");
		if (!r->part.ours && !t->verbatim)
			name = foreign_column_set(&r->place[i].foreign, name);
		if (!*name)
			lines_die(&r->in, NULL, "column %zu has no name",
			          i + 1);
		r->place[i].column = add_column(t, name);
		take_column(t, r->place[i].column, "");
		r->nfields++;
	}
	for (size_t i = 0; i < r->part.nconstants; i++) {
		const struct constant *c = &r->part.constant[i];

		if (t->field[table_find(t, c->name)] == absent)
			lines_die(&r->in, NULL,
			          "'%s' is neither a constant nor a column",
			          c->name);
	}
	if (t->name_files && t->field[0] == absent)
		t->field[0] = t->operand;
}

/* Compares no field of rows behind the last wanted one, but for the last. */
static void
set_lead(struct table_reader *r)
{
	r->lead = r->nfields ? r->nfields - 1 : 0;
	for (; r->lead; r->lead--) {
		size_t column = r->place[r->lead - 1].column;

		if (column >= r->nwanted || r->wanted[column])
			break;
	}
}

void
table_want(struct table *t, const bool wanted[], size_t n)
{
	t->reader->wanted = wanted;
	t->reader->nwanted = n;
	set_lead(t->reader);
}

static void
read_header(struct table *t, bool numbered)
{
	struct table_reader *r = t->reader;
	const struct place *last;
	const char *parts;
	uint64_t n;

	place_fields(t, numbered);
	set_lead(r);
	last = &r->place[r->nfields - 1];
	/* The cell is not the text of the field, or may be a header again. */
	t->last = (!r->part.ours && last->foreign.power) ||
	                  (!numbered && isdigit((unsigned char)*last->heading))
	              ? ANY_COLUMN
	              : last->column;
	r->part.in_rows = true;
	r->part.plain =
	    !t->slow && !r->json && (r->part.ours || !t->read_foreign);
	parts = preamble_get(&r->part.preamble, "parts");
	if (r->headless || !r->json)
		r->parts += parts && !parse_integer(parts, &n) ? n : 1;
	r->headless = false;
	(r->headers++ ? preamble_intersect : preamble_copy)(&t->preamble,
	                                                    &r->part.preamble);
}

static bool
is_header(const struct table_reader *r)
{
	if (r->record.n != r->nfields)
		return false;
	/*
	 * From the last field on, because numbers differ from names at once.
	 * The first byte decides, without a wide load of bytes just stored.
	 */
	for (size_t i = r->nfields; i--;) {
		const char *field = r->record.field[i];

		if (*field != *r->place[i].heading ||
		    strcmp(field, r->place[i].heading) != 0)
			return false;
	}
	/* A row of numbers may equal the names of a file without a header. */
	return !foreign_is_headless(r->record.field, r->record.n);
}

/* Takes the record if it repeats the header: another part starts. */
static bool
repeat_header(struct table *t)
{
	const struct table_reader *r = t->reader;

	if (!is_header(r))
		return false;
	if (r->part.nconstants)
		lines_die(&r->in, NULL,
		          "a second header without its '# constant:' line; "
		          "pcb-collect --wide writes rows that need none");
	begin_part(t, 0);
	read_header(t, false);
	return true;
}

/* Our cell for the one of a foreign column; counts one without a number. */
static const char *
convert(struct foreign_column *c, const char *theirs, uintmax_t *missing)
{
	const char *ours;

	/* Most are numbers that stay as they are. */
	if (*theirs >= '0' && *theirs <= '9' && !c->power)
		return theirs;
	ours = foreign_cell(c, theirs);
	*missing += !*ours && (*theirs || c->measured);
	return ours;
}

/* Whether the only column of another program holds sentences. */
static bool
is_prose(const struct table *t)
{
	const struct table_reader *r = t->reader;
	const char *name, *text = r->record.field[0];

	if (r->nfields != 1 || r->part.ours || r->json || t->verbatim)
		return false;
	name = r->place[0].heading;
	return isalpha((unsigned char)*name) && strchr(name, ' ') &&
	       isalpha((unsigned char)*text) && strchr(text, ' ');
}

/* In a range, the reader of the whole file says why. */
static _Noreturn void
refuse_row(const struct table *t)
{
	const struct table_reader *r = t->reader;
	char *command, *what;

	if (t->escape)
		longjmp(*t->escape, 1);
	command = r->part.ours ? NULL : reader_of(t->file);
	what = r->record.n == r->nfields
	           ? xstrdup("no header of columns")
	           : xasprintf("%zu fields where the header has %zu",
	                       r->record.n, r->nfields);
	/* Of several columns, only a row may be wrong. */
	if (command &&
	    (r->nfields == 1 || strncmp(command, "pcb-import", 10) != 0))
		lines_die(&r->in, NULL, "%s; '%s' reads this file", what,
		          command);
	lines_die(&r->in, NULL, "%s%s", what,
	          r->part.ours || r->nfields > 1
	              ? ""
	              : "; pcb-import reads what other programs write");
}

static void
take_row(struct table *t)
{
	struct table_reader *r = t->reader;
	size_t last = r->nfields - 1, first = r->record.repeats ? r->lead : 0;

	if (r->record.n != r->nfields || is_prose(t))
		refuse_row(t);
	if (!r->record.repeats)
		r->lead_missing = 0;
	for (size_t i = first; i < r->nfields; i++) {
		const char *text = r->record.field[i];

		t->field[r->place[i].column] =
		    r->part.ours
		        ? text
		        : convert(&r->place[i].foreign, text,
		                  i < r->lead ? &r->lead_missing : &r->missing);
	}
	r->missing += r->lead_missing;
	t->word = t->field[r->place[last].column] == r->record.field[last]
	              ? r->record.word
	              : 0;
	t->changed = r->record.repeats ? r->place[last].column : ANY_COLUMN;
	r->part.rows++;
	t->rows++;
}

/*
 * What stands behind such a mark at the start of a line, whose end it cuts off;
 * NULL if there is no mark.
 */
static char *
behind(const char *mark, char *line, size_t length)
{
	size_t n = strlen(mark);

	if (strncmp(line, mark, n) != 0)
		return NULL;
	while (length > n &&
	       (line[length - 1] == '\n' || line[length - 1] == '\r'))
		length--;
	line[length] = '\0';
	return line + n;
}

/* A new part starts. */
static void
take_mark(struct table *t, const char *version)
{
	struct table_reader *r = t->reader;

	version += strspn(version, " ");
	if (strcmp(version, "1") != 0 && strcmp(version, "2") != 0)
		lines_die(&r->in, NULL,
		          "pcb-csv version '%s': only 1 and 2 are supported",
		          version);
	/* The first of two preambles in a row lost its whole stream. */
	if (r->part.ours && !r->part.in_rows)
		lines_die(&r->in, NULL,
		          "the part before this one has no header row");
	begin_part(t, *version - '0');
	r->separator = ',';
}

static void
take_end_word(struct table_reader *r, char *word)
{
	size_t length = strcspn(word, "=");
	const char *value = word + length + 1, *why = NULL;

	if (!length || !word[length])
		lines_die(&r->in, NULL, "'%s' in an end line is not key=value",
		          word);
	word[length] = '\0';
	if (!strcmp(word, "rows")) {
		why = parse_integer(value, &r->part.end_rows);
	} else if (!strcmp(word, "complete")) {
		r->part.end_complete = !strcmp(value, "yes");
		if (!r->part.end_complete && strcmp(value, "no") != 0)
			why = "not yes or no";
	} else {
		preamble_set(&r->part.end_keys, word, "%s", value);
	}
	if (why)
		lines_die(&r->in, NULL, "%s=%s: %s", word, value, why);
}

/* True if the line was metadata and not part of a record. */
static bool
read_special(struct table *t, char *line, size_t length)
{
	struct table_reader *r = t->reader;
	struct part *p = &r->part;
	static const char list_mark[] = "# constant: ";
	bool whole = line[length - 1] == '\n';
	char *rest, *word;

	if (line[0] == '\n' || (length == 2 && !memcmp(line, "\r\n", 2)))
		return true;
	if (line[0] != '#')
		return false;
	if ((rest = behind("# pcb-csv:", line, length))) {
		take_mark(t, rest);
	} else if (p->in_rows) {
		rest = behind("# end:", line, length);
		if (!rest)
			return false;
		if (!whole)
			lines_die(&r->in, NULL, "the last line is cut off");
		p->ended = true;
		p->end_rows = p->rows;
		while ((word = strsep(&rest, " \t"))) {
			if (*word)
				take_end_word(r, word);
		}
		begin_part(t, 0);
	} else if (!p->ours &&
	           !strncmp(line, FAILED_STREAM, strlen(FAILED_STREAM))) {
		r->failed = true;
	} else if (!strncmp(line, list_mark, strlen(list_mark))) {
		if (p->ours != 2)
			lines_die(&r->in, NULL,
			          "a list of constants without '# pcb-csv: 2' "
			          "above it: a part of a stream?");
		lines_unread(&r->in, length - strlen(list_mark));
		read_constants(r);
	} else if (p->ours && (rest = behind("# ", line, length)) &&
	           (word = strstr(rest, ": ")) && word > rest) {
		*word = '\0';
		preamble_set(&p->preamble, rest, "%s", word + 2);
	}
	return true;
}

/* Takes a plain row; false if the next line is none. */
static bool
next_plain_row(struct table *t)
{
	struct table_reader *r = t->reader;
	size_t last = r->nfields - 1, begin = r->in.pos;

	if (!r->part.plain)
		return false;
	t->line = r->in.line = r->in.next;
	if (!record_take(&r->record, &r->in, r->separator, r->nfields, r->lead))
		return false;
	/* No number starts like a column's name. */
	if (*r->record.field[last] == *r->place[last].heading) {
		if (r->in.stop && is_header(r)) {
			r->in.pos = begin;
			r->in.next = r->in.line;
			r->in.eof = true; /* the range ends here */
			return false;
		}
		if (repeat_header(t))
			return false;
	}
	take_row(t);
	return true;
}

/* JSON lines --------------------------------------------------------------- */

/* False if the line ends the file because it was cut off. */
static bool
take_object(struct table *t, const char *line, size_t length)
{
	struct table_reader *r = t->reader;
	struct json_line *j = &r->object;
	const char *why = json_line_parse(j, line, length);

	if (!why && !j->n && !t->ncols)
		why = "an empty object before all others: it names no column";
	if (why && r->part.rows && line[length - 1] != '\n') {
		warn("%s: the last line is cut off, after %ju rows", t->file,
		     r->part.rows);
		t->complete = all_complete = false;
		return false;
	}
	if (why)
		lines_die(&r->in, NULL, "%s", why);
	if (r->part.in_rows && j->renamed)
		begin_part(t, 0);
	if (!r->part.in_rows) {
		record_set(&r->record, j->name, j->n);
		read_header(t, false);
	}
	record_set(&r->record, j->value, j->n);
	take_row(t);
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
		t->line = r->in.line = r->in.next;
		line = lines_next(&r->in, &length);
		/* A full disk or kill -9 has cut off the last line. */
		if (!line || (r->part.ours && line[length - 1] != '\n'))
			return false;
		lines_check(&r->in, line, length);
		if (r->headless && !r->part.ours &&
		    (line[strspn(line, " \t")] == '{' ||
		     (*line == '[' && strchr("{\r\n", line[1]))))
			r->json = true;
		if (read_special(t, line, length))
			continue;
		if (r->json)
			return take_object(t, line, length);
		if (r->headless && !r->part.ours)
			r->separator = foreign_separator(line, length);
		lines_unread(&r->in, length);
		if (t->read_foreign && !r->part.ours
		        ? !t->read_foreign(&r->record, &r->in, r->separator)
		        : !record_read(&r->record, &r->in, r->separator,
		                       r->part.ours))
			return false;
		if (!r->part.in_rows) {
			bool numbered =
			    !r->part.ours &&
			    foreign_is_headless(r->record.field, r->record.n);

			read_header(t, numbered);
			if (!numbered)
				continue;
		} else if (repeat_header(t)) {
			continue;
		}
		take_row(t);
		return true;
	}
}

/* Ends the file; a preamble without a header is an error. */
static void
finish_file(struct table *t)
{
	struct table_reader *r = t->reader;

	if (r->failed)
		t->complete = all_complete = false;
	/* The program that failed has printed the reason. */
	if (r->headless && r->failed && r->in.fd == STDIN_FILENO)
		exit(STATUS_TROUBLE);
	if (r->headless)
		die("%s: no %s", t->file, r->json ? "rows" : "header row");
	/* A cut object of JSON is left out; a cut number looks whole. */
	if (r->in.unended && !r->part.ours && !r->json && r->part.rows)
		warn("%s: the last line has no line feed: if it was cut off, "
		     "its last value is wrong",
		     t->file);
	begin_part(t, 0);
	lines_close(&r->in);
}

/* Whether there may be another plain row in the range, with more input. */
static bool
continue_range(struct table_reader *r)
{
	return r->in.end - r->in.pos <= RECORD_MAX && lines_fill(&r->in);
}

bool
table_next(struct table *t)
{
	struct table_reader *r = t->reader;

	do {
		if (next_plain_row(t))
			return true;
	} while (r->in.stop && continue_range(r));
	if (r->in.stop)
		return false;
	for (;;) {
		if (r->in.fd >= 0) {
			if (next_row(t))
				return true;
			finish_file(t);
		}
		if (!lines_open_next(&r->in))
			break;
		t->file = r->in.file;
		t->operand = r->in.operand;
		r->headless = true;
		r->failed = r->json = false;
		r->separator = ',';
	}
	if (r->missing)
		preamble_set(&t->end, "missing", "%ju", (uintmax_t)r->missing);
	if (r->parts > 1)
		preamble_set(&t->preamble, "parts", "%ju", (uintmax_t)r->parts);
	return false;
}

size_t
table_run(struct table *t, struct plain cell[], size_t most)
{
	struct table_reader *r = t->reader;
	size_t n;

	if (t->last == ANY_COLUMN)
		return 0;
	/* A cell that starts with a digit is not missing. */
	n = record_take_run(&r->record, &r->in, r->separator, !r->part.ours,
	                    cell, most);
	if (n) {
		t->field[t->last] = cell[n - 1].text;
		t->word = cell[n - 1].word;
		t->changed = t->last;
		t->line = r->in.next - 1;
		t->rows += n;
		r->part.rows += n;
		r->missing += n * r->lead_missing;
	}
	return n;
}

struct table *
table_open(char *const files[], size_t nfiles)
{
	struct table *t = xcalloc(1, sizeof *t);
	struct table_reader *r = xcalloc(1, sizeof *r);

	t->reader = r;
	t->complete = true;
	r->in.files = nfiles ? files : lines_stdin;
	r->in.nfiles = nfiles ? nfiles : 1;
	r->in.fd = -1;
	return t;
}

void
table_set_names(struct table *t, char *const names[])
{
	t->reader->in.names = names;
}

void
table_close(struct table *t)
{
	struct table_reader *r = t->reader;

	/* It is not cut short if the caller needed no more rows. */
	r->part.ours = r->part.in_rows = 0;
	begin_part(t, 0);
	json_line_free(&r->object);
	for (size_t i = 0; i < t->ncols; i++)
		free(t->name[i]);
	free(t->name);
	key_set_free(&r->columns);
	preamble_free(&t->preamble);
	preamble_free(&t->end);
	for (size_t i = 0; i < r->nplaces; i++) {
		foreign_column_free(&r->place[i].foreign);
		free(r->place[i].heading);
	}
	free(r->place);
	record_free(&r->record);
	free(r->in.buffer);
	free(r);
	free(t->field);
	free(t);
}

ptrdiff_t
table_find(const struct table *t, const char *name)
{
	size_t i = key_set_find_text(&t->reader->columns, name);

	return i < t->ncols ? (ptrdiff_t)i : -1;
}

const char *
table_heading(const struct table *t, size_t col)
{
	const struct table_reader *r = t->reader;

	for (size_t i = 0; i < r->nfields; i++) {
		if (r->place[i].column == col && r->place[i].foreign.name)
			return r->place[i].heading +
			       strspn(r->place[i].heading, " ");
	}
	return t->name[col];
}

double
table_tick_ns(const struct table *t)
{
	return preamble_number(&t->reader->part.preamble, CLOCK_TICK);
}

void
table_die(const struct table *t, size_t col, const char *fmt, ...)
{
	va_list ap;

	if (t->escape)
		longjmp(*t->escape, 1);
	t->reader->in.line = t->line;
	va_start(ap, fmt);
	lines_complain(&t->reader->in, t->name[col], fmt, ap);
	va_end(ap);
	exit(STATUS_TROUBLE);
}

/* Ranges ------------------------------------------------------------------- */

size_t
table_cut(const struct table *t, size_t n, off_t least, off_t most,
          off_t bound[])
{
	const struct table_reader *r = t->reader;
	off_t size, begin, length;
	size_t cut = 0;

	if (r->in.fd < 0 || !r->part.plain)
		return 0;
	begin = lines_tell(&r->in, &size);
	if (begin < 0 || size - begin < 2 * least)
		return 0;
	length = (size - begin) / (off_t)n + 1;
	length = length < least ? least : length > most ? most : length;
	bound[0] = begin;
	while (cut < n && bound[cut] < size) {
		off_t at = bound[cut] + length;

		at = at < size ? lines_after(&r->in, at) : size;
		bound[++cut] = at;
	}
	return cut;
}

/* Sets the places of a range, but for the memory of their texts. */
static void
copy_places(struct table_reader *r, const struct table_reader *from)
{
	while (r->nplaces < from->nfields)
		array_push(r->place, r->nplaces, (struct place){0});
	for (size_t i = 0; i < from->nfields; i++) {
		struct foreign_column *foreign = &r->place[i].foreign;
		const struct foreign_column own = *foreign;

		r->place[i] = from->place[i];
		foreign->text = own.text;
		foreign->size = own.size;
	}
}

struct table *
table_range(const struct table *t, struct table *range, off_t from, off_t to)
{
	struct table_reader *r, own;
	const char **field;

	if (!range) {
		range = thread_memory(1, sizeof *range);
		range->reader = thread_memory(1, sizeof *r);
		range->reader->in.buffer = thread_memory(LINES_SLACK, 1);
	}
	r = range->reader;
	field = range->field;
	if (range->ncols < t->ncols) {
		free(field);
		field = thread_memory(t->ncols, sizeof *field);
	}
	memcpy(field, t->field, t->ncols * sizeof *field);
	*range = *t;
	range->field = field;
	range->reader = r;
	range->rows = 0;

	copy_places(r, t->reader);
	own = *r;
	*r = *t->reader;
	r->place = own.place;
	r->nplaces = own.nplaces;
	r->part.rows = r->missing = r->lead_missing = 0;
	r->record = own.record;
	r->record.next = NULL;
	r->in = (struct lines){.fd = r->in.fd,
	                       .buffer = own.in.buffer,
	                       .size = own.in.size,
	                       .at = from,
	                       .stop = to};
	*r->in.buffer = '\0';
	return range;
}

bool
table_skip(struct table *t, const struct table *range)
{
	const struct table_reader *from = range->reader;
	struct table_reader *r = t->reader;
	size_t rest = from->in.end - from->in.pos;

	t->rows += range->rows;
	r->part.rows += range->rows;
	r->missing += from->missing;
	r->in.next += from->in.next;
	r->record.next = NULL;
	lines_seek(&r->in, from->in.at - (off_t)rest);
	return !rest && from->in.at == from->in.stop;
}

void
table_range_free(struct table *range)
{
	struct table_reader *r = range ? range->reader : NULL;

	if (!range)
		return;
	for (size_t i = 0; i < r->nplaces; i++)
		free(r->place[i].foreign.text);
	free(r->place);
	record_free(&r->record);
	free(r->in.buffer);
	free(r);
	free(range->field);
	free(range);
}
