/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units, checks and columns of a point; points of a sweep; orders of units. */
#include "collect/core/point.h"

#include "common/base/intmath.h"
#include "common/base/util.h"

#define MICROSECOND  UINT64_C(1000000) /* ps */
#define LEAST_BUFFER (UINT64_C(64) << 20)

const char *const pattern_names[] = {
    [PATTERN_RANDOM] = "random",
    [PATTERN_SEQUENTIAL] = "sequential",
};

const char *const idle_names[NIDLE_BY] = {
    [IDLE_SLEEP] = "sleep",
    [IDLE_SPIN] = "spin",
};

uint64_t
point_unit(const struct point *point)
{
	uint64_t lines = point->window / LINE;
	uint64_t end;

	if (__builtin_add_overflow(point->offset, point->size, &end) ||
	    end > lines * LINE)
		return 0;
	return div_round_up(end, LINE) * LINE;
}

uint64_t
point_units(const struct point *point)
{
	uint64_t unit = point_unit(point);

	return unit ? point->window / unit : 0;
}

uint64_t
point_buffer(const struct request *request, uint64_t llc)
{
	if (request->buffer)
		return request->buffer;
	return 4 * llc < LEAST_BUFFER ? LEAST_BUFFER : 4 * llc;
}

bool
point_check(struct session *s, const struct point *point, uint64_t buffer)
{
	if (!point->size)
		return fail(s, STATUS_TROUBLE, "a transfer of 0 bytes");
	if (point->window > buffer)
		return fail(s, STATUS_TROUBLE,
		            "a window of %ju bytes is larger than the buffer "
		            "(-b) of %ju",
		            (uintmax_t)point->window, (uintmax_t)buffer);
	return point_unit(point) ||
	       fail(s, STATUS_TROUBLE,
	            "a window of %ju bytes does not hold %ju bytes at offset "
	            "%ju, rounded up to whole lines: give a larger -w",
	            (uintmax_t)point->window, (uintmax_t)point->size,
	            (uintmax_t)point->offset);
}

void
point_identify(struct series *series, const struct point *point)
{
	series_set(series, ID_SIZE, "%ju", (uintmax_t)point->size);
	series_set(series, ID_OFFSET, "%ju", (uintmax_t)point->offset);
	series_set(series, ID_WINDOW, "%ju", (uintmax_t)point->window);
	series_set(series, ID_PATTERN, "%s", pattern_names[point->pattern]);
	series_set(series, ID_CACHE, "%s", cache_names[point->cache]);
}

size_t
sweep_points(const struct sweep *sweep)
{
	return sweep->size.n * sweep->offset.n * sweep->window.n *
	       sweep->npatterns * sweep->ncaches * sweep->nnodes *
	       max_u64(1, sweep->nidles) * sweep->nidle_by;
}

/* The next digit of *index, in mixed radix. */
static size_t
digit(size_t *index, size_t radix)
{
	size_t d = *index % radix;

	*index /= radix;
	return d;
}

/* Sizes change fastest, so that a sweep over sizes gives adjacent rows. */
struct point
sweep_point(const struct sweep *sweep, size_t index)
{
	struct point p;

	p.size = sweep->size.value[digit(&index, sweep->size.n)];
	p.offset = sweep->offset.value[digit(&index, sweep->offset.n)];
	p.window = sweep->window.value[digit(&index, sweep->window.n)];
	p.pattern =
	    (enum pattern)sweep->pattern[digit(&index, sweep->npatterns)];
	p.cache = (enum cache)sweep->cache[digit(&index, sweep->ncaches)];
	p.node = sweep->node[digit(&index, sweep->nnodes)];
	p.idle_by =
	    (enum idle_by)sweep->idle_by[digit(&index, sweep->nidle_by)];
	p.idle = sweep->nidles ? sweep->idle[digit(&index, sweep->nidles)] : 0;
	return p;
}

static void
add_number(char **text, const struct size_list *list, const char *name,
           uint64_t value)
{
	if (list->n > 1)
		xappend(text, " ", "%s=%ju", name, (uintmax_t)value);
}

char *
sweep_text(const struct sweep *sweep, const struct point *p)
{
	char *text = xstrdup("");

	add_number(&text, &sweep->size, "size_bytes", p->size);
	add_number(&text, &sweep->offset, "offset_bytes", p->offset);
	add_number(&text, &sweep->window, "window_bytes", p->window);
	if (sweep->npatterns > 1)
		xappend(&text, " ", "pattern=%s", pattern_names[p->pattern]);
	if (sweep->ncaches > 1)
		xappend(&text, " ", "cache=%s", cache_names[p->cache]);
	if (sweep->nnodes > 1 && p->node >= 0)
		xappend(&text, " ", "node=%d", p->node);
	else if (sweep->nnodes > 1)
		xappend(&text, " ", "node=%s",
		        p->node == NODE_LOCAL ? "local" : "remote");
	if (sweep->nidles > 1)
		xappend(&text, " ", "idle=%ju us",
		        (uintmax_t)(p->idle / MICROSECOND));
	return text;
}

void
order_begin(struct order *order, uint64_t units, bool random,
            bool without_replacement)
{
	uint64_t state = order->state;

	order_free(order);
	*order = (struct order){.units = units,
	                        .random = random,
	                        .without_replacement = without_replacement,
	                        .state = state};
	if (!random || !without_replacement)
		return;
	order->permutation = xcalloc(units, sizeof *order->permutation);
	for (uint64_t i = 0; i < units; i++)
		order->permutation[i] = (uint32_t)i;
}

/* Shuffles step by step with each draw (Fisher and Yates, from the front). */
static uint64_t
draw(struct order *order)
{
	uint64_t at = order->next;
	uint64_t other = at + random_below(&order->state, order->units - at);
	uint32_t unit = order->permutation[other];

	order->permutation[other] = order->permutation[at];
	order->permutation[at] = unit;
	return unit;
}

uint64_t
order_next(struct order *order)
{
	uint64_t unit = order->next;

	if (order->permutation)
		unit = draw(order);
	else if (order->random)
		unit = random_below(&order->state, order->units);
	if (++order->next == order->units)
		order->next = 0;
	return unit;
}

void
order_take(struct order *order, uint32_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (uint32_t)order_next(order);
}

void
order_free(struct order *order)
{
	free(order->permutation);
	order->permutation = NULL;
}
