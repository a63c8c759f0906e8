/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probabilities of causes: how often sources found each, times the density of
 * the number if it is the cause, times the likelihood of what was observed.
 */
#include "common/cause/cause.h"

#include "common/base/util.h"
#include "common/link/tlp.h"

#include <math.h>

/*
 * Standard deviations of ln(ratio): of cases, and of healthy devices. What a
 * NIC delivers is without headers and descriptors, of frames of any size.
 */
#define CASE_SD        0.34
#define FAR_RATIO      0.1
#define FAR_SD         0.25
#define HEALTHY_SD     0.035
#define HEALTHY_NIC_SD 0.08

/* How many tell the rate of a link, and how exactly. */
#define NOMINAL    0.07
#define NOMINAL_SD 0.01

/* Cases that the broad part of a density counts as, and its tail. */
#define BROAD_CASES 4
#define TAIL_CASES  0.5

/* Cases that the next wider count is worth: of an end, initiator, and both. */
static const double worth[] = {24, 12, 6};

/* Nothing that applies is less probable than this before the number. */
#define LEAST_PRIOR 0.008

/* With a number before, causes that seldom change count this much. */
#define SELDOM 0.25

/* What is less probable is no cause. */
#define NEGLIGIBLE 1e-9

/* Smaller ratios are equally odd. */
#define LEAST_RATIO 1e-6

/* What the options say of the reads in flight is that much likelier. */
#define STATED 10

/* Programs on a GPU's cores use no larger packets: doc/hopper.md. */
#define CORE_PACKET 128
#define CORE_SD     0.02

/*
 * Loads by a CPU: their round trip, and what a core keeps in flight: one of 1
 * to 64 bytes, or with streaming loads (MOVNTDQA) up to eight lines.
 */
#define LOAD_NS    1100
#define LOAD_SIZES 10
#define LOAD_SD    0.35

/*
 * Stores to a device, mapped uncached, leave one at a time, of up to 32 bytes,
 * every 50 to 300 ns: community.intel.com m-p/1186313. Loads of host memory
 * that is mapped so take as long as the memory.
 */
#define STORE_NS       122
#define MEMORY_NS      100
#define UNCACHED_SIZES 6
#define UNCACHED_SD    0.5

static double
kernel(double x, double mean, double sd)
{
	double z = (x - mean) / sd;

	return exp(-z * z / 2) / (sd * 2.5066282746310002);
}

/* Bounds ------------------------------------------------------------------- */

double
question_bound(const struct question *q, unsigned gen, unsigned lanes,
               unsigned mps)
{
	struct link_config config = q->config;

	config.link.gen = config.back.gen = gen;
	config.link.lanes = config.back.lanes = lanes;
	if (gen != q->config.link.gen)
		config.link.flit = config.back.flit = gen > 5;
	if (mps)
		config.link.mps = config.back.mps = mps;
	return traffic_gbit_s(&config, q->traffic, q->size);
}

bool
question_fits(const struct question *q, double number, double bound)
{
	return number <= (1 + q->rounding) * bound;
}

bool
question_is_possible(const struct question *q)
{
	return question_fits(q, q->number, q->most);
}

static double
split_bound(const struct question *q)
{
	struct link_config config = q->config;

	config.completer = COMPLETER_RCB;
	return traffic_gbit_s(&config, q->traffic, q->size);
}

/* Verdicts ----------------------------------------------------------------- */

const char *const verdict_names[NVERDICTS] = {
    [VERDICT_NORMAL] = "normal",   [VERDICT_BORDERLINE] = "borderline",
    [VERDICT_LOW] = "low",         [VERDICT_IMPOSSIBLE] = "impossible",
    [VERDICT_UNCLEAR] = "unclear", [VERDICT_UNKNOWN] = "no reference",
};

unsigned
most_mps(enum initiator initiator)
{
	static const unsigned most[NINITIATORS] = {
	    [INITIATOR_GPU_COPY] = 256,  [INITIATOR_GPU_CORE] = 256,
	    [INITIATOR_NVME] = 512,      [INITIATOR_NIC] = MPS_MOST,
	    [INITIATOR_FPGA] = MPS_MOST, [INITIATOR_CPU] = MPS_MOST,
	};

	return most[initiator];
}

void
question_set_bounds(struct question *q)
{
	const struct link *link = &q->config.link;

	q->bound = question_bound(q, link->gen, link->lanes, 0);
	q->most =
	    fmax(q->bound,
	         question_bound(q, link->gen, link->lanes,
	                        q->mps_known ? 0 : most_mps(q->initiator)));
}

/* Normal is from `normal` on, borderline from BORDERLINE times `base`. */
static enum verdict
compare(double number, double normal, double base)
{
	return number >= normal              ? VERDICT_NORMAL
	       : number >= BORDERLINE * base ? VERDICT_BORDERLINE
	                                     : VERDICT_LOW;
}

enum verdict
question_judge(const struct question *q, const struct usual *usual,
               double number)
{
	double p10 = usual->p10 * q->bound;
	enum verdict verdict =
	    usual->known ? compare(number, p10, p10) : VERDICT_UNKNOWN;
	enum verdict now = compare(number, UNCHANGED * q->before, q->before);

	if (!question_fits(q, number, q->most))
		return VERDICT_IMPOSSIBLE;
	if (q->before > 0 && (!usual->known || now > verdict))
		verdict = now;
	return verdict;
}

/* Densities of ln(number) -------------------------------------------------- */

/* A question and what its densities share. */
struct search {
	const struct causes *c;
	const struct question *q;
	bool over;             /* the link cannot carry the number */
	double x;              /* ln(number / what it should be) */
	double y;              /* ln(number / the bound) */
	struct belief *belief; /* that of the cause */
};

/* Whether a bound allows a number that people may have rounded. */
static bool
fits_rounded(const struct question *q, double number, double bound)
{
	return number <= (1 + fmax(q->rounding, q->digits)) * bound;
}

/* Of a number whose bound is this, from a device that is healthy. */
static double
healthy(const struct search *s, double number, double bound)
{
	const struct question *q = s->q;
	double x = log(number / bound), sum = 0, all = 0;
	double sd =
	    hypot(q->initiator == INITIATOR_NIC ? HEALTHY_NIC_SD : HEALTHY_SD,
	          q->digits / 2);

	if (!fits_rounded(q, number, bound))
		return 0;
	for (size_t i = 0; i < s->c->nhealthy; i++) {
		const struct healthy *h = &s->c->healthy[i];
		double like =
		    h->initiator != q->initiator ? 0.02
		    : h->traffic == q->traffic   ? 1
		    : traffic_is_peer(h->traffic) == traffic_is_peer(q->traffic)
		        ? 0.3
		        : 0.02;

		sum += like * h->weight * kernel(x, fmin(h->x, 0.01), sd);
		all += like * h->weight;
	}
	return all > 0 ? sum / all : 0;
}

/* Of far too small numbers, which tell nothing: the same for many causes. */
static double
tail(const struct search *s)
{
	return kernel(s->x, log(0.01), 3);
}

/* Small numbers are of software and latencies: their ratio tells less. */
static double
case_sd(double x)
{
	return CASE_SD + FAR_SD * fmax(0, log(FAR_RATIO) - x);
}

/* Of cases that are near, in number and in what they are. */
static double
generic(const struct search *s)
{
	const struct question *q = s->q;
	double broad = 0.55 * kernel(s->x, log(0.45), 0.5) +
	               0.3 * kernel(s->x, log(0.25), 0.8) +
	               0.15 * kernel(s->x, log(0.05), 1.3);
	double sum = BROAD_CASES * broad + TAIL_CASES * tail(s);
	double all = BROAD_CASES + TAIL_CASES;

	for (size_t i = 0; i < s->c->nknown; i++) {
		const struct cause_case *k = &s->c->known[i];
		double weight = k->weight;

		if (k->cause != s->belief->cause->index)
			continue;
		if (traffic_is_peer(k->traffic) != traffic_is_peer(q->traffic))
			weight *= 0.25;
		if (k->initiator != q->initiator)
			weight *= 0.5;
		if (k->traffic != q->traffic)
			weight *= 0.7;
		sum += weight * kernel(s->x, k->x, case_sd(k->x));
		all += weight;
	}
	return sum / all;
}

/* Of a raw rate that somebody tells in place of a measurement. */
static double
nominal(const struct question *q, double raw)
{
	return fits_rounded(q, q->number, raw)
	           ? kernel(log(q->number / raw), 0,
	                    hypot(NOMINAL_SD, q->digits / 2))
	           : 0;
}

/* How usual a link is that has lost generations, and a part of its lanes. */
static double
link_weight(unsigned lost, unsigned part)
{
	/* Slots of one lane are mostly of an older generation. */
	static const struct {
		unsigned lost, part;
		double weight;
	} usual[] = {{0, 2, 0.28}, {0, 4, 0.12}, {0, 8, 0.02},  {0, 16, 0.01},
	             {1, 1, 0.22}, {2, 1, 0.04}, {3, 1, 0.03},  {4, 1, 0.02},
	             {1, 2, 0.05}, {1, 4, 0.04}, {1, 16, 0.01}, {2, 2, 0.03},
	             {2, 4, 0.07}, {2, 16, 0.01}};

	for (size_t i = 0; i < ARRAY_LEN(usual); i++) {
		if (usual[i].lost == lost && usual[i].part == part)
			return usual[i].weight;
	}
	return 0.003;
}

/*
 * Of a number that was larger before, on a slower link with this bound. A
 * device that always loses the same part of the link is slowed by the ratio of
 * the bounds; one that waits for each request loses only the time on the link.
 */
static double
slowed(const struct search *s, double bound)
{
	const struct question *q = s->q;
	double all = log(bound / q->bound);
	double least = -log(1 + q->before / bound - q->before / q->bound);

	return question_fits(q, q->number, bound)
	           ? kernel(s->x, (all + least) / 2,
	                    hypot(0.07, (all - least) / 2))
	           : 0;
}

static double
access_mean(uint64_t bytes, double ns)
{
	return log(8.0 * (double)bytes / ns);
}

/* Of a CPU's accesses, one after the other, of a size that may be stated. */
static double
accesses(const struct question *q, unsigned sizes, double ns, double sd)
{
	double x = log(q->number), sum = 0;

	if (q->size < CACHE_LINE)
		return kernel(x, access_mean(q->size, ns), sd);
	for (unsigned i = 0; i < sizes; i++)
		sum += kernel(x, access_mean(1u << i, ns), sd);
	return sum / sizes;
}

/* How probable it is that a link with this bound slows a CPU's loads. */
static double
loads_above(double bound)
{
	double sum = 0;

	for (unsigned i = 0; i < LOAD_SIZES; i++)
		sum += erfc((log(bound) - access_mean(1u << i, LOAD_NS)) /
		            (LOAD_SD * sqrt(2))) /
		       2;
	return sum / LOAD_SIZES;
}

/* A peak for each lower rate and width; above the bound, higher rates. */
static double
lower_link(const struct search *s)
{
	const struct question *q = s->q;
	const struct link *said = &q->config.link;
	double sum = 0, all = 0, best = 0;

	for (unsigned i = 0; i < 5 * LAST_GEN; i++) {
		unsigned lost = i / 5, part = 1u << i % 5;
		unsigned gen = s->over ? said->gen + lost : said->gen - lost;
		unsigned lanes = said->lanes / part;
		double weight = s->over ? 0.1 : link_weight(lost, part), d, b;
		struct link link = {
		    .bus = BUS_PCIE, .gen = gen, .lanes = lanes};
		double raw;

		if ((!lost && part == 1) || said->lanes % part || !lanes ||
		    (s->over ? lost > 2 || part > 1 || gen > LAST_GEN
		             : lost >= said->gen))
			continue;
		b = question_bound(q, gen, lanes, 0);
		raw = link_raw_gbit_s(&link);
		d = (1 - NOMINAL) * healthy(s, q->number, b) +
		    NOMINAL * nominal(q, raw);
		if (q->initiator == INITIATOR_CPU && !s->over &&
		    (q->traffic == TRAFFIC_READ ||
		     q->traffic == TRAFFIC_PEER_READ))
			d *= loads_above(b);
		if (q->before > 0 && !s->over) {
			d = b < q->before ? d : 0;
			d = (d + slowed(s, b)) / 2;
		}
		sum += weight * d;
		all += weight;
		if (weight * d > best) {
			best = weight * d;
			s->belief->gen = gen;
			s->belief->lanes = lanes;
			s->belief->bound = q->number > b ? raw : b;
		}
	}
	return s->over ? sum : all > 0 ? sum / all : 0;
}

static double
idle(const struct search *s)
{
	double bound = question_bound(s->q, 1, s->q->config.link.lanes, 0);

	s->belief->bound = bound;
	return question_fits(s->q, s->q->number, bound)
	           ? 0.6 * healthy(s, s->q->number, bound) +
	                 0.4 * kernel(s->y, log(0.03), 0.9)
	           : 0;
}

static double
mps(const struct search *s)
{
	const struct link *link = &s->q->config.link;
	double bound = question_bound(s->q, link->gen, link->lanes, 128);

	s->belief->bound = bound;
	return s->q->mps_known || s->x < log(0.75)
	           ? 0
	           : healthy(s, s->q->number, bound);
}

/* Packets of NVIDIA's cores, and what doc/hopper.md reaches with them. */
static double
cores(const struct search *s)
{
	static const double reached[NTRAFFICS] = {[TRAFFIC_READ] = 0.945,
	                                          [TRAFFIC_WRITE] = 0.99,
	                                          [TRAFFIC_BOTH] = 0.92};
	const struct question *q = s->q;
	double bound = question_bound(q, q->config.link.gen,
	                              q->config.link.lanes, CORE_PACKET);

	s->belief->bound = bound;
	return (*q->vendor && strcasecmp(q->vendor, "NVIDIA") != 0) ||
	               !question_fits(q, q->number, bound)
	           ? 0
	           : kernel(log(q->number / bound), log(reached[q->traffic]),
	                    CORE_SD);
}

static double
completions(const struct search *s)
{
	double least = split_bound(s->q), most = 0.9 * s->q->bound;

	s->belief->bound = fmax(least, most);
	return s->q->config.completer == COMPLETER_RCB
	           ? 0
	           : 0.5 * healthy(s, s->q->number, least) +
	                 0.5 * healthy(s, s->q->number, most);
}

static double
peer_cut(const struct search *s)
{
	struct link_config config = s->q->config;

	config.link.mps = config.back.mps = 128;
	s->belief->bound = traffic_gbit_s(&config, s->q->traffic, 64);
	return healthy(s, s->q->number, s->belief->bound);
}

/* Of a full Ethernet, with small and with large frames. */
static double
full(double number, double rate)
{
	return 0.5 * kernel(log(number), log(0.945 * rate), 0.04) +
	       0.5 * kernel(log(number), log(0.99 * rate), 0.04);
}

static double
ethernet(const struct search *s)
{
	static const double rates[] = {1,  2.5, 5,   10,  25,
	                               40, 50,  100, 200, 400};
	const size_t nrates = ARRAY_LEN(rates);
	double sum = 0;

	if (s->q->ethernet > 0)
		return full(s->q->number, s->q->ethernet);
	for (size_t i = 0; i < nrates; i++)
		sum += full(s->q->number, rates[i]);
	return sum / (double)nrates;
}

static double
cache(const struct search *s)
{
	return s->q->before > 0
	           ? 0.5 * kernel(s->x, log(0.88), 0.1) + 0.5 * generic(s)
	           : 0;
}

static double
inflight(const struct search *s)
{
	const struct question *q = s->q;

	if (q->inflight > 0) {
		s->belief->bound = q->inflight;
		return question_fits(q, q->number, q->inflight)
		           ? STATED * kernel(log(q->number / q->inflight),
		                             -0.03, 0.05)
		           : 0;
	}
	return q->initiator == INITIATOR_CPU
	           ? accesses(q, LOAD_SIZES, LOAD_NS, LOAD_SD)
	           : generic(s);
}

/* Of small transfers; of a CPU uncached stores, or parts of combined lines. */
static double
size(const struct search *s)
{
	double combined = generic(s);

	if (s->q->initiator != INITIATOR_CPU)
		return combined;
	return 0.3 * accesses(s->q, UNCACHED_SIZES, STORE_NS, UNCACHED_SD) +
	       0.7 * combined;
}

static double
hostbuf(const struct search *s)
{
	return s->q->initiator == INITIATOR_CPU
	           ? accesses(s->q, UNCACHED_SIZES, MEMORY_NS, UNCACHED_SD)
	           : generic(s);
}

/* Of a sum the number is the half already. */
static double
directions(const struct search *s)
{
	double half = s->q->sum ? s->q->number : s->q->number / 2;

	s->belief->bound = (s->q->sum ? 1 : 2) * s->q->most;
	if (!traffic_is_both(s->q->traffic))
		return 0.12 * healthy(s, half, s->q->bound);
	return 0.8 * healthy(s, half, s->q->bound) +
	       (s->q->sum
	            ? 0
	            : 0.2 * kernel(log(half / s->q->bound), log(0.5), 0.3));
}

/*
 * Of Thunderbolt and USB4; of drives, also of USB at 10, 5, 20, 0.5 Gbit/s.
 * They carry 4 lanes: only cards of GPUs have many more and are yet put there.
 */
static double
tunnel(const struct search *s)
{
	double x = log(s->q->number / 8);
	double tunnel = kernel(x, log(2.7), 0.35);
	bool wide = s->q->config.link.lanes > 8 &&
	            s->q->initiator != INITIATOR_GPU_COPY &&
	            s->q->initiator != INITIATOR_GPU_CORE;

	return 0.05 * generic(s) +
	       (wide ? 0.05 * tunnel
	        : s->q->initiator != INITIATOR_NVME
	            ? 0.95 * tunnel
	            : 0.62 * tunnel + 0.15 * kernel(x, log(1), 0.08) +
	                  0.1 * kernel(x, log(0.43), 0.1) +
	                  0.05 * kernel(x, log(2), 0.08) +
	                  0.03 * kernel(x, log(0.04), 0.2));
}

static double
other(const struct search *s)
{
	return s->over
	           ? kernel(s->y, log(3), 1.5)
	           : 0.4 * kernel(s->x, log(0.55), 0.4) +
	                 0.3 * kernel(s->x, log(0.25), 0.7) +
	                 0.27 * kernel(s->x, log(0.05), 1.5) + 0.03 * tail(s);
}

/* Peaks of ln(number / bound), each of this share. */
static const struct {
	const char *name;
	double share, at, sd;
} peaks[] = {
    {"devices", 0.2, 1.86, 0.12}, {"devices", 0.2, 2.79, 0.12},
    {"devices", 0.2, 3.72, 0.12}, {"devices", 0.2, 5.58, 0.12},
    {"devices", 0.2, 7.44, 0.12}, {"unit", 0.5, 7.2, 0.08},
    {"unit", 0.5, 1.03, 0.03},    {"notpcie", 1, 6, 0.7},
    {"cached", 1, 6, 1.5},        {"clock", 1, 10, 2},
};

static double
density(const struct search *s, const char *name)
{
	static const struct {
		const char *name;
		double (*density)(const struct search *s);
	} computed[] = {
	    {"link", lower_link},
	    {"idle", idle},
	    {"mps", mps},
	    {"cores", cores},
	    {"completions", completions},
	    {"peer_cut", peer_cut},
	    {"ethernet", ethernet},
	    {"cache", cache},
	    {"inflight", inflight},
	    {"size", size},
	    {"hostbuf", hostbuf},
	    {"directions", directions},
	    {"tunnel", tunnel},
	    {"other", other},
	};
	bool found = false;
	double sum = 0;

	for (size_t i = 0; i < ARRAY_LEN(computed); i++) {
		if (!strcmp(name, computed[i].name))
			return computed[i].density(s);
	}
	for (size_t i = 0; i < ARRAY_LEN(peaks); i++) {
		bool same = !strcmp(name, peaks[i].name);

		found |= same;
		if (same)
			sum += peaks[i].share *
			       kernel(s->y, log(peaks[i].at), peaks[i].sd);
	}
	return found ? sum : generic(s);
}

/* Before the number -------------------------------------------------------- */

/* The row of a cause that applies, to the end only if `traffic` is too wide. */
static const struct cause *
find_row(const struct causes *c, size_t index, const struct question *q,
         bool any_way)
{
	unsigned ways = !any_way                      ? 1u << q->traffic
	                : traffic_is_peer(q->traffic) ? 070
	                                              : 007;

	for (size_t i = 0; i < c->nrows; i++) {
		const struct cause *row = &c->row[i];

		if (row->index == index &&
		    (!row->initiators ||
		     row->initiators & 1u << q->initiator) &&
		    (!row->traffics || row->traffics & ways))
			return row;
	}
	return NULL;
}

/* Counts of the causes that apply, of some initiators and ends. */
static double
count_cases(const struct causes *c, const struct question *q,
            const bool applies[], bool by_initiator, bool by_end, double n[])
{
	double sum = 0;

	memset(n, 0, c->n * sizeof *n);
	for (size_t i = 0; i < c->ncounts; i++) {
		const struct cause_count *k = &c->count[i];

		if (!applies[k->cause] ||
		    (by_initiator && k->initiator != q->initiator) ||
		    (by_end && k->peer != traffic_is_peer(q->traffic)))
			continue;
		n[k->cause] += k->n;
		sum += k->n;
	}
	return sum;
}

/* Shrunk counts: all causes, of the end, of the initiator, of both. */
static void
prior_under(const struct causes *c, const struct question *q,
            const bool applies[], double p[], double n[])
{
	double all = count_cases(c, q, applies, false, false, p), sum = 0;
	double causes = 0;

	for (size_t i = 0; i < c->n; i++)
		causes += applies[i];
	for (size_t i = 0; i < c->n; i++)
		p[i] = (p[i] + 0.8) / (all + 0.8 * causes) * applies[i];
	for (size_t k = 0; k < ARRAY_LEN(worth); k++) {
		all = count_cases(c, q, applies, k > 0, k != 1, n);
		for (size_t i = 0; i < c->n; i++)
			p[i] = (n[i] + worth[k] * p[i]) / (all + worth[k]);
	}
	for (size_t i = 0; i < c->n; i++)
		sum += p[i] = applies[i] ? fmax(p[i], LEAST_PRIOR) : 0;
	for (size_t i = 0; i < c->n; i++)
		p[i] *= (1 - c->other) / sum;
}

static void
prior_over(const struct causes *c, const struct question *q,
           const bool applies[], double p[])
{
	memset(p, 0, c->n * sizeof *p);
	for (size_t i = 0; i < c->nknown; i++) {
		const struct cause_case *k = &c->known[i];

		if (k->over)
			p[k->cause] +=
			    k->part * (k->initiator == q->initiator ? 2 : 1);
	}
	for (size_t i = 0; i < c->n; i++)
		p[i] = applies[i] ? p[i] + 0.5 : 0;
}

/* Evidence ----------------------------------------------------------------- */

/*
 * Public posts show that observations tell more than their weights say: the
 * loss falls up to a power of 1.4, but then sure answers are false, too.
 */
#define EVIDENCE_POWER 1.1

/* What was the same with the number before explains no difference. */
static double
likelihood(const struct seen *s, const struct question *q, size_t cause)
{
	const struct observation *o = s->observation;

	if (!s->before || q->before <= 0)
		return pow(o->likelihood[cause], EVIDENCE_POWER);
	return o->says[cause] > WEAK ? 0.03 : 1;
}

/* Sets the strongest of what was seen of the cause. */
static void
set_strongest(struct belief *belief, const struct seen seen[], size_t n)
{
	static const int strength[NSAYS] = {[EXCLUDES] = 4,
	                                    [AGAINST] = 1,
	                                    [WEAK] = 1,
	                                    [FOR] = 2,
	                                    [CONFIRMS] = 3};

	for (size_t i = 0; i < n; i++) {
		enum says says =
		    seen[i].observation->says[belief->cause->index];

		if (strength[says] > strength[belief->says] &&
		    !seen[i].before) {
			belief->says = says;
			belief->by = &seen[i];
		}
	}
}

/* All ---------------------------------------------------------------------- */

static int
by_probability(const void *a, const void *b)
{
	const struct belief *x = a, *y = b;

	if (x->probability != y->probability)
		return x->probability > y->probability ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Fills the item with the cause; false: it cannot be the cause. */
static bool
believe(struct search *s, const struct cause *row, double prior)
{
	static const char *const seldom[] = {
	    "mps", "completions", "size", "ethernet", "packets", "peer_cut"};
	const struct causes *c = s->c;
	const char *name = c->name[row->index];
	double before = c->before[row->index];

	*s->belief = (struct belief){.cause = row,
	                             .name = name,
	                             .bound = s->over ? NAN : s->q->most,
	                             .sources = c->sources[row->index]};
	if (s->over ? !row->over : !row->under)
		return false;
	if (s->q->before > 0 &&
	    find_word(name, seldom, ARRAY_LEN(seldom)) < ARRAY_LEN(seldom))
		prior *= SELDOM;
	prior *= s->q->before > 0 ? before : 1 - before;
	s->belief->probability = prior * density(s, name);
	return s->belief->probability > 0;
}

size_t
causes_believe(const struct causes *c, const struct question *q,
               const struct seen seen[], size_t nseen, struct belief belief[])
{
	bool *applies = xcalloc(c->n, sizeof *applies);
	double *prior = xcalloc(2 * c->n, sizeof *prior), sum = 0;
	double should =
	    q->before > 0
	        ? q->before
	        : q->bound *
	              exp(c->median[q->initiator][traffic_is_peer(q->traffic)]);
	struct search s = {
	    .c = c,
	    .q = q,
	    .over = !question_is_possible(q),
	    .x = log(fmax(fmin(q->number / should, 3), LEAST_RATIO)),
	    .y = log(fmax(q->number / q->bound, LEAST_RATIO)),
	};
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct cause *row = find_row(c, i, q, true);

		applies[i] = row && strcmp(c->name[i], "other") != 0 &&
		             (!s.over || row->over);
	}
	if (s.over)
		prior_over(c, q, applies, prior);
	else
		prior_under(c, q, applies, prior, prior + c->n);
	for (size_t i = 0; i < c->n; i++) {
		const struct cause *row = find_row(c, i, q, q->either);

		if (!row)
			continue;
		if (!strcmp(c->name[i], "other"))
			prior[i] = s.over ? 2 : c->other;
		s.belief = &belief[n];
		if (!believe(&s, row, prior[i]))
			continue;
		for (size_t j = 0; j < nseen; j++)
			belief[n].probability *= likelihood(&seen[j], q, i);
		set_strongest(&belief[n], seen, nseen);
		sum += belief[n++].probability;
	}
	for (size_t i = 0; i < n; i++)
		belief[i].probability /= sum;
	if (n)
		qsort(belief, n, sizeof *belief, by_probability);
	while (n > 1 && belief[n - 1].probability < NEGLIGIBLE)
		n--;
	free(applies);
	free(prior);
	return n;
}

/* The entropy, in bits, that is left when the values of `o` are known. */
static double
left(const struct observation o[], size_t values, const struct belief belief[],
     size_t n)
{
	double bits = 0;

	for (size_t v = 0; v < values; v++) {
		double all = 0;

		for (size_t i = 0; i < n; i++)
			all += belief[i].probability *
			       o[v].likelihood[belief[i].cause->index];
		for (size_t i = 0; i < n; i++) {
			double p = belief[i].probability *
			           o[v].likelihood[belief[i].cause->index];

			bits -= p > 0 ? p * log2(p / all) : 0;
		}
	}
	return bits;
}

const struct observation *
causes_ask(const struct causes *c, const struct question *q,
           const struct seen seen[], size_t nseen, const struct belief belief[],
           size_t n, const struct observation *asked)
{
	const struct observation *best = NULL;
	double most = 1e-3, now = 0;

	for (size_t i = 0; i < n; i++)
		now -= belief[i].probability > 0
		           ? belief[i].probability * log2(belief[i].probability)
		           : 0;
	for (size_t i = 0, values; i < c->nobservations; i += values) {
		const struct observation *o = &c->observation[i];
		bool known = asked && !strcmp(asked->name, o->name);
		double gain;

		values = observation_values(c, o);
		for (size_t j = 0; j < nseen; j++)
			known |= !strcmp(seen[j].observation->name, o->name);
		if (known || !observation_applies(o, q))
			continue;
		gain = (now - left(o, values, belief, n)) / sqrt(o->cost);
		if (gain > most) {
			most = gain;
			best = o;
		}
	}
	return best;
}

char *
belief_separate(const struct belief *b, const char *address)
{
	const char *separate = b->cause->separate;
	const char *at = address ? strstr(separate, "DEVICE") : NULL;

	return at ? xasprintf("%.*s%s%s", (int)(at - separate), separate,
	                      address, at + strlen("DEVICE"))
	          : xstrdup(separate);
}

char *
next_word(const char **text)
{
	const char *begin = *text + strspn(*text, " ");
	size_t length = strcspn(begin, " ");

	*text = begin + length;
	return length ? xasprintf("%.*s", (int)length, begin) : NULL;
}

size_t
observation_values(const struct causes *c, const struct observation *o)
{
	const struct observation *end = c->observation + c->nobservations;
	size_t n = 1;

	while (o + n < end && !strcmp(o->name, o[n].name))
		n++;
	return n;
}

bool
observation_applies(const struct observation *o, const struct question *q)
{
	const char *device = initiator_names[q->initiator];
	const char *way = traffic_names[q->traffic];
	bool peer = traffic_is_peer(q->traffic);
	const char *const words[] = {
	    device,
	    !strncmp(device, "gpu", 3) ? "gpu" : device,
	    peer ? "peer" : "host",
	    peer ? way + strlen("peer_") : way,
	    question_is_possible(q) ? "under" : "over",
	    q->before > 0 ? "before" : "nobefore",
	};
	const char *asked = o->asked;
	bool any = !*asked;

	for (char *w; !any && (w = next_word(&asked)); free(w))
		any = find_word(w, words, ARRAY_LEN(words)) < ARRAY_LEN(words);
	return any;
}
