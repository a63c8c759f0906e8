/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts together what files and registers say of each device and what was
 * measured: judges each number against the path as it could be, and asks the
 * causes why it is low.
 */
#include "doctor/devices.h"

#include "common/cell/cells.h"
#include "common/cell/evidence.h"
#include "doctor/results.h"

#include <math.h>

/* Transfers that only the link limits, bytes. */
#define LARGE ((uint64_t)1 << 20)

/* Numbers of programs are rounded; their clocks are not exact. */
#define ROUNDING 0.005

/* Causes shown of a device, and the sum of their probability. */
#define SHOWN      3
#define SHOWN_PART 0.8

static const char *const way_texts[NWAYS] = {"to it", "from it",
                                             "between devices"};

/* Devices ------------------------------------------------------------------ */

static void
list_devices(struct devices *all, const bool *chosen)
{
	const struct machine *m = all->m;

	all->at = xcalloc(m->nnodes + 1, sizeof *all->at);
	for (size_t i = 0; i < m->nnodes; i++) {
		struct device e = {.node = i, .f = m->node[i].function};
		const struct fact *limit;

		all->at[i] = SIZE_MAX;
		if (machine_is_memory(m, i) || m->node[i].root ||
		    m->node[i].inner || (e.f && !m->node[i].class) ||
		    (e.f && chosen && !chosen[e.f - m->tree->function]))
			continue;
		if (e.f)
			e.links = doctor_find_links(m->tree, e.f);
		limit = e.f ? facts_last(&m->tree->facts, e.f->bdf, FACT_LIMIT,
		                         FROM_LOG)
		            : NULL;
		e.boot = limit ? limit->value : NULL;
		all->at[i] = all->n;
		all->item = with_room(all->item, all->n, sizeof *all->item);
		all->item[all->n++] = e;
	}
}

/* Verdicts ----------------------------------------------------------------- */

static enum initiator
initiator_of(const struct devices *all, const struct device *e, bool sm)
{
	enum pci_class class = all->m->node[e->node].class;

	return class == CLASS_NVME  ? INITIATOR_NVME
	       : class == CLASS_NIC ? INITIATOR_NIC
	       : sm                 ? INITIATOR_GPU_CORE
	                            : INITIATOR_GPU_COPY;
}

/* The path with each link as it could be; false if no link is known. */
static bool
set_config(const struct device *e, struct question *q)
{
	struct path path = {0};

	q->config.link = q->config.back = e->links.could;
	if (e->links.could.bus != BUS_PCIE)
		return false;
	if (e->needs || !e->f || path_find(&path, e->f))
		return true;
	q->config = path_link_config(&path);
	q->config.path = NULL;
	q->mps_known = e->f->pcie.mps > 0;
	q->config.link.gen = q->config.back.gen = e->links.could.gen;
	q->config.link.lanes = q->config.back.lanes = e->links.could.lanes;
	q->config.link.flit = q->config.back.flit = e->links.could.flit;
	path_free(&path);
	return true;
}

static void
judge_way(struct devices *all, struct device *e, struct measure *w)
{
	struct question *q = &w->q;

	q->initiator = initiator_of(all, e, w->sm);
	q->number = w->gbit_s;
	q->rounding = ROUNDING;
	q->size = reference_size(q->initiator);
	q->vendor =
	    e->f && q->initiator != INITIATOR_NVME ? doctor_vendor(e->f) : "";
	w->verdict = VERDICT_UNKNOWN;
	if (!set_config(e, q))
		return;
	question_set_bounds(q);
	w->usual = reference_usual(&all->reference, q->initiator, q->traffic,
	                           e->links.could.gen, q->vendor);
	/* A link that the numbers need says nothing of them. */
	if (!e->needs)
		w->verdict = question_judge(q, &w->usual, w->gbit_s);
}

/* Devices of the same kind: what one reaches, the others could. */
static bool
is_alike(const struct devices *all, const struct device *a,
         const struct device *b)
{
	/* Drives and NICs of a result may be of any model. */
	if (!a->f || !b->f)
		return a == b || (!a->f && !b->f &&
		                  all->m->node[a->node].class == CLASS_GPU &&
		                  all->m->node[b->node].class == CLASS_GPU);
	return all->m->node[a->node].class == all->m->node[b->node].class &&
	       a->f->vendor_id == b->f->vendor_id &&
	       a->f->device_id == b->f->device_id;
}

/* How many are alike and measured, and the best of them. */
static size_t
like_of(const struct devices *all, const struct device *e, enum way way,
        double *best)
{
	size_t n = 0;

	*best = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct measure *w = &all->item[i].way[way];

		if (w->gbit_s <= 0 || w->both != e->way[way].both ||
		    !is_alike(all, e, &all->item[i]))
			continue;
		n++;
		*best = fmax(*best, w->gbit_s);
	}
	return n;
}

static unsigned
severity(const struct measure *w)
{
	static const unsigned of[NVERDICTS] = {[VERDICT_NORMAL] = 1,
	                                       [VERDICT_UNKNOWN] = 2,
	                                       [VERDICT_BORDERLINE] = 3,
	                                       [VERDICT_LOW] = 4,
	                                       [VERDICT_IMPOSSIBLE] = 5};

	return w->gbit_s > 0 ? of[w->verdict] : 0;
}

double
share_of(const struct measure *w)
{
	return w->q.bound > 0 ? w->gbit_s / w->q.bound : (double)NAN;
}

/* The least link that carries what the best of its like reached. */
static void
set_needed(struct devices *all, struct device *e)
{
	enum pci_class class = all->m->node[e->node].class;
	double best[NWAYS], most;

	if (e->links.could.bus == BUS_PCIE)
		return;
	for (enum way k = 0; k < NWAYS; k++)
		like_of(all, e, k, &best[k]);
	most = fmax(fmax(best[WAY_TO], best[WAY_FROM]),
	            fmax(best[WAY_PEER], e->way[WAY_PEER].staged));
	for (unsigned gen = 1; most > 0 && gen <= LAST_GEN; gen++) {
		struct link_config how = {.accounting = ACCOUNTING_TRAFFIC};
		struct link link = link_usual;
		char text[16];

		snprintf(text, sizeof text, "gen%ux%d", gen,
		         class == CLASS_NVME ? 4 : 16);
		if (link_parse_brief(text, &link))
			continue;
		how.link = how.back = link;
		if (traffic_gbit_s(&how, TRAFFIC_WRITE, LARGE) < most)
			continue;
		e->links.could = link;
		e->needs = true;
		return;
	}
}

/* Of files that differ, the lowest counts: what is low must not hide. */
static void
join_files(const struct devices *all, const struct device *e, struct measure *w)
{
	double least = fmin(w->in_file, w->least), most = w->gbit_s;

	if (w->least <= 0 || least >= APART * most)
		return;
	warn("%s: files differ: %.4g and %.4g GB/s %s; the lower one counts",
	     machine_name(all->m, e->node), least / 8, most / 8,
	     way_texts[w - e->way]);
	w->gbit_s = least;
}

/* A number that the lanes of the link now cannot carry, at any rate. */
static void
see_contradiction(struct device *e, struct measure *w)
{
	if (e->links.now.bus != BUS_PCIE ||
	    e->links.now.lanes >= e->links.could.lanes || w->q.bound <= 0 ||
	    w->gbit_s <= (1 + ROUNDING) * question_bound(&w->q,
	                                                 e->links.could.gen,
	                                                 e->links.now.lanes, 0))
		return;
	e->contradicts = true;
	w->verdict = VERDICT_IMPOSSIBLE;
}

static void
judge_device(struct devices *all, struct device *e)
{
	for (size_t k = 0; k < NWAYS; k++) {
		struct measure *w = &e->way[k];

		if (w->gbit_s <= 0)
			continue;
		join_files(all, e, w);
		judge_way(all, e, w);
		see_contradiction(e, w);
		/* Worse than through memory: P2P does not work. */
		if (w->gbit_s < APART * w->staged && !w->both)
			w->verdict = VERDICT_LOW;
	}
}

static void
compare_device(struct devices *all, struct device *e)
{
	for (enum way k = 0; k < NWAYS; k++) {
		struct measure *w = &e->way[k];
		double best;

		if (w->gbit_s <= 0)
			continue;
		e->apart[k] =
		    like_of(all, e, k, &best) > 1 && w->gbit_s < APART * best;
		if (e->apart[k] && (w->verdict == VERDICT_UNKNOWN ||
		                    w->verdict == VERDICT_BORDERLINE))
			w->verdict = VERDICT_LOW;
	}
	for (enum way k = 1; k < NWAYS; k++) {
		const struct measure *w = &e->way[k], *of = &e->way[e->worst];

		if (severity(w) > severity(of) ||
		    (severity(w) == severity(of) &&
		     (share_of(w) < share_of(of) ||
		      (isnan(share_of(of)) && w->gbit_s < of->gbit_s))))
			e->worst = k;
	}
}

bool
device_is_low(const struct device *e)
{
	enum verdict verdict = e->way[e->worst].verdict;

	return e->way[e->worst].gbit_s > 0 &&
	       (verdict == VERDICT_LOW || verdict == VERDICT_IMPOSSIBLE);
}

/* Causes ------------------------------------------------------------------- */

static void
see(struct devices *all, struct device *e, const char *name, const char *value,
    const char *source)
{
	const struct observation *o =
	    causes_observation(&all->causes, name, value);

	for (size_t i = 0; i < e->nseen; i++) {
		if (!strcmp(e->seen[i].observation->name, name))
			return;
	}
	if (o && observation_applies(o, &e->way[e->worst].q))
		array_push(e->seen, e->nseen, (struct seen){o, source, false});
}

/* Where registers and files are from. */
static const char *
source_of(const struct devices *all)
{
	return all->in->names ? "the dump" : "this machine";
}

/* Whether the link has less than it could, apart from a rate at rest. */
static bool
is_lowered(const struct device *e)
{
	return e->links.now.bus == BUS_PCIE &&
	       (e->links.now.lanes < e->links.could.lanes ||
	        (!e->links.sleeps && e->links.now.gen < e->links.could.gen));
}

/* The link now against what it could be: rates count only while it is awake. */
static void
see_link(struct devices *all, struct device *e)
{
	const char *from = source_of(all);

	if (e->links.now.bus != BUS_PCIE)
		return;
	if (is_lowered(e))
		see(all, e, "link_now", "below", from);
	else if (e->links.sleeps)
		see(all, e, "link_rest", "lanes_as_stated", from);
	else
		see(all, e, "link_now", "as_stated", from);
}

/* Of devices alike, how many are low and how many good, below a node. */
struct split {
	size_t low, good;
};

static struct split
split_below(const struct devices *all, const struct device *e, size_t above)
{
	struct split n = {0};

	for (size_t i = 0; i < all->n; i++) {
		const struct device *of = &all->item[i];
		size_t at = of->node;

		if (!is_alike(all, e, of) || of->way[e->worst].gbit_s <= 0)
			continue;
		while (at != MACHINE_NONE && at != above)
			at = machine_above(all->m, at);
		if (at == above && of->apart[e->worst])
			n.low++;
		else if (at == above)
			n.good++;
	}
	return n;
}

/* The same without a machine: if they are neighbours in the order of numbers.
 */
static const char *
neighbours_of(const struct devices *all, const struct device *e, size_t low)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct device *of = &all->item[i];

		if (of->way[e->worst].gbit_s <= 0)
			continue;
		if (!of->apart[e->worst] && n)
			break;
		n += of->apart[e->worst];
	}
	return n > 1 && n == low ? "by_half" : NULL;
}

/*
 * If the low ones and no others are below one node: one_uplink, below a bridge
 * in a NUMA node where others are good; one_node, on a NUMA node and not below
 * one bridge; or by_half, if that does not decide. Else NULL.
 */
static const char *
half_of(const struct devices *all, const struct device *e)
{
	const struct machine *m = all->m;
	size_t all_low = 0, least = MACHINE_NONE, at = e->node;

	for (size_t i = 0; i < all->n; i++)
		all_low += is_alike(all, e, &all->item[i]) &&
		           all->item[i].apart[e->worst];
	while (machine_above(m, at) != MACHINE_NONE) {
		struct split n = split_below(all, e, at = machine_above(m, at));

		if (least == MACHINE_NONE && n.low > 1 && n.low == all_low &&
		    !n.good)
			least = at;
	}
	if (least == MACHINE_NONE)
		return e->f ? NULL : neighbours_of(all, e, all_low);
	if (m->node[least].function)
		return split_below(all, e, at).good ? "one_uplink" : "by_half";
	return m->node[least].memory ? "one_node" : "by_half";
}

static void
see_siblings(struct devices *all, struct device *e)
{
	const char *source = "the result", *half = half_of(all, e);
	double best;
	size_t n = like_of(all, e, e->worst, &best), low = 0;

	for (size_t i = 0; i < all->n; i++)
		low += is_alike(all, e, &all->item[i]) &&
		       all->item[i].apart[e->worst];
	e->like = n > 1;
	if (n < 2)
		return;
	if (!low)
		see(all, e, "siblings", "all_low", source);
	else if (e->apart[e->worst] && half)
		see(all, e, "siblings", "by_half", source);
	else if (e->apart[e->worst] && n > 2 && low == 1)
		see(all, e, "siblings", "one_low", source);
	if (half && strcmp(half, "by_half") != 0)
		see(all, e, "where_low", half, source);
}

static void
see_results(struct devices *all, struct device *e)
{
	const struct measure *w = &e->way[e->worst];
	const struct measure *other =
	    &e->way[e->worst == WAY_TO ? WAY_FROM : WAY_TO];

	if (e->worst != WAY_PEER && other->gbit_s > 0)
		see(all, e, "other_dir",
		    severity(other) >
		            severity(&(struct measure){
		                .gbit_s = 1, .verdict = VERDICT_BORDERLINE})
		        ? "low_too"
		        : "good",
		    "the result");
	if (e->worst != WAY_PEER)
		return;
	if (e->f)
		see(all, e, "topo",
		    w->crosses == CROSS_SOCKET ? "sys"
		    : w->crosses == CROSS_ROOT ? "host_bridge"
		                               : "switch",
		    source_of(all));
	see(all, e, "p2p", "on", "the result");
}

/* What else the sources show of it. */
static void
see_device(struct devices *all, struct device *e)
{
	struct path path = {.n = 0};
	struct subject of = {.tree = all->m->tree,
	                     .machine = all->m,
	                     .device = e->f,
	                     .path = &path,
	                     .traffic = e->way[e->worst].q.traffic,
	                     .from = source_of(all),
	                     .here = !all->in->names,
	                     .guest = all->d->virtual_machine};

	if (!e->f || path_find(&path, e->f))
		return;
	evidence_find(&of);
	for (size_t i = 0; i < of.n; i++) {
		/* What its like reach says more than that a path is shared. */
		if (!e->like || strcmp(of.found[i].name, "path") != 0)
			see(all, e, of.found[i].name, of.found[i].value,
			    of.found[i].source);
	}
	path_free(&path);
}

static void
ask_causes(struct devices *all, struct device *e)
{
	if (!all->causes.n)
		causes_read(&all->causes, &all->reference, NULL);
	see_link(all, e);
	see_siblings(all, e);
	see_results(all, e);
	see_device(all, e);
	if (e->way[e->worst].q.bound <= 0)
		return;
	e->belief = xcalloc(all->causes.n, sizeof *e->belief);
	e->n = causes_believe(&all->causes, &e->way[e->worst].q, e->seen,
	                      e->nseen, e->belief);
}

/* Findings ----------------------------------------------------------------- */

/* Gives each device its worst finding, by name. */
static void
name_findings(struct devices *all)
{
	const struct pci_tree *tree = all->d->tree;
	const struct doctor_finding **worst =
	    xcalloc(tree->n + 1, sizeof *worst);

	for (size_t i = 0; i < all->d->found.n; i++) {
		const struct doctor_finding *f = &all->d->found.row[i];
		const struct pci_function *function = pci_find(tree, f->device);
		size_t at = function ? (size_t)(function - tree->function) : 0;

		if (function && f->sure != SURE_BY_DESIGN &&
		    (!worst[at] || f->sure > worst[at]->sure))
			worst[at] = f;
	}
	for (size_t i = 0; i < all->n; i++) {
		const struct pci_function *f = all->item[i].f;

		if (f && worst[f - tree->function])
			all->item[i].finding = worst[f - tree->function]->check;
	}
	free(worst);
}

/* "81 %: the link is ... (the result: the only low one of its kind)". */
static void
say_causes(char **text, const struct device *e)
{
	double sum = 0;

	for (size_t i = 0; i < e->n && i < SHOWN && sum < SHOWN_PART; i++) {
		const struct belief *b = &e->belief[i];

		sum += b->probability;
		xappend(text, "; ", "%.0f %%: ", 100 * b->probability);
		if (!strcmp(b->name, "link") && is_lowered(e))
			xappend(text, "", "the link is gen%ux%u, not gen%ux%u",
			        e->links.sleeps ? e->links.could.gen
			                        : e->links.now.gen,
			        e->links.now.lanes, e->links.could.gen,
			        e->links.could.lanes);
		else if (b->gen)
			xappend(text, "", "the link is gen%ux%u, not gen%ux%u",
			        b->gen, b->lanes, e->links.could.gen,
			        e->links.could.lanes);
		else
			xappend(text, "", "%s", b->cause->what);
		if (b->by)
			xappend(text, "", " (%s: %s)", b->by->source,
			        b->by->observation->words);
	}
}

/* What would decide between the causes of its worst number; or NULL. */
static const char *
asks_of(const struct devices *all, const struct device *e)
{
	const struct observation *o =
	    causes_ask(&all->causes, &e->way[e->worst].q, e->seen, e->nseen,
	               e->belief, e->n, NULL);

	return o ? o->ask : NULL;
}

/* What to do next: to see which cause it is, or to confirm it. */
static char *
next_text(const struct devices *all, const struct device *e)
{
	const struct measure *w = &e->way[e->worst];
	const char *asks;

	if (e->worst == WAY_PEER && w->gbit_s < APART * w->staged)
		return xstrdup("let programs copy through memory: "
		               "NCCL_P2P_DISABLE=1");
	if (!e->n)
		return xstrdup("");
	if (e->belief->probability >= CAUSE_CERTAIN)
		return belief_separate(e->belief,
		                       e->f ? doctor_short_bdf(e->f)
		                            : machine_name(all->m, e->node));
	asks = asks_of(all, e);
	return asks ? xasprintf("not decided; what would decide: %s", asks)
	            : xstrdup("");
}

/* Of the first borderline device, what would decide; it has no cause. */
static void
ask_borderline(struct devices *all, struct device *e)
{
	if (all->decides || e->way[e->worst].verdict != VERDICT_BORDERLINE)
		return;
	ask_causes(all, e);
	all->decides = asks_of(all, e);
	e->n = 0;
	free(e->belief);
	e->belief = NULL;
}

const char *
devices_kind(const struct devices *all)
{
	static const char *const kinds[] = {"simulated", "virtual", "published",
	                                    "model", "several"};
	static const char *const notes[] = {" (simulated)",        " (virtual)",
	                                    " (published)",        " (model)",
	                                    " (of several kinds)", ""};

	return notes[find_word(all->kind ? all->kind : "", kinds,
	                       ARRAY_LEN(kinds))];
}

/* The number and what it is compared with: "27.4 GB/s to it is 48 % of ...". */
static char *
number_against(const struct devices *all, const struct device *e)
{
	const struct measure *w = &e->way[e->worst];
	char *text =
	    xasprintf("%s: %.4g GB/s%s %s", machine_name(all->m, e->node),
	              w->gbit_s / 8, devices_kind(all), way_texts[e->worst]);
	double best;
	size_t alike = like_of(all, e, e->worst, &best);

	if (w->q.bound > 0)
		xappend(&text, "", " is %.0f %% of what gen%ux%u carries",
		        100 * share_of(w), e->links.could.gen,
		        e->links.could.lanes);
	if (e->apart[e->worst])
		xappend(&text, "", "%s %.0f %% below the best of %zu alike",
		        w->q.bound > 0 ? "," : " is",
		        100 * (1 - w->gbit_s / best), alike);
	return text;
}

/* Its finding about the link, which the number confirms; or NULL. */
static struct doctor_finding *
confirmed_finding(const struct doctor *d, const struct device *e)
{
	for (size_t i = 0; e->f && e->finding && i < d->found.n; i++) {
		struct doctor_finding *f = &d->found.row[i];

		if (!strncmp(f->check, "link_", 5) &&
		    f->sure != SURE_BY_DESIGN && !strcmp(f->device, e->f->bdf))
			return f;
	}
	return NULL;
}

/* A finding for what is low, or more certainty of that about its link. */
static void
add_finding(struct devices *all, struct doctor *d, const struct device *e)
{
	const struct measure *w = &e->way[e->worst];
	bool staged = e->worst == WAY_PEER && w->gbit_s < APART * w->staged;
	double best;
	/* Numbers of GPUs may be in another order: registers decide. */
	bool certain = e->f && is_lowered(e) && e->apart[e->worst] &&
	               like_of(all, e, e->worst, &best) > 2;
	struct doctor_finding *of_link;
	char *text, *next;

	if (!device_is_low(e))
		return;
	of_link = confirmed_finding(d, e);
	text = number_against(all, e);
	if (e->contradicts) {
		doctor_say(&doctor_add(d, "bandwidth", SURE_LIKELY, NULL, e->f,
		                       "%s; it is more than x%u carries, which "
		                       "its link has in %s",
		                       text, e->links.now.lanes,
		                       all->in->names ? all->in->names
		                                      : "its registers")
		                ->fix,
		           "they are of two times, orders of GPUs or machines: "
		           "take both again");
		free(text);
		return;
	}
	if (of_link && e->n && !strcmp(e->belief->name, "link")) {
		xappend(&of_link->what, "; ", "%s", text);
		d->found.certain += certain && of_link->sure != SURE_CERTAIN;
		if (certain)
			of_link->sure = SURE_CERTAIN;
		free(text);
		return;
	}
	if (staged)
		xappend(&text, "; ",
		        "copies through memory reach %.4g: P2P does not work "
		        "here",
		        w->staged / 8);
	else
		say_causes(&text, e);
	next = next_text(all, e);
	doctor_say(&doctor_add(d, "bandwidth",
	                       certain ? SURE_CERTAIN : SURE_LIKELY, NULL, e->f,
	                       "%s", text)
	                ->fix,
	           "%s", next);
	free(next);
	free(text);
}

bool
device_is_blank(const struct device *e)
{
	bool measured =
	    e->way[e->worst].gbit_s > 0 || e->way[WAY_PEER].staged > 0;

	return !measured && !e->finding && !e->boot &&
	       e->links.could.bus != BUS_PCIE;
}

/* What is low, then what was measured, has a finding, or a link. */
static unsigned
rank_of(const struct device *e)
{
	unsigned of = severity(&e->way[e->worst]);

	return of > 2                ? of + 2
	       : of                  ? 3
	       : e->finding          ? 2
	       : !device_is_blank(e) ? 1
	                             : 0;
}

/* Those of a rank are in the order of buses. */
static int
worst_first(const void *a, const void *b)
{
	const struct device *x = a, *y = b;

	if (rank_of(x) != rank_of(y))
		return rank_of(x) > rank_of(y) ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

struct devices *
devices_judge(struct doctor *d, const struct input *in, const bool *chosen)
{
	struct devices *all = xcalloc(1, sizeof *all);

	all->d = d;
	all->in = in;
	all->m = d->tree->n ? machine_of_facts((struct pci_tree *)d->tree)
	         : in->n    ? machine_of_results(in)
	                    : NULL;
	if (!all->m)
		return all;
	list_devices(all, chosen);
	if (in->n) {
		reference_read(&all->reference, "bandwidth");
		take_results(all);
	}
	for (size_t i = 0; i < all->n; i++)
		set_needed(all, &all->item[i]);
	for (size_t i = 0; i < all->n; i++)
		judge_device(all, &all->item[i]);
	for (size_t i = 0; i < all->n; i++)
		compare_device(all, &all->item[i]);
	name_findings(all);
	for (size_t i = 0; i < all->n; i++) {
		struct device *e = &all->item[i];

		if (device_is_low(e))
			ask_causes(all, e);
		else if (e->way[e->worst].gbit_s > 0)
			ask_borderline(all, e);
	}
	for (size_t i = 0; i < all->n; i++)
		add_finding(all, d, &all->item[i]);
	if (all->n)
		qsort(all->item, all->n, sizeof *all->item, worst_first);
	return all;
}

void
devices_free(struct devices *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->item[i].seen);
		free(all->item[i].belief);
	}
	free(all->item);
	free(all->at);
	free(all->kind);
	free(all->stranger);
	if (all->causes.n)
		causes_free(&all->causes);
	reference_free(&all->reference);
	if (all->m) {
		all->m->tree = NULL;
		machine_free(all->m);
	}
	free(all);
}
