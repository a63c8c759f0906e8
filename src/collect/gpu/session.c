/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session with a GPU that its driver has opened: options, points, the buffer,
 * and what its rows say.
 */
#include "collect/gpu/gpu.h"

#include "collect/host/cpu.h"
#include "collect/host/describe.h"
#include "common/base/number.h"
#include "common/sys/sysfs.h"

const char *const gpu_engine_names[NENGINES] = {"sm", "bulk", "ce"};
const char *const gpu_wrrd_names[NWRRD] = {"plain", "fence", "store", "sector"};

bool
gpu_settings_read(struct session *s, const struct backend_option *o,
                  const char *workers_only, struct gpu_settings *set)
{
	const struct bench *bench = s->request->bench;
	uint64_t lane, workers;
	size_t wrrd;
	const char *why;

	if (!option_word(s, o, "wrrd", gpu_wrrd_names, NWRRD, &wrrd) ||
	    !option_number(s, o, "lane", 1, 16, 0, &lane) ||
	    !option_number(s, o, "workers", 1, GPU_WORKERS, 0, &workers))
		return false;
	set->wrrd = (enum gpu_wrrd)wrrd;
	set->bytes_per_lane = (unsigned)lane;
	set->workers = (unsigned)workers;
	why =
	    memory_parse_page(option_value(s->request, o, "pages"), &set->page);
	if (why)
		return option_refuse(s, o, "pages", why);
	if (set->wrrd != WRRD_PLAIN && bench->id != LAT_WRRD)
		return option_refuse(s, o, "wrrd", "only for lat_wrrd");
	return !set->workers || (bench->totals && set->engine != ENGINE_CE) ||
	       option_refuse(s, o, "workers", workers_only);
}

unsigned
gpu_lane(const struct gpu_transfer *t, unsigned least, uint64_t offset)
{
	unsigned most = t->mmio ? 4 : 16;
	unsigned lane = 4;

	while (lane > least && (t->size % lane || offset % lane))
		lane /= 2;
	while (lane >= 4 && lane < most && t->size > t->lanes * lane &&
	       (t->size | offset) % ((uint64_t)2 * lane) == 0)
		lane *= 2;
	return lane;
}

static bool
gpu_check_transfer(struct session *s, const struct point *point,
                   struct gpu_transfer *t)
{
	const struct gpu *gpu = s->state;
	const char *why;

	*t = (struct gpu_transfer){.bench = s->request->bench->id,
	                           .engine = gpu->set.engine,
	                           .wrrd = gpu->set.wrrd,
	                           .mmio = gpu->set.mmio,
	                           .lanes = gpu->lanes,
	                           .size = (unsigned)point->size};
	t->bytes_per_lane =
	    gpu->set.bytes_per_lane
	        ? gpu->set.bytes_per_lane
	        : gpu_lane(t, gpu->driver->least_lane, point->offset);
	why = point->size > UINT32_MAX ? "too large"
	                               : gpu->driver->check(t, point->offset);
	return !why ||
	       fail(s, STATUS_TROUBLE, "%ju bytes at offset %ju: %s",
	            (uintmax_t)point->size, (uintmax_t)point->offset, why);
}

/*
 * A bench that writes its window repeatedly makes it device-warm; one that
 * reads a cold window so with a CPU's loads makes it host-warm.
 */
static bool
gpu_choose_state(struct session *s, struct point *point)
{
	const struct gpu *gpu = s->state;
	unsigned workers = gpu->set.workers;
	enum bench_id bench = s->request->bench->id;
	enum cache left = CACHE_DEVICE_WARM;
	uint64_t count = s->request->count;

	if (s->request->bench->totals && count < GPU_TOTAL_LEAST)
		return fail(s, STATUS_TROUBLE,
		            "-n %ju: bandwidth needs at least %d transfers",
		            (uintmax_t)count, GPU_TOTAL_LEAST);
	if (count / GPU_EACH_LEAST < workers)
		return fail(s, STATUS_TROUBLE,
		            "-O workers=%u: each needs at least %d transfers, "
		            "and there are %ju in all",
		            workers, GPU_EACH_LEAST, (uintmax_t)count);
	if (bench == BW_RD && gpu->software && point->cache == CACHE_COLD)
		left = CACHE_HOST_WARM;
	if ((bench != BW_WR && bench != BW_RDWR && left != CACHE_HOST_WARM) ||
	    point->cache == CACHE_DEVICE_WARM ||
	    point->cache == CACHE_THRASHED || gpu_is_once(s, point))
		return true;
	if (!s->request->cache_given) {
		point->cache = left;
		return true;
	}
	return fail(s, STATUS_TROUBLE,
	            "--cache %s: %ju transfers go through a window of %ju "
	            "bytes more than once, which is %s then: take "
	            "--cache %s, a larger window or fewer transfers",
	            cache_names[point->cache], (uintmax_t)count,
	            (uintmax_t)point->window, cache_names[left],
	            cache_names[left]);
}

bool
gpu_memory_node(struct session *s, int wanted, int home, int *node)
{
	if (home < 0 && memory_one_node())
		home = 0;
	if (home < 0 && !memory_is_anywhere() &&
	    (wanted == NODE_LOCAL || wanted == NODE_REMOTE))
		return fail(s, STATUS_ABSENT,
		            "the firmware does not say which node the GPU is "
		            "on: give --node a number");
	return memory_node(s, wanted, home, node);
}

/*
 * Checks a point and its transfer, and stores both, with the actual node and
 * cache state of the point. False after fail() if it cannot be measured.
 */
static bool
gpu_point_resolve(struct session *s, const struct point *asked,
                  struct point *point, struct gpu_transfer *t)
{
	const struct gpu *gpu = s->state;

	*point = *asked;
	if (!point_check(s, point, point_buffer(s->request, gpu->states.llc)))
		return false;
	if (point_units(point) >= GPU_PATTERN)
		return fail(s, STATUS_TROUBLE,
		            "a window of %ju bytes: its %ju units are too many",
		            (uintmax_t)point->window,
		            (uintmax_t)point_units(point));
	return gpu_check_transfer(s, point, t) && gpu_choose_state(s, point) &&
	       gpu_memory_node(s, asked->node, gpu->home, &point->node);
}

/* Bytes of the mapping in huge pages; /proc/[pid]/smaps, proc(5). */
static uint64_t
gpu_huge_bytes(const void *at)
{
	char *text = read_whole("/proc/self/smaps"), *rest = text, *line, *end;
	unsigned long first, address = (unsigned long)at;
	bool inside = false;
	uint64_t bytes = 0;

	while ((line = strsep(&rest, "\n"))) {
		/* The first line of a mapping; others have no such numbers. */
		first = strtoul(line, &end, 16);
		if (end > line && *end == '-')
			inside = first <= address &&
			         address < strtoul(end + 1, NULL, 16);
		if (!inside)
			continue;
		if (!strncmp(line, "AnonHugePages:", 14))
			bytes += 1024 * strtoull(line + 14, NULL, 10);
		if (!strncmp(line, "Private_Hugetlb:", 16))
			bytes += 1024 * strtoull(line + 16, NULL, 10);
	}
	free(text);
	return bytes;
}

void
gpu_memory_free(struct gpu *gpu)
{
	if (gpu->memory.imported)
		gpu->driver->release(gpu);
	memory_free(&gpu->memory.host);
	gpu->memory = (struct gpu_memory){0};
}

bool
gpu_memory_place(struct session *s, size_t size, uint64_t page, int node)
{
	struct gpu *gpu = s->state;
	struct memory *m = &gpu->memory.host;
	uint64_t huge;

	gpu_memory_free(gpu);
	if (!memory_make(s, m, size, page, node) &&
	    (page != HUGE_PAGE || !memory_make_transparent(s, m, size, node)))
		return false;
	huge = gpu_huge_bytes(m->at);
	if (memory_is_huge(m->page) ? huge < m->size : huge)
		return fail(s, STATUS_ABSENT,
		            "-O pages=%s: %ju of the buffer's %ju bytes are in "
		            "huge pages; reserve some in "
		            "/proc/sys/vm/nr_hugepages",
		            !memory_is_huge(m->page) ? "4K"
		            : m->page >> 30          ? "1G"
		                                     : "2M",
		            (uintmax_t)huge, (uintmax_t)m->size);
	return gpu->driver->import(s);
}

/* What rows say ---------------------------------------------------------- */

/* How long the GPU reads while the link is observed, with one SM. */
#define LOAD_NS 300000000

/*
 * Correctable errors, including replays, at the GPU's end of the link, as
 * counted by AER since boot.
 */
static uint64_t
gpu_read_errors(const struct gpu *gpu)
{
	char *text = read_whole("%s/devices/%s/aer_dev_correctable",
	                        root_path("/sys/bus/pci"), gpu->bdf);
	char *rest = text, *name;
	uint64_t count = text ? 0 : GPU_NO_COUNT, n;

	while (aer_next(&rest, &name, &n))
		count += n;
	free(text);
	return count;
}

static void
gpu_describe(struct session *s)
{
	struct gpu *gpu = s->state;
	struct pci_tree *tree = pci_tree_read(root_path("/sys/bus/pci"));
	const struct pci_function *function = pci_find(tree, gpu->bdf);

	gpu->home = function ? function->node : -1;
	gpu->kind =
	    gpu->driver->is_in_kernel(gpu, function) ? "measured" : "virtual";
	if (*gpu->kind == 'v' && gpu->software)
		warn("%s: its driver computes on the CPU: rows are marked "
		     "'virtual'",
		     gpu->bdf);
	else if (*gpu->kind == 'v')
		warn("%s: the kernel shows no such GPU, whatever %s says: "
		     "rows are marked 'virtual'",
		     gpu->bdf, gpu->driver->soname);
	/* The link of such a GPU to its CPU is not reported. */
	if (gpu->coherent)
		warn("%s: it reads host memory by a coherent link, such as "
		     "NVLink-C2C: this does not measure PCI Express",
		     gpu->bdf);
	gpu->iommu = host_iommu(gpu->bdf);
	gpu->errors = gpu_read_errors(gpu);
	if (function && *function->pcie.aspm)
		preamble_set(s->preamble, "aspm", "%s=%s", function->bdf,
		             function->pcie.aspm);
	pci_tree_free(tree);
	host_describe(s->preamble);
	gpu->driver->describe(s);
	if (gpu->set.engine == ENGINE_SM && gpu->granule)
		preamble_set(s->preamble, "granule_bytes", "%d", gpu->granule);
}

void
gpu_describe_tick(struct session *s)
{
	const struct gpu_clock *clock = &((struct gpu *)s->state)->clock;
	char tick[32];

	*print_ns(tick, (uint64_t)(clock->ps + 0.5)) = '\0';
	preamble_set(s->preamble, "clock_tick_ns", "%s", tick);
	*print_ns(tick, (uint64_t)(clock->overhead * clock->ps + 0.5)) = '\0';
	preamble_set(s->preamble, "clock_overhead_ns", "%s", tick);
}

/* Reads the link while the GPU reads memory: an idle link is slower. */
static bool
gpu_describe_link(struct session *s)
{
	struct gpu *gpu = s->state;
	struct gpu_args args = gpu_args(gpu);
	const struct pci_function *function;
	struct pci_tree *tree;
	char link[LINK_TEXT_MAX] = "";

	gpu->driver->describe_clock(s);
	args.buffer = gpu->memory.address;
	args.duration = LOAD_NS;
	if (!gpu->driver->start(s, GPU_LOAD, &args, 1))
		return false;
	tree = pci_tree_read(root_path("/sys/bus/pci"));
	function = pci_find(tree, gpu->bdf);
	if (function && !gpu->coherent && !gpu->linkless)
		link_format(&function->link, link);
	pci_tree_free(tree);
	free(gpu->link);
	gpu->link = xstrdup(link);
	return gpu->driver->wait(s);
}

static void
gpu_identify(struct session *s)
{
	const struct gpu *gpu = s->state;
	const struct gpu_settings *set = &gpu->set;
	char *interface = xstrdup(gpu_engine_names[set->engine]);
	struct series *series;

	/* Rows with settings that are not the default must not be merged. */
	if (set->wrrd != WRRD_PLAIN)
		xappend(&interface, "/", "%s", gpu_wrrd_names[set->wrrd]);
	if (set->mmio)
		xappend(&interface, "/", "mmio");
	if (set->device_clock)
		xappend(&interface, "/", "device-clock");
	if (set->bytes_per_lane)
		xappend(&interface, "/", "lane%u", set->bytes_per_lane);
	if (set->workers)
		xappend(&interface, "/", "workers%u", set->workers);
	series_make(s, 1);
	series = s->series;
	series_identify(series, gpu->kind, gpu->bdf, gpu->link);
	series_set(series, ID_INTERFACE, "%s", interface);
	point_identify(series, &gpu->point);
	memory_identify(series, &gpu->memory.host);
	series_set(series, ID_IOMMU, "%s", gpu->iommu);
	free(interface);
}

void
gpu_describe_end(struct session *s, struct preamble *end)
{
	const struct gpu *gpu = s->state;
	const struct gpu_clock *clock = &gpu->clock;
	double host = (double)(clock->ns - clock->ns0);
	double timer = (double)(clock->timer - clock->timer0);
	uint64_t errors = gpu_read_errors(gpu);

	if (host > 0)
		preamble_set(end, "clock_drift_ppm", "%.3f",
		             1e6 * (timer - host) / host);
	preamble_set(end, "clock_retries", "%u", clock->retries);
	if (clock->spread > 0) {
		preamble_set(end, "clock_spread_pct", "%.1f",
		             100 * clock->spread);
		if (!s->failure.text)
			warn("%s: its clock changed by up to %.1f %% while it "
			     "timed: "
			     "latencies may be wrong by half of that",
			     gpu->bdf, 100 * clock->spread);
	}
	if (gpu->errors != GPU_NO_COUNT && errors != GPU_NO_COUNT)
		preamble_set(end, "aer_correctable", "%ju",
		             (uintmax_t)(errors - gpu->errors));
}

bool
gpu_begin(struct session *s)
{
	struct gpu *gpu = s->state;
	int cpu;

	gpu->order.state = s->request->seed;
	gpu_describe(s);
	gpu->entries = xcalloc(GPU_ORDER, sizeof *gpu->entries);
	gpu->cycles = xcalloc(GPU_LAUNCH, sizeof *gpu->cycles);
	gpu->span = xcalloc(GPU_WORKERS, sizeof *gpu->span);
	clock_open(&gpu->cpu);
	/* The CPU only sets cache states, but should be near the memory. */
	if (!host_pin(s, gpu->home, &cpu))
		return false;
	memory_warn_local(gpu->bdf, gpu->home);
	gpu->states.llc = host_llc(HOST_CPUS);
	for (size_t i = 0; i < NCACHES; i++)
		gpu->states.cached_pct[i] = -1;
	return true;
}

bool
gpu_check(struct session *s, const struct point *asked)
{
	struct gpu *gpu = s->state;
	struct gpu_transfer t;
	struct point point;
	uint64_t room;

	if (!gpu_point_resolve(s, asked, &point, &t))
		return false;
	/* Includes the units behind the window that a launch starts with. */
	room = point.window + SMALL_PAGE + 2 * point_unit(&point);
	if (room > gpu->largest)
		gpu->largest = room;
	gpu->seen |= 1u << point.cache;
	return true;
}

/* Checks before the first point: clock, path, link, all cache states. */
static bool
gpu_prove(struct session *s)
{
	struct gpu *gpu = s->state;
	const struct gpu_states *states = &gpu->states;
	char *text;

	if (!gpu_clock_open(s) || !gpu_path_check(s) || !gpu_describe_link(s))
		return false;
	if (gpu->driver->prove && !gpu->driver->prove(s))
		return false;
	for (size_t i = 0; i < NCACHES; i++) {
		if (gpu->seen & 1u << i && !gpu_state_prove(s, (enum cache)i))
			return false;
	}
	text = xasprintf("load %.0f ns from a cache, %.0f ns from memory",
	                 states->hit_ns, states->miss_ns);
	for (size_t i = 0; i < NCACHES; i++) {
		if (states->cached_pct[i] >= 0)
			xappend(&text, "; ", "%s %.0f%% cached", cache_names[i],
			        states->cached_pct[i]);
	}
	preamble_set(s->preamble, "cache_check", "%s", text);
	free(text);
	gpu->proven = true;
	return true;
}

bool
gpu_prepare(struct session *s, const struct point *asked)
{
	struct gpu *gpu = s->state;
	const struct gpu_memory *memory = &gpu->memory;

	if (!gpu_point_resolve(s, asked, &gpu->point, &gpu->transfer))
		return false;
	gpu->unit = point_unit(&gpu->point);
	if ((!memory->imported || memory->host.node != gpu->point.node) &&
	    !gpu_memory_place(s, gpu->largest, gpu->set.page, gpu->point.node))
		return false;
	if (!(gpu->proven ? gpu_state_prove(s, gpu->point.cache)
	                  : gpu_prove(s)) ||
	    !gpu->driver->load(s, GPU_TRANSFER, &gpu->transfer))
		return false;
	order_begin(&gpu->order, point_units(&gpu->point),
	            gpu->point.pattern == PATTERN_RANDOM,
	            gpu->caches || gpu_is_once(s, &gpu->point));
	gpu_identify(s);
	return true;
}

void
gpu_end(struct gpu *gpu)
{
	thrash_free(&gpu->states.thrash);
	order_free(&gpu->order);
	free(gpu->entries);
	free(gpu->cycles);
	free(gpu->span);
	free(gpu->link);
	free(gpu->iommu);
}
