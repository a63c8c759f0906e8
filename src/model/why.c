/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pcb-model why: whether a bandwidth is normal; how probable each cause is; and
 * what would decide.
 */
#include "common/cause/cause.h"
#include "common/cell/evidence.h"
#include "model/options.h"

#include "common/base/util.h"
#include "common/doctor/doctor.h"

#include <math.h>

/* Lines and columns of an answer; causes together this probable, at most 4. */
#define MOST_LINES   14
#define MOST_COLUMNS 80
#define SHOWN_PART   0.7
#define SHOWN        4

/* --also is better from this ratio on. */
#define BETTER 1.15

/* Shorter transfers are no copies; the reference has none of very short ones.
 */
#define LEAST_COPY 65536
#define LEAST_LONG 512

/* A number may be above its bound by its clock, or by half of its last digit.
 */
#define CLOCK_ERROR  0.001
#define MOST_ROUNDED 0.005

/* Nobody rounds by more. */
#define MOST_DIGITS 0.1

/* The round trip of any read. */
#define RTT_MIN_PS 300000
#define RTT_MAX_PS 3000000

/* On a slower link, a rest of less than this is explained. */
#define EXPLAINED 0.8

static const int verdict_status[NVERDICTS] = {
    [VERDICT_NORMAL] = STATUS_OK,      [VERDICT_BORDERLINE] = STATUS_ABSENT,
    [VERDICT_LOW] = STATUS_NO,         [VERDICT_IMPOSSIBLE] = STATUS_NO,
    [VERDICT_UNCLEAR] = STATUS_ABSENT, [VERDICT_UNKNOWN] = STATUS_ABSENT,
};

/* A question, and all that is known for its answer. */
struct answer {
	const struct options *options;
	struct question q;
	struct reference reference;
	struct usual usual;
	bool mrrs_known, each;
	uint64_t moved;  /* by each operation; 0: not given */
	unsigned asleep; /* the generation now, if another one is assumed */
	double any; /* the bound with the largest MPS of the specification */
	struct link now; /* of --seen link_now=LINK; or BUS_UNKNOWN */
	struct causes causes;
	struct seen *seen;
	size_t nseen;
	struct belief *belief;
	size_t n;
	enum verdict verdict;
	double full; /* rate of the Ethernet that the number fills; or 0 */
	double full_least, full_most;
};

/* The question ------------------------------------------------------------- */

/* Half of the last digit, as a part; zeros at the end of "400" are none. */
static double
half_digit(const char *number)
{
	static const char digits[] = "0123456789";
	size_t n = strspn(number, digits), zeros = 0, decimals = 0;

	if (number[n] == '.')
		decimals = strspn(number + n + 1, digits);
	else
		while (zeros < n && number[n - 1 - zeros] == '0')
			zeros++;
	return 0.5 * pow(10, (double)zeros - (double)decimals) /
	       strtod(number, NULL);
}

static void
set_bounds(struct answer *a)
{
	const struct question *q = &a->q;

	question_set_bounds(&a->q);
	a->any = question_bound(q, q->config.link.gen, q->config.link.lanes,
	                        q->mps_known ? 0 : MPS_MOST);
}

/* Whether an option or a device says what the link has. */
static bool
is_known(const struct link_options *o, enum link_param param)
{
	return o->given[param] || (o->path.n && !o->path.link.assumed) ||
	       (o->grammar && strstr(o->grammar, link_params[param]));
}

/* Who made the GPU or NIC, as in the reference; or "". */
static const char *
vendor_of(const struct options *o, enum initiator initiator)
{
	const struct pci_function *f = o->link.function;

	if (initiator != INITIATOR_GPU_COPY &&
	    initiator != INITIATOR_GPU_CORE && initiator != INITIATOR_NIC)
		return "";
	if (o->vendor || !f)
		return o->vendor ? o->vendor : "";
	return o->link.told.gpu ? o->link.told.gpu : doctor_vendor(f);
}

/* What the outstanding reads of the options allow. */
static void
set_inflight(struct answer *a)
{
	const struct bounds *b = &a->options->link.bounds;
	/* One read at a time with a round trip of 1 ps. */
	double one = 8e3 * fmin((double)a->q.size, a->q.config.link.mrrs);

	if (b->inflight && b->rtt_ps)
		a->q.inflight = (double)b->inflight * one / (double)b->rtt_ps;
}

/* Sums of both directions become what each has. */
static void
halve(struct answer *a)
{
	if (!traffic_is_both(a->q.traffic))
		die_usage("--sum is for --bench bw_rdwr");
	a->q.sum = true;
	a->q.number /= 2;
	a->q.before /= 2;
}

/*
 * A device is compared with its link as it could be. What carries more than the
 * rate now is awake while data move, but lanes do not sleep.
 */
static void
take_could(struct answer *a)
{
	const struct link_options *l = &a->options->link;
	const struct link *could = &l->facts.could;
	struct link_config *c = &a->q.config;
	unsigned now = c->link.gen;

	a->asleep = l->given[GEN] || l->grammar ? 0 : l->facts.now_gen;
	if (l->grammar || could->bus != BUS_PCIE)
		return;
	if (!l->given[GEN]) {
		c->link.gen = c->back.gen = could->gen;
		c->link.flit = c->back.flit = could->flit;
	}
	set_bounds(a);
	if (!l->given[LANES] && question_is_possible(&a->q)) {
		c->link.lanes = c->back.lanes = could->lanes;
		set_bounds(a);
	}
	if (now < c->link.gen &&
	    !question_fits(&a->q, a->q.number,
	                   question_bound(&a->q, now, c->link.lanes, 0)))
		a->asleep = now;
}

/* A rate, or operations of a known size; ends the program if it is wrong. */
static double
read_rate(const struct answer *a, const char *option, const char *text)
{
	double rate = 0;
	const char *why = parse_bandwidth(text, &rate);

	if (why && parse_operations(text, &rate)) {
		rate *= 8e-9 * (double)a->moved;
		why = a->moved ? NULL : "-s SIZE says how much each one moves";
	}
	if (why)
		die_usage("%s'%s': %s", option, text, why);
	return rate;
}

/* What the options say of the number; ends the program if they are wrong. */
static void
set_question(struct answer *a, const struct options *o)
{
	const struct link_options *l = &o->link;
	const struct size_list *frame = &o->nic.frame;
	struct question *q = &a->q;
	double rate;
	bool size_known = options_given(&o->parser, "size"), of_frames;

	of_frames =
	    !size_known && frame->n && parse_bandwidth(o->files[0], &rate);
	a->moved = size_known  ? o->sweep.size.value[0]
	           : of_frames ? frame->value[0] - ETHERNET_CRC
	                       : 0;
	q->number = read_rate(a, "", o->files[0]);
	q->digits = fmin(half_digit(o->files[0]), MOST_DIGITS);
	q->rounding = fmin(fmax(q->digits, CLOCK_ERROR), MOST_ROUNDED);
	if (o->before)
		q->before = read_rate(a, "--before ", o->before);
	q->config = link_config_of(l);
	/* Bounds are causes of their own here. */
	q->config.bounds = (struct bounds){0};
	q->ethernet = (double)o->nic.rate / 1e9;
	q->mps_known = is_known(l, MPS);
	a->mrrs_known = is_known(l, MRRS);
	size_known |= of_frames;
	q->size = size_known ? a->moved : o->sweep.size.value[0];
	/* Drives count operations. */
	q->initiator = reference_initiator(
	    o, q->config.link.lanes,
	    strcasestr(o->files[0], "io")        ? INITIATOR_NVME
	    : size_known && q->size < LEAST_COPY ? INITIATOR_NIC
	                                         : NINITIATORS);
	q->traffic = reference_traffic(o, q->initiator);
	q->either = q->initiator == INITIATOR_CPU && !o->bench;
	q->vendor = vendor_of(o, q->initiator);
	if (!size_known)
		q->size = reference_size(q->initiator);
	if (o->sum)
		halve(a);
	set_inflight(a);
	set_bounds(a);
	take_could(a);
	if (!question_is_possible(q) && !a->mrrs_known) {
		q->config.link.mrrs = q->config.back.mrrs = MPS_MOST;
		set_bounds(a);
	}
	if (q->before <= q->number)
		q->before = 0;
}

/* What was observed -------------------------------------------------------- */

static void
see(struct answer *a, const char *name, const char *value, const char *source,
    bool before)
{
	const struct observation *o =
	    causes_observation(&a->causes, name, value);

	char *values = NULL;

	for (size_t i = 0; !o && i < a->causes.nobservations; i++) {
		if (!strcmp(a->causes.observation[i].name, name))
			xappend(&values, ", ", "%s",
			        a->causes.observation[i].value);
	}
	if (values)
		die_usage("--seen '%s=%s': the values of %s are %s", name,
		          value, name, values);
	if (!o)
		die_usage("--seen: unknown observation '%s=%s'; '--seen help' "
		          "lists all",
		          name, value);
	array_push(a->seen, a->nseen, (struct seen){o, source, before});
}

/* Whether a link is lower than stated: the rest is then compared with it. */
static const char *
link_now(struct answer *a, const struct link *now)
{
	if (question_bound(&a->q, now->gen, now->lanes, 0) >= a->q.bound)
		return "as_stated";
	a->now = *now;
	return "below";
}

/* NAME=VALUE, or NAME=VALUE:both if it was so with the number before, too. */
static void
take_seen(struct answer *a, const char *item)
{
	size_t at = strcspn(item, "="), end = strcspn(item, ":");
	char *name = xasprintf("%.*s", (int)at, item);
	bool before = !strcmp(item + end, ":both");
	char *text;
	const char *value;
	struct link now = a->q.config.link;

	if (at >= end || (item[end] && !before))
		die_usage("--seen '%s': write NAME=VALUE, such as "
		          "memory=pageable; '--seen help' lists all",
		          item);
	text = xasprintf("%.*s", (int)(end - at - 1), item + at + 1);
	value = text;
	if (!strcmp(name, "link_now") && !link_parse_brief(value, &now) &&
	    !why_no_model(&now))
		value = link_now(a, &now);
	see(a, name, value, "--seen", before);
	a->each |= !strcmp(name, "sum") && !strcmp(value, "each");
	if (!strcmp(name, "sum") && !strcmp(value, "printed_sum") && !a->q.sum)
		halve(a);
	free(name);
	free(text);
}

/* NUMBER:WORD, the same measurement with one difference. */
static void
take_also(struct answer *a, const char *text)
{
	size_t colon = strcspn(text, ":");
	char *rate = xasprintf("%.*s", (int)colon, text), *name;
	const char *word = text[colon] ? text + colon + 1 : "";
	double number = read_rate(a, "--also ", rate);

	name = xasprintf("%s_ab", word);
	if (!causes_observation(&a->causes, name, "better"))
		die_usage("--also '%s': '%s' is no difference that --seen help "
		          "lists as NAME_ab",
		          text, word);
	if (a->q.sum)
		number /= 2;
	see(a, name, number >= BETTER * a->q.number ? "better" : "same",
	    "--also", false);
	free(rate);
	free(name);
}

/* Where registers and files are from. */
static const char *
source_of(const struct link_options *o)
{
	return o->dump ? "the dump" : "this machine";
}

/* A link that sleeps now, or was so at boot, may be lower while data moves. */
static void
see_link(struct answer *a)
{
	const struct link_options *l = &a->options->link;
	struct link now = l->actual;
	const char *value;

	if (a->asleep)
		now.gen = a->q.config.link.gen;
	value = link_now(a, &now);
	if (a->now.bus || (!a->asleep && (!l->told.by || l->told.gpu)))
		see(a, "link_now", value,
		    l->told.by ? l->told.by : source_of(l), false);
}

/* What the sources show of the device. */
static void
see_device(struct answer *a)
{
	const struct link_options *l = &a->options->link;
	struct pci_tree *tree = l->tree;
	struct machine *m =
	    traffic_is_peer(a->q.traffic) ? machine_of_facts(tree) : NULL;
	struct subject of = {.tree = tree,
	                     .machine = m,
	                     .device = l->function,
	                     .path = &l->path,
	                     .traffic = a->q.traffic,
	                     .from = source_of(l),
	                     .here = !l->dump,
	                     .guest = doctor_is_guest(tree)};

	see_link(a);
	evidence_find(&of);
	for (size_t i = 0; i < of.n; i++)
		see(a, of.found[i].name, of.found[i].value, of.found[i].source,
		    false);
	if (!m)
		return;
	m->tree = NULL; /* the options' */
	machine_free(m);
}

/* What the device shows, and --memory. */
static void
see_facts(struct answer *a)
{
	const struct options *o = a->options;

	if (options_given(&o->parser, "memory") && o->memory != MEMORY_PEER)
		see(a, o->memory == MEMORY_REMOTE ? "node" : "memory",
		    o->memory == MEMORY_REMOTE     ? "remote"
		    : o->memory == MEMORY_PAGEABLE ? "pageable"
		                                   : "pinned",
		    "--memory", false);
	/* Messages and registers of NICs and CPUs are of other sizes. */
	if (options_given(&o->parser, "size") &&
	    a->q.initiator != INITIATOR_NIC && a->q.initiator != INITIATOR_CPU)
		see(a, "transfer", a->q.size < LEAST_COPY ? "small" : "large",
		    "-s", false);
	if (o->link.path.n)
		see_device(a);
}

static void
take_evidence(struct answer *a)
{
	const struct options *o = a->options;

	for (size_t i = 0; i < o->seen.n; i++) {
		char **item = list_split(o->seen.text[i]);

		for (size_t j = 0; item[j]; j++)
			take_seen(a, item[j]);
		free(item);
	}
	for (size_t i = 0; i < o->also.n; i++)
		take_also(a, o->also.text[i]);
	see_facts(a);
	set_bounds(a);
}

/* What may be observed, of the number if there is any: for --seen help. */
static void
list_observations(const struct answer *a)
{
	for (size_t i = 0; i < a->causes.nobservations; i++) {
		const struct observation *o = &a->causes.observation[i];

		if (a->options->nfiles && !observation_applies(o, &a->q))
			continue;
		printf("%-11s %-15s ", o->name, o->value);
		print_wrapped(28, MOST_COLUMNS + 1, o->how);
	}
	printf("With --also NUMBER:NAME, NAME_ab is better or same.\n");
}

/* The verdict -------------------------------------------------------------- */

/* The Ethernet that the number fills: that of --rate, or a common one. */
static void
find_full(struct answer *a)
{
	static const double rates[] = {1,  2.5, 5,   10,  20,  25,
	                               40, 50,  100, 200, 400, 800};
	const struct nic_options *nic = &a->options->nic;
	uint64_t frame = nic->frame.n ? nic->frame.value[0] : 0;

	if (a->q.initiator != INITIATOR_NIC || a->q.before > 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(rates) && a->full <= 0; i++) {
		const struct ethernet e = {
		    .bit_s = nic->rate ? nic->rate : (uint64_t)(rates[i] * 1e9),
		    .ifg = ETHERNET_IFG};

		a->full_most = ethernet_data_gbit_s(&e, frame ? frame : 9018);
		a->full_least =
		    0.9 * ethernet_data_gbit_s(&e, frame ? frame : 1518);
		if (a->q.number >= a->full_least &&
		    a->q.number <= 1.01 * a->full_most)
			a->full = (double)e.bit_s / 1e9;
	}
}

static enum verdict
judge(struct answer *a)
{
	enum verdict verdict = question_judge(&a->q, &a->usual, a->q.number);

	find_full(a);
	/* A rate that nobody said explains only a small part. */
	if (a->full > 0 &&
	    (verdict == VERDICT_BORDERLINE ||
	     (a->options->nic.rate && verdict != VERDICT_NORMAL)))
		return VERDICT_NORMAL;
	a->full = 0;
	if (traffic_is_both(a->q.traffic) && !a->q.sum && !a->each &&
	    (verdict == VERDICT_NORMAL || verdict == VERDICT_BORDERLINE))
		return VERDICT_UNCLEAR;
	return verdict;
}

static const char *
traffic_text(const struct answer *a)
{
	if (a->q.initiator == INITIATOR_CPU)
		return traffic_work(a->q.traffic)->reads ? "from a device"
		                                         : "to a device";
	return traffic_texts[a->q.traffic];
}

/* What public results reach, on which generations. */
static void
say_usual(char **text, const struct answer *a)
{
	const struct usual *u = &a->usual;
	double unit = a->q.bound / 8;
	unsigned gen = a->q.config.link.gen;

	xappend(text, " ", "Nine in ten of %zu public results for %s %s", u->n,
	        initiator_texts[a->q.initiator], traffic_text(a));
	if (*a->q.vendor)
		xappend(text, "",
		        u->by_vendor == u->n ? " (all of %s)"
		        : u->by_vendor       ? " (few of %s)"
		                             : " (none of %s)",
		        a->q.vendor);
	xappend(text, " ", "on gen%u", u->least_gen);
	if (u->most_gen > u->least_gen)
		xappend(text, "", " to gen%u", u->most_gen);
	if (u->most_gen > u->least_gen || u->most_gen != gen)
		xappend(text, "", " (too few on gen%u)", gen);
	xappend(text, "", " reach %.0f %%, half %.0f %%: %.4g and %.4g GB/s.",
	        100 * u->p10, 100 * u->median, u->p10 * unit, u->median * unit);
	if (a->verdict == VERDICT_NORMAL && a->q.number > u->p90 * a->q.bound)
		xappend(text, " ", "This is better than most.");
}

/* The few results that are no basis of a verdict. */
static void
say_few(char **text, const struct answer *a)
{
	const struct reference *r = &a->reference;
	size_t shown = 0;

	xappend(text, " ", "There are too few public results for %s %s",
	        initiator_texts[a->q.initiator], traffic_text(a));
	for (size_t i = 0; i < r->n && shown < REFERENCE_LEAST; i++) {
		const struct reference_row *row = &r->row[i];

		if (row->initiator == a->q.initiator &&
		    row->traffic == a->q.traffic)
			xappend(text, shown++ ? ", " : ": ", "%.0f %% on gen%u",
			        100 * row->ratio, row->link.gen);
	}
	xappend(text, "", ".");
}

static void
say_impossible(char **text, const struct answer *a)
{
	const struct question *q = &a->q;
	const struct link *link = &q->config.link;
	double raw = link_raw_gbit_s(link), number = q->number;
	bool beyond = !question_fits(q, number, a->any);

	xappend(
	    text, "", "%.4g GB/s is more than gen%ux%u carries%s%s: %.4g GB/s",
	    number / 8, link->gen, link->lanes, number > raw ? "" : " of data",
	    traffic_is_both(q->traffic) ? " in each direction" : "",
	    (number > raw ? raw
	     : beyond     ? a->any
	                  : q->most) /
	        8);
	if (number > raw)
		xappend(text, "", " at its raw rate");
	else if (!beyond)
		xappend(text, "", " with MPS %u, the largest of such devices",
		        most_mps(q->initiator));
	else if (!q->mps_known)
		xappend(text, "", " with any MPS");
	xappend(text, "", ".");
	if (traffic_is_both(q->traffic) && !q->sum)
		xappend(text, " ",
		        "As a sum it is %.4g GB/s each way, %.0f %%: --sum.",
		        number / 16, 50 * number / q->bound);
}

static char *
verdict_text(const struct answer *a)
{
	const struct question *q = &a->q;
	const struct link *link = &q->config.link;
	char *text = NULL;

	if (a->verdict == VERDICT_IMPOSSIBLE) {
		say_impossible(&text, a);
		return text;
	}
	if (a->verdict == VERDICT_UNCLEAR)
		xappend(&text, "", "%s, if it is each direction: ",
		        verdict_names[question_judge(q, &a->usual, q->number)]);
	xappend(&text, "",
	        "%.4g GB/s%s is %.*f %% of what gen%ux%u carries, %.4g GB/s",
	        q->number / 8, q->sum ? " each way" : "",
	        q->number < 0.01 * q->bound ? 3 : 0, 100 * q->number / q->bound,
	        link->gen, link->lanes, q->bound / 8);
	if (!question_fits(q, q->number, q->bound))
		xappend(&text, "", " with MPS %u: here MPS must be larger",
		        link->mps);
	if (q->before > 0)
		xappend(&text, "", ", and %.0f %% of the number before",
		        100 * q->number / q->before);
	xappend(&text, "", ".");
	if (a->verdict == VERDICT_UNCLEAR)
		xappend(
		    &text, " ",
		    "%s, if it is the sum: %.4g GB/s each way, %.0f %%; "
		    "rocm_bandwidth_test, p2pBandwidthLatencyTest and "
		    "TransferBench print sums: --sum.",
		    verdict_names[question_judge(q, &a->usual, q->number / 2)],
		    q->number / 16, 50 * q->number / q->bound);
	if (a->full > 0)
		xappend(&text, " ", "%gG Ethernet is full: %.4g to %.4g GB/s.",
		        a->full, a->full_least / 8, a->full_most / 8);
	if (a->usual.known)
		say_usual(&text, a);
	else if (a->options->memory == MEMORY_PAGEABLE)
		xappend(&text, " ", "Public results are of pinned memory.");
	else
		say_few(&text, a);
	return text;
}

/* What nobody said and the answer depends on; or NULL. */
static char *
assumed_text(const struct answer *a)
{
	const struct option_parser *given = &a->options->parser;
	char *list = NULL, *text = NULL;

	if (a->asleep)
		xappend(&list, ", ", "--gen %u (now gen%u)",
		        a->q.config.link.gen, a->asleep);
	if (!options_given(given, "for") && !options_given(given, "engine") &&
	    !a->options->link.facts.class_code)
		xappend(&list, ", ", "--for %s",
		        a->q.initiator ? initiator_names[a->q.initiator]
		                       : "gpu --engine copy");
	if (!options_given(given, "bench"))
		xappend(&list, ", ", "--bench %s",
		        traffic_work(a->q.traffic)->name);
	if (!options_given(given, "memory") && a->q.initiator != INITIATOR_CPU)
		xappend(&list, ", ", "--memory pinned");
	if (!a->q.mps_known)
		xappend(&list, ", ", "--mps %u", a->q.config.link.mps);
	if (a->q.config.link.mrrs == MPS_MOST && !a->mrrs_known)
		xappend(&list, ", ", "--mrrs %u", MPS_MOST);
	if (list)
		text = xasprintf("Assumed: %s.%s", list,
		                 a->q.either ? " The causes are of loads and "
		                               "stores; --bench bw_rd or "
		                               "bw_wr says which it was."
		                             : "");
	free(list);
	return text;
}

/* Causes ------------------------------------------------------------------- */

/* The text of a cause; free it. */
static char *
what_text(const struct answer *a, const struct belief *b)
{
	const struct bounds *given = &a->options->link.bounds;
	const struct link *said = &a->q.config.link;
	double one = 8e3 * fmin((double)a->q.size, said->mrrs);
	double n = (double)given->inflight, rtt = (double)given->rtt_ps;

	if (!strcmp(b->name, "link") && (a->now.bus || b->gen))
		return xasprintf("the link is gen%ux%u, not gen%ux%u",
		                 a->now.bus ? a->now.gen : b->gen,
		                 a->now.bus ? a->now.lanes : b->lanes,
		                 said->gen, said->lanes);
	if (strcmp(b->name, "inflight") != 0 || (n <= 0 && rtt <= 0))
		return xstrdup(b->cause->what);
	if (n <= 0)
		n = ceil(0.99 * a->q.number * rtt / one);
	if (rtt <= 0)
		rtt = n * one / a->q.number;
	return rtt < RTT_MIN_PS || rtt > RTT_MAX_PS
	           ? xstrdup(b->cause->what)
	           : xasprintf("%.0f outstanding reads, each for %.0f ns", n,
	                       rtt / 1e3);
}

static const char *
state_of(const struct belief *b)
{
	return b->says == CONFIRMS   ? "confirmed"
	       : b->says == EXCLUDES ? "excluded"
	                             : "open";
}

/* "confirmed by node=remote (--seen)", in words for people; NULL without. Free
 * it. */
static char *
evidence_text(const struct belief *b, bool people)
{
	static const char *const texts[NSAYS] = {[EXCLUDES] = "excluded by",
	                                         [AGAINST] = "less likely by",
	                                         [WEAK] = "more likely by",
	                                         [FOR] = "likely by",
	                                         [CONFIRMS] = "confirmed by"};
	const struct observation *o = b->by ? b->by->observation : NULL;
	char *text = NULL;

	if (!o)
		return NULL;
	if (people && *b->by->source != '-')
		xappend(&text, "", "%s %s: %s", texts[b->says], b->by->source,
		        o->words);
	else
		xappend(&text, "", "%s %s=%s (%s)", texts[b->says], o->name,
		        o->value, b->by->source);
	return text;
}

/* Text --------------------------------------------------------------------- */

static unsigned
width(void)
{
	unsigned columns = terminal_size().columns;

	return columns && columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
}

/* The lines of a text behind its indent. */
static unsigned
lines_of(unsigned indent, const char *text)
{
	size_t column = indent;
	unsigned lines = 1;

	for (size_t n; *text; text += n + (text[n] == ' ')) {
		n = strcspn(text, " ");
		if (column > indent && column + 1 + n > width()) {
			lines++;
			column = indent;
		}
		column += n + (column > indent);
	}
	return lines;
}

/* Wraps a text behind a head, frees it, and returns its lines. */
static unsigned
print_text(const char *head, char *text)
{
	unsigned indent = (unsigned)strlen(head),
	         lines = lines_of(indent, text);

	printf("%s", head);
	print_wrapped(indent, width() + 1, text);
	free(text);
	return lines;
}

/* What an observation would make of it: "NAME=VALUE: cause 80 %; ...". */
static char *
outcome_text(struct answer *a, const struct observation *o)
{
	struct belief *belief = xcalloc(a->causes.n, sizeof *belief);
	struct seen *seen = xcalloc(a->nseen + 1, sizeof *seen);
	const char *name = o->name;
	char *text = xasprintf("%s: %s=", o->ask, name);
	const char *between = "";

	for (size_t i = 0; i < a->nseen; i++)
		seen[i] = a->seen[i];
	for (size_t n = observation_values(&a->causes, o); n--; o++) {
		seen[a->nseen] = (struct seen){.observation = o};
		causes_believe(&a->causes, &a->q, seen, a->nseen + 1, belief);
		xappend(&text, between, "%s: %s %.0f %%", o->value,
		        belief->name, 100 * belief->probability);
		between = "; ";
	}
	free(seen);
	free(belief);
	return text;
}

static unsigned
print_cause(const struct answer *a, const struct belief *b)
{
	char *what = what_text(a, b), *by = evidence_text(b, true), head[32];
	unsigned lines;

	snprintf(head, sizeof head, "%4.0f %%  %-11s ", 100 * b->probability,
	         b->name);
	lines = print_text(
	    head, xasprintf("%s%s%s", what, by ? ", " : "", by ? by : ""));
	free(what);
	free(by);
	return lines;
}

/* What the slower link that was seen leaves to explain. Returns the lines. */
static unsigned
print_rest(struct answer *a)
{
	double bound = question_bound(&a->q, a->now.gen, a->now.lanes, 0);
	double part = a->q.number / bound;
	struct answer rest = *a;
	char *text;
	unsigned lines;

	text = xasprintf("On that link, gen%ux%u, it is %.*f %% of %.4g GB/s%s",
	                 a->now.gen, a->now.lanes, part < 0.01 ? 3 : 0,
	                 100 * part, bound / 8,
	                 part >= EXPLAINED ? ": the link explains all of it."
	                                   : "; the rest is:");
	lines = print_text("", text);
	if (part >= EXPLAINED)
		return lines;
	rest.q.config.link = rest.q.config.back = a->now;
	rest.q.before = 0;
	set_bounds(&rest);
	rest.seen = xcalloc(a->nseen, sizeof *rest.seen);
	for (size_t i = 0; i < a->nseen; i++) {
		rest.seen[i] = a->seen[i];
		if (!strcmp(a->seen[i].observation->name, "link_now"))
			rest.seen[i].observation = causes_observation(
			    &a->causes, "link_now", "as_stated");
	}
	rest.now = (struct link){0};
	rest.belief = xcalloc(a->causes.n, sizeof *rest.belief);
	rest.n = causes_believe(&a->causes, &rest.q, rest.seen, a->nseen,
	                        rest.belief);
	for (size_t i = 0; i < 2 && i < rest.n; i++)
		lines += print_cause(&rest, &rest.belief[i]);
	free(rest.seen);
	free(rest.belief);
	return lines;
}

static void
print_asks(struct answer *a, unsigned lines)
{
	const struct observation *asked = NULL;

	for (size_t i = 0; i < 2; i++) {
		const struct observation *o =
		    causes_ask(&a->causes, &a->q, a->seen, a->nseen, a->belief,
		               a->n, asked);
		char *text = o ? outcome_text(a, o) : NULL;

		/* Its own lines, the head and the end. */
		if (!o || lines + lines_of(4, text) + !i + 1 > MOST_LINES) {
			free(text);
			break;
		}
		if (!i)
			printf("Next, each with what would then be first:\n");
		lines += print_text("    ", text) + !i;
		asked = o;
	}
	if (asked)
		printf(
		    "Answer with --seen %s=%s%s.\n", asked->name, asked->value,
		    a->options->link.path.n ? "" : ", or name the device: -d");
}

/* Prints the likeliest causes, most of the probability; with -a all causes. */
static unsigned
print_causes(const struct answer *a)
{
	static const char *const words[] = {"None",  "One",  "Two", "Three",
	                                    "Four",  "Five", "Six", "Seven",
	                                    "Eight", "Nine", "Ten"};
	bool sure = a->belief->probability >= CAUSE_FIRST;
	bool all = a->options->all;
	double sum = 0;
	size_t shown = 0;
	unsigned lines = 0;
	char *separate;

	while (shown < a->n && (all || (shown < SHOWN && sum < SHOWN_PART)))
		sum += a->belief[shown++].probability;
	if (all)
		printf("All causes of such numbers:\n");
	else if (!sure)
		lines += print_text(
		    "", xasprintf("%s does not tell. %s in ten such numbers "
		                  "are:",
		                  a->nseen ? "This" : "The number alone",
		                  words[(size_t)(10 * sum + 0.001)]));
	for (size_t i = 0; i < shown; i++) {
		lines += print_cause(a, &a->belief[i]);
		separate = (sure && !i) || all
		               ? belief_separate(&a->belief[i],
		                                 a->options->link.device)
		               : NULL;
		if (separate && *separate)
			lines += print_text("         ", separate);
		else
			free(separate);
	}
	return lines;
}

static void
print_answer(struct answer *a, const char *text)
{
	char *assumed = assumed_text(a);
	unsigned lines = print_text(
	    "", xasprintf("%s%s: %s",
	                  *a->q.vendor && a->usual.known && !a->usual.by_vendor
	                      ? "by results of other vendors, "
	                      : "",
	                  verdict_names[a->verdict], text));

	if (assumed)
		lines += print_text("", assumed);
	if (a->verdict == VERDICT_NORMAL && !a->options->all) {
		printf("-a shows what may cost the rest.\n");
		return;
	}
	lines += print_causes(a);
	if (a->now.bus)
		lines += print_rest(a);
	if (a->belief->probability < CAUSE_CERTAIN && !a->options->all)
		print_asks(a, lines);
}

/* Rows --------------------------------------------------------------------- */

static void
write_answer(struct out *o, const struct answer *a, const char *text)
{
	char *assumed = assumed_text(a);
	char *all = xasprintf("%s%s%s", text, assumed ? " " : "",
	                      assumed ? assumed : "");

	OUT(o, TEXT("kind", "published"), COUNTED("rank", 0), TEXT("cause", ""),
	    TEXT("verdict", verdict_names[a->verdict]), TEXT("what", all),
	    VALUE("probability_pct", NAN), TEXT("evidence", ""),
	    VALUE("bound_gbit_s", a->q.bound),
	    VALUE("p10_gbit_s",
	          a->usual.known ? a->usual.p10 * a->q.bound : (double)NAN),
	    VALUE("sources", a->usual.sources), TEXT("separate", ""));
	out_end_row(o);
	free(all);
	free(assumed);
	for (size_t i = 0; i < a->n; i++) {
		const struct belief *b = &a->belief[i];
		char *what = what_text(a, b), *by = evidence_text(b, false);
		char *separate = belief_separate(b, a->options->link.device);

		OUT(o, TEXT("kind", "model"), COUNTED("rank", i + 1),
		    TEXT("cause", b->name), TEXT("verdict", state_of(b)),
		    TEXT("what", what),
		    VALUE("probability_pct", 100 * b->probability),
		    TEXT("evidence", by ? by : ""),
		    VALUE("bound_gbit_s", b->bound), VALUE("p10_gbit_s", NAN),
		    VALUE("sources", b->sources), TEXT("separate", separate));
		out_end_row(o);
		free(what);
		free(by);
		free(separate);
	}
	out_finish(o, true, NULL);
}

int
run_why(struct out *o, const struct options *options)
{
	static struct answer a;
	uint64_t ps;
	char *text;

	if (options->nfiles && !parse_time(options->files[0], &ps) && ps)
		return why_latency(o, options, (double)ps / 1e3);
	a.options = options;
	if (options->nfiles)
		set_question(&a, options);
	reference_read(&a.reference, options->reference);
	causes_read(&a.causes, &a.reference, options->without);
	if (asks_what_may_be_seen(options)) {
		stream_begins();
		list_observations(&a);
		exit(STATUS_OK);
	}
	take_evidence(&a);
	if (options->memory != MEMORY_PAGEABLE &&
	    (a.q.initiator == INITIATOR_CPU || a.q.size >= LEAST_LONG))
		a.usual =
		    reference_usual(&a.reference, a.q.initiator, a.q.traffic,
		                    a.q.config.link.gen, a.q.vendor);
	a.verdict = judge(&a);
	a.belief = xcalloc(a.causes.n, sizeof *a.belief);
	a.n = causes_believe(&a.causes, &a.q, a.seen, a.nseen, a.belief);
	text = verdict_text(&a);
	begin_stream(o);
	if (o->format == FORMAT_TABLE)
		print_answer(&a, text);
	else
		write_answer(o, &a, text);
	free(text);
	return verdict_status[a.verdict];
}
