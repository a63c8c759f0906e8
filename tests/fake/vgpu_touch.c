/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads and stores of the lanes of a warp. */
#include "vgpu_warp.h"

#include <string.h>

/* Copies between registers of lanes and contiguous memory. */
static void
copy_lanes(const struct warp *w, unsigned first, unsigned lanes,
           struct lanes *value, unsigned char *data, bool load)
{
	unsigned size = w->at->of->out, n = w->at->of->vector;

	for (unsigned l = first; l < first + lanes; l++) {
		for (unsigned i = 0; i < n; i++, data += size) {
			if (load)
				memcpy(&value[i].of[l], data, size);
			else
				memcpy(data, &value[i].of[l], size);
		}
	}
}

/* The number of active lanes from this one on with contiguous addresses. */
static unsigned
piece(const struct warp *w, unsigned first, const struct lanes *address,
      unsigned size)
{
	unsigned n = 1;

	while (first + n < w->lanes && warp_has(w, first + n) &&
	       address->of[first + n] ==
	           address->of[first] + (uint64_t)n * size)
		n++;
	return n;
}

/* Loads or stores for all active lanes. */
static bool
transfer(struct warp *w, enum vgpu_way way, const struct lanes *address,
         struct lanes *value)
{
	const struct vgpu_memory *m = &w->gpu->memory;
	unsigned size = w->at->of->out * w->at->of->vector, n;
	unsigned char data[VGPU_WARP * 16];

	for (unsigned l = 0; l < w->lanes; l += n) {
		n = 1;
		if (!warp_has(w, l))
			continue;
		if (address->of[l] % size)
			return warp_wrong(w, "a misaligned address");
		n = way == VGPU_ADD ? 1 : piece(w, l, address, size);
		if (way != VGPU_LOAD)
			copy_lanes(w, l, n, value, data, false);
		if (!m->move(m->of, way, address->of[l], n * size, data))
			return warp_wrong(w, "an illegal address");
		if (way == VGPU_LOAD)
			copy_lanes(w, l, n, value, data, true);
	}
	return true;
}

static unsigned
count_active(const struct warp *w)
{
	unsigned n = 0;

	for (unsigned l = 0; l < w->lanes; l++)
		n += warp_has(w, l);
	return n;
}

/* Waits while too many stores are in flight. */
static void
wait_for_room(struct warp *w)
{
	uint64_t oldest = w->store[w->stores % STORES];

	if (w->now < oldest)
		w->now = oldest;
}

static void
keep(struct warp *w, uint64_t done)
{
	w->store[w->stores++ % STORES] = done;
	if (w->stored < done)
		w->stored = done;
}

void
warp_touch(struct warp *w, enum vgpu_way way)
{
	const struct vgpu_memory *m = &w->gpu->memory;
	const struct mnemonic *of = w->at->of;
	bool load = way == VGPU_LOAD;
	struct lanes room, value[4];
	const struct lanes *address =
	    warp_fetch(w, load ? of->vector : 0, &room);
	struct vgpu_access access = {
	    .way = way,
	    .cached = of->cached,
	    .at = address->of[warp_first(w)],
	    .bytes = (uint64_t)count_active(w) * of->out * of->vector,
	    .warp = w->number,
	};
	uint64_t done;

	memset(value, 0, of->vector * sizeof *value);
	for (unsigned i = 0; i < of->vector && !load; i++) {
		struct lanes own;

		value[i] = *warp_fetch(w, 1 + i, &own);
	}
	if (!load)
		wait_for_room(w);
	if (!transfer(w, way, address, value))
		return;
	done = m->done(m->of, &access, w->now);
	for (unsigned i = 0; i < of->vector && load; i++)
		warp_set(w, i, &value[i], done);
	if (!load)
		keep(w, done);
}
