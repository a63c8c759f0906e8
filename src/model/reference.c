/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads public results, and computes quantiles of their ratio to the bound. */
#include "model/reference.h"

#include "model/options.h"

#include "common/base/number.h"
#include "common/base/util.h"
#include "common/sys/datadir.h"

#include <math.h>

#define LARGE     4096
#define CPU_STORE 64

const char *const initiator_names[] = {
    [INITIATOR_GPU_COPY] = "gpu-copy", [INITIATOR_GPU_CORE] = "gpu-core",
    [INITIATOR_NVME] = "nvme",         [INITIATOR_NIC] = "nic",
    [INITIATOR_FPGA] = "fpga",         [INITIATOR_CPU] = "cpu",
};

const char *const initiator_texts[] = {
    [INITIATOR_GPU_COPY] = "copies by a GPU",
    [INITIATOR_GPU_CORE] = "programs on a GPU's cores",
    [INITIATOR_NVME] = "NVMe drives",
    [INITIATOR_NIC] = "NICs",
    [INITIATOR_FPGA] = "FPGAs",
    [INITIATOR_CPU] = "transfers by a CPU",
};

const char *const traffic_names[] = {
    [TRAFFIC_READ] = "read",
    [TRAFFIC_WRITE] = "write",
    [TRAFFIC_BOTH] = "both",
    [TRAFFIC_PEER_READ] = "peer_read",
    [TRAFFIC_PEER_WRITE] = "peer_write",
    [TRAFFIC_PEER_BOTH] = "peer_both",
};

const char *const traffic_texts[] = {
    [TRAFFIC_READ] = "from host memory",
    [TRAFFIC_WRITE] = "to host memory",
    [TRAFFIC_BOTH] = "from and to host memory, each way,",
    [TRAFFIC_PEER_READ] = "from another device",
    [TRAFFIC_PEER_WRITE] = "to another device",
    [TRAFFIC_PEER_BOTH] = "between two devices, each way,",
};

uint64_t
reference_size(enum initiator initiator)
{
	return initiator == INITIATOR_CPU ? CPU_STORE : LARGE;
}

const struct work *
traffic_work(enum traffic traffic)
{
	static const char *const benches[] = {
	    [TRAFFIC_READ] = "bw_rd",       [TRAFFIC_WRITE] = "bw_wr",
	    [TRAFFIC_BOTH] = "bw_rdwr",     [TRAFFIC_PEER_READ] = "bw_rd",
	    [TRAFFIC_PEER_WRITE] = "bw_wr", [TRAFFIC_PEER_BOTH] = "bw_wr",
	};

	return find_work(benches[traffic]);
}

enum initiator
reference_initiator(const struct options *o, unsigned lanes, bool is_short)
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
	if (o->nic.rate || is_short)
		return INITIATOR_NIC;
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

/* The bits of a column's words, separated by blanks; dies if one is unknown. */
static unsigned
reference_words(const struct table *t, const char *column,
                const char *const word[], size_t n)
{
	const char *text = need_text(t, column);
	unsigned bits = 0;

	for (const char *at = text; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " "), i = 0;

		while (i < n &&
		       (strncmp(at, word[i], length) != 0 || word[i][length]))
			i++;
		if (i == n)
			table_die(t, need_column(t, column),
			          "'%s': not such as %s", text, word[0]);
		bits |= 1u << i;
		at += length;
	}
	return bits;
}

/* The index of the word of a column. */
static unsigned
take_word(const struct table *t, const char *column, const char *const word[],
          size_t n)
{
	size_t col = need_column(t, column),
	       i = find_word(t->field[col], word, n);

	if (i == n)
		table_die(t, col, "'%s': not such as %s", t->field[col], *word);
	return (unsigned)i;
}

void
reference_take(struct reference *r, const struct table *t)
{
	const char *size = optional_text(t, "size_bytes");
	size_t col = need_column(t, "bandwidth_gb_s");
	struct reference_row row = {0};
	struct link_config config = {0};
	struct transfer transfer;
	const char *why;

	row.initiator = (enum initiator)take_word(t, "initiator",
	                                          initiator_names, NINITIATORS);
	row.traffic =
	    (enum traffic)take_word(t, "direction", traffic_names, NTRAFFICS);
	row.link = link_config_of(&(struct link_options){0}).link;
	why = link_parse_brief(need_text(t, "link"), &row.link);
	if (!why)
		why = why_no_model(&row.link);
	if (why)
		table_refuse(t, need_column(t, "link"), why);
	row.gbit_s = 8 * table_number(t, col);
	if (!(row.gbit_s > 0) || row.gbit_s > 1e6)
		table_refuse(t, col, "not a bandwidth in GB/s");
	if (*size)
		why = parse_integer(size, &row.size);
	if (!why && *size)
		why = model_check_size(row.size);
	if (why)
		table_refuse(t, need_column(t, "size_bytes"), why);
	config.link = row.link;
	transfer = (struct transfer){
	    .size = row.size ? row.size : reference_size(row.initiator)};
	row.ratio =
	    row.gbit_s /
	    expect(&config, traffic_work(row.traffic), &transfer).gbit_s;
	if (!*need_text(t, "source"))
		table_refuse(t, need_column(t, "source"),
		             "who published it must be known");
	row.group = xstrdup(optional_text(t, "group"));
	row.name = xstrdup(optional_text(t, "name"));
	row.source = xstrdup(need_text(t, "source"));
	array_push(r->row, r->n, row);
}

struct table *
reference_open(char **file, const char *name)
{
	*file = share_find("reference", name);
	if (!*file)
		die("no reference '%s'%s", name, share_hint("reference", name));
	return table_open(file, 1);
}

void
reference_read(struct reference *r, const char *name)
{
	char *file;
	struct table *t = reference_open(&file, name);

	while (table_next(t))
		reference_take(r, t);
	table_close(t);
	free(file);
}

void
reference_free(struct reference *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->row[i].group);
		free(r->row[i].name);
		free(r->row[i].source);
	}
	free(r->row);
	*r = (struct reference){0};
}

void
span_take(struct span *span, const struct table *t)
{
	bool absolute = *need_text(t, "least_gb_s");
	size_t least = need_column(t, absolute ? "least_gb_s" : "least_pct");
	size_t most = need_column(t, absolute ? "most_gb_s" : "most_pct");

	*span = (struct span){
	    .name = need_text(t, "cause"),
	    .what = need_text(t, "what"),
	    .separate = need_text(t, "separate"),
	    .initiators =
	        reference_words(t, "initiator", initiator_names, NINITIATORS),
	    .traffics =
	        reference_words(t, "direction", traffic_names, NTRAFFICS),
	    .absolute = absolute,
	};
	if (!*t->field[least])
		return;
	span->least = table_number(t, least) * (absolute ? 8 : 0.01);
	span->most = table_number(t, most) * (absolute ? 8 : 0.01);
	if (!(span->least > 0))
		table_refuse(t, least, "must be greater than 0");
	if (!(span->most > span->least))
		table_refuse(t, most, "must be more than the least");
}

/* Quantiles ---------------------------------------------------------------- */

double
quantile_of(double value[], size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t below = (size_t)at;
	double rest = at - (double)below;

	sort_numbers(value, n);
	return rest > 0
	           ? value[below] + rest * (value[below + 1] - value[below])
	           : value[below];
}

struct usual
reference_usual(const struct reference *r, enum initiator initiator,
                enum traffic traffic, unsigned gen)
{
	struct usual usual = {0};
	double *ratio = xreallocarray(NULL, r->n + 1, sizeof *ratio);

	for (unsigned reach = 0;
	     reach <= REFERENCE_REACH && usual.n < REFERENCE_LEAST; reach++) {
		usual.n = 0;
		usual.least_gen = LAST_GEN;
		usual.most_gen = 1;
		for (size_t i = 0; i < r->n; i++) {
			const struct reference_row *row = &r->row[i];
			unsigned g = row->link.gen;

			if (row->initiator != initiator ||
			    row->traffic != traffic || g + reach < gen ||
			    g > gen + reach)
				continue;
			if (g < usual.least_gen)
				usual.least_gen = g;
			if (g > usual.most_gen)
				usual.most_gen = g;
			ratio[usual.n++] = row->ratio;
		}
	}
	if (usual.n >= REFERENCE_LEAST) {
		usual.p10 = quantile_of(ratio, usual.n, 0.1);
		usual.median = quantile_of(ratio, usual.n, 0.5);
		usual.p90 = quantile_of(ratio, usual.n, 0.9);
	}
	free(ratio);
	return usual;
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
	const struct transfer t = {.size = reference_size(initiator)};
	double bound, none = u->n < REFERENCE_LEAST ? NAN : 0;
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
