/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the range of each cause, and ranks causes by cases and fit. */
#include "model/causes.h"

#include "common/base/util.h"
#include "common/sys/datadir.h"
#include "common/sys/sysfs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a bound, where too few public results say what healthy devices reach. */
#define USUAL_LEAST 0.8

/* A cause gives this part of the number at least; and differs from `before`. */
#define NOT_BELOW 0.99
#define DIFFERS   0.97

/* A narrower range counts as this wide (natural logarithm). */
#define LEAST_WIDTH 0.1

/* A cause without any case; cases of another initiator. */
#define NO_CASE    0.5
#define OTHER_CASE 0.1

/* What firmware sets is seldom what changed since `before`. */
#define SELDOM_CHANGES 0.2

/* What an option or a register says against what cases say. */
#define STATED 10

/*
 * Published by pcie-bench for a Xeon E5-2630 v4: additional time of a read that
 * misses the IOTLB, and concurrent walks; additional time of another node's
 * memory; additional time of memory instead of the cache. Other machines differ
 * from it by a part.
 */
#define IOMMU_MISS_PS  280000
#define IOMMU_WALKS    5
#define REMOTE_NODE_PS 93000
#define CACHE_MISS_PS  70000
#define LESS           0.4
#define MORE           1.6

/* A link at this part of its bound hides the time of a read. */
#define FULL 0.9

/* Outstanding reads of an unknown device; most of any; their round trip. */
#define USUAL_INFLIGHT 32
#define RTT_MIN_PS     300000
#define RTT_MAX_PS     3000000

/* The largest MPS of the specification, and the usual one. */
#define MPS_MOST 4096

double
question_bound(const struct question *q, const struct link *link, uint64_t size)
{
	const struct transfer t = {.size = size};
	struct link_config config = q->config;

	config.link.gen = config.back.gen = link->gen;
	config.link.lanes = config.back.lanes = link->lanes;
	config.link.flit = config.back.flit = link->flit;
	if (link->mps != q->config.link.mps)
		config.link.mps = config.back.mps = link->mps;
	return expect(&config, q->work, &t).gbit_s;
}

double
question_healthy(const struct question *q)
{
	return q->usual.n < REFERENCE_LEAST ? USUAL_LEAST
	                                    : fmin(q->usual.p10, 1);
}

/* State of the search. */
struct search {
	const struct question *q;
	struct causes *all;
};

/* Files -------------------------------------------------------------------- */

/* Bits of the words, separated by blanks; all if there are none. */
static unsigned
take_words(const struct table *t, const char *column, const char *const word[],
           size_t n)
{
	const char *text = need_text(t, column);
	unsigned bits = 0;

	for (const char *at = text; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");
		char *one = xasprintf("%.*s", (int)length, at);
		size_t i = find_word(one, word, n);

		free(one);
		if (i == n)
			table_die(t, need_column(t, column),
			          "'%s': not words such as %s", text, word[0]);
		bits |= 1u << i;
		at += length;
	}
	return bits ? bits : (1u << n) - 1;
}

void
span_take(struct span *span, const struct table *t)
{
	size_t least, most;

	span->absolute = !*need_text(t, "least_pct");
	least = need_column(t, span->absolute ? "least_gb_s" : "least_pct");
	most = need_column(t, span->absolute ? "most_gb_s" : "most_pct");
	span->initiators =
	    take_words(t, "initiator", initiator_names, NINITIATORS);
	span->traffics = take_words(t, "direction", traffic_names, NTRAFFICS);
	span->least = table_number(t, least) * (span->absolute ? 8 : 0.01);
	span->most = table_number(t, most) * (span->absolute ? 8 : 0.01);
	if (!(span->least > 0))
		table_refuse(t, least, "must be greater than 0");
	if (!(span->most > span->least))
		table_refuse(t, most, "must be more than the least");
	span->name = need_text(t, "cause");
	span->what = need_text(t, "what");
	span->separate = need_text(t, "separate");
}

static struct table *
open_share(char **file, const char *name)
{
	*file = share_find("reference", name);
	if (!*file)
		die("no file reference/%s.csv: is pcb-tools installed?", name);
	return table_open(file, 1);
}

/* Public cases of a cause; others than the question's count less. */
static double
cases_of(const struct question *q, const char *cause)
{
	const char *ours = initiator_names[q->initiator];
	const char *end = q->traffic >= TRAFFIC_PEER_READ ? "peer" : "host";
	double n = 0;
	char *file;
	struct table *t = open_share(&file, "cases");

	while (table_next(t)) {
		const char *way = need_text(t, "direction");
		bool same = !strcmp(need_text(t, "initiator"), ours);

		if (!strcmp(need_text(t, "cause"), cause))
			n += (same ? 1 : OTHER_CASE) *
			     (!*way || !strcmp(way, end) ? 1 : OTHER_CASE);
	}
	table_close(t);
	free(file);
	return n;
}

/* Ranges ------------------------------------------------------------------- */

/*
 * How well a range fits: its density at the number, if the logarithm is uniform
 * in it, with a tail below it. 0: not at all.
 */
static double
fit(const struct question *q, double least, double most)
{
	double width = fmax(log(most / least), LEAST_WIDTH);
	double away = log(least / q->gbit_s) / (q->tolerance / 2);

	if (most < NOT_BELOW * q->gbit_s ||
	    least > q->gbit_s * (1 + q->tolerance))
		return 0;
	return (away > 0 ? exp(-away * away / 2) : 1) / width;
}

static struct cause *
add(struct search *s, const char *name, char *what, const char *separate)
{
	struct causes *all = s->all;
	const char *address = s->q->options->link.device;
	const char *at = strstr(separate, "DEVICE");
	struct cause new = {.kind = "model",
	                    .name = xstrdup(name),
	                    .what = what,
	                    .least = NAN,
	                    .most = NAN,
	                    .cases = cases_of(s->q, name)};

	new.separate = at &&address
	                   ? xasprintf("%.*s%s%s", (int)(at - separate),
	                               separate, address, at + strlen("DEVICE"))
	                   : xstrdup(separate);
	array_push(all->cause, all->n, new);
	return &all->cause[all->n - 1];
}

/*
 * Adds a cause with a range if that fits the number, and explains a difference
 * to the number before. `part`: how usual this case of the cause is. Frees the
 * text otherwise.
 */
static struct cause *
add_range(struct search *s, const char *name, char *what, double least,
          double most, double part, const char *separate)
{
	const struct question *q = s->q;
	struct cause *c;
	double fits;

	if (q->before > 0)
		most = fmin(most, DIFFERS * q->before);
	least = fmin(least, most);
	fits = fit(q, least, most);
	if (fits <= 0) {
		free(what);
		return NULL;
	}
	c = add(s, name, what, separate);
	c->least = least;
	c->most = most;
	c->score = part * fits * (NO_CASE + c->cases);
	return c;
}

/* Causes of the link ------------------------------------------------------- */

static const char by_link[] = "LnkSta during the transfer: pcb-doctor DEVICE";

/*
 * Another rate or width: how usual (half or a quarter of the lanes, and the
 * rate below, are the most usual), and its range.
 */
struct other {
	struct link link;
	double part, least, most;
};

/* Healthy devices on it; or a part of the number before. */
static struct other
other_link(const struct question *q, unsigned gen, unsigned lanes)
{
	struct other o = {.link = q->config.link};
	double bound;

	o.link.gen = gen;
	o.link.lanes = lanes;
	o.link.flit = gen > 5;
	bound = question_bound(q, &o.link, q->size);
	o.least = question_healthy(q) * bound;
	if (q->before > 0)
		o.least = fmin(o.least, q->before * bound / q->bound);
	if (!q->mps_known)
		o.link.mps = 512;
	o.most = question_bound(q, &o.link, q->size);
	o.part =
	    gen == q->config.link.gen && lanes * 4 >= q->config.link.lanes ? 0.3
	    : lanes == q->config.link.lanes && gen + 1 == q->config.link.gen
	        ? 0.25
	    : gen == q->config.link.gen || lanes == q->config.link.lanes ? 0.15
	                                                                 : 0.1;
	return o;
}

/* All rates and widths that fit, in one line. */
static void
add_links(struct search *s)
{
	static const unsigned widths[] = {16, 12, 8, 4, 2, 1};
	const struct link *link = &s->q->config.link;
	struct other best = {0};
	double fits_best = 0;
	char *what = NULL, *more = NULL;

	/* The registers of the device say what its link is. */
	if (s->q->options->link.path.n)
		return;
	for (unsigned gen = link->gen; gen > 0; gen--) {
		for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
			struct other o;
			double fits;

			if (widths[i] > link->lanes ||
			    (gen == link->gen && widths[i] == link->lanes) ||
			    (widths[i] == 12 && link->lanes != 12))
				continue;
			o = other_link(s->q, gen, widths[i]);
			fits = o.part * fit(s->q, o.least, o.most);
			if (fits <= 0)
				continue;
			if (fits > fits_best * 1.05) {
				if (fits_best > 0)
					xappend(&more, ", ", "gen%ux%u",
					        best.link.gen, best.link.lanes);
				best = o;
				fits_best = fits;
			} else {
				xappend(&more, ", ", "gen%ux%u", gen,
				        widths[i]);
			}
		}
	}
	if (fits_best > 0) {
		xappend(&what, "", "the link is gen%ux%u%s%s", best.link.gen,
		        best.link.lanes, more ? ", or " : "", more ? more : "");
		add_range(s, "link", what, best.least, best.most, best.part,
		          by_link);
	}
	free(more);
}

/* A GPU's link that sleeps at generation 1. */
static void
add_idle(struct search *s)
{
	const struct link *link = &s->q->config.link;
	struct other o;

	if (link->gen == 1 || s->q->before > 0 ||
	    (s->q->initiator != INITIATOR_GPU_COPY &&
	     s->q->initiator != INITIATOR_GPU_CORE))
		return;
	o = other_link(s->q, 1, link->lanes);
	add_range(s, "idle", xstrdup("the link slept at generation 1"), o.least,
	          o.most, o.part,
	          "a longer transfer; LnkSta during it: pcb-doctor DEVICE");
}

static void
add_mps(struct search *s)
{
	const struct question *q = s->q;
	struct link link = q->config.link;
	double bound;

	if (q->mps_known || q->size < 128)
		return;
	link.mps = 128;
	bound = question_bound(q, &link, q->size);
	add_range(s, "mps", xstrdup("MPS is 128 bytes"),
	          bound * question_healthy(q), bound,
	          q->before > 0 ? SELDOM_CHANGES : 1,
	          "pcb-doctor DEVICE: mps; lspci -vv: MaxPayload");
}

/* From pieces of 64 bytes to whole completions. */
static void
add_completions(struct search *s)
{
	const struct question *q = s->q;
	const struct transfer t = {.size = q->size};
	struct link_config config = q->config;

	if (!q->work->reads || options_given(&q->options->parser, "completer"))
		return;
	config.completer = COMPLETER_RCB;
	add_range(s, "completions",
	          xstrdup("the host splits completions at 64 bytes"),
	          expect(&config, q->work, &t).gbit_s, q->bound,
	          q->before > 0 ? SELDOM_CHANGES : 1,
	          "bw_rd -s 64:4K: split ones give the same at each size");
}

/* Causes of the transfers -------------------------------------------------- */

static void
add_sizes(struct search *s)
{
	static const uint64_t sizes[] = {4, 8, 16, 32, 64};
	const struct question *q = s->q;
	double least = question_healthy(q);

	if (q->size_known || q->before > 0)
		return;
	if (q->initiator != INITIATOR_CPU) {
		add_range(s, "size",
		          xstrdup("small transfers: the start of each counts"),
		          0.02 * q->bound, 0.9 * q->bound, 1,
		          "the same with transfers of 64 MiB");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		double bound = question_bound(q, &q->config.link, sizes[i]);

		if (q->gbit_s < bound / NOT_BELOW) {
			add_range(
			    s, "size",
			    xasprintf("stores of %ju bytes",
			              (uintmax_t)sizes[i]),
			    least * bound, bound, 1,
			    "wider stores: pcb-collect bw_mmio_wr -s 4:64");
			return;
		}
	}
}

/* Of one read at a time with a round trip of 1 us. */
static double
rate_at_1us(const struct question *q)
{
	uint64_t mrrs = q->config.link.mrrs;

	return 8e-3 * (double)(q->size < mrrs ? q->size : mrrs);
}

/* n outstanding reads with this round trip. */
static double
with_reads(const struct question *q, double n, double rtt_ps)
{
	return fmin(1e6 * n * rate_at_1us(q) / rtt_ps, q->bound);
}

/* The round trip before, or 0: unknown, or hidden by the link. */
static double
rtt_before(const struct question *q, double inflight)
{
	if (q->options->link.bounds.rtt_ps)
		return (double)q->options->link.bounds.rtt_ps;
	if (q->before <= 0 || q->before > FULL * q->bound)
		return 0;
	return 1e6 * inflight * rate_at_1us(q) / q->before;
}

static void
add_inflight(struct search *s)
{
	static const char separate[] = "more or larger outstanding reads raise "
	                               "the bandwidth; lat_rd -s 512";
	const struct question *q = s->q;
	const struct bounds *b = &q->options->link.bounds;
	double at_1us = rate_at_1us(q), n, rtt;

	if (!q->work->reads || q->gbit_s > DIFFERS * q->bound)
		return;
	if (b->inflight || b->rtt_ps) {
		n = b->inflight ? (double)b->inflight
		                : ceil(NOT_BELOW * q->gbit_s *
		                       (double)b->rtt_ps / 1e6 / at_1us);
		rtt = b->rtt_ps ? (double)b->rtt_ps
		                : 1e6 * n * at_1us / q->gbit_s;
		if (rtt < RTT_MIN_PS || rtt > RTT_MAX_PS)
			return;
		add_range(s, "inflight",
		          xasprintf("%.0f outstanding reads, each for %.0f ns",
		                    n, rtt / 1e3),
		          (1 - q->tolerance) * with_reads(q, n, rtt),
		          with_reads(q, n, rtt), STATED, separate);
		return;
	}
	add_range(s, "inflight",
	          xasprintf("few outstanding reads: %.0f of 1 us give this",
	                    ceil(q->gbit_s / at_1us)),
	          with_reads(q, 1, RTT_MAX_PS), q->bound, 1, separate);
}

/* A longer read, if the time of reads before is visible. */
static bool
add_delay(struct search *s, const char *name, const char *what, double ps,
          const char *separate)
{
	const struct question *q = s->q;
	double n = q->options->link.bounds.inflight
	               ? (double)q->options->link.bounds.inflight
	               : USUAL_INFLIGHT;
	double rtt = rtt_before(q, n);

	if (q->before <= 0 || rtt <= 0 || !q->work->reads || !q->size_known)
		return false;
	add_range(s, name, xstrdup(what), with_reads(q, n, rtt + MORE * ps),
	          with_reads(q, n, rtt + LESS * ps), 1, separate);
	return true;
}

static const char by_node[] =
    "the same on the node of the device: numactl, pcb-collect --node";
static const char by_cache[] = "pcb-collect bw_rd --cache cold,host-warm";
static const char by_iommu[] =
    "windows of 64K to 64M: it falls beyond the IOTLB; or boot iommu=pt";

/* From no to every transfer that misses and waits for a walk. */
static bool
add_iommu(struct search *s)
{
	const struct question *q = s->q;
	double walks = 8e3 * IOMMU_WALKS * (double)q->size / IOMMU_MISS_PS;

	if (q->before <= 0 || !q->size_known)
		return false;
	add_range(s, "iommu", xstrdup("some or all transfers miss the IOTLB"),
	          LESS * fmin(walks, q->before), q->before, 1, by_iommu);
	return true;
}

static void
add_ethernets(struct search *s)
{
	static const uint64_t rates[] = {1, 10, 25, 40, 50, 100, 200, 400, 800};
	const struct options *o = s->q->options;
	uint64_t frame = o->nic.frame.n ? o->nic.frame.value[0] : 0;

	if (s->q->before > 0 ||
	    (s->q->initiator != INITIATOR_NIC && !o->nic.rate))
		return;
	for (size_t i = 0; i < ARRAY_LEN(rates); i++) {
		const struct ethernet e = {.bit_s =
		                               rates[i] * UINT64_C(1000000000),
		                           .ifg = ETHERNET_IFG};
		double most = ethernet_data_gbit_s(&e, frame ? frame : 9018);
		double least =
		    0.9 * ethernet_data_gbit_s(&e, frame ? frame : 1518);

		if ((o->nic.rate && o->nic.rate != e.bit_s) ||
		    fit(s->q, least, most) <= 0)
			continue;
		add_range(
		    s, "ethernet",
		    xasprintf("%juG Ethernet is full", (uintmax_t)rates[i]),
		    least, most, o->nic.rate ? STATED : 1,
		    "the NIC's counters; traffic that does not leave it");
		return;
	}
}

/* A device and driver whose packets need more than their data. */
static void
add_packets(struct search *s, const char *name)
{
	const struct options *o = s->q->options;
	uint64_t frame = o->nic.frame.n ? o->nic.frame.value[0] : 1518;
	struct packet_profile i = {0};
	double gbit_s;

	packet_profile_read(&i, name);
	if (i.payload != PAYLOAD_FRAME)
		die_usage("-M '%s': it moves no frames", name);
	gbit_s = expect_packets(&i, &s->q->config, packet_profile_direction(&i),
	                        frame - ETHERNET_CRC)
	             .gbit_s;
	add_range(s, "packets",
	          xasprintf("frames of %ju bytes, descriptors as in %s",
	                    (uintmax_t)frame, i.name),
	          0.9 * gbit_s, gbit_s, STATED,
	          "pcb-model nic -M NAME --frame LIST: the shape over sizes");
	packet_profile_free(&i);
}

/* Causes in a file --------------------------------------------------------- */

/* What registers and options say for (more than 1) or against (0) a cause. */
static double
evidence(const struct question *q, const char *cause)
{
	const struct options *o = q->options;
	const char *device = o->link.path.n ? o->link.path.hop[0].bdf : NULL;
	bool is_here = device && !o->link.dump;
	double factor = 1;
	char *type;
	glob_t nodes = {0};

	if (!strcmp(cause, "pageable") && options_given(&o->parser, "memory"))
		return o->memory == MEMORY_PAGEABLE ? STATED : 0;
	if (!strcmp(cause, "node") && o->memory == MEMORY_REMOTE)
		return STATED;
	if (!strcmp(cause, "ordering") && device)
		return o->link.facts.relaxed == TRISTATE_NO    ? 3
		       : o->link.facts.relaxed == TRISTATE_YES ? 0
		                                               : 1;
	if (!is_here)
		return 1;
	if (!strcmp(cause, "node")) {
		find_files(&nodes, "%s/node[0-9]*",
		           root_path("/sys/devices/system/node"));
		factor = nodes.gl_pathc == 1 ? 0 : 1;
		globfree(&nodes);
	} else if (!strcmp(cause, "iommu") || !strcmp(cause, "bounce")) {
		type = read_first_line("%s/devices/%s/iommu_group/type",
		                       root_path("/sys/bus/pci"), device);
		if (!strcmp(cause, "iommu"))
			factor = type && strncmp(type, "DMA", 3) == 0 ? 1 : 0;
		free(type);
	}
	return factor;
}

static void
add_span(struct search *s, const struct span *span)
{
	const struct question *q = s->q;
	double unit = span->absolute ? 1 : q->bound;
	double factor = evidence(q, span->name);
	struct cause *c;

	if (!(span->initiators & 1u << q->initiator) ||
	    !(span->traffics & 1u << q->traffic) || factor <= 0 ||
	    (span->absolute && span->least > q->bound))
		return;
	c = add_range(s, span->name, xstrdup(span->what), span->least * unit,
	              span->most * unit, factor, span->separate);
	if (c)
		c->kind = "published";
}

static void
add_spans(struct search *s, bool node, bool iommu)
{
	char *file;
	struct table *t = open_share(&file, "causes");
	struct span span = {0};

	while (table_next(t)) {
		span_take(&span, t);
		if (!(node && !strcmp(span.name, "node")) &&
		    !(iommu && !strcmp(span.name, "iommu")))
			add_span(s, &span);
	}
	table_close(t);
	free(file);
}

/* Reasons of a number that the link cannot carry --------------------------- */

/* The next link that carries the number: a higher rate, or more lanes. */
static void
add_faster(struct search *s)
{
	const struct question *q = s->q;
	const struct link *said = &q->config.link;

	for (unsigned double_of = 1; double_of < 5; double_of++) {
		for (unsigned wider = double_of + 1; wider-- > 0;) {
			struct other o;
			unsigned gen = said->gen + double_of - wider;

			if (gen > 6 || said->lanes << wider > 16)
				continue;
			o = other_link(q, gen, said->lanes << wider);
			if (fit(q, o.least, o.most) <= 0)
				continue;
			add_range(s, "link",
			          xasprintf("the link is gen%ux%u", gen,
			                    o.link.lanes),
			          o.least, o.most, 1, by_link);
			return;
		}
	}
}

/* The number is this many times too large. */
static void
add_factor(struct search *s, const char *name, double factor, char *what,
           const char *separate)
{
	const struct question *q = s->q;

	add_range(s, name, what, 0.3 * factor * q->bound, factor * q->most, 1,
	          separate);
}

static void
find_wrong_numbers(struct search *s)
{
	static const char by_bytes[] = "bytes and seconds of the same run";
	const struct question *q = s->q;
	const char *number = q->options->files[0];
	double n = ceil(q->gbit_s / q->most);

	if (q->traffic != TRAFFIC_BOTH && q->traffic != TRAFFIC_PEER_BOTH)
		add_factor(s, "directions", 2,
		           xstrdup("both directions are added: halve it"),
		           "the same in one direction");
	if (n <= 16)
		add_factor(s, "devices", n,
		           xasprintf("%.0f or more devices are added", n),
		           "the same with one device");
	if (strstr(number, "iB"))
		add_factor(s, "unit", 1.073741824,
		           xstrdup("GB (1e9 bytes) are written as GiB"),
		           by_bytes);
	if (strchr(number, 'B'))
		add_factor(s, "unit", 8, xstrdup("Gbit/s are written as GB/s"),
		           by_bytes);
	add_faster(s);
	add(s, "cache",
	    xstrdup("the data did not cross the link: a cache answered"),
	    "more data than caches hold; O_DIRECT; compare the data");
	add(s, "clock",
	    xstrdup("the clock stopped before the last transfer ended"),
	    "wait for all transfers, then stop the clock");
}

/* All ---------------------------------------------------------------------- */

static int
by_score(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void
find_possible(struct search *s)
{
	bool node, iommu = false;
	const struct options *o = s->q->options;

	for (size_t i = 0; i < o->nic.n; i++)
		add_packets(s, o->nic.name[i]);
	add_ethernets(s);
	add_links(s);
	add_idle(s);
	add_mps(s);
	add_completions(s);
	add_sizes(s);
	add_inflight(s);
	node = add_delay(s, "node", "the memory is on another NUMA node",
	                 REMOTE_NODE_PS, by_node);
	add_delay(s, "cache", "the data is in memory, not in the cache",
	          CACHE_MISS_PS, by_cache);
	iommu = add_iommu(s);
	add_spans(s, node, iommu);
	if (s->q->before > 0)
		add(s, "change", xstrdup("driver, firmware, clock or load"),
		    "what else changed between the two measurements");
}

void
causes_find(struct causes *all, const struct question *q, bool possible)
{
	struct search s = {.q = q, .all = all};

	if (possible)
		find_possible(&s);
	else
		find_wrong_numbers(&s);
	if (all->n)
		qsort(all->cause, all->n, sizeof *all->cause, by_score);
}

void
causes_free(struct causes *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->cause[i].name);
		free(all->cause[i].what);
		free(all->cause[i].separate);
	}
	free(all->cause);
	*all = (struct causes){0};
}
