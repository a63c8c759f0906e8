/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfers by the copy engine: one copy each, in a full queue. */
#include "collect/cuda/gpu.h"
#include "common/base/intmath.h"

/*
 * Copies and bytes between checks for signals; the driver's queue is shorter.
 */
#define COPIES      16384
#define COPY_BYTES  (UINT64_C(4) << 30)
#define EVENT_NS    20000 /* shorter spans are below the resolution of events */
#define FROM_DEVICE 1     /* stream for writes; 0 is for reads */

/* Events: the first one, then GPU_MARKS per stream. */
enum { BASE, MARKS };

/* Queues a copy for the n-th entry of the order, in one direction. */
static bool
cuda_copy_unit(struct session *s, size_t n, bool write)
{
	const struct cuda_gpu *cg = s->state;
	const struct gpu *gpu = &cg->gpu;
	const struct cuda *cuda = &cg->device.cuda;
	size_t size = gpu->transfer.size;
	unsigned char *at = gpu->memory.host.at + gpu->point.offset +
	                    gpu->entries[n] * gpu->unit;

	if (write)
		return CUDA_DO(s, cuda, cuMemcpyDtoHAsync_v2, at,
		               cg->scratch + size, size,
		               cg->stream[FROM_DEVICE]);
	return CUDA_DO(s, cuda, cuMemcpyHtoDAsync_v2, cg->scratch, at, size,
	               cg->stream[0]);
}

static bool
cuda_is_used(const struct gpu *gpu, int stream)
{
	if (gpu->transfer.bench == BW_RDWR)
		return true;
	return (gpu->transfer.bench == BW_WR) == (stream == FROM_DEVICE);
}

/* Records the k-th mark in the streams in use. */
static bool
cuda_mark(struct session *s, int k)
{
	struct cuda_gpu *cg = s->state;

	for (int i = 0; i < CUDA_STREAMS; i++) {
		if (cuda_is_used(&cg->gpu, i) &&
		    !CUDA_DO(s, &cg->device.cuda, cuEventRecord,
		             cg->event[MARKS + i * GPU_MARKS + k],
		             cg->stream[i]))
			return false;
	}
	return true;
}

static bool
cuda_queue(struct session *s, size_t n, size_t lead)
{
	struct gpu *gpu = s->state;
	bool both = gpu->transfer.bench == BW_RDWR;
	size_t entries = both ? 2 : 1;
	size_t step = gpu_mark_step((uint32_t)(n - 2 * lead)), mark = lead;
	int k = 0;

	for (size_t i = 0; i < n; i++) {
		if (i == mark && i <= n - lead) {
			if (!cuda_mark(s, k++))
				return false;
			mark += step;
		}
		if (cuda_is_used(gpu, 0) &&
		    !cuda_copy_unit(s, i * entries, false))
			return false;
		if (cuda_is_used(gpu, FROM_DEVICE) &&
		    !cuda_copy_unit(s, i * entries + (both ? 1 : 0), true))
			return false;
	}
	return true;
}

/* The time of an event after the first one, in ns. */
static bool
cuda_time_of(struct session *s, int event, uint64_t *ns)
{
	struct cuda_gpu *cg = s->state;
	float ms = 0;

	if (!CUDA_DO(s, &cg->device.cuda, cuEventElapsedTime, &ms,
	             cg->event[BASE], cg->event[event]))
		return false;
	*ns = ms > 0 ? (uint64_t)((double)ms * 1e6) : 0;
	return true;
}

/* The spans of the *n streams in use, in order, with `marks` marks. */
static bool
cuda_read_spans(struct session *s, struct gpu_span span[CUDA_STREAMS],
                size_t marks, size_t *n)
{
	const struct gpu *gpu = s->state;

	*n = 0;
	for (int i = 0; i < CUDA_STREAMS; i++) {
		if (!cuda_is_used(gpu, i))
			continue;
		for (size_t k = 0; k < marks; k++) {
			if (!cuda_time_of(s, MARKS + i * GPU_MARKS + (int)k,
			                  &span[*n].mark[k]))
				return false;
		}
		++*n;
	}
	return true;
}

static bool
cuda_take_copies(struct session *s, size_t n, struct gpu_total *total)
{
	struct cuda_gpu *cg = s->state;
	struct gpu *gpu = &cg->gpu;
	struct gpu_span span[CUDA_STREAMS] = {{{0}}};
	struct gpu_total both = {0};
	size_t lead = n / 8 + 1, streams = 0;
	uint32_t timed = (uint32_t)(n - 2 * lead);

	order_take(&gpu->order, gpu->entries,
	           gpu->transfer.bench == BW_RDWR ? 2 * n : n);
	if (!CUDA_DO(s, &cg->device.cuda, cuEventRecord, cg->event[BASE],
	             cg->stream[cuda_is_used(gpu, 0) ? 0 : FROM_DEVICE]) ||
	    !cuda_queue(s, n, lead) || !cuda_wait(s, &cg->device) ||
	    !cuda_read_spans(s, span, timed / gpu_mark_step(timed) + 1,
	                     &streams))
		return false;
	if (!gpu_steady(span, streams, timed, EVENT_NS, &both))
		return fail(s, STATUS_TROUBLE,
		            "%zu copies are too few to time: raise -n", n);
	/* A read and a write count as one transfer. */
	total->transfers += both.transfers / (double)streams;
	total->ns += both.ns;
	return true;
}

bool
cuda_copy(struct session *s, uint64_t want, struct gpu_total *total)
{
	struct gpu *gpu = s->state;
	uint64_t most = COPY_BYTES / gpu->transfer.size;

	most = min_u64(COPIES, most < 64 ? 64 : most);
	for (uint64_t done = 0; done < want && !*s->interrupted;) {
		uint64_t n = min_u64(want - done, most);

		if (gpu->order.without_replacement &&
		    gpu->transfer.bench == BW_RDWR)
			n = min_u64(n, order_left(&gpu->order) / 2);
		else
			n = min_u64(n, order_left(&gpu->order));
		if (n < 16 && done)
			break;
		if (!cuda_take_copies(s, n, total))
			return false;
		done += n;
	}
	return true;
}

bool
cuda_copies_open(struct session *s)
{
	struct cuda_gpu *cg = s->state;
	const struct cuda *cuda = &cg->device.cuda;

	for (size_t i = 0; i < CUDA_STREAMS; i++) {
		if (!CUDA_DO(s, cuda, cuStreamCreate, &cg->stream[i], 1))
			return false;
	}
	for (size_t i = 0; i < CUDA_EVENTS; i++) {
		if (!CUDA_DO(s, cuda, cuEventCreate, &cg->event[i], 0))
			return false;
	}
	return true;
}

void
cuda_copies_close(struct cuda_gpu *cg)
{
	const struct cuda *cuda = &cg->device.cuda;

	for (size_t i = 0; i < CUDA_EVENTS; i++) {
		if (cg->event[i])
			cuda->cuEventDestroy_v2(cg->event[i]);
	}
	for (size_t i = 0; i < CUDA_STREAMS; i++) {
		if (cg->stream[i])
			cuda->cuStreamDestroy_v2(cg->stream[i]);
	}
	if (cg->scratch)
		cuda->cuMemFree_v2(cg->scratch);
	cg->scratch = 0;
}
