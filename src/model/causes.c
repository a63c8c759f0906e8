/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the range of each cause, and ranks causes by cases and fit. */
#include "model/causes.h"

#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a bound, where too few public results say what healthy devices reach. */
#define USUAL_LEAST 0.8

/* A cause gives this part of the number at least; and differs from `before`. */
#define NOT_BELOW 0.99
#define DIFFERS   0.97

/* A measured number this close above its bound may be rounded. */
#define ABOVE 1.005

/* A narrower range counts as this wide (natural logarithm). */
#define LEAST_WIDTH 0.1

/* A cause without any case; a case of another initiator, or other direction. */
#define NO_CASE    0.5
#define OTHER_CASE 0.1

/* What firmware sets is seldom what changed; what is stated is likely. */
#define SELDOM 0.2
#define STATED 10

/* The round trip of any read. */
#define RTT_MIN_PS 300000
#define RTT_MAX_PS 3000000

/* State of the search: a row of causes.csv. */
struct search {
	const struct question *q;
	struct causes *all;
	struct span span;
	double cases;
};

double
question_bound(const struct question *q, unsigned gen, unsigned lanes,
               unsigned mps)
{
	const struct transfer t = {.size = q->size};
	struct link_config config = q->config;

	config.link.gen = config.back.gen = gen;
	config.link.lanes = config.back.lanes = lanes;
	if (gen != q->config.link.gen)
		config.link.flit = config.back.flit = gen > 5;
	if (mps)
		config.link.mps = config.back.mps = mps;
	return expect(&config, q->work, &t).gbit_s;
}

bool
question_is_possible(const struct question *q)
{
	return q->gbit_s <= ABOVE * q->most;
}

static double
healthy(const struct question *q)
{
	return q->usual.n < REFERENCE_LEAST ? USUAL_LEAST
	                                    : fmin(q->usual.p10, 1);
}

/* Files -------------------------------------------------------------------- */

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

/* Public cases of a cause; others than the question's count less. */
static double
cases_of(const struct question *q, const char *cause)
{
	const char *end = q->traffic >= TRAFFIC_PEER_READ ? "peer" : "host";
	double n = 0;
	char *file;
	struct table *t = reference_open(&file, "cases");

	while (table_next(t)) {
		const char *way = need_text(t, "direction");

		if (strcmp(need_text(t, "cause"), cause) != 0)
			continue;
		n += (strcmp(need_text(t, "initiator"),
		             initiator_names[q->initiator]) != 0
		          ? OTHER_CASE
		          : 1) *
		     (*way && strcmp(way, end) != 0 ? OTHER_CASE : 1);
	}
	table_close(t);
	free(file);
	return round(100 * n) / 100;
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

/*
 * Adds the cause of the row, with its text or another one, if its range fits
 * and explains the difference to the number before. `part`: how usual this case
 * of the cause is; 0: the cause has no range. Takes the text, which may be
 * NULL.
 */
static void
add(struct search *s, char *what, double least, double most, double part)
{
	const struct question *q = s->q;
	const char *separate = s->span.separate;
	const char *address = q->options->link.device;
	const char *at = address ? strstr(separate, "DEVICE") : NULL;
	struct cause new = {.cases = s->cases, .least = NAN, .most = NAN};

	if (q->before > 0)
		most = fmin(most, DIFFERS * q->before);
	if (part > 0) {
		new.least = fmin(least, most);
		new.most = most;
		new.score =
		    part *fit(q, new.least, most) * (NO_CASE + s->cases);
	}
	if (part > 0 && new.score <= 0) {
		free(what);
		return;
	}
	new.name = xstrdup(s->span.name);
	new.what = what ? what : xstrdup(s->span.what);
	new.separate = at ? xasprintf("%.*s%s%s", (int)(at - separate),
	                              separate, address, at + strlen("DEVICE"))
	                  : xstrdup(separate);
	array_push(s->all->cause, s->all->n, new);
}

/* Another rate or width: how usual it is, and what healthy devices reach. */
struct other {
	unsigned gen, lanes;
	double part, least, most;
};

static struct other
other_link(const struct question *q, unsigned gen, unsigned lanes)
{
	const struct link *said = &q->config.link;
	struct other o = {.gen = gen, .lanes = lanes, .part = 0.1};
	double bound = question_bound(q, gen, lanes, 0);

	o.least = healthy(q) * bound;
	/* The link may have been used in part. */
	if (q->before > 0)
		o.least = fmin(o.least, q->before * bound / q->bound);
	o.most = question_bound(q, gen, lanes, q->mps_known ? 0 : 512);
	if (gen == said->gen || lanes == said->lanes)
		o.part = lanes * 4 >= said->lanes && gen + 1 >= said->gen
		             ? 0.3
		             : 0.15;
	return o;
}

/*
 * All rates and widths that fit, the likeliest first, in one line: lower ones,
 * or, if the link cannot carry the number, all.
 */
static void
add_links(struct search *s)
{
	const struct link *said = &s->q->config.link;
	bool any = !question_is_possible(s->q);
	bool known = s->q->options->link.path.n && !s->q->asleep;
	struct other found[64], o;
	size_t n = 0;
	char *what = xstrdup("the link is ");

	/* The registers of the device say what its link is. */
	for (unsigned i = known && !any ? 30 : 0; i < 30; i++) {
		unsigned gen = any ? 1 + i / 5 : said->gen - i / 5;
		unsigned lanes = 16 >> i % 5;

		if (!gen || gen > 6 || (!any && lanes > said->lanes) ||
		    (gen == said->gen && lanes == said->lanes))
			continue;
		o = other_link(s->q, gen, lanes);
		o.part *= fit(s->q, o.least, o.most);
		if (o.part <= 0)
			continue;
		found[n++] = o;
		if (o.part > found->part) {
			found[n - 1] = *found;
			*found = o;
		}
	}
	for (size_t i = 0; i < n; i++)
		xappend(&what,
		        i > 1 ? ", "
		        : i   ? ", or "
		              : "",
		        "gen%ux%u", found[i].gen, found[i].lanes);
	if (n) {
		o = other_link(s->q, found->gen, found->lanes);
		add(s, what, o.least, o.most, o.part);
	} else {
		free(what);
	}
}

/* A link that sleeps at generation 1. */
static void
add_idle(struct search *s)
{
	const struct link *link = &s->q->config.link;
	struct other o = other_link(s->q, 1, link->lanes);

	if (link->gen > 1 && s->q->before <= 0)
		add(s, NULL, o.least, o.most, o.part);
}

static void
add_mps(struct search *s)
{
	const struct question *q = s->q;
	const struct link *link = &q->config.link;
	double bound = question_bound(q, link->gen, link->lanes, 128);

	if (!q->mps_known && q->size >= 128)
		add(s, NULL, bound * healthy(q), bound,
		    q->before > 0 ? SELDOM : 1);
}

/* From pieces of 64 bytes to whole completions. */
static void
add_completions(struct search *s)
{
	const struct question *q = s->q;
	const struct transfer t = {.size = q->size};
	struct link_config config = q->config;

	config.completer = COMPLETER_RCB;
	if (!options_given(&q->options->parser, "completer"))
		add(s, NULL, expect(&config, q->work, &t).gbit_s, q->bound,
		    q->before > 0 ? SELDOM : 1);
}

/* Outstanding reads and their time ----------------------------------------- */

static void
add_inflight(struct search *s)
{
	const struct question *q = s->q;
	const struct bounds *b = &q->options->link.bounds;
	/* One read at a time with a round trip of 1 ps. */
	double one = 8e3 * fmin((double)q->size, q->config.link.mrrs);
	double n = (double)b->inflight;
	double rtt = (double)b->rtt_ps, most;
	bool known = n > 0 || rtt > 0;

	if (n <= 0)
		n = ceil(NOT_BELOW * q->gbit_s * (known ? rtt : 1e6) / one);
	if (rtt <= 0)
		rtt = known ? n * one / q->gbit_s : 1e6;
	if (q->gbit_s > DIFFERS * q->bound ||
	    (known && (rtt < RTT_MIN_PS || rtt > RTT_MAX_PS)))
		return;
	most = fmin(n * one / rtt, q->bound);
	add(s,
	    xasprintf("%.0f outstanding reads, each for %.0f ns", n, rtt / 1e3),
	    known ? (1 - q->tolerance) * most : one / RTT_MAX_PS,
	    known ? most : q->bound, known ? STATED : 1);
}

/* Range of the row, or one that is computed -------------------------------- */

static void
add_ethernets(struct search *s)
{
	static const uint64_t rates[] = {1, 10, 25, 40, 50, 100, 200, 400, 800};
	const struct nic_options *nic = &s->q->options->nic;
	uint64_t frame = nic->frame.n ? nic->frame.value[0] : 0;

	for (size_t i = 0; i < ARRAY_LEN(rates) && s->q->before <= 0; i++) {
		const struct ethernet e = {.bit_s = rates[i] * 1000000000,
		                           .ifg = ETHERNET_IFG};
		double most = ethernet_data_gbit_s(&e, frame ? frame : 9018);
		double least =
		    0.9 * ethernet_data_gbit_s(&e, frame ? frame : 1518);

		if ((nic->rate && nic->rate != e.bit_s) ||
		    fit(s->q, least, most) <= 0)
			continue;
		add(s, xasprintf("%juG Ethernet is full", (uintmax_t)rates[i]),
		    least, most, nic->rate ? STATED : 1);
		return;
	}
}

/* A device and driver whose packets need more than their data. */
static void
add_packets(struct search *s)
{
	const struct nic_options *nic = &s->q->options->nic;
	uint64_t frame = nic->frame.n ? nic->frame.value[0] : 1518;

	for (size_t i = 0; i < nic->n; i++) {
		struct packet_profile p = {0};
		double most;

		packet_profile_read(&p, nic->name[i]);
		if (p.payload != PAYLOAD_FRAME)
			die_usage("-M '%s': it moves no frames", nic->name[i]);
		most = expect_packets(&p, &s->q->config,
		                      packet_profile_direction(&p),
		                      frame - ETHERNET_CRC)
		           .gbit_s;
		add(s,
		    xasprintf("frames of %ju bytes, descriptors as in %s",
		              (uintmax_t)frame, p.name),
		    0.9 * most, most, STATED);
		packet_profile_free(&p);
	}
}

/* What registers and options say for (more than 1) or against (0) a cause. */
static double
evidence(const struct question *q, const char *cause)
{
	const struct options *o = q->options;
	const char *device = o->link.path.n ? o->link.path.hop[0].bdf : NULL;
	glob_t nodes = {0};
	double factor = 1;
	char *type;

	if (!strcmp(cause, "pageable") && options_given(&o->parser, "memory"))
		return o->memory == MEMORY_PAGEABLE ? STATED : 0;
	if (!strcmp(cause, "node") && o->memory == MEMORY_REMOTE)
		return STATED;
	if (!strcmp(cause, "ordering") && o->link.facts.relaxed)
		return o->link.facts.relaxed == TRISTATE_NO ? 3 : 0;
	if (!device || o->link.dump)
		return 1;
	if (!strcmp(cause, "node")) {
		find_files(&nodes, "%s/node[0-9]*",
		           root_path("/sys/devices/system/node"));
		factor = nodes.gl_pathc != 1;
		globfree(&nodes);
	} else if (!strcmp(cause, "iommu")) {
		type = read_first_line("%s/devices/%s/iommu_group/type",
		                       root_path("/sys/bus/pci"), device);
		factor = type && !strncmp(type, "DMA", 3);
		free(type);
	}
	return factor;
}

static void
add_row(struct search *s)
{
	static const struct {
		const char *name;
		void (*add)(struct search *s);
	} computed[] = {
	    {"link", add_links},        {"idle", add_idle},
	    {"mps", add_mps},           {"completions", add_completions},
	    {"inflight", add_inflight}, {"ethernet", add_ethernets},
	    {"packets", add_packets},
	};
	const struct question *q = s->q;
	const struct span *span = &s->span;
	/* Small transfers do not fill the link: what they did before counts. */
	bool late = q->before > 0 && q->size_known && question_is_possible(q);
	double unit = span->absolute ? 1 : late ? q->before : q->bound;
	double factor = evidence(q, span->name);

	for (size_t i = 0; i < ARRAY_LEN(computed); i++) {
		if (!strcmp(span->name, computed[i].name)) {
			computed[i].add(s);
			return;
		}
	}
	if ((span->absolute && (late || span->least > q->bound)) ||
	    (!strcmp(span->name, "cache") && !late) ||
	    (!strcmp(span->name, "size") && (q->size_known || q->before > 0)))
		return;
	if (factor > 0)
		add(s, NULL, span->least * unit, span->most * unit,
		    span->most > 0 ? factor : 0);
}

static int
by_score(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return strcmp(x->name, y->name);
}

void
causes_find(struct causes *all, const struct question *q)
{
	struct search s = {.q = q, .all = all};
	bool is_possible = question_is_possible(q);
	char *file;
	struct table *t = reference_open(&file, "causes");

	while (table_next(t)) {
		span_take(&s.span, t);
		if ((s.span.initiators &&
		     !(s.span.initiators & 1u << q->initiator)) ||
		    (s.span.traffics &&
		     !(s.span.traffics & 1u << q->traffic)) ||
		    (is_possible == (s.span.most > 1 && !s.span.absolute) &&
		     strcmp(s.span.name, "link") != 0))
			continue;
		s.cases = cases_of(q, s.span.name);
		add_row(&s);
	}
	table_close(t);
	free(file);
	if (all->n)
		qsort(all->cause, all->n, sizeof *all->cause, by_score);
}

void
cause_free(struct cause *c)
{
	free(c->name);
	free(c->what);
	free(c->separate);
}
