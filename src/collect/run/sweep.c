/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The points of a sweep by index. */
#include "collect/run/sweep.h"

#include "common/base/util.h"

size_t
sweep_points(const struct sweep *sweep)
{
	return sweep->size.n * sweep->offset.n * sweep->window.n *
	       sweep->npatterns * sweep->ncaches * sweep->nnodes;
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
	p.pattern = sweep->pattern[digit(&index, sweep->npatterns)];
	p.cache = sweep->cache[digit(&index, sweep->ncaches)];
	p.node = sweep->node[digit(&index, sweep->nnodes)];
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
	return text;
}
