/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills and verifies the memory of the transfers. */
#include "collect/mmio/window.h"

#include "collect/host/arch.h"
#include "common/base/intmath.h"

#include <stdlib.h>
#include <string.h>

bool
window_allocate(struct session *s, struct window *w)
{
	size_t size = w->range.size;

	w->timing.host = aligned_alloc(LINE, size);
	w->seen = aligned_alloc(LINE, size);
	if (!w->timing.host || !w->seen)
		return fail(s, STATUS_TROUBLE, "no memory for %zu bytes", size);
	memset(w->timing.host, 0, size);
	memset(w->seen, 0, size);
	return true;
}

/* Bursts have no gaps; each single transfer starts at a cache line. */
void
window_set(struct window *w, const struct store *store,
           const struct point *point, size_t width)
{
	struct timing *t = &w->timing;
	bool bursts = t->bench == BW_MMIO_RD || t->bench == BW_MMIO_WR;

	t->write = store->write[width];
	t->read = store->read[width];
	t->size = point->size;
	t->stride = bursts ? point->size : point_unit(point);
	t->units = point->window / t->stride;
}

/* Mask of data bits, which keeps every 32-bit word from being all ones. */
#define DATA_BITS UINT64_C(0x7fff7fff7fff7fff)

/* Two odd factors: neighbouring words differ, and so do fills, in each half. */
#define FILL_STEP UINT64_C(0x9e3779b97f4a7c15)
#define WORD_STEP UINT64_C(0xbf58476d1ce4e5b9)

void
window_fill(struct window *w)
{
	uint64_t *word = (uint64_t *)(void *)w->timing.host;

	w->fills++;
	for (uint64_t i = 0; i < w->range.size / sizeof *word; i++)
		word[i] = (w->fills * FILL_STEP + i * WORD_STEP) & DATA_BITS;
}

bool
window_verify(struct session *s, struct window *w, uint64_t units, int status)
{
	const struct timing *t = &w->timing;
	size_t width = store_width(stores[0], t->size, false);

	for (uint64_t i = 0; i < min_u64(units, t->units); i++) {
		uint64_t at = i * t->stride;

		stores[0]->read[width](w->seen + at, t->device + at, t->size);
		if (memcmp(w->seen + at, t->host + at, t->size) != 0)
			return fail(
			    s, status,
			    "%s: BAR%d+0x%jx does not hold what was written: "
			    "it is not memory, or something else writes there",
			    w->access->function->bdf, w->range.bar,
			    (uintmax_t)(w->range.offset + at));
	}
	return true;
}

bool
window_prove(struct session *s, struct window *w)
{
	const struct timing *t = &w->timing;

	if (!timing_writes(t->bench))
		return mmio_access_check(s, w->access);
	window_fill(w);
	for (uint64_t i = 0; i < t->units; i++)
		t->write(t->device + i * t->stride, t->host + i * t->stride,
		         t->size);
	stores_leave();
	return mmio_access_check(s, w->access) &&
	       window_verify(s, w, t->units, STATUS_ABSENT);
}

void
window_free(struct window *w)
{
	free(w->timing.host);
	free(w->seen);
}
