/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A strip over time for each link that pcb-collect link has watched. */
#include "common/base/bdf.h"
#include "plot/kind/bars.h"
#include "plot/kind/kind.h"

/* Curves: a generation each, from 1, then what is no speed. */
enum { ASLEEP = 8, AWAY, ERRORS, MARKS };

/* From gen 1, light, to gen 7, dark. */
static const unsigned hues[MARKS] = {
    0,        0xcfe3f2, 0xa9cde6, 0x7db3d8, 0x4f96c6, 0x2377b0,
    0x0d5a90, 0x083f68, 0xe8e8e8, 0x404040, 0xd00000,
};

static const char signs[MARKS + 1] = " 1234567z.!";

/* Part of a row's height, within one line of a text terminal. */
#define TICK 0.9

/* What draws a strip; any other change is an error. */
enum { GEN, LANES, D_STATE, SLEEPS, GONE, ERROR };

static const char *const whats[] = {"gen", "lanes", "d_state", "asleep",
                                    "present"};

struct change {
	bool upper;
	size_t what;
	const char *name;   /* of an error */
	double time, value; /* of errors their number; 0: a bit */
};

/* A stretch of time, or errors; those nearer than a dot join. */
struct mark {
	double from, to, errors, lanes;
	char *words; /* NULL: none */
};

/*
 * A port, and the first function below it, which tells speed and sleep. If none
 * below it was watched, the port does.
 */
struct link {
	size_t group;
	double row;
	const char *device; /* NULL: none */
	char *speeds;
	bool news; /* at the port, after the start */
	double state[ERROR], since, errors;
	struct mark mark[MARKS];
	struct change *change;
	size_t n;
};

struct links {
	struct key_set groups, ports;
	struct link *link;
	size_t room, devices;
	double last, dot; /* of time */
	double runs;
	uintmax_t skipped;
	struct bars bars;
};

static void
take_row(struct links *l, const struct table *t)
{
	const char *what = need_text(t, "what");
	const char *device = need_text(t, "device");
	bool upper = !strcmp(need_text(t, "end"), "upper");
	const char *port = upper ? device : need_text(t, "parent");
	size_t group = row_key(&l->groups, t, false, "device,parent,end,what");
	char *key = xasprintf("%zu %s", group, bdf_short(port));
	size_t number = key_set_intern_text(&l->ports, key);
	double old = row_number(t, "old_value");
	struct change c = {.upper = upper,
	                   .what = find_word(what, whats, ERROR),
	                   .time = row_number(t, "time_ns"),
	                   .value = row_number(t, "new_value")};
	bool counts = strchr(what, '.'), bits = strstr(what, "cor_status");
	struct link *link;

	free(key);
	l->link = key_set_grow(&l->ports, l->link, &l->room, sizeof *l->link);
	link = &l->link[number];
	link->group = group;
	if (!upper && !link->device) {
		link->device = words("%s", device);
		l->devices++;
	}
	l->skipped += isnan(c.time) || isnan(c.value);
	l->last = fmax(l->last, c.time);
	l->runs = fmax(l->runs, strtod(optional_text(t, "run"), NULL));
	if (c.what < ERROR ? !upper && strcmp(device, link->device) != 0
	                   : !counts && !(bits && c.value > old))
		c.time = NAN;
	/* Counts start again with a new device. */
	if (c.what == ERROR) {
		c.value = counts * (c.value - (c.value < old ? 0 : old));
		c.name = words("%s at %s, ", what, bdf_short(device));
	}
	link->news |= upper && c.time > 0;
	if (!isnan(c.time) && !isnan(c.value))
		PUSH(link->change, link->n, c);
}

/* Beyond this, further speeds behind a strip are left out. */
#define SPEEDS_LENGTH 24

/* Every word ends in ", ". */
static void
add_word(char **list, const char *word)
{
	const char *at = *list ? strstr(*list, word) : NULL;

	/* "fatal.DLP" is no part of "nonfatal.DLP". */
	while (at && at != *list && at[-1] != ' ')
		at = strstr(at + 1, word);
	if (!at)
		add_words(list, "", "%s", word);
}

static void
draw_mark(struct links *l, struct link *link, size_t i)
{
	struct mark *m = &link->mark[i];
	double half = TICK / 2;

	if (!m->words)
		return;
	if (i == AWAY)
		half = 0.06;
	else if (i != ERRORS)
		half = STROKE / 2 * (2 + log2(fmin(fmax(m->lanes, 1), 32))) / 6;
	if (m->errors > 0)
		add_words(&m->words, "", "%.0f counted, ", m->errors);
	add_words(&m->words, "", "%s", time_words(m->from));
	if (m->to > m->from)
		add_words(&m->words, "", " to %s", time_words(m->to));
	bars_bar(&l->bars, link->row, i, m->from,
	         fmax(i == ERRORS ? 0 : m->to, m->from + l->dot), half,
	         m->words);
	*m = (struct mark){0};
}

/* Joins what is near and short or the same. */
static struct mark *
add_mark(struct links *l, struct link *link, size_t i, double from, double to,
         const char *word)
{
	struct mark *m = &link->mark[i];
	bool is_long = fmin(to - from, m->to - m->from) > l->dot;

	if (from - (i == ERRORS ? m->from : m->to) > l->dot ||
	    (m->words && is_long && strcmp(m->words, word) != 0))
		draw_mark(l, link, i);
	if (!m->words)
		*m = (struct mark){.from = from, .lanes = link->state[LANES]};
	add_word(&m->words, word);
	m->to = to;
	return m;
}

/* Draws the state that lasted until now. */
static void
end_state(struct links *l, struct link *link, double now)
{
	double gen = link->state[GEN], lanes = link->state[LANES];
	double since = link->since;
	bool many = link->speeds && strlen(link->speeds) > SPEEDS_LENGTH;
	char *speed = words("gen%gx%g, ", gen, lanes);

	link->since = now;
	if (now <= since)
		return;
	if (link->state[GONE] > 0) {
		add_mark(l, link, AWAY, since, now, "gone, ");
	} else if (link->state[D_STATE] >= 3 || link->state[SLEEPS] > 0) {
		add_mark(l, link, ASLEEP, since, now, "asleep, ");
	} else if (gen >= 1 && gen < ASLEEP && lanes > 0) {
		add_mark(l, link, (size_t)gen, since, now, speed);
		add_word(&link->speeds, many ? "..., " : speed);
	}
}

static void
draw_strip(struct links *l, struct link *link)
{
	char *text = words("%s", "");

	for (size_t i = 0; i < link->n; i++) {
		const struct change *c = &link->change[i];

		if (c->what == ERROR) {
			add_mark(l, link, ERRORS, c->time, c->time, c->name)
			    ->errors += c->value;
			link->errors += c->value;
		} else if (c->upper == !link->device) {
			end_state(l, link, c->time);
			link->state[c->what] =
			    c->what == GONE ? c->value <= 0 : c->value;
		}
	}
	end_state(l, link, l->last);
	for (size_t k = 0; k < MARKS; k++)
		draw_mark(l, link, k);
	if (link->speeds)
		link->speeds[strlen(link->speeds) - 2] = '\0';
	if (link->errors > 0)
		add_words(&text, ", ", "%.0f error%s", link->errors,
		          link->errors == 1 ? "" : "s");
	if (link->state[GONE] > 0)
		add_words(&text, ", ", "gone");
	if (link->speeds)
		add_words(&text, ", ", "%s", link->speeds);
	bars_say(&l->bars, link->row, l->last, text,
	         link->errors > 0 || link->state[GONE] > 0 ||
	                 (link->speeds && strchr(link->speeds, ','))
	             ? RED
	             : PLAIN);
}

/* "4 of 8 links with errors, 2 gone, in 60 s" */
static char *
finding(const struct links *l)
{
	size_t n = 0, bad = 0, gone = 0;
	char *text = NULL;

	for (size_t i = 0; i < l->ports.n; i++) {
		const struct link *link = &l->link[i];

		n += link->row > 0;
		bad += link->row > 0 && link->errors > 0;
		gone += link->row > 0 && link->state[GONE] > 0;
	}
	if (!n || l->last <= 0)
		return NULL;
	if (bad)
		add_words(&text, ", ", "%zu of %zu with errors", bad, n);
	if (gone)
		add_words(&text, ", ", "%zu gone", gone);
	if (!text)
		text = words("%zu without an error", n);
	add_words(&text, ", ", "in %s", time_words(l->last));
	return text;
}

static void
add_keys(struct links *l)
{
	for (size_t i = 0; i < MARKS; i++)
		bars_key(&l->bars,
		         i == ASLEEP   ? "asleep"
		         : i == AWAY   ? "gone"
		         : i == ERRORS ? "errors"
		                       : words("gen %zu", i),
		         hues[i], signs[i]);
}

void
draw_link(struct picture *p, struct table *t)
{
	static struct links l = {.runs = 1};
	struct names names;
	const char *end;

	while (table_next(t))
		take_row(&l, t);
	need_column(t, "what");
	warn_skipped(l.skipped, "a time or a value");
	end = preamble_get(&t->end, "watched_ns");
	l.last = fmax(l.last, end ? strtod(end, NULL) / l.runs : 0);
	l.dot = 2 * l.last / p->width; /* names take the other half */
	names = names_of(t, &l.groups);
	names_hide(&names, "bench");
	bars_panel(&l.bars, "time", "ns", (struct range){0, l.last + l.dot});
	l.bars.panel->most = l.last;
	for (size_t i = 0; i < l.ports.n; i++) {
		struct link *link = &l.link[i];
		const char *port = strchr(key_find(&l.ports.key[i], 0), ' ');
		const char *device = link->device;
		char *group = names_legend(&names, &l.groups.key[link->group]);

		if (!device && !link->news && l.devices)
			continue;
		link->row = bars_row(
		    &l.bars, words("%s%s%s%s%s", group, *group ? ": " : "",
		                   device ? bdf_short(device) : "",
		                   device ? " at" : "", port + !device));
		draw_strip(&l, link);
	}
	add_keys(&l);
	p->finding = finding(&l);
	names_describe(&names, p, "links over time");
	put_bars(p, &l.bars);
}
