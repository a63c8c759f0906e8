/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model floor: the bandwidth below which something is wrong. */
#include "model/options.h"

#include "common/base/util.h"

#include <math.h>

/* A floor is this part of the p10 of so many independent results at least. */
#define MARGIN 0.9
#define LEAST  10

/* Most results do not state their MPS: a larger one raises no floor. */
#define MPS_MOST 256

struct floor {
	enum traffic traffic;
	size_t n;
	double p10, lowest;   /* parts of the bound */
	double bound, gbit_s; /* Gbit/s */
};

/*
 * Parts of the bound of what says what the link reaches, the lowest of each
 * group: large transfers of this kind, on a link of this generation that is not
 * narrower. The rest of a machine holds a wide link back more than a narrow
 * one, so a wide one's part is rather too low for it, which raises no false
 * alarm. Returns their number.
 */
static size_t
find_groups(const struct reference *r, enum initiator initiator,
            enum traffic traffic, const struct link *link, double part[])
{
	const char **group = xcalloc(r->n + 1, sizeof *group);
	size_t groups = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct reference_row *row = &r->row[i];
		const char *name = reference_group(row);
		size_t at = find_word(name, group, groups);

		if (row->initiator != initiator || row->traffic != traffic ||
		    row->size || row->link.gen != link->gen ||
		    row->link.lanes < link->lanes)
			continue;
		part[at] =
		    at < groups ? fmin(part[at], row->ratio) : row->ratio;
		if (at == groups)
			group[groups++] = name;
	}
	free(group);
	return groups;
}

/* What to type for each link that has a floor; free it. */
static char *
known_floors(const struct reference *r, double part[])
{
	static const unsigned widths[] = {16, 8, 4};
	static const char *const whose[NINITIATORS] = {
	    "gpu", "nvme", "nic", "fpga", "cpu", "gpu --engine core"};
	static const char *const benches[] = {"bw_rd", "bw_wr", "bw_rdwr"};
	char *known = NULL;

	for (unsigned i = 0; i < NINITIATORS * NTRAFFICS * LAST_GEN; i++) {
		enum initiator initiator = i / LAST_GEN / NTRAFFICS;
		enum traffic traffic = i / LAST_GEN % NTRAFFICS;
		struct link link = {.gen = 1 + i % LAST_GEN};

		for (size_t w = 0; w < ARRAY_LEN(widths); w++) {
			link.lanes = widths[w];
			if (find_groups(r, initiator, traffic, &link, part) <
			    LEAST)
				continue;
			xappend(&known, ", ", "gen%ux%u --for %s --bench %s%s",
			        link.gen, link.lanes, whose[initiator],
			        benches[traffic % TRAFFIC_PEER_READ],
			        traffic_is_peer(traffic) ? " --memory peer"
			                                 : "");
			break;
		}
	}
	return known ? known : xstrdup("no link");
}

/* Ends the program if too few results tell. */
static struct floor
find_floor(const struct options *o, enum initiator initiator,
           enum traffic traffic, const struct link_config *config)
{
	struct floor f = {.traffic = traffic};
	struct reference r = {0};
	double *part;

	if (o->memory == MEMORY_PINNED || o->memory == MEMORY_PEER)
		reference_read(&r, o->reference);
	part = xcalloc(r.n + 1, sizeof *part);
	f.n = find_groups(&r, initiator, traffic, &config->link, part);
	if (f.n < LEAST) {
		char *known = known_floors(&r, part);

		warn("only %zu healthy result%s of %s %s on gen%u, x%u or "
		     "wider: a floor needs %d; these have one: %s",
		     f.n, f.n == 1 ? "" : "s", initiator_texts[initiator],
		     traffic_texts[traffic], config->link.gen,
		     config->link.lanes, LEAST, known);
		free(known);
		exit(STATUS_ABSENT);
	}
	f.bound = traffic_gbit_s(config, traffic, reference_size(initiator));
	f.p10 = quantile_of(part, f.n, 0.1);
	f.lowest = *part;
	f.gbit_s = f.bound * fmin(MARGIN * f.p10, f.lowest);
	free(part);
	reference_free(&r);
	return f;
}

/* The link at the rate that it supports, with the fewest lanes of the path. */
static struct link_config
healthy(const struct options *o)
{
	struct link_config config = link_config_of(&o->link);
	const struct path *path = &o->link.path;
	struct link *link = &config.link;
	unsigned most = o->link.facts.could.gen;

	if (most > link->gen && !o->link.given[GEN]) {
		warn("%s is at gen%u now: the floor is that of gen%u, which it "
		     "and the ports above it support",
		     path->hop[0].bdf, link->gen, most);
		link->gen = config.back.gen = most;
		for (size_t i = 0; i < path->n; i++) {
			unsigned lanes = path->hop[i].link.lanes;

			if (lanes && lanes < link->lanes)
				link->lanes = config.back.lanes = lanes;
		}
	}
	if (link->mps > MPS_MOST)
		link->mps = MPS_MOST;
	if (config.back.mps > MPS_MOST)
		config.back.mps = MPS_MOST;
	return config;
}

/* In GB/s, rounded down. check_gpu_bw compares both directions with it. */
static _Noreturn void
write_line(const struct options *o, const struct floor *f,
           const struct link_config *config)
{
	const char *name = f->traffic == TRAFFIC_READ ? "h2d"
	                   : f->traffic == TRAFFIC_WRITE
	                       ? "d2h"
	                       : traffic_names[f->traffic];
	double least = f->gbit_s;
	bool nhc = o->line;

	if (nhc && !o->bench)
		least =
		    fmin(least, find_floor(o, 0, TRAFFIC_WRITE, config).gbit_s);
	least = floor(least / 8 * 100) / 100;
	printf("# %s: %zu healthy results, bound %.2f GB/s\n", name, f->n,
	       f->bound / 8);
	if (nhc)
		printf(" * || check_gpu_bw %.2f\n", least);
	else
		printf("reference = {'*': {'%s': (%.2f, 0, None, 'GB/s')}}\n",
		       name, least);
	options_finish();
}

void
write_floor(struct out *out, const struct options *o)
{
	const struct link_config config = healthy(o);
	enum initiator initiator =
	    reference_initiator(o, config.link.lanes, NINITIATORS);
	char link[LINK_TEXT_MAX];
	struct floor f;

	if (o->line && initiator)
		die_usage("--line nhc writes check_gpu_bw, which is for copies "
		          "by a GPU");
	f = find_floor(o, initiator, reference_traffic(o, initiator), &config);
	if (options_given(&o->parser, "line"))
		write_line(o, &f, &config);
	link_format(&config.link, link);
	shows_bytes = true;
	OUT(out, TEXT("kind", "published"),
	    TEXT("initiator", initiator_names[initiator]),
	    TEXT("direction", traffic_names[f.traffic]), TEXT("link", link),
	    VALUE("results", f.n), VALUE("model_gbit_s", f.bound),
	    VALUE("p10_pct", 100 * f.p10), VALUE("lowest_pct", 100 * f.lowest),
	    VALUE("floor_gbit_s", f.gbit_s));
	out_end_row(out);
}
