/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where commands move their data, on a fake controller that reads PRP lists. */
#include "collect/core/point.h"
#include "collect/nvme/nvme.h"
#include "collect/vfio/vfio.h"
#include "rig/cmocka.h"
#include "rig/session.h"

#include <time.h>
#include <unistd.h>

#define CSTS    0x1c
#define ENTRIES 5
#define BLOCK   512
#define FIRST   UINT64_C(100) /* of the blocks */
#define UNITS   8
#define TAKEN   32

/* A completed command. */
struct taken {
	uint8_t opcode;
	uint64_t at, size, block;
};

/* It completes one command each time the clock is read. */
static struct {
	struct region {
		unsigned char *at;
		uint64_t iova, size;
	} region[2]; /* the buffer, and the lists */
	struct nvme_command sq[ENTRIES];
	struct nvme_completion cq[ENTRIES];
	volatile uint32_t bells[2];
	uint32_t registers[16];
	uint32_t at, phase;
	unsigned char data; /* value of its data */
	uint64_t missing;   /* a byte that it does not write */
	struct taken taken[TAKEN];
	unsigned n, unmapped;
	bool on;
	uint64_t now;
} device;

static unsigned char *
seen(uint64_t iova, uint64_t size)
{
	for (size_t i = 0; i < ARRAY_LEN(device.region); i++) {
		const struct region *r = &device.region[i];

		if (iova >= r->iova && iova + size <= r->iova + r->size)
			return r->at + (iova - r->iova);
	}
	fail_msg("nothing is mapped at 0x%jx", (uintmax_t)iova);
	return NULL;
}

/* Address of a page of the transfer after the first, NVM Express 1.4, 4.3. */
static uint64_t
page_of(const struct nvme_command *c, uint64_t number, uint64_t pages)
{
	const uint64_t *list;

	if (pages == 2)
		return c->prp2;
	assert_true(c->prp2 % NVME_PAGE + 8 * (pages - 1) <= NVME_PAGE);
	list = (void *)seen(c->prp2, 8 * (pages - 1));
	return list[number - 1];
}

/* All addresses of a transfer must be contiguous. */
static void
move_data(const struct nvme_command *c, uint64_t size)
{
	uint64_t first = NVME_PAGE - c->prp1 % NVME_PAGE, done = 0;
	uint64_t pages = 1, piece = size < first ? size : first;

	if (size > first)
		pages += (size - first + NVME_PAGE - 1) / NVME_PAGE;
	for (uint64_t i = 0; i < pages; i++) {
		uint64_t at = i ? page_of(c, i, pages) : c->prp1;

		assert_int_equal(at, c->prp1 + done);
		for (uint64_t k = 0; k < piece; k++, done++) {
			if (c->opcode != NVME_WRITE && done != device.missing)
				*seen(at + k, 1) = device.data;
		}
		piece = size - done < NVME_PAGE ? size - done : NVME_PAGE;
	}
}

static void
execute(const struct nvme_command *c)
{
	bool logs = c->nsid == UINT32_MAX;
	uint64_t size =
	    logs ? ((c->dw10 >> 16) + 1) * 4 : (uint64_t)(c->dw12 + 1) * BLOCK;

	assert_true(!logs || (c->dw10 & 0xffff) == 0x8002);
	if (device.n < TAKEN)
		device.taken[device.n] =
		    (struct taken){.opcode = c->opcode,
		                   .at = c->prp1,
		                   .size = size,
		                   .block = c->dw10 | (uint64_t)c->dw11 << 32};
	device.n++;
	move_data(c, size);
}

static void
move(void)
{
	volatile struct nvme_completion *cq = &device.cq[device.at];
	if (device.bells[0] == device.at)
		return;
	execute(&device.sq[device.at]);
	cq->id = device.sq[device.at].id;
	cq->status = (uint16_t)device.phase;
	if (++device.at == ENTRIES) {
		device.at = 0;
		device.phase ^= 1;
	}
}

/* Replaces the C library's. */
int
clock_gettime(clockid_t clock, struct timespec *time)
{
	device.now += 1000000;
	if (device.on)
		move();
	time->tv_sec = (time_t)(device.now / 1000000000);
	time->tv_nsec = (long)(device.now % 1000000000);
	return 0;
}

static bool
map(const struct vfio_iommu *iommu, void *at, uint64_t size, uint64_t iova)
{
	/* The kernel refuses to map twice. */
	assert_int_equal(device.region[1].size, 0);
	device.region[1] = (struct region){at, iova, size};
	return true;
}

static void
unmap(const struct vfio_iommu *iommu, uint64_t size, uint64_t iova)
{
	assert_int_equal(device.region[1].size, size);
	assert_int_equal(device.region[1].iova, iova);
	device.region[1].size = 0;
	device.unmapped++;
}

static const struct vfio_ops way = {.name = "fake", .map = map, .unmap = unmap};
static struct vfio_iommu iommu = {.ops = &way};
static struct pci_function function = {.bdf = "0000:03:00.0"};

static struct nvme_work work;
static uint64_t raw[TAKEN];
static struct series series;
static struct session session;
static struct request request;
static volatile sig_atomic_t interrupted;

/* Runs commands one at a time, or on all pairs. */
static bool
run_each(uint64_t want)
{
	request.bench = find_bench("lat_nvme");
	return queue_run(&session, &work.engine.queue, want);
}

static bool
run_many(uint64_t want)
{
	request.bench = find_bench("bw_wr");
	work.engine.queue.slots = work.pairs * work.depth;
	return queue_run(&session, &work.engine.queue, want);
}

static void
set_point(uint64_t size, uint64_t offset)
{
	struct point point = {.size = size,
	                      .offset = offset,
	                      .window = UINT64_MAX,
	                      .cache = CACHE_HOST_WARM};
	int node;

	point.window = UNITS * point_unit(&point);
	work.engine.buffer.point = point;
	work.engine.buffer.unit = point_unit(&point);
	work.blocks = (uint32_t)(size / BLOCK);
	work.next = work.first;
	order_begin(&work.engine.buffer.order, UNITS, false, true);
	memory_free(&work.engine.buffer.memory);
	assert_true(memory_node(&session, NODE_LOCAL, -1, &node));
	assert_true(memory_make(&session, &work.engine.buffer.memory,
	                        point.window, SMALL_PAGE, node));
	device.region[0] =
	    (struct region){work.engine.buffer.memory.at, NVME_BUFFER_IOVA,
	                    work.engine.buffer.memory.size};
	assert_true(nvme_make_prp_lists(&session, &work));
	device.on = true;
	device.n = 0;
}

static int
begin(void **state)
{
	const struct nvme_queue q = {.sq = device.sq,
	                             .cq = device.cq,
	                             .sq_bell = &device.bells[0],
	                             .cq_bell = &device.bells[1],
	                             .entries = ENTRIES,
	                             .phase = 1};

	memset(&device, 0, sizeof device);
	device.phase = 1;
	device.data = 0x5a;
	device.missing = UINT64_MAX;
	device.registers[CSTS / 4] = 1;
	work = (struct nvme_work){.pairs = 1,
	                          .depth = ENTRIES - 1,
	                          .opcode = NVME_READ,
	                          .first = FIRST,
	                          .last = UINT64_MAX};
	work.engine.function = &function;
	work.engine.iommu = &iommu;
	work.engine.iova = NVME_BUFFER_IOVA;
	work.engine.req_fd = -1;
	work.engine.host.clock.ps_per_tick = UINT64_C(1) << 32;
	work.nvme.engine = &work.engine;
	work.nvme.bar = (volatile unsigned char *)device.registers;
	work.nvme.admin = work.nvme.queue[0] = q;
	series = (struct series){.raw = raw};
	work.engine.queue = (struct queue){.type = &nvme_queue_type,
	                                   .buffer = &work.engine.buffer,
	                                   .clock = &work.engine.host.clock,
	                                   .batch = UINT32_MAX};
	session = (struct session){.request = &request,
	                           .interrupted = &interrupted,
	                           .state = &work,
	                           .series = &series};
	return 0;
}

static int
end(void **state)
{
	device.on = false;
	nvme_free_prp_lists(&work);
	assert_int_equal(device.region[1].size, 0);
	memory_free(&work.engine.buffer.memory);
	order_free(&work.engine.buffer.order);
	free(session.failure.text);
	return 0;
}

/* Whether the commands moved these transfers, block after block. */
static void
assert_moved(unsigned n, uint8_t opcode)
{
	const struct vfio_engine *d = &work.engine;

	assert_int_equal(device.n, n);
	for (unsigned i = 0; i < n; i++) {
		const struct taken *t = &device.taken[i];

		assert_int_equal(t->opcode, opcode);
		assert_int_equal(t->size, d->buffer.point.size);
		assert_int_equal(t->at, NVME_BUFFER_IOVA +
		                            d->buffer.point.offset +
		                            i % UNITS * d->buffer.unit);
		if (!work.logs)
			assert_int_equal(t->block, FIRST + i * work.blocks);
	}
}

TEST_IN(transfers_are_where_they_should_be, begin, end)
{
	static const uint64_t cases[][2] = {
	    {512, 0},      {512, 4092},   {4096, 0},     {4096, 4},
	    {8192, 0},     {8192, 4092},  {12288, 0},    {12288, 64},
	    {131072, 0},   {131072, 4},   {1048576, 60}, {512, 0},
	    {65536, 2048}, {135168, 4092}};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		set_point(cases[i][0], cases[i][1]);
		assert_true(nvme_prove(&session, &work));
		device.n = 0;
		assert_true(run_each(UNITS + 1));
		assert_moved(UNITS + 1, NVME_READ);
		work.next = work.first;
		set_point(cases[i][0], cases[i][1]);
		assert_true(run_many(UNITS + 1));
		assert_moved(UNITS + 1, NVME_READ);
	}
	assert_in_range(device.unmapped, 1, ARRAY_LEN(cases) - 1);
}

/* SMART / Health of all namespaces, which keeps its events. */
TEST_IN(logs_are_as_long_as_they_should_be, begin, end)
{
	work.logs = true;
	work.opcode = NVME_GET_LOG_PAGE;
	for (uint64_t size = 4; size <= 512; size *= 2) {
		set_point(size, 4);
		assert_true(nvme_prove(&session, &work));
		device.n = 0;
		assert_true(run_each(UNITS));
		assert_moved(UNITS, NVME_GET_LOG_PAGE);
	}
}

TEST_IN(a_byte_that_does_not_come_is_found, begin, end)
{
	static const uint64_t missing[] = {0, 1, 4096, 8191};
	char text[200];

	set_point(8192, 4);
	for (size_t i = 0; i < ARRAY_LEN(missing); i++) {
		device.missing = missing[i];
		assert_false(nvme_prove(&session, &work));
		snprintf(text, sizeof text,
		         "0000:03:00.0: the device does not reach host memory "
		         "(byte %ju of a transfer was not written): see dmesg "
		         "for faults of the IOMMU",
		         (uintmax_t)missing[i]);
		assert_failed(&session, STATUS_TROUBLE, text);
	}
	/* Data equal to one of the fill values. */
	device.missing = UINT64_MAX;
	device.data = 0xee;
	assert_true(nvme_prove(&session, &work));
	device.data = 0x11;
	assert_true(nvme_prove(&session, &work));
}

/* It overwrites nothing. */
TEST_IN(the_proof_of_writes_is_a_read, begin, end)
{
	work.opcode = NVME_WRITE;
	set_point(4096, 0);
	assert_true(nvme_prove(&session, &work));
	assert_int_equal(device.n, 2);
	assert_true(device.taken[0].opcode == NVME_READ &&
	            device.taken[1].opcode == NVME_READ);
	device.n = 0;
	assert_true(run_many(UNITS));
	assert_moved(UNITS, NVME_WRITE);
}

TEST_IN(lists_are_on_the_node_of_the_buffer, begin, end)
{
	set_point(12288, 0);
	assert_true(nvme_make_prp_lists(&session, &work));
	work.prp_lists.node++;
	assert_true(nvme_make_prp_lists(&session, &work));
	assert_int_equal(device.unmapped, 1);
	assert_int_equal(work.prp_lists.node, work.engine.buffer.memory.node);
}

/* Writing a doorbell with its old value is an NVMe error. */
TEST_IN(a_pair_without_commands_is_not_rung, begin, end)
{
	volatile uint32_t bell = 99;

	set_point(512, 0);
	work.pairs = 2;
	work.nvme.queue[1] = work.nvme.queue[0];
	work.nvme.queue[1].cq = &device.cq[ENTRIES - 1];
	work.nvme.queue[1].sq_bell = &bell;
	assert_true(run_many(1));
	assert_int_equal(raw[0], 1);
	assert_int_equal(bell, 99);
}

TEST_IN(commands_keep_to_their_blocks, begin, end)
{
	static const uint64_t high = UINT64_C(5) << 32, far = UINT64_MAX - 2;
	static const struct {
		uint64_t first, last, blocks;
		uint64_t at[4]; /* first blocks of commands */
	} cases[] = {
	    {8, 13, 2, {8, 10, 12, 8}},
	    {8, 12, 2, {8, 10, 8, 10}},
	    {8, 9, 2, {8, 8, 8, 8}},
	    {8, 10, 1, {8, 9, 10, 8}},
	    {high, high, 1, {high, high, high, high}},
	    {far, UINT64_MAX, 2, {far, far, far, far}},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		work.first = cases[i].first;
		work.last = cases[i].last;
		set_point(cases[i].blocks * BLOCK, 0);
		assert_true(run_each(4));
		for (size_t k = 0; k < 4; k++) {
			assert_int_equal(device.taken[k].block, cases[i].at[k]);
			assert_int_equal(device.taken[k].size,
			                 cases[i].blocks * BLOCK);
		}
	}
}
