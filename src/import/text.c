/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files line by line, or as JSON, and appends rows. */
#include "import/text.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

void
text_split(struct text *t, const char *separators)
{
	bool may_be_empty = !strchr(separators, ' ');
	char *rest = t->text;
	char *word, *end;

	t->nwords = 0;
	memcpy(t->text, t->line, strlen(t->line) + 1);
	while ((word = strsep(&rest, separators))) {
		word += strspn(word, blanks);
		end = word + strlen(word);
		while (end > word && strchr(blanks, end[-1]))
			*--end = '\0';
		if (!*word && !may_be_empty)
			continue;
		if (t->nwords == TEXT_WORDS)
			break;
		t->word[t->nwords++] = word;
	}
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

	if (!text_begins(t, beginning))
		return NULL;
	return rest + strspn(rest, blanks);
}

/* Lines that are in no table. */
static struct {
	uintmax_t n;
	uintmax_t line; /* the first that looks like a row, or 0 */
	const char *file;
	char *text;
} skipped;

/* Removes colours: ESC [ up to a letter. */
static size_t
drop_colours(char *line, size_t length)
{
	size_t to = 0;

	for (size_t i = 0; i < length; i++) {
		if (line[i] == '\033' && i + 1 < length && line[i + 1] == '[') {
			while (i < length && !isalpha((unsigned char)line[i]))
				i++;
			continue;
		}
		line[to++] = line[i];
	}
	return to;
}

/* What mail ("> ") and mpirun ("[1,0]<stdout>:") put before a line. */
static const char *
skip_marks(const char *line)
{
	int length = 0;

	sscanf(line, "[%*d,%*d]<std%*[a-z]>:%n", &length);
	line += length;
	while (*line && strchr("> \t\r\n", *line))
		line++;
	return line;
}

/* Makes the line current, without surrounding blanks; false if it is empty. */
static bool
take_line(struct text *t, char *line, size_t length)
{
	lines_check(&t->in, line, length);
	length = drop_colours(line, length);
	while (length && strchr(blanks, line[length - 1]))
		length--;
	line[length] = '\0';
	t->line = skip_marks(line);
	if (t->size <= length) {
		t->size = 2 * length + 1;
		t->text = xreallocarray(t->text, t->size, 1);
	}
	return *t->line;
}

static bool
is_number(const char *word)
{
	double unused;

	return !strcmp(word, "N/A") || !parse_number(word, &unused);
}

bool
text_is_row(const struct text *t, size_t nwords)
{
	size_t numbers = 0;
	bool first = t->nwords && isdigit((unsigned char)*t->word[0]);

	for (size_t i = 0; i < t->nwords; i++)
		numbers += is_number(t->word[i]);
	if (2 * numbers > t->nwords)
		return true;
	return !t->gap && t->nwords == nwords &&
	       (first || numbers + 1 >= nwords);
}

static void
skip_line(const struct text *t)
{
	if (t->job->verbose)
		warn("%s:%ju: skipped: %s", t->in.file, t->in.line, t->line);
	if (!skipped.line && t->nwords > 1 && text_is_row(t, SIZE_MAX)) {
		skipped.line = t->in.line;
		skipped.file = t->in.file;
		skipped.text = xstrdup(t->line);
	}
	skipped.n++;
}

/*
 * Puts quotes around the bare words of an object that has one member per line,
 * and drops the comma behind the last one.
 */
static char *
quote_words(const char *text)
{
	char *quoted = xstrdup("");

	while (*text) {
		size_t length = strcspn(text, "\"{}[]:,\n");
		size_t word = length;

		while (word && strchr(blanks, text[word - 1]))
			word--;
		while (word && strchr(blanks, *text)) {
			text++;
			word--;
			length--;
		}
		if (word) {
			char *bare = xasprintf("%.*s", (int)word, text);
			bool is_value = strchr(quoted, ':') &&
			                quoted[strlen(quoted) - 1] == ':';

			xappend(&quoted, "",
			        is_value && is_number(bare) ? "%s" : "\"%s\"",
			        bare);
			free(bare);
		} else if (*text == '"') {
			length = strcspn(text + 1, "\"");
			xappend(&quoted, "", "\"%.*s\"", (int)length, text + 1);
			length += text[length + 1] ? 2 : 1;
		} else if (length == 0) {
			if (*text == ',' &&
			    text[1 + strspn(text + 1, blanks)] == '}')
				text++;
			else
				xappend(&quoted, "", "%c", *text++);
		}
		text += length;
	}
	return quoted;
}

/* Parses the objects of the file from this line on. */
static void
take_json(struct text *t, const struct importer *importer, const char *line,
          size_t length)
{
	uintmax_t first = t->in.line;
	size_t n = 0, at = 0;
	char *text = NULL;
	json_error_t error;

	for (; line; line = lines_next(&t->in, &length)) {
		lines_check(&t->in, line, length);
		text = xreallocarray(text, n + length + 1, 1);
		memcpy(text + n, line, length);
		n += length;
		text[n] = '\0';
	}
	while (at < n) {
		const size_t flags =
		    JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK;
		json_t *root = json_loadb(text + at, n - at, flags, &error);
		char *end;

		t->in.line = first;
		for (size_t i = 0; i < at; i++)
			t->in.line += text[i] == '\n';
		if (!root && importer->loose) {
			char *quoted = quote_words(text + at);
			json_error_t unused;

			root =
			    json_loads(quoted, JSON_REJECT_DUPLICATES, &unused);
			error.position = (int)(n - at);
			free(quoted);
		}
		if (!root) {
			t->in.line += (uintmax_t)error.line - 1;
			free(text);
			text_die(t, "%s", error.text);
		}
		t->in.line = 0;
		importer->take_json(t, root);
		json_decref(root);
		/* The next object begins a line. */
		at += (size_t)error.position;
		end = strstr(text + at, "\n{");
		for (; at < n && (!end || text + at <= end); at++)
			skipped.n += text[at] == '\n' && text[at + 1] &&
			             !strchr("\n{", text[at + 1]);
	}
	free(text);
}

static void
read_lines(struct text *t, const struct importer *importer)
{
	uintmax_t rows;
	size_t length;
	char *line;

	for (;;) {
		t->in.line = t->in.next;
		line = lines_next(&t->in, &length);
		if (!line)
			return;
		if (importer->take_json && *line == '{') {
			take_json(t, importer, line, length);
			return;
		}
		if (!take_line(t, line, length)) {
			t->gap = true;
			continue;
		}
		text_split(t, blanks);
		rows = t->job->result.rows;
		if (!importer->take_line || !importer->take_line(t)) {
			text_split(t, blanks);
			skip_line(t);
		}
		if (t->job->result.rows > rows)
			t->gap = false;
	}
}

/* Says what was skipped. */
static void
say_skipped(const struct importer *importer)
{
	char *row = NULL;

	if (skipped.line)
		row = xasprintf("; %s:%ju may be of a table that is not known: "
		                "'%.60s'",
		                skipped.file, skipped.line, skipped.text);
	if (skipped.n)
		warn("skipped %ju line%s around the tables of %s (-v shows "
		     "them)%s",
		     skipped.n, skipped.n == 1 ? "" : "s", importer->name,
		     row ? row : "");
	free(row);
	free(skipped.text);
	memset(&skipped, 0, sizeof skipped);
}

void
import_read(struct job *job, const struct importer *importer)
{
	struct text t = {
	    .job = job,
	    .in = {.files = job->file, .nfiles = job->nfiles, .fd = -1},
	};

	memset(&skipped, 0, sizeof skipped);
	job->result.labels = &job->labels;
	if (importer->read) {
		importer->read(job);
		return;
	}
	add_common_identity(job);
	add_labels(job);
	while (lines_open_next(&t.in)) {
		uintmax_t before = job->result.rows;

		t.state = xcalloc(1, importer->state_size + 1);
		t.gap = false;
		read_lines(&t, importer);
		if (importer->end)
			importer->end(&t);
		if (job->result.rows == before)
			die("%s: no result of %s", t.in.file, importer->name);
		free(t.state);
		lines_close(&t.in);
	}
	free(t.in.buffer);
	free(t.text);
	say_skipped(importer);
}

void
text_row(struct text *t, const char *bench, const char *device)
{
	begin_file(t->job, "imported");
	result_text(&t->job->result, COL_BENCH, bench);
	result_text(&t->job->result, COL_DEVICE, device);
}

void
text_set(struct text *t, const char *column, const char *value)
{
	struct result *r = &t->job->result;

	result_text(r, result_column(r, column), value);
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

void
text_count(struct text *t, const char *column, const char *word)
{
	double value = text_number(t, word);
	struct result *r = &t->job->result;

	if (value > 0x1p53 || value != floor(value))
		text_die(t, "'%s': not a whole number from 0 to 2^53", word);
	result_u64(r, result_column(r, column), (uint64_t)value);
}

void
text_measure(struct text *t, const char *column, const char *word,
             const char *unit)
{
	char ours[DECIMAL_MAX];
	const char *why = scale_unit(word, unit, ours);

	if (why)
		text_die(t, "'%s': %s", word, why);
	text_set(t, column, ours);
}

void
text_end_row(struct text *t)
{
	result_end_row(&t->job->result);
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

char *
text_of_number(const struct text *t, const json_t *value, const char *what)
{
	char text[NUMBER_MAX];

	if (!json_is_number(value) || !isfinite(json_number_value(value)))
		text_die(t, "'%s' is not a number", what);
	*print_double(text, json_number_value(value)) = '\0';
	return xstrdup(text);
}

/* Matrices ---------------------------------------------------------------- */

void
matrix_begin(struct text *t, struct matrix *m, size_t skip)
{
	m->ncols = 0;
	t->gap = false;
	for (size_t i = skip; i < t->nwords; i++) {
		size_t length = strlen(t->word[i]);

		if (length >= MATRIX_LABEL_MAX)
			text_die(t, "'%s': not the label of a column",
			         t->word[i]);
		memcpy(m->label[m->ncols++], t->word[i], length + 1);
	}
}

bool
matrix_row(struct text *t, const struct matrix *m,
           void (*cell)(struct text *t, const char *row, const char *column,
                        const char *value))
{
	if (!m->ncols || !text_is_row(t, m->ncols + 1))
		return false;
	if (t->nwords != m->ncols + 1)
		text_die(t, "%zu values where the header has %zu columns",
		         t->nwords - 1, m->ncols);
	for (size_t i = 0; i < m->ncols; i++) {
		if (strcmp(t->word[i + 1], "N/A") != 0)
			cell(t, t->word[0], m->label[i], t->word[i + 1]);
	}
	return true;
}

/* GPUs -------------------------------------------------------------------- */

void
gpu_set(struct gpu_names *names, size_t number, unsigned domain, unsigned bus,
        unsigned device)
{
	if (number < GPUS_MAX)
		snprintf(names->name[number], GPU_NAME_MAX, "%04x:%02x:%02x.0",
		         domain, bus, device);
}

bool
gpu_take(struct gpu_names *names, const char *number, const char *address)
{
	unsigned part[3];
	size_t n;

	if (!leading_number(number, &n))
		return false;
	if (address && hex_numbers(address, part, 3) == 3)
		gpu_set(names, n, part[0], part[1], part[2]);
	return true;
}

size_t
hex_numbers(const char *text, unsigned value[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *end;

		if (!isxdigit((unsigned char)*text))
			return i;
		value[i] = (unsigned)strtoul(text, &end, 16);
		if (*end != ':' && *end != '.')
			return i + 1;
		text = end + 1;
	}
	return n;
}

bool
leading_number(const char *text, size_t *value)
{
	if (!isdigit((unsigned char)*text))
		return false;
	*value = strtoul(text, NULL, 10);
	return true;
}

bool
is_c2c(const char *gpu)
{
	/* Packages of a CPU and GPUs. */
	static const char *const chips[] = {"GH200", "GB200", "GB300", "GB10"};

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
