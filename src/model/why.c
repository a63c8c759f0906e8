/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model why: whether a bandwidth is normal, and what may be the cause. */
#include "model/causes.h"

#include "common/base/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tolerance of a cause's range, as a part of the number. */
#define USUAL_TOLERANCE 0.06

/* Borderline is from this part of the p10, or of the number before, on. */
#define BORDERLINE 0.9
#define UNCHANGED  0.97

/* Causes in a table without -a. */
#define SHOWN 3

/* Shorter transfers are no copies. */
#define LEAST_COPY 65536

/* The reference of shorter transfers is not that of long ones. */
#define LEAST_LONG 512

/* The largest MPS of the specification. */
#define MPS_MOST 4096

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

/* As --for says, else the class of the device, else what is usual. */
static enum initiator
find_initiator(const struct options *o, const struct question *q)
{
	const struct pci_facts *f = &o->link.facts;

	if (options_given(&o->parser, "engine") && o->whose)
		die_usage("--engine is for --for gpu");
	if (options_given(&o->parser, "for") ||
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
	if (o->nic.n || o->nic.rate || (q->size_known && q->size < LEAST_COPY))
		return INITIATOR_NIC;
	return q->config.link.lanes <= 4 ? INITIATOR_NVME : INITIATOR_GPU_COPY;
}

static enum traffic
find_traffic(const struct options *o, enum initiator initiator)
{
	static const char *const benches[] = {"bw_rd", "bw_wr", "bw_rdwr"};
	const char *bench = o->bench                     ? o->bench
	                    : initiator == INITIATOR_CPU ? "bw_wr"
	                                                 : "bw_rd";
	size_t i = find_word(bench, benches, ARRAY_LEN(benches));

	if (i == ARRAY_LEN(benches))
		die_usage("--bench '%s': not bw_rd, bw_wr or bw_rdwr", bench);
	return (enum traffic)i +
	       (o->memory == MEMORY_PEER ? TRAFFIC_PEER_READ : TRAFFIC_READ);
}

static void
set_bounds(struct question *q)
{
	const struct link *link = &q->config.link;

	q->bound = question_bound(q, link->gen, link->lanes, 0);
	q->most = q->options->nic.n
	              ? link_raw_gbit_s(link)
	              : question_bound(q, link->gen, link->lanes,
	                               q->mps_known ? 0 : MPS_MOST);
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
	if (o->sweep.size.n > 1)
		die_usage("-s: one size at a time");
	q->before = o->before_gbit_s;
	q->tolerance = USUAL_TOLERANCE;
	if (o->tolerance.den)
		q->tolerance =
		    (double)o->tolerance.num / (double)o->tolerance.den;
	if (q->tolerance <= 0)
		die_usage("--tolerance: must be more than 0");
	q->config = link_config_of(l);
	/* Bounds are causes of their own here. */
	q->config.bounds = (struct bounds){0};
	q->mps_known = l->given[MPS] || l->path.n ||
	               (l->grammar && strstr(l->grammar, "mps"));
	q->size_known = options_given(&o->parser, "size");
	q->size = o->sweep.size.value[0];
	q->initiator = find_initiator(o, q);
	q->traffic = find_traffic(o, q->initiator);
	q->work = traffic_work(q->traffic);
	if (!q->size_known)
		q->size = reference_size(q->initiator);
	set_bounds(q);
	/* A link that sleeps is awake while data moves. */
	if (q->gbit_s > q->most && l->facts.most_gen > q->config.link.gen) {
		q->asleep = q->config.link.gen;
		q->config.link.gen = q->config.back.gen = l->facts.most_gen;
		set_bounds(q);
	}
	reference_read(&r, o->reference);
	if (!o->nic.n &&
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
	return q->before > 0 && (!known || now > verdict) ? now : verdict;
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
	const struct link *link = &q->config.link;
	double raw = link_raw_gbit_s(link), number = q->gbit_s;
	char *text = NULL;

	if (verdict == VERDICT_IMPOSSIBLE)
		return xasprintf("%.4g GB/s is more than gen%ux%u carries%s: "
		                 "%.4g GB/s%s.",
		                 number / 8, link->gen, link->lanes,
		                 number > raw ? "" : " of data",
		                 (number > raw ? raw : q->most) / 8,
		                 number > raw ? " at its raw rate" : "");
	xappend(&text, "",
	        "%.4g GB/s is %.0f %% of what gen%ux%u carries, %.4g GB/s",
	        number / 8, 100 * number / q->bound, link->gen, link->lanes,
	        q->bound / 8);
	if (number > 1.005 * q->bound)
		xappend(&text, "", " with MPS %u: here MPS must be larger",
		        link->mps);
	if (q->before > 0)
		xappend(&text, "", ", and %.0f %% of the number before",
		        100 * number / q->before);
	xappend(&text, "", ".");
	if (q->usual.n >= REFERENCE_LEAST)
		say_usual(&text, q);
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
	if (list)
		xappend(text, " Assumed: ", "%s.", list);
	free(list);
}

/* Rows and text ------------------------------------------------------------ */

/*
 * Wraps a text at the width of the terminal, at most 80, and indents its lines
 * if it begins with a number or blanks.
 */
static void PRINTF_LIKE(1, 2) print_text(const char *fmt, ...)
{
	size_t columns = terminal_size().columns;
	size_t indent, end = columns && columns < 80 ? columns + 1 : 81;
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	indent = *text < 'A' ? 3 : 0;
	printf("%.*s", (int)indent, text);
	print_wrapped(indent, end, text + indent);
	free(text);
}

/* Decimals for three digits. */
static int
digits(double value)
{
	return value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
}

static void
print_answer(const struct question *q, const char *verdict, const char *text,
             const struct causes *all)
{
	bool is_normal = !strcmp(verdict, verdict_names[VERDICT_NORMAL]);
	size_t shown = q->options->all ? all->n : is_normal ? 0 : SHOWN;
	const char *assumed = strstr(text, " Assumed: ");
	size_t length = assumed ? (size_t)(assumed - text) : strlen(text);

	print_text("%s: %.*s", verdict, (int)length, text);
	if (text[length])
		print_text("%s", text + length + 1);
	for (size_t i = 0; i < all->n && i < shown; i++) {
		const struct cause *c = &all->cause[i];
		char rank[24] = "  ";

		if (c->score > 0)
			snprintf(rank, sizeof rank, "%zu.", i + 1);
		if (!(c->score > 0))
			print_text("%-2s %s: %s", rank, c->name, c->what);
		else
			print_text("%-2s %s: %s; %.*f to %.*f GB/s", rank,
			           c->name, c->what, digits(c->least / 8),
			           c->least / 8, digits(c->most / 8),
			           c->most / 8);
		print_text("   %s", c->separate);
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
             char *text, const struct causes *all)
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
	static const int status[] = {[VERDICT_NORMAL] = STATUS_OK,
	                             [VERDICT_BORDERLINE] = STATUS_ABSENT,
	                             [VERDICT_LOW] = STATUS_NO,
	                             [VERDICT_IMPOSSIBLE] = STATUS_NO,
	                             [VERDICT_UNKNOWN] = STATUS_ABSENT};
	static struct preamble pre;
	struct question q = {.options = options};
	struct causes all = {0};
	enum verdict verdict;
	char *text;

	set_question(&q, options);
	verdict = judge(&q);
	text = verdict_text(&q, verdict);
	say_assumed(&text, &q);
	causes_find(&all, &q);
	preamble_set(&pre, "tool", "pcb-model %s", program_version);
	preamble_add_command(&pre);
	o->preamble = &pre;
	if ((o->format ? o->format : default_format()) == FORMAT_TABLE)
		print_answer(&q, verdict_names[verdict], text, &all);
	else
		write_answer(o, &q, verdict_names[verdict], text, &all);
	for (size_t i = 0; i < all.n; i++)
		cause_free(&all.cause[i]);
	free(all.cause);
	free(text);
	preamble_free(&pre);
	return status[verdict];
}
