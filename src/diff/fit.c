/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fits the delays of links over their widths, by least squares. */
#include "diff/diff.h"

#include <math.h>

/* The links of one generation and group. */
struct width_set {
	struct fit_point {
		double part; /* 1 / lanes */
		double latency;
	} * point;
	size_t n;
	uint64_t seen; /* bit i: a link has i lanes */
	int widths;    /* number of distinct widths */
	/*
	 * T_RTT = 2 (T_proc + T_serdes / lanes + T_flight), ANCS 2009, 4.1.
	 * Terms independent of lanes cannot be separated: proc_ns includes
	 * T_flight. NAN if there are fewer than two widths.
	 */
	double proc_ns, serdes_ns;
};

struct width_sets {
	struct key_set keys;   /* group and generation */
	struct width_set *set; /* by index of key */
	size_t room;
	size_t *of; /* set of each edge; NO_NODE: none */
};

/* Least squares over the round trips. */
static void
fit_delays(struct width_set *s)
{
	double middle = 0, level = 0, square = 0, product = 0;

	s->widths = __builtin_popcountll(s->seen);
	s->proc_ns = s->serdes_ns = NAN;
	if (s->widths < 2)
		return;
	for (size_t i = 0; i < s->n; i++) {
		middle += s->point[i].part / (double)s->n;
		level += s->point[i].latency;
	}
	level /= (double)s->n;
	for (size_t i = 0; i < s->n; i++) {
		double off = s->point[i].part - middle;

		square += off * off;
		product += off * (s->point[i].latency - level);
	}
	s->proc_ns = (level - product / square * middle) / 2;
	s->serdes_ns = product / square / 2;
}

/* Sets --------------------------------------------------------------------- */

static struct width_sets
make_sets(const struct links *l)
{
	struct width_sets s = {.of = xcalloc(l->n + 1, sizeof *s.of)};

	for (size_t i = 0; i < l->n; i++) {
		const struct edge *e = &l->edge[i];
		struct link link = edge_link(l, e);
		struct fit_point point;
		struct width_set *set;
		char *name;

		s.of[i] = NO_NODE;
		if (!edge_is_link(e) || link.bus != BUS_PCIE)
			continue;
		name = xasprintf("%zu %u", e->group, link.gen);
		s.of[i] = key_set_intern_text(&s.keys, name);
		free(name);
		s.set = key_set_grow(&s.keys, s.set, &s.room, sizeof *s.set);
		set = &s.set[s.of[i]];
		set->seen |= UINT64_C(1) << link.lanes;
		point.part = 1 / (double)link.lanes;
		point.latency = link_stats_of(l, e).latency;
		array_push(set->point, set->n, point);
	}
	for (size_t i = 0; i < s.keys.n; i++)
		fit_delays(&s.set[i]);
	return s;
}

/* Rows --------------------------------------------------------------------- */

static bool
is_impossible(const struct width_set *s)
{
	return s->proc_ns < 0 || s->serdes_ns < 0;
}

/*
 * The cells of a link; NULL: only their names. Returns whether it is off its
 * fit.
 */
static bool
write_link(const struct links *l, const struct edge *e,
           const struct width_set *set, struct out *o)
{
	struct link_stats f = e ? link_stats_of(l, e) : (struct link_stats){0};
	double fit =
	    e ? 2 * (set->proc_ns + set->serdes_ns / edge_link(l, e).lanes) : 0;
	bool off = fabs(f.latency - fit) > LATENCY_TOLERANCE * fabs(f.latency);
	char *flags;

	if (set->widths == 2)
		f.flags |= LINK_UNTESTED;
	if (off)
		f.flags |= LINK_RESIDUAL;
	if (is_impossible(set))
		f.flags |= LINK_IMPOSSIBLE;
	flags = flags_text(f.flags);
	write_link_identity(l, e, o);
	OUT(o, VALUE("latency_ns", f.latency), VALUE("fit_ns", fit),
	    VALUE("residual_ns", f.latency - fit),
	    VALUE("proc_ns", set->proc_ns), VALUE("serdes_ns", set->serdes_ns),
	    TEXT("flags", flags), VALUE("runs", f.runs));
	free(flags);
	return off;
}

static void
warn_of_sets(const struct width_sets *s)
{
	size_t narrow = 0, untested = 0, impossible = 0;

	for (size_t i = 0; i < s->keys.n; i++) {
		const struct width_set *set = &s->set[i];

		narrow += set->widths < 2;
		untested += set->widths == 2;
		impossible += is_impossible(set);
	}
	if (narrow)
		warn("%zu of %zu sets of links have one width: a fit needs two",
		     narrow, s->keys.n);
	if (untested)
		warn("%zu of %zu sets of links have two widths: the fit is "
		     "exact and does not test the model",
		     untested, s->keys.n);
	if (impossible)
		warn("%zu of %zu fits have a negative time: the model does not "
		     "hold, or the time is too short to measure",
		     impossible, s->keys.n);
}

void
write_fit(const struct links *l, struct out *o)
{
	struct width_sets s = make_sets(l);
	size_t left_out = 0, off = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct edge *e = &l->edge[i];

		if (s.of[i] == NO_NODE) {
			left_out += edge_is_link(e);
			continue;
		}
		off += write_link(l, e, &s.set[s.of[i]], o);
		out_end_row(o);
	}
	if (!o->rows)
		write_link(l, NULL, &(struct width_set){0}, o);
	if (left_out)
		warn("%zu of %ju links are not known to be PCI Express and "
		     "were left out",
		     left_out, left_out + o->rows);
	warn_of_sets(&s);
	if (off)
		warn("%zu of %ju links are off their fit by more than %g %%",
		     off, o->rows, 100 * LATENCY_TOLERANCE);
	for (size_t i = 0; i < s.keys.n; i++)
		free(s.set[i].point);
	free(s.set);
	free(s.of);
	key_set_free(&s.keys);
}
