/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-model why of a latency: what is public of such transfers, and no guess.
 */
#include "model/options.h"

#include "common/base/util.h"

#include <math.h>

/* High is from this times the p90 on. */
#define HIGH 1.1

/* Rows in a table without -a. */
#define SHOWN 5

struct row {
	char *what, *cause, *device, *source, *group;
	double ns, away;
};

/* The results of such transfers, and of healthy ones. */
struct results {
	struct row *row;
	size_t n;
	char *others; /* words of --for that have results, or NULL */
	double *ns;
	const char **group; /* sources of these */
	size_t nhealthy, sources;
};

static int
by_away(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->away > y->away) - (x->away < y->away);
}

static void
read_results(struct results *r, const char *who, const char *end, double ns)
{
	char *file;
	struct table *t = reference_open(&file, "latency");

	while (table_next(t)) {
		double is = table_number(t, need_column(t, "latency_ns"));
		const char *group, *whose = need_text(t, "initiator");

		if (strcmp(need_text(t, "direction"), end) != 0)
			continue;
		if (!r->others || !strstr(r->others, whose))
			xappend(&r->others, ", ", "--for %s", whose);
		if (strcmp(whose, who) != 0)
			continue;
		if (!(is > 0))
			table_refuse(t, need_column(t, "latency_ns"),
			             "must be greater than 0");
		array_push(r->row, r->n,
		           (struct row){xstrdup(need_text(t, "what")),
		                        xstrdup(need_text(t, "cause")),
		                        xstrdup(need_text(t, "device")),
		                        xstrdup(need_text(t, "source")),
		                        xstrdup(need_text(t, "group")), is,
		                        fabs(log(is / ns))});
		if (*need_text(t, "cause"))
			continue;
		group = r->row[r->n - 1].group;
		array_push(r->ns, r->nhealthy, is);
		if (find_word(group, r->group, r->sources) == r->sources)
			array_push(r->group, r->sources, group);
	}
	table_close(t);
	free(file);
	if (r->n)
		qsort(r->row, r->n, sizeof *r->row, by_away);
}

static char *
verdict_text(const struct results *r, double ns, const char *verdict,
             double p90)
{
	char *text = xasprintf("%s: %.4g us. ", verdict, ns / 1e3);

	if (!r->n)
		xappend(&text, "", "No such latency is public, but some of %s.",
		        r->others);
	else if (!isnan(p90))
		xappend(&text, "",
		        "Nine in ten of %zu public results of healthy devices, "
		        "from %zu sources, are at most %.4g us.",
		        r->nhealthy, r->sources, p90 / 1e3);
	else
		xappend(&text, "",
		        "Public results of healthy devices come from %zu "
		        "source%s only; the nearest, with any cause:",
		        r->sources, r->sources == 1 ? "" : "s");
	return text;
}

static void
print_rows(const struct results *r, bool all)
{
	for (size_t i = 0; i < r->n && (all || i < SHOWN); i++) {
		const struct row *row = &r->row[i];
		char *text = xasprintf("%s%s%s (%s; %s)", row->what,
		                       *row->cause ? ": " : "", row->cause,
		                       row->device, row->source);

		printf("%8.4g us  ", row->ns / 1e3);
		print_wrapped(13, 81, text);
		free(text);
	}
}

/* What decides where public results do not. */
static void
print_next(enum initiator initiator, bool peer)
{
	const char *bench = initiator == INITIATOR_CPU    ? "lat_mmio"
	                    : initiator == INITIATOR_NVME ? "lat_nvme"
	                                                  : "lat_rd";
	char *text =
	    peer ? xstrdup("Next: the same between two devices below one "
	                   "switch, as in nvidia-smi topo -m; pcb-model why "
	                   "with --memory peer judges the bandwidth.")
	         : xasprintf("Next: the same in another slot, on another NUMA "
	                     "node or machine: pcb-collect %s -d DEVICE | "
	                     "pcb-stats; pcb-diff compares the two.",
	                     bench);

	print_wrapped(0, 81, text);
	free(text);
}

static void
write_rows(struct out *o, const struct results *r, double ns,
           const char *verdict, double p90)
{
	static struct row none = {"", "", "", "", "", 0, 0};

	for (size_t i = 0; i <= r->n; i++) {
		const struct row *row = i ? &r->row[i - 1] : &none;

		OUT(o, TEXT("kind", "published"),
		    TEXT("verdict", i ? "" : verdict),
		    VALUE("latency_ns", i ? row->ns : ns),
		    VALUE("p90_ns", i ? NAN : p90),
		    i ? TEXT("sources", "") : VALUE("sources", r->sources),
		    TEXT("what", row->what), TEXT("cause", row->cause),
		    TEXT("device", row->device), TEXT("source", row->source));
		out_end_row(o);
	}
	out_finish(o, true, NULL);
}

int
why_latency(struct out *o, const struct options *options, double ns)
{
	static struct results r;
	enum initiator initiator = reference_initiator(
	    options, link_config_of(&options->link).link.lanes, INITIATOR_NIC);
	const char *who =
	    initiator == INITIATOR_GPU_COPY || initiator == INITIATOR_GPU_CORE
	        ? "gpu"
	        : initiator_names[initiator];
	const char *verdict = "no reference";
	double p90 = NAN;
	int status = STATUS_ABSENT;

	read_results(&r, who, options->memory == MEMORY_PEER ? "peer" : "host",
	             ns);
	if (r.sources >= REFERENCE_SOURCES && r.nhealthy >= REFERENCE_LEAST) {
		p90 = quantile_of(r.ns, r.nhealthy, 0.9);
		verdict = ns <= p90          ? "normal"
		          : ns <= HIGH * p90 ? "borderline"
		                             : "high";
		status = ns <= p90          ? STATUS_OK
		         : ns <= HIGH * p90 ? STATUS_ABSENT
		                            : STATUS_NO;
	}
	begin_stream(o);
	if (o->format == FORMAT_TABLE) {
		char *text = verdict_text(&r, ns, verdict, p90);

		print_wrapped(0, 81, text);
		free(text);
		print_rows(&r, options->all);
		if (status)
			print_next(initiator, options->memory == MEMORY_PEER);
	} else {
		write_rows(o, &r, ns, verdict, p90);
	}
	return status;
}
