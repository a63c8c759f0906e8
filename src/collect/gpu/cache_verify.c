/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Verifies the cache state of the window's lines before the GPU touches them:
 * the CPU's load time shows whether a line was cached.
 */
#include "collect/gpu/gpu.h"
#include "common/base/prng.h"

#include <stdlib.h>

#define SAMPLE   32
#define ATTEMPTS 4

/*
 * A prefetcher may load lines near a loaded one. NEAR suffices if the state is
 * set again before each sample, FAR (one line per page) otherwise.
 */
#define NEAR ((uint64_t)256)
#define FAR  ((uint64_t)4096)

/* For windows up to this size the state is set again before each load. */
#define SMALL_WINDOW ((uint64_t)256 << 10)

/* A load counts as cached up to this part of the way from hit to miss. */
#define CACHED_PART 0.6

/*
 * A state is reached if at most this per cent of the sample is in the other
 * state; in a sample of few lines, one line may be.
 */
#define STRAY_PCT     25.0
#define STRAY_FEW_PCT 50.0
#define FEW           8

static uint64_t
gpu_time_load(const volatile unsigned char *at)
{
	uint64_t begin = counter_begin();

	counter_wait(*at);
	return counter_end() - begin;
}

static int
gpu_by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t
gpu_median(uint64_t *value, size_t n)
{
	qsort(value, n, sizeof *value, gpu_by_value);
	return value[n / 2];
}

/*
 * Lines of a window in an order that no prefetcher predicts, nor from their
 * addresses, which some prefetchers follow.
 */
struct sample {
	const unsigned char *from;
	uint32_t line[SAMPLE];
	size_t n;
};

static const unsigned char *
gpu_line_of(const struct sample *sample, size_t i)
{
	return sample->from + (size_t)sample->line[i] * LINE;
}

static void
gpu_shuffle(struct sample *sample, uint64_t *state)
{
	for (size_t i = sample->n; i > 1; i--) {
		size_t other = random_below(state, i);
		uint32_t line = sample->line[other];

		sample->line[other] = sample->line[i - 1];
		sample->line[i - 1] = line;
	}
}

/* One line from each of equal parts of the window, of `least` bytes or more. */
static struct sample
gpu_take_sample(const struct gpu *gpu, uint64_t least)
{
	uint64_t part = gpu->point.window;
	struct sample sample = {.from = gpu->memory.host.at, .n = SAMPLE};
	uint64_t state = 1;

	/* In a window larger than the cache, the last writes are cached. */
	if (gpu->point.cache == CACHE_HOST_WARM && part > SMALL_WINDOW) {
		sample.from += part - SMALL_WINDOW;
		part = SMALL_WINDOW;
	}
	while (sample.n > 1 && part / sample.n < least)
		sample.n /= 2;
	part = part / sample.n / LINE;
	for (size_t i = 0; i < sample.n; i++)
		sample.line[i] =
		    (uint32_t)(i * part + random_below(&state, part));
	gpu_shuffle(&sample, &state);
	return sample;
}

/* Measures the times of a load from the nearest cache and from memory. */
static bool
gpu_measure_loads(struct session *s, const struct sample *sample)
{
	struct gpu *gpu = s->state;
	uint64_t hit[SAMPLE] = {0}, miss[SAMPLE] = {0};

	for (size_t i = 0; i < sample->n; i++) {
		const unsigned char *line = gpu_line_of(sample, i);

		gpu_time_load(line);
		hit[i] = gpu_time_load(line);
		if (!arch_flush(line, 1))
			return fail(s, STATUS_ABSENT,
			            "a program cannot flush caches here, so no "
			            "cache state can be verified");
		miss[i] = gpu_time_load(line);
	}
	gpu->states.hit_ns =
	    (double)clock_ps(&gpu->cpu, gpu_median(hit, sample->n)) / 1000;
	gpu->states.miss_ns =
	    (double)clock_ps(&gpu->cpu, gpu_median(miss, sample->n)) / 1000;
	return true;
}

/*
 * Times a load whose page's translation is known, because it loads another line
 * of the page first, at a random distance so that no prefetcher learns it.
 */
static uint64_t
gpu_time_line(const unsigned char *line, uint64_t *state)
{
	uintptr_t in_page = (uintptr_t)line % FAR;
	uintptr_t away = FAR / 4 + random_below(state, FAR / 2 / LINE) * LINE;

	gpu_time_load(line - in_page + (in_page + away) % FAR);
	return gpu_time_load(line);
}

/* Whether the state can be set again before each load. */
static bool
gpu_is_quickly_set(const struct gpu *gpu)
{
	return gpu->point.cache != CACHE_THRASHED &&
	       gpu->point.window <= SMALL_WINDOW;
}

/* The part of the sample that is in a cache. */
static bool
gpu_count_cached(struct session *s, const struct sample *sample, bool set)
{
	struct gpu *gpu = s->state;
	struct gpu_states *states = &gpu->states;
	bool each = gpu_is_quickly_set(gpu);
	double limit =
	    states->hit_ns + CACHED_PART * (states->miss_ns - states->hit_ns);
	uint64_t state = 2;
	size_t cached = 0;

	for (size_t i = 0; i < sample->n; i++) {
		if (set && (each || !i) && !gpu_state_set(s))
			return false;
		cached += (double)clock_ps(
		              &gpu->cpu, gpu_time_line(gpu_line_of(sample, i),
		                                       &state)) < 1000 * limit;
	}
	states->cached_pct[gpu->point.cache] =
	    100 * (double)cached / (double)sample->n;
	return true;
}

static bool
gpu_is_reached(const struct gpu *gpu, size_t n)
{
	double cached = gpu->states.cached_pct[gpu->point.cache];
	double stray = n > 1 && n < FEW ? STRAY_FEW_PCT : STRAY_PCT;

	switch (gpu->point.cache) {
	case CACHE_HOST_WARM:
		return cached >= 100 - stray;
	case CACHE_DEVICE_WARM:
		/* Data that the device writes need not stay in a cache. */
		return true;
	default:
		return cached <= stray;
	}
}

static bool
gpu_not_reached(struct session *s)
{
	const struct gpu *gpu = s->state;
	const struct gpu_states *states = &gpu->states;
	enum cache state = gpu->point.cache;

	if (states->miss_ns < 1.5 * states->hit_ns)
		return fail(s, STATUS_ABSENT,
		            "--cache %s: loads take %.0f ns from the caches "
		            "and %.0f ns from memory: the state of the window "
		            "cannot be verified",
		            cache_names[state], states->hit_ns,
		            states->miss_ns);
	return fail(s, STATUS_ABSENT,
	            "--cache %s: the window of %ju bytes cannot be brought "
	            "into that state here: of a sample of lines, %.0f%% are "
	            "in a cache",
	            cache_names[state], (uintmax_t)gpu->point.window,
	            states->cached_pct[state]);
}

/* Whether the CPU reads what the device wrote last. */
static bool
gpu_check_written(struct session *s)
{
	const struct gpu *gpu = s->state;
	const uint32_t *word = (const void *)gpu->memory.host.at;
	uint64_t words = gpu->point.window / 4;
	uint64_t step = words / 64 ? words / 64 : 1;

	for (uint64_t i = 0; i < words; i += step) {
		if (word[i] != (gpu->states.written << 24) + (uint32_t)i)
			return fail(s, STATUS_TROUBLE,
			            "--cache device-warm: what the GPU "
			            "wrote to byte %ju did not arrive",
			            (uintmax_t)(4 * i));
	}
	return true;
}

/* Sets the state and verifies it; false after fail() if it cannot verify. */
static bool
gpu_set_and_look(struct session *s, bool *reached)
{
	struct gpu *gpu = s->state;
	struct sample sample =
	    gpu_take_sample(gpu, gpu_is_quickly_set(gpu) ? NEAR : FAR);

	if (!gpu_measure_loads(s, &sample) ||
	    !gpu_count_cached(s, &sample, true))
		return false;
	*reached = gpu->states.miss_ns >= 1.5 * gpu->states.hit_ns &&
	           gpu_is_reached(gpu, sample.n);
	if (gpu->point.cache != CACHE_DEVICE_WARM)
		return true;
	return (*reached = gpu_state_set(s) && gpu_check_written(s));
}

bool
gpu_state_check(struct session *s)
{
	struct gpu *gpu = s->state;
	struct sample sample = gpu_take_sample(gpu, FAR);

	if (!gpu_count_cached(s, &sample, false))
		return false;
	return gpu_is_reached(gpu, sample.n) || gpu_not_reached(s);
}

bool
gpu_state_prove(struct session *s, enum cache state)
{
	struct gpu *gpu = s->state;
	enum cache wanted = gpu->point.cache;
	bool reached = false, looked = true;

	gpu->point.cache = state;
	for (int i = 0; i < ATTEMPTS && looked && !reached; i++)
		looked = gpu_set_and_look(s, &reached);
	looked = looked && (reached || gpu_not_reached(s));
	gpu->point.cache = wanted;
	return looked;
}
