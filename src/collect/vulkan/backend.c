/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DMA by any GPU with a Vulkan driver. */
#include "collect/vulkan/gpu.h"

#include "collect/pci/device.h"
#include "common/base/intmath.h"
#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#define AMD 0x1002 /* vendor ID */

/* Workers that keep a device busy: discrete, integrated, or one CPU. */
#define WORKERS_DISCRETE   512
#define WORKERS_INTEGRATED 128

/* Workgroups of GPU_FILL. */
#define FILL_GROUPS 4096

/* GPU_LOAD runs several times in a row, with this many reads each. */
#define LOAD_RUNS  8
#define LOAD_TURNS 30000

/* The clock that times latencies: -O clock. */
enum vulkan_clock { CLOCK_AUTO, CLOCK_SUBGROUP, CLOCK_DEVICE };

static const struct backend_option vulkan_options[] = {
    {"engine", "sm", "sm: loads and stores of programs, ce: the copy queue"},
    {"wrrd", "plain",
     "lat_wrrd: plain, fence (between), store (and fence, no read), sector "
     "(read the line's other 32 bytes)"},
    {"clock", "auto",
     "clock of latencies: subgroup (finer) or device; auto: subgroup if the "
     "device has it and is not AMD's"},
    {"lane", "auto", "bytes that an invocation takes at a time"},
    {"workers", "auto", "outstanding transfers in bandwidth benches"},
    {"pages", "4K", "pages of the buffer: 4K, 2M or 1G"},
    {NULL, NULL, NULL},
};

static bool
vulkan_settings_read(struct session *s, struct gpu_settings *set,
                     enum vulkan_clock *clock)
{
	static const char *const engines[] = {"sm", "ce"};
	static const char *const clocks[] = {"auto", "subgroup", "device"};
	const struct backend_option *o = vulkan_options;
	bool totals = s->request->bench->totals;
	size_t engine, which;

	if (!option_word(s, o, "engine", engines, ARRAY_LEN(engines),
	                 &engine) ||
	    !option_word(s, o, "clock", clocks, ARRAY_LEN(clocks), &which))
		return false;
	set->engine = engine ? ENGINE_CE : ENGINE_SM;
	*clock = (enum vulkan_clock)which;
	set->device_clock = *clock == CLOCK_DEVICE && !totals;
	if (!gpu_settings_read(s, o, "only for bandwidth benches with sm", set))
		return false;
	if (*clock == CLOCK_SUBGROUP && totals)
		return option_refuse(s, o, "clock", "only for latency benches");
	return set->engine == ENGINE_SM || !set->bytes_per_lane ||
	       option_refuse(s, o, "engine", "lane needs engine=sm");
}

/* The clock of programs, whose unit the driver does not report. */

/* Runs of a program; the one with the least delay by the host counts. */
#define TRIES 5

/* Rounds, in case the host delays all runs of a round. */
#define ATTEMPTS 8

/* Ratio of the turns of a long run and a short one. */
#define LONGER 4

#define PROBE_TURNS 256
#define TURNS_LEAST 16.0
#define TURNS_MOST  ((double)PROGRAM_TURNS / LONGER)

/* Duration of a run, by timestamps and by its own clock. */
struct spin {
	double ns;
	uint32_t ticks;
};

static bool
vulkan_spin(struct session *s, uint32_t turns, struct spin *spin)
{
	struct vulkan_gpu *vg = s->state;
	struct vulkan_device *d = &vg->device;
	struct gpu_args args = gpu_args(&vg->gpu);
	struct program_ticks ticks;

	args.count = turns;
	if (!vulkan_begin(s, d, &d->compute))
		return false;
	vulkan_stamp(&d->compute, 0);
	vulkan_dispatch(d, vg->pipeline[PROGRAM_SPIN], &args, 1);
	vulkan_stamp(&d->compute, 1);
	if (!vulkan_submit(s, d, &d->compute) ||
	    !vulkan_wait(s, d, &d->compute) ||
	    !vulkan_stamps(s, d, &d->compute, &spin->ns) ||
	    !vg->gpu.driver->read(s, &ticks, 0, sizeof ticks))
		return false;
	spin->ticks = ticks.to - ticks.from;
	return true;
}

static bool
vulkan_spin_best(struct session *s, uint32_t turns, struct spin *best)
{
	const struct vulkan_gpu *vg = s->state;
	double least = 0;

	for (int i = 0; i < TRIES; i++) {
		struct spin spin = {0};
		double outside;

		if (!vulkan_spin(s, turns, &spin))
			return false;
		/* The time outside of its own clock; at first all of it. */
		outside = spin.ns - spin.ticks * vg->tick_ns;
		if (!i || outside < least) {
			least = outside;
			*best = spin;
		}
	}
	return true;
}

/* Makes a short and a long run, again if the clocks contradict each other. */
static bool
vulkan_spin_both(struct session *s, uint32_t turns, struct spin *shorter,
                 struct spin *longer)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		if (!vulkan_spin_best(s, turns, shorter) ||
		    !vulkan_spin_best(s, LONGER * turns, longer))
			return false;
		if (longer->ticks / 2 > shorter->ticks &&
		    longer->ns / 2 > shorter->ns)
			return true;
	}
	return fail(s, STATUS_TROUBLE,
	            "%s: its clocks do not run with its programs: other "
	            "programs may be using it",
	            ((struct gpu *)s->state)->bdf);
}

/*
 * Uses two runs of different length: the time of a run outside its clock
 * readings is in both, so the difference excludes it.
 */
static bool
vulkan_read_ticks(struct session *s, uint64_t duration, struct gpu_ticks *ticks)
{
	struct vulkan_gpu *vg = s->state;
	struct spin shorter = {0}, longer = {0};
	uint64_t now;
	double turns;

	if (!(vg->turn_ns > 0)) {
		if (!vulkan_spin_both(s, PROBE_TURNS, &shorter, &longer))
			return false;
		vg->turn_ns = longer.ns / (LONGER * PROBE_TURNS);
	}
	turns = (double)duration / vg->turn_ns / LONGER;
	if (turns > TURNS_MOST)
		turns = TURNS_MOST;
	if (turns < TURNS_LEAST)
		turns = TURNS_LEAST;
	if (!vulkan_spin_both(s, (uint32_t)turns, &shorter, &longer) ||
	    !vulkan_now(s, &vg->device, &now))
		return false;
	vg->tick_ns = (longer.ns - shorter.ns) / (longer.ticks - shorter.ticks);
	*ticks = (struct gpu_ticks){
	    .ns0 = now - (uint64_t)longer.ns + (uint64_t)shorter.ns,
	    .ns1 = now,
	    .cycles0 = shorter.ticks,
	    .cycles1 = longer.ticks,
	    .step = max_u64(1, (uint64_t)(vg->device.stamp_ns + 0.5))};
	return true;
}

static void
vulkan_describe_clock(struct session *s)
{
	const struct vulkan_gpu *vg = s->state;

	preamble_set(s->preamble, "clock",
	             "%s clock of programs, rate from timestamps",
	             vg->program.scope == SPIRV_DEVICE ? "device" : "subgroup");
	gpu_describe_tick(s);
	preamble_set(s->preamble, "timestamp_step_ns", "%.3f",
	             vg->device.stamp_ns);
}

/* Verifies that the time of a load covers the whole load. */

#define LINES_MOST 1024 /* lines of all chains, a power of 2 */
#define CHAINS     64   /* at most, per length */

/*
 * Lines between steps: far away, and odd, so that each line comes once. Chains
 * share no line, since a cache of the GPU may answer a second load.
 */
#define STRIDE 389

static uint32_t
vulkan_chain_lines(const struct gpu *gpu)
{
	uint32_t lines = LINES_MOST;

	while (lines > 1 && lines > gpu->memory.host.size / LINE)
		lines /= 2;
	return lines;
}

/*
 * Stores the median of chains of this length, in units of the clock. Each chain
 * must end where the host's copy of it ends.
 */
static bool
vulkan_time_chain(struct session *s, unsigned length, double *median)
{
	struct vulkan_gpu *vg = s->state;
	struct gpu *gpu = &vg->gpu;
	struct gpu_args args = gpu_args(gpu);
	struct module program = program_chain(&vg->program, length);
	struct program_link link[CHAINS];
	uint64_t cycles[CHAINS];
	uint32_t lines = vulkan_chain_lines(gpu);
	uint32_t chains = (uint32_t)min_u64(CHAINS, lines / length);

	for (uint32_t i = 0; i < chains; i++)
		gpu->entries[i] = i * length * STRIDE % lines;
	args.buffer = gpu->memory.address;
	args.unit = LINE;
	args.count = chains;
	if (!vulkan_compile(s, &vg->device, &program,
	                    &vg->pipeline[GPU_READ]) ||
	    !gpu_transfer(s, GPU_READ, &args, 1) ||
	    !gpu->driver->read(s, link, 0, chains * sizeof *link))
		return false;
	for (uint32_t i = 0; i < chains; i++) {
		uint32_t from = gpu->entries[i];
		uint32_t wanted = (from + length * STRIDE) % lines;

		if (link[i].last != wanted)
			return fail(s, STATUS_TROUBLE,
			            "%s: a chain of %u loads from line %u ends "
			            "at %u, not at %u: the device does not "
			            "read what the host wrote",
			            gpu->bdf, length, from, link[i].last,
			            wanted);
		cycles[i] = link[i].cycles;
	}
	*median = (double)gpu_median(cycles, chains);
	return true;
}

/*
 * Fails unless a chain of n dependent loads takes n times as long as one load
 * and finds the data that the host has written; with a software driver the rows
 * record it instead.
 */
static bool
vulkan_prove_chain(struct session *s)
{
	struct vulkan_gpu *vg = s->state;
	const struct gpu_clock *clock = &vg->gpu.clock;
	uint32_t *word = (void *)vg->gpu.memory.host.at;
	uint32_t lines = vulkan_chain_lines(&vg->gpu);
	double one = 0, chain = 0;

	for (uint32_t i = 0; i < lines; i++)
		word[(size_t)i * LINE / sizeof *word] = (i + STRIDE) % lines;
	if (!vulkan_time_chain(s, 1, &one) ||
	    !vulkan_time_chain(s, PROGRAM_CHAIN, &chain))
		return false;
	preamble_set(s->preamble, "chain_check",
	             "1 load %.0f ns, %d dependent loads %.0f ns",
	             one * clock->ps / 1000, PROGRAM_CHAIN,
	             chain * clock->ps / 1000);
	return vg->device.software ||
	       program_chain_holds(clock->overhead, one, chain,
	                           PROGRAM_CHAIN) ||
	       fail(s, STATUS_ABSENT,
	            "%s: a load takes %.0f ns, %d dependent loads take %.0f "
	            "ns: programs of this GPU read the clock before a load "
	            "has ended",
	            vg->gpu.bdf, one * clock->ps / 1000, PROGRAM_CHAIN,
	            chain * clock->ps / 1000);
}

/* Transfers by the copy queue: one command each, all in one list. */

/* Most bytes that a list of commands moves. */
#define COPY_BYTES (UINT64_C(1) << 30)

/* Shorter spans are below the resolution of a queue's timestamps. */
#define SPAN_NS 20000

/* Queues a copy for the n-th entry of the order, in one direction. */
static void
vulkan_copy_unit(struct vulkan_gpu *vg, size_t n, bool write)
{
	struct vulkan_device *d = &vg->device;
	const struct gpu *gpu = &vg->gpu;
	uint64_t size = gpu->transfer.size;
	uint64_t at = gpu->point.offset + gpu->entries[n] * gpu->unit;
	VkBufferCopy region = {.srcOffset = write ? size : at,
	                       .dstOffset = write ? at : 0,
	                       .size = size};

	vulkan.CmdCopyBuffer(
	    d->copy.commands, write ? vg->scratch.buffer : vg->window.buffer,
	    write ? vg->window.buffer : vg->scratch.buffer, 1, &region);
}

/* Queues n copies; timestamps are `lead` after the first, before the last. */
static bool
vulkan_queue_copies(struct session *s, size_t n, size_t lead)
{
	struct vulkan_gpu *vg = s->state;
	struct vulkan_device *d = &vg->device;
	bool reads = gpu_reads(&vg->gpu.transfer);
	bool writes = gpu_writes(&vg->gpu.transfer);

	if (!vulkan_begin(s, d, &d->copy))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (i == lead || i == n - lead)
			vulkan_stamp(&d->copy, i == lead ? 0 : 1);
		if (reads)
			vulkan_copy_unit(vg, writes ? 2 * i : i, false);
		if (writes)
			vulkan_copy_unit(vg, reads ? 2 * i + 1 : i, true);
	}
	return vulkan_submit(s, d, &d->copy) && vulkan_wait(s, d, &d->copy);
}

static bool
vulkan_copy(struct session *s, size_t n, struct gpu_total *total)
{
	struct vulkan_gpu *vg = s->state;
	size_t lead = n / 8 + 1;
	double ns;

	if (!vulkan_queue_copies(s, n, lead) ||
	    !vulkan_stamps(s, &vg->device, &vg->device.copy, &ns))
		return false;
	if (ns < SPAN_NS)
		return fail(s, STATUS_TROUBLE,
		            "%zu copies are too few to time: raise -n", n);
	total->transfers += (double)(n - 2 * lead);
	total->ns += (uint64_t)ns;
	return true;
}

/* What Vulkan does for a session with a GPU. */

/* Whether it is a display function with a driver. */
static bool
vulkan_is_in_kernel(const struct gpu *gpu, const struct pci_function *function)
{
	return !gpu->software && function && function->class_code >> 24 == 3 &&
	       *function->driver && is_sysfs(root_path("/sys/bus/pci"));
}

static void
vulkan_describe(struct session *s)
{
	const struct vulkan_device *d =
	    &((struct vulkan_gpu *)s->state)->device;

	preamble_set(s->preamble, "gpu", "%s, subgroups of %u, driver %s",
	             d->name, d->lanes, d->driver);
}

static uint64_t
vulkan_workers(const struct gpu *gpu)
{
	if (gpu->software)
		return 1;
	return gpu->linkless ? WORKERS_INTEGRATED : WORKERS_DISCRETE;
}

static bool
vulkan_import_memory(struct session *s)
{
	struct vulkan_gpu *vg = s->state;
	struct gpu_memory *m = &vg->gpu.memory;

	m->imported = true;
	if (!vulkan_import(s, &vg->device, &vg->window, m->host.at,
	                   m->host.size))
		return false;
	m->address = vg->window.address;
	return true;
}

static void
vulkan_release(struct gpu *gpu)
{
	struct vulkan_gpu *vg = (struct vulkan_gpu *)gpu;

	vulkan_free(&vg->device, &vg->window);
}

static bool
vulkan_load_transfer(struct session *s, enum gpu_program program,
                     const struct gpu_transfer *t)
{
	struct vulkan_gpu *vg = s->state;
	struct module module;

	if (t->engine == ENGINE_CE) {
		vulkan_free(&vg->device, &vg->scratch);
		return vulkan_allocate(s, &vg->device, &vg->scratch,
		                       (size_t)2 * t->size, false);
	}
	module = program_transfer(&vg->program, t);
	return vulkan_compile(s, &vg->device, &module, &vg->pipeline[program]);
}

static bool
vulkan_start(struct session *s, enum gpu_program program,
             const struct gpu_args *args, uint64_t workers)
{
	struct vulkan_gpu *vg = s->state;
	struct vulkan_device *d = &vg->device;
	struct gpu_args copy = *args;
	unsigned runs = 1;

	if (program == GPU_FILL)
		workers = FILL_GROUPS;
	copy.workers = (uint32_t)workers;
	if (program == GPU_LOAD) {
		copy.count = LOAD_TURNS;
		runs = LOAD_RUNS;
	}
	if (!vulkan_begin(s, d, &d->compute))
		return false;
	while (runs--)
		vulkan_dispatch(d, vg->pipeline[program], &copy,
		                (uint32_t)workers);
	return vulkan_submit(s, d, &d->compute);
}

static bool
vulkan_wait_for_end(struct session *s)
{
	struct vulkan_device *d = &((struct vulkan_gpu *)s->state)->device;

	return vulkan_wait(s, d, &d->compute);
}

/* Copies between host-visible memory and device memory. */
static bool
vulkan_move(struct session *s, VkBuffer from, uint64_t at, VkBuffer to,
            size_t size)
{
	struct vulkan_device *d = &((struct vulkan_gpu *)s->state)->device;
	VkBufferCopy region = {.srcOffset = at, .size = size};

	if (!vulkan_begin(s, d, &d->compute))
		return false;
	vulkan.CmdCopyBuffer(d->compute.commands, from, to, 1, &region);
	return vulkan_submit(s, d, &d->compute) &&
	       vulkan_wait(s, d, &d->compute);
}

static bool
vulkan_write(struct session *s, enum gpu_area area, const void *from,
             size_t size)
{
	const struct vulkan_gpu *vg = s->state;

	memcpy(vg->staging.mapped, from, size);
	return vulkan_move(
	    s, vg->staging.buffer, 0,
	    area == AREA_ORDER ? vg->order.buffer : vg->results.buffer, size);
}

static bool
vulkan_read(struct session *s, void *to, size_t from, size_t size)
{
	const struct vulkan_gpu *vg = s->state;

	if (!vulkan_move(s, vg->results.buffer, from, vg->staging.buffer, size))
		return false;
	memcpy(to, vg->staging.mapped, size);
	return true;
}

/* From the lower half of the clock, which may wrap. */
static void
vulkan_spans_to_ns(const struct gpu *gpu, struct gpu_span *span, size_t n)
{
	uint64_t base = span->mark[0] - (UINT32_MAX >> 2);

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < GPU_MARKS; k++) {
			uint32_t since = (uint32_t)(span[i].mark[k] - base);

			span[i].mark[k] =
			    (uint64_t)((double)since * gpu->clock.ps / 1000);
		}
	}
}

const struct gpu_driver vulkan_gpu_driver = {
    .soname = VULKAN_SONAME,
    /* Timestamps around a program are accurate to some microseconds. */
    .steady_part = 0.01,
    .most_turns = PROGRAM_TURNS,
    .is_in_kernel = vulkan_is_in_kernel,
    .describe = vulkan_describe,
    .describe_clock = vulkan_describe_clock,
    .check = program_check,
    .least_lane = 4,
    .workers = vulkan_workers,
    .import = vulkan_import_memory,
    .release = vulkan_release,
    .load = vulkan_load_transfer,
    .start = vulkan_start,
    .wait = vulkan_wait_for_end,
    .write = vulkan_write,
    .read = vulkan_read,
    .spans_to_ns = vulkan_spans_to_ns,
    .read_ticks = vulkan_read_ticks,
    .prove = vulkan_prove_chain,
    .copy_bytes = COPY_BYTES,
    .copy = vulkan_copy,
};

bool
vulkan_prepare_programs(struct session *s)
{
	struct vulkan_gpu *vg = s->state;
	struct vulkan_device *d = &vg->device;
	size_t order = GPU_ORDER * sizeof *vg->gpu.entries;
	size_t results = GPU_WORKERS * sizeof *vg->gpu.span;

	for (unsigned i = GPU_OVERHEAD; i < NPIPELINES; i++) {
		struct module module = program_support(&vg->program, i);

		if (!vulkan_compile(s, d, &module, &vg->pipeline[i]))
			return false;
	}
	if (!vulkan_allocate(s, d, &vg->order, order, false) ||
	    !vulkan_allocate(s, d, &vg->results, results, false) ||
	    !vulkan_allocate(s, d, &vg->sink, LINE, false) ||
	    !vulkan_allocate(s, d, &vg->staging, max_u64(order, results), true))
		return false;
	vg->gpu.order_at = vg->order.address;
	vg->gpu.results_at = vg->results.address;
	vg->gpu.dead_store_at = vg->sink.address;
	return true;
}

/*
 * A bandwidth bench needs one clock for all workers. The subgroup clock of
 * AMD's newer GPUs has 20 bits, which wrap every millisecond.
 */
static bool
vulkan_choose_clock(struct session *s, enum vulkan_clock clock)
{
	struct vulkan_gpu *vg = s->state;
	const struct vulkan_device *d = &vg->device;
	bool has_device = d->has.clock.shaderDeviceClock;
	bool has_subgroup = d->has.clock.shaderSubgroupClock;
	bool finer = has_subgroup && (d->vendor != AMD || !has_device);
	bool device = s->request->bench->totals || clock == CLOCK_DEVICE ||
	              (clock == CLOCK_AUTO && !finer);

	vg->program.scope = device ? SPIRV_DEVICE : SPIRV_SUBGROUP;
	vg->gpu.lanes = vg->program.lanes = d->lanes;
	return (device ? has_device : has_subgroup) ||
	       fail(s, STATUS_ABSENT, "%s: its driver (%s) has no %s", d->name,
	            d->driver,
	            device ? "shaderDeviceClock" : "shaderSubgroupClock");
}

static bool
vulkan_open(struct session *s)
{
	struct vulkan_gpu *vg = s->state;
	struct gpu *gpu = &vg->gpu;
	struct vulkan_device *d = &vg->device;
	enum vulkan_clock clock;

	gpu->driver = &vulkan_gpu_driver;
	if (!vulkan_settings_read(s, &gpu->set, &clock) ||
	    !vulkan_device_open(s, d, s->request->device,
	                        gpu->set.engine == ENGINE_CE) ||
	    !vulkan_choose_clock(s, clock))
		return false;
	if (*d->bdf)
		memcpy(gpu->bdf, d->bdf, sizeof gpu->bdf);
	else
		snprintf(gpu->bdf, sizeof gpu->bdf, "vulkan:%u", d->number);
	gpu->software = d->software;
	gpu->linkless = gpu->software || d->integrated;
	return gpu_begin(s) && vulkan_prepare_programs(s);
}

static void
vulkan_close(struct session *s)
{
	struct vulkan_gpu *vg = s->state;
	struct vulkan_device *d = &vg->device;

	if (d->device)
		vulkan.DeviceWaitIdle(d->device);
	for (size_t i = 0; i < NPIPELINES; i++)
		vulkan_destroy(d, &vg->pipeline[i]);
	gpu_memory_free(&vg->gpu);
	vulkan_free(d, &vg->order);
	vulkan_free(d, &vg->results);
	vulkan_free(d, &vg->sink);
	vulkan_free(d, &vg->staging);
	vulkan_free(d, &vg->scratch);
	vulkan_device_close(d);
	gpu_end(&vg->gpu);
}

/*
 * A list reads sysfs first; then it loads drivers in a child process, because
 * they may crash or hang.
 */
#define LIMIT_MS   5000
#define REASON_MAX 512

/* The child process: tells why it cannot use the device; "" if it can. */
static _Noreturn void
vulkan_answer(int to, const char *bdf)
{
	struct session s = {0};
	struct vulkan_device d = {0};
	char reason[REASON_MAX] = "";
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* Drops the output of drivers. */
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (!vulkan_device_check(&s, &d, bdf))
		snprintf(reason, sizeof reason, "%s", s.failure.text);
	_exit(write(to, reason, sizeof reason) == sizeof reason ? 0 : 1);
}

/* Stores why the device cannot be used, or "". */
static void
vulkan_ask(const char *bdf, char reason[REASON_MAX])
{
	struct pollfd ready = {.events = POLLIN};
	int end[2], got;
	pid_t pid;

	snprintf(reason, REASON_MAX, "no process to ask the driver");
	if (pipe2(end, O_CLOEXEC))
		return;
	pid = fork();
	if (!pid)
		vulkan_answer(end[1], bdf);
	close(end[1]);
	ready.fd = end[0];
	if (pid > 0) {
		got = poll(&ready, 1, LIMIT_MS);
		if (got <= 0 ||
		    read(end[0], reason, REASON_MAX) != REASON_MAX) {
			kill(pid, SIGKILL);
			snprintf(reason, REASON_MAX,
			         got > 0 ? "%s ends the process that loads it"
			                 : "%s does not answer in 5 s",
			         VULKAN_SONAME);
		}
		waitpid(pid, NULL, 0);
	}
	close(end[0]);
}

static void
vulkan_probe(const struct request *request, struct findings *list)
{
	const struct pci_tree *tree = probe_tree();

	(void)request;
	for (size_t i = 0; tree && i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		char reason[REASON_MAX];
		struct finding *found;
		glob_t nodes = {0};

		if (f->class_code >> 24 == 3)
			find_files(&nodes, "%s/drm/renderD*", f->path);
		if (nodes.gl_pathc) {
			vulkan_ask(f->bdf, reason);
			found = function_found(list, "vulkan", f);
			found->automatic = !*reason;
			found->benches = *reason ? 0 : DMA_BENCHES;
			text_set(&found->why_not, "%s", reason);
		}
		globfree(&nodes);
	}
}

const struct backend vulkan_backend = {
    .name = "vulkan",
    .help = "a GPU with a Vulkan driver that reads and writes host memory",
    .state_size = sizeof(struct vulkan_gpu),
    .benches = DMA_BENCHES,
    .flags = BACKEND_STEADY_TOTALS | BACKEND_WAKES,
    .options = vulkan_options,
    .probe = vulkan_probe,
    .open = vulkan_open,
    .check = gpu_check,
    .prepare = gpu_prepare,
    .run = gpu_run,
    .end = gpu_describe_end,
    .close = vulkan_close,
};
