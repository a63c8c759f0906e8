/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Host memory for DMA: node, page size and population; CPU caches; buffers. */
#include "collect/host/memory.h"

#include "collect/host/arch.h"
#include "common/base/intmath.h"
#include "common/base/number.h"

#include <numa.h>
#include <numaif.h>
#include <sched.h>
#include <sys/mman.h>

#define PAGES_AT_ONCE 1024

/* Since Linux 5.14; the C library may be older than the kernel. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* mmap(2) takes the size of huge pages as a power of two in its flags. */
#define HUGE_SHIFT 26

const char *
memory_parse_page(const char *text, uint64_t *page)
{
	uint64_t size;

	if (parse_size(text, &size) ||
	    (size != SMALL_PAGE && size != HUGE_PAGE &&
	     size != SMALL_PAGE << 18))
		return "pages are 4K, 2M or 1G";
	*page = size;
	return NULL;
}

bool
memory_is_huge(uint64_t page)
{
	return page > (uint64_t)numa_pagesize();
}

bool
memory_one_node(void)
{
	return numa_num_configured_nodes() < 2;
}

bool
memory_is_anywhere(void)
{
	return !memory_one_node() && numa_available() < 0;
}

/* Whether the node has memory that this process may use. */
static bool
has_memory(int node)
{
	struct bitmask *allowed;
	bool has;

	/* The only node with memory: others may have only CPUs. */
	if (memory_one_node()) {
		int only = numa_max_node();

		while (only > 0 && numa_node_size64(only, NULL) <= 0)
			only--;
		return node == only;
	}
	allowed = numa_get_mems_allowed();
	has = numa_bitmask_isbitset(allowed, (unsigned)node);
	numa_free_nodemask(allowed);
	return has;
}

/* The nearest node with memory, which may be `home`. */
static int
nearest_to(int home)
{
	int nearest = -1;

	if (has_memory(home))
		return home;
	for (int node = 0; node <= numa_max_node(); node++) {
		if (!has_memory(node))
			continue;
		if (nearest < 0 ||
		    numa_distance(home, node) < numa_distance(home, nearest))
			nearest = node;
	}
	return nearest;
}

/*
 * The farthest other node, with CPUs if possible: distances are below 256. -1
 * if there is none.
 */
static int
farthest_from(int home)
{
	struct bitmask *cpus = numa_allocate_cpumask();
	int local = nearest_to(home);
	int farthest = -1, most = -1;

	for (int node = 0; node <= numa_max_node(); node++) {
		int distance = numa_distance(home, node);

		if (!numa_node_to_cpus(node, cpus) && numa_bitmask_weight(cpus))
			distance += 256;
		if (node == local || !has_memory(node) || distance <= most)
			continue;
		farthest = node;
		most = distance;
	}
	numa_free_cpumask(cpus);
	return farthest;
}

void
memory_warn_local(const char *device, int home)
{
	if (memory_is_anywhere())
		warn("this process may not choose the node of memory, and rows "
		     "do not name it: in a container, it needs CAP_SYS_NICE");
	else if (home >= 0 && !has_memory(home))
		warn("node %d, where %s is, has no memory that this process "
		     "may use: the nearest, node %d, counts as local",
		     home, device, nearest_to(home));
}

bool
memory_node(struct session *s, int wanted, int home, int *node)
{
	*node = -1;
	if (memory_is_anywhere())
		return wanted == NODE_LOCAL ||
		       fail(s, STATUS_ABSENT,
		            "--node: this process may not choose the node of "
		            "memory (in a container, it needs CAP_SYS_NICE)");
	if (home < 0 && wanted == NODE_REMOTE)
		return fail(s, STATUS_ABSENT,
		            "--node remote: the firmware does not say which "
		            "node the device is on: give a number");
	/* The node of the current CPU, if nothing else is known. */
	if (home < 0 && wanted == NODE_LOCAL && !memory_one_node())
		home = numa_node_of_cpu(sched_getcpu());
	if (home < 0)
		home = 0;
	*node = wanted == NODE_LOCAL    ? nearest_to(home)
	        : wanted == NODE_REMOTE ? farthest_from(home)
	                                : wanted;
	if (*node < 0)
		return fail(s, STATUS_ABSENT,
		            "--node remote: no other node has memory that this "
		            "process may use");
	return has_memory(*node) ||
	       fail(s, STATUS_ABSENT,
	            "--node %d: no such node with memory that this process "
	            "may use",
	            *node);
}

void *
memory_map(uint64_t size, uint64_t page)
{
	int huge = 0;
	void *at;

	if (memory_is_huge(page))
		huge = MAP_HUGETLB |
		       (int)((unsigned)__builtin_ctzll(page) << HUGE_SHIFT);
	at = mmap(NULL, size, PROT_READ | PROT_WRITE,
	          MAP_PRIVATE | MAP_ANONYMOUS | huge, -1, 0);
	return at == MAP_FAILED ? NULL : at;
}

static bool
map(struct session *s, struct memory *m)
{
	m->at = memory_map(m->size, m->page);
	if (!m->at)
		return fail(s, STATUS_ABSENT, "a buffer of %ju bytes: %s%s",
		            (uintmax_t)m->size, strerror(errno),
		            !memory_is_huge(m->page) ? ""
		            : errno == EINVAL
		                ? " (the kernel has no pages of this size, see "
		                  "/sys/kernel/mm/hugepages)"
		                : " (huge pages must be reserved, see "
		                  "/sys/kernel/mm/hugepages/*/nr_hugepages)");
	if (!memory_is_huge(m->page))
		madvise(m->at, m->size, MADV_NOHUGEPAGE);
	return true;
}

/* Huge pages start at multiples of their size: maps more and cuts. */
static bool
map_transparent(struct session *s, struct memory *m)
{
	unsigned char *whole = memory_map(m->size + m->page, SMALL_PAGE);
	size_t before = m->page - (uintptr_t)whole % m->page;

	if (!whole)
		return fail(s, STATUS_ABSENT, "a buffer of %ju bytes: %s",
		            (uintmax_t)m->size, strerror(errno));
	m->at = whole + before;
	munmap(whole, before);
	if (before < m->page)
		munmap(m->at + m->size, m->page - before);
	madvise(m->at, m->size, MADV_HUGEPAGE);
	return true;
}

/* Puts the pages on their node, unless all memory is there. */
static bool
bind_to_node(struct session *s, const struct memory *m)
{
	struct bitmask *nodes;
	long refused;

	if (m->node < 0 || memory_one_node())
		return true;
	nodes = numa_allocate_nodemask();
	numa_bitmask_setbit(nodes, (unsigned)m->node);
	refused = mbind(m->at, m->size, MPOL_BIND, nodes->maskp,
	                nodes->size + 1, MPOL_MF_STRICT);
	numa_free_nodemask(nodes);
	return !refused || fail(s, STATUS_ABSENT, "--node %d: mbind: %s",
	                        m->node, strerror(errno));
}

/* Without reserved pages, the first touch would raise SIGBUS. */
static bool
touch(struct session *s, const struct memory *m)
{
	char node[32] = "";

	if (m->node >= 0)
		snprintf(node, sizeof node, " on node %d", m->node);
	if (madvise(m->at, m->size, MADV_POPULATE_WRITE) && errno != EINVAL)
		return fail(s, STATUS_ABSENT, "a buffer of %ju bytes%s: %s%s",
		            (uintmax_t)m->size, node, strerror(errno),
		            !memory_is_huge(m->page)
		                ? ""
		                : " (too few huge pages are reserved there, "
		                  "see /sys/devices/system/node)");
	memset(m->at, 0, m->size);
	return true;
}

static bool
check_node(struct session *s, const struct memory *m)
{
	void *page[PAGES_AT_ONCE];
	int node[PAGES_AT_ONCE];
	size_t n;

	if (m->node < 0 || memory_one_node())
		return true;
	for (uint64_t at = 0; at < m->size;) {
		for (n = 0; at < m->size && n < PAGES_AT_ONCE; at += m->page)
			page[n++] = m->at + at;
		if (move_pages(0, n, page, NULL, node, 0))
			return fail(s, STATUS_ABSENT,
			            "cannot find the buffer's node: "
			            "move_pages: %s",
			            strerror(errno));
		for (size_t i = 0; i < n; i++) {
			if (node[i] < 0)
				return fail(s, STATUS_ABSENT,
				            "cannot find the node of a page of "
				            "the buffer: %s",
				            strerror(-node[i]));
			if (node[i] != m->node)
				return fail(s, STATUS_ABSENT,
				            "--node %d: a page of the buffer "
				            "is on node %d",
				            m->node, node[i]);
		}
	}
	return true;
}

static bool
make(struct session *s, struct memory *m, uint64_t size,
     bool (*map_pages)(struct session *s, struct memory *m))
{
	uint64_t whole;

	if (__builtin_add_overflow(size, m->page - 1, &whole))
		return fail(s, STATUS_TROUBLE, "a buffer of %ju bytes: %s",
		            (uintmax_t)size, strerror(ENOMEM));
	m->size = whole - whole % m->page;
	if (map_pages(s, m) && bind_to_node(s, m) && touch(s, m) &&
	    check_node(s, m))
		return true;
	memory_free(m);
	return false;
}

bool
memory_make(struct session *s, struct memory *m, uint64_t size, uint64_t page,
            int node)
{
	*m = (struct memory){.page = page, .node = node};
	if (!memory_is_huge(page))
		m->page = (uint64_t)numa_pagesize();
	return make(s, m, size, map);
}

bool
memory_make_transparent(struct session *s, struct memory *m, uint64_t size,
                        int node)
{
	*m = (struct memory){.page = HUGE_PAGE, .node = node};
	return make(s, m, size, map_transparent);
}

void
memory_identify(struct series *series, const struct memory *m)
{
	if (m->node >= 0)
		series_set(series, ID_NODE, "%d", m->node);
	series_set(series, ID_PAGE, "%ju", (uintmax_t)m->page);
}

void
memory_free(struct memory *m)
{
	if (m->at)
		munmap(m->at, m->size);
	*m = (struct memory){0};
}

/* CPU caches -------------------------------------------------------------- */

/* Uses ordinary stores, because memset may bypass the caches. */
void
cache_warm(void *from, uint64_t size)
{
	volatile unsigned char *at = from;

	for (uint64_t i = 0; i < size; i += LINE)
		at[i] = 0xa5;
}

bool
thrash_make(struct session *s, struct thrash *thrash, uint64_t llc)
{
	if (!llc)
		return fail(
		    s, STATUS_ABSENT,
		    "--cache thrashed: the size of the last-level cache is not "
		    "known here");
	thrash->size = 2 * llc + llc / 4;
	thrash->at = memory_map(thrash->size, SMALL_PAGE);
	return thrash->at ||
	       fail(s, STATUS_ABSENT, "%ju bytes to thrash the caches with: %s",
	            (uintmax_t)thrash->size, strerror(errno));
}

void
thrash_free(struct thrash *thrash)
{
	if (thrash->at)
		munmap(thrash->at, thrash->size);
	*thrash = (struct thrash){0};
}

void
cache_thrash(const struct thrash *thrash)
{
	if (thrash->at)
		cache_warm(thrash->at, thrash->size);
}

/* DMA buffers ------------------------------------------------------------- */

bool
dma_buffer_open(struct session *s, struct dma_buffer *b,
                const struct backend_option *options)
{
	const char *pages = option_value(s->request, options, "pages");
	const char *why = memory_parse_page(pages, &b->page);

	b->order.state = s->request->seed;
	return !why || fail(s, STATUS_TROUBLE, "-O pages=%s: %s", pages, why);
}

void
dma_buffer_warn_node(const struct dma_buffer *b, const char *device)
{
	memory_warn_local(device, b->home);
	if (b->home < 0 && !memory_one_node() && !memory_is_anywhere())
		warn("the firmware does not say which node %s is on: the node "
		     "of the CPU counts as local",
		     device);
}

bool
dma_buffer_check(struct session *s, struct dma_buffer *b,
                 const struct point *point)
{
	uint64_t buffer = s->request->buffer;
	uint64_t needed = buffer ? buffer : point->window;
	int node;

	if (point->cache != CACHE_COLD && point->cache != CACHE_HOST_WARM)
		return fail(s, STATUS_TROUBLE,
		            "--cache %s: %s supports cold and host-warm",
		            cache_names[point->cache], b->backend);
	b->window_max = max_u64(b->window_max, point->window);
	if (!point_check(s, point, buffer ? buffer : UINT64_MAX))
		return false;
	if (needed > b->size_max)
		return fail(s, STATUS_TROUBLE,
		            "a buffer of %ju bytes: %s supports at most %ju",
		            (uintmax_t)needed, b->backend,
		            (uintmax_t)b->size_max);
	return memory_node(s, point->node, b->home, &node);
}

bool
dma_buffer_check_depth(struct session *s, const struct point *point,
                       uint64_t most)
{
	uint64_t units = point_units(point);

	return units >= most ||
	       fail(s, STATUS_TROUBLE,
	            "a window of %ju bytes holds %ju transfers of %ju bytes, "
	            "fewer than the %ju that are outstanding: use a larger -w "
	            "or fewer by -O depth",
	            (uintmax_t)point->window, (uintmax_t)units,
	            (uintmax_t)point->size, (uintmax_t)most);
}

/* Frees the memory. */
static void
release(struct dma_buffer *b)
{
	if (b->memory.at && b->unmap)
		b->unmap(b->device, &b->memory);
	memory_free(&b->memory);
}

bool
dma_buffer_prepare(struct session *s, struct dma_buffer *b,
                   const struct point *point)
{
	uint64_t size = max_u64(s->request->buffer, b->window_max);
	int node;

	if (!memory_node(s, point->node, b->home, &node))
		return false;
	/* Keeps one address for the whole sweep, unless the node changes. */
	if (!b->memory.at || b->memory.node != node) {
		release(b);
		if (!memory_make(s, &b->memory, size, b->page, node) ||
		    (b->map && !b->map(s, b->device, &b->memory)))
			return false;
	}
	b->point = *point;
	b->unit = point_unit(point);
	order_begin(&b->order, point_units(point),
	            point->pattern == PATTERN_RANDOM, true);
	return true;
}

void
dma_buffer_identify(struct series *series, const struct dma_buffer *b)
{
	point_identify(series, &b->point);
	memory_identify(series, &b->memory);
}

void
dma_buffer_set_cache(struct dma_buffer *b)
{
	if (b->point.cache == CACHE_COLD)
		arch_flush(b->memory.at, b->point.window);
	else
		cache_warm(b->memory.at, b->point.window);
}

void
dma_buffer_close(struct dma_buffer *b)
{
	release(b);
	order_free(&b->order);
}
