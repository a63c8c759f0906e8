/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A strip over time for each link that pcb-collect link has watched. */
#include "common/base/util.h"
#include "plot/kind/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Curves: a generation each (0: unknown), then what is no speed. */
enum { ASLEEP = 8, ERRORS, MARKS };

static const size_t colours[ASLEEP] = {6, 1, 5, 3, 2, 0, 6, 7};

/* Part of a row's height, within one line of a text terminal. */
#define TICK 0.9

/* A longer text for the pointer takes no more names. */
#define WORDS_MOST 100

/* What draws a strip; any other change is an error. */
enum { GEN, LANES, D_STATE, PRESENT, ERROR };

static const char *const whats[] = {"gen", "lanes", "d_state", "present"};

struct change {
	size_t link, what, name; /* the name: of an error */
	double time, value;      /* of errors their number; 0: a bit */
};

/* A stretch of time, or errors; those nearer than a dot join. */
struct mark {
	double from, to, errors, lanes;
	char *words; /* NULL: none */
};

/* A port, and the first function below it, which tells speed and sleep. */
struct link {
	size_t group, row;
	char *port, *device; /* no device: nothing is below it */
	double state[ERROR], low[2], high[2]; /* GEN and LANES */
	double since, errors;
	struct mark mark[MARKS];
};

struct links {
	struct key_set groups, ports, names;
	struct link *link;
	size_t room;
	struct change *change;
	size_t n;
	double last, dot; /* of time */
	uintmax_t skipped;
	struct curve curve[MARKS];
};

/* Reading ----------------------------------------------------------------- */

static bool
tells_groups(const char *column)
{
	static const char *const link[] = {"device", "parent", "end", "what"};

	return find_word(column, link, ARRAY_LEN(link)) == ARRAY_LEN(link);
}

/* Without the domain, if that is 0. */
static const char *
short_name(const char *device)
{
	return device + (strncmp(device, "0000:", 5) ? 0 : 5);
}

static size_t
take_link(struct links *l, const struct table *t, bool upper)
{
	const char *device = need_text(t, "device");
	const char *port = upper ? device : need_text(t, "parent");
	size_t group = row_key(&l->groups, t, tells_groups), at;
	char *key = xasprintf("%zu %s", group, port);
	struct link *link;

	at = key_set_intern_text(&l->ports, key);
	l->link = key_set_grow(&l->ports, l->link, &l->room, sizeof *l->link);
	link = &l->link[at];
	if (!link->port)
		*link = (struct link){.group = group,
		                      .port = xstrdup(port),
		                      .state = {NAN, NAN, NAN, NAN}};
	if (!upper && !link->device)
		link->device = xstrdup(device);
	free(key);
	return at;
}

static void
take_row(struct links *l, const struct table *t)
{
	const char *what = need_text(t, "what"), *device;
	bool upper = !strcmp(need_text(t, "end"), "upper");
	double old = row_number(t, "old_value");
	struct change c = {.link = take_link(l, t, upper),
	                   .what = find_word(what, whats, ERROR),
	                   .time = row_number(t, "time_ns"),
	                   .value = row_number(t, "new_value")};
	bool counts = strchr(what, '.');
	char *name;

	device = need_text(t, "device");
	if (isnan(c.time) || isnan(c.value)) {
		trace_skipped(t, "a time or a value");
		l->skipped++;
		return;
	}
	l->last = fmax(l->last, c.time);
	if (c.what == ERROR) {
		if (isnan(old) ||
		    (!counts && (!strstr(what, "cor_status") || c.value < old)))
			return;
		/* Counts start again with a new device. */
		c.value -= c.value >= old ? old : 0;
		c.value *= counts;
		name = xasprintf("%s at %s", what, short_name(device));
		c.name = key_set_intern_text(&l->names, name);
		free(name);
	} else if (upper || strcmp(device, l->link[c.link].device) != 0) {
		return;
	}
	array_push(l->change, l->n, c);
}

/* Drawing ----------------------------------------------------------------- */

static void
draw_mark(struct links *l, struct link *link, size_t i)
{
	struct mark *m = &link->mark[i];
	struct curve *c = &l->curve[i];
	char *from, *to;

	if (!m->words)
		return;
	from = time_words(m->from);
	to = time_words(m->to);
	if (i == ERRORS)
		add_across(c, link->row, m->from, TICK);
	else
		add_bar(c, link->row, m->from, fmax(m->to, m->from + l->dot),
		        STROKE * (2 + log2(fmin(fmax(m->lanes, 1), 32))) / 6);
	if (m->errors > 0)
		xappend(&m->words, "", ": %.0f", m->errors);
	xappend(&m->words, ", ", "%s", from);
	if (m->to > m->from)
		xappend(&m->words, " to ", "%s", to);
	curve_say(c, m->words);
	free(from);
	free(to);
	*m = (struct mark){0};
}

/* Joins what is near and short or the same; takes ownership of the words. */
static void
add_mark(struct links *l, struct link *link, size_t i, double from, double to,
         char *words)
{
	struct mark *m = &link->mark[i];
	bool is_long = fmin(to - from, m->to - m->from) > l->dot;

	if (from - (i == ERRORS ? m->from : m->to) > l->dot ||
	    (m->words && is_long && strcmp(m->words, words) != 0))
		draw_mark(l, link, i);
	if (!m->words)
		*m = (struct mark){.from = from, .lanes = link->state[LANES]};
	if (!m->words ||
	    (!strstr(m->words, words) && strlen(m->words) < WORDS_MOST))
		xappend(&m->words, ", ", "%s", words);
	m->to = to;
	free(words);
}

/* "gen4x16" */
static char *
speed_words(const double speed[2])
{
	return xasprintf("gen%gx%g", speed[GEN], speed[LANES]);
}

static double
rate_of(const double speed[2])
{
	return speed[LANES] * exp2(speed[GEN]);
}

/* Draws the state that lasted until now. */
static void
end_state(struct links *l, struct link *link, double now)
{
	const double *state = link->state;
	double rate = rate_of(state);
	bool asleep = state[D_STATE] >= 3;
	size_t gen =
	    state[GEN] > 0 && state[GEN] < ASLEEP ? (size_t)state[GEN] : 0;

	if (now > link->since && state[PRESENT] != 0 && (asleep || rate > 0))
		add_mark(l, link, asleep ? ASLEEP : gen, link->since, now,
		         asleep ? xstrdup("asleep (D3)") : speed_words(state));
	if (now > link->since && rate > 0) {
		if (rate_of(link->low) <= 0 || rate < rate_of(link->low))
			memcpy(link->low, state, sizeof link->low);
		if (rate > rate_of(link->high))
			memcpy(link->high, state, sizeof link->high);
	}
	link->since = now;
}

static void
take_change(struct links *l, const struct change *c)
{
	struct link *link = &l->link[c->link];

	if (!link->device)
		return;
	if (c->what < ERROR) {
		end_state(l, link, c->time);
		link->state[c->what] = c->value;
		return;
	}
	add_mark(l, link, ERRORS, c->time, c->time,
	         xstrdup(key_find(&l->names.key[c->name], 0)));
	link->mark[ERRORS].errors += c->value;
	link->errors += c->value;
}

/* "gen1x16 to gen4x16, 12 errors" */
static char *
remark_of(const struct link *link)
{
	char *low = speed_words(link->low), *high = speed_words(link->high);
	char *text = xstrdup(rate_of(link->high) > 0 ? low : "");

	if (strcmp(low, high) != 0)
		xappend(&text, " to ", "%s", high);
	if (link->state[PRESENT] == 0)
		xappend(&text, ", ", "gone");
	if (link->errors > 0)
		xappend(&text, ", ", "%.0f error%s", link->errors,
		        link->errors == 1 ? "" : "s");
	free(low);
	free(high);
	return text;
}

static void
add_links(struct picture *p, struct links *l, const struct names *names)
{
	size_t empty = 0;

	for (size_t i = 0; i < l->ports.n; i++) {
		struct link *link = &l->link[i];
		char *group = names_legend(names, &l->groups.key[link->group]);

		if (link->device)
			link->row =
			    add_row(p, xasprintf("%s%s%s at %s", group,
			                         *group ? ": " : "",
			                         short_name(link->device),
			                         short_name(link->port)));
		empty += !link->device;
		free(group);
	}
	if (empty)
		p->note = xasprintf("left out: %zu port%s with nothing below",
		                    empty, empty == 1 ? "" : "s");
	for (size_t i = 0; i < l->n; i++)
		take_change(l, &l->change[i]);
	for (size_t i = 0; i < l->ports.n; i++) {
		struct link *link = &l->link[i];

		if (!link->device)
			continue;
		end_state(l, link, l->last);
		for (size_t k = 0; k < MARKS; k++)
			draw_mark(l, link, k);
		add_remark(p, link->row, l->last, remark_of(link));
		free(link->device);
	}
}

static void
draw(struct picture *p, struct table *t)
{
	struct links l = {0};
	struct names names;
	const char *end;

	while (table_next(t))
		take_row(&l, t);
	need_column(t, "what");
	warn_skipped(l.skipped, "a time or a value");
	end = preamble_get(&t->end, "watched_ns");
	l.last = fmax(l.last, end ? strtod(end, NULL) : 0);
	l.dot = 2 * l.last / p->width; /* names take the other half */
	names = names_of(t, &l.groups);
	names_describe(&names, p, "links over time");
	add_links(p, &l, &names);
	/* What is short is above what is long, the slowest above all. */
	picture_take_if(p, STYLE_PALE, "asleep (D3)", COLOUR_NONE,
	                &l.curve[ASLEEP]);
	for (size_t i = ASLEEP - 1; i; i--) {
		char *name = xasprintf("gen %zu", i);

		picture_take_if(p, STYLE_BAR, name, colours[i], &l.curve[i]);
		free(name);
	}
	picture_take_if(p, STYLE_LINE, "errors", 4, &l.curve[ERRORS]);
	axis_beside(p, "time", "ns", 0, l.last, INFINITY);
	p->x.last = l.last / p->x.unit;
	names_free(&names);
	for (size_t i = 0; i < l.ports.n; i++)
		free(l.link[i].port);
	free(l.link);
	free(l.change);
	key_set_free(&l.groups);
	key_set_free(&l.ports);
	key_set_free(&l.names);
}

const struct kind kind_link = {
    .name = "link",
    .help = "links over time: speed, width, sleep, errors; of pcb-collect link",
    .draw = draw,
};
