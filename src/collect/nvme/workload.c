/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Submits commands and takes their completions. */
#include "collect/nvme/nvme.h"

#include "common/base/intmath.h"

/* SMART / Health: mandatory, 512 bytes, 5.16.1.3. */
#define HEALTH_LOG 0x02
#define KEEP_EVENT (1u << 15) /* Retain Asynchronous Event */

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
		uint64_t at = d->iova + dma_buffer_at(&d->buffer, i);
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

/* Log pages are commands of the admin queue. */
static struct nvme_queue *
nvme_first_queue(struct nvme_work *work)
{
	return work->logs ? &work->nvme.admin : work->nvme.queue;
}

/* Writing an unchanged doorbell is an error, 5.2: Invalid Doorbell Write. */
static bool
nvme_submit(struct session *s)
{
	struct nvme_work *work = s->state;

	nvme_ring(work->filled);
	work->filled = NULL;
	return true;
}

/*
 * Puts the next command into its queue, and rings only for another queue filled
 * before. Commands go through the blocks sequentially, and again from the
 * start.
 */
static void
nvme_put(struct session *s, uint32_t slot, uint64_t unit)
{
	struct nvme_work *work = s->state;
	const struct vfio_engine *d = &work->engine;
	uint64_t at = d->iova + dma_buffer_at(&d->buffer, unit);
	uint64_t n = nvme_pages_of(at, d->buffer.point.size);
	struct nvme_queue *q = nvme_first_queue(work) + slot / work->depth;
	struct nvme_command *c = nvme_next(q);

	if (work->filled && work->filled != q)
		nvme_submit(s);
	work->filled = work->polled = q;
	c->opcode = work->opcode;
	c->id = (uint16_t)(slot % work->depth);
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

/* Goes on to the next queue if this one has no completion. */
static bool
nvme_is_any_done(struct session *s)
{
	struct nvme_work *work = s->state;

	if (nvme_is_done(work->polled))
		return true;
	if (work->pairs > 1 && ++work->polled == work->nvme.queue + work->pairs)
		work->polled = work->nvme.queue;
	return false;
}

static bool
nvme_take_any(struct session *s, uint32_t *slot)
{
	struct nvme_work *work = s->state;
	ptrdiff_t pair = work->polled - nvme_first_queue(work);
	uint16_t id, status = nvme_take(work->polled, &id);

	*slot = (uint32_t)pair * work->depth + id;
	return !status || nvme_failed(s, &work->nvme, "a command", status);
}

static bool
nvme_look(struct session *s, uint64_t ns)
{
	const struct nvme_work *work = s->state;

	return vfio_engine_check(s, &work->engine) &&
	       nvme_is_alive(s, &work->nvme, ns);
}

const struct queue_type nvme_queue_type = {.put = nvme_put,
                                           .submit = nvme_submit,
                                           .is_done = nvme_is_any_done,
                                           .take = nvme_take_any,
                                           .look = nvme_look};

bool
nvme_prove(struct session *s, struct nvme_work *work)
{
	struct vfio_engine *d = &work->engine;
	uint8_t opcode = work->opcode;
	uint64_t byte;
	bool ok;

	if (!work->logs)
		work->opcode = NVME_READ;
	work->next = work->first;
	ok = queue_prove(s, &d->queue, &byte);
	work->next = work->first;
	work->opcode = opcode;
	return ok &&
	       (byte == d->buffer.point.size ||
	        fail(s, STATUS_TROUBLE,
	             "%s: the device does not reach host memory (byte %ju of a "
	             "transfer was not written): see dmesg for faults of the "
	             "IOMMU",
	             d->function->bdf, (uintmax_t)byte));
}
