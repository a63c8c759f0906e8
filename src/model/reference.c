/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes public results, and quantiles of their ratio to the bound. */
#include "model/options.h"

#include "common/base/util.h"

#include <math.h>

enum initiator
reference_initiator(const struct options *o, unsigned lanes,
                    enum initiator usual)
{
	const struct pci_facts *f = &o->link.facts;

	if (options_given(&o->parser, "engine") && o->whose)
		die_usage("--engine is for --for gpu");
	if (options_given(&o->parser, "for") ||
	    options_given(&o->parser, "tool") ||
	    options_given(&o->parser, "engine"))
		return o->engine ? INITIATOR_GPU_CORE : o->whose;
	if (f->vendor == 0x10ee || f->vendor == 0x1172)
		return INITIATOR_FPGA;
	switch (f->class_code >> 8) {
	case 0x01:
		return INITIATOR_NVME;
	case 0x02:
		return INITIATOR_NIC;
	case 0x03:
	case 0x12:
		return INITIATOR_GPU_COPY;
	}
	if (o->nic.rate)
		return INITIATOR_NIC;
	if (usual < NINITIATORS)
		return usual;
	return lanes <= 4 ? INITIATOR_NVME : INITIATOR_GPU_COPY;
}

enum traffic
reference_traffic(const struct options *o, enum initiator initiator)
{
	static const char *const benches[] = {"bw_rd", "bw_wr", "bw_rdwr"};
	bool drive = initiator == INITIATOR_NVME &&
	             (o->link.device || options_given(&o->parser, "for") ||
	              options_given(&o->parser, "tool"));
	/* A drive is mostly read, and then writes to memory. */
	const char *bench = o->bench                              ? o->bench
	                    : initiator == INITIATOR_CPU || drive ? "bw_wr"
	                                                          : "bw_rd";
	size_t i = find_word(bench, benches, ARRAY_LEN(benches));

	if (i == ARRAY_LEN(benches))
		die_usage("--bench '%s': not bw_rd, bw_wr or bw_rdwr", bench);
	return (enum traffic)i +
	       (o->memory == MEMORY_PEER ? TRAFFIC_PEER_READ : TRAFFIC_READ);
}

/* The command -------------------------------------------------------------- */

/* Whether --for, --engine and the link choose it. */
static bool
is_chosen(const struct options *o, enum initiator initiator, unsigned gen)
{
	bool is_gpu =
	    initiator == INITIATOR_GPU_CORE || initiator == INITIATOR_GPU_COPY;
	bool engine = options_given(&o->parser, "engine");

	if (o->link.based && o->link.base.gen != gen)
		return false;
	if (is_gpu && engine)
		return o->engine == (initiator == INITIATOR_GPU_CORE);
	return (!engine && !options_given(&o->parser, "for")) ||
	       (is_gpu ? !o->whose : initiator == o->whose);
}

static void
write_rows(struct out *out, const struct options *o, const struct reference *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct reference_row *row = &r->row[i];
		char link[LINK_TEXT_MAX];

		if (!is_chosen(o, row->initiator, row->link.gen))
			continue;
		link_format(&row->link, link);
		OUT(out, TEXT("kind", "published"),
		    TEXT("initiator", initiator_names[row->initiator]),
		    TEXT("direction", traffic_names[row->traffic]),
		    TEXT("link", link), COUNTED("size_bytes", row->size),
		    VALUE("bandwidth_gbit_s", row->gbit_s),
		    VALUE("model_gbit_s", row->gbit_s / row->ratio),
		    VALUE("model_ratio_pct", 100 * row->ratio),
		    TEXT("name", row->name), TEXT("source", row->source));
		out_end_row(out);
	}
}

/* One generation, on the lanes given or on x16. */
static void
write_cell(struct out *out, const struct options *o, const struct usual *u,
           enum initiator initiator, enum traffic traffic, unsigned gen)
{
	struct link_config config = link_config_of(&o->link);
	double bound, none = u->known ? 0 : NAN;
	char link[24], from[24];

	config.link.gen = gen;
	if (!o->link.based && !o->link.given[LANES])
		config.link.lanes = 16;
	config.link.flit = gen > 5;
	bound = traffic_gbit_s(&config, traffic, reference_size(initiator));
	snprintf(link, sizeof link, "gen%ux%u", gen, config.link.lanes);
	snprintf(from, sizeof from,
	         u->least_gen < u->most_gen ? "gen%u-%u" : "gen%u",
	         u->least_gen, u->most_gen);
	OUT(out, TEXT("kind", "published"),
	    TEXT("initiator", initiator_names[initiator]),
	    TEXT("direction", traffic_names[traffic]), TEXT("link", link),
	    TEXT("reference", from), VALUE("results", u->n),
	    VALUE("model_gbit_s", bound), VALUE("p10_pct", 100 * u->p10 + none),
	    VALUE("median_pct", 100 * u->median + none),
	    VALUE("p90_pct", 100 * u->p90 + none),
	    VALUE("p10_gbit_s", bound * u->p10 + none),
	    VALUE("median_gbit_s", bound * u->median + none),
	    VALUE("p90_gbit_s", bound * u->p90 + none));
	out_end_row(out);
}

static void
write_cells(struct out *out, const struct options *o, const struct reference *r)
{
	for (unsigned i = 0; i < NINITIATORS * NTRAFFICS * LAST_GEN; i++) {
		unsigned initiator = i / LAST_GEN / NTRAFFICS;
		unsigned traffic = i / LAST_GEN % NTRAFFICS;
		unsigned gen = i % LAST_GEN + 1;
		struct usual u =
		    reference_usual(r, initiator, traffic, gen, "");

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
	shows_bytes = true;
	(options->all ? write_rows : write_cells)(out, options, &r);
	reference_free(&r);
}
