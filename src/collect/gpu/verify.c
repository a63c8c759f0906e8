/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts programs, and verifies with them what a point assumes: the cache state
 * of the window, and that reads and writes go all the way between the GPU and
 * host memory.
 */
#include "collect/gpu/gpu.h"

#include "common/base/intmath.h"

struct gpu_args
gpu_args(const struct gpu *gpu)
{
	return (struct gpu_args){.buffer =
	                             gpu->memory.address + gpu->point.offset,
	                         .order = gpu->order_at,
	                         .results = gpu->results_at,
	                         .dead_store = gpu->dead_store_at,
	                         .unit = (uint32_t)gpu->unit,
	                         .pattern = GPU_PATTERN};
}

bool
gpu_run_program(struct session *s, enum gpu_program program,
                const struct gpu_args *args)
{
	const struct gpu *gpu = s->state;

	return gpu->driver->start(s, program, args, 1) && gpu->driver->wait(s);
}

bool
gpu_transfer(struct session *s, enum gpu_program program,
             const struct gpu_args *args, uint64_t workers)
{
	const struct gpu *gpu = s->state;

	return gpu->driver->write(s, AREA_ORDER, gpu->entries,
	                          args->count * sizeof *gpu->entries) &&
	       gpu->driver->start(s, program, args, workers) &&
	       gpu->driver->wait(s);
}

/* Words per launch: the program counts in 32 bits, with many threads. */
#define FILL_WORDS (UINT64_C(1) << 24)

static bool
gpu_fill(struct session *s)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);
	uint64_t words = gpu->point.window / 4;
	uint32_t first = ++gpu->states.written << 24;

	for (uint64_t done = 0; done < words; done += args.count) {
		args.buffer = gpu->memory.address + 4 * done;
		args.count = (uint32_t)min_u64(words - done, FILL_WORDS);
		args.pattern = first + (uint32_t)done;
		if (!gpu->driver->start(s, GPU_FILL, &args, 1))
			return false;
	}
	return gpu->driver->wait(s);
}

bool
gpu_state_set(struct session *s)
{
	struct gpu *gpu = s->state;
	struct gpu_states *states = &gpu->states;

	switch (gpu->point.cache) {
	case CACHE_COLD:
		arch_flush(gpu->memory.host.at, gpu->point.window);
		return true;
	case CACHE_THRASHED:
		if (!states->thrash.at &&
		    !thrash_make(s, &states->thrash, states->llc))
			return false;
		cache_thrash(&states->thrash);
		return true;
	case CACHE_HOST_WARM:
		cache_warm(gpu->memory.host.at, gpu->point.window);
		return true;
	default:
		return gpu_fill(s);
	}
}

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

uint64_t
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
	for (size_t i = sample.n; i > 1; i--) {
		size_t other = random_below(&state, i);
		uint32_t line = sample.line[other];

		sample.line[other] = sample.line[i - 1];
		sample.line[i - 1] = line;
	}
	return sample;
}

/* Measures the times of a load from the nearest cache and from memory. */
static void
gpu_measure_loads(struct gpu *gpu, const struct sample *sample)
{
	uint64_t hit[SAMPLE] = {0}, miss[SAMPLE] = {0};

	for (size_t i = 0; i < sample->n; i++) {
		const unsigned char *line = gpu_line_of(sample, i);

		gpu_time_load(line);
		hit[i] = gpu_time_load(line);
		arch_flush(line, 1);
		miss[i] = gpu_time_load(line);
	}
	gpu->states.hit_ns =
	    (double)clock_ps(&gpu->cpu, gpu_median(hit, sample->n)) / 1000;
	gpu->states.miss_ns =
	    (double)clock_ps(&gpu->cpu, gpu_median(miss, sample->n)) / 1000;
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
		const unsigned char *line = gpu_line_of(sample, i);
		uintptr_t in_page = (uintptr_t)line % FAR;
		uintptr_t away =
		    FAR / 4 + random_below(&state, FAR / 2 / LINE) * LINE;

		if (set && (each || !i) && !gpu_state_set(s))
			return false;
		/*
		 * Another line of the page first, so that the page's
		 * translation is known; at a random distance, so that no
		 * prefetcher learns it.
		 */
		gpu_time_load(line - in_page + (in_page + away) % FAR);
		cached += (double)clock_ps(&gpu->cpu, gpu_time_load(line)) <
		          1000 * limit;
	}
	states->cached_pct[gpu->point.cache] =
	    100 * (double)cached / (double)sample->n;
	return true;
}

static bool
gpu_is_reached(const struct gpu *gpu, size_t n)
{
	enum cache state = gpu->point.cache;
	double cached = gpu->states.cached_pct[state];
	double stray = n > 1 && n < FEW ? STRAY_FEW_PCT : STRAY_PCT;

	/* Data that the device writes need not stay in a cache. */
	return state == CACHE_DEVICE_WARM ||
	       (state == CACHE_HOST_WARM ? cached >= 100 - stray
	                                 : cached <= stray);
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

	gpu_measure_loads(gpu, &sample);
	if (!gpu_count_cached(s, &sample, true))
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

#define WORDS 256u /* written and read in each direction */
#define READS 256u /* of one line, and of as many lines once */

/* Bytes of a read: what one lane reads, or the least of a bulk copy. */
#define SM_READ   4
#define BULK_READ 16

/* Reads of one line that are faster than this part of others were cached. */
#define REPEATED_PART 0.6

static bool
gpu_device_to_host(struct session *s)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);
	const volatile uint32_t *word = (const void *)gpu->memory.host.at;

	args.buffer = gpu->memory.address;
	args.count = WORDS;
	args.pattern = 0x01234567;
	if (!gpu_run_program(s, GPU_FILL, &args))
		return false;
	for (uint32_t i = 0; i < WORDS; i++) {
		if (word[i] != args.pattern + i)
			return fail(s, STATUS_TROUBLE,
			            "%s: the CPU does not see what the GPU "
			            "wrote to host memory",
			            gpu->bdf);
	}
	return true;
}

static bool
gpu_host_to_device(struct session *s)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);
	volatile uint32_t *word = (void *)gpu->memory.host.at;
	uint32_t wanted = 0, sum = 0;

	for (uint32_t i = 0; i < WORDS; i++) {
		word[i] = i * 2654435761u;
		wanted += word[i];
	}
	args.buffer = gpu->memory.address;
	args.count = WORDS;
	if (!gpu->driver->write(s, AREA_RESULTS, &sum, sizeof sum) ||
	    !gpu_run_program(s, GPU_SUM, &args) ||
	    !gpu->driver->read(s, &sum, 0, sizeof sum))
		return false;
	return sum == wanted ||
	       fail(s, STATUS_TROUBLE,
	            "%s: the GPU does not see what the CPU wrote to host "
	            "memory",
	            gpu->bdf);
}

/* Stores the median of n reads, in cycles, from line `first` on, in steps. */
static bool
gpu_time_reads(struct session *s, uint32_t first, uint32_t step, uint32_t n,
               double *median)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);
	uint64_t cycles[READS];

	for (uint32_t i = 0; i < n; i++)
		gpu->entries[i] = first + i * step;
	args.buffer = gpu->memory.address;
	args.unit = LINE;
	args.count = n;
	if (!gpu_transfer(s, GPU_READ, &args, 1) ||
	    !gpu->driver->read(s, gpu->cycles, 0, n * sizeof *gpu->cycles))
		return false;
	for (uint32_t i = 0; i < n; i++)
		cycles[i] = gpu->cycles[i];
	*median = (double)gpu_median(cycles, n);
	return true;
}

/*
 * A cache of the GPU answered repeated reads. That does not matter if a new
 * launch reads from memory again, as on NVIDIA's Vulkan driver.
 */
static bool
gpu_avoid_cache(struct session *s, double again, double others, double later)
{
	struct gpu *gpu = s->state;

	if (later < REPEATED_PART * others)
		return fail(s, STATUS_TROUBLE,
		            "%s: reads of one line take %.0f ns, and reads of "
		            "others %.0f ns: the GPU answers them itself",
		            gpu->bdf, again * gpu->clock.ps / 1000,
		            others * gpu->clock.ps / 1000);
	if (s->request->bench->id == LAT_WRRD)
		return fail(s, STATUS_ABSENT,
		            "%s: a cache of the GPU answers reads of what it "
		            "has just written: lat_wrrd cannot measure the "
		            "way to memory",
		            gpu->bdf);
	gpu->caches = true;
	preamble_set(s->preamble, "repeated_reads",
	             "a cache of the GPU answers them: each launch reads a "
	             "line once");
	return true;
}

/*
 * Reads the first line repeatedly, then lines that nothing has read yet, then
 * these again: only the first and the last could be answered by a GPU cache of
 * host memory.
 */
static bool
gpu_compare_reads(struct session *s)
{
	struct gpu *gpu = s->state;
	uint32_t lines = (uint32_t)(gpu->memory.host.size / LINE) - 1;
	double again, others, later;

	if (lines > READS)
		lines = READS;
	if (!gpu_time_reads(s, 0, 0, READS, &again) ||
	    !gpu_time_reads(s, 1, 1, lines, &others) ||
	    !gpu_time_reads(s, 1, 1, lines, &later))
		return false;
	preamble_set(s->preamble, "repeated_read_ns", "%.0f",
	             again * gpu->clock.ps / 1000);
	/*
	 * A cache may answer loads, but not the copy engine. The CPU of a
	 * software driver always has one.
	 */
	return again >= REPEATED_PART * others || gpu->software ||
	       gpu->set.engine == ENGINE_CE ||
	       gpu_avoid_cache(s, again, others, later);
}

bool
gpu_path_check(struct session *s)
{
	const struct gpu *gpu = s->state;
	bool bulk = gpu->set.engine == ENGINE_BULK;
	/* Reads of the kind that the bench uses. */
	struct gpu_transfer read = {
	    .bench = LAT_RD,
	    .engine = bulk ? ENGINE_BULK : ENGINE_SM,
	    .mmio = gpu->set.mmio,
	    .size = bulk ? BULK_READ : SM_READ,
	    .lanes = gpu->lanes,
	    .bytes_per_lane = SM_READ,
	};

	return gpu->driver->load(s, GPU_READ, &read) && gpu_compare_reads(s) &&
	       gpu_device_to_host(s) && gpu_host_to_device(s);
}
