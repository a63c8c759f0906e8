/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timed part of the backend nvme; a timer is the controller. */
#include "collect/nvme/workload.h"
#include "collect/core/point.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <cmocka.h>

/* Commands take up to this long, many turns of a loop. */
#define COMMAND_US 200
#define COMMANDS   50

#define CSTS 0x1c

static struct {
	_Alignas(LINE) unsigned char buffer[LINE];
	struct nvme_command sq[2];
	struct nvme_completion cq[2];
	volatile uint32_t bells[2];
	uint32_t registers[16]; /* all ones: a check finds it gone */
	uint32_t tail;
	uint16_t phase;
} controller;

/* In a signal: a loop that had no CPU finds the command complete. */
static void
complete(int number)
{
	volatile struct nvme_completion *cq = controller.cq;

	(void)number;
	if (controller.bells[0] == controller.tail)
		return;
	cq[controller.tail].status = controller.phase;
	controller.tail ^= 1;
	controller.phase ^= !controller.tail;
}

static void
set_timer(suseconds_t us)
{
	const struct itimerval timer = {{.tv_usec = us}, {.tv_usec = us}};
	signal(SIGALRM, complete);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static struct nvme_work
make_work(bool logs)
{
	static struct pci_function function = {.bdf = "0000:03:00.0"};
	const struct nvme_queue q = {.sq = controller.sq,
	                             .cq = controller.cq,
	                             .sq_bell = &controller.bells[0],
	                             .cq_bell = &controller.bells[1],
	                             .entries = 2,
	                             .phase = 1};
	struct nvme_work work = {
	    .logs = logs, .pairs = 1, .depth = 1, .blocks = 1};

	work.engine.function = &function;
	work.engine.req_fd = -1;
	work.engine.buffer.memory.at = controller.buffer;
	work.engine.buffer.point = (struct point){
	    .size = LINE, .window = LINE, .cache = CACHE_HOST_WARM};
	work.engine.buffer.unit = LINE;
	work.engine.host.clock.ps_per_tick = UINT64_C(1) << 32;
	order_begin(&work.engine.buffer.order, 1, false, true);
	work.nvme.bar = (volatile unsigned char *)controller.registers;
	work.nvme.admin = work.nvme.queue[0] = q;
	return work;
}

/*
 * A check of the controller must not be part of a command's time: counts
 * commands without one.
 */
static unsigned
count_left_alone(bool (*run)(struct session *s, uint64_t want), bool logs)
{
	static const volatile sig_atomic_t interrupted;
	uint64_t raw[3];
	struct series series = {.raw = raw};
	struct nvme_work work = make_work(logs);
	struct nvme_queue *q = logs ? &work.nvme.admin : work.nvme.queue;
	struct session s = {
	    .interrupted = &interrupted, .state = &work, .series = &series};
	unsigned alone = 0;
	uint16_t id;

	memset(&controller, 0, sizeof controller);
	memset(controller.registers, 0xff, sizeof controller.registers);
	controller.phase = 1;
	work.nvme.engine = &work.engine;
	set_timer(COMMAND_US);
	for (int i = 0; i < COMMANDS; i++) {
		if (run(&s, 1)) {
			alone++;
			continue;
		}
		while (!nvme_is_done(q))
			;
		nvme_take(q, &id);
	}
	set_timer(0);
	free(s.failure.text);
	return alone;
}

/* A timer may be late, but not for most commands. */
static void
a_command_under_way_is_left_alone(void **state)
{
	(void)state;
	assert_in_range(count_left_alone(nvme_time_each, true), COMMANDS / 2,
	                COMMANDS);
}

static void
commands_under_way_are_left_alone(void **state)
{
	(void)state;
	assert_in_range(count_left_alone(nvme_time_many, false), COMMANDS / 2,
	                COMMANDS);
}

static void
start_controller(void)
{
	memset(&controller, 0, sizeof controller);
	controller.registers[CSTS / 4] = 1;
	controller.phase = 1;
}

/* Writing a doorbell with its old value is an NVMe error. */
static void
a_pair_without_commands_is_not_rung(void **state)
{
	static const volatile sig_atomic_t interrupted;
	volatile uint32_t bell = 99;
	uint64_t raw[3];
	struct series series = {.raw = raw};
	struct nvme_work work = make_work(false);
	struct session s = {
	    .interrupted = &interrupted, .state = &work, .series = &series};

	(void)state;
	start_controller();
	work.nvme.engine = &work.engine;
	work.nvme.queue[1] = (struct nvme_queue){.sq = controller.sq,
	                                         .cq = &controller.cq[1],
	                                         .sq_bell = &bell,
	                                         .entries = 2,
	                                         .phase = 1};
	work.pairs = 2;
	set_timer(COMMAND_US);
	assert_true(nvme_time_many(&s, 1));
	set_timer(0);
	assert_int_equal(raw[0], 1);
	assert_int_equal(bell, 99);
}

static void
commands_keep_to_their_blocks(void **state)
{
	static const uint64_t high = UINT64_C(5) << 32, far = UINT64_MAX - 2;
	static const volatile sig_atomic_t interrupted;
	static const struct {
		uint64_t first, last;
		uint32_t blocks;
		uint64_t at[4]; /* first blocks of commands */
	} cases[] = {
	    {8, 13, 2, {8, 10, 12, 8}},
	    {8, 12, 2, {8, 10, 8, 10}},
	    {8, 9, 2, {8, 8, 8, 8}},
	    {8, 10, 1, {8, 9, 10, 8}},
	    {high, high, 1, {high, high, high, high}},
	    {far, UINT64_MAX, 2, {far, far}},
	};
	uint64_t raw[1];
	struct series series = {.raw = raw};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct nvme_work work = make_work(false);
		struct session s = {.interrupted = &interrupted,
		                    .state = &work,
		                    .series = &series};

		start_controller();
		work.first = work.next = cases[i].first;
		work.last = cases[i].last;
		work.blocks = cases[i].blocks;
		set_timer(COMMAND_US);
		for (int k = 0; k < 4 && cases[i].at[k]; k++) {
			const struct nvme_command *c = &controller.sq[k % 2];

			assert_true(nvme_time_each(&s, 1));
			assert_int_equal(c->dw10 | (uint64_t)c->dw11 << 32,
			                 cases[i].at[k]);
			assert_int_equal(c->dw12 + 1, cases[i].blocks);
		}
		set_timer(0);
	}
}

/* Below 4 GiB headers would be shorter than models assume. */
static void
addresses_take_64_bits(void **state)
{
	static const volatile sig_atomic_t interrupted;
	uint64_t raw[1];
	struct series series = {.raw = raw};
	struct nvme_work work = make_work(false);
	struct session s = {
	    .interrupted = &interrupted, .state = &work, .series = &series};

	(void)state;
	start_controller();
	work.engine.iova = NVME_BUFFER_IOVA;
	work.engine.buffer.point.size = 3 * NVME_PAGE;
	set_timer(COMMAND_US);
	assert_true(nvme_time_each(&s, 1));
	set_timer(0);
	assert_true(NVME_QUEUES_IOVA > UINT32_MAX);
	assert_true(controller.sq[0].prp1 > UINT32_MAX);
	assert_true(controller.sq[0].prp2 > UINT32_MAX);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_command_under_way_is_left_alone),
	    cmocka_unit_test(commands_under_way_are_left_alone),
	    cmocka_unit_test(a_pair_without_commands_is_not_rung),
	    cmocka_unit_test(commands_keep_to_their_blocks),
	    cmocka_unit_test(addresses_take_64_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
