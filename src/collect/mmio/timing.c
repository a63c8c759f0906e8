/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times stores and loads, one at a time or back to back. */
#include "collect/mmio/timing.h"

#include "collect/host/arch.h"
#include "common/base/intmath.h"

#define TRIES 1000
#define PAGE  4096
#define WORDS (PAGE / sizeof(uint64_t))

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

	t->write(t->device + at, t->host + at, t->size);
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

	t->write(t->device + at, t->host + at, t->size);
	stores_leave();
	counter_wait(*back);
	return counter_end() - begin;
}

static uint64_t
time_read(const struct timing *t, uint64_t at)
{
	const uint32_t *word = (const uint32_t *)(const void *)(t->host + at);
	uint64_t begin = counter_begin();

	t->read(t->host + at, t->device + at, t->size);
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
			t->write(t->device, t->host, pass * t->size);
		else
			t->read(t->host, t->device, pass * t->size);
		i += pass;
	}
	stores_leave();
	*done = i;
	return counter_end() - begin;
}

/* Replace an access, so that only the call is timed. */
static void
write_nothing(volatile void *to, const void *from, size_t bytes)
{
	(void)to;
	(void)from;
	(void)bytes;
}

static void
read_nothing(void *to, const volatile void *from, size_t bytes)
{
	(void)to;
	(void)from;
	(void)bytes;
}

static double
overhead_of_many(struct timing *t)
{
	static const volatile sig_atomic_t never;
	uint64_t least = UINT64_MAX, done;

	t->size = sizeof(uint64_t);
	t->units = WORDS;
	t->write = stores[0]->write[1];
	t->read = stores[0]->read[1];
	for (int i = 0; i < TRIES; i++)
		least = min_u64(least, timing_many(t, t->units, &never, &done));
	return (double)least / (double)t->units;
}

double
timing_overhead(enum bench_id bench)
{
	static _Alignas(64) unsigned char device[PAGE], host[PAGE];
	struct timing t = {.bench = bench,
	                   .write = write_nothing,
	                   .read = read_nothing,
	                   .device = device,
	                   .host = host};
	uint64_t least = UINT64_MAX;

	if (bench == BW_MMIO_RD || bench == BW_MMIO_WR)
		return overhead_of_many(&t);
	for (int i = 0; i < TRIES; i++)
		least = min_u64(least, timing_one(&t, 0));
	return (double)least;
}
