/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output of `perf iostat`: bytes of root ports since the start, or with -I per
 * interval. Its MB are 2^20 bytes.
 */
#include "import/text.h"

#include "common/base/number.h"

#include <stdlib.h>
#include <string.h>

static const char *const directions[] = {
    "inbound-read",
    "inbound-write",
    "outbound-read",
    "outbound-write",
};

struct iostat {
	bool known;     /* the header has been read */
	bool intervals; /* column 1 is the time since the start, in s */
	double time, elapsed;
};

/* "port  Inbound Read(MB)  Inbound Write(MB) ..." */
static bool
take_header(struct text *t)
{
	static const char *const titles[] = {
	    "Inbound",  "Read(MB)", "Inbound",  "Write(MB)",
	    "Outbound", "Read(MB)", "Outbound", "Write(MB)"};
	struct iostat *s = t->state;
	size_t first = t->nwords - ARRAY_LEN(titles);

	if (t->nwords <= ARRAY_LEN(titles) ||
	    strcmp(t->word[first - 1], "port") != 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(titles); i++) {
		if (strcmp(t->word[first + i], titles[i]) != 0)
			return false;
	}
	s->known = true;
	s->intervals = strstr(t->line, "time");
	return true;
}

/* All ports of an interval have one time. */
static void
take_time(struct text *t, const char *word)
{
	struct iostat *s = t->state;
	double time = text_number(t, word);

	if (time < s->time)
		text_die(t, "'%s': earlier than the line above", word);
	if (time > s->time)
		s->elapsed = time - s->time;
	s->time = time;
}

static void
take_direction(struct text *t, const char *port, const char *direction,
               const char *word)
{
	const struct iostat *s = t->state;
	struct result *r = &t->job->result;
	double bytes = 0x1p20 * text_number(t, word);

	text_row(t, "perf_iostat", port);
	text_set(t, "direction", direction);
	result_double(r, result_column(r, "transferred_bytes"), bytes);
	if (s->intervals && s->elapsed > 0) {
		result_double(r, result_column(r, "elapsed_ns"),
		              1e9 * s->elapsed);
		result_double(r, result_column(r, "bandwidth_gbit_s"),
		              8e-9 * bytes / s->elapsed);
	}
	text_end_row(t);
}

static bool
take_line(struct text *t)
{
	const struct iostat *s = t->state;
	size_t first;

	if (take_header(t))
		return true;
	first = s->intervals ? 2 : 1;
	if (!s->known || t->nwords != first + ARRAY_LEN(directions))
		return false;
	if (s->intervals)
		take_time(t, t->word[0]);
	for (size_t i = 0; i < ARRAY_LEN(directions); i++)
		take_direction(t, t->word[first - 1], directions[i],
		               t->word[first + i]);
	return true;
}

static const char *const ignored[] = {
    "Performance counter stats",
    "# started on",
    NULL,
};

const struct importer iostat_importer = {
    .name = "perf-iostat",
    .help = "perf iostat, its table",
    .take_line = take_line,
    .ignored = ignored,
    .state_size = sizeof(struct iostat),
};
