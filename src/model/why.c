/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model why: whether a bandwidth is normal, and what may be the cause. */
#include "model/causes.h"

#include "common/base/util.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tolerance of a cause's range, as a part of the number. */
#define USUAL_TOLERANCE 0.06

/* A measured number this close above its bound may be rounded. */
#define ABOVE 1.005

/* Borderline is from this part of the p10, or of the number before, on. */
#define BORDERLINE 0.9
#define UNCHANGED  0.97

/* Causes in a table without -a. */
#define SHOWN 3

/* Shorter transfers are no copies. */
#define LEAST_COPY 65536

/* The reference of shorter transfers is not that of long ones. */
#define LEAST_LONG 512

enum verdict {
	VERDICT_NORMAL,
	VERDICT_BORDERLINE,
	VERDICT_LOW,
	VERDICT_IMPOSSIBLE,
	VERDICT_UNKNOWN,
};

static const char *const verdict_names[] = {
    [VERDICT_NORMAL] = "normal",
    [VERDICT_BORDERLINE] = "borderline",
    [VERDICT_LOW] = "low",
    [VERDICT_IMPOSSIBLE] = "impossible",
    [VERDICT_UNKNOWN] = "no reference",
};

/* The question ------------------------------------------------------------- */

/* What the PCI class says; false: nothing. */
static bool
initiator_of_class(const struct pci_facts *f, enum initiator *initiator)
{
	if (f->vendor == 0x10ee || f->vendor == 0x1172)
		*initiator = INITIATOR_FPGA;
	else if (f->class_code >> 8 == 0x03 || f->class_code >> 8 == 0x12)
		*initiator = INITIATOR_GPU_COPY;
	else if (f->class_code >> 8 == 0x02 || f->class_code == 0x0c06)
		*initiator = INITIATOR_NIC;
	else if (f->class_code >> 8 == 0x01)
		*initiator = INITIATOR_NVME;
	else
		return false;
	return true;
}

static enum initiator
find_initiator(const struct options *o, const struct question *q)
{
	enum initiator found;

	if (options_given(&o->parser, "for") ||
	    options_given(&o->parser, "engine"))
		return o->initiator;
	if (initiator_of_class(&o->link.facts, &found))
		return found;
	if (o->nic.n || o->nic.rate || (q->size_known && q->size < LEAST_COPY))
		return INITIATOR_NIC;
	return q->config.link.lanes <= 4 ? INITIATOR_NVME : INITIATOR_GPU_COPY;
}

static enum traffic
find_traffic(const struct options *o, enum initiator initiator)
{
	const char *bench = o->bench                     ? o->bench
	                    : initiator == INITIATOR_CPU ? "bw_wr"
	                                                 : "bw_rd";
	const struct work *work = find_work(bench);
	unsigned peer =
	    o->memory == MEMORY_PEER ? TRAFFIC_PEER_READ - TRAFFIC_READ : 0;

	if (!work || work->by_host)
		die_usage("--bench '%s': not bw_rd, bw_wr or bw_rdwr", bench);
	if (work->reads && work->writes)
		return TRAFFIC_BOTH + peer;
	return (work->writes ? TRAFFIC_WRITE : TRAFFIC_READ) + peer;
}

static void
set_number(struct question *q, const struct options *o)
{
	const char *why = set_bandwidth(&q->gbit_s, o->files[0]);

	if (why)
		die_usage("'%s': %s", o->files[0], why);
	if (o->sweep.size.n > 1)
		die_usage("-s: one size at a time");
	q->before = o->before_gbit_s;
	q->tolerance = o->tolerance.den
	                   ? (double)o->tolerance.num / (double)o->tolerance.den
	                   : USUAL_TOLERANCE;
	if (q->tolerance <= 0)
		die_usage("--tolerance: must be more than 0");
}

/* Whether the link's text names MPS, such as gen3x8/mps256. */
static bool
is_mps_given(const struct link_options *o)
{
	return o->given[MPS] || o->path.n ||
	       (o->grammar && strstr(o->grammar, "mps"));
}

static void
set_link(struct question *q, const struct options *o)
{
	struct link most;

	q->config = link_config_of(&o->link);
	/* Bounds are causes of their own here. */
	q->config.bounds = (struct bounds){0};
	q->mps_known = is_mps_given(&o->link);
	q->size_known = options_given(&o->parser, "size");
	q->size = o->sweep.size.value[0];
	q->initiator = find_initiator(o, q);
	q->traffic = find_traffic(o, q->initiator);
	q->work = traffic_work(q->traffic);
	if (!q->size_known)
		q->size = reference_size(q->initiator);
	most = q->config.link;
	q->bound = question_bound(q, &most, q->size);
	if (!q->mps_known)
		most.mps = 4096;
	q->most = question_bound(q, &most, q->size);
	if (o->nic.n)
		q->most = link_raw_gbit_s(&most);
}

static void
set_usual(struct question *q, const struct options *o)
{
	struct reference r = {0};

	reference_read(&r, o->reference);
	if (!o->nic.n &&
	    (q->initiator == INITIATOR_CPU || q->size >= LEAST_LONG))
		q->usual = reference_usual(&r, q->initiator, q->traffic,
		                           q->config.link.gen);
	reference_free(&r);
}

/* The verdict -------------------------------------------------------------- */

static enum verdict
judge(const struct question *q)
{
	double p10 = q->usual.p10 * q->bound, before = q->before;
	enum verdict by_before = VERDICT_UNKNOWN, verdict;

	if (q->gbit_s > ABOVE * q->most)
		return VERDICT_IMPOSSIBLE;
	if (before > 0)
		by_before = q->gbit_s < BORDERLINE * before ? VERDICT_LOW
		            : q->gbit_s < UNCHANGED * before
		                ? VERDICT_BORDERLINE
		                : VERDICT_NORMAL;
	if (q->usual.n < REFERENCE_LEAST)
		return by_before;
	verdict = q->gbit_s < BORDERLINE * p10 ? VERDICT_LOW
	          : q->gbit_s < p10            ? VERDICT_BORDERLINE
	                                       : VERDICT_NORMAL;
	return before > 0 && by_before > verdict ? by_before : verdict;
}

static void
say_link(char **text, const struct question *q)
{
	xappend(text, "", "gen%ux%u", q->config.link.gen, q->config.link.lanes);
}

/* What public results reach, on which generations. */
static void
say_usual(char **text, const struct question *q)
{
	const struct usual *u = &q->usual;
	double unit = q->bound / 8;
	unsigned gen = q->config.link.gen;

	xappend(text, " ", "Of %zu public results for %s %s on gen%u", u->n,
	        initiator_texts[q->initiator], traffic_texts[q->traffic],
	        u->least_gen);
	if (u->most_gen > u->least_gen)
		xappend(text, "", " to gen%u", u->most_gen);
	if (u->most_gen > u->least_gen || u->most_gen != gen)
		xappend(text, "", " (too few on gen%u)", gen);
	xappend(text, "",
	        " nine in ten reach %.*f %%, half %.*f %%: here %.4g and "
	        "%.4g GB/s.",
	        0, 100 * u->p10, 0, 100 * u->median, u->p10 * unit,
	        u->median * unit);
	if (q->gbit_s > u->p90 * q->bound)
		xappend(text, " ", "This is better than most.");
}

static char *
verdict_text(const struct question *q, enum verdict verdict)
{
	char *text = NULL;
	double raw = link_raw_gbit_s(&q->config.link);

	xappend(&text, "", "%.4g GB/s is ", q->gbit_s / 8);
	if (verdict == VERDICT_IMPOSSIBLE) {
		xappend(&text, "", "more than ");
		say_link(&text, q);
		xappend(&text, "",
		        q->gbit_s > raw ? " carries: %.4g GB/s at its raw rate."
		                        : " carries of data: %.4g GB/s.",
		        (q->gbit_s > raw ? raw : q->most) / 8);
		return text;
	}
	xappend(&text, "", "%.0f %% of what ", 100 * q->gbit_s / q->bound);
	say_link(&text, q);
	xappend(&text, "", " carries, %.4g GB/s", q->bound / 8);
	if (q->gbit_s > ABOVE * q->bound)
		xappend(&text, "", " with MPS %u: here MPS must be larger",
		        q->config.link.mps);
	if (q->before > 0)
		xappend(&text, "", ", and %.0f %% of the number before",
		        100 * q->gbit_s / q->before);
	xappend(&text, "", ".");
	if (q->usual.n >= REFERENCE_LEAST)
		say_usual(&text, q);
	else
		xappend(
		    &text, " ", "There are too few public results for %s %s.",
		    initiator_texts[q->initiator], traffic_texts[q->traffic]);
	return text;
}

/* What nobody said and the answer depends on; or NULL. */
static char *
assumed_text(const struct question *q)
{
	const struct options *o = q->options;
	char *text = NULL;

	if (!options_given(&o->parser, "for") &&
	    !options_given(&o->parser, "engine") && !o->link.facts.class_code)
		xappend(&text, ", ", "--for %s",
		        q->initiator == INITIATOR_GPU_COPY
		            ? "gpu --engine copy"
		            : initiator_names[q->initiator]);
	if (!o->bench)
		xappend(&text, ", ", "--bench %s", q->work->name);
	if (!options_given(&o->parser, "memory") &&
	    q->initiator != INITIATOR_CPU)
		xappend(&text, ", ", "--memory pinned");
	if (!q->mps_known)
		xappend(&text, ", ", "--mps %u", q->config.link.mps);
	return text;
}

/* Rows and text ------------------------------------------------------------ */

/* Wraps a text at the width of the terminal, at most 80; indents its lines. */
static void
print_text(const char *text)
{
	size_t columns = terminal_size().columns;
	size_t indent = *text == ' ' || isdigit((unsigned char)*text) ? 3 : 0;
	size_t end = columns && columns < 80 ? columns + 1 : 81;

	printf("%.*s", (int)indent, text);
	print_wrapped(indent, end, text + indent);
}

static void
print_cause(size_t rank, const struct cause *c)
{
	char *text = NULL;

	if (rank)
		xappend(&text, "", "%zu.%s", rank, rank < 10 ? " " : "");
	else
		xappend(&text, "", "   ");
	xappend(&text, "", "%s: %s", c->name, c->what);
	if (!isnan(c->least))
		xappend(&text, "", "; %.3g to %.3g GB/s", c->least / 8,
		        c->most / 8);
	print_text(text);
	free(text);
	text = xasprintf("   %s", c->separate);
	print_text(text);
	free(text);
}

static void
print_answer(const struct question *q, enum verdict verdict, const char *text,
             const struct causes *all)
{
	bool is_all = q->options->all;
	size_t shown = is_all ? all->n : verdict == VERDICT_NORMAL ? 0 : SHOWN;
	char *assumed = assumed_text(q), *line = NULL;

	xappend(&line, "", "%s: %s", verdict_names[verdict], text);
	print_text(line);
	free(line);
	if (assumed) {
		line = xasprintf("Assumed: %s.", assumed);
		print_text(line);
		free(line);
	}
	for (size_t i = 0; i < all->n && i < shown; i++)
		print_cause(all->cause[i].score > 0 ? i + 1 : 0,
		            &all->cause[i]);
	if (shown < all->n)
		printf("-a shows %s%zu causes%s.\n", shown ? "all " : "",
		       all->n, shown ? "" : " that may cost the rest");
	free(assumed);
}

static void
write_verdict(struct out *o, const struct question *q, enum verdict verdict,
              const char *text)
{
	bool known = q->usual.n >= REFERENCE_LEAST;
	char *assumed = assumed_text(q), *what = xstrdup(text);

	if (assumed)
		xappend(&what, " ", "Assumed: %s", assumed);
	out_text(o, known ? "published" : "model");
	out_text(o, "");
	out_text(o, "");
	out_text(o, verdict_names[verdict]);
	out_text(o, what);
	out_double(o, known ? q->usual.p10 * q->bound : (double)NAN);
	out_double(o, q->bound);
	out_double(o, known ? (double)q->usual.n : (double)NAN);
	out_text(o, "");
	free(what);
	free(assumed);
}

static void
write_cause(struct out *o, size_t rank, const struct cause *c)
{
	out_text(o, c->kind);
	if (c->score > 0)
		out_u64(o, rank);
	else
		out_text(o, "");
	out_text(o, c->name);
	out_text(o, c->score > 0 ? "fits" : "not ruled out");
	out_text(o, c->what);
	out_double(o, c->least);
	out_double(o, c->most);
	out_double(o, c->cases);
	out_text(o, c->separate);
}

static void
write_answer(struct out *o, const struct question *q, enum verdict verdict,
             const char *text, const struct causes *all)
{
	static const char *const names[] = {
	    "kind",         "rank",        "cause", "verdict", "what",
	    "least_gbit_s", "most_gbit_s", "cases", "separate"};

	out_begin(o, names, ARRAY_LEN(names));
	write_verdict(o, q, verdict, text);
	for (size_t i = 0; i < all->n; i++)
		write_cause(o, i + 1, &all->cause[i]);
	out_finish(o, true, NULL);
}

int
run_why(struct out *o, const struct options *options)
{
	static struct preamble pre;
	struct question q = {.options = options};
	struct causes all = {0};
	enum verdict verdict;
	char *text;

	set_number(&q, options);
	set_link(&q, options);
	set_usual(&q, options);
	verdict = judge(&q);
	text = verdict_text(&q, verdict);
	causes_find(&all, &q, verdict != VERDICT_IMPOSSIBLE);
	preamble_set(&pre, "tool", "pcb-model %s", program_version);
	preamble_add_command(&pre);
	o->preamble = &pre;
	if (o->format == FORMAT_TABLE)
		print_answer(&q, verdict, text, &all);
	else
		write_answer(o, &q, verdict, text, &all);
	causes_free(&all);
	free(text);
	preamble_free(&pre);
	return verdict == VERDICT_NORMAL ? STATUS_OK
	       : verdict == VERDICT_LOW || verdict == VERDICT_IMPOSSIBLE
	           ? STATUS_NO
	           : STATUS_ABSENT;
}
