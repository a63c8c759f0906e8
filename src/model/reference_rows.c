/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model reference: writes public results, or quantiles of their ratios. */
#include "model/options.h"

#include "common/base/util.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LAST_GEN 7

/* Whether --for, --engine and the link choose it. */
static bool
is_chosen(const struct options *o, enum initiator initiator, unsigned gen)
{
	bool is_gpu =
	    initiator == INITIATOR_GPU_COPY || initiator == INITIATOR_GPU_CORE;
	bool any_engine = !options_given(&o->parser, "engine");

	if (o->link.based && o->link.base.gen != gen)
		return false;
	if (!options_given(&o->parser, "for") && any_engine)
		return true;
	return initiator == o->initiator ||
	       (is_gpu && any_engine && o->initiator == INITIATOR_GPU_COPY);
}

static void
write_rows(struct out *out, const struct options *o, const struct reference *r)
{
	static const char *const names[] = {"kind",         "initiator",
	                                    "direction",    "link",
	                                    "size_bytes",   "bandwidth_gbit_s",
	                                    "model_gbit_s", "model_ratio_pct",
	                                    "name",         "source"};

	out_begin(out, names, ARRAY_LEN(names));
	for (size_t i = 0; i < r->n; i++) {
		const struct reference_row *row = &r->row[i];
		char link[LINK_TEXT_MAX], size[24] = "";

		if (!is_chosen(o, row->initiator, row->link.gen))
			continue;
		link_format(&row->link, link);
		if (row->size)
			snprintf(size, sizeof size, "%ju",
			         (uintmax_t)row->size);
		out_text(out, "published");
		out_text(out, initiator_names[row->initiator]);
		out_text(out, traffic_names[row->traffic]);
		out_text(out, link);
		out_text(out, size);
		out_double(out, row->gbit_s);
		out_double(out, row->gbit_s / row->ratio);
		out_double(out, 100 * row->ratio);
		out_text(out, row->name);
		out_text(out, row->source);
	}
}

/* One generation, on the lanes given or on x16. */
static void
write_cell(struct out *out, const struct options *o, const struct usual *u,
           enum initiator initiator, enum traffic traffic, unsigned gen)
{
	struct link_config config = link_config_of(&o->link);
	const struct transfer t = {.size = reference_size(initiator)};
	bool few = u->n < REFERENCE_LEAST;
	const double part[] = {u->p10, u->median, u->p90};
	double bound;
	char link[24], from[24];

	config.link.gen = gen;
	if (!o->link.based && !o->link.given[LANES])
		config.link.lanes = 16;
	config.link.flit = gen > 5;
	bound = expect(&config, traffic_work(traffic), &t).gbit_s;
	snprintf(link, sizeof link, "gen%ux%u", gen, config.link.lanes);
	snprintf(from, sizeof from,
	         u->least_gen < u->most_gen ? "gen%u-%u" : "gen%u",
	         u->least_gen, u->most_gen);
	out_text(out, "published");
	out_text(out, initiator_names[initiator]);
	out_text(out, traffic_names[traffic]);
	out_text(out, link);
	out_text(out, from);
	out_u64(out, u->n);
	out_double(out, bound);
	for (size_t i = 0; i < 3; i++)
		out_double(out, few ? (double)NAN : 100 * part[i]);
	for (size_t i = 0; i < 3; i++)
		out_double(out, few ? (double)NAN : bound * part[i]);
}

static void
write_cells(struct out *out, const struct options *o, const struct reference *r)
{
	static const char *const names[] = {
	    "kind",       "initiator", "direction",    "link",
	    "reference",  "results",   "model_gbit_s", "p10_pct",
	    "median_pct", "p90_pct",   "p10_gbit_s",   "median_gbit_s",
	    "p90_gbit_s"};

	out_begin(out, names, ARRAY_LEN(names));
	for (unsigned i = 0; i < NINITIATORS * NTRAFFICS * LAST_GEN; i++) {
		unsigned initiator = i / LAST_GEN / NTRAFFICS;
		unsigned traffic = i / LAST_GEN % NTRAFFICS;
		unsigned gen = i % LAST_GEN + 1;
		struct usual u = reference_usual(r, initiator, traffic, gen);

		if (u.n && is_chosen(o, initiator, gen) &&
		    (o->link.grammar ||
		     (u.least_gen <= gen && gen <= u.most_gen)))
			write_cell(out, o, &u, initiator, traffic, gen);
	}
}

void
write_reference(struct out *out, const struct options *options)
{
	struct reference r = {0};

	reference_read(&r, options->reference);
	out->bytes = true;
	(options->all ? write_rows : write_cells)(out, options, &r);
	reference_free(&r);
}
