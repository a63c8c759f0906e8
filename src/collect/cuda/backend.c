/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DMA by an NVIDIA GPU: programs read and write a buffer in host memory. */
#include "collect/cuda/cuda.h"
#include "collect/gpu/gpu.h"
#include "collect/host/dynlib.h"
#include "collect/pci/device.h"
#include "common/base/intmath.h"
#include "common/sys/sysfs.h"

#include <unistd.h>

static struct dynlib libcuda = {.soname = CUDA_SONAME};
static struct cuda cuda;

static const struct dynlib_symbol calls[] = {
#define CUDA_ROW(name, ...) {#name, offsetof(struct cuda, name)},
    CUDA_CALLS(CUDA_ROW)
#undef CUDA_ROW
};

#define NVIDIA      0x10de /* vendor ID */
#define BULK_PER_SM 65536  /* bytes in flight per SM */

/* 32-byte sectors: CUDA C++ Programming Guide, "Device Memory Accesses". */
#define GRANULE 32

/* Of the copy engine: reads and writes; a start, and begin and end of each. */
#define CUDA_STREAMS 2
#define CUDA_EVENTS  (1 + CUDA_STREAMS * GPU_MARKS)

struct cuda_gpu {
	struct gpu gpu; /* first: the session's state is both */
	int number;     /* index in the driver */
	char name[128];
	int driver;           /* 13000 is 13.0 */
	int capability;       /* 90 is 9.0 */
	cuda_context context; /* NULL: not open */
	cuda_module support;  /* module of ptx_support */
	/* Of GPU_TRANSFER and GPU_READ: module, and what it transfers. */
	cuda_module module[2];
	struct gpu_transfer loaded[2];
	uint64_t scratch; /* device memory of the copy engine, or 0 */
	cuda_stream stream[CUDA_STREAMS];
	cuda_event event[CUDA_EVENTS];
};

static const struct backend_option cuda_options[] = {
    {"engine", "sm",
     "sm: loads and stores, bulk: bulk copies (from compute capability 9.0), "
     "ce: the copy engine"},
    {"wrrd", "plain",
     "lat_wrrd: plain, fence (between), store (and fence, no read), sector "
     "(read the line's other 32 bytes)"},
    {"load", "volatile",
     "volatile, or mmio: loads that are never merged (from 7.0)"},
    {"lane", "auto", "bytes that a lane of a warp takes at a time"},
    {"workers", "auto", "outstanding transfers in bandwidth benches"},
    {"pages", "4K", "pages of the buffer: 4K, 2M or 1G"},
    {NULL, NULL, NULL},
};

static bool
cuda_settings_read(struct session *s, struct gpu_settings *set)
{
	static const char *const loads[] = {"volatile", "mmio"};
	const struct backend_option *o = cuda_options;
	size_t engine, load;

	if (!option_word(s, o, "engine", gpu_engine_names, NENGINES, &engine) ||
	    !option_word(s, o, "load", loads, ARRAY_LEN(loads), &load))
		return false;
	set->engine = (enum gpu_engine)engine;
	set->mmio = load;
	if (!gpu_settings_read(
	        s, o, "only for bandwidth benches with sm or bulk", set))
		return false;
	return set->engine == ENGINE_SM ||
	       (!set->bytes_per_lane && !set->mmio) ||
	       option_refuse(s, o, "engine", "lane and load need engine=sm");
}

/*
 * Whether a call succeeded; else fails with the call and the driver's name and
 * text of the error. CUDA_DO makes the call, too.
 */
static bool
cuda_check(struct session *s, const char *call, int result)
{
	const char *name = NULL, *text = NULL;

	if (!result)
		return true;
	if (cuda.cuGetErrorName(result, &name) || !name)
		name = "unknown error";
	if (cuda.cuGetErrorString(result, &text) || !text)
		text = "no explanation";
	return fail(s, STATUS_TROUBLE, "%.*s: %s (%d, %s)",
	            (int)strcspn(call, "_"), call, name, result, text);
}

#define CUDA_DO(s, call, ...) cuda_check(s, #call, cuda.call(__VA_ARGS__))

/*
 * Loads and initialises the driver, which stays loaded until exit, because it
 * has threads of its own.
 */
static bool
cuda_load(struct session *s)
{
	const char *why, *missing;

	if (!dynlib_open(&libcuda, &why))
		return fail(s, STATUS_ABSENT, "NVIDIA driver not found: %s",
		            why);
	missing = dynlib_resolve(&libcuda, calls, ARRAY_LEN(calls), &cuda);
	if (missing)
		return fail(s, STATUS_ABSENT,
		            "%s has no %s: the driver is too old", CUDA_SONAME,
		            missing);
	if (CUDA_DO(s, cuInit, 0))
		return true;
	s->failure.status = STATUS_ABSENT;
	return false;
}

#define NAMES_MAX 256

/* Takes the driver's n-th GPU; its BDF is as lspci prints it. */
static bool
cuda_take(struct session *s, int n)
{
	struct cuda_gpu *d = s->state;
	char text[32] = "";

	if (!CUDA_DO(s, cuDeviceGet, &d->number, n) ||
	    !CUDA_DO(s, cuDeviceGetPCIBusId, text, sizeof text, d->number))
		return false;
	if (!parse_bdf(text, d->gpu.bdf))
		return fail(s, STATUS_TROUBLE,
		            "cuDeviceGetPCIBusId: '%s' is not a BDF", text);
	return true;
}

/* Finds the wanted GPU; fails with the names of all GPUs. */
static bool
cuda_find_device(struct session *s, const char *wanted)
{
	const struct gpu *gpu = s->state;
	char names[NAMES_MAX] = "";
	int n = 0;

	if (!CUDA_DO(s, cuDeviceGetCount, &n))
		return false;
	for (int i = 0; i < n; i++) {
		size_t used = strlen(names);

		if (!cuda_take(s, i))
			return false;
		if (!wanted || !strcmp(gpu->bdf, wanted))
			return true;
		snprintf(names + used, sizeof names - used, " %s", gpu->bdf);
	}
	return fail(s, STATUS_ABSENT, "%s: no such GPU; the driver has%s",
	            wanted ? wanted : "gpu", *names ? names : " none");
}

static bool
cuda_read_properties(struct session *s)
{
	struct cuda_gpu *d = s->state;
	int major = 0, minor = 0, coherent = 0, n = d->number;

	if (!CUDA_DO(s, cuDriverGetVersion, &d->driver) ||
	    !CUDA_DO(s, cuDeviceGetName, d->name, sizeof d->name - 1, n) ||
	    !CUDA_DO(s, cuDeviceGetAttribute, &d->gpu.sms, CUDA_SM_COUNT, n) ||
	    !CUDA_DO(s, cuDeviceGetAttribute, &major, CUDA_CAPABILITY_MAJOR,
	             n) ||
	    !CUDA_DO(s, cuDeviceGetAttribute, &minor, CUDA_CAPABILITY_MINOR, n))
		return false;
	d->capability = 10 * major + minor;
	/* A driver that does not know this attribute has no such GPU. */
	if (cuda.cuDeviceGetAttribute(&coherent, CUDA_HOST_PAGE_TABLES, n))
		coherent = 0;
	d->gpu.coherent = coherent;
	return true;
}

/*
 * Compiles a module; on failure the reason includes the compiler's message.
 * Unload with cuda_unload, which takes NULL.
 */
static bool
cuda_load_module(struct session *s, const char *text, cuda_module *module)
{
	static const int option[] = {CUDA_JIT_ERROR_LOG,
	                             CUDA_JIT_ERROR_LOG_SIZE};
	char log[1024] = "";
	size_t size = sizeof log - 1;
	void *value[] = {log, NULL};
	char *reason;
	bool ok;

	/* The API passes numbers as pointers. */
	memcpy(&value[1], &size, sizeof size);
	ok = CUDA_DO(s, cuModuleLoadDataEx, module, text, ARRAY_LEN(option),
	             option, value);
	if (ok)
		return true;
	*module = NULL;
	log[strcspn(log, "\n")] = '\0';
	if (!*log)
		return false;
	reason = xstrdup(s->failure.text);
	fail(s, STATUS_TROUBLE, "%s: %s", reason, log);
	free(reason);
	return false;
}

static void
cuda_unload(cuda_module *module)
{
	if (*module)
		cuda.cuModuleUnload(*module);
	*module = NULL;
}

/* Number of blocks; threads and bytes of shared memory per block. */
struct cuda_grid {
	unsigned blocks, threads, shared;
};

/* Starts a program of a module; cuda_wait waits for all started. */
static bool
cuda_launch(struct session *s, cuda_module module, const char *program,
            const struct gpu_args *args, struct cuda_grid grid)
{
	struct gpu_args copy = *args;
	void *parameter[] = {&copy};
	cuda_function function = NULL;

	/* With more shared memory, all blocks run at once. */
	return CUDA_DO(s, cuModuleGetFunction, &function, module, program) &&
	       (!grid.shared || CUDA_DO(s, cuFuncSetAttribute, function,
	                                CUDA_SHARED_CARVEOUT, 100)) &&
	       CUDA_DO(s, cuLaunchKernel, function, grid.blocks, 1, 1,
	               grid.threads, 1, 1, grid.shared, NULL, parameter, NULL);
}

static bool
cuda_wait(struct session *s)
{
	return cuda_check(s, "cuCtxSynchronize", cuda.cuCtxSynchronize());
}

/* Stores the address of device memory in *at; cuda_free takes 0, too. */
static bool
cuda_allocate(struct session *s, uint64_t *at, size_t size)
{
	cuda_address address = 0;
	bool ok = CUDA_DO(s, cuMemAlloc_v2, &address, size);

	*at = ok ? address : 0;
	return ok;
}

static void
cuda_free(cuda_address at)
{
	if (at)
		cuda.cuMemFree_v2(at);
}

/* Bytes between checks for signals; the driver's queue is shorter. */
#define COPY_BYTES  (UINT64_C(4) << 30)
#define EVENT_NS    20000 /* shorter spans are below the resolution of events */
#define FROM_DEVICE 1     /* stream for writes; 0 is for reads */

/* Events: the first one, then GPU_MARKS per stream. */
enum { BASE, MARKS };

/* Queues a copy for the n-th entry of the order, in one direction. */
static bool
cuda_copy_unit(struct session *s, size_t n, bool write)
{
	const struct cuda_gpu *cg = s->state;
	const struct gpu *gpu = &cg->gpu;
	size_t size = gpu->transfer.size;
	unsigned char *at = gpu->memory.host.at + gpu->point.offset +
	                    gpu->entries[n] * gpu->unit;

	if (write)
		return CUDA_DO(s, cuMemcpyDtoHAsync_v2, at, cg->scratch + size,
		               size, cg->stream[FROM_DEVICE]);
	return CUDA_DO(s, cuMemcpyHtoDAsync_v2, cg->scratch, at, size,
	               cg->stream[0]);
}

static bool
cuda_is_used(const struct gpu *gpu, int stream)
{
	return stream == FROM_DEVICE ? gpu_writes(&gpu->transfer)
	                             : gpu_reads(&gpu->transfer);
}

/* Records the k-th mark in the streams in use. */
static bool
cuda_mark(struct session *s, int k)
{
	struct cuda_gpu *cg = s->state;

	for (int i = 0; i < CUDA_STREAMS; i++) {
		if (cuda_is_used(&cg->gpu, i) &&
		    !CUDA_DO(s, cuEventRecord,
		             cg->event[MARKS + i * GPU_MARKS + k],
		             cg->stream[i]))
			return false;
	}
	return true;
}

/* Queues n copies, with *marks marks from `lead` on. */
static bool
cuda_queue(struct session *s, size_t n, size_t lead, size_t *marks)
{
	struct gpu *gpu = s->state;
	bool both = gpu->transfer.bench == BW_RDWR;
	size_t entries = both ? 2 : 1;
	size_t step = gpu_mark_step((uint32_t)(n - 2 * lead)), mark = lead;
	*marks = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == mark && i <= n - lead) {
			if (!cuda_mark(s, (int)(*marks)++))
				return false;
			mark += step;
		}
		for (int k = 0; k < CUDA_STREAMS; k++) {
			if (cuda_is_used(gpu, k) &&
			    !cuda_copy_unit(s,
			                    i * entries + (size_t)(both && k),
			                    k == FROM_DEVICE))
				return false;
		}
	}
	return true;
}

/* The spans of the *n streams in use, in ns, with `marks` marks. */
static bool
cuda_read_spans(struct session *s, struct gpu_span span[CUDA_STREAMS],
                size_t marks, size_t *n)
{
	const struct cuda_gpu *cg = s->state;

	*n = 0;
	for (int i = 0; i < CUDA_STREAMS; i++) {
		if (!cuda_is_used(&cg->gpu, i))
			continue;
		for (size_t k = 0; k < marks; k++) {
			size_t event = MARKS + (size_t)i * GPU_MARKS + k;
			float ms = 0;

			if (!CUDA_DO(s, cuEventElapsedTime, &ms,
			             cg->event[BASE], cg->event[event]))
				return false;
			span[*n].mark[k] =
			    ms > 0 ? (uint64_t)((double)ms * 1e6) : 0;
		}
		++*n;
	}
	return true;
}

static bool
cuda_copy(struct session *s, size_t n, struct gpu_total *total)
{
	struct cuda_gpu *cg = s->state;
	struct gpu *gpu = &cg->gpu;
	struct gpu_span span[CUDA_STREAMS] = {{{0}}};
	struct gpu_total both = {0};
	size_t lead = n / 8 + 1, streams = 0, marks = 0;
	uint32_t timed = (uint32_t)(n - 2 * lead);

	if (!CUDA_DO(s, cuEventRecord, cg->event[BASE],
	             cg->stream[cuda_is_used(gpu, 0) ? 0 : FROM_DEVICE]) ||
	    !cuda_queue(s, n, lead, &marks) || !cuda_wait(s) ||
	    !cuda_read_spans(s, span, marks, &streams))
		return false;
	if (!gpu_steady(span, streams, timed, EVENT_NS, &both))
		return fail(s, STATUS_TROUBLE,
		            "%zu copies are too few to time: raise -n", n);
	/* A read and a write count as one transfer. */
	total->transfers += both.transfers / (double)streams;
	total->ns += both.ns;
	return true;
}

static bool
cuda_copies_open(struct session *s)
{
	struct cuda_gpu *cg = s->state;

	for (size_t i = 0; i < CUDA_STREAMS; i++) {
		if (!CUDA_DO(s, cuStreamCreate, &cg->stream[i], 1))
			return false;
	}
	for (size_t i = 0; i < CUDA_EVENTS; i++) {
		if (!CUDA_DO(s, cuEventCreate, &cg->event[i], 0))
			return false;
	}
	return true;
}

/*
 * Trusts a library that claims to be the driver only if the kernel has bound
 * this GPU to it.
 */
static bool
cuda_is_in_kernel(const struct gpu *gpu, const struct pci_function *function)
{
	char *path =
	    xasprintf("%s/%s", root_path("/proc/driver/nvidia/gpus"), gpu->bdf);
	bool there = !access(path, F_OK);

	free(path);
	if (there)
		return true;
	return function && (function->id & 0xffff) == NVIDIA &&
	       !strcmp(function->driver, "nvidia") &&
	       is_sysfs(root_path("/sys/bus/pci"));
}

static void
cuda_describe(struct session *s)
{
	const struct cuda_gpu *d = s->state;

	preamble_set(s->preamble, "gpu",
	             "%s, compute capability %d.%d, %d SMs, driver %d.%d",
	             d->name, d->capability / 10, d->capability % 10,
	             d->gpu.sms, d->driver / 1000, d->driver % 1000 / 10);
}

static void
cuda_describe_clock(struct session *s)
{
	const struct gpu *gpu = s->state;
	const struct gpu_clock *clock = &gpu->clock;

	if (s->request->bench->totals) {
		preamble_set(s->preamble, "clock",
		             gpu->set.engine == ENGINE_CE
		                 ? "events of the driver"
		                 : "globaltimer");
	} else {
		preamble_set(s->preamble, "clock",
		             "clock64 of SM %ju, rate from globaltimer",
		             (uintmax_t)clock->sm);
		gpu_describe_tick(s);
	}
	preamble_set(s->preamble, "globaltimer_step_ns", "%ju",
	             (uintmax_t)clock->step);
}

static uint64_t
cuda_workers(const struct gpu *gpu)
{
	uint64_t sms = (uint64_t)gpu->sms;
	uint64_t workers = sms * PTX_WARPS_PER_SM;

	if (gpu->set.engine != ENGINE_BULK)
		return workers;
	return min_u64(workers,
	               max_u64(sms, sms * BULK_PER_SM / gpu->transfer.size));
}

static bool
cuda_import(struct session *s)
{
	struct cuda_gpu *cg = s->state;
	struct gpu_memory *m = &cg->gpu.memory;
	cuda_address address = 0;

	if (!CUDA_DO(s, cuMemHostRegister_v2, m->host.at, m->host.size,
	             CUDA_REGISTER_DEVICEMAP))
		return false;
	m->imported = true;
	if (!CUDA_DO(s, cuMemHostGetDevicePointer_v2, &address, m->host.at, 0))
		return false;
	m->address = address;
	return true;
}

static void
cuda_release(struct gpu *gpu)
{
	cuda.cuMemHostUnregister(gpu->memory.host.at);
}

static bool
cuda_load_transfer(struct session *s, enum gpu_program program,
                   const struct gpu_transfer *t)
{
	struct cuda_gpu *cg = s->state;
	char *text;
	bool ok;

	cuda_unload(&cg->module[program]);
	cg->loaded[program] = *t;
	if (t->engine == ENGINE_CE) {
		cuda_free(cg->scratch);
		return cuda_allocate(s, &cg->scratch, (size_t)2 * t->size);
	}
	text = ptx_transfer(t);
	ok = cuda_load_module(s, text, &cg->module[program]);
	free(text);
	return ok;
}

/* Workers are warps for loads and stores, single threads for bulk copies. */
static bool
cuda_start(struct session *s, enum gpu_program program,
           const struct gpu_args *args, uint64_t workers)
{
	static const struct {
		const char *name;
		unsigned threads;
	} support[NPROGRAMS] = {
	    [GPU_OVERHEAD] = {"pcb_overhead", 1},
	    [GPU_LOAD] = {"pcb_load", 32},
	    [GPU_FILL] = {"pcb_fill", 256},
	    [GPU_SUM] = {"pcb_sum", 32},
	};
	const struct cuda_gpu *cg = s->state;
	unsigned sms = (unsigned)cg->gpu.sms, warps = 1;
	struct cuda_grid grid = {.blocks = program == GPU_FILL ? sms : 1,
	                         .threads = support[program].threads};

	if (support[program].name)
		return cuda_launch(s, cg->support, support[program].name, args,
		                   grid);
	if (workers >= PTX_WARPS_PER_BLOCK * (uint64_t)sms)
		warps = PTX_WARPS_PER_BLOCK;
	grid.blocks = (unsigned)div_round_up(workers, warps);
	grid.threads = PTX_WARP * warps;
	if (cg->loaded[program].engine == ENGINE_BULK)
		grid = (struct cuda_grid){.blocks = (unsigned)workers,
		                          .threads = 1,
		                          .shared = cg->loaded[program].size};
	return cuda_launch(s, cg->module[program], PTX_ENTRY, args, grid);
}

static bool
cuda_write(struct session *s, enum gpu_area area, const void *from, size_t size)
{
	const struct cuda_gpu *cg = s->state;

	return CUDA_DO(s, cuMemcpyHtoD_v2,
	               area == AREA_ORDER ? cg->gpu.order_at
	                                  : cg->gpu.results_at,
	               from, size);
}

static bool
cuda_read(struct session *s, void *to, size_t from, size_t size)
{
	const struct cuda_gpu *cg = s->state;

	return CUDA_DO(s, cuMemcpyDtoH_v2, to, cg->gpu.results_at + from, size);
}

static bool
cuda_read_ticks(struct session *s, uint64_t duration, struct gpu_ticks *ticks)
{
	const struct cuda_gpu *cg = s->state;
	struct gpu_args args = gpu_args(&cg->gpu);
	struct cuda_grid grid = {.blocks = 1, .threads = 1};

	args.duration = duration;
	return cuda_launch(s, cg->support, "pcb_calibrate", &args, grid) &&
	       cuda_wait(s) && cuda_read(s, ticks, 0, sizeof *ticks);
}

static const struct gpu_driver cuda_gpu_driver = {
    .soname = CUDA_SONAME,
    /* The clock has steps of 15 in 2000 MHz; its reading is good to 0.01 %. */
    .steady_part = 0.001,
    .most_turns = UINT32_MAX,
    .is_in_kernel = cuda_is_in_kernel,
    .describe = cuda_describe,
    .describe_clock = cuda_describe_clock,
    .check = ptx_check,
    .least_lane = 1,
    .workers = cuda_workers,
    .import = cuda_import,
    .release = cuda_release,
    .load = cuda_load_transfer,
    .start = cuda_start,
    .wait = cuda_wait,
    .write = cuda_write,
    .read = cuda_read,
    .read_ticks = cuda_read_ticks,
    .copy_bytes = COPY_BYTES,
    .copy = cuda_copy,
};

/* Numbers of the API: capability 90 is 9.0, driver 12020 is 12.2. */
static bool
cuda_check_versions(struct session *s, const char *what, const char *text,
                    int capability, int driver)
{
	const struct cuda_gpu *d = s->state;

	if (d->capability < capability)
		return fail(
		    s, STATUS_ABSENT,
		    "-O %s: %s has compute capability %d.%d; %s need %d.%d",
		    what, d->gpu.bdf, d->capability / 10, d->capability % 10,
		    text, capability / 10, capability % 10);
	return d->driver >= driver ||
	       fail(s, STATUS_ABSENT,
	            "-O %s: the driver has CUDA %d.%d; %s need %d.%d", what,
	            d->driver / 1000, d->driver % 1000 / 10, text,
	            driver / 1000, driver % 1000 / 10);
}

static bool
cuda_open(struct session *s)
{
	struct cuda_gpu *cg = s->state;
	struct gpu *gpu = &cg->gpu;
	const char *which = s->request->device;
	char bdf[BDF_MAX];

	gpu->driver = &cuda_gpu_driver;
	if (!cuda_settings_read(s, &gpu->set))
		return false;
	if (which && !parse_bdf(which, bdf))
		return fail(s, STATUS_TROUBLE,
		            "gpu:%s: not a device (such as 03:00.0)", which);
	if (!cuda_load(s) || !cuda_find_device(s, which ? bdf : NULL) ||
	    !cuda_read_properties(s) ||
	    !CUDA_DO(s, cuDevicePrimaryCtxRetain, &cg->context, cg->number) ||
	    !CUDA_DO(s, cuCtxSetCurrent, cg->context) ||
	    (gpu->set.engine == ENGINE_BULK &&
	     !cuda_check_versions(s, "engine=bulk", "bulk copies", 90,
	                          12000)) ||
	    (gpu->set.mmio &&
	     !cuda_check_versions(s, "load=mmio", "such loads", 70, 12020)))
		return false;
	gpu->lanes = PTX_WARP;
	gpu->granule = GRANULE;
	if (!gpu_begin(s) ||
	    !cuda_allocate(s, &gpu->order_at,
	                   GPU_ORDER * sizeof *gpu->entries) ||
	    !cuda_allocate(s, &gpu->results_at,
	                   GPU_WORKERS * sizeof *gpu->span) ||
	    !cuda_allocate(s, &gpu->dead_store_at, LINE))
		return false;
	return cuda_load_module(s, ptx_support, &cg->support) &&
	       (gpu->set.engine != ENGINE_CE || cuda_copies_open(s));
}

static void
cuda_close(struct session *s)
{
	struct cuda_gpu *cg = s->state;

	for (size_t i = 0; i < CUDA_EVENTS; i++) {
		if (cg->event[i])
			cuda.cuEventDestroy_v2(cg->event[i]);
	}
	for (size_t i = 0; i < CUDA_STREAMS; i++) {
		if (cg->stream[i])
			cuda.cuStreamDestroy_v2(cg->stream[i]);
	}
	cuda_free(cg->scratch);
	cuda_unload(&cg->module[GPU_TRANSFER]);
	cuda_unload(&cg->module[GPU_READ]);
	cuda_unload(&cg->support);
	cuda_free(cg->gpu.order_at);
	cuda_free(cg->gpu.results_at);
	cuda_free(cg->gpu.dead_store_at);
	gpu_memory_free(&cg->gpu);
	if (cg->context)
		cuda.cuDevicePrimaryCtxRelease_v2(cg->number);
	gpu_end(&cg->gpu);
}

/* A list does not start the driver, which can take seconds. */
static void
cuda_probe(const struct request *request, struct findings *list)
{
	const struct pci_tree *tree = probe_tree();

	(void)request;
	for (size_t i = 0; tree && i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		struct finding *found;
		const char *why;

		if (strcmp(f->driver, "nvidia") != 0)
			continue;
		found = function_found(list, "gpu", f);
		found->automatic = dynlib_open(&libcuda, &why);
		found->benches = found->automatic ? DMA_BENCHES : 0;
		text_set(&found->why_not, "%s", why);
	}
}

const struct backend cuda_backend = {
    .name = "gpu",
    .help = "an NVIDIA GPU that reads and writes host memory",
    .state_size = sizeof(struct cuda_gpu),
    .benches = DMA_BENCHES,
    .flags = BACKEND_BDF | BACKEND_STEADY_TOTALS | BACKEND_WAKES,
    .options = cuda_options,
    .probe = cuda_probe,
    .open = cuda_open,
    .check = gpu_check,
    .prepare = gpu_prepare,
    .run = gpu_run,
    .end = gpu_describe_end,
    .close = cuda_close,
};
