/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model why: finds the causes that explain a number, and writes them. */
#include "model/options.h"

#include "common/base/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tolerance of a cause's number, as a part of it. */
#define USUAL_TOLERANCE 0.06

/* How a cause fits the number. */
enum verdict {
	VERDICT_FITS, /* within the tolerance */
	VERDICT_OPEN, /* cannot be excluded */
	VERDICT_OFF,  /* gives another number */
};

/* One cause, or two combined. */
struct cause {
	const char *name;
	char *what;
	double gbit_s;    /* NaN: any number, or none */
	unsigned changes; /* from the given link */
	bool unlikely;    /* nothing given supports it */
	size_t order;     /* of discovery */
	double doubt;     /* how unlikely it is if it matches */
	double tolerance; /* its least tolerance, as a part; 0: the given one */
	enum verdict verdict;
	const char *separate; /* the measurement that confirms it */
};

/* The default size of transfers. */
#define LARGE 4096

/*
 * Published by pcie-bench for a Xeon E5-2630 v4: additional time of a read that
 * misses the IOTLB, and concurrent walks; additional time of another node's
 * memory; additional time of memory instead of the cache.
 */
#define IOMMU_MISS_PS  280000
#define IOMMU_WALKS    5
#define REMOTE_NODE_PS 93000
#define CACHE_MISS_PS  70000

/* Deviation of other machines from that one. */
#define MACHINES 0.2

/* A link at this part of its bound is full. */
#define FULL 0.9

/* Outstanding reads of an unknown device. */
#define USUAL_INFLIGHT 32

/* Range of a read's round trip in real machines. */
#define RTT_MIN_PS 300000
#define RTT_MAX_PS 3000000

static const char *const verdict_names[] = {
    [VERDICT_FITS] = "fits",
    [VERDICT_OPEN] = "not ruled out",
    [VERDICT_OFF] = "off",
};

static const char by_registers[] = "pcb-doctor BDF: LnkSta, DevCtl";
static const char by_sizes[] =
    "pcb-collect bw_rd -s 64:4K: split completions give the same at every size "
    "from 64, whole ones more for larger sizes";
static const char by_rtt[] =
    "pcb-collect lat_rd -s 512 | pcb-stats, then --rtt with its median; more "
    "or larger outstanding reads raise the bandwidth";
static const char by_iommu[] =
    "pcb-collect bw_rd -w 64K:16M: falls where the window exceeds the IOTLB; "
    "or boot with iommu=pt";
static const char by_node[] = "pcb-collect bw_rd --node local,remote";
static const char by_cache[] = "pcb-collect bw_rd --cache cold,host-warm";
static const char by_ethernet[] =
    "the NIC's counters of dropped frames, or traffic that does not leave it";
static const char by_size[] = "the same with larger transfers";
static const char by_steps[] =
    "pcb-model nic -M NAME --frame LIST: the shape over frame sizes";

/* State of the search. */
struct search {
	struct cause *cause; /* those found so far */
	size_t n;
	const struct options *options;
	const struct work *work;
	struct link_config config;
	uint64_t size;
	double gbit_s;
	double before; /* the same without the cause; 0: unknown */
};

static struct cause *
add(struct search *s, const char *name, unsigned changes, double gbit_s,
    const char *separate)
{
	struct cause new = {.name = name,
	                    .changes = changes,
	                    .gbit_s = gbit_s,
	                    .verdict = VERDICT_OFF,
	                    .order = s->n,
	                    .separate = separate};

	array_push(s->cause, s->n, new);
	return &s->cause[s->n - 1];
}

static double
number_of(const struct search *s, const struct link_config *config,
          uint64_t size)
{
	const struct transfer t = {.size = size};
	double gbit_s = expect(config, s->work, &t).gbit_s;

	return s->before > 0 && s->before < gbit_s ? s->before : gbit_s;
}

/* Whether a cause would leave the earlier number unchanged. */
static bool
is_hidden(const struct search *s, double gbit_s)
{
	return s->before > 0 && gbit_s > s->before * 0.99;
}

/* Adds the link, as given or with a change. */
static void
add_link(struct search *s, const struct link_config *config)
{
	const struct link *link = &config->link, *said = &s->config.link;
	bool narrow = link->lanes != said->lanes;
	bool slow = link->gen != said->gen;
	bool payload = link->mps != said->mps;
	bool cut = config->completer != s->config.completer;
	unsigned changes = 0u + narrow + slow + payload + cut;
	const char *name = narrow    ? "link_width"
	                   : slow    ? "link_speed"
	                   : payload ? "mps"
	                   : cut     ? "completions"
	                             : "link";
	double gbit_s = number_of(s, config, s->size);
	struct cause *c;

	if (changes > 2 || (changes && is_hidden(s, gbit_s)))
		return;
	c = add(s, name, changes, gbit_s,
	        narrow || slow || payload ? by_registers : by_sizes);
	xappend(&c->what, ", ", "gen%ux%u", link->gen, link->lanes);
	if (s->work->reads)
		xappend(&c->what, ", ", "completions %s",
		        config->completer == COMPLETER_RCB ? "split at 64 bytes"
		                                           : "as large as MPS");
	if (config->completer != COMPLETER_RCB || s->work->writes)
		xappend(&c->what, ", ", "MPS %u", link->mps);
}

/* Adds the link at this rate, with every payload and completion splitting. */
static void
add_rate(struct search *s, unsigned gen, unsigned lanes)
{
	static const unsigned payloads[] = {128, 256, 512};
	const struct link_options *given = &s->options->link;
	struct link_config config = s->config;

	config.link.gen = gen;
	config.link.lanes = lanes;
	config.back.gen = gen;
	config.back.lanes = lanes;
	add_link(s, &config);
	for (size_t i = 0; i < ARRAY_LEN(payloads); i++) {
		struct link_config other = config;

		other.link.mps = other.back.mps = payloads[i];
		if (!given->given[MPS] && !given->path.n &&
		    payloads[i] != s->config.link.mps)
			add_link(s, &other);
	}
	if (s->work->reads &&
	    !options_given(&s->options->parser, "completer")) {
		config.completer = COMPLETER_RCB;
		add_link(s, &config);
	}
}

static void
add_rates(struct search *s)
{
	unsigned gen = s->config.link.gen, lanes = s->config.link.lanes;

	add_rate(s, gen, lanes);
	for (unsigned less = lanes / 2; less; less /= 2) {
		if (less != 6 && less != 3)
			add_rate(s, gen, less);
	}
	for (unsigned less = gen - 1; less; less--)
		add_rate(s, less, lanes);
}

/* Adds smaller transfers than assumed, such as stores of a CPU. */
static void
add_sizes(struct search *s)
{
	static const uint64_t sizes[] = {4, 8, 16, 32, 64, 128};

	if (options_given(&s->options->parser, "size"))
		return;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct cause *c = add(
		    s, "size", 1, number_of(s, &s->config, sizes[i]), by_size);

		c->unlikely = s->work->reads;
		xappend(&c->what, "", "%s of %ju bytes%s",
		        s->work->reads ? "reads" : "writes",
		        (uintmax_t)sizes[i],
		        s->work->reads ? "" : ", such as a CPU's stores");
	}
}

/* The bandwidth of n outstanding reads with this round trip. */
static double
with_bounds(const struct search *s, uint64_t n, uint64_t rtt_ps)
{
	struct link_config config = s->config;

	config.bounds.inflight = n;
	config.bounds.rtt_ps = rtt_ps;
	return number_of(s, &config, s->size);
}

static void
add_inflight(struct search *s, uint64_t n, uint64_t rtt_ps, unsigned changes)
{
	double gbit_s = with_bounds(s, n, rtt_ps);
	struct cause *c;

	if (gbit_s >= with_bounds(s, 0, 0))
		return;
	c = add(s, "inflight", changes, gbit_s, by_rtt);
	xappend(&c->what, "",
	        "%ju outstanding read request%s, each for %.0f ns",
	        (uintmax_t)n, n == 1 ? "" : "s", (double)rtt_ps / 1e3);
}

/* The round trip with which n outstanding reads reach the number. */
static uint64_t
rtt_for(const struct search *s, uint64_t n)
{
	double at_1us = with_bounds(s, n, 1000000);
	double link = with_bounds(s, 0, 0);

	/* The link is the bound even at 1 us: tries 10 us. */
	if (at_1us >= link)
		at_1us = 10 * with_bounds(s, n, 10000000);
	return (uint64_t)llround(1e6 * at_1us / s->gbit_s);
}

/* The known outstanding reads and round trip; or 0. */
static struct bounds
known_bounds(const struct search *s)
{
	const struct transfer t = {.size = s->size};
	struct bounds b = s->options->link.bounds;
	uint64_t request =
	    s->size < s->config.link.mrrs ? s->size : s->config.link.mrrs;

	if (s->before <= 0)
		return b;
	if (!b.inflight)
		b.inflight = USUAL_INFLIGHT;
	/* If the link was full, the time of a read is not visible. */
	if (!b.rtt_ps &&
	    s->before < FULL * expect(&s->config, s->work, &t).gbit_s)
		b.rtt_ps = (uint64_t)llround(8e3 * (double)b.inflight *
		                             (double)request / s->before);
	return b;
}

/* Adds numbers of outstanding reads in real designs, or the given one. */
static void
add_inflights(struct search *s)
{
	static const uint64_t counts[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
	const struct bounds b = known_bounds(s);
	bool is_usual = false;

	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		uint64_t n = counts[i], rtt;

		is_usual |= n == b.inflight;
		if (b.rtt_ps) {
			if (s->before <= 0 || n < b.inflight)
				add_inflight(s, n, b.rtt_ps, n != b.inflight);
			continue;
		}
		/* The round trip would differ from the earlier one. */
		if (s->before > 0)
			continue;
		rtt = rtt_for(s, n);
		if ((b.inflight && n != b.inflight) || rtt < RTT_MIN_PS ||
		    rtt > RTT_MAX_PS || s->gbit_s >= with_bounds(s, 0, 0))
			continue;
		add_inflight(s, n, rtt, 1);
		s->cause[s->n - 1].verdict = VERDICT_OPEN;
	}
	if (b.inflight && b.rtt_ps && !is_usual && s->before <= 0)
		add_inflight(s, b.inflight, b.rtt_ps, 0);
}

/* Adds a cause with a number of another machine; NaN: none. */
static void
add_machine(struct search *s, const char *name, double gbit_s, char *what,
            const char *separate)
{
	struct cause *c = add(s, name, 1, gbit_s, separate);

	c->what = what;
	c->tolerance = MACHINES;
	if (isnan(gbit_s))
		c->verdict = VERDICT_OPEN;
}

/* Adds a longer read, if the usual time is known. */
static void
add_delay(struct search *s, const char *name, const char *what,
          uint64_t longer_ps, const char *separate)
{
	const struct bounds b = known_bounds(s);
	bool known = b.inflight && b.rtt_ps;
	double gbit_s =
	    known ? with_bounds(s, b.inflight, b.rtt_ps + longer_ps) : NAN;

	/* The link hides the delay. */
	if (known && gbit_s >= 0.99 * with_bounds(s, b.inflight, b.rtt_ps))
		return;
	add_machine(s, name, gbit_s,
	            xasprintf("%s: %g ns more for each read%s", what,
	                      (double)longer_ps / 1e3,
	                      known ? ""
	                            : " (--before, or --inflight and --rtt, "
	                              "give its number)"),
	            separate);
}

/* Adds the case that all transfers miss the IOTLB and queue for walks. */
static void
add_iommu(struct search *s)
{
	const struct bounds b = known_bounds(s);
	double walks = 8e3 * IOMMU_WALKS * (double)s->size / IOMMU_MISS_PS;
	double gbit_s = NAN, late;

	if (b.inflight && (b.rtt_ps || !s->work->reads)) {
		late = s->work->reads ? with_bounds(s, b.inflight,
		                                    b.rtt_ps + IOMMU_MISS_PS)
		                      : number_of(s, &s->config, s->size);
		gbit_s = walks < late ? walks : late;
		if (is_hidden(s, gbit_s))
			return;
	}
	add_machine(
	    s, "iommu", gbit_s,
	    xasprintf(
	        "each transfer misses the IOTLB: %g ns more, %d at a time%s",
	        IOMMU_MISS_PS / 1e3, IOMMU_WALKS,
	        isnan(gbit_s) ? " (--before, or --inflight and "
	                        "--rtt, give its number)"
	                      : ""),
	    by_iommu);
}

static void
add_ethernets(struct search *s)
{
	static const uint64_t rates[] = {10, 25, 40, 50, 100, 200, 400};
	const struct options *o = s->options;
	uint64_t frame = o->nic.frame.n ? o->nic.frame.value[0] : 1518;

	for (size_t i = 0; i < ARRAY_LEN(rates); i++) {
		const struct ethernet e = {.bit_s =
		                               rates[i] * UINT64_C(1000000000),
		                           .ifg = ETHERNET_IFG};
		struct cause *c;

		if (o->nic.rate && o->nic.rate != e.bit_s)
			continue;
		c = add(s, "ethernet", 1, ethernet_data_gbit_s(&e, frame),
		        by_ethernet);
		c->unlikely = !o->nic.rate && !o->nic.n;
		xappend(&c->what, "",
		        "%gG Ethernet full of frames of %ju bytes",
		        (double)rates[i], (uintmax_t)frame);
	}
}

/* Adds a device and driver whose packets need more than their data. */
static void
add_packets(struct search *s, const char *name)
{
	const struct options *o = s->options;
	uint64_t frame = o->nic.frame.n ? o->nic.frame.value[0] : 1518;
	struct packet_profile i = {0};
	struct cause *c;

	packet_profile_read(&i, name);
	if (i.payload != PAYLOAD_FRAME)
		die_usage("-M '%s': it moves no frames", name);
	c = add(s, "packets", 0,
	        expect_packets(&i, &s->config, packet_profile_direction(&i),
	                       frame - ETHERNET_CRC)
	            .gbit_s,
	        by_steps);
	xappend(&c->what, "",
	        "frames of %ju bytes of a NIC as in %s, with its descriptors",
	        (uintmax_t)frame, i.name);
	packet_profile_free(&i);
}

/*
 * Adds the causes on the link of the options, without verdicts: the link as
 * given, its width, rate, payload, completions, sizes, outstanding requests,
 * IOMMU, node, Ethernet. Solves open causes for the number.
 */
static void
causes_find(struct search *s)
{
	const struct options *o = s->options;

	/* Bounds are causes of their own here. */
	s->config.bounds = (struct bounds){0};
	if (!options_given(&o->parser, "accounting"))
		s->config.accounting = ACCOUNTING_TRAFFIC;
	for (size_t i = 0; i < o->nic.n; i++)
		add_packets(s, o->nic.name[i]);
	/* What did not change is no cause. */
	if (s->before <= 0)
		add_ethernets(s);
	if (o->nic.n)
		return;
	add_rates(s);
	if (s->before <= 0)
		add_sizes(s);
	/* Causes below cannot explain more than the link carries. */
	if (s->gbit_s > with_bounds(s, 0, 0))
		return;
	add_iommu(s);
	if (!s->work->reads)
		return;
	add_inflights(s);
	add_delay(s, "node", "memory of another NUMA node", REMOTE_NODE_PS,
	          by_node);
	add_delay(s, "cache", "memory instead of the cache", CACHE_MISS_PS,
	          by_cache);
}

/* How unlikely a matching cause is; 0: not at all. */
static double
doubt(const struct cause *c, double gbit_s, double tolerance)
{
	double off =
	    fabs(c->gbit_s / gbit_s - 1) / fmax(tolerance, c->tolerance);

	if (c->changes > 1)
		off += 0.5 * (c->changes - 1);
	if (c->unlikely)
		off += 0.5;
	return c->gbit_s < gbit_s ? off + 0.2 : off;
}

static int
by_doubt(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->verdict != y->verdict)
		return x->verdict < y->verdict ? -1 : 1;
	if (x->verdict != VERDICT_OPEN) {
		if (isnan(x->doubt) || isnan(y->doubt))
			return isnan(x->doubt) - isnan(y->doubt);
		if (x->doubt != y->doubt)
			return x->doubt < y->doubt ? -1 : 1;
	}
	return x->order < y->order ? -1 : x->order > y->order;
}

/*
 * Judges all causes by the number, within a tolerance (a part of it), and sorts
 * them: matching ones, likeliest first, then open ones, then the others. The
 * likeliest has the nearest number, with penalties: half the tolerance for each
 * change beyond the first and for an unsupported cause, a fifth for a number
 * below the measured one, which a bound should exceed.
 */
static void
causes_judge(struct search *s, double tolerance)
{
	for (size_t i = 0; i < s->n; i++) {
		struct cause *c = &s->cause[i];

		if (c->verdict != VERDICT_OPEN &&
		    fabs(c->gbit_s / s->gbit_s - 1) <=
		        fmax(tolerance, c->tolerance))
			c->verdict = VERDICT_FITS;
		c->doubt = doubt(c, s->gbit_s, tolerance);
	}
	if (s->n)
		qsort(s->cause, s->n, sizeof *s->cause, by_doubt);
}

/* Rows and text ------------------------------------------------------------ */

/* A measured number this close above its bound may be rounded. */
#define ABOVE 1.005

static const struct work *
find_bench(const struct options *o)
{
	const struct work *work = find_work(o->bench ? o->bench : "bw_rd");

	if (!work || work->by_host)
		die_usage("--bench '%s': not bw_rd, bw_wr or bw_rdwr",
		          o->bench);
	if (o->sweep.size.n > 1)
		die_usage("-s: one size at a time");
	return work;
}

/* Prints a text, indented, as wide as the terminal. */
static void
print_indented(const char *head, const char *text)
{
	size_t columns = terminal_size().columns;
	int indent = printf("   %s", head);

	print_wrapped((size_t)indent, columns ? columns + 1 : 0, text);
}

/* For people: its number, the deviation, and how to confirm it. */
static void
print_cause(size_t rank, const struct cause *c, const char *verdict,
            double gbit_s)
{
	double percent = 100 * (c->gbit_s / gbit_s - 1);

	if (rank)
		printf("%zu. %s", rank, c->name);
	else
		printf("%s: %s", verdict, c->name);
	/* With one decimal, and without a minus before 0. */
	if (!isnan(c->gbit_s))
		printf("  %.2f GB/s, %.1f Gbit/s, %+.1f %%", c->gbit_s / 8,
		       c->gbit_s, fabs(percent) < 0.05 ? 0 : percent);
	putchar('\n');
	print_indented("", c->what);
	print_indented("to separate: ", c->separate);
}

static void
write_cause(struct out *o, size_t rank, const struct cause *c,
            const char *verdict, double gbit_s)
{
	if (o->format == FORMAT_TABLE) {
		print_cause(rank, c, verdict, gbit_s);
		return;
	}
	out_text(o, "model");
	if (rank)
		out_u64(o, rank);
	else
		out_text(o, "");
	out_text(o, c->name);
	out_text(o, verdict);
	out_text(o, c->what);
	out_double(o, c->gbit_s);
	out_double(o, 100 * (c->gbit_s / gbit_s - 1));
	out_text(o, c->separate);
}

/* If nothing fits: says so, and how the number itself may be wrong. */
static void
write_unexplained(struct out *o, const struct search *s)
{
	static char above[] =
	    "more than the link carries in one direction: both directions "
	    "together, GB for Gbit, data that stayed in a cache, or a wider "
	    "link than given";
	static char below[] = "no cause, and no two together, give this number";
	double most = 0;
	struct cause c = {.name = "unexplained",
	                  .gbit_s = NAN,
	                  .separate = "pcb-doctor BDF; pcb-model --join for "
	                              "the whole sweep of sizes"};

	for (size_t i = 0; i < s->n; i++) {
		if (!strcmp(s->cause[i].name, "link"))
			most = s->cause[i].gbit_s;
	}
	c.what = most > 0 && s->gbit_s > most * ABOVE ? above : below;
	write_cause(o, 1, &c, "", s->gbit_s);
}

/* Of matching causes with one name, only the likeliest is printed. */
static bool
was_written(const struct search *s, size_t at)
{
	const struct cause *c = &s->cause[at];

	for (size_t i = 0; i < at && c->verdict == VERDICT_FITS; i++) {
		if (!strcmp(s->cause[i].name, c->name))
			return true;
	}
	return false;
}

static void
write_causes(struct out *o, const struct search *s)
{
	static const char *const names[] = {
	    "kind",           "rank",    "cause",
	    "verdict",        "what",    "bandwidth_gbit_s",
	    "difference_pct", "separate"};
	size_t rank = 0;

	if (o->format != FORMAT_TABLE)
		out_begin(o, names, ARRAY_LEN(names));
	if (!s->n || s->cause[0].verdict != VERDICT_FITS)
		write_unexplained(o, s);
	for (size_t i = 0; i < s->n; i++) {
		const struct cause *c = &s->cause[i];

		if (c->verdict == VERDICT_OFF || was_written(s, i))
			continue;
		if (c->verdict == VERDICT_FITS)
			rank++;
		write_cause(o, c->verdict == VERDICT_FITS ? rank : 0, c,
		            verdict_names[c->verdict], s->gbit_s);
	}
}

int
run_why(struct out *o, const struct options *options)
{
	static struct preamble pre;
	double tolerance = USUAL_TOLERANCE;
	struct search s = {
	    .options = options,
	    .work = find_bench(options),
	    .config = link_config_of(&options->link),
	    .size = options_given(&options->parser, "size")
	                ? options->sweep.size.value[0]
	                : LARGE,
	    .before = options->before_gbit_s,
	};
	const char *why = set_bandwidth(&s.gbit_s, options->files[0]);
	bool fits;

	if (why)
		die_usage("'%s': %s", options->files[0], why);
	if (options->tolerance.den)
		tolerance = (double)options->tolerance.num /
		            (double)options->tolerance.den;
	causes_find(&s);
	causes_judge(&s, tolerance);
	preamble_set(&pre, "tool", "pcb-model %s", program_version);
	preamble_add_command(&pre);
	o->preamble = &pre;
	write_causes(o, &s);
	if (o->format != FORMAT_TABLE)
		out_finish(o, true, NULL);
	fits = s.n && s.cause[0].verdict == VERDICT_FITS;
	for (size_t i = 0; i < s.n; i++)
		free(s.cause[i].what);
	free(s.cause);
	preamble_free(&pre);
	return fits ? STATUS_OK : STATUS_NO;
}
