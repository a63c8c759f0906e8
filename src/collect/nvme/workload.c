/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Submits commands and times their completions. */
#include "collect/nvme/nvme.h"

#include "common/base/intmath.h"

/* SMART / Health: mandatory, 512 bytes, 5.16.1.3. */
#define HEALTH_LOG 0x02
#define KEEP_EVENT (1u << 15) /* Retain Asynchronous Event */

/* Iterations between looks at the clock. */
#define LOOK_EVERY 1024

/*
 * Time between checks of the controller: a check reads a register, which delays
 * the CPU and the controller.
 */
#define LOOK_NS UINT64_C(1000000)

static uint64_t
nvme_pages_of(uint64_t at, uint64_t size)
{
	return div_round_up(at % NVME_PAGE + size, NVME_PAGE);
}

/* A list may not cross a page, so its size is a power of two. */
bool
nvme_make_prp_lists(struct session *s, struct nvme_work *work)
{
	const struct vfio_engine *d = &work->engine;
	const struct point *point = &d->buffer.point;
	uint64_t most = nvme_pages_of(NVME_PAGE - 1, point->size) - 1, size;

	work->prp_list_size = 0;
	if (point->size <= NVME_PAGE)
		return true;
	for (work->prp_list_size = 8; work->prp_list_size < 8 * most;)
		work->prp_list_size *= 2;
	size = work->prp_list_size * d->buffer.order.units;
	if (size > work->prp_lists.size ||
	    work->prp_lists.node != d->buffer.memory.node) {
		nvme_free_prp_lists(work);
		if (!memory_make(s, &work->prp_lists, size, SMALL_PAGE,
		                 d->buffer.memory.node) ||
		    !vfio_map(s, d->iommu, work->prp_lists.at,
		              work->prp_lists.size, NVME_LISTS_IOVA))
			return false;
	}
	/* One for each unit: the pages after the first. */
	for (uint64_t i = 0; i < d->buffer.order.units; i++) {
		uint64_t at = d->iova + i * d->buffer.unit + point->offset;
		uint64_t n = nvme_pages_of(at, point->size);
		uint64_t *list =
		    (void *)(work->prp_lists.at + i * work->prp_list_size);

		for (uint64_t k = 1; k < n; k++)
			list[k - 1] = at - at % NVME_PAGE + k * NVME_PAGE;
	}
	return true;
}

void
nvme_free_prp_lists(struct nvme_work *work)
{
	if (work->prp_lists.at && work->engine.iommu)
		vfio_unmap(work->engine.iommu, work->prp_lists.size,
		           NVME_LISTS_IOVA);
	memory_free(&work->prp_lists);
}

/*
 * Puts the next command, for this unit, into the queue without ringing.
 * Commands go through the blocks sequentially, and again from the start.
 */
static void
nvme_put(struct nvme_work *work, struct nvme_queue *q, uint16_t id,
         uint64_t unit)
{
	const struct vfio_engine *d = &work->engine;
	uint64_t at = d->iova + unit * d->buffer.unit + d->buffer.point.offset;
	uint64_t n = nvme_pages_of(at, d->buffer.point.size);
	struct nvme_command *c = nvme_next(q);

	c->opcode = work->opcode;
	c->id = id;
	c->prp1 = at;
	if (n > 2)
		c->prp2 = NVME_LISTS_IOVA + unit * work->prp_list_size;
	else if (n == 2)
		c->prp2 = at - at % NVME_PAGE + NVME_PAGE;
	if (work->logs) {
		c->nsid = UINT32_MAX;
		c->dw10 = HEALTH_LOG | KEEP_EVENT |
		          (uint32_t)(d->buffer.point.size / 4 - 1) << 16;
		return;
	}
	if (work->last - work->next < work->blocks - 1)
		work->next = work->first;
	c->nsid = work->nsid;
	c->dw10 = (uint32_t)work->next;
	c->dw11 = (uint32_t)(work->next >> 32);
	c->dw12 = work->blocks - 1;
	work->next = work->last - work->next < work->blocks
	                 ? work->first
	                 : work->next + work->blocks;
}

/* Whether to check the controller; *looked starts as now. */
static bool
nvme_is_time_to_look(uint64_t *looked, uint64_t now)
{
	if (now - *looked < LOOK_NS)
		return false;
	*looked = now;
	return true;
}

/* Times are taken before checks: the process may be stopped anywhere. */
static bool
nvme_wait_for(struct session *s, struct nvme_work *work,
              const struct nvme_queue *q)
{
	uint64_t begin = 0, looked = 0, now = 0;

	for (uint64_t spins = 1; !nvme_is_done(q); spins++) {
		uint64_t before = now;

		if (spins % LOOK_EVERY)
			continue;
		now = now_ns();
		if (!begin)
			begin = looked = before = now;
		if (nvme_is_time_to_look(&looked, now) &&
		    !nvme_is_alive(s, &work->nvme, before - begin))
			return false;
	}
	return true;
}

static struct nvme_queue *
nvme_queue_of(struct nvme_work *work)
{
	return work->logs ? &work->nvme.admin : &work->nvme.queue[0];
}

/* Runs an untimed command in the first unit, filled with `with` before. */
static bool
nvme_do_filled(struct session *s, struct nvme_work *work, int with)
{
	struct nvme_queue *q = nvme_queue_of(work);
	uint16_t status, id;

	memset(work->engine.buffer.memory.at, with, work->engine.buffer.unit);
	work->next = work->first;
	nvme_put(work, q, 0, 0);
	work->next = work->first;
	nvme_ring(q);
	if (!nvme_wait_for(s, work, q))
		return false;
	status = nvme_take(q, &id);
	return !status || nvme_failed(s, &work->nvme, "a command", status);
}

/* A byte that keeps two different fill values was not written. */
bool
nvme_prove(struct session *s, struct nvme_work *work)
{
	const struct vfio_engine *d = &work->engine;
	const unsigned char *at = d->buffer.memory.at + d->buffer.point.offset;
	uint64_t size = d->buffer.point.size, i = 0;
	unsigned char *first = xmalloc(size);
	uint8_t opcode = work->opcode;
	bool ok;

	if (!work->logs)
		work->opcode = NVME_READ;
	ok = nvme_do_filled(s, work, 0xee);
	memcpy(first, at, size);
	ok = ok && nvme_do_filled(s, work, 0x11);
	while (ok && i < size && !(first[i] == 0xee && at[i] == 0x11))
		i++;
	work->opcode = opcode;
	free(first);
	if (!ok)
		return false;
	return i == size ||
	       fail(s, STATUS_TROUBLE,
	            "%s: the device does not reach host memory (byte %ju of a "
	            "transfer was not written): see dmesg for faults of the "
	            "IOMMU",
	            d->function->bdf, (uintmax_t)i);
}

bool
nvme_time_each(struct session *s, uint64_t want)
{
	struct nvme_work *work = s->state;
	struct nvme_queue *q = nvme_queue_of(work);
	struct vfio_engine *d = &work->engine;

	if (!vfio_engine_check(s, d))
		return false;
	for (uint64_t i = 0; i < want && !*s->interrupted; i++) {
		uint64_t begin, end;
		uint16_t status, id;

		if (order_is_new(&d->buffer.order))
			dma_buffer_set_cache(&d->buffer);
		nvme_put(work, q, 0, order_next(&d->buffer.order));
		begin = counter_begin();
		nvme_ring(q);
		if (!nvme_wait_for(s, work, q))
			return false;
		end = counter_end();
		status = nvme_take(q, &id);
		if (status)
			return nvme_failed(s, &work->nvme, "a command", status);
		s->series->raw[i] = clock_ps(&d->host.clock, end - begin);
		s->series->n = i + 1;
	}
	return true;
}

/* Takes completions of a pair and submits as many commands, up to `limit`. */
static bool
nvme_reap_and_resubmit(struct session *s, struct nvme_work *work,
                       struct nvme_queue *q, uint64_t limit)
{
	bool rung = true;

	while (nvme_is_done(q)) {
		uint16_t id, status = nvme_take(q, &id);

		if (status)
			return nvme_failed(s, &work->nvme, "a command", status);
		work->done++;
		if (work->submitted == limit || *s->interrupted)
			continue;
		nvme_put(work, q, id, order_next(&work->engine.buffer.order));
		work->submitted++;
		rung = false;
	}
	if (!rung)
		nvme_ring(q);
	return true;
}

/* Writing an unchanged doorbell is an error, 5.2: Invalid Doorbell Write. */
static void
nvme_fill_queues(struct nvme_work *work, uint64_t limit)
{
	for (uint32_t i = 0; i < work->pairs && work->submitted < limit; i++) {
		struct nvme_queue *q = &work->nvme.queue[i];

		for (uint16_t id = 0;
		     id < work->depth && work->submitted < limit; id++) {
			nvme_put(work, q, id,
			         order_next(&work->engine.buffer.order));
			work->submitted++;
		}
		nvme_ring(q);
	}
}

/* Keeps all queues full until `limit` commands, or a signal. */
static bool
nvme_run_until(struct session *s, struct nvme_work *work, uint64_t limit)
{
	uint64_t done = work->done, seen, looked, now;

	seen = looked = now = stops_begin(&work->stops);
	nvme_fill_queues(work, limit);
	for (uint64_t turns = 1; work->done < work->submitted; turns++) {
		uint64_t before = now;

		for (uint32_t i = 0; i < work->pairs; i++) {
			if (!nvme_reap_and_resubmit(
			        s, work, &work->nvme.queue[i], limit))
				return false;
		}
		if (turns % LOOK_EVERY)
			continue;
		now = stops_look(&work->stops);
		if (work->done != done)
			seen = before = now;
		done = work->done;
		if (nvme_is_time_to_look(&looked, now) &&
		    (!vfio_engine_check(s, &work->engine) ||
		     !nvme_is_alive(s, &work->nvme, before - seen)))
			return false;
	}
	stops_end(&work->stops);
	return true;
}

/* Pass by pass, because the cache is set while nothing is in flight. */
bool
nvme_time_many(struct session *s, uint64_t want)
{
	struct nvme_work *work = s->state;
	struct vfio_engine *d = &work->engine;
	uint64_t ticks = 0;

	work->submitted = work->done = 0;
	while (work->done < want && !*s->interrupted) {
		uint64_t begin,
		    limit = work->done + min_u64(want - work->done,
		                                 order_left(&d->buffer.order));

		if (order_is_new(&d->buffer.order))
			dma_buffer_set_cache(&d->buffer);
		begin = counter_begin();
		if (!nvme_run_until(s, work, limit))
			return false;
		ticks += counter_end() - begin;
	}
	if (!work->done)
		return true;
	s->series->raw[0] = work->done;
	s->series->raw[1] = work->done * d->buffer.point.size;
	s->series->raw[2] = clock_ps(&d->host.clock, ticks);
	s->series->n = 1;
	return true;
}
