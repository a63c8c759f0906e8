/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pcb-model why: whether a bandwidth is normal; causes, each with the range
 * that it predicts, ranked by public cases and fit.
 */
#include "model/options.h"
#include "model/reference.h"

#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <math.h>
#include <unistd.h>

/* Tolerance of a cause's range, as a part of the number. */
#define TOLERANCE 0.06

/* Borderline is from this part of the p10, or of the number before, on. */
#define BORDERLINE 0.9
#define UNCHANGED  0.97

/* Causes in a table without -a. */
#define SHOWN 3

/* Shorter transfers are no copies. */
#define LEAST_COPY 65536

/* The reference of shorter transfers is not that of long ones. */
#define LEAST_LONG 512

/* The largest MPS and MRRS of the specification. */
#define MOST 4096

/* The largest MPS that a GPU supports: each of 81 in public listings. */
#define GPU_MPS 256

enum verdict {
	VERDICT_NORMAL,
	VERDICT_BORDERLINE,
	VERDICT_LOW,
	VERDICT_IMPOSSIBLE,
	VERDICT_UNKNOWN,
};

static const struct {
	const char *name;
	int status;
} verdicts[] = {
    [VERDICT_NORMAL] = {"normal", STATUS_OK},
    [VERDICT_BORDERLINE] = {"borderline", STATUS_ABSENT},
    [VERDICT_LOW] = {"low", STATUS_NO},
    [VERDICT_IMPOSSIBLE] = {"impossible", STATUS_NO},
    [VERDICT_UNKNOWN] = {"no reference", STATUS_ABSENT},
};

/* Of a bound, where too few public results say what healthy devices reach. */
#define USUAL_LEAST 0.8

/* A cause gives this part of the number at least; and differs from `before`. */
#define NOT_BELOW 0.99
#define DIFFERS   0.97

/* A number may be above its bound by its clock, or by half of its last digit.
 */
#define CLOCK_ERROR  0.001
#define MOST_ROUNDED 0.005

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

/* A measured bandwidth, and what is known of it. */
struct question {
	const struct options *options;
	enum initiator initiator;
	enum traffic traffic;
	const struct work *work;
	struct link_config config; /* without options.link.bounds */
	bool mps_known, mrrs_known, size_known;
	uint64_t size;
	struct usual usual;
	double gbit_s;
	double before; /* the same without the cause; 0: unknown */
	double bound;
	unsigned asleep; /* the generation now, if another one is assumed */
	double rounding; /* what the number may be too large by, as a part */
	double most;     /* the bound with the best of what is not known */
	double any; /* the same with the largest MPS of the specification */
};

struct cause {
	char *name, *what;
	double least, most; /* Gbit/s; NaN: any number */
	double cases;       /* public ones, weighted */
	double score;       /* weight times fit; 0: a question */
	char *separate;     /* the measurement that confirms it */
};

/* The question ------------------------------------------------------------- */

/* The bound on another link; mps 0: that of the question. */
static double
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

/* Whether the link can carry the number. */
static bool
question_is_possible(const struct question *q)
{
	return q->gbit_s <= (1 + q->rounding) * q->most;
}

/* The largest MPS that the device can have; 0: that of the question. */
static unsigned
most_mps(const struct question *q)
{
	bool gpu = q->initiator == INITIATOR_GPU_COPY ||
	           q->initiator == INITIATOR_GPU_CORE;

	return q->mps_known ? 0 : gpu ? GPU_MPS : MOST;
}

static double
rounding_of(const char *number)
{
	const char *point = strchr(number, '.');
	size_t digits = point ? strspn(point + 1, "0123456789") : 0;
	double half = 0.5 * pow(10, -(double)digits) / strtod(number, NULL);

	return fmin(fmax(half, CLOCK_ERROR), MOST_ROUNDED);
}

static void
set_bounds(struct question *q)
{
	const struct link *link = &q->config.link;

	q->bound = question_bound(q, link->gen, link->lanes, 0);
	q->most = question_bound(q, link->gen, link->lanes, most_mps(q));
	q->any =
	    question_bound(q, link->gen, link->lanes, q->mps_known ? 0 : MOST);
}

/* What the options say of the number; ends the program if they are wrong. */
static void
set_question(struct question *q, const struct options *o)
{
	const struct link_options *l = &o->link;
	const char *why = parse_bandwidth(o->files[0], &q->gbit_s);
	struct reference r = {0};

	if (why)
		die_usage("'%s': %s", o->files[0], why);
	q->rounding = rounding_of(o->files[0]);
	q->before = o->before_gbit_s;
	q->config = link_config_of(l);
	/* Bounds are causes of their own here. */
	q->config.bounds = (struct bounds){0};
	q->mps_known = l->given[MPS] || l->path.n ||
	               (l->grammar && strstr(l->grammar, "mps"));
	q->mrrs_known = l->given[MRRS] || l->path.n ||
	                (l->grammar && strstr(l->grammar, "mrrs"));
	q->size_known = options_given(&o->parser, "size");
	q->size = o->sweep.size.value[0];
	q->initiator = reference_initiator(
	    o, q->config.link.lanes, q->size_known && q->size < LEAST_COPY);
	q->traffic = reference_traffic(o, q->initiator);
	q->work = traffic_work(q->traffic);
	if (!q->size_known)
		q->size = reference_size(q->initiator);
	set_bounds(q);
	q->asleep = l->given[GEN] ? 0 : l->facts.now_gen;
	/* A link that carries more than it can now is awake while data moves.
	 */
	if (q->gbit_s > q->most && l->facts.most_gen > q->config.link.gen) {
		q->asleep = q->config.link.gen;
		q->config.link.gen = q->config.back.gen = l->facts.most_gen;
		set_bounds(q);
	}
	if (!question_is_possible(q) && !q->mrrs_known) {
		q->config.link.mrrs = q->config.back.mrrs = MOST;
		set_bounds(q);
	}
	reference_read(&r, o->reference);
	if (o->memory != MEMORY_PAGEABLE &&
	    (q->initiator == INITIATOR_CPU || q->size >= LEAST_LONG))
		q->usual = reference_usual(&r, q->initiator, q->traffic,
		                           q->config.link.gen);
	reference_free(&r);
}

/* The verdict -------------------------------------------------------------- */

/* Normal is from `normal` on, borderline from BORDERLINE times `base`. */
static enum verdict
compare(double number, double normal, double base)
{
	return number >= normal              ? VERDICT_NORMAL
	       : number >= BORDERLINE * base ? VERDICT_BORDERLINE
	                                     : VERDICT_LOW;
}

static enum verdict
judge(const struct question *q)
{
	double p10 = q->usual.p10 * q->bound;
	bool known = q->usual.n >= REFERENCE_LEAST;
	enum verdict verdict =
	    known ? compare(q->gbit_s, p10, p10) : VERDICT_UNKNOWN;
	enum verdict now = compare(q->gbit_s, UNCHANGED * q->before, q->before);

	if (!question_is_possible(q))
		return VERDICT_IMPOSSIBLE;
	if (q->before > 0 && (!known || now > verdict))
		verdict = now;
	/* Normal for its lanes, but these may be too few. */
	return verdict == VERDICT_NORMAL && q->options->link.facts.narrow
	           ? VERDICT_BORDERLINE
	           : verdict;
}

static const char *
traffic_text(const struct question *q)
{
	if (q->initiator == INITIATOR_CPU)
		return q->work->reads ? "from a device" : "to a device";
	return traffic_texts[q->traffic];
}

/* What public results reach, on which generations. */
static void
say_usual(char **text, const struct question *q)
{
	const struct usual *u = &q->usual;
	double unit = q->bound / 8;
	unsigned gen = q->config.link.gen;

	xappend(text, " ", "Of %zu public results for %s %s on gen%u", u->n,
	        initiator_texts[q->initiator], traffic_text(q), u->least_gen);
	if (u->most_gen > u->least_gen)
		xappend(text, "", " to gen%u", u->most_gen);
	if (u->most_gen > u->least_gen || u->most_gen != gen)
		xappend(text, "", " (too few on gen%u)", gen);
	xappend(text, "",
	        ", nine in ten reach %.*f %%, half %.*f %%: here %.4g and "
	        "%.4g GB/s.",
	        0, 100 * u->p10, 0, 100 * u->median, u->p10 * unit,
	        u->median * unit);
	if (q->gbit_s > u->p90 * q->bound)
		xappend(text, " ", "This is better than most.");
}

static char *
verdict_text(const struct question *q, enum verdict verdict,
             const struct cause *full)
{
	const struct link *link = &q->config.link;
	double raw = link_raw_gbit_s(link), number = q->gbit_s;
	bool beyond = number > (1 + q->rounding) * q->any;
	char *text = NULL;

	if (verdict == VERDICT_IMPOSSIBLE)
		return xasprintf(
		    "%.4g GB/s is more than gen%ux%u carries%s: %.4g GB/s%s.",
		    number / 8, link->gen, link->lanes,
		    number > raw ? "" : " of data",
		    (number > raw ? raw
		     : beyond     ? q->any
		                  : q->most) /
		        8,
		    number > raw   ? " at its raw rate"
		    : !beyond      ? " with MPS 256, the largest of GPUs"
		    : q->mps_known ? ""
		                   : " with any MPS");
	xappend(&text, "",
	        "%.4g GB/s is %.0f %% of what gen%ux%u carries, %.4g GB/s",
	        number / 8, 100 * number / q->bound, link->gen, link->lanes,
	        q->bound / 8);
	if (number > (1 + q->rounding) * q->bound)
		xappend(&text, "", " with MPS %u: here MPS must be larger",
		        link->mps);
	if (q->before > 0)
		xappend(&text, "", ", and %.0f %% of the number before",
		        100 * number / q->before);
	xappend(&text, "", ".");
	if (q->options->link.facts.narrow)
		xappend(&text, " ",
		        "The link has fewer lanes than both ends support: "
		        "pcb-doctor says what may help.");
	if (full->name)
		xappend(&text, " ", "%s: %.4g to %.4g GB/s.", full->what,
		        full->least / 8, full->most / 8);
	if (q->usual.n >= REFERENCE_LEAST)
		say_usual(&text, q);
	else if (q->options->memory == MEMORY_PAGEABLE)
		xappend(&text, " ", "Public results are of pinned memory.");
	else
		xappend(&text, " ",
		        "There are too few public results for %s %s.",
		        initiator_texts[q->initiator], traffic_text(q));
	return text;
}

/* What nobody said and the answer depends on. */
static void
say_assumed(char **text, const struct question *q)
{
	const struct option_parser *given = &q->options->parser;
	char *list = NULL;

	if (q->asleep)
		xappend(&list, ", ", "--gen %u (LnkCap; now gen%u)",
		        q->config.link.gen, q->asleep);
	if (!options_given(given, "for") && !options_given(given, "engine") &&
	    !q->options->link.facts.class_code)
		xappend(&list, ", ", "--for %s",
		        q->initiator ? initiator_names[q->initiator]
		                     : "gpu --engine copy");
	if (!options_given(given, "bench"))
		xappend(&list, ", ", "--bench %s", q->work->name);
	if (!options_given(given, "memory") && q->initiator != INITIATOR_CPU)
		xappend(&list, ", ", "--memory pinned");
	if (!q->mps_known)
		xappend(&list, ", ", "--mps %u", q->config.link.mps);
	if (q->config.link.mrrs == MOST && !q->mrrs_known)
		xappend(&list, ", ", "--mrrs %u", MOST);
	if (list)
		xappend(text, " Assumed: ", "%s.", list);
	free(list);
}

/* Causes ------------------------------------------------------------------- */

/* State of the search: a row of causes.csv. */
struct search {
	const struct question *q;
	struct cause *cause;
	size_t n;
	struct span span;
	double cases;
	struct cause full; /* the Ethernet, if the number fills it */
};

static double
healthy(const struct question *q)
{
	return q->usual.n < REFERENCE_LEAST ? USUAL_LEAST
	                                    : fmin(q->usual.p10, 1);
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
	double away = log(least / q->gbit_s) / (TOLERANCE / 2);

	if (most < NOT_BELOW * q->gbit_s || least > q->gbit_s * (1 + TOLERANCE))
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
	array_push(s->cause, s->n, new);
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

/* A link that sleeps at generation 1; the clocks of its GPU may sleep, too. */
static void
add_idle(struct search *s)
{
	const struct link *link = &s->q->config.link;
	struct other o = other_link(s->q, 1, link->lanes);

	if (s->q->gbit_s < o.least)
		o.least /= 10;
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
	    known ? (1 - TOLERANCE) * most : one / RTT_MAX_PS,
	    known ? most : q->bound, known ? STATED : 1);
}

/* Range of the row, or one that is computed -------------------------------- */

static void
add_ethernets(struct search *s)
{
	static const double rates[] = {1,  2.5, 5,   10,  20,  25,
	                               40, 50,  100, 200, 400, 800};
	const struct nic_options *nic = &s->q->options->nic;
	uint64_t frame = nic->frame.n ? nic->frame.value[0] : 0;

	for (size_t i = 0; i < ARRAY_LEN(rates) && s->q->before <= 0; i++) {
		const struct ethernet e = {
		    .bit_s = nic->rate ? nic->rate : (uint64_t)(rates[i] * 1e9),
		    .ifg = ETHERNET_IFG};
		double most = ethernet_data_gbit_s(&e, frame ? frame : 9018);
		double least =
		    0.9 * ethernet_data_gbit_s(&e, frame ? frame : 1518);

		if (fit(s->q, least, most) <= 0)
			continue;
		add(s, xasprintf("%gG Ethernet is full", (double)e.bit_s / 1e9),
		    least, most, nic->rate ? STATED : 1);
		if (s->q->gbit_s >= least)
			s->full = s->cause[s->n - 1];
		return;
	}
}

/* What registers and options say for (more than 1) or against (0) a cause. */
static double
evidence(const struct question *q, const char *cause)
{
	const struct options *o = q->options;
	char *type;
	bool dma;

	if (!strcmp(cause, "pageable") && options_given(&o->parser, "memory"))
		return o->memory == MEMORY_PAGEABLE ? STATED : 0;
	if (!strcmp(cause, "node") && o->memory == MEMORY_REMOTE)
		return STATED;
	if (!strcmp(cause, "ordering") && o->link.facts.relaxed)
		return o->link.facts.relaxed == TRISTATE_NO ? 3 : 0;
	if (!o->link.path.n || o->link.dump)
		return 1;
	if (!strcmp(cause, "node"))
		return !access(root_path("/sys/devices/system/node/node1"),
		               F_OK);
	if (strcmp(cause, "iommu") != 0)
		return 1;
	type =
	    read_first_line("%s/devices/%s/iommu_group/type",
	                    root_path("/sys/bus/pci"), o->link.path.hop[0].bdf);
	dma = type && !strncmp(type, "DMA", 3);
	free(type);
	return dma;
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

/*
 * Those that may explain the number, likeliest first, then those without a
 * range; or, if the link cannot carry it, what may be wrong with the number.
 * None predicts less than 0.99 times the number.
 */
static void
causes_find(struct search *s)
{
	const struct question *q = s->q;
	bool is_possible = question_is_possible(q);
	char *file;
	struct table *t = reference_open(&file, "causes");

	while (table_next(t)) {
		span_take(&s->span, t);
		if ((s->span.initiators &&
		     !(s->span.initiators & 1u << q->initiator)) ||
		    (s->span.traffics &&
		     !(s->span.traffics & 1u << q->traffic)) ||
		    (is_possible == (s->span.most > 1 && !s->span.absolute) &&
		     strcmp(s->span.name, "link") != 0))
			continue;
		s->cases = cases_of(q, s->span.name);
		add_row(s);
	}
	table_close(t);
	free(file);
	if (s->n)
		qsort(s->cause, s->n, sizeof *s->cause, by_score);
}

/* Rows and text ------------------------------------------------------------ */

/*
 * Wraps a text at the width of the terminal, at most 80, indents its lines if
 * it begins with a number or blanks, and frees it.
 */
static void
print_text(char *text)
{
	size_t columns = terminal_size().columns;
	size_t end = columns && columns < 80 ? columns + 1 : 81;
	size_t indent = *text < 'A' ? 3 : 0;

	printf("%.*s", (int)indent, text);
	print_wrapped(indent, end, text + indent);
	free(text);
}

static void
print_answer(const struct question *q, const char *verdict, const char *text,
             const struct search *all)
{
	bool is_normal = !strcmp(verdict, verdicts[VERDICT_NORMAL].name);
	size_t shown = q->options->all ? all->n : is_normal ? 0 : SHOWN;
	const char *assumed = strstr(text, " Assumed: ");
	size_t length = assumed ? (size_t)(assumed - text) : strlen(text);

	print_text(xasprintf("%s: %.*s", verdict, (int)length, text));
	if (text[length])
		print_text(xasprintf("%s", text + length + 1));
	for (size_t i = 0; i < all->n && i < shown; i++) {
		const struct cause *c = &all->cause[i];

		print_text(c->score > 0
		               ? xasprintf("%zu. %s: %s; %.3g to %.3g GB/s",
		                           i + 1, c->name, c->what,
		                           c->least / 8, c->most / 8)
		               : xasprintf("   %s: %s", c->name, c->what));
		print_text(xasprintf("   %s", c->separate));
	}
	if (shown < all->n)
		printf("-a shows %s%zu cause%s%s.\n", shown ? "all " : "",
		       all->n, all->n > 1 ? "s" : "",
		       shown ? "" : " that may cost the rest");
}

static void
write_row(struct out *o, size_t rank, const char *verdict,
          const struct cause *c)
{
	OUT(o, TEXT("kind", c->name ? "model" : "published"),
	    COUNTED("rank", rank), TEXT("cause", c->name ? c->name : ""),
	    TEXT("verdict", verdict), TEXT("what", c->what),
	    VALUE("least_gbit_s", c->least), VALUE("most_gbit_s", c->most),
	    VALUE("cases", c->cases),
	    TEXT("separate", c->separate ? c->separate : ""));
	out_end_row(o);
}

/* The first row: results as cases, from their p10 to the bound. */
static void
write_answer(struct out *o, const struct question *q, const char *verdict,
             char *text, const struct search *all)
{
	bool known = q->usual.n >= REFERENCE_LEAST;
	const struct cause first = {.what = text,
	                            .least = known ? q->usual.p10 * q->bound
	                                           : (double)NAN,
	                            .most = q->bound,
	                            .cases = (double)q->usual.n};

	write_row(o, 0, verdict, &first);
	for (size_t i = 0; i < all->n; i++) {
		bool fits = all->cause[i].score > 0;

		write_row(o, fits ? i + 1 : 0, fits ? "fits" : "not ruled out",
		          &all->cause[i]);
	}
	out_finish(o, true, NULL);
}

int
run_why(struct out *o, const struct options *options)
{
	static struct preamble pre;
	static struct question q;
	static struct search all;
	enum verdict verdict;
	char *text;

	q.options = options;
	set_question(&q, options);
	all.q = &q;
	causes_find(&all);
	verdict = judge(&q);
	/* A rate that nobody said explains only a small part. */
	if (all.full.name && (verdict == VERDICT_BORDERLINE ||
	                      (options->nic.rate && verdict != VERDICT_NORMAL)))
		verdict = VERDICT_NORMAL;
	else
		all.full.name = NULL;
	text = verdict_text(&q, verdict, &all.full);
	say_assumed(&text, &q);
	preamble_set(&pre, "tool", "pcb-model %s", program_version);
	preamble_add_command(&pre);
	o->preamble = &pre;
	if ((o->format ? o->format : default_format()) == FORMAT_TABLE)
		print_answer(&q, verdicts[verdict].name, text, &all);
	else
		write_answer(o, &q, verdicts[verdict].name, text, &all);
	free(text);
	preamble_free(&pre);
	return verdicts[verdict].status;
}
