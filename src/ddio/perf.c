/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the output of perf stat -x. It is not quite CSV: fields are never
 * quoted, and those before the value depend on perf's options. Also parses the
 * layout for people, whose columns blanks separate.
 */
#include "ddio/ddio.h"

#include "common/base/number.h"
#include "common/stream/lines.h"

#include <ctype.h>
#include <math.h>

enum { COL_RUN, COL_KIND, COL_BENCH, COL_SOCKET };

const char *const perf_columns[] = {"run", "kind", "bench", "socket"};
const size_t nperf_columns = ARRAY_LEN(perf_columns);

#define FIELDS_MAX 32

/* The fields of a line; texts point into it. */
struct line {
	char *field[FIELDS_MAX];
	size_t n, next;
};

struct perf {
	struct input *in;
	struct lines lines;
	const char *separator;
	size_t run;
	bool begun;             /* the run has lines */
	bool people;            /* the layout for people */
	uintmax_t first;        /* the first line skipped, or 0 */
	size_t counts;          /* lines with a count */
	double now, before;     /* ends of intervals, ns; 0: none yet */
	struct key_set counted; /* sockets and events of this interval */
	struct key key;
};

/* Fields before the value, and behind the event's name. */
struct prefix {
	char time[24]; /* end of the interval in ns, or "" */
	const char *socket;
	double units; /* number summed; NAN if unknown */
};

/* Names of events may contain commas between slashes. */
static void
split(struct line *line, char *text, const char *separator)
{
	size_t length = strlen(separator);
	bool open = false;

	*line = (struct line){.n = 1, .field = {text}};
	while (*text && line->n < FIELDS_MAX) {
		if (!open && !strncmp(text, separator, length)) {
			*text = '\0';
			text += length;
			line->field[line->n++] = text;
			continue;
		}
		open = open != (*text++ == '/');
	}
}

/* The next field without surrounding blanks; "" behind the last one. */
static const char *
take(struct line *line)
{
	char *text;
	size_t length;

	if (line->next == line->n)
		return "";
	text = line->field[line->next++];
	text += strspn(text, " ");
	for (length = strlen(text); length && text[length - 1] == ' ';)
		text[--length] = '\0';
	return text;
}

static void
take_time(struct line *line, struct prefix *prefix)
{
	const char *text = line->field[0] + strspn(line->field[0], " ");
	size_t seconds = strspn(text, "0123456789");
	char *to = prefix->time;

	/* Seconds with nine decimals, which no value has. */
	if (!seconds || seconds >= 10 || text[seconds] != '.' ||
	    strspn(text + seconds + 1, "0123456789") != 9 || text[seconds + 10])
		return;
	text = take(line);
	text += strspn(text, "0");
	for (; *text; text++) {
		bool leading = to == prefix->time && *text == '0';

		if (*text != '.' && !leading)
			*to++ = *text;
	}
	*to = '\0';
}

/* S0, S0-D1 and N0 are followed by the number summed; CPU0 is not. */
static void
take_place(struct line *line, struct perf *p, struct prefix *prefix)
{
	const char *text = line->next < line->n ? line->field[line->next] : "";
	const char *digit;
	double units;

	prefix->socket = "";
	prefix->units = NAN;
	text += strspn(text, " ");
	digit = text + strspn(text, "CPUSN");
	if (digit == text || !isdigit((unsigned char)*digit))
		return;
	prefix->socket = take(line);
	prefix->units = 1;
	if (*prefix->socket == 'C')
		return;
	if (parse_number(take(line), &units) || units < 1)
		lines_die(&p->lines, NULL,
		          "%s: the number of summed units is missing",
		          prefix->socket);
	prefix->units = units;
	if (*prefix->socket == 'S' && !strchr(prefix->socket, '-'))
		prefix->socket++;
}

static double
number(const struct perf *p, const char *column, const char *text)
{
	double value;
	const char *why = parse_number(text, &value);

	if (!why && value < 0)
		why = "less than 0";
	if (why)
		lines_die(&p->lines, column, "'%s': %s", text, why);
	return value;
}

/* The factor that perf has applied to the count. */
static double
scale_of(const struct perf *p, const struct event *event, const char *unit)
{
	if (!*unit)
		return 1;
	if (event->bytes && !strcmp(unit, "Bytes"))
		return event->bytes;
	if (event->bytes && !strcmp(unit, "MiB"))
		return event->bytes / 0x1p20;
	lines_die(&p->lines, "unit", "'%s': unknown unit of %s", unit,
	          event->name);
}

/*
 * perf extrapolates the value, and prints the time that the counter ran and its
 * percentage of the time enabled; for several units both times are sums.
 */
static void
take_times(const struct perf *p, struct line *line, const struct prefix *prefix,
           struct event_count *s)
{
	const char *running = take(line);
	const char *percent;
	double share;

	/* With repeated runs (-r), their variation comes first. */
	if (strchr(running, '%'))
		running = take(line);
	percent = take(line);
	s->enabled = s->running = s->duration = NAN;
	if (p->people && *percent) {
		share = number(p, "percentage", percent);
		s->scaled = share < 100;
		s->missing = s->missing || share <= 0;
	} else if (*running && *percent) {
		s->running = number(p, "running", running);
		share = number(p, "percentage", percent);
		s->enabled =
		    share < 100 ? s->running * 100 / share : s->running;
		s->missing = s->missing || share <= 0 || s->running <= 0;
		s->duration = s->enabled / prefix->units;
	}
	if (*prefix->time)
		s->duration = p->now - p->before;
}

static void
begin_run(struct perf *p)
{
	p->run++;
	p->begun = p->people = false;
	p->now = p->before = 0;
	key_set_free(&p->counted);
}

/* Another time starts a new interval, an earlier time a new run. */
static void
set_time(struct perf *p, const struct prefix *prefix)
{
	double time = *prefix->time ? number(p, "time", prefix->time) : 0;

	if (*prefix->time && time < p->now)
		begin_run(p);
	p->begun = true;
	if (islessgreater(time, p->now)) {
		p->before = time > p->now ? p->now : 0;
		p->now = time;
		key_set_free(&p->counted);
	}
}

/*
 * Whether an event is repeated, as one in two groups is. Per CPU (-A), some
 * versions of perf print all units under one name.
 */
static bool
is_repeated(struct perf *p, const struct prefix *prefix, const char *name,
            const char *unit)
{
	size_t before = p->counted.n;

	if (*prefix->socket == 'C' && !*unit)
		return false;
	p->key.length = 0;
	key_append(&p->key, 0, prefix->socket);
	key_append(&p->key, 1, name);
	return key_set_intern(&p->counted, &p->key) != before;
}

static void
skip(struct perf *p)
{
	if (!p->in->skipped++)
		p->first = p->lines.line;
}

static void
take_count(struct perf *p, struct line *line, const struct prefix *prefix)
{
	const char *value = take(line);
	const char *unit = take(line);
	const char *name = take(line);
	char part[PART_MAX], run[NUMBER_MAX];
	struct event_count s = {.event = find_event(name, part), .weight = 1};
	char *place;

	/* These lines hold metrics computed by perf. */
	if (!*name && line->n > 3)
		return;
	if (!*name && !isdigit((unsigned char)*value) && *value != '<') {
		skip(p);
		return;
	}
	if (!*name)
		lines_die(&p->lines, NULL,
		          "not what perf stat prints with -x '%s'",
		          p->separator);
	p->counts++;
	if (!s.event) {
		input_unknown(p->in, name);
		return;
	}
	if (!strcmp(value, "<not supported>")) {
		p->in->unsupported++;
		return;
	}
	s.missing = !strcmp(value, "<not counted>");
	if (!s.missing)
		s.value =
		    number(p, "value", value) / scale_of(p, s.event, unit);
	take_times(p, line, prefix, &s);
	place = unit_in_event(name);
	if (is_repeated(p, prefix, name, place)) {
		p->in->repeated++;
		free(place);
		return;
	}
	*print_u64(run, p->run) = '\0';
	p->key.length = 0;
	key_append(&p->key, COL_RUN, run);
	key_append(&p->key, COL_KIND, "measured");
	key_append(&p->key, COL_BENCH, "ddio");
	key_append(&p->key, COL_SOCKET, prefix->socket);
	input_add(p->in, &p->key, place, part, prefix->time, &s);
	if (*prefix->time)
		p->in->has_time = true;
	free(place);
}

/* Ends the word; the rest without leading blanks. */
static char *
next_word(char *text)
{
	text += strcspn(text, " \t");
	if (*text)
		*text++ = '\0';
	return text + strspn(text, " \t");
}

/* Whether the word is a time, a place, or the number of units there. */
static bool
is_prefix(const struct line *line, const char *word)
{
	int last = line->n ? *line->field[line->n - 1] : '\0';
	size_t digits = strspn(word, "0123456789");

	if (!digits)
		return *word && strchr("SNC", *word);
	return last == 'S' || last == 'N' ||
	       (word[digits] == '.' &&
	        strspn(word + digits + 1, "0123456789") == 9);
}

/*
 * Makes fields of "[TIME] [S0 UNITS] 7,174 [MiB] EVENT [# ...] [(49.85%)]";
 * false if the line is none.
 */
static bool
split_people(struct perf *p, struct line *line, char *text)
{
	static char none[] = "";
	char *comment, *percent = strrchr(text, '('), *word = text, *to;
	bool unit;

	*line = (struct line){0};
	if (percent && percent[1 + strspn(percent + 1, "0123456789.")] == '%')
		*percent++ = '\0';
	else
		percent = none;
	percent[strspn(percent, "0123456789.")] = '\0';
	comment = strchr(text, '#');
	if (comment)
		*comment = '\0';
	while (line->n < 3 && is_prefix(line, word)) {
		line->field[line->n++] = word;
		word = next_word(word);
	}
	if (!isdigit((unsigned char)*word) && strncmp(word, "<not ", 5) != 0)
		return false;
	line->field[line->n++] = word;
	if (*word == '<')
		word += strcspn(word, " ") + 1;
	text = word;
	word = next_word(word);
	/* Thousands have commas. */
	if (isdigit((unsigned char)*text)) {
		for (to = text; *text; text++) {
			if (*text != ',')
				*to++ = *text;
		}
		*to = '\0';
	}
	text = next_word(word);
	unit = isalpha((unsigned char)*text) && !strpbrk(word, "_./:-");
	line->field[line->n++] = unit ? word : none;
	if (unit) {
		word = text;
		text = next_word(word);
	}
	if (*text && *text != '+' && *text != '(')
		lines_die(&p->lines, NULL, "'%s': more than a count", text);
	line->field[line->n++] = word;
	line->field[line->n++] = none;
	line->field[line->n++] = percent;
	return true;
}

/*
 * "1.004576381 seconds time elapsed", unknown if there are several; "0.1
 * seconds user".
 */
static bool
take_elapsed(struct perf *p, const char *text)
{
	char *first = xasprintf("%.*s", (int)strcspn(text, " "), text);
	double seconds;
	const char *why = parse_number(first, &seconds);

	free(first);
	if (why || !strstr(text, " seconds "))
		return false;
	if (strstr(text, "time elapsed"))
		p->in->elapsed = p->in->elapsed > 0 ? NAN : 1e9 * seconds;
	return true;
}

static void
take_line(struct perf *p, char *text)
{
	static const char heading[] = "# started on "; /* per run, with -o */
	struct prefix prefix = {0};
	struct line line;

	if (p->begun && !strncmp(text, heading, strlen(heading)))
		begin_run(p);
	if (strstr(text, "Performance counter stats for") ||
	    (*text == '#' && strstr(text, "counts"))) {
		p->people = true;
		return;
	}
	text += strspn(text, " \t");
	if (*text == '#' || !*text || (p->people && take_elapsed(p, text)))
		return;
	if (p->people)
		line.n = split_people(p, &line, text) ? line.n : 0;
	else
		split(&line, text, p->separator);
	if (line.n < 2) {
		skip(p);
		return;
	}
	take_time(&line, &prefix);
	take_place(&line, p, &prefix);
	set_time(p, &prefix);
	take_count(p, &line, &prefix);
}

void
read_perf(struct input *in, char *const files[], size_t nfiles,
          const char *separator)
{
	struct perf p = {
	    .in = in,
	    .lines = {.files = nfiles ? files : lines_stdin,
	              .nfiles = nfiles ? nfiles : 1},
	    /* perf also reads this as a tab. */
	    .separator = !strcmp(separator, "\\t") ? "\t" : separator,
	};
	size_t length;
	char *line;

	while (lines_open_next(&p.lines)) {
		begin_run(&p);
		for (p.lines.line = 1; (line = lines_next(&p.lines, &length));
		     p.lines.line++) {
			char *text = xasprintf("%.*s", (int)length, line);

			lines_check(&p.lines, line, length);
			text[strcspn(text, "\r\n")] = '\0';
			take_line(&p, text);
			free(text);
		}
		lines_close(&p.lines);
	}
	free(p.lines.buffer);
	key_set_free(&p.counted);
	if (!p.counts && in->skipped) {
		p.lines.file = nfiles ? files[0] : "standard input";
		p.lines.line = p.first;
		lines_die(&p.lines, NULL,
		          "not what perf stat prints with -x '%s'", separator);
	}
	if (!p.counts)
		warn("the input has no counts of events");
	free(p.key.bytes);
}
