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

/* A cause without any case; a case of another initiator, or other direction. */
#define NO_CASE    0.5
#define OTHER_CASE 0.1

/* What firmware sets is seldom what changed; what is stated is likely. */
#define SELDOM 0.2
#define STATED 10

/*
 * Published by pcie-bench for a Xeon E5-2630 v4: additional time of another
 * node's memory, and of memory instead of the cache. Other machines have from
 * LESS to MORE of it.
 */
#define REMOTE_NODE_PS 93000
#define CACHE_MISS_PS  70000
#define LESS           0.4
#define MORE           1.6

/* A link at this part of its bound hides the time of a read. */
#define FULL 0.9

/* Outstanding reads of an unknown device; the round trip of any. */
#define USUAL_INFLIGHT 32
#define RTT_MIN_PS     300000
#define RTT_MAX_PS     3000000

/* State of the search: a row of causes.csv. */
struct search {
	const struct question *q;
	struct causes *all;
	struct span span;
	double cases;
};

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

static double
healthy(const struct question *q)
{
	return q->usual.n < REFERENCE_LEAST ? USUAL_LEAST
	                                    : fmin(q->usual.p10, 1);
}

/* Files -------------------------------------------------------------------- */

/* Bits of the words, separated by blanks; all if there are none. */
static unsigned
take_words(const struct table *t, const char *column, const char *const word[],
           size_t n)
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
			          "'%s': not words such as %s", text, word[0]);
		bits |= 1u << i;
		at += length;
	}
	return bits ? bits : (1u << n) - 1;
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
	        take_words(t, "initiator", initiator_names, NINITIATORS),
	    .traffics = take_words(t, "direction", traffic_names, NTRAFFICS),
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
	const char *end = q->traffic >= TRAFFIC_PEER_READ ? "peer" : "host";
	double n = 0;
	char *file;
	struct table *t = open_share(&file, "cases");

	while (table_next(t)) {
		const char *way = need_text(t, "direction");

		if (strcmp(need_text(t, "cause"), cause) != 0)
			continue;
		n += (strcmp(need_text(t, "initiator"),
		             initiator_names[q->initiator])
		          ? OTHER_CASE
		          : 1) *
		     (*way && strcmp(way, end) ? OTHER_CASE : 1);
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

/*
 * Adds the cause `name`, for the text and measurement given, if its range fits
 * and explains the difference to the number before; NAN: without a range.
 * `part`: how usual this case of the cause is.
 */
static void
add(struct search *s, const char *name, const char *what, const char *separate,
    double least, double most, double part)
{
	const struct question *q = s->q;
	const char *address = q->options->link.device;
	const char *at = strstr(separate, "DEVICE");
	struct cause new = {
	    .name = xstrdup(name), .what = xstrdup(what), .cases = s->cases};

	if (q->before > 0)
		most = fmin(most, DIFFERS * q->before);
	new.least = fmin(least, most);
	new.most = most;
	new.score = isnan(least) ? 0
	                         : part *fit(q, new.least, new.most) *
	                               (NO_CASE + s->cases);
	if (isnan(least))
		new.least = new.most = NAN;
	new.separate = at &&address
	                   ? xasprintf("%.*s%s%s", (int)(at - separate),
	                               separate, address, at + strlen("DEVICE"))
	                   : xstrdup(separate);
	array_push(s->all->cause, s->all->n, new);
	if (!isnan(least) && new.score <= 0)
		cause_free(&s->all->cause[--s->all->n]);
}

/* Adds the cause of the row, with its text or another one. */
static void
add_range(struct search *s, const char *what, double least, double most,
          double part)
{
	add(s, s->span.name, what ? what : s->span.what, s->span.separate,
	    least, most, part);
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
	struct link link = *said;
	struct other o = {.gen = gen, .lanes = lanes, .part = 0.1};
	double bound;

	link.gen = gen;
	link.lanes = lanes;
	link.flit = gen > 5;
	bound = question_bound(q, &link, q->size);
	o.least = healthy(q) * bound;
	/* The link may have been used in part. */
	if (q->before > 0)
		o.least = fmin(o.least, q->before * bound / q->bound);
	if (!q->mps_known)
		link.mps = 512;
	o.most = question_bound(q, &link, q->size);
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
	bool any = s->q->gbit_s > s->q->most;
	struct other found[64], o;
	size_t n = 0;
	char *what = xstrdup("the link is ");

	/* The registers of the device say what its link is. */
	for (unsigned i = s->q->options->link.path.n && !any ? 30 : 0; i < 30;
	     i++) {
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
		add_range(s, what, o.least, o.most, o.part);
	}
	free(what);
}

/* A link that sleeps at generation 1. */
static void
add_idle(struct search *s)
{
	const struct link *link = &s->q->config.link;
	struct other o = other_link(s->q, 1, link->lanes);

	if (link->gen > 1 && s->q->before <= 0)
		add_range(s, NULL, o.least, o.most, o.part);
}

static void
add_mps(struct search *s)
{
	const struct question *q = s->q;
	struct link link = q->config.link;
	double bound;

	link.mps = 128;
	bound = question_bound(q, &link, q->size);
	if (!q->mps_known && q->size >= link.mps)
		add_range(s, NULL, bound * healthy(q), bound,
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
		add_range(s, NULL, expect(&config, q->work, &t).gbit_s,
		          q->bound, q->before > 0 ? SELDOM : 1);
}

/* Stores of a CPU; the range of other transfers is in the file. */
static void
add_sizes(struct search *s)
{
	const struct question *q = s->q;

	if (q->size_known || q->before > 0)
		return;
	if (q->initiator != INITIATOR_CPU) {
		add_range(s, NULL, s->span.least * q->bound,
		          s->span.most * q->bound, 1);
		return;
	}
	for (uint64_t size = 4; size <= 64; size *= 2) {
		double bound = question_bound(q, &q->config.link, size);
		char *what = xasprintf("stores of %ju bytes", (uintmax_t)size);

		if (bound >= NOT_BELOW * q->gbit_s) {
			add_range(s, what, healthy(q) * bound, bound, 1);
			size = 64;
		}
		free(what);
	}
}

/* Outstanding reads and their time ----------------------------------------- */

/* One read at a time with a round trip of 1 ps. */
static double
one_read(const struct question *q)
{
	uint64_t mrrs = q->config.link.mrrs;

	return 8e3 * (double)(q->size < mrrs ? q->size : mrrs);
}

static void
add_inflight(struct search *s)
{
	const struct question *q = s->q;
	const struct bounds *b = &q->options->link.bounds;
	double one = one_read(q), n = (double)b->inflight,
	       rtt = (double)b->rtt_ps, most;
	bool known = n > 0 || rtt > 0;
	char *what;

	if (q->gbit_s > DIFFERS * q->bound)
		return;
	if (n <= 0)
		n = ceil(NOT_BELOW * q->gbit_s * (known ? rtt : 1e6) / one);
	if (rtt <= 0)
		rtt = n * one / q->gbit_s;
	most = fmin(n * one / rtt, q->bound);
	if (!known)
		what = xasprintf("few outstanding reads: %.0f of 1 us give "
		                 "this",
		                 n);
	else
		what = xasprintf("%.0f outstanding reads, each for %.0f ns", n,
		                 rtt / 1e3);
	if (!known)
		add_range(s, what, one / RTT_MAX_PS, q->bound, 1);
	else if (rtt >= RTT_MIN_PS && rtt <= RTT_MAX_PS)
		add_range(s, what, (1 - q->tolerance) * most, most, STATED);
	free(what);
}

/* A longer read, if the time of reads before is visible: false: it is not. */
static bool
add_delay(struct search *s, double ps)
{
	const struct question *q = s->q;
	const struct bounds *b = &q->options->link.bounds;
	double n = b->inflight ? (double)b->inflight : USUAL_INFLIGHT;
	double all = n * one_read(q), rtt;

	if (q->before <= 0 || q->before > FULL * q->bound || !q->work->reads ||
	    !q->size_known)
		return false;
	rtt = b->rtt_ps ? (double)b->rtt_ps : all / q->before;
	add_range(s, NULL, all / (rtt + MORE * ps), all / (rtt + LESS * ps), 1);
	return true;
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
		char *what;

		if ((nic->rate && nic->rate != e.bit_s) ||
		    fit(s->q, least, most) <= 0)
			continue;
		what = xasprintf("%juG Ethernet is full", (uintmax_t)rates[i]);
		add_range(s, what, least, most, nic->rate ? STATED : 1);
		free(what);
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
		char *what;

		packet_profile_read(&p, nic->name[i]);
		if (p.payload != PAYLOAD_FRAME)
			die_usage("-M '%s': it moves no frames", nic->name[i]);
		most = expect_packets(&p, &s->q->config,
		                      packet_profile_direction(&p),
		                      frame - ETHERNET_CRC)
		           .gbit_s;
		what = xasprintf("frames of %ju bytes, descriptors as in %s",
		                 (uintmax_t)frame, p.name);
		add_range(s, what, 0.9 * most, most, STATED);
		free(what);
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
	    {"link", add_links},
	    {"idle", add_idle},
	    {"mps", add_mps},
	    {"completions", add_completions},
	    {"size", add_sizes},
	    {"inflight", add_inflight},
	    {"ethernet", add_ethernets},
	    {"packets", add_packets},
	};
	const struct question *q = s->q;
	const struct span *span = &s->span;
	double unit = span->absolute ? 1 : q->bound;

	for (size_t i = 0; i < ARRAY_LEN(computed); i++) {
		if (!strcmp(span->name, computed[i].name)) {
			computed[i].add(s);
			return;
		}
	}
	if (!strcmp(span->name, "cache")) {
		add_delay(s, CACHE_MISS_PS);
		return;
	}
	if (!strcmp(span->name, "node") && add_delay(s, REMOTE_NODE_PS))
		return;
	if (span->most > 0 && !(span->absolute && span->least > q->bound))
		add_range(s, NULL, span->least * unit, span->most * unit,
		          evidence(q, span->name));
}

/* Causes of the file; only the link, if it cannot carry the number. */
static void
find_rows(struct search *s, bool possible)
{
	const struct question *q = s->q;
	char *file;
	struct table *t = open_share(&file, "causes");

	while (table_next(t)) {
		span_take(&s->span, t);
		if (!(s->span.initiators & 1u << q->initiator) ||
		    !(s->span.traffics & 1u << q->traffic) ||
		    (!possible && strcmp(s->span.name, "link") != 0))
			continue;
		s->cases = cases_of(q, s->span.name);
		add_row(s);
	}
	table_close(t);
	free(file);
	s->cases = 0;
}

/* Reasons of a number that the link cannot carry --------------------------- */

static void
find_wrong_numbers(struct search *s)
{
	const struct question *q = s->q;
	const char *number = q->options->files[0];
	double n = ceil(q->gbit_s / q->most), bound = 0.3 * q->bound;
	const struct {
		bool is;
		const char *name, *what, *separate;
		double factor;
	} wrong[] = {
	    {q->traffic != TRAFFIC_BOTH && q->traffic != TRAFFIC_PEER_BOTH,
	     "directions", "both directions are added: halve it",
	     "the same in one direction", 2},
	    {n <= 16, "devices", "several devices are added",
	     "the same with one device", n},
	    {strstr(number, "iB"), "unit", "GB (1e9 bytes) written as GiB",
	     "bytes and seconds of the same run", 1.073741824},
	    {strchr(number, 'B'), "unit", "Gbit/s written as GB/s",
	     "bytes and seconds of the same run", 8},
	};

	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		if (wrong[i].is)
			add(s, wrong[i].name, wrong[i].what, wrong[i].separate,
			    wrong[i].factor * bound, wrong[i].factor * q->most,
			    1);
	}
	add(s, "cache", "the data did not cross the link: a cache answered",
	    "more data than caches hold; O_DIRECT; compare the data", NAN, 0,
	    0);
	add(s, "clock", "the clock stopped before the last transfer ended",
	    "wait for all transfers, then stop the clock", NAN, 0, 0);
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
causes_find(struct causes *all, const struct question *q, bool possible)
{
	struct search s = {.q = q, .all = all};

	find_rows(&s, possible);
	if (!possible)
		find_wrong_numbers(&s);
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
