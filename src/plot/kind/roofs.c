/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes limits of bandwidth with the model, one at a time. */
#include "plot/kind/roofs.h"

#include "common/base/util.h"
#include "common/link/model.h"

#include <stdlib.h>
#include <string.h>

/* State for computing limits. */
struct building {
	struct link_config config;
	const struct work *work;
	struct curve sizes; /* distinct sizes of the data, bytes */
	double raw;         /* Gbit/s */
};

static struct building
building_of(const struct picture *p, const struct names *names)
{
	struct building b = {0};
	const char *link = names_constant(names, "link");
	const char *bench = names_constant(names, "bench");
	const char *why;

	b.work = find_work(bench);
	if (!b.work)
		die("--roofs: the rows are not of one bench that the model "
		    "knows: bw_rd, bw_wr or bw_rdwr");
	if (!*link)
		die("--roofs: the rows are not of one link");
	why = link_parse(link, &b.config.link);
	if (!why)
		why = why_no_model(&b.config.link);
	if (why)
		die("--roofs: %s: %s", link, why);
	for (size_t i = 0; i < p->n; i++)
		curve_append(&b.sizes, &p->curve[i]);
	curve_unique(&b.sizes);
	b.raw = link_raw_gbit_s(&b.config.link);
	return b;
}

static void
add_roof(struct picture *p, const struct building *b, char *name,
         const char *limited_by)
{
	struct curve c = {0};

	for (size_t i = 0; i < b->sizes.n; i++) {
		double size = b->sizes.point[i].x;
		struct transfer t = {.size = (uint64_t)size};
		struct expected e;

		if (model_check_size(t.size))
			continue;
		e = expect(&b->config, b->work, &t);
		if (!limited_by || !strcmp(e.limited_by, limited_by))
			curve_add(&c, size, e.gbit_s);
	}
	if (c.n)
		picture_take(p, STYLE_MODEL, name, &c)->colour = COLOUR_NONE;
	else
		free(name);
}

/* Only bounds that are below the link's own limit. */
static void
add_bounds(struct picture *p, struct building *b, const struct roofs *r)
{
	if (r->inflight) {
		char *rtt = time_words((double)r->rtt_ps / 1e3);

		b->config.bounds = (struct bounds){.inflight = r->inflight,
		                                   .rtt_ps = r->rtt_ps};
		add_roof(
		    p, b,
		    xasprintf("%ju reads in %s", (uintmax_t)r->inflight, rtt),
		    "inflight");
		free(rtt);
	}
	if (r->loop_ps) {
		b->config.bounds = (struct bounds){
		    .ph = r->ph, .pd = r->pd, .loop_ps = r->loop_ps};
		add_roof(p, b, xstrdup("credits for writes"), "credits");
	}
}

/* pcb-model --join may have added it already. */
static bool
has_curve(const struct picture *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++) {
		if (p->curve[i].name && !strcmp(p->curve[i].name, name))
			return true;
	}
	return false;
}

void
add_roofs(struct picture *p, const struct names *names)
{
	static const char of_link[] = "limit of the link";
	struct building b;
	struct curve *raw;

	if (!p->n || !picture_points(p))
		return;
	b = building_of(p, names);
	raw = picture_add(p, STYLE_MODEL, xstrdup("raw rate of the link"));
	raw->colour = COLOUR_NONE;
	curve_add(raw, b.sizes.point[0].x, b.raw);
	curve_add(raw, b.sizes.point[b.sizes.n - 1].x, b.raw);
	if (!has_curve(p, of_link))
		add_roof(p, &b, xstrdup(of_link), NULL);
	add_bounds(p, &b, &p->roofs);
	free(b.sizes.point);
}
