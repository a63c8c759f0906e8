/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Host memory on the nodes of a fake libnuma. */
#include "collect/host/memory.h"
#include "collect/core/point.h"
#include "collect/gpu/gpu.h"
#include "rig/cmocka.h"
#include "rig/session.h"

#include <limits.h>
#include <numa.h>
#include <numaif.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Consecutive nodes, those with memory as bits, and what the kernel reports. */
static struct {
	int nodes, cpu;
	unsigned memory, allowed, cpus; /* usable memory; CPUs */
	int bind_error, look_error, page_node;
	bool refused;
	int page;

	/* Arguments of the calls. */
	void *bound;
	size_t bound_size;
	unsigned long bound_to; /* as bits */
	int map_flags;
} fake;

void *
mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	fake.map_flags = flags;
	return (void *)syscall(SYS_mmap, at, size, protection, flags, fd,
	                       offset);
}

int
numa_pagesize(void)
{
	return fake.page;
}

int
numa_available(void)
{
	return fake.refused ? -1 : 0;
}

int
numa_num_configured_nodes(void)
{
	return __builtin_popcount(fake.memory);
}

int
numa_max_node(void)
{
	return fake.nodes - 1;
}

struct bitmask *
numa_get_mems_allowed(void)
{
	struct bitmask *nodes = numa_bitmask_alloc(64);

	*nodes->maskp = fake.memory & fake.allowed;
	return nodes;
}

long long
numa_node_size64(int node, long long *unused)
{
	return fake.memory >> node & 1 ? 1 << 30 : 0;
}

int
numa_node_to_cpus(int node, struct bitmask *cpus)
{
	*cpus->maskp = fake.cpus >> node & 1;
	return 0;
}

int
numa_distance(int a, int b)
{
	return 10 + 11 * abs(a - b);
}

int
numa_node_of_cpu(int cpu)
{
	return fake.cpu;
}

long
mbind(void *at, unsigned long size, int mode, const unsigned long *nodes,
      unsigned long max, unsigned flags)
{
	assert_int_equal(mode, MPOL_BIND);
	assert_int_equal(flags, MPOL_MF_STRICT);
	assert_true(max > 1);
	fake.bound = at;
	fake.bound_size = size;
	fake.bound_to = *nodes;
	errno = fake.bind_error;
	return fake.bind_error ? -1 : 0;
}

/* The last page is on page_node. */
long
move_pages(int pid, unsigned long n, void **page, const int *to, int *node,
           int flags)
{
	assert_true(!pid && *page && !to && !flags);
	for (unsigned long i = 0; i < n; i++)
		node[i] = i + 1 < n && fake.bound_to != 1 ? 1 : fake.page_node;
	errno = fake.look_error;
	return fake.look_error ? -1 : 0;
}

static struct session session;
static struct memory m;
static int node;

static int
begin(void **state)
{
	fake.nodes = 3;
	fake.cpu = fake.page_node = 1;
	fake.memory = fake.cpus = 7;
	fake.allowed = UINT_MAX;
	fake.bind_error = fake.look_error = 0;
	fake.refused = false;
	fake.page = 4096;
	return 0;
}

static int
end(void **state)
{
	free(session.failure.text);
	session = (struct session){0};
	memory_free(&m);
	node = -1;
	return 0;
}

#define NO_MEMORY "no such node with memory that this process may use"
#define NOT_SAID  "the firmware does not say which node the "

TEST_IN(nodes_are_found, begin, end)
{
	static const char remote[] = "--node remote: no other node has memory "
	                             "that this process may use";
	static const struct {
		int nodes;
		unsigned memory;
		int cpu, wanted, home, node;
		const char *why;
	} cases[] = {
	    {3, 7, 1, NODE_LOCAL, 2, 2, NULL},
	    {3, 7, 1, NODE_REMOTE, 0, 2, NULL},
	    {3, 7, 1, NODE_REMOTE, 2, 0, NULL},
	    {3, 3, 1, NODE_REMOTE, 0, 1, NULL},
	    {3, 7, 1, NODE_LOCAL, -1, 1, NULL},
	    {3, 7, -1, NODE_LOCAL, -1, 0, NULL},
	    {3, 7, 1, 2, -1, 2, NULL},
	    {1, 1, 0, NODE_LOCAL, -1, 0, NULL},
	    /* Memory is neither on the first node nor at the device. */
	    {2, 2, 0, NODE_LOCAL, -1, 1, NULL},
	    {2, 2, 0, NODE_LOCAL, 0, 1, NULL},
	    {2, 2, 0, NODE_LOCAL, 1, 1, NULL},
	    {2, 2, 0, 1, 0, 1, NULL},
	    /* A node with CPUs only, and one that does not exist. */
	    {3, 5, 1, NODE_LOCAL, -1, 0, NULL},
	    {4, 0xd, 1, NODE_LOCAL, 1, 0, NULL},
	    {4, 0xd, 1, NODE_REMOTE, 1, 2, NULL},
	    {5, 0x11, 1, NODE_LOCAL, 3, 4, NULL},
	    {1, 1, 0, NODE_REMOTE, 0, 0, remote},
	    {2, 2, 0, NODE_REMOTE, 0, 0, remote},
	    {3, 7, 1, NODE_REMOTE, -1, 0,
	     "--node remote: " NOT_SAID "device is on: give a number"},
	    {3, 3, 1, 2, 0, 0, "--node 2: " NO_MEMORY},
	    {3, 7, 1, 3, 0, 0, "--node 3: " NO_MEMORY},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bool ok;

		fake.nodes = cases[i].nodes;
		fake.memory = cases[i].memory;
		fake.cpu = cases[i].cpu;
		ok = memory_node(&session, cases[i].wanted, cases[i].home,
		                 &node);
		assert_int_equal(ok, !cases[i].why);
		if (ok)
			assert_int_equal(node, cases[i].node);
		else
			assert_failed(&session, STATUS_ABSENT, cases[i].why);
		end(state);
	}
}

/* As in a job of a batch system with one node of three. */
TEST_IN(nodes_of_a_cpuset_are_found, begin, end)
{
	fake.allowed = 2;
	assert_true(memory_node(&session, NODE_LOCAL, 2, &node));
	assert_int_equal(node, 1);
	assert_false(memory_node(&session, NODE_REMOTE, 2, &node));
	assert_failed(&session, STATUS_ABSENT,
	              "--node remote: no other node has memory "
	              "that this process may use");
	end(state);
	assert_false(memory_node(&session, 0, 2, &node));
	assert_failed(&session, STATUS_ABSENT, "--node 0: " NO_MEMORY);
}

/* Memory of a GPU or memory card is remote only if nothing else is. */
TEST_IN(memory_without_cpus_is_remote_at_last, begin, end)
{
	fake.cpus = 3;
	assert_true(memory_node(&session, NODE_REMOTE, 0, &node));
	assert_int_equal(node, 1);
	fake.memory = 5;
	assert_true(memory_node(&session, NODE_REMOTE, 0, &node));
	assert_int_equal(node, 2);
}

TEST_IN(the_node_of_a_gpu_is_not_guessed, begin, end)
{
	assert_false(gpu_memory_node(&session, NODE_LOCAL, -1, &node));
	assert_failed(&session, STATUS_ABSENT,
	              NOT_SAID "GPU is on: give --node a number");
	assert_true(gpu_memory_node(&session, 2, -1, &node));
	assert_int_equal(node, 2);
	fake.nodes = 1;
	fake.memory = 1;
	assert_true(gpu_memory_node(&session, NODE_LOCAL, -1, &node));
	assert_int_equal(node, 0);
}

TEST_IN(rows_do_not_tell_a_node_that_nobody_may_choose, begin, end)
{
	static const char why[] =
	    "--node: this process may not choose the node of memory (in a "
	    "container, it needs CAP_SYS_NICE)";
	struct series series = {0};

	fake.refused = true;
	assert_true(memory_is_anywhere());
	assert_true(memory_node(&session, NODE_LOCAL, 1, &node));
	assert_int_equal(node, -1);
	assert_true(gpu_memory_node(&session, NODE_LOCAL, -1, &node));
	assert_int_equal(node, -1);
	assert_true(memory_make(&session, &m, 4096, SMALL_PAGE, node));
	memory_identify(&series, &m);
	assert_null(series.id[ID_NODE]);
	free(series.id[ID_PAGE]);
	memory_free(&m);
	assert_false(memory_node(&session, NODE_REMOTE, 1, &node));
	assert_failed(&session, STATUS_ABSENT, why);
	end(state);
	assert_false(memory_node(&session, 1, 1, &node));
	assert_failed(&session, STATUS_ABSENT, why);
	fake.nodes = 1;
	fake.memory = 1;
	assert_false(memory_is_anywhere());
}

/* 1025 pages: one more than are checked at once. */
TEST_IN(pages_are_where_they_should_be, begin, end)
{
	static const struct {
		int node, bind_error, look_error, page_node;
		const char *why;
	} cases[] = {
	    {1, 0, 0, 1, NULL},
	    {0, 0, 0, 0, NULL},
	    {1, EPERM, 0, 1, "--node 1: mbind: Operation not permitted"},
	    {1, 0, EACCES, 1,
	     "cannot find the buffer's node: move_pages: "
	     "Permission denied"},
	    {1, 0, 0, -ENOENT,
	     "cannot find the node of a page of the buffer: "
	     "No such file or directory"},
	    {1, 0, 0, 2, "--node 1: a page of the buffer is on node 2"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bool ok;

		fake.bind_error = cases[i].bind_error;
		fake.look_error = cases[i].look_error;
		fake.page_node = cases[i].page_node;
		ok = memory_make(&session, &m, 1024 * SMALL_PAGE + 1,
		                 SMALL_PAGE, cases[i].node);
		assert_int_equal(ok, !cases[i].why);
		assert_int_equal(fake.bound_to, 1 << cases[i].node);
		assert_int_equal(m.size, ok ? 1025 * SMALL_PAGE : 0);
		if (ok) {
			assert_ptr_equal(fake.bound, m.at);
			assert_int_equal(fake.bound_size, m.size);
		} else {
			assert_failed(&session, STATUS_ABSENT, cases[i].why);
		}
		memory_free(&m);
		assert_null(m.at);
		end(state);
	}
}

/* With some kernels of arm64: rows and VFIO must not take them for 4K. */
TEST_IN(small_pages_are_the_kernel_s, begin, end)
{
	struct series series = {0};

	fake.page = 65536;
	assert_true(memory_make(&session, &m, 8192, SMALL_PAGE, -1));
	assert_int_equal(m.size, 65536);
	memory_identify(&series, &m);
	assert_string_equal(series.id[ID_PAGE], "65536");
	free(series.id[ID_PAGE]);
	memory_free(&m);
	assert_false(memory_is_huge(65536));
	assert_true(memory_is_huge(HUGE_PAGE));
}

TEST_IN(pages_of_no_such_size_are_refused, begin, end)
{
	assert_false(memory_make(&session, &m, 1, UINT64_C(1) << 40, 1));
	assert_failed(&session, STATUS_ABSENT,
	              "a buffer of 1099511627776 bytes: Invalid argument (the "
	              "kernel has no pages of this size, see "
	              "/sys/kernel/mm/hugepages)");
}

TEST_IN(what_does_not_fit_is_refused, begin, end)
{
	static const uint64_t most = UINT64_C(1) << 60;
	struct thrash thrash = {0};

	assert_false(memory_make(&session, &m, UINT64_MAX, SMALL_PAGE, 1));
	assert_failed(&session, STATUS_TROUBLE,
	              "a buffer of 18446744073709551615 bytes: "
	              "Cannot allocate memory");
	assert_false(memory_make(&session, &m, most, SMALL_PAGE, 1));
	assert_failed(&session, STATUS_ABSENT,
	              "a buffer of 1152921504606846976 bytes: "
	              "Cannot allocate memory");
	assert_false(memory_make_transparent(&session, &m, most, 1));
	assert_failed(&session, STATUS_ABSENT,
	              "a buffer of 1152921504606846976 bytes: "
	              "Cannot allocate memory");
	assert_false(thrash_make(&session, &thrash, most));
	assert_failed(&session, STATUS_ABSENT,
	              "2594073385365405696 bytes to thrash the caches with: "
	              "Cannot allocate memory");
	assert_false(thrash_make(&session, &thrash, 0));
	assert_failed(&session, STATUS_ABSENT,
	              "--cache thrashed: the size of the last-level cache is "
	              "not known here");
	thrash_free(&thrash);
}

TEST_IN(large_pages_begin_where_they_can, begin, end)
{
	assert_true(memory_make_transparent(&session, &m, 1, 1));
	assert_int_equal(m.size, HUGE_PAGE);
	assert_int_equal((uintptr_t)m.at % HUGE_PAGE, 0);
}

/* mmap(2): the logarithm of a huge page's size, from bit 26 on. */
TEST_IN(the_kernel_is_told_how_large_pages_are, begin, end)
{
	static const struct {
		uint64_t page;
		int flags;
	} cases[] = {{SMALL_PAGE, 0},
	             {HUGE_PAGE, MAP_HUGETLB | 21 << 26},
	             {SMALL_PAGE << 18, MAP_HUGETLB | 30 << 26}};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		void *at = memory_map(cases[i].page, cases[i].page);

		assert_int_equal(fake.map_flags,
		                 MAP_PRIVATE | MAP_ANONYMOUS | cases[i].flags);
		if (at)
			munmap(at, cases[i].page);
	}
}

TEST_IN(pages_that_are_not_huge_are_refused, begin, end)
{
	struct gpu gpu = {0};
	void *reserved = memory_map(HUGE_PAGE, HUGE_PAGE);

	if (reserved || prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0))
		skip();
	session.state = &gpu;
	assert_false(gpu_memory_place(&session, HUGE_PAGE + 1, HUGE_PAGE, 1));
	assert_failed(&session, STATUS_ABSENT,
	              "-O pages=2M: 0 of the buffer's 4194304 bytes are in "
	              "huge pages; reserve some in /proc/sys/vm/nr_hugepages");
	gpu_memory_free(&gpu);
	session.state = NULL;
	assert_int_equal(prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), 0);
}
