/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work for several threads. */
#include "common/base/parallel.h"

#include "common/base/util.h"

#include <pthread.h>
#include <sched.h>

unsigned
usable_cpus(void)
{
	cpu_set_t cpus;
	int n = 1;

	if (!sched_getaffinity(0, sizeof cpus, &cpus))
		n = CPU_COUNT(&cpus);
	return n < THREADS_MAX ? (unsigned)n : THREADS_MAX;
}

struct call {
	void (*work)(void *job, size_t i);
	void *job;
	size_t i;
	pthread_t thread;
	bool elsewhere;
};

static void *
call(void *arg)
{
	struct call *c = arg;

	c->work(c->job, c->i);
	return NULL;
}

void
in_parallel(size_t n, void (*work)(void *job, size_t i), void *job)
{
	struct call calls[THREADS_MAX];

	for (size_t i = n; i--;) {
		struct call *c = &calls[i];

		*c = (struct call){.work = work, .job = job, .i = i};
		c->elsewhere = i && !pthread_create(&c->thread, NULL, call, c);
	}
	for (size_t i = 0; i < n; i++) {
		if (calls[i].elsewhere)
			pthread_join(calls[i].thread, NULL);
		else
			call(&calls[i]);
	}
}

void *
thread_memory(size_t n, size_t size)
{
	size_t lines = n * size / THREAD_ALIGN + 1;
	void *memory = aligned_alloc(THREAD_ALIGN, lines * THREAD_ALIGN);

	if (!memory)
		die("out of memory");
	return memset(memory, 0, n * size);
}
