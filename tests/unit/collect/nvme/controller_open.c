/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts, drives and shuts down a fake controller that advances when the clock
 * is read.
 */
#include "collect/nvme/nvme.h"
#include "collect/vfio/vfio.h"
#include "rig/cmocka.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BDF           "0000:03:00.0"
#define CAP           0x00
#define CC            0x14
#define CSTS          0x1c
#define AQA           0x24
#define ASQ           0x28
#define ACQ           0x30
#define CRTO          0x68
#define DOORBELL_BASE 0x1000
#define BAR           0x2000

#define FATAL    2
#define READY    UINT32_C(1)
#define SHUTDOWN UINT32_C(0x9)
#define REFUSAL  (1 << 9 | 1 << 1) /* type 1, code 1, above the phase */
#define PAIRS    2
#define DEPTH    4

/* NVM commands, queues of 64 entries, half a second to start. */
#define USUAL_CAP (UINT64_C(1) << 37 | 63)
#define STRIDE(n) ((uint64_t)(n) << 32)

/* As set in the controller; the admin queues come first. */
struct pair {
	uint64_t sq, cq;
	uint32_t sq_last, cq_last, head, tail;
};

/* Every second reading of the time adds step_ns and advances the device. */
static struct {
	unsigned char *bar;
	struct pair pair[1 + PAIRS];
	unsigned char *at; /* the memory that it accesses */
	uint64_t iova;
	uint64_t now, step_ns;
	unsigned looks;
	size_t size;      /* of the BAR */
	uint32_t queues;  /* reported number; 0: as requested */
	uint32_t state;   /* after a start */
	unsigned refuses; /* this opcode of an admin command; 0: none */
	uint64_t starts_ns, stops_ns, shuts_ns; /* duration */
	uint64_t since;                         /* time of the last request */
	uint32_t control;                       /* the last request */
	bool begun, cut; /* started; stopped without a shutdown */
} device;

static uint32_t
get32(size_t offset)
{
	return *(volatile uint32_t *)(volatile void *)(device.bar + offset);
}

static uint64_t
get64(size_t offset)
{
	return get32(offset) | (uint64_t)get32(offset + 4) << 32;
}

static void
set32(size_t offset, uint32_t value)
{
	*(volatile uint32_t *)(volatile void *)(device.bar + offset) = value;
}

static void *
seen(uint64_t iova)
{
	return device.at + (iova - device.iova);
}

/* The members in use; 2.0, figures 275, 280, 328, and NVM 1.0, 97. */
static void
identify(unsigned char *data, uint32_t what)
{
	memset(data, 0, NVME_PAGE);
	if (what) {
		data[512] = 0x66;
		data[513] = 0x44;
		data[516] = 1;
	} else {
		data[0] = 100;
		data[130] = 9;
	}
}

static uint32_t
answer(const struct nvme_command *c)
{
	struct pair *pair = &device.pair[c->dw10 & 3];

	if (c->opcode == 0x06)
		identify(seen(c->prp1), c->dw10);
	if (c->opcode == 0x09)
		return device.queues ? device.queues : c->dw11;
	if (c->opcode == 0x05) {
		*pair = (struct pair){.cq = c->prp1, .cq_last = c->dw10 >> 16};
		assert_int_equal(c->dw11, 1);
	}
	if (c->opcode == 0x01) {
		pair->sq = c->prp1;
		pair->sq_last = c->dw10 >> 16;
		assert_int_equal(c->dw11, (c->dw10 & 0xffff) << 16 | 1);
	}
	return 0;
}

/* A completion needs a free entry, 3.3.1.2. */
static bool
has_room(const struct pair *pair, size_t bell)
{
	uint32_t next = pair->tail == pair->cq_last ? 0 : pair->tail + 1;

	return next != get32(bell);
}

static void
complete(struct pair *pair, unsigned number)
{
	size_t stride = (size_t)4 << (get32(CAP + 4) & 15);
	size_t bell = DOORBELL_BASE + stride * 2 * number;
	uint32_t tail = get32(bell);
	const struct nvme_command *sq = seen(pair->sq);
	volatile struct nvme_completion *cq = seen(pair->cq);

	while (pair->head != tail && has_room(pair, bell + stride)) {
		const struct nvme_command *c = &sq[pair->head];
		volatile struct nvme_completion *done = &cq[pair->tail];
		uint16_t phase = !(done->status & 1);
		bool refused =
		    !number && device.refuses && c->opcode == device.refuses;

		done->dw0 = number || refused ? 0 : answer(c);
		done->id = c->id;
		done->status = (uint16_t)(phase | (refused ? REFUSAL : 0));
		pair->head = pair->head == pair->sq_last ? 0 : pair->head + 1;
		pair->tail = pair->tail == pair->cq_last ? 0 : pair->tail + 1;
	}
}

static void
start(void)
{
	assert_int_equal(get32(AQA), 0x1f001f);
	device.pair[0] = (struct pair){.sq = get64(ASQ),
	                               .cq = get64(ACQ),
	                               .sq_last = get32(AQA) & 0xfff,
	                               .cq_last = get32(AQA) >> 16};
	device.begun = true;
	set32(CSTS, device.state);
}

/* Completes a request once its time has passed. */
static void
obey(void)
{
	uint64_t ns = device.now - device.since;
	bool runs = get32(CC) & 1, shuts = get32(CC) >> 14 & 3;

	if (!runs && ns >= device.stops_ns)
		set32(CSTS, 0);
	else if (runs && shuts && ns >= device.shuts_ns)
		set32(CSTS, SHUTDOWN);
	else if (runs && !shuts && !get32(CSTS) && ns >= device.starts_ns)
		start();
}

static void
move(void)
{
	if (get32(CC) != device.control) {
		device.cut = device.cut || (device.begun && !(get32(CC) & 1) &&
		                            get32(CSTS) != SHUTDOWN);
		device.control = get32(CC);
		device.since = device.now;
	}
	obey();
	for (unsigned i = 0; get32(CSTS) == READY && i <= PAIRS; i++) {
		if (device.pair[i].sq)
			complete(&device.pair[i], i);
	}
}

/* Replaces the C library's. */
int
clock_gettime(clockid_t clock, struct timespec *time)
{
	if (device.bar && device.looks++ % 2) {
		device.now += device.step_ns;
		move();
	}
	time->tv_sec = (time_t)(device.now / 1000000000);
	time->tv_nsec = (long)(device.now % 1000000000);
	return 0;
}

/* The VFIO ioctl that returns a BAR's place. */
int
ioctl(int fd, unsigned long request, ...)
{
	struct vfio_region_info *region;
	va_list arguments;

	va_start(arguments, request);
	region = va_arg(arguments, struct vfio_region_info *);
	va_end(arguments);
	assert_int_equal(request, VFIO_DEVICE_GET_REGION_INFO);
	region->size = device.size;
	region->offset = 0;
	return 0;
}

static bool
map(const struct vfio_iommu *iommu, void *at, uint64_t size, uint64_t iova)
{
	device.at = at;
	device.iova = iova;
	return true;
}

static void
unmap(const struct vfio_iommu *iommu, uint64_t size, uint64_t iova)
{
}

static const struct vfio_ops way = {.name = "fake", .map = map, .unmap = unmap};
static struct vfio_iommu iommu = {.ops = &way};
static struct pci_function function = {.bdf = BDF, .node = -1};

static struct nvme_work work;

static void
make_device(uint64_t cap, uint64_t step_ns)
{
	int fd = memfd_create("bar", MFD_CLOEXEC);

	assert_int_equal(ftruncate(fd, BAR), 0);
	memset(&device, 0, sizeof device);
	device.bar = mmap(NULL, BAR, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(device.bar, MAP_FAILED);
	device.size = BAR;
	device.state = READY;
	device.step_ns = step_ns;
	set32(CAP, (uint32_t)cap);
	set32(CAP + 4, (uint32_t)(cap >> 32));
	work = (struct nvme_work){
	    .pairs = PAIRS, .depth = DEPTH, .blocks = 1, .last = 99};
	work.engine.function = &function;
	work.engine.iommu = &iommu;
	work.engine.fd = fd;
	work.engine.req_fd = -1;
	work.engine.buffer.point =
	    (struct point){.size = 512, .cache = CACHE_HOST_WARM};
	work.engine.host.clock.ps_per_tick = UINT64_C(1) << 32;
	order_begin(&work.engine.buffer.order, 100, false, true);
	work.nvme.engine = &work.engine;
}

static void
free_device(void)
{
	uint32_t before = get32(CC);

	nvme_close(&work.nvme);
	/* Entry sizes must not change while queues exist. */
	assert_int_equal(get32(CC), work.nvme.admin.sq ? 0x460000 : before);
	assert_false(device.cut);
	order_free(&work.engine.buffer.order);
	close(work.engine.fd);
	munmap(device.bar, BAR);
	device.bar = NULL;
}

/*
 * Runs both kinds of bench, with more commands than a queue has entries.
 * `looks`, 0 or 1, changes the places where time passes.
 */
static void
run_all(uint64_t cap, uint64_t step_ns, unsigned looks)
{
	static const volatile sig_atomic_t interrupted;
	uint64_t raw[20];
	struct series series = {.raw = raw};
	struct request request = {.bench = find_bench("lat_nvme")};
	struct session s = {.request = &request,
	                    .interrupted = &interrupted,
	                    .state = &work,
	                    .series = &series};

	make_device(cap, step_ns);
	device.looks = looks;
	assert_true(nvme_open(&s, &work.nvme, 1, PAIRS, DEPTH));
	assert_int_equal(get32(CC), 0x460001);
	assert_int_equal(device.pair[PAIRS].sq_last, DEPTH);
	assert_int_equal(device.pair[PAIRS].cq_last, DEPTH);
	work.engine.queue = (struct queue){.type = &nvme_queue_type,
	                                   .buffer = &work.engine.buffer,
	                                   .clock = &work.engine.host.clock,
	                                   .slots = PAIRS * DEPTH,
	                                   .batch = UINT32_MAX};
	assert_true(queue_run(&s, &work.engine.queue, 20));
	assert_int_equal(series.n, 20);
	request.bench = find_bench("bw_wr");
	assert_true(queue_run(&s, &work.engine.queue, 50));
	assert_int_equal(raw[0], 50);
	free_device();
}

TEST(doorbells_of_any_stride)
{
	run_all(USUAL_CAP, 1000, 0);
	run_all(USUAL_CAP | STRIDE(1), 1000, 0);
	run_all(USUAL_CAP | STRIDE(5), 1000, 0);
}

/*
 * A process stopped for 20 s, by Ctrl-Z or with its machine, finds everything
 * complete when it continues. The controller is not late then.
 */
TEST(a_process_may_be_stopped)
{
	run_all(USUAL_CAP, UINT64_C(20000000000), 0);
	run_all(USUAL_CAP, UINT64_C(20000000000), 1);
}

/* Whether this namespace can be opened: no refusal, or this one. */
static void
check_open(uint32_t nsid, const char *refusal)
{
	struct session s = {0};

	assert_int_equal(nvme_open(&s, &work.nvme, nsid, PAIRS, DEPTH),
	                 !refusal);
	if (refusal) {
		assert_memory_equal(s.failure.text, BDF ": ", strlen(BDF ": "));
		assert_string_equal(s.failure.text + strlen(BDF ": "), refusal);
	}
	free(s.failure.text);
	free_device();
}

TEST(controllers_that_cannot_be_used)
{
	static const char short_bar[] =
	    "-O pairs=2: BAR0 ends before their doorbells";
	static const struct {
		uint64_t cap;
		size_t size; /* of the BAR */
		const char *refusal;
	} rows[] = {
	    {UINT64_C(1) << 37 | 3, BAR, "-O depth=4: up to 3"},
	    {UINT64_C(1) << 37 | 4, BAR, NULL},
	    {USUAL_CAP | STRIDE(9), BAR, short_bar},
	    {USUAL_CAP, DOORBELL_BASE + 24, NULL},
	    {USUAL_CAP, DOORBELL_BASE + 20, short_bar},
	    {USUAL_CAP, DOORBELL_BASE, short_bar},
	    {USUAL_CAP, DOORBELL_BASE - 4,
	     "BAR0 is too small for a controller"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		make_device(rows[i].cap, 1000);
		device.size = rows[i].size;
		check_open(1, rows[i].refusal);
	}
}

TEST(what_it_has_not_is_refused)
{
	for (uint32_t few = 1; few <= 0x10000; few += 0xffff) {
		make_device(USUAL_CAP, 1000);
		device.queues = few;
		check_open(1, "-O pairs=2: it has 1");
	}
	make_device(USUAL_CAP, 1000);
	device.queues = 0x20001;
	check_open(1, NULL);
	make_device(USUAL_CAP, 1000);
	check_open(0, "-O namespace=0: it has 1 to 1");
	make_device(USUAL_CAP, 1000);
	check_open(2, "-O namespace=2: it has 1 to 1");
}

/* Each of the commands before the first pair of queues. */
TEST(what_it_refuses_ends_the_start)
{
	static const struct {
		unsigned opcode;
		const char *what;
	} rows[] = {
	    {0x01, "creating a queue"},
	    {0x05, "creating a queue"},
	    {0x06, "Identify"},
	    {0x09, "Number of Queues"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char text[64];

		snprintf(text, sizeof text, "%s: status type 1, code 0x01",
		         rows[i].what);
		make_device(USUAL_CAP, 1000);
		device.refuses = rows[i].opcode;
		check_open(1, text);
	}
}

/* Half a second by CAP.TO; 10 s by CRTO if CAP announces it. */
TEST(starts_take_as_long_as_it_says)
{
	static const uint64_t has_crto = UINT64_C(1) << 59;

	make_device(USUAL_CAP, 100000000);
	set32(CRTO, 19);
	device.starts_ns = UINT64_C(5000000000);
	check_open(1, "the controller does not start");
	assert_in_range(device.now, 500000000, 2000000000);
	make_device(USUAL_CAP | has_crto, 100000000);
	set32(CRTO, 19);
	device.starts_ns = UINT64_C(5000000000);
	check_open(1, NULL);
}

/* Reports it at once, not after the time-out. */
static void
assert_told(uint32_t state, const char *text)
{
	make_device(USUAL_CAP, 1000);
	device.state = state;
	check_open(1, text);
	assert_in_range(device.now, 0, 100000);
}

TEST(a_start_that_fails_is_told)
{
	assert_told(READY | FATAL,
	            "the controller has failed (CSTS.CFS): it may not "
	            "reach host memory, see dmesg");
	assert_told(UINT32_MAX, "the controller's registers read all ones: "
	                        "it was removed, or its memory was disabled");
}

/* A running controller, as left by its driver. */
static void
make_running(uint64_t stops_ns)
{
	make_device(USUAL_CAP, 50000000);
	set32(CC, 0x460001);
	set32(CSTS, READY);
	device.control = get32(CC);
	device.stops_ns = stops_ns;
}

TEST(it_is_stopped_and_shut_down_in_its_time)
{
	struct session s = {0};

	make_running(300000000);
	check_open(1, NULL);
	make_running(UINT64_MAX);
	check_open(1, "the controller does not stop");
	/* Identify may report more, but at least 5 s is allowed. */
	make_device(USUAL_CAP, 100000000);
	device.shuts_ns = UINT64_C(4000000000);
	check_open(1, NULL);
	/* A controller that was not started here is left alone. */
	make_running(0);
	assert_false(nvme_open(&s, &work.nvme, 1, PAIRS, 99));
	free(s.failure.text);
	assert_int_equal(device.control, 0x460001);
	free_device();
}
