/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rate, step and overhead of the cycle counter. */
#include "collect/host/clock.h"

#include "collect/host/perf_event.h"
#include "common/base/intmath.h"
#include "common/base/util.h"

#include <sys/mman.h>
#include <unistd.h>

/* Readings in a row that show the properties of a counter. */
#define READINGS 1000

#define CALIBRATION_NS 50000000

uint64_t
read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t
now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* Reads both clocks together: keeps the fastest of ten tries. */
static void
read_both(uint64_t *ticks, uint64_t *ns)
{
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < 10; i++) {
		uint64_t before = counter_begin();
		uint64_t between = read_clock(CLOCK_MONOTONIC_RAW);
		uint64_t after = counter_end();

		if (after - before < shortest) {
			shortest = after - before;
			*ticks = before + shortest / 2;
			*ns = between;
		}
	}
}

static uint64_t
fixed_ps(double ps)
{
	return (uint64_t)(ps * 4294967296.0 + 0.5);
}

/* The kernel's conversion, linux/perf_event.h, cap_user_time. */
static uint64_t
kernel_rate(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
	                               .size = sizeof attr,
	                               .config = PERF_COUNT_SW_DUMMY,
	                               .exclude_kernel = 1,
	                               .exclude_hv = 1};
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	int fd = perf_open(&attr, 0, -1, -1);
	struct perf_event_mmap_page *page;
	double ns = 0;

	if (fd < 0)
		return 0;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED) {
		if (page->cap_user_time)
			ns = (double)page->time_mult /
			     (double)(UINT64_C(1) << page->time_shift);
		munmap(page, size);
	}
	close(fd);
	return fixed_ps(ns * 1000);
}

uint64_t
clock_step(const uint64_t *reading, size_t n)
{
	uint64_t step = 0;

	for (size_t i = 1; i < n; i++)
		step = gcd(step, reading[i] - reading[i - 1]);
	return step ? step : 1;
}

void
clock_open(struct clock *c)
{
	uint64_t reading[READINGS];
	double hz = arch_counter_hz();

	*c = (struct clock){.name = arch_counter_name,
	                    .invariant = arch_counter_invariant(),
	                    .overhead = UINT64_MAX};
	if (hz > 0) {
		c->source = "cpu";
		c->ps_per_tick = fixed_ps(1e12 / hz);
	} else if ((c->ps_per_tick = kernel_rate()) != 0) {
		c->source = "kernel";
	} else {
		uint64_t ticks0 = 0, ns0 = 0, ticks, ns;

		c->source = "calibrated";
		read_both(&ticks0, &ns0);
		do
			read_both(&ticks, &ns);
		while (ns - ns0 < CALIBRATION_NS);
		c->ps_per_tick = fixed_ps(1000 * (double)(ns - ns0) /
		                          (double)(ticks - ticks0));
	}
	/* Equal distances between readings would look like the step. */
	for (size_t i = 0; i < READINGS; i++) {
		for (size_t spins = i % 7; spins; spins--)
			__asm__ volatile("" ::: "memory");
		reading[i] = i % 3 ? counter_begin() : counter_end();
	}
	c->step = clock_step(reading, READINGS);
	for (int i = 0; i < READINGS; i++) {
		uint64_t begin = counter_begin();

		c->overhead = min_u64(c->overhead, counter_end() - begin);
	}
	read_both(&c->ticks0, &c->ns0);
}

uint64_t
clock_ps(const struct clock *c, uint64_t ticks)
{
	uint128 ps = (uint128)ticks * c->ps_per_tick + (UINT64_C(1) << 31);

	return (uint64_t)(ps >> 32);
}

static double
ns_of(const struct clock *c, uint64_t ticks)
{
	return (double)ticks * ((double)c->ps_per_tick / 4294967296.0 / 1000);
}

double
clock_tick_ns(const struct clock *c)
{
	return ns_of(c, c->step);
}

double
clock_drift_ppm(const struct clock *c)
{
	uint64_t ticks = 0, ns = 0;
	double ours, raw;

	read_both(&ticks, &ns);
	ours = ns_of(c, ticks - c->ticks0);
	raw = (double)(ns - c->ns0);
	return raw > 0 ? (ours / raw - 1) * 1e6 : 0;
}

/* Stops -------------------------------------------------------------------- */

#define STOPPED_NS UINT64_C(1000000000)

uint64_t
stops_begin(struct stops *stops)
{
	return stops->looked = now_ns();
}

uint64_t
stops_look(struct stops *stops)
{
	uint64_t now = now_ns();

	if (!stops->looked)
		return now;
	if (now - stops->looked >= STOPPED_NS)
		stops->ns += now - stops->looked;
	return stops->looked = now;
}

void
stops_end(struct stops *stops)
{
	stops_look(stops);
	stops->looked = 0;
}

void
stops_warn(const struct stops *stops)
{
	if (stops->ns)
		warn("the program was stopped for %.0f s (as by Ctrl-Z): "
		     "elapsed_ns includes this, and the bandwidth is too low",
		     (double)stops->ns / 1e9);
}
