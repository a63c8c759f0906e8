/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files line by line, finds tables and objects, and appends rows. */
#include "import/text.h"

#include "common/base/number.h"
#include "common/base/util.h"
#include "common/link/pcie.h"
#include "common/stream/foreign.h"

#include <ctype.h>
#include <math.h>

static const char blanks[] = " \t\r\n";

void
text_die(const struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	lines_complain(&t->in, t->job->tried ? t->format : NULL, fmt, ap);
	va_end(ap);
	if (!t->torn)
		exit(STATUS_TROUBLE);
	warn("%s: its last line has no end and is left out", t->in.file);
	longjmp(((struct text *)t)->leave, 1);
}

void
text_split(struct text *t, const char *separators)
{
	char *rest = t->text, *word;

	t->nwords = 0;
	memcpy(t->text, t->line, strlen(t->line) + 1);
	while (t->nwords < TEXT_WORDS && (word = strsep(&rest, separators))) {
		if (*word)
			t->word[t->nwords++] = word;
	}
}

void
text_split_csv(struct text *t)
{
	char *word;

	foreign_line_read(&t->csv, t->line, ',');
	t->nwords = t->csv.n < TEXT_WORDS ? t->csv.n : TEXT_WORDS;
	word = t->csv.copy;
	for (size_t i = 0; i < t->nwords; i++, word += strlen(word) + 1)
		t->word[i] = word;
}

void
text_use(struct text *t, const char *line)
{
	size_t length = strlen(line);

	if (t->size <= length) {
		t->size = 2 * length + 1;
		t->text = xreallocarray(t->text, t->size, 1);
	}
	t->line = line;
	text_split(t, blanks);
}

bool
text_begins(const struct text *t, const char *beginning)
{
	return !strncmp(t->line, beginning, strlen(beginning));
}

const char *
text_after(const struct text *t, const char *beginning)
{
	const char *rest = t->line + strlen(beginning);

	return text_begins(t, beginning) ? rest + strspn(rest, blanks) : NULL;
}

/*
 * Removes colours, ESC and '[' or '(' up to a letter, and what a carriage
 * return hides. Web pages have blanks that no line is broken at.
 */
static size_t
drop_hidden(char *line, size_t length)
{
	size_t to = 0;

	for (size_t i = 0; i < length; i++) {
		if (line[i] == '\033' && i + 1 < length &&
		    strchr("[(", line[i + 1])) {
			while (i < length && !isalpha((unsigned char)line[i]))
				i++;
			continue;
		}
		if (line[i] == '\xc2' && i + 1 < length &&
		    line[i + 1] == '\xa0')
			line[++i] = ' ';
		if (line[i] == '\r' && i + 1 < length && line[i + 1] != '\n')
			to = 0;
		else
			line[to++] = line[i];
	}
	return to;
}

/* What mail, mpirun, srun -l, ts, Avocado and journals put before a line. */
static const char marks[] =
    "^[ \t]*(>|[A-Z]+\\| "
    "\\[std(out|err)\\]|\\[([^]@]*@)?[0-9]+,[0-9]+\\]<[a-z]+>:|[0-9]+:[ \t]|"
    "\\[?([A-Z][a-z]{2} +[0-9]+ |[0-9]+-[0-9]+-[0-9]+[T ])?"
    "[0-9]{2}:[0-9]{2}:[0-9]{2}[0-9.,Z+:]*(\\]|[ \t])|"
    "[A-Za-z0-9._-]+ [A-Za-z0-9._-]+\\[[0-9]+\\]:)";

static const char *
skip_marks(const struct text *t, const char *line)
{
	regmatch_t match;

	while (!regexec(&t->marks, line, 1, &match, 0))
		line += match.rm_eo;
	return line + strspn(line, blanks);
}

/* Makes the next line current; false if it is empty or there is none. */
static bool
next_line(struct text *t, bool *ended)
{
	size_t length;
	char *line;

	t->in.line = t->in.next;
	line = lines_next(&t->in, &length);
	*ended = !line;
	if (!line)
		return false;
	lines_check(&t->in, line, length);
	t->torn = line[length - 1] != '\n';
	length = drop_hidden(line, length);
	while (length && strchr(blanks, line[length - 1]))
		length--;
	line[length] = '\0';
	t->line = skip_marks(t, line);
	t->torn = t->torn && *t->line;
	return *t->line;
}

/* "NCCL_P2P_DISABLE=1" */
static bool
is_assignment(const char *word)
{
	size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n && isupper((unsigned char)*word) && word[n] == '=';
}

/*
 * A command behind a prompt ("$ ./nvbandwidth -b 64", "[root@host bin]# ./x"),
 * or without one, with options ("NCCL_P2P_DISABLE=1 ./all_reduce_perf -g 2").
 */
static const char *
find_command(const struct text *t)
{
	static const char *const starts[] = {"./", "sudo ", "numactl ",
	                                     "mpirun ", "srun "};
	const char *prompt = strstr(t->line, "$ ");
	const char *root = strstr(t->line, "# ");

	if (!prompt && root && root > t->line && !strchr(" #", root[-1]))
		prompt = root;
	if (prompt)
		return prompt + 2;
	if (!strstr(t->line, " -"))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		if (text_begins(t, starts[i]))
			return t->line;
	}
	return is_assignment(t->line) ? t->line : NULL;
}

/* Its variables and options; or those of all that follow, "export A=1". */
static void
take_command(struct text *t, const char *command)
{
	const char *options = strstr(command, " -");
	char name[64], value[128];

	if (sscanf(command, "export %63[^=]=%127s", name, value) == 2)
		text_setting(t, name, value);
	else
		text_setting(t, "options",
		             is_assignment(command) ? command
		             : options              ? options + 1
		                                    : "");
}

/*
 * Takes what a line says of versions and devices, a command, and a title of the
 * user's ("== with IOMMU ==", "# Before", "//after", "With the patch:").
 */
static void
take_statement(struct text *t)
{
	static const char *const programs[] = {"fio-", "TransferBench v",
	                                       "Intel(R) Memory Latency"};
	const char *colon = strchr(t->line, ':'), *command = find_command(t);
	const char *title = t->line + strspn(t->line, "=#/ ");
	size_t length = strcspn(title, "=");
	bool ends = length && !title[length + strspn(title + length, "=")];
	bool headed = text_begins(t, "##") || text_begins(t, "//") ||
	              (colon && !colon[1] && isalnum((unsigned char)*t->line));
	char name[64];

	while (length && title[length - 1] == ' ')
		length--;
	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		if (text_begins(t, programs[i]))
			text_setting(t, programs[i], t->line);
	}
	if (command) {
		take_command(t, command);
	} else if ((text_begins(t, "==") || headed) && ends) {
		char *own = xasprintf("%.*s", (int)length, title);

		text_setting(t, "title", own);
		free(own);
	} else if (text_begins(t, "# ")) {
		text_setting(t, "heading", title);
	} else if (colon &&
	           (text_begins(t, "Device") || text_begins(t, "GPU id") ||
	            strstr(t->line, "ersion:") ||
	            text_begins(t, "Launch Command"))) {
		snprintf(name, sizeof name, "%.*s", (int)(colon - t->line),
		         t->line);
		text_setting(t, name, colon + 1 + strspn(colon + 1, blanks));
	}
}

/* Whether in a table, a line has as many words with digits as a row. */
static bool
is_damaged_row(const struct text *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->nwords; i++)
		n += t->word[i][strcspn(t->word[i], "0123456789")] != '\0';
	return t->ncols && t->rows && n >= t->ncols;
}

static void
skip_line(struct text *t, bool like_row)
{
	t->torn = false;
	if (t->job->verbose)
		warn("%s:%ju: skipped: %s", t->in.file, t->in.line, t->line);
	if (like_row && !t->like_row)
		t->like_row = xasprintf("; %s:%ju looks like a row: '%.60s'",
		                        t->in.file, t->in.line, t->line);
	t->skipped++;
}

/* Tables ------------------------------------------------------------------- */

void
text_close(struct text *t)
{
	t->ncols = 0;
}

static void
open_table(struct text *t, size_t ncols)
{
	t->ncols = ncols;
	t->rows = t->gap = 0;
	t->spaced = t->lasts = false;
}

void
text_open(struct text *t, const struct text_column *columns, size_t n)
{
	open_table(t, n);
	for (size_t i = 0; i < n; i++)
		t->col[i] = &columns[i];
}

void
text_open_matrix(struct text *t, size_t first)
{
	if (t->nwords == TEXT_WORDS)
		text_die(t, "a matrix of over %d GPUs", GPUS_MAX);
	open_table(t, t->nwords - first + 1);
	for (size_t i = 0; i < t->ncols; i++)
		t->col[i] = NULL;
	for (size_t i = first; i < t->nwords; i++) {
		size_t length = strlen(t->word[i]);

		if (length >= LABEL_MAX ||
		    (isdigit((unsigned char)*t->word[first]) &&
		     strspn(t->word[i], "0123456789") < length))
			text_die(t, "'%s': not the label of a column",
			         t->word[i]);
		memmove(t->label[i - first], t->word[i], length + 1);
	}
}

/* The length of the title at the start of the line, or 0. */
static size_t
title_length(const char *line, const char *title)
{
	const char *at = line;

	for (; *title; title++) {
		size_t n = *title == ' ' ? strspn(at, blanks) : *at == *title;

		if (!n)
			return 0;
		at += n;
	}
	return !*at || strchr(blanks, *at) ? (size_t)(at - line) : 0;
}

/* Whether the open table has the column, or the same one in another unit. */
static bool
has_column(const struct text *t, const struct text_column *column)
{
	for (size_t i = 0; i < t->ncols; i++) {
		const struct text_column *c = t->col[i];

		if (c == column)
			return true;
		if (c->name && c->unit && column->name && column->unit &&
		    !strcmp(c->name, column->name) &&
		    strcmp(c->unit, column->unit) != 0)
			text_die(t, "two columns of '%s'", c->name);
	}
	return false;
}

bool
text_header(struct text *t, const char *line, const struct text_column *columns,
            size_t n, size_t least)
{
	if (!title_length(line, columns[0].title))
		return false;
	open_table(t, 0);
	while (*line) {
		size_t length = 0, i = 0;

		for (; i < n && !length; i++) {
			length = title_length(line, columns[i].title);
			if (length && has_column(t, &columns[i]))
				length = 0;
		}
		if (!length || t->ncols == TEXT_WORDS)
			text_die(t, "columns from '%s' on: unknown", line);
		t->col[t->ncols++] = &columns[i - 1];
		line += length + strspn(line + length, blanks);
	}
	if (t->ncols < least)
		text_die(t, "not all titles of this table: '%s'", t->line);
	return true;
}

static bool
is_word(const char *unit)
{
	return unit && *unit == *WORD;
}

/* A cell without a value, as on the diagonal of a matrix. */
static bool
is_void(const char *word)
{
	return list_has("-,--,N/A,n/a,\xe2\x80\x94,\xe2\x80\x93", word);
}

/* Also a number of another locale, or a broken one. */
static bool
is_number(const char *word)
{
	static const char characters[] = "0123456789.,+-eExX'%kKMG";

	return is_void(word) ||
	       (strchr("0123456789.+-", *word) && strpbrk(word, "0123456789") &&
	        !word[strspn(word, characters)]);
}

static size_t
count_numbers(const struct text *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->nwords; i++)
		n += is_number(t->word[i]);
	return n;
}

bool
text_is_numbers(const struct text *t)
{
	return 2 * count_numbers(t) > t->nwords;
}

/* "We got 24.1 and 24.3", where a row begins with a number. */
static bool
is_sentence(const struct text *t)
{
	bool named =
	    t->col[0] ? is_word(t->col[0]->unit) : !is_number(t->label[0]);

	return !named && isalpha((unsigned char)*t->word[0]) &&
	       t->nwords - count_numbers(t) > 1;
}

bool
text_is_row(struct text *t)
{
	bool alike = text_is_numbers(t);
	size_t wanted = 0, fit = 0;

	for (size_t i = 0; i < t->ncols && t->nwords == t->ncols; i++) {
		if (!t->col[i] || !is_word(t->col[i]->unit)) {
			wanted++;
			fit += is_number(t->word[i]);
		}
	}
	if (!t->ncols ||
	    (!alike && (!fit || 2 * fit < wanted || is_sentence(t))))
		return false;
	if (t->nwords != t->ncols)
		text_die(t, "%zu values under %zu titles", t->nwords, t->ncols);
	t->rows++;
	t->gap = 0;
	return true;
}

void
text_cells(struct text *t, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct text_column *c = t->col[i];

		if (!is_void(t->word[i]))
			text_cell(t, c->name, c->unit, t->word[i]);
	}
}

bool
text_matrix_row(struct text *t,
                void (*cell)(struct text *t, const char *row,
                             const char *column, const char *value))
{
	if (!text_is_row(t))
		return false;
	if (is_number(t->word[0]) != is_number(t->label[0]))
		text_die(t, "'%s': not the label of a row", t->word[0]);
	for (size_t i = 1; i < t->nwords; i++) {
		if (!is_void(t->word[i]))
			cell(t, t->word[0], t->label[i - 1], t->word[i]);
	}
	return true;
}

/* An empty line. */
static void
take_gap(struct text *t)
{
	if (!t->rows)
		t->spaced = true;
	else if (!t->lasts && (!t->spaced || ++t->gap == 2))
		text_close(t);
}

/* JSON --------------------------------------------------------------------- */

/* Writes a line of an object, with quotes around a bare key and value. */
static void
put_quoted(FILE *to, const char *line, size_t length)
{
	size_t key = strcspn(line, " :");
	const char *value = line + strcspn(line, ":");
	const char *quote = "\"";
	char *bare;
	double unused;

	if (!isalpha((unsigned char)*line) || !*value) {
		fwrite(line, 1, length, to);
		return;
	}
	value += 1 + strspn(value + 1, blanks);
	bare = xasprintf("%.*s", (int)(length - (size_t)(value - line)), value);
	if (strchr("{\"", *bare) || !parse_number(bare, &unused))
		quote = "";
	fprintf(to, "\"%.*s\": %s%s%s", (int)key, line, quote, bare, quote);
	free(bare);
}

/* Braces that are opened in the line less those that are closed. */
static long
depth_of(const char *line)
{
	bool quoted = false;
	long depth = 0;

	for (; *line; line++) {
		if (*line == '\\' && line[1])
			line++;
		else if (*line == '"')
			quoted = !quoted;
		else if (!quoted)
			depth += (*line == '{') - (*line == '}');
	}
	return depth;
}

/* As take_statement does of a text. */
static void
take_versions(struct text *t, json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		if (json_is_string(value) && strstr(key, "ersion"))
			text_setting(t, key, json_string_value(value));
	}
}

/* Takes the object that begins in the current line. */
static void
take_object(struct text *t, const struct importer *importer)
{
	uintmax_t first = t->in.line;
	struct composed c;
	FILE *to = compose_begin(&c);
	json_error_t error;
	bool ended = false, comma = false;
	long depth = 0;
	json_t *root, *value;
	const char *key;
	char *text;

	do {
		size_t length = strlen(t->line);

		/* Old versions of perftest have one behind the last member. */
		if (comma && *t->line != '}')
			fputc(',', to);
		comma = importer->loose && t->line[length - 1] == ',';
		if (importer->loose)
			put_quoted(to, t->line, length - comma);
		else
			fputs(t->line, to);
		fputc('\n', to);
		depth += depth_of(t->line);
		while (depth > 0 && !next_line(t, &ended) && !ended)
			fputc('\n', to);
	} while (depth > 0 && !ended);
	text = compose_end(&c, to);
	root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	free(text);
	t->torn = false;
	t->in.line = first;
	if (!root) {
		if (error.line > 0)
			t->in.line += (uintmax_t)error.line - 1;
		text_die(t, "%s", error.text);
	}
	take_versions(t, root);
	json_object_foreach(root, key, value)
	{
		take_versions(t, value);
	}
	if (!importer->take_json(t, root))
		skip_line(t, false);
	json_decref(root);
}

static void
read_lines(struct text *t, const struct importer *importer)
{
	bool ended;

	while (!setjmp(t->leave)) {
		if (!next_line(t, &ended)) {
			if (ended)
				return;
			take_gap(t);
			continue;
		}
		if (importer->take_json && *t->line == '{') {
			take_object(t, importer);
			continue;
		}
		if (strstr(t->line, "(g=3D") || strstr(t->line, "P2P=3D"))
			text_die(t, "a mail in quoted-printable: 'python3 -m "
			            "quopri -d' decodes it");
		text_use(t, t->line);
		take_statement(t);
		if (importer->take_line && importer->take_line(t))
			continue;
		text_split(t, blanks);
		skip_line(t, (t->nwords > 1 && text_is_numbers(t)) ||
		                 is_damaged_row(t));
	}
	/* text_die has left out the last line. */
	t->cut = true;
	t->torn = false;
}

/* Reads the open file. */
static void
read_file(struct text *t, const struct importer *importer)
{
	struct job *job = t->job;
	uintmax_t before = job->result.rows;

	t->state = xcalloc(1, importer->state_size + 1);
	t->cut = false;
	text_close(t);
	read_lines(t, importer);
	if (t->torn)
		warn("%s: its last line has no end: if the file was cut off, "
		     "the last number is wrong",
		     t->in.file);
	t->cut |= t->torn;
	t->torn = false;
	job->complete &= !t->cut;
	if (importer->end)
		importer->end(t);
	if (job->result.rows == before)
		die("%s: no result of %s: it lacks %s%s", t->in.file,
		    importer->name, importer->needs,
		    t->like_row ? t->like_row
		    : job->seen ? job->seen
		                : "");
	text_modes_clear(t);
	preamble_free(&t->settings);
	preamble_free(&t->later);
	t->begun = false;
	free(t->state);
}

void
import_read(struct job *job, const struct importer *importer)
{
	struct text t = {
	    .job = job,
	    .in = {.files = job->file, .nfiles = job->nfiles, .fd = -1},
	    .series = importer->series,
	    .format = importer->name,
	};

	job->result.labels = &job->labels;
	if (importer->read) {
		importer->read(job);
		return;
	}
	if (regcomp(&t.marks, marks, REG_EXTENDED))
		die("out of memory");
	add_common_identity(job);
	add_labels(job);
	while (lines_open_next(&t.in)) {
		t.in.eof = job->head; /* the buffer holds the beginning */
		read_file(&t, importer);
		lines_close(&t.in);
	}
	regfree(&t.marks);
	free(t.in.buffer);
	free(t.text);
	record_free(&t.csv);
	for (size_t i = 0; i < t.keys.n; i++)
		preamble_free(&t.test[i].settings);
	free(t.test);
	key_set_free(&t.keys);
	if (t.skipped)
		warn("skipped %ju line%s around the tables of %s (-v shows "
		     "them)%s",
		     t.skipped, t.skipped == 1 ? "" : "s", importer->name,
		     t.like_row ? t.like_row : "");
	free(t.like_row);
	if (importer->unsized &&
	    key_set_find_text(&job->result.names, "size_bytes") ==
	        job->result.names.n)
		warn("%s does not print the size of its copies: pcb-plot bw "
		     "needs -l size_bytes=BYTES (%s)",
		     importer->name, importer->unsized);
}

void
text_row(struct text *t, const char *bench, const char *device)
{
	begin_file(t->job, "imported");
	t->begun = true;
	result_text(&t->job->result, "bench", bench);
	result_text(&t->job->result, "device", device);
}

void
text_set(struct text *t, const char *column, const char *value)
{
	result_text(&t->job->result, column, value);
}

double
text_number(const struct text *t, const char *word)
{
	double value = 0;
	const char *why = parse_number(word, &value);

	if (!why && value < 0)
		why = "less than 0";
	if (why)
		text_die(t, "'%s': %s", word, why);
	return value;
}

/* Notes the first transfer in one direction that is faster than any link. */
static void
note_impossible(struct text *t, const char *text)
{
	const struct link widest = {.bus = BUS_PCIE, .gen = 7, .lanes = 16};
	struct result *r = &t->job->result;
	const char *bench = r->column[result_column(r, "bench")].text;
	double gbit_s = 0;

	if (t->impossible || !list_has("bw_rd,bw_wr", bench) ||
	    parse_number(text, &gbit_s) || gbit_s <= link_raw_gbit_s(&widest))
		return;
	t->impossible = true;
	warn("%s:%ju: %.0f GB/s are more than any PCIe link carries (gen7x16: "
	     "%.0f): not over PCIe, or a wrong clock",
	     t->in.file, t->in.line, gbit_s / 8, link_raw_gbit_s(&widest) / 8);
}

void
text_cell(struct text *t, const char *column, const char *unit,
          const char *word)
{
	const char *why = NULL, *text = word;
	char ours[DECIMAL_MAX];
	double value = 0;

	if (is_word(unit)) {
		if (column)
			text_set(t, column, word);
		return;
	}
	if (unit && *unit) {
		why = scale_unit(word, unit, ours);
		text = ours;
	} else if (!column) {
		why = parse_number(word, &value);
	} else {
		value = text_number(t, word);
		if (!unit && (value > 0x1p53 || value != floor(value)))
			why = "not a whole number from 0 to 2^53";
	}
	if (why)
		text_die(t, "'%s': %s", word, why);
	if (!column)
		return;
	if (unit)
		text_set(t, column, text);
	else
		result_u64(&t->job->result, column, (uint64_t)value);
	if (!strcmp(column, "bandwidth_gbit_s"))
		note_impossible(t, text);
}

static struct test *
find_test(struct text *t)
{
	const struct result *r = &t->job->result;
	struct key key = {0};
	size_t n;

	for (size_t i = 0; i < r->ncols; i++) {
		if (r->column[i].is_key)
			key_append(&key, i, r->column[i].text);
	}
	n = key_set_intern(&t->keys, &key);
	t->test = key_set_grow(&t->keys, t->test, &t->room, sizeof *t->test);
	free(key.bytes);
	if (!t->test[n].runs)
		preamble_copy(&t->test[n].settings, &t->settings);
	return &t->test[n];
}

/* Counts up the runs that have the key columns of this row. */
static void
number_run(struct text *t)
{
	struct test *test = find_test(t);
	struct result *r = &t->job->result;
	char *other = NULL;

	for (size_t i = 0; test->runs && i < t->settings.n; i++) {
		const struct preamble_entry *e = &t->settings.entry[i];
		const char *was = preamble_get(&test->settings, e->key);

		if (was && strcmp(was, e->value) != 0)
			xappend(&other, " ", "%s=%s", e->key, e->value);
	}
	if (other) {
		size_t col = result_column(r, "test");
		const char *known = r->column[col].text;
		char *all =
		    xasprintf("%s%s%s", known, *known ? " " : "", other);

		text_set(t, "test", all);
		test = find_test(t);
		free(all);
	}
	free(other);
	result_u64(r, "run", ++test->runs);
}

void
text_end_row(struct text *t)
{
	for (size_t i = 0; t->begun && i < t->modes.n; i++) {
		if (*t->modes.entry[i].value)
			text_set(t, t->modes.entry[i].key,
			         t->modes.entry[i].value);
	}
	if (t->begun && !t->series)
		number_run(t);
	t->begun = false;
	result_end_row(&t->job->result);
	for (size_t i = 0; i < t->later.n; i++)
		text_setting(t, t->later.entry[i].key, t->later.entry[i].value);
	preamble_free(&t->later);
}

void
text_mode(struct text *t, const char *column, const char *value)
{
	preamble_set(&t->modes, column, "%s", value ? value : "");
}

void
text_setting(struct text *t, const char *name, const char *value)
{
	preamble_set(t->begun ? &t->later : &t->settings, name, "%s", value);
}

void
text_mode_count(struct text *t, const char *column, size_t count)
{
	preamble_set(&t->modes, column, "%zu", count);
}

void
text_unknown(struct text *t, const char *fmt, ...)
{
	char *words, *rest, *word;
	va_list ap;

	va_start(ap, fmt);
	words = rest = xvasprintf(fmt, ap);
	va_end(ap);
	while ((word = strsep(&rest, blanks))) {
		const char *known = preamble_get(&t->modes, "test");

		if (*word && known && *known)
			preamble_set(&t->modes, "test", "%s %s", known, word);
		else if (*word)
			text_mode(t, "test", word);
	}
	free(words);
}

void
text_modes_clear(struct text *t)
{
	preamble_free(&t->modes);
}

void
text_heading(struct text *t, const char *heading, const char *end,
             const struct text_phrase *phrases, size_t n)
{
	size_t length = end ? (size_t)(end - heading) : strlen(heading);
	char *rest = xasprintf("%.*s", (int)length, heading);

	text_mode(t, "test", NULL);
	for (size_t i = 0; i < n; i++) {
		if (phrases[i].column)
			text_mode(t, phrases[i].column, NULL);
	}
	for (size_t i = 0; i < n; i++) {
		char *at = strstr(rest, phrases[i].theirs);

		if (!at)
			continue;
		memset(at, ' ', strlen(phrases[i].theirs));
		if (phrases[i].column)
			text_mode(t, phrases[i].column, phrases[i].ours);
	}
	text_unknown(t, "%s", rest);
	free(rest);
}

json_t *
text_member(const struct text *t, const json_t *object, const char *of,
            const char *key, json_type type)
{
	json_t *member = json_object_get(object, key);

	if (!member)
		text_die(t, "%s: no member '%s'", of, key);
	if (json_typeof(member) != type)
		text_die(t, "%s: '%s' is of another type", of, key);
	return member;
}

void
text_members(struct text *t, const json_t *object,
             const struct text_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const json_t *value = json_object_get(object, columns[i].title);
		char text[NUMBER_MAX];

		if (!value)
			continue;
		if (!json_is_number(value) ||
		    !isfinite(json_number_value(value)))
			text_die(t, "'%s' is not a number", columns[i].title);
		*print_double(text, json_number_value(value)) = '\0';
		text_cell(t, columns[i].name, columns[i].unit, text);
	}
}

/* GPUs -------------------------------------------------------------------- */

bool
gpu_take(struct gpu_names *names, const char *number, const char *address)
{
	char a[9], b[9], c[9];
	size_t n = strtoul(number, NULL, 10);

	if (!isdigit((unsigned char)*number))
		return false;
	if (address && n < GPUS_MAX &&
	    sscanf(address, "%8[0-9a-fA-F]:%8[0-9a-fA-F]:%8[0-9a-fA-F]", a, b,
	           c) == 3)
		snprintf(names->name[n], GPU_NAME_MAX, "%04lx:%02lx:%02lx.0",
		         strtoul(a, NULL, 16), strtoul(b, NULL, 16),
		         strtoul(c, NULL, 16));
	return true;
}

void
gpu_access_take(struct gpu_access *access, const char *from, const char *to,
                bool can)
{
	size_t a = strtoul(from, NULL, 10), b = strtoul(to, NULL, 10);

	if (a < GPUS_MAX && b < GPUS_MAX)
		access->of[a][b] = can ? ACCESS_YES : ACCESS_NO;
}

void
gpu_access_set(struct text *t, const struct gpu_access *access,
               const char *from, const char *to)
{
	size_t a = strtoul(from, NULL, 10), b = strtoul(to, NULL, 10);

	if (a != b && a < GPUS_MAX && b < GPUS_MAX && access->of[a][b])
		text_set(t, "peer_access",
		         access->of[a][b] == ACCESS_YES ? "yes" : "no");
}

bool
is_fused(const char *gpu)
{
	static const char *const chips[] = {
	    "GH200",           "GB200",
	    "GB300",           "GB10",
	    "Tegra",           "Orin",
	    "Xavier",          "Thor",
	    "GK20A",           "MI300A",
	    "Radeon Graphics", "Radeon(TM) Graphics",
	    "0M Graphics",     "0S Graphics"};

	for (size_t i = 0; i < ARRAY_LEN(chips); i++) {
		const char *chip = strstr(gpu, chips[i]);

		if (chip && !isalnum((unsigned char)chip[strlen(chips[i])]))
			return true;
	}
	return false;
}

const char *
gpu_name(const struct text *t, struct gpu_names *names, const char *word)
{
	uint64_t number = GPUS_MAX;

	parse_integer(word, &number);
	if (number < GPUS_MAX) {
		char *name = names->name[number];

		if (!*name)
			snprintf(name, GPU_NAME_MAX, "gpu%u", (unsigned)number);
		return name;
	}
	text_die(t, "'%s': not the number of a GPU", word);
}
