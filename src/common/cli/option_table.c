/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses, explains and completes options from a program's table. */
#include "common/cli/option_table.h"

#include "common/base/debug.h"
#include "common/base/nearest.h"
#include "common/base/number.h"
#include "common/base/util.h"
#include "common/cli/labels.h"
#include "common/cli/words.h"
#include "common/stream/key_set.h"
#include "common/stream/writer.h"

#include <assert.h>
#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* Columns of --help, from 0, in which texts start and before which they end. */
#define TEXT_COLUMN 26
#define TEXT_END    80

/* Narrower terminals wrap the lines of help themselves. */
#define LEAST_COLUMNS 50

/* An option of fewer modes is a mode's own, and stands first in its help. */
#define FEW_MODES 4

/* The value of --output, or NULL. */
static const char *output;

/* getopt_long returns FIRST + i for the option at i. */
#define FIRST (CHAR_MAX + 1)

static const char *
set_debug(void *to, const char *list)
{
	(void)to;
	debug_enable("--debug", list ? list : "all");
	return NULL;
}

static const struct option_def every_program[] = {
    {"help", 'h', NULL, "show this help; help WORD explains one", .set = NULL},
    {"version", 'V', NULL, "show the version", .set = NULL},
    {"debug", 0, "LIST", "trace on stderr, such as vfio,restore, or all",
     .set = set_debug},
    {"verbose", 'v', NULL, "say what is done and left out: --debug all",
     .set = set_debug},
    {0},
};

/* All options of a program, as its own rows and as getopt_long's. */
struct flat {
	const struct option_def *def[OPTIONS_MAX];
	struct option option[OPTIONS_MAX + 1];
	char letters[2 * OPTIONS_MAX + 1];
	size_t n;
};

static bool
is_optional(const struct option_def *def)
{
	return def->argument && *def->argument == '[';
}

static void
flatten_option(struct flat *flat, const struct option_def *def)
{
	size_t used = strlen(flat->letters);
	int has_arg = is_optional(def) ? optional_argument
	              : def->argument  ? required_argument
	                               : no_argument;

	assert(flat->n < OPTIONS_MAX);
	flat->option[flat->n] =
	    (struct option){def->name, has_arg, NULL, FIRST + (int)flat->n};
	flat->def[flat->n++] = def;
	if (def->letter) {
		flat->letters[used++] = def->letter;
		if (def->argument)
			flat->letters[used] = ':';
	}
}

static const struct option_def *
option_named(const struct flat *flat, const char *name)
{
	for (size_t i = 0; i < flat->n; i++) {
		if (!strcmp(flat->def[i]->name, name))
			return flat->def[i];
	}
	return NULL;
}

/* A program's own option hides one of every program. */
static void
flatten_group(struct flat *flat, const struct option_def *def)
{
	for (; def->name; def++) {
		if (!option_named(flat, def->name))
			flatten_option(flat, def);
	}
}

static void
flatten(struct flat *flat, const struct option_table *t)
{
	*flat = (struct flat){0};
	for (const struct option_group *g = t->group; g->options; g++)
		flatten_group(flat, g->options);
	flatten_group(flat, every_program);
}

/* The index of a text of this length, in either case; UINT_MAX: none. */
static unsigned
find_choice(const char *words, const char *text, size_t length)
{
	size_t n;

	for (unsigned i = 0; *words; i++) {
		n = strcspn(words, " ");
		if (n == length && !strncasecmp(words, text, n))
			return i;
		words += n + (words[n] == ' ');
	}
	return UINT_MAX;
}

/* Whether a list of words separated by blanks has this one. */
static bool
has_word(const char *words, const char *word)
{
	return words && strstr(words, word) &&
	       find_choice(words, word, strlen(word)) < UINT_MAX;
}

/* The hint about an unknown option: what it is here, or the nearest option. */
static void
suggest(const struct option_table *t, const struct flat *flat, const char *word)
{
	const struct option_hint *h = t->hints;
	char letter[] = {'-', (char)optopt, '\0'};
	char *name = xasprintf("%.*s", (int)strcspn(word + 2, "="), word + 2);
	const char *typed = optopt ? letter : name;
	const struct option_def *meant = NULL;
	struct nearest nearest = {.typed = typed};
	char *option = xasprintf("--%s", name), *owners = words_owners(option);

	for (size_t i = 0; i < flat->n; i++) {
		if (has_word(flat->def[i]->elsewhere, typed))
			meant = flat->def[i];
		nearest_offer(&nearest, flat->def[i]->name);
	}
	while (h && h->word && strcmp(h->word, typed) != 0)
		h++;
	if (h && h->word)
		warn("%s%s %s", optopt ? "" : "--", typed, h->hint);
	else if (meant)
		warn("did you mean --%s%s%s?", meant->name,
		     meant->argument ? " " : "",
		     meant->argument ? meant->argument : "");
	else if (!optopt && nearest.word && nearest.distance)
		warn("did you mean --%s?", nearest.word);
	else if (owners && !option_named(flat, name))
		warn("%s %s %s", owners, strchr(owners, ' ') ? "have" : "has",
		     option);
	free(owners);
	free(option);
	free(name);
}

/* Its name in messages: the letter, if it has one. */
static const char *
label(const struct option_def *def)
{
	static char text[64];

	if (def->letter)
		snprintf(text, sizeof text, "-%c", def->letter);
	else
		snprintf(text, sizeof text, "--%s", def->name);
	return text;
}

/* The option that getopt_long found; otherwise getopt has printed the error. */
static const struct option_def *
found(const struct option_table *t, const struct flat *flat, int value,
      const char *word)
{
	if (value >= FIRST)
		return flat->def[value - FIRST];
	for (size_t i = 0; i < flat->n; i++) {
		if (flat->def[i]->letter == value)
			return flat->def[i];
	}
	suggest(t, flat, word);
	try_help();
}

static size_t
text_end(void)
{
	size_t columns = terminal_size().columns;

	return columns > LEAST_COLUMNS && columns < TEXT_END ? columns + 1
	                                                     : TEXT_END;
}

/* Prints "  head" and the text beside it; below it if the head is too long. */
static void
print_entry(const char *head, size_t column, const char *text)
{
	size_t width = strlen(head) + 2;

	printf("  %s", head);
	if (width + 2 > column) {
		putchar('\n');
		width = 0;
	}
	printf("%*s", (int)(column - width), "");
	print_wrapped(column, text_end(), text);
	check_stdout();
}

static void
explain_modes(const struct option_table *t, FILE *to)
{
	int width = 0;

	for (const struct option_mode *m = t->mode; m->name; m++)
		width = m->help && (int)strlen(m->name) > width
		            ? (int)strlen(m->name)
		            : width;
	for (const struct option_mode *m = t->mode; m->name; m++) {
		if (m->help)
			fprintf(to, "  %-*s  %s\n", width, m->name, m->help);
	}
}

/* Whether a text of this length has the word between other characters. */
static bool
names(const char *text, size_t length, const char *word)
{
	static const char inside[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
	size_t n = strlen(word);
	const char *at = text;

	while ((at = memmem(at, length - (size_t)(at - text), word, n))) {
		const char *end = at + n;

		if ((at == text || !strchr(inside, at[-1])) &&
		    (end == text + length || !strchr(inside, *end)))
			return true;
		at = end;
	}
	return false;
}

/*
 * What the help of an option says for one mode: the part "for MODE: ..." that
 * names it, else those that name none. Parts end at "; for". Free it.
 */
static char *
text_for(const char *help, const char *mode)
{
	char *kept = NULL;

	for (const char *p = help, *next; *p; p = next) {
		size_t length;
		const char *colon =
		    strncmp(p, "for ", 4) ? NULL : strchr(p, ':');

		next = strstr(p, "; for ");
		length = next ? (size_t)(next - p) : strlen(p);
		next = next ? next + 2 : p + length;
		if (colon && names(p, (size_t)(colon - p), mode)) {
			free(kept);
			return xasprintf(
			    "%.*s", (int)(length - (size_t)(colon - p) - 2),
			    colon + 2);
		}
		if (!colon)
			xappend(&kept, "; ", "%.*s", (int)length, p);
	}
	return kept ? kept : xstrdup(help);
}

static void
explain_option(const struct option_def *o, const char *text)
{
	const char *argument = o->argument ? o->argument : "";
	char letter[] = "    ", *head;

	if (o->letter)
		snprintf(letter, sizeof letter, "-%c, ", o->letter);
	head = xasprintf("%s--%s%s%s", letter, o->name,
	                 *argument && !is_optional(o) ? " " : "", argument);
	print_entry(head, TEXT_COLUMN, text);
	free(head);
}

void
options_finish(void)
{
	check_stdout();
	close_stdout();
	exit(STATUS_OK);
}

/* Where each mode has many options of its own, they are left to its help. */
static _Noreturn void
print_help(const struct option_table *t)
{
	printf("%s", t->usage);
	if (t->modes_heading) {
		printf("\n%s:\n", t->modes_heading);
		explain_modes(t, stdout);
	}
	for (const struct option_group *g = t->group; g->options; g++) {
		const struct option_def *o = g->options;

		while (o->name && t->help_by_mode && o->modes)
			o++;
		if (!o->name)
			continue;
		putchar('\n');
		if (g->heading && !t->help_by_mode)
			printf("%s:\n", g->heading);
		for (; o->name; o++) {
			if (!t->help_by_mode || !o->modes)
				explain_option(o, o->help);
		}
	}
	for (const struct option_def *o = every_program; o->name; o++)
		explain_option(o, o->help);
	printf("\n%s", t->ending);
	options_finish();
}

/*
 * The lines of the usage that name the mode, and an example; without both, a
 * line made from the first.
 */
static void
print_mode_usage(const struct option_table *t, const char *name)
{
	const char *before = "Usage:";
	size_t n;

	for (const char *p = t->usage; *p; p += n + 1) {
		const char *line = p + (strncmp(p, before, 6) ? 0 : 6);

		n = strcspn(p, "\n");
		line += strspn(line, " ");
		if (strncmp(line, program_name, strlen(program_name)) != 0 ||
		    !names(line, n - (size_t)(line - p), name))
			continue;
		printf("%s %.*s\n", before, (int)(n - (size_t)(line - p)),
		       line);
		before = "      ";
	}
	if (!words_example(program_name, name) && !strcmp(before, "Usage:")) {
		const char *rest =
		    t->usage + strlen("Usage: ") + strlen(program_name) + 1;

		rest += strcspn(rest, " ");
		printf("Usage: %s %s%.*s\n", program_name, name,
		       (int)strcspn(rest, "\n"), rest);
	}
}

/* Explains a mode and the options that only some modes take, on one screen. */
static void
print_mode_help(const struct option_table *t, size_t mode)
{
	const char *name = t->mode[mode].name;
	char *others = NULL;

	if (t->mode[mode].help)
		printf("%s: %s%s\n", name, t->mode[mode].help,
		       t->about ? t->about(mode) : "");
	print_mode_usage(t, name);
	for (int few = 1; few >= 0; few--) {
		for (const struct option_group *g = t->group; g->options; g++) {
			for (const struct option_def *o = g->options; o->name;
			     o++) {
				bool own =
				    __builtin_popcount(o->modes) < FEW_MODES;
				char *text = text_for(o->help, name);

				if (o->modes >> mode & 1 && own == few)
					explain_option(o, text);
				if (!o->modes && few)
					xappend(&others, ", ", "%s", label(o));
				free(text);
			}
		}
	}
	others = others ? others : xstrdup("--debug");
	xappend(&others, "", ": see '%s --help'", program_name);
	fputs("Also ", stdout);
	print_wrapped(5, text_end(), others);
	free(others);
}

/* The mode, or such as --join, that the text names; SIZE_MAX: there is none. */
static size_t
topic_named(const struct option_table *t, const char *name)
{
	size_t i = 0;

	while (t->mode && t->mode[i].name && strcmp(t->mode[i].name, name) != 0)
		i++;
	return t->mode && t->mode[i].name ? i : SIZE_MAX;
}

/* The same of an operand. */
static size_t
mode_named(const struct option_table *t, const char *name)
{
	size_t i = topic_named(t, name);

	return i < SIZE_MAX && t->mode[i].help ? i : SIZE_MAX;
}

/*
 * Explains a mode, an option or, if `entries`, a word of the output; NULL as
 * topic: all.
 */
static _Noreturn void
print_topic(const struct option_table *t, const struct flat *flat,
            const char *topic, bool entries)
{
	struct nearest nearest = {.typed = topic};
	bool known = false;
	const char *name;

	stream_begins();
	if (!topic)
		print_help(t);
	if (topic_named(t, topic) < SIZE_MAX) {
		print_mode_help(t, topic_named(t, topic));
		known = true;
	}
	name = topic + strspn(topic, "-");
	for (size_t i = 0; i < flat->n && !known; i++) {
		const struct option_def *o = flat->def[i];

		nearest_offer(&nearest, o->name);
		if (!strcmp(o->name, name) ||
		    (o->letter == *name && *name && !name[1])) {
			explain_option(o, o->help);
			known = true;
		}
	}
	if ((entries &&
	     words_explain(topic, program_name, !known, text_end())) ||
	    known)
		options_finish();
	for (const struct option_mode *m = t->mode; m && m->name; m++)
		nearest_offer(&nearest, m->name);
	words_offer(&nearest);
	die_usage("help: no word '%s'%s; 'man %s' explains what the output "
	          "names",
	          topic, nearest_hint(&nearest), program_name);
}

static void
complete_mode(const struct option_table *t)
{
	for (const struct option_mode *m = t->mode; t->modes_heading && m->name;
	     m++) {
		if (!strpbrk(m->name, " -"))
			puts(m->name);
	}
}

/* The option that a word names, up to a '='; NULL if it takes no value. */
static const struct option_def *
option_of_word(const struct flat *flat, const char *word)
{
	for (size_t i = 0; i < flat->n; i++) {
		const struct option_def *def = flat->def[i];
		bool is_letter = word[0] == '-' && word[1] == def->letter &&
		                 word[1] && !word[2];

		if (def->argument && !is_optional(def) &&
		    (is_letter ||
		     (!strncmp(word, "--", 2) &&
		      strlen(def->name) == strcspn(word + 2, "=") &&
		      !strncmp(word + 2, def->name, strlen(def->name)))))
			return def;
	}
	return NULL;
}

/* Prints the possible completions of the last word. */
static void
complete(const struct option_table *t, size_t n, char *const word[])
{
	const char *last = word[n - 1];
	const struct option_def *def;
	struct flat flat;

	flatten(&flat, t);
	def = option_of_word(&flat,
	                     strchr(last, '=') || n < 2 ? last : word[n - 2]);
	if (def) {
		for (const char *p = def->words ? def->words : ""; *p;) {
			size_t length = strcspn(p, " ");

			printf("%.*s\n", (int)length, p);
			p += length + (p[length] == ' ');
		}
		if (def->complete)
			def->complete(n, word);
	} else if (*last == '-') {
		for (size_t i = 0; i < flat.n; i++) {
			if (flat.def[i]->letter)
				printf("-%c\n", flat.def[i]->letter);
			printf("--%s\n", flat.def[i]->name);
		}
	} else if (n == 1) {
		complete_mode(t);
	}
}

bool
options_given(const struct option_parser *p, const char *name)
{
	for (size_t i = 0; i < p->ngiven; i++) {
		if (!strcmp(p->given[i]->name, name))
			return true;
	}
	return false;
}

/* In the order of enum format. */
static const char format_words[] = "csv table json jsonl md openmetrics";

static const char *
store_format(const struct option_def *def, const char *value)
{
	unsigned i = find_choice(format_words, value, strlen(value));
	enum format format = (enum format)(FORMAT_CSV + i);
	bool metrics = def->type == TYPE_METRICS;

	if (i == UINT_MAX ? metrics
	                  : format != FORMAT_CSV &&
	                        (metrics || format != FORMAT_OPENMETRICS))
		stream_begins();
	if (i == UINT_MAX && metrics)
		return "not csv, table, md, json, jsonl or openmetrics";
	if (i == UINT_MAX || (format == FORMAT_OPENMETRICS && !metrics))
		return "not csv, table, md, json or jsonl";
	*(enum format *)def->to = format;
	return NULL;
}

static const char *
store_choice(const struct option_def *def, const char *value)
{
	bool list = def->type == TYPE_CHOICES;
	unsigned i, chosen = 0;

	do {
		size_t length = list ? strcspn(value, ",") : strlen(value);

		i = find_choice(def->words, value, length);
		if (i == UINT_MAX)
			return xasprintf("not one of: %s", def->words);
		chosen |= 1u << i;
		value += length;
	} while (*value++ == ',');
	*(unsigned *)def->to = list ? chosen : i;
	return NULL;
}

static const char *
store_number(const struct option_def *def, const char *value)
{
	static const char *(*const parsers[])(const char *, uint64_t *) = {
	    [TYPE_INTEGER] = parse_integer, [TYPE_UNSIGNED] = parse_integer,
	    [TYPE_COUNT] = parse_count,     [TYPE_BYTES] = parse_size,
	    [TYPE_TIME] = parse_time,
	};
	uint64_t number = 0;
	const char *why = parsers[def->type](value, &number);

	if (why)
		return why;
	if (number < def->least || (def->most && number > def->most))
		return def->wrong;
	if (def->type == TYPE_UNSIGNED)
		*(unsigned *)def->to = (unsigned)number;
	else
		*(uint64_t *)def->to = number;
	return NULL;
}

/* Stores a value as its row says. Returns NULL, or why the value is wrong. */
static const char *
store(const struct option_def *def, const char *value)
{
	switch (def->type) {
	case TYPE_OWN:
		return def->set(def->to, value);
	case TYPE_NO_PREAMBLE:
		stream_begins();
		/* fallthrough */
	case TYPE_FLAG:
		*(bool *)def->to = true;
		return NULL;
	case TYPE_TEXT:
		*(const char **)def->to = value;
		return NULL;
	case TYPE_NAME:
		*(const char **)def->to = value;
		return *value ? NULL : def->wrong;
	case TYPE_CHOICE:
	case TYPE_CHOICES:
		return store_choice(def, value);
	case TYPE_INTEGER:
	case TYPE_UNSIGNED:
	case TYPE_COUNT:
	case TYPE_BYTES:
	case TYPE_TIME:
		return store_number(def, value);
	case TYPE_SIZES:
		return parse_size_list(value, def->to);
	case TYPE_PERCENTAGE:
		return parse_percentage(value, def->to);
	case TYPE_LABEL:
		labels_add(def->to, value);
		return NULL;
	case TYPE_FORMAT:
	case TYPE_METRICS:
		return store_format(def, value);
	case TYPE_OUTPUT:
		output = value;
		return *value ? NULL : "a file name is missing";
	}
	return NULL;
}

static void
take(struct option_parser *p, const struct option_def *def)
{
	static char **joined;
	static size_t njoined;
	const char *value = optarg, *why;
	size_t i = 0;

	if (def == &every_program[1]) {
		printf("%s %s\n", program_name, program_version);
		options_finish();
	}
	while (i < p->ngiven && p->given[i] != def)
		i++;
	if (i < p->ngiven && def->again == OPTION_LIST) {
		/* The text is valid until exit. */
		array_push(joined, njoined,
		           xasprintf("%s,%s", p->value[i], optarg));
		value = joined[njoined - 1];
	}
	why = store(def, value);
	if (why)
		die_usage("%s '%s': %s", label(def), optarg ? optarg : "", why);
	if (i < p->ngiven && def->argument && def->again == OPTION_ONCE)
		die_usage("%s is given twice, as '%s' and as '%s'", label(def),
		          p->value[i] ? p->value[i] : "", value ? value : "");
	p->given[i] = def;
	p->value[i] = value;
	p->ngiven += i == p->ngiven;
}

const char *
name_of_stdout(void)
{
	static char name[PATH_MAX];
	struct stat is;
	ssize_t n = -1;

	if (!fstat(STDOUT_FILENO, &is) && S_ISREG(is.st_mode))
		n = readlink("/proc/self/fd/1", name, sizeof name - 1);
	name[n > 0 ? n : 0] = '\0';
	return name;
}

const char *
ending_of(const char *file)
{
	static char ending[16];
	const char *dot = strrchr(file, '.');

	snprintf(ending, sizeof ending, "%s", dot ? dot + 1 : "");
	for (char *c = ending; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return ending;
}

/* The ending of the output's name decides the format, if no option does. */
static void
follow_name(struct option_parser *p, const struct flat *flat)
{
	const struct option_def *def = option_named(flat, "format");
	const char *file = name_of_stdout(), *end;

	for (size_t i = 0; i < p->ngiven; i++) {
		if (!strcmp(p->given[i]->name, "output"))
			file = p->value[i];
	}
	end = ending_of(file);
	if (!def || !*end)
		return;
	if (has_word("svg html png pdf jpg jpeg gif gz zip xlsx parquet", end))
		die_usage("%s: %s writes no .%s; 'pcb-plot KIND -o x.svg' "
		          "draws",
		          file, program_name, end);
	if (has_word("csv json jsonl md", end) && !options_given(p, "format"))
		store_format(def, end);
}

/* Before getopt: replaces words of other programs by what they mean here. */
static void
translate(const struct option_table *t, const struct flat *flat, char *argv[])
{
	static const char *const values[][2] = {
	    {"format", "csv json jsonl table md"},
	    {"terminal", "svg html png pdf"}};

	for (; *argv && strcmp(*argv, "--") != 0; argv++) {
		const char *word = strncmp(*argv, "--", 2) ? "" : *argv + 2;

		if (option_named(flat, word))
			continue;
		for (size_t i = 0; i < flat->n; i++) {
			if (*word && has_word(flat->def[i]->elsewhere, word))
				die_usage("--%s: did you mean --%s?", word,
				          flat->def[i]->name);
		}
		for (size_t i = 0; i < ARRAY_LEN(values); i++) {
			if (has_word(values[i][1], word) &&
			    option_named(flat, values[i][0]))
				*argv =
				    xasprintf("--%s=%s", values[i][0], word);
		}
		if (strcmp(word, "list") != 0 || !t->modes_heading)
			continue;
		if (mode_named(t, "list") == SIZE_MAX) {
			explain_modes(t, stdout);
			options_finish();
		}
		*argv += 2;
	}
}

static _Noreturn void
unknown_mode(const struct option_table *t, const char *operand)
{
	struct nearest nearest = {.typed = operand ? operand : ""};
	const char *called = strchr(t->mode_called, ' ');
	int length = (int)strcspn(called, ",");
	struct flat flat;

	flatten(&flat, t);
	for (const struct option_mode *m = t->mode; m->name; m++) {
		if (m->help)
			nearest_offer(&nearest, m->name);
	}
	if (*nearest_hint(&nearest))
		die_usage("'%s': no such%.*s%s", operand, length, called,
		          nearest_hint(&nearest));
	if (operand && option_named(&flat, operand))
		die_usage("'%s': no such%.*s (did you mean --%s?)", operand,
		          length, called, operand);
	if (operand && !access(operand, R_OK))
		warn("'%s' is a file: before it, choose %s:", operand,
		     t->mode_called);
	else if (operand)
		warn("'%s': no such%.*s; there are:", operand, length, called);
	else
		warn("choose %s:", t->mode_called);
	explain_modes(t, stderr);
	try_help();
}

/*
 * Answers --help, about the mode on the command line, if there is one, or the
 * last word, right behind --help. The first word was `first`.
 */
static _Noreturn void
help_with(const struct option_table *t, const struct flat *flat, char *argv[],
          const char *first)
{
	bool behind = false;

	for (; *argv; argv++) {
		behind = has_word("--help -h", argv[-1]);
		if (topic_named(t, *argv) < SIZE_MAX ||
		    (behind && !argv[1] && *argv[0] != '-' &&
		     access(*argv, F_OK)))
			break;
	}
	/* A word in the place of the mode. */
	if (!*argv && t->modes_heading && *first != '-' && access(first, F_OK))
		unknown_mode(t, first);
	print_topic(t, flat, *argv, behind);
}

/* A file of this name is an operand of a program without modes. */
static bool
is_help(const struct option_table *t, const char *operand)
{
	return !strcmp(operand, "help") &&
	       (t->modes_heading || access(operand, F_OK));
}

/* Errors then name the page of this mode. */
static void
name_mode(const struct option_table *t, size_t mode)
{
	static char *name;

	if (!t->help_by_mode || !t->mode[mode].help)
		return;
	free(name);
	program_mode = name = xasprintf(" %s", t->mode[mode].name);
}

int
options_parse(struct option_parser *p, int argc, char *argv[])
{
	const char *first = argv[1];
	struct flat flat;
	int value;

	if (argc > 2 && !strcmp(argv[1], "--completion-data")) {
		complete(p->table, (size_t)argc - 2, argv + 2);
		options_finish();
	}
	flatten(&flat, p->table);
	if (argc > 2 && is_help(p->table, argv[1]))
		print_topic(p->table, &flat, argv[2], true);
	translate(p->table, &flat, argv + 1);
	/* As far as is known before the options are: a word behind none. */
	for (int i = 1; i < argc; i++) {
		size_t mode = mode_named(p->table, argv[i]);

		if (mode < SIZE_MAX && *argv[i - 1] != '-') {
			name_mode(p->table, mode);
			break;
		}
	}
	while ((value = getopt_long(argc, argv, flat.letters, flat.option,
	                            NULL)) != -1) {
		const struct option_def *def =
		    found(p->table, &flat, value, argv[optind - 1]);

		if (def == every_program)
			help_with(p->table, &flat, argv + 1, first);
		take(p, def);
	}
	if (optind < argc && is_help(p->table, argv[optind]))
		print_topic(p->table, &flat, argv[optind + 1], true);
	follow_name(p, &flat);
	if (output)
		output_to_file(output);
	return optind;
}

size_t
options_find_mode(const struct option_table *t, const char *operand)
{
	size_t i = operand ? mode_named(t, operand) : SIZE_MAX;

	if (i == SIZE_MAX)
		unknown_mode(t, operand);
	return i;
}

/* Names the modes that take the option, unless they are most of all. */
static _Noreturn void
wrong_mode(const struct option_table *t, const struct option_def *def,
           size_t mode)
{
	unsigned set = def->modes;
	int all = 0;
	char *takers = NULL;

	for (; t->mode[all].name; all++) {
		if (set >> all & 1)
			xappend(&takers, set >> all >> 1 ? ", " : " and ", "%s",
			        t->mode[all].name);
	}
	if (2 * __builtin_popcount(set) > all) {
		free(takers);
		die_usage("%s is not for %s", label(def), t->mode[mode].name);
	}
	die_usage("%s is for %s, not for %s", label(def), takers,
	          t->mode[mode].name);
}

void
options_check_mode(const struct option_parser *p, size_t mode)
{
	name_mode(p->table, mode);
	for (size_t i = 0; i < p->ngiven; i++) {
		const struct option_def *def = p->given[i];

		if (def->modes && !(def->modes & 1u << mode))
			wrong_mode(p->table, def, mode);
	}
}

const char *
option_each_word(const char *list, void *to,
                 const char *(*set)(void *to, const char *word))
{
	char *copy = xstrdup(list);
	char *rest = copy;
	const char *why = NULL;

	while (!why && rest)
		why = set(to, strsep(&rest, ","));
	free(copy);
	return why;
}

void
need_input(const char *usage, size_t noperands)
{
	if (noperands || !isatty(STDIN_FILENO))
		return;
	fprintf(stderr, "%.*s\n", (int)strcspn(usage, "\n"), usage);
	die_usage(
	    "no input: name a FILE or use a pipe ('-' reads the terminal)");
}

size_t
without_dash(char *operand[], size_t n)
{
	size_t others = 0;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(operand[i], "-") != 0)
			operand[others++] = operand[i];
	}
	return others;
}

void
need_distinct(char *const operand[], size_t n)
{
	struct key_set seen = {0};

	for (size_t i = 0; i < n; i++) {
		if (key_set_intern_text(&seen, operand[i]) < i)
			die_usage("%s is given twice", operand[i]);
	}
	key_set_free(&seen);
}
