/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the loops of the backend nvme leave alone; a timer is the controller. */
#include "collect/core/point.h"
#include "collect/nvme/nvme.h"
#include "rig/cmocka.h"

#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* Commands take up to this long, many turns of a loop. */
#define COMMAND_US 200
#define COMMANDS   50

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
	assert_in_range(count_left_alone(nvme_time_each, true), COMMANDS / 2,
	                COMMANDS);
}

static void
commands_under_way_are_left_alone(void **state)
{
	assert_in_range(count_left_alone(nvme_time_many, false), COMMANDS / 2,
	                COMMANDS);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_command_under_way_is_left_alone),
	    cmocka_unit_test(commands_under_way_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
