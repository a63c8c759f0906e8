/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws latency or bandwidth against the swept column. */
#include "plot/kind/sweep_plot.h"

#include "common/base/util.h"
#include "common/link/ethernet.h"
#include "plot/data/comparison.h"
#include "plot/data/sweeps.h"
#include "plot/kind/model_curves.h"
#include "plot/kind/percentile_band.h"
#include "plot/kind/roofs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Curves ------------------------------------------------------------------ */

/* A sweep without distinguishing columns is named after its kind. */
static char *
value_name(const struct names *names, const struct key_set *keys, size_t number)
{
	const char *kind = names_constant(names, "kind");

	return names_key(names, keys, number, *kind ? kind : "measured");
}

static void
add_values(struct picture *p, const struct names *names,
           const struct size_sweeps *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		const struct key *key = &s->keys.key[i];
		struct curve_style given = s->sweep[i].style;
		enum style style = is_computed(names, key) ? STYLE_MODEL
		                   : given.dashed          ? STYLE_DASHED
		                                           : STYLE_POINTS;
		char *name = names_run(value_name(names, &s->keys, i),
		                       given.runs, given.repeated);
		struct curve *c = picture_add(p, style, name);

		c->colour = given.colour;
		c->thin = given.runs > 1;
		sweep_points_append(c, &s->sweep[i].points);
	}
}

static void
add_models(struct picture *p, const struct names *names, struct size_sweeps *s)
{
	struct models models = {0};

	for (size_t i = 0; i < s->keys.n; i++)
		models_add(&models, names->t, &s->keys.key[i],
		           &s->sweep[i].expected);
	for (size_t i = 0; i < models.n; i++) {
		struct model *m = &models.model[i];
		char *rest = names_legend(names, &m->key);
		char *name = xasprintf("%s%s%s", model_name(names->t, m),
		                       *rest ? ", " : "", rest);
		struct curve *c = picture_take(p, STYLE_MODEL, name, &m->curve);

		c->colour = m->n == 1 && s->keys.n > 1
		                ? s->sweep[m->first].style.colour
		                : COLOUR_NONE;
		free(rest);
	}
	models_free(&models);
}

/* Ratios: draws the base at 100 %. */
static void
add_base(struct picture *p)
{
	struct value_range x = picture_range(p, false);
	struct curve *c = picture_add(p, STYLE_MODEL, xstrdup("base"));

	c->colour = COLOUR_NONE;
	curve_add(c, x.low, 100);
	curve_add(c, x.high, 100);
}

/* Ethernet ---------------------------------------------------------------- */

/* Enough steps up to the largest size to look like a curve. */
#define STEPS 64

/* Packets as they cross the link: frames without CRC. */
#define PACKET_MIN (ETHERNET_FRAME_MIN - ETHERNET_CRC)
#define PACKET_MAX (65536 - ETHERNET_CRC)

/* The bandwidth that keeps up with Ethernet if each transfer is a packet. */
static void
add_ethernet(struct picture *p, uint64_t rate, double low, double high)
{
	struct ethernet e = {.bit_s = rate, .ifg = ETHERNET_IFG};
	char text[ETHERNET_TEXT_MAX] = "";
	struct curve *c;

	ethernet_format(&e, text);
	c = picture_add(p, STYLE_MODEL, xasprintf("Ethernet %s", text));
	c->colour = COLOUR_NONE;
	for (int i = 0; i <= STEPS; i++) {
		double size = round(low * pow(high / low, (double)i / STEPS));
		uint64_t frame = (uint64_t)size + ETHERNET_CRC;

		curve_add(c, size, ethernet_data_gbit_s(&e, frame));
	}
	curve_unique(c);
}

static void
add_ethernets(struct picture *p)
{
	struct value_range x = picture_range(p, false);
	double low = fmax(x.low, PACKET_MIN);
	double high = fmin(x.high, PACKET_MAX);

	if (p->nethernets && p->n && low > high)
		warn("none of these sizes is a packet of Ethernet: they have "
		     "%d to %d bytes",
		     PACKET_MIN, PACKET_MAX);
	for (size_t i = 0; low <= high && i < p->nethernets; i++)
		add_ethernet(p, p->ethernet[i], low, high);
}

/* Curves that coincide ---------------------------------------------------- */

/* Part of an axis within which two points look like one. */
#define SAME_PLACE 0.005

static bool
is_near(const struct axis *a, double x, double y)
{
	return fabs(axis_position(a, x) - axis_position(a, y)) < SAME_PLACE;
}

/* Whether the later of two curves hides the earlier one. */
static bool
coincide(const struct picture *p, const struct curve *a, const struct curve *b)
{
	if (!a->name || !b->name || a->n != b->n || a->n < 2)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (!is_near(&p->x, a->point[i].x, b->point[i].x) ||
		    !is_near(&p->y, a->point[i].y, b->point[i].y))
			return false;
	}
	return true;
}

/* Notes "A coincides with B", and the number of others. */
static void
say_what_coincides(struct picture *p)
{
	const struct curve *pair[2] = {NULL, NULL};
	char *before = p->note, *more;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = i + 1; k < p->n; k++) {
			if (!coincide(p, &p->curve[i], &p->curve[k]))
				continue;
			if (!n++) {
				pair[0] = &p->curve[i];
				pair[1] = &p->curve[k];
			}
			break;
		}
	}
	if (!n)
		return;
	more = n > 1 ? xasprintf(", and %zu more", n - 1) : xstrdup("");
	p->note =
	    xasprintf("%s%s%s coincides with %s%s", before ? before : "",
	              before ? "; " : "", pair[0]->name, pair[1]->name, more);
	free(before);
	free(more);
}

/* Axes -------------------------------------------------------------------- */

/* The smallest value, which must be visible. */
static double
typical(const struct size_sweeps *s)
{
	double least = INFINITY;

	for (size_t i = 0; i < s->keys.n; i++) {
		for (size_t k = 0; k < s->sweep[i].points.n; k++)
			least = fmin(least, s->sweep[i].points.point[k].at.y);
	}
	return least;
}

static void
choose_y(struct picture *p, const struct names *names,
         const struct size_sweeps *s, const char *ratio)
{
	bool both_ways = !strcmp(names_constant(names, "bench"), "bw_rdwr");
	const char *unit = unit_of(s->measure);
	struct value_range y = picture_range(p, true);

	if (!strcmp(unit, "ns"))
		axis_time(&p->y, "latency", y.low, y.high,
		          LOG_FROM * typical(s), p->room_y);
	else if (!strcmp(unit, "pct"))
		axis_plain(&p->y, ratio, y.low, y.high, p->room_y);
	else
		axis_of_bandwidth(p, both_ways ? "bandwidth each way (Gbit/s)"
		                               : "bandwidth (Gbit/s)");
}

void
draw_against(struct picture *p, struct table *t, const struct sweep_kind *kind)
{
	struct size_sweeps s = {0};
	struct names names;
	char *ratio;

	sweeps_read(&s, t, kind);
	names = names_of(t, &s.keys);
	ratio = !strcmp(unit_of(s.measure), "pct") ? ratio_words(&names) : NULL;
	names_describe(&names, p, measure_words(s.measure));
	names_hide_runs(&names);
	add_bands(p, &s);
	add_values(p, &names, &s);
	add_models(p, &names, &s);
	if (ratio && s.keys.n)
		add_base(p);
	axis_of_sizes(p, kind->label);
	if (p->roofs.wanted)
		add_roofs(p, &names);
	add_ethernets(p);
	choose_y(p, &names, &s, ratio);
	free(ratio);
	say_what_coincides(p);
	names_free(&names);
	sweeps_free(&s);
}
