/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfers by the copy queue: one command each, all in one list. */
#include "collect/vulkan/gpu.h"

#include "common/base/intmath.h"

/* Most commands of a list, and most bytes that they move. */
#define COPIES     16384
#define COPY_BYTES (UINT64_C(1) << 30)

#define COPIES_LEAST 16

/* Shorter spans are below the resolution of a queue's timestamps. */
#define SPAN_NS 20000

/* Queues a copy for the n-th entry of the order, in one direction. */
static void
vulkan_copy_unit(struct vulkan_gpu *vg, size_t n, bool write)
{
	struct vulkan_device *d = &vg->device;
	const struct gpu *gpu = &vg->gpu;
	uint64_t size = gpu->transfer.size;
	uint64_t at = gpu->point.offset + gpu->entries[n] * gpu->unit;
	VkBufferCopy region = {.srcOffset = write ? size : at,
	                       .dstOffset = write ? at : 0,
	                       .size = size};

	d->vk.CmdCopyBuffer(
	    d->copy.commands, write ? vg->scratch.buffer : vg->window.buffer,
	    write ? vg->window.buffer : vg->scratch.buffer, 1, &region);
}

/* Queues n copies; timestamps are `lead` after the first, before the last. */
static bool
vulkan_queue_copies(struct session *s, size_t n, size_t lead)
{
	struct vulkan_gpu *vg = s->state;
	struct vulkan_device *d = &vg->device;
	bool reads = gpu_reads(&vg->gpu.transfer);
	bool writes = gpu_writes(&vg->gpu.transfer);

	if (!vulkan_begin(s, d, &d->copy))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (i == lead || i == n - lead)
			vulkan_stamp(d, &d->copy, i == lead ? 0 : 1);
		if (reads)
			vulkan_copy_unit(vg, writes ? 2 * i : i, false);
		if (writes)
			vulkan_copy_unit(vg, reads ? 2 * i + 1 : i, true);
	}
	return vulkan_submit(s, d, &d->copy) && vulkan_wait(s, d, &d->copy);
}

static bool
vulkan_take_copies(struct session *s, size_t n, struct gpu_total *total)
{
	struct vulkan_gpu *vg = s->state;
	size_t lead = n / 8 + 1;
	double ns;

	order_take(&vg->gpu.order, vg->gpu.entries,
	           vg->gpu.transfer.bench == BW_RDWR ? 2 * n : n);
	if (!vulkan_queue_copies(s, n, lead) ||
	    !vulkan_stamps(s, &vg->device, &vg->device.copy, &ns))
		return false;
	if (ns < SPAN_NS)
		return fail(s, STATUS_TROUBLE,
		            "%zu copies are too few to time: raise -n", n);
	total->transfers += (double)(n - 2 * lead);
	total->ns += (uint64_t)ns;
	return true;
}

bool
vulkan_copy(struct session *s, uint64_t want, struct gpu_total *total)
{
	struct gpu *gpu = s->state;
	uint64_t entries = gpu->transfer.bench == BW_RDWR ? 2 : 1;
	uint64_t most = max_u64(COPY_BYTES / gpu->transfer.size, 64);

	most = min_u64(most, COPIES);
	for (uint64_t done = 0; done < want && !*s->interrupted;) {
		uint64_t n = min_u64(min_u64(want - done, most),
		                     order_left(&gpu->order) / entries);

		if (n < COPIES_LEAST && done)
			break;
		if (!vulkan_take_copies(s, n, total))
			return false;
		done += n;
	}
	return true;
}
