/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places a DMA buffer, checks points against it, sets caches. */
#include "collect/host/dma_buffer.h"

#include "collect/host/arch.h"
#include "collect/host/cpu_cache.h"

bool
dma_buffer_open(struct session *s, struct dma_buffer *b,
                const struct backend_option *options)
{
	const char *pages = option_value(s->request, options, "pages");
	const char *why = memory_parse_page(pages, &b->page);

	b->order.state = s->request->seed;
	return !why || fail(s, STATUS_TROUBLE, "-O pages=%s: %s", pages, why);
}

void
dma_buffer_warn_node(const struct dma_buffer *b, const char *device)
{
	memory_warn_local(device, b->home);
	if (b->home < 0 && !memory_one_node() && !memory_is_anywhere())
		warn("the firmware does not say which node %s is on: the node "
		     "of the CPU counts as local",
		     device);
}

static bool
can_flush(void)
{
	static const char line = 0;

	return arch_flush(&line, sizeof line);
}

static bool
check_cache(struct session *s, const struct dma_buffer *b, enum cache cache)
{
	if (cache != CACHE_COLD && cache != CACHE_HOST_WARM)
		return fail(s, STATUS_TROUBLE,
		            "--cache %s: %s supports cold and host-warm",
		            cache_names[cache], b->backend);
	return cache != CACHE_COLD || can_flush() ||
	       fail(s, STATUS_ABSENT,
	            "--cache cold: a program cannot flush caches here");
}

static bool
check_window(struct session *s, const struct dma_buffer *b,
             const struct point *point)
{
	uint64_t buffer = s->request->buffer;
	uint64_t needed = buffer ? buffer : point->window;

	if (!point_check(s, point, buffer ? buffer : UINT64_MAX))
		return false;
	return needed <= b->size_max ||
	       fail(s, STATUS_TROUBLE,
	            "a buffer of %ju bytes: %s supports at most %ju",
	            (uintmax_t)needed, b->backend, (uintmax_t)b->size_max);
}

bool
dma_buffer_check(struct session *s, struct dma_buffer *b,
                 const struct point *point)
{
	int node;

	if (!check_cache(s, b, point->cache))
		return false;
	if (point->window > b->window_max)
		b->window_max = point->window;
	return check_window(s, b, point) &&
	       memory_node(s, point->node, b->home, &node);
}

bool
dma_buffer_check_depth(struct session *s, const struct point *point,
                       uint64_t most)
{
	uint64_t units = point_units(point);

	return units >= most ||
	       fail(s, STATUS_TROUBLE,
	            "a window of %ju bytes holds %ju transfers of %ju bytes, "
	            "fewer than the %ju that are outstanding: use a larger -w "
	            "or fewer by -O depth",
	            (uintmax_t)point->window, (uintmax_t)units,
	            (uintmax_t)point->size, (uintmax_t)most);
}

static void
release(struct dma_buffer *b)
{
	if (b->memory.at && b->unmap)
		b->unmap(b->device, &b->memory);
	memory_free(&b->memory);
}

/* Keeps one address for the whole sweep, unless the node changes. */
static bool
place(struct session *s, struct dma_buffer *b, int node)
{
	uint64_t asked = s->request->buffer;
	uint64_t size = asked > b->window_max ? asked : b->window_max;

	if (b->memory.at && b->memory.node == node)
		return true;
	release(b);
	return memory_make(s, &b->memory, size, b->page, node) &&
	       b->map(s, b->device, &b->memory);
}

bool
dma_buffer_prepare(struct session *s, struct dma_buffer *b,
                   const struct point *point)
{
	int node;

	if (!memory_node(s, point->node, b->home, &node) || !place(s, b, node))
		return false;
	b->point = *point;
	b->unit = point_unit(point);
	order_begin(&b->order, point_units(point),
	            point->pattern == PATTERN_RANDOM, true);
	return true;
}

void
dma_buffer_identify(struct series *series, const struct dma_buffer *b)
{
	point_identify(series, &b->point);
	memory_identify(series, &b->memory);
}

void
dma_buffer_set_cache(struct dma_buffer *b)
{
	if (b->point.cache == CACHE_COLD)
		arch_flush(b->memory.at, b->point.window);
	else
		cache_warm(b->memory.at, b->point.window);
}

void
dma_buffer_close(struct dma_buffer *b)
{
	release(b);
	order_free(&b->order);
}
