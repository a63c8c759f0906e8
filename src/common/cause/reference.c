/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads public results, and computes quantiles of their ratio to the bound. */
#include "common/cause/reference.h"

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

double
traffic_gbit_s(const struct link_config *config, enum traffic traffic,
               uint64_t size)
{
	const struct transfer t = {.size = size};
	struct expected e = expect(config, traffic_work(traffic), &t);

	if (traffic == TRAFFIC_PEER_BOTH)
		e.gbit_s *= e.wire.sent / (e.wire.sent + e.wire.received);
	return e.gbit_s;
}

const char *
reference_group(const struct reference_row *row)
{
	return *row->group ? row->group : row->source;
}

unsigned
reference_word(const struct table *t, const char *column,
               const char *const word[], size_t n)
{
	size_t col = need_column(t, column),
	       i = find_word(t->field[col], word, n);

	if (i == n)
		table_die(t, col, "'%s': not such as %s", t->field[col], *word);
	return (unsigned)i;
}

struct link
reference_link(const struct table *t)
{
	struct link link = link_usual;
	const char *why = link_parse_brief(need_text(t, "link"), &link);

	if (!why)
		why = why_no_model(&link);
	if (why)
		table_refuse(t, need_column(t, "link"), why);
	return link;
}

void
reference_take(struct reference *r, const struct table *t)
{
	const char *size = optional_text(t, "size_bytes");
	size_t col = need_column(t, "bandwidth_gb_s");
	struct reference_row row = {0};
	struct link_config config = {0};
	const char *why = NULL;

	row.initiator = (enum initiator)reference_word(
	    t, "initiator", initiator_names, NINITIATORS);
	row.traffic = (enum traffic)reference_word(t, "direction",
	                                           traffic_names, NTRAFFICS);
	row.link = reference_link(t);
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
	row.ratio =
	    row.gbit_s /
	    traffic_gbit_s(&config, row.traffic,
	                   row.size ? row.size : reference_size(row.initiator));
	if (!*need_text(t, "source"))
		table_refuse(t, need_column(t, "source"),
		             "who published it must be known");
	row.group = xstrdup(optional_text(t, "group"));
	row.name = xstrdup(optional_text(t, "name"));
	row.source = xstrdup(need_text(t, "source"));
	row.vendor = xstrdup(optional_text(t, "vendor"));
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
		free(r->row[i].vendor);
	}
	free(r->row);
	*r = (struct reference){0};
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

/* The rows at most so far away, or `only` those of the vendor. */
static struct usual
find_usual(const struct reference *r, const struct reference_row *like,
           bool only, unsigned reach, double ratio[], const char *group[])
{
	struct usual u = {.least_gen = LAST_GEN, .most_gen = 1};
	unsigned gen = like->link.gen;

	for (size_t i = 0; i < r->n; i++) {
		const struct reference_row *row = &r->row[i];
		unsigned g = row->link.gen;
		bool same = !strcasecmp(row->vendor, like->vendor);

		if (row->initiator != like->initiator ||
		    row->traffic != like->traffic || g + reach < gen ||
		    g > gen + reach || (only && !same))
			continue;
		if (g < u.least_gen)
			u.least_gen = g;
		if (g > u.most_gen)
			u.most_gen = g;
		group[u.sources] = reference_group(row);
		u.sources += find_word(reference_group(row), group,
		                       u.sources) == u.sources;
		u.by_vendor += same;
		ratio[u.n++] = row->ratio;
	}
	u.known = u.n >= REFERENCE_LEAST && u.sources >= REFERENCE_SOURCES;
	return u;
}

struct usual
reference_usual(const struct reference *r, enum initiator initiator,
                enum traffic traffic, unsigned gen, const char *vendor)
{
	struct usual usual = {0};
	double *ratio = xreallocarray(NULL, r->n + 1, sizeof *ratio);
	const char **group = xcalloc(r->n + 1, sizeof *group);
	const struct reference_row like = {.initiator = initiator,
	                                   .traffic = traffic,
	                                   .link.gen = gen,
	                                   .vendor = (char *)vendor};

	for (int only = *vendor != '\0'; only >= 0 && !usual.known; only--) {
		for (unsigned reach = 0;
		     reach <= REFERENCE_REACH && !usual.known; reach++)
			usual = find_usual(r, &like, only, reach, ratio, group);
	}
	if (usual.known) {
		usual.p10 = quantile_of(ratio, usual.n, 0.1);
		usual.median = quantile_of(ratio, usual.n, 0.5);
		usual.p90 = quantile_of(ratio, usual.n, 0.9);
	}
	free(ratio);
	free(group);
	return usual;
}
