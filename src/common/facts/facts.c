/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/facts/facts.h"

#include <math.h>

const char *const fact_sources[NSOURCES] = {[FROM_SYSFS] = "/sys",
                                            [FROM_SMI] = "nvidia-smi",
                                            [FROM_AMD] = "amd-smi",
                                            [FROM_LSPCI] = "lspci -t",
                                            [FROM_NCCL] = "NCCL",
                                            [FROM_LSTOPO] = "lstopo",
                                            [FROM_MATRIX] = "nvidia-smi topo",
                                            [FROM_LOG] = "kernel log"};

const char *const fact_names[NFACTS] = {
    [FACT_ABOVE] = "above",     [FACT_VENDOR] = "vendor",
    [FACT_DEVICE] = "device",   [FACT_CLASS] = "class",
    [FACT_NODE] = "node",       [FACT_GEN] = "gen",
    [FACT_LANES] = "lanes",     [FACT_MAX_GEN] = "max_gen",
    [FACT_L0S] = "l0s",         [FACT_MAX_LANES] = "max_lanes",
    [FACT_L1] = "l1",           [FACT_POWER] = "power",
    [FACT_ERROR] = "error",     [FACT_KIND] = "kind",
    [FACT_LIMIT] = "limit",     [FACT_PAIR_GEN] = "pair_gen",
    [FACT_IDLE] = "idle",       [FACT_PSTATE] = "pstate",
    [FACT_REPLAYS] = "replays", [FACT_ROLLOVERS] = "rollovers",
    [FACT_EVENT] = "event",     [FACT_PORT] = "port",
    [FACT_UUID] = "uuid",       [FACT_NAME] = "name",
    [FACT_TITLE] = "title",     [FACT_WAY] = "way",
    [FACT_HOPS] = "hops",       [FACT_WEIGHT] = "weight",
    [FACT_PEER] = "peer",       [FACT_PAIR_LANES] = "pair_lanes",
};

unsigned
facts_gen(double gt_s)
{
	static const double rates[] = {2.5, 5, 8, 16, 32, 64, 128};

	for (unsigned i = 0; i < ARRAY_LEN(rates); i++) {
		if (gt_s == rates[i])
			return i + 1;
	}
	return 0;
}

static void PRINTF_LIKE(4, 0)
    add(struct facts *facts, const char *bdf, struct fact fact,
        const char *format, va_list ap)
{
	fact.value = xvasprintf(format, ap);
	if (!*fact.value) {
		free(fact.value);
		return;
	}
	fact.order = facts->n;
	snprintf(fact.bdf, sizeof fact.bdf, "%s", bdf);
	array_push(facts->item, facts->n, fact);
}

void
facts_add(struct facts *facts, const char *bdf, enum fact_kind kind,
          enum fact_source source, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add(facts, bdf,
	    (struct fact){.kind = kind, .source = source, .time_s = NAN},
	    format, ap);
	va_end(ap);
}

void
facts_add_logged(struct facts *facts, const char *bdf, enum fact_kind kind,
                 double time_s, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	add(facts, bdf,
	    (struct fact){.kind = kind, .source = FROM_LOG, .time_s = time_s},
	    format, ap);
	va_end(ap);
}

static int
by_function(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	int order = bdf_order(x->bdf, y->bdf);

	return order                    ? order
	       : x->kind != y->kind     ? (x->kind < y->kind ? -1 : 1)
	       : x->source != y->source ? (x->source < y->source ? -1 : 1)
	                                : (x->order < y->order ? -1 : 1);
}

void
facts_order(struct facts *facts)
{
	if (facts->n)
		qsort(facts->item, facts->n, sizeof *facts->item, by_function);
}

const struct fact *
facts_find(const struct facts *facts, const char *bdf, enum fact_kind kind)
{
	size_t first = 0, end = facts ? facts->n : 0;

	while (first < end) {
		size_t middle = first + (end - first) / 2;
		const struct fact *f = &facts->item[middle];
		int order = bdf_order(f->bdf, bdf);

		if (order < 0 || (!order && f->kind < kind))
			first = middle + 1;
		else
			end = middle;
	}
	if (!facts || first == facts->n || facts->item[first].kind != kind ||
	    strcmp(facts->item[first].bdf, bdf) != 0)
		return NULL;
	return &facts->item[first];
}

const struct fact *
facts_next(const struct facts *facts, const struct fact *fact)
{
	const struct fact *next = fact + 1;

	return next < facts->item + facts->n && next->kind == fact->kind &&
	               !strcmp(next->bdf, fact->bdf)
	           ? next
	           : NULL;
}

const struct fact *
facts_last(const struct facts *facts, const char *bdf, enum fact_kind kind,
           enum fact_source source)
{
	const struct fact *f = facts_find(facts, bdf, kind), *last = NULL;

	for (; f; f = facts_next(facts, f))
		last = f->source == source ? f : last;
	return last;
}

long
facts_number(const struct facts *facts, const char *bdf, enum fact_kind kind,
             long missing)
{
	const struct fact *f = facts_find(facts, bdf, kind);

	return f ? strtol(f->value, NULL, 0) : missing;
}

/* Whether two facts of one function could be of one machine at two times. */
static bool
is_again(const struct facts *facts, const struct fact *a, const struct fact *b)
{
	/* The same boot shows a card that was swapped. */
	return a->source == FROM_LOG && b->source == FROM_LOG &&
	       (a->order < facts->log.boot) == (b->order < facts->log.boot);
}

char *
facts_two_machines(const struct facts *facts)
{
	size_t both = 0, others = 0;
	const struct fact *first = NULL;

	if (*facts->log.other)
		return xasprintf("lines of %s and %s", facts->log.host,
		                 facts->log.other);
	for (size_t i = 1; i < facts->n; i++) {
		const struct fact *b = &facts->item[i], *a = b - 1;

		if (a->kind != b->kind || strcmp(a->bdf, b->bdf) != 0 ||
		    (a->kind != FACT_VENDOR && a->kind != FACT_DEVICE &&
		     a->kind != FACT_UUID) ||
		    is_again(facts, a, b))
			continue;
		both++;
		if (strcasecmp(a->value, b->value) != 0) {
			others++;
			first = first ? first : b;
		}
	}
	/* One may be a card that was swapped. */
	return first && 2 * others > both
	           ? xasprintf("%s has %s %s and %s", first->bdf,
	                       fact_names[first->kind], first[-1].value,
	                       first->value)
	           : NULL;
}

bool
facts_gpu_rests(const struct facts *facts, const char *bdf)
{
	const struct fact *state = facts_find(facts, bdf, FACT_PSTATE);

	return facts_number(facts, bdf, FACT_IDLE, 0) > 0 ||
	       (state && strtoul(state->value + 1, NULL, 10) >= 5);
}

void
facts_free(struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++)
		free(facts->item[i].value);
	free(facts->item);
	free(facts->xml.xml.tag);
	*facts = (struct facts){0};
}
