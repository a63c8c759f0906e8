/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/fit.h"

#include "diff/link_stats.h"

#include <math.h>
#include <stdlib.h>

/* In keys, the generation stands behind all columns of the input. */
#define GENERATION_COL UINT32_MAX

/*
 * T_RTT = 2 (T_proc + T_serdes / lanes + T_flight), ANCS 2009, 4.1. What does
 * not depend on lanes cannot be told apart: proc_ns holds T_flight, too.
 */
struct delays {
	double proc_ns, serdes_ns;
};

/* The links of one generation and group. */
struct set {
	double *lanes, *latency;
	size_t n;
	unsigned widths; /* how many differ */
	struct delays delays;
};

struct sets {
	struct key_set keys;
	struct set *set; /* by number of key */
	size_t room;
	size_t *of; /* of each hop; NO_SPOT where it is in none */
};

/* What there is to be said of all, in the end. */
struct tally {
	size_t links, out, off;
	size_t narrow, untested, impossible; /* sets */
};

static double
mean(const double x[], size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

static unsigned
count_widths(const double lanes[], size_t n)
{
	unsigned widths = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (lanes[k] != lanes[i])
			k++;
		widths += k == i;
	}
	return widths;
}

/*
 * Least squares over n round trips, of links of so many lanes; both NAN with
 * fewer than two widths.
 */
static struct delays
fit_delays(const double lanes[], const double round_trip_ns[], size_t n)
{
	double middle = 0, level, square = 0, product = 0;

	if (count_widths(lanes, n) < 2)
		return (struct delays){NAN, NAN};
	for (size_t i = 0; i < n; i++)
		middle += 1 / lanes[i] / (double)n;
	level = mean(round_trip_ns, n);
	for (size_t i = 0; i < n; i++) {
		double off = 1 / lanes[i] - middle;

		square += off * off;
		product += off * (round_trip_ns[i] - level);
	}
	return (struct delays){
	    .proc_ns = (level - product / square * middle) / 2,
	    .serdes_ns = product / square / 2,
	};
}

/* Sets --------------------------------------------------------------------- */

static size_t
find_set(struct sets *s, const struct links *l, const struct hop *hop,
         unsigned generation)
{
	const struct columns *c = l->columns;
	const struct key *group = &l->groups.key[hop->group];
	char *text = xasprintf("%u", generation);
	struct key key = {0};
	size_t number;

	for (size_t i = 0; i < c->nkey; i++)
		key_append(&key, c->key[i].col, key_find(group, c->key[i].col));
	key_append(&key, GENERATION_COL, text);
	number = key_set_intern(&s->keys, &key);
	s->set = key_set_grow(&s->keys, s->set, &s->room, sizeof *s->set);
	free(key.bytes);
	free(text);
	return number;
}

static void
add_link(struct set *set, double lanes, double latency)
{
	size_t n = set->n + 1;

	set->lanes = xreallocarray(set->lanes, n, sizeof *set->lanes);
	set->latency = xreallocarray(set->latency, n, sizeof *set->latency);
	set->lanes[set->n] = lanes;
	set->latency[set->n] = latency;
	set->n = n;
}

static struct sets
make_sets(const struct links *l)
{
	struct sets s = {.of = xcalloc(l->n + 1, sizeof *s.of)};

	for (size_t i = 0; i < l->n; i++) {
		const struct hop *hop = &l->hop[i];
		struct link link = hop_link(l, hop);

		s.of[i] = NO_SPOT;
		if (!hop_is_link(hop) || link.bus != BUS_PCIE)
			continue;
		s.of[i] = find_set(&s, l, hop, link.gen);
		add_link(&s.set[s.of[i]], link.lanes,
		         figures_of(l, hop).latency);
	}
	for (size_t i = 0; i < s.keys.n; i++) {
		struct set *set = &s.set[i];

		set->widths = count_widths(set->lanes, set->n);
		set->delays = fit_delays(set->lanes, set->latency, set->n);
	}
	return s;
}

static void
sets_free(struct sets *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		free(s->set[i].lanes);
		free(s->set[i].latency);
	}
	free(s->set);
	free(s->of);
	key_set_free(&s->keys);
}

/* Rows --------------------------------------------------------------------- */

static void
begin(const struct links *l, struct out *o)
{
	static const char *const computed[] = {
	    "latency_ns", "fit_ns", "residual_ns", "proc_ns",
	    "serdes_ns",  "flags",  "runs",
	};
	struct header h = {0};

	add_link_identity(&h, l);
	for (size_t i = 0; i < ARRAY_LEN(computed); i++)
		header_add(&h, xstrdup(computed[i]));
	header_write(&h, o);
}

static bool
is_impossible(const struct delays *d)
{
	return d->proc_ns < 0 || d->serdes_ns < 0;
}

static void
write_link(const struct links *l, const struct hop *hop, const struct set *set,
           struct tally *tally, struct out *o)
{
	struct figures f = figures_of(l, hop);
	const struct delays *d = &set->delays;
	double fit = 2 * (d->proc_ns + d->serdes_ns / hop_link(l, hop).lanes);
	bool off = fabs(f.latency - fit) > DISAGREE * fabs(f.latency);
	char flags[FLAGS_TEXT_MAX];

	if (set->widths == 2)
		f.flags |= FLAG_UNTESTED;
	if (off)
		f.flags |= FLAG_RESIDUAL;
	if (is_impossible(d))
		f.flags |= FLAG_IMPOSSIBLE;
	tally->links++;
	tally->off += off;
	out_double(o, f.latency);
	out_double(o, fit);
	out_double(o, f.latency - fit);
	out_double(o, d->proc_ns);
	out_double(o, d->serdes_ns);
	flags_format(f.flags, flags);
	out_text(o, flags);
	out_u64(o, f.runs);
}

static void
count_sets(struct tally *tally, const struct sets *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		const struct set *set = &s->set[i];

		tally->narrow += set->widths < 2;
		tally->untested += set->widths == 2;
		tally->impossible += is_impossible(&set->delays);
	}
}

static void
warn_tally(const struct tally *tally, size_t sets)
{
	if (tally->out)
		warn("%zu of %zu links are not known to be PCI Express and "
		     "were left out",
		     tally->out, tally->out + tally->links);
	if (tally->narrow)
		warn("%zu of %zu sets of links have one width: no fit, which "
		     "takes two",
		     tally->narrow, sets);
	if (tally->untested)
		warn("%zu of %zu sets of links have two widths: they fit, "
		     "whether the model is right or not",
		     tally->untested, sets);
	if (tally->impossible)
		warn("%zu of %zu fits have a time below 0: the model does not "
		     "hold, or that time is too short to be seen",
		     tally->impossible, sets);
	if (tally->off)
		warn("%zu of %zu links are off their fit by more than %g %%",
		     tally->off, tally->links, 100 * DISAGREE);
}

void
write_fit(const struct links *l, struct out *o)
{
	struct sets s = make_sets(l);
	struct tally tally = {0};

	begin(l, o);
	count_sets(&tally, &s);
	for (size_t i = 0; i < l->n; i++) {
		const struct hop *hop = &l->hop[i];

		if (s.of[i] == NO_SPOT) {
			tally.out += hop_is_link(hop);
			continue;
		}
		write_link_identity(l, hop, o);
		write_link(l, hop, &s.set[s.of[i]], &tally, o);
	}
	warn_tally(&tally, s.keys.n);
	sets_free(&s);
}
