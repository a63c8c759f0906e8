/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of QEMU's edu; the device advances when the clock is read. */
#include "collect/vfio/engine.h"
#include "rig/cmocka.h"

#include <time.h>
#include <unistd.h>

#define SOURCE      0x80
#define DESTINATION 0x88
#define COUNT       0x90
#define COMMAND     0x98
#define SECOND      UINT64_C(1000000000)
#define UNIT        UINT64_C(64)
#define IOVA        UINT64_C(0x200000)

extern const struct backend edu_backend;
extern const struct queue_type edu_queue;

/* As in the backend. */
struct edu {
	struct vfio_engine engine;
	volatile unsigned char *bar;
	uint64_t from, to, direction;
};

static struct {
	_Alignas(8) unsigned char bar[0x100];
	_Alignas(64) unsigned char buffer[2 * UNIT];
	uint64_t source[4];
	unsigned n; /* completed transfers */
	bool goes;  /* it vanishes instead of completing one */
	uint64_t now, step_ns;
	uint64_t since, takes_ns;
} device;

static uint64_t
get(size_t offset)
{
	uint64_t value;

	memcpy(&value, device.bar + offset, sizeof value);
	return value;
}

static void
end_transfer(void)
{
	const uint64_t idle = 0;

	assert_int_equal(get(DESTINATION), 0x40000);
	assert_int_equal(get(COUNT), UNIT);
	assert_true(device.n < 4);
	device.source[device.n++] = get(SOURCE);
	memcpy(device.bar + COMMAND, &idle, sizeof idle);
	device.since = 0;
	if (device.goes)
		memset(device.bar, 0xff, sizeof device.bar);
}

/* Replaces the C library's. */
int
clock_gettime(clockid_t clock, struct timespec *time)
{
	device.now += device.step_ns;
	if (get(COMMAND) == 1) {
		if (!device.since)
			device.since = device.now;
		else if (device.now - device.since >= device.takes_ns)
			end_transfer();
	}
	time->tv_sec = (time_t)(device.now / SECOND);
	time->tv_nsec = (long)(device.now % SECOND);
	return 0;
}

/* Runs n transfers; true if all succeed, else prints the reason. */
static bool
run(uint64_t n, uint64_t step_ns, uint64_t takes_ns, const char *why)
{
	static const volatile sig_atomic_t interrupted;
	static struct pci_function function = {.bdf = "0000:03:00.0"};
	uint64_t raw[4];
	struct series series = {.raw = raw};
	struct edu edu = {
	    .engine = {.function = &function,
	               .req_fd = -1,
	               .iova = IOVA,
	               .buffer = {.memory.at = device.buffer,
	                          .unit = UNIT,
	                          .point = {.size = UNIT,
	                                    .window = 2 * UNIT,
	                                    .cache = CACHE_COLD}},
	               .host.clock.ps_per_tick = UINT64_C(1) << 32},
	    .bar = device.bar};
	static const struct bench bench = {.name = "lat_rd"};
	struct request request = {.bench = &bench};
	struct session s = {.request = &request,
	                    .interrupted = &interrupted,
	                    .state = &edu,
	                    .series = &series};
	bool ok;

	edu.engine.queue = (struct queue){.type = &edu_queue,
	                                  .buffer = &edu.engine.buffer,
	                                  .clock = &edu.engine.host.clock,
	                                  .slots = 1,
	                                  .batch = 1};

	device.step_ns = step_ns;
	device.takes_ns = takes_ns;
	device.bar[0] = 0xed;
	order_begin(&edu.engine.buffer.order, 2, false, true);
	ok = edu_backend.run(&s, n);
	order_free(&edu.engine.buffer.order);
	assert_int_equal(series.n, ok ? n : 0);
	if (!ok)
		assert_string_equal(s.failure.text, why);
	free(s.failure.text);
	return ok;
}

static int
begin(void **state)
{
	memset(&device, 0, sizeof device);
	return 0;
}

TEST_IN(transfers_are_waited_for, begin, NULL)
{
	assert_true(run(3, SECOND / 10, SECOND * 29 / 10, NULL));
	assert_int_equal(device.n, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(device.source[i], IOVA + i % 2 * UNIT);
}

TEST_IN(one_that_hangs_is_told, begin, NULL)
{
	assert_false(run(1, SECOND / 10, UINT64_MAX,
	                 "0000:03:00.0: a transfer of 64 bytes has not ended "
	                 "after 3 s"));
	assert_in_range(device.now, 3 * SECOND, 4 * SECOND);
}

/* By Ctrl-Z, or with its machine: the transfer has completed meanwhile. */
TEST_IN(a_process_may_be_stopped, begin, NULL)
{
	assert_true(run(3, 20 * SECOND, 1, NULL));
	assert_int_equal(device.n, 3);
}

TEST_IN(a_device_that_goes_is_not_done, begin, NULL)
{
	device.goes = true;
	assert_false(run(1, 1000, 1000,
	                 "0000:03:00.0: the engine's registers are gone: it "
	                 "was removed, or its memory was disabled"));
	assert_int_equal(device.n, 1);
}
