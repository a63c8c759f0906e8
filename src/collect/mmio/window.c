/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times transfers; fills, verifies and restores their memory. */
#include "collect/mmio/mmio.h"

#include "collect/host/arch.h"
#include "collect/pci/bar.h"
#include "common/base/debug.h"
#include "common/base/intmath.h"
#include "common/base/util.h"

#define TRIES 1000
#define PAGE  4096
#define WORDS (PAGE / sizeof(uint64_t))

/* Bytes: widest access that no CPU splits; a write-combining buffer. */
#define UNCUT  8
#define BUFFER 64

/* The timed loops --------------------------------------------------------- */

bool
timing_writes(enum bench_id bench)
{
	return bench == LAT_MMIO_WR || bench == LAT_MMIO_FLUSH ||
	       bench == BW_MMIO_WR;
}

static uint64_t
time_write(const struct timing *t, uint64_t at)
{
	uint64_t begin = counter_begin();

	t->copy(t->device + at, t->host + at, t->size);
	stores_leave();
	return counter_end() - begin;
}

/* A read cannot pass a write: its completion shows that the write is done. */
static uint64_t
time_flush(const struct timing *t, uint64_t at)
{
	const volatile uint32_t *back =
	    (const volatile uint32_t *)(const volatile void *)(t->device + at);
	uint64_t begin = counter_begin();

	t->copy(t->device + at, t->host + at, t->size);
	stores_leave();
	counter_wait(*back);
	return counter_end() - begin;
}

static uint64_t
time_read(const struct timing *t, uint64_t at)
{
	const uint32_t *word = (const uint32_t *)(const void *)(t->host + at);
	uint64_t begin = counter_begin();

	t->copy(t->host + at, t->device + at, t->size);
	counter_wait(*word);
	return counter_end() - begin;
}

uint64_t
timing_one(const struct timing *t, uint64_t unit)
{
	uint64_t at = unit * t->stride;

	if (t->bench == LAT_MMIO_WR)
		return time_write(t, at);
	if (t->bench == LAT_MMIO_FLUSH)
		return time_flush(t, at);
	return time_read(t, at);
}

uint64_t
timing_many(const struct timing *t, uint64_t n,
            const volatile sig_atomic_t *stop, uint64_t *done)
{
	bool writes = timing_writes(t->bench);
	uint64_t begin = counter_begin();
	uint64_t i = 0;

	while (i < n && !*stop) {
		uint64_t pass = min_u64(t->units, n - i);

		if (writes)
			t->copy(t->device, t->host, pass * t->size);
		else
			t->copy(t->host, t->device, pass * t->size);
		i += pass;
	}
	stores_leave();
	*done = i;
	return counter_end() - begin;
}

/* Replaces an access, so that only the call is timed. */
static void
copy_nothing(volatile void *to, const volatile void *from, size_t bytes)
{
	(void)to;
	(void)from;
	(void)bytes;
}

double
timing_overhead(enum bench_id bench)
{
	static _Alignas(64) unsigned char device[PAGE], host[PAGE];
	static const volatile sig_atomic_t never;
	bool many = bench == BW_MMIO_RD || bench == BW_MMIO_WR;
	struct timing t = {.bench = bench,
	                   .copy = many ? stores[0]->copy[1] : copy_nothing,
	                   .device = device,
	                   .host = host,
	                   .size = many ? sizeof(uint64_t) : 0,
	                   .units = many ? WORDS : 1};
	uint64_t least = UINT64_MAX, done;

	for (int i = 0; i < TRIES; i++)
		least = min_u64(least,
		                many ? timing_many(&t, t.units, &never, &done)
		                     : timing_one(&t, 0));
	return (double)least / (double)t.units;
}

/* The window -------------------------------------------------------------- */

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

	t->copy = store->copy[width];
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

		stores[0]->copy[width](w->seen + at, t->device + at, t->size);
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
		t->copy(t->device + i * t->stride, t->host + i * t->stride,
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

/* Contents from before ---------------------------------------------------- */

/* A removed device reads all ones. */
static bool
is_back(const struct contents *c)
{
	bool same = true, ones = true;

	for (uint64_t i = 0; i < c->size / sizeof *c->before; i++) {
		uint64_t value = c->at[i];

		same = same && value == c->before[i];
		ones = ones && value == UINT64_MAX;
	}
	return same || ones || mmio_lost();
}

/* The guardian blocks all signals, but SIGBUS must be handled. */
static void
undo(void *data)
{
	const struct contents *c = data;
	sigset_t lost;

	sigemptyset(&lost);
	sigaddset(&lost, SIGBUS);
	sigprocmask(SIG_UNBLOCK, &lost, NULL);
	for (uint64_t i = 0; i < c->size / sizeof *c->before; i++)
		c->at[i] = c->before[i];
	stores_leave();
	debug(DEBUG_RESTORE, "%s: put back %ju bytes", c->bdf,
	      (uintmax_t)c->size);
	if (is_back(c))
		return;
	warn("%s: cannot restore the contents of its memory: it does not keep "
	     "what is written",
	     c->bdf);
	guardian_failed = true;
}

bool
contents_keep(struct session *s, struct contents *c)
{
	c->before = xmalloc(c->size);
	for (uint64_t i = 0; i < c->size / sizeof *c->before; i++)
		c->before[i] = c->at[i];
	if (guardian_start(&c->guardian, undo, c))
		return true;
	fail(s, STATUS_ABSENT, "%s: a process to put its memory back: %s",
	     c->bdf, strerror(errno));
	free(c->before);
	c->before = NULL;
	return false;
}

void
contents_put_back(struct contents *c)
{
	if (!c->before)
		return;
	guardian_end(&c->guardian);
	free(c->before);
	*c = (struct contents){0};
}

/* TLPs -------------------------------------------------------------------- */

struct tlp_range
mmio_tlps(const struct mmio_transfer *t)
{
	uint64_t accesses = t->size / t->width;
	struct tlp_range tlps = {accesses, accesses};

	if (t->width > UNCUT && !t->direct)
		tlps.most = t->size / UNCUT;
	if (t->combined && !t->direct)
		tlps.least = div_round_up(t->size, BUFFER);
	return tlps;
}
