/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transfers on a device of this file, which moves bytes as the work requests
 * say, in any order that their fences and queues allow.
 */
#include "collect/rdma/rdma.h"

#include "common/base/intmath.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>

#define UNITS  300 /* more than the proof verifies, 256 */
#define QPS    3
#define DEPTH  4
#define MEMORY 65536 /* bytes of device memory */

/* Keys of memory regions. */
enum { WINDOW = 1, TARGET, DEVICE };

static struct {
	unsigned char memory[MEMORY];
	uint64_t random;
	unsigned under_way[QPS];
	uint64_t slot[QPS][DEPTH]; /* of those under way */
	uint64_t spoiled; /* a byte of the window that it changes, or none */
} device;

static struct rdma rdma;
static uint64_t raw[3];
static struct series series = {.raw = raw};
static volatile sig_atomic_t interrupted;
static struct session session;
static struct request request;

static unsigned char *
place(uint32_t key, uint64_t address, uint32_t length)
{
	const struct dma_buffer *b =
	    key == WINDOW ? &rdma.window.buffer : &rdma.target.buffer;

	if (key == DEVICE) {
		assert_true(address + length <= MEMORY);
		return device.memory + address;
	}
	assert_true(key == WINDOW || key == TARGET);
	assert_in_range(address, (uintptr_t)b->memory.at,
	                (uintptr_t)b->memory.at + b->point.window - length);
	return (unsigned char *)(uintptr_t)address;
}

static void
move(const struct ibv_send_wr *wr)
{
	const struct ibv_sge *e = wr->sg_list;
	unsigned char *local = place(e->lkey, e->addr, e->length);
	unsigned char *remote =
	    place(wr->wr.rdma.rkey, wr->wr.rdma.remote_addr, e->length);

	if (wr->opcode == IBV_WR_RDMA_READ)
		memmove(local, remote, e->length);
	else
		memmove(remote, local, e->length);
}

/* All steps but the first wait for reads, and nothing waits for a write. */
static int
post(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	unsigned q = qp->qp_num;
	uint64_t id = wr->wr_id;

	for (bool first = true; wr; wr = wr->next, first = false) {
		assert_int_equal(wr->wr_id, id);
		assert_int_equal(wr->num_sge, 1);
		assert_int_equal(!(wr->send_flags & IBV_SEND_FENCE), first);
		assert_int_equal(!(wr->send_flags & IBV_SEND_SIGNALED),
		                 wr->next != NULL);
		assert_true(!wr->next || wr->opcode == IBV_WR_RDMA_READ);
		move(wr);
	}
	assert_in_range(device.under_way[q], 0, DEPTH - 1);
	device.slot[q][device.under_way[q]++] = id;
	return 0;
}

/* The queues complete in any order. */
static int
poll(struct ibv_cq *cq, int n, struct ibv_wc *wc)
{
	unsigned char *to =
	    (rdma.memory.mr ? &rdma.window : &rdma.target)->buffer.memory.at;
	unsigned q = (unsigned)random_below(&device.random, QPS);

	assert_int_equal(n, 1);
	if (device.spoiled < rdma.window.buffer.point.window)
		to[device.spoiled] ^= 0x40;
	if (!device.under_way[q])
		return 0;
	*wc = (struct ibv_wc){.wr_id = device.slot[q][--device.under_way[q]]};
	return 1;
}

static void
set_point(uint64_t size, uint64_t offset)
{
	struct point point = {
	    .size = size, .offset = offset, .cache = CACHE_HOST_WARM};
	struct rdma_area *areas[] = {&rdma.window, &rdma.target};
	int node;

	point.window = UINT64_MAX;
	point.window = UNITS * point_unit(&point);
	assert_true(memory_node(&session, NODE_LOCAL, -1, &node));
	for (size_t i = 0; i < ARRAY_LEN(areas); i++) {
		struct dma_buffer *b = &areas[i]->buffer;

		memory_free(&b->memory);
		assert_true(memory_make(&session, &b->memory, point.window,
		                        SMALL_PAGE, node));
		b->point = point;
		b->unit = point_unit(&point);
		order_begin(&b->order, UNITS, false, true);
	}
}

static int
begin(void **state)
{
	static struct ibv_context context = {
	    .ops = {.post_send = post, .poll_cq = poll}};
	static struct ibv_mr regions[] = {{.lkey = WINDOW, .rkey = WINDOW},
	                                  {.lkey = TARGET, .rkey = TARGET}};
	static struct ibv_cq cq = {.context = &context};
	static struct ibv_qp pairs[QPS];

	memset(&device, 0, sizeof device);
	device.spoiled = UINT64_MAX;
	rdma = (struct rdma){.set = {.qps = QPS, .depth = DEPTH},
	                     .device = {.name = (char *)"mlx5_0"},
	                     .plan = rdma_plan(BW_RDWR, false),
	                     .cq = &cq};
	rdma.host.clock.ps_per_tick = UINT64_C(1) << 32;
	rdma.window.mr = &regions[0];
	rdma.target.mr = &regions[1];
	for (unsigned i = 0; i < QPS; i++) {
		pairs[i] = (struct ibv_qp){.context = &context, .qp_num = i};
		rdma.qp[i] = &pairs[i];
	}
	rdma.queue = (struct queue){.type = &rdma_queue_type,
	                            .buffer = &rdma.window.buffer,
	                            .second = &rdma.target.buffer,
	                            .clock = &rdma.host.clock,
	                            .slots = QPS * DEPTH,
	                            .batch = 1};
	request.bench = find_bench("bw_rdwr");
	session = (struct session){.request = &request,
	                           .interrupted = &interrupted,
	                           .state = &rdma,
	                           .series = &series};
	return 0;
}

static int
end(void **state)
{
	memory_free(&rdma.window.buffer.memory);
	memory_free(&rdma.target.buffer.memory);
	order_free(&rdma.window.buffer.order);
	order_free(&rdma.target.buffer.order);
	free(session.failure.text);
	return 0;
}

static void
use_device_memory(void)
{
	static struct ibv_mr region = {.lkey = DEVICE, .rkey = DEVICE};

	rdma.memory.mr = &region;
	rdma.plan = rdma_plan(BW_RD, false);
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

/* With device memory, and from window to window. */
TEST(each_wrong_byte_is_found)
{
	static const uint64_t points[][2] = {{1, 0},   {64, 0},   {64, 60},
	                                     {100, 4}, {4096, 0}, {4000, 63}};
	char text[100];

	for (size_t i = 0; i < 2 * ARRAY_LEN(points); i++) {
		const uint64_t *point = points[i / 2];
		uint64_t window;

		begin(state);
		if (i % 2)
			use_device_memory();
		set_point(point[0], point[1]);
		window = rdma.window.buffer.point.window;
		assert_true(rdma_prove(&session));
		for (unsigned k = 0; k < 8; k++) {
			uint64_t byte = random_below(&device.random, window);
			uint64_t in = byte % rdma.window.buffer.unit;
			bool inside = byte / rdma.window.buffer.unit < 256 &&
			              in - point[1] < point[0];
			unsigned tries = 0;

			device.spoiled = byte;
			/* An even number of changes would be none. */
			while (rdma_prove(&session))
				assert_true(tries++ < 100);
			snprintf(text, sizeof text,
			         "mlx5_0: byte %ju of the window %s",
			         (uintmax_t)byte,
			         inside ? "does not hold" : "was overwritten");
			assert_memory_equal(session.failure.text, text,
			                    strlen(text));
		}
		end(state);
	}
}

/* By integers: the nearest picosecond, also across the end of the counter. */
TEST(ticks_are_picoseconds)
{
	uint64_t random = 1;

	for (unsigned i = 0; i < 10000; i++) {
		uint64_t khz = 1000 + random_below(&random, 1000000);
		unsigned bits = 20 + (unsigned)random_below(&random, 45);
		uint64_t mask = UINT64_MAX >> (64 - bits);
		uint64_t ticks = random_below(&random, 1 << 20);
		uint64_t from = random_draw(&random) & mask;
		uint64_t ps = (ticks * 1000000000 + khz / 2) / khz;
		struct rdma_clock clock = {1000 * (double)khz, mask};

		assert_in_range(
		    rdma_clock_ps(&clock, from, (from + ticks) & mask), ps,
		    ps + 1);
	}
}

/* Rank of what a table has at an index: 0, none; 3, the best. */
static int
write_gid(unsigned index, uint64_t *random)
{
	static const struct {
		const char *gid, *type;
	} kinds[] = {
	    {"0000:0000:0000:0000:0000:0000:0000:0000\n", "RoCE v2\n"},
	    {"fe80:0000:0000:0000:0202:c9ff:fe00:0001\n", "IB/RoCE v1\n"},
	    {"fe80:0000:0000:0000:0202:c9ff:fe00:0001\n", "RoCE v2\n"},
	    {"0000:0000:0000:0000:0000:ffff:0a00:0001\n", "RoCE v2\n"},
	};
	/* Mostly none, so that the best is rarely the first. */
	size_t rank = random_below(random, 3) ? 0 : random_below(random, 4);
	const char *text[] = {kinds[rank].gid, kinds[rank].type};

	for (unsigned i = 0; i < 2; i++) {
		char path[128];

		snprintf(path, sizeof path,
		         "sys/class/infiniband/mlx5_0/ports/1/%s/%u",
		         i ? "gid_attrs/types" : "gids", index);
		write_text(path, text[i]);
	}
	return (int)rank;
}

TEST(the_best_gid_is_the_first_of_its_kind)
{
	const struct rdma_device d = {.name = (char *)"mlx5_0"};
	uint64_t random = 7;

	root_set(".");
	assert_int_equal(rdma_gid_choose(&d, 1), -1);
	for (unsigned table = 0; table < 100; table++) {
		int best = 0, chosen = -1;

		for (int i = 0; i < 6; i++) {
			int rank = write_gid((unsigned)i, &random);

			if (rank > best)
				chosen = i;
			best = rank > best ? rank : best;
		}
		assert_int_equal(rdma_gid_choose(&d, 1), chosen);
	}
	assert_int_equal(rdma_gid_choose(&d, 2), -1);
}

/* The wire --------------------------------------------------------------- */

#define STATISTICS 5

static struct {
	const char *name[STATISTICS];
	uint64_t value[STATISTICS];
	uint32_t refused; /* a command of ethtool that fails */
} fake;

static int
tell(void *request)
{
	struct ethtool_sset_info *sets = request;
	struct ethtool_gstrings *names = request;
	struct ethtool_stats *stats = request;

	switch (sets->cmd) {
	case ETHTOOL_GSSET_INFO:
		assert_int_equal(sets->sset_mask, 1 << ETH_SS_STATS);
		sets->data[0] = STATISTICS;
		return 0;
	case ETHTOOL_GSTRINGS:
		assert_int_equal(names->string_set, ETH_SS_STATS);
		assert_int_equal(names->len, STATISTICS);
		for (size_t i = 0; i < STATISTICS; i++)
			strncpy((char *)names->data + i * ETH_GSTRING_LEN,
			        fake.name[i], ETH_GSTRING_LEN);
		return 0;
	case ETHTOOL_GSTATS:
		assert_int_equal(stats->n_stats, STATISTICS);
		memcpy(stats->data, fake.value, sizeof fake.value);
		return 0;
	default:
		errno = EOPNOTSUPP;
		return -1;
	}
}

int
ioctl(int fd, unsigned long request, ...)
{
	struct ifreq *ifr;
	va_list rest;

	va_start(rest, request);
	ifr = va_arg(rest, struct ifreq *);
	va_end(rest);
	assert_int_equal(request, SIOCETHTOOL);
	assert_string_equal(ifr->ifr_name, "eth7");
	errno = EOPNOTSUPP;
	return *(uint32_t *)(void *)ifr->ifr_data == fake.refused
	           ? -1
	           : tell(ifr->ifr_data);
}

static void
play(const char *third, uint64_t value)
{
	memset(&fake, 0, sizeof fake);
	for (size_t i = 0; i < STATISTICS; i++) {
		fake.name[i] = "tx_bytes_phy_of_another";
		fake.value[i] = 1000000 * i;
	}
	fake.name[3] = third;
	fake.value[3] = value;
}

TEST(bytes_since_the_beginning)
{
	struct wire wire;

	play("tx_bytes_phy", 4000);
	assert_true(wire_open(&wire, strdup("eth7"), true));
	assert_int_equal(wire_sent(&wire), 0);
	fake.value[3] = 4100;
	assert_int_equal(wire_sent(&wire), 100);
	/* The counter was reset. */
	fake.value[3] = 5;
	assert_int_equal(wire_sent(&wire), 0);
	wire_close(&wire);
}

TEST(no_counter_is_not_zero)
{
	static const uint32_t commands[] = {ETHTOOL_GSSET_INFO,
	                                    ETHTOOL_GSTRINGS, ETHTOOL_GSTATS};
	struct wire wire;

	play("tx_bytes", 4000);
	assert_false(wire_open(&wire, strdup("eth7"), true));
	assert_false(wire_open(&wire, NULL, true));
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		play("tx_bytes_phy", 4000);
		fake.refused = commands[i];
		assert_false(wire_open(&wire, strdup("eth7"), true));
		assert_int_equal(wire_sent(&wire), 0);
	}
}
