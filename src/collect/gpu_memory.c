#include "collect/gpu_memory.h"

#include "common/units.h"

#include <errno.h>
#include <numa.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGES_AT_ONCE 1024
#define SMALL_PAGE    ((size_t)4096)

/* mmap(2): the size of huge pages goes into the flags as a power of two. */
#define HUGE_SHIFT 26

static bool
has_memory(int node)
{
	return numa_bitmask_isbitset(numa_all_nodes_ptr, (unsigned)node);
}

/* The node farthest away from one that has memory; -1 if it is the only. */
static int
farthest_from(int home)
{
	int farthest = -1;

	for (int node = 0; node <= numa_max_node(); node++) {
		if (node == home || !has_memory(node))
			continue;
		if (farthest < 0 ||
		    numa_distance(home, node) > numa_distance(home, farthest))
			farthest = node;
	}
	return farthest;
}

static bool
is_only_node(void)
{
	return numa_available() < 0 || numa_num_configured_nodes() < 2;
}

bool
gpu_memory_node(struct session *s, int wanted, int home, int *node)
{
	if (home < 0)
		home = is_only_node() ? 0 : -1;
	if (home < 0 && (wanted == NODE_LOCAL || wanted == NODE_REMOTE))
		return fail(s, STATUS_ABSENT,
		            "the firmware does not say which node the GPU is "
		            "on: give --node a number");
	*node = wanted;
	if (wanted == NODE_LOCAL)
		*node = home;
	if (wanted == NODE_REMOTE)
		*node = is_only_node() ? -1 : farthest_from(home);
	if (*node < 0)
		return fail(s, STATUS_ABSENT,
		            "--node remote: this machine has one node");
	if (is_only_node() ? *node > 0
	                   : *node > numa_max_node() || !has_memory(*node))
		return fail(s, STATUS_ABSENT,
		            "--node %d: no such node with memory here", *node);
	return true;
}

static const char *
page_text(uint64_t page)
{
	return page == SMALL_PAGE ? "4K" : page >> 30 ? "1G" : "2M";
}

/* Private memory, or NULL; flags as for mmap(2). */
static void *
map_memory(size_t size, int flags)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (at == MAP_FAILED)
		return NULL;
	return at;
}

/* Pages that are reserved for this; false if there are not enough. */
static bool
map_reserved(struct gpu_memory *m)
{
	int shift = __builtin_ctzll(m->page);

	m->mapped = m->size;
	m->map = map_memory(m->mapped,
	                    MAP_HUGETLB | (int)((unsigned)shift << HUGE_SHIFT));
	m->at = m->map;
	return m->map;
}

/* Small pages, or those that the kernel makes huge by itself. */
static bool
map_ordinary(struct gpu_memory *m)
{
	int advice = m->page == SMALL_PAGE ? MADV_NOHUGEPAGE : MADV_HUGEPAGE;

	m->mapped = m->size + m->page;
	m->map = map_memory(m->mapped, 0);
	if (!m->map)
		return false;
	m->at = m->map;
	m->at += (m->page - (uintptr_t)m->at % m->page) % m->page;
	/* A kernel without huge pages knows no such advice: then all is well
	 * if none are wanted, and check_pages says it if they are. */
	madvise(m->at, m->size, advice);
	return true;
}

static bool
map(struct session *s, struct gpu_memory *m, size_t size, uint64_t page)
{
	if (__builtin_add_overflow(size, page - 1, &size))
		return fail(s, STATUS_TROUBLE, "a buffer of that size");
	m->page = page;
	m->size = size - size % page;
	if (page != SMALL_PAGE && map_reserved(m))
		return true;
	if (page >> 30)
		return fail(s, STATUS_ABSENT,
		            "-O pages=1G: not enough of them are reserved, see "
		            "/sys/kernel/mm/hugepages/hugepages-1048576kB/"
		            "nr_hugepages (%s)",
		            strerror(errno));
	return map_ordinary(m) ||
	       fail(s, STATUS_ABSENT, "a buffer of %zu bytes: %s", m->size,
	            strerror(errno));
}

static bool
bind_to_node(struct session *s, const struct gpu_memory *m)
{
	struct bitmask *nodes;
	long refused;

	if (is_only_node())
		return true;
	nodes = numa_allocate_nodemask();
	numa_bitmask_setbit(nodes, (unsigned)m->node);
	refused = mbind(m->at, m->size, MPOL_BIND, nodes->maskp,
	                nodes->size + 1, MPOL_MF_STRICT);
	numa_free_nodemask(nodes);
	if (refused)
		return fail(s, STATUS_ABSENT, "--node %d: mbind: %s", m->node,
		            strerror(errno));
	return true;
}

/* The node of each of these pages; false, with errno, if they are hidden. */
static bool
all_on_node(const struct gpu_memory *m, size_t at, size_t n, size_t step,
            int *other)
{
	void *page[PAGES_AT_ONCE];
	int status[PAGES_AT_ONCE];

	for (size_t i = 0; i < n; i++)
		page[i] = m->at + at + i * step;
	if (move_pages(0, n, page, NULL, status, 0))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (status[i] != m->node)
			*other = status[i];
	}
	return true;
}

static bool
check_node(struct session *s, const struct gpu_memory *m)
{
	size_t step = m->page;
	int other = m->node;

	if (is_only_node())
		return true;
	for (size_t at = 0; at < m->size; at += PAGES_AT_ONCE * step) {
		size_t n = (m->size - at) / step;

		if (n > PAGES_AT_ONCE)
			n = PAGES_AT_ONCE;
		if (!all_on_node(m, at, n, step, &other))
			return fail(s, STATUS_ABSENT,
			            "the buffer's node cannot be looked up: "
			            "move_pages: %s",
			            strerror(errno));
	}
	if (other == m->node)
		return true;
	return fail(s, STATUS_ABSENT,
	            "--node %d: pages of the buffer are elsewhere (%d)",
	            m->node, other);
}

/* Whether a line of smaps begins the mapping that holds an address. */
static bool
is_mapping_of(const char *line, uintptr_t address, bool *begins)
{
	char *end;
	uintptr_t first = strtoul(line, &end, 16), last;

	*begins = *end == '-' && end > line;
	if (!*begins)
		return false;
	last = strtoul(end + 1, NULL, 16);
	return first <= address && address < last;
}

/* Bytes of the mapping that are in huge pages; /proc/[pid]/smaps, proc(5). */
static uint64_t
huge_bytes(const void *at)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	bool inside = false;
	uint64_t bytes = 0;
	char *line = NULL;
	size_t size = 0;

	while (f && getline(&line, &size, f) > 0) {
		bool begins, here = is_mapping_of(line, (uintptr_t)at, &begins);

		if (begins)
			inside = here;
		if (!inside)
			continue;
		if (!strncmp(line, "AnonHugePages:", 14))
			bytes += 1024 * strtoull(line + 14, NULL, 10);
		if (!strncmp(line, "Private_Hugetlb:", 16))
			bytes += 1024 * strtoull(line + 16, NULL, 10);
	}
	free(line);
	if (f)
		fclose(f);
	return bytes;
}

static bool
check_pages(struct session *s, const struct gpu_memory *m)
{
	uint64_t huge = huge_bytes(m->at);

	if (m->page == SMALL_PAGE ? !huge : huge >= m->size)
		return true;
	return fail(s, STATUS_ABSENT,
	            "-O pages=%s: %ju of the buffer's %zu bytes are in huge "
	            "pages; reserve some in /proc/sys/vm/nr_hugepages",
	            page_text(m->page), (uintmax_t)huge, m->size);
}

bool
gpu_memory_place(struct session *s, const struct gpu_device *d,
                 struct gpu_memory *m, size_t size, uint64_t page, int node)
{
	gpu_memory_free(d, m);
	m->node = node;
	if (!map(s, m, size, page) || !bind_to_node(s, m))
		return false;
	memset(m->at, 0x11, m->size);
	if (!check_node(s, m) || !check_pages(s, m) ||
	    !CUDA_DO(s, &d->cuda, cuMemHostRegister_v2, m->at, m->size,
	             CUDA_REGISTER_DEVICEMAP))
		return false;
	m->registered = true;
	return CUDA_DO(s, &d->cuda, cuMemHostGetDevicePointer_v2, &m->address,
	               m->at, 0);
}

void
gpu_memory_free(const struct gpu_device *d, struct gpu_memory *m)
{
	if (m->registered)
		d->cuda.cuMemHostUnregister(m->at);
	if (m->map)
		munmap(m->map, m->mapped);
	*m = (struct gpu_memory){0};
}
