/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU's educational device, edu: an engine that copies between host memory and
 * 4096 bytes of its own, driven by four registers. It is the example of
 * ARCHITECTURE.md for such engines; its time is a timer of 100 ms.
 */
#include "collect/core/backend.h"
#include "collect/pci/bar.h"
#include "collect/vfio/engine.h"
#include "common/base/debug.h"

/* The IDs at 0x00 of config space: device and vendor. */
#define EDU_ID UINT32_C(0x11e81234)

/* Registers of BAR0: one of 32 bits, whose last byte is 0xed, then 64 bits. */
#define IDENTITY        0x00
#define DMA_SOURCE      0x80
#define DMA_DESTINATION 0x88
#define DMA_COUNT       0x90
#define DMA_COMMAND     0x98
#define COMMAND_START   UINT64_C(1) /* reads as 1 until done */
#define COMMAND_TO_HOST UINT64_C(2)

/* Address of the device's own memory, for the engine. */
#define DEVICE_MEMORY UINT64_C(0x40000)

/* QEMU up to 7.2 aborts if a transfer fills all of that memory. */
#define SIZE_MAX_EDU 4092

/* Addresses have 28 bits by default (QEMU's dma_mask). */
#define IOVA UINT64_C(0x200000)
#define ROOM ((UINT64_C(1) << 28) - IOVA)

#define TIMEOUT_NS UINT64_C(3000000000)

struct edu {
	struct vfio_engine engine; /* first: the state is both */
	volatile unsigned char *bar;
	uint64_t from, to, direction; /* of the next transfer */
};

static const struct backend_option options[] = {
    VFIO_OPTION_CLAIM,
    DMA_BUFFER_OPTION_PAGES,
    {NULL, NULL, NULL},
};

/* The engine -------------------------------------------------------------- */

static volatile uint64_t *
edu_reg(const struct edu *edu, size_t offset)
{
	return (volatile uint64_t *)(volatile void *)(edu->bar + offset);
}

/* From host memory into the device's. */
static void
edu_put(struct session *s, uint32_t slot, uint64_t unit)
{
	struct edu *edu = s->state;

	(void)slot;
	edu->from = edu->engine.iova + dma_buffer_at(&edu->engine.buffer, unit);
	edu->to = DEVICE_MEMORY;
	edu->direction = 0;
}

static bool
edu_submit(struct session *s)
{
	const struct edu *edu = s->state;

	*edu_reg(edu, DMA_SOURCE) = edu->from;
	*edu_reg(edu, DMA_DESTINATION) = edu->to;
	*edu_reg(edu, DMA_COUNT) = edu->engine.buffer.point.size;
	device_publish();
	*edu_reg(edu, DMA_COMMAND) = edu->direction | COMMAND_START;
	return true;
}

/* A device that is gone reads as all ones. */
static bool
edu_is_done(struct session *s)
{
	uint64_t command = *edu_reg(s->state, DMA_COMMAND);

	return !(command & COMMAND_START) || command == UINT64_MAX;
}

/* Registers of a removed device may read anything: in QEMU 0, "done". */
static bool
edu_take(struct session *s, uint32_t *slot)
{
	const struct edu *edu = s->state;
	uint32_t identity =
	    *(volatile uint32_t *)(volatile void *)(edu->bar + IDENTITY);

	device_observe();
	*slot = 0;
	return (identity & 0xff) == 0xed ||
	       fail(s, STATUS_TROUBLE,
	            "%s: the engine's registers are gone: it was removed, or "
	            "its memory was disabled",
	            edu->engine.function->bdf);
}

static bool
edu_look(struct session *s, uint64_t ns)
{
	const struct edu *edu = s->state;

	return vfio_engine_check(s, &edu->engine) &&
	       (ns <= TIMEOUT_NS ||
	        fail(s, STATUS_TROUBLE,
	             "%s: a transfer of %ju bytes has not ended after 3 s",
	             edu->engine.function->bdf,
	             (uintmax_t)edu->engine.buffer.point.size));
}

const struct queue_type edu_queue = {.put = edu_put,
                                     .submit = edu_submit,
                                     .is_done = edu_is_done,
                                     .take = edu_take,
                                     .look = edu_look};

/* A session --------------------------------------------------------------- */

static bool
edu_is_edu(const struct pci_function *f)
{
	return f->id == EDU_ID;
}

static const struct vfio_engine_type edu_type = {.backend = "edu",
                                                 .options = options,
                                                 .what = "QEMU's edu",
                                                 .matches = edu_is_edu,
                                                 .queue = &edu_queue,
                                                 .iova = IOVA,
                                                 .iova_bytes = ROOM};

static void
edu_probe(const struct request *request, struct findings *list)
{
	(void)request;
	vfio_engine_probe(&edu_type, BENCH_BIT(LAT_RD), list);
}

static bool
edu_open(struct session *s)
{
	struct edu *edu = s->state;
	size_t size = 0;

	if (!vfio_engine_open(s, &edu->engine, &edu_type))
		return false;
	edu->engine.kind = "virtual";
	edu->bar = vfio_map_bar(s, edu->engine.function, edu->engine.fd, 0, 0,
	                        &size, true);
	return edu->bar;
}

static bool
edu_check(struct session *s, const struct point *point)
{
	struct edu *edu = s->state;

	if (point->size > SIZE_MAX_EDU)
		return fail(s, STATUS_TROUBLE,
		            "edu transfers at most %d bytes, not %ju",
		            SIZE_MAX_EDU, (uintmax_t)point->size);
	return dma_buffer_check(s, &edu->engine.buffer, point);
}

/* The byte that prove expects, in the transfer and around it. */
static unsigned char
edu_expected(const struct edu *edu, uint64_t i)
{
	uint64_t at = edu->engine.buffer.point.offset;
	bool inside = i >= at && i - at < edu->engine.buffer.point.size;

	return (unsigned char)(inside ? 7 * (i - at) + 1 : 0x5a);
}

/* There and back: the device does not report unreachable memory. */
static bool
edu_prove(struct session *s)
{
	struct edu *edu = s->state;
	uint64_t at = edu->engine.buffer.point.offset,
	         window = edu->engine.buffer.point.window;
	unsigned char *host = edu->engine.buffer.memory.at;

	debug(DEBUG_DEVICE,
	      "%s: registers 0x%x to 0x%x: copy %ju bytes from "
	      "0x%jx and back",
	      edu->engine.function->bdf, DMA_SOURCE, DMA_COMMAND,
	      (uintmax_t)edu->engine.buffer.point.size,
	      (uintmax_t)(edu->engine.iova + at));
	for (uint64_t i = 0; i < window; i++)
		host[i] = edu_expected(edu, i);
	edu_put(s, 0, 0);
	if (!queue_finish(s, &edu->engine.queue))
		return false;
	memset(host, 0x5a, window);
	edu->to = edu->from;
	edu->from = DEVICE_MEMORY;
	edu->direction = COMMAND_TO_HOST;
	if (!queue_finish(s, &edu->engine.queue))
		return false;
	for (uint64_t i = 0; i < window; i++) {
		if (host[i] != edu_expected(edu, i))
			return fail(s, STATUS_TROUBLE,
			            "%s: the device does not reach host memory "
			            "(byte %ju is wrong): see dmesg "
			            "for faults of the IOMMU",
			            edu->engine.function->bdf, (uintmax_t)i);
	}
	return true;
}

static bool
edu_prepare(struct session *s, const struct point *point)
{
	struct edu *edu = s->state;

	return vfio_engine_prepare(s, &edu->engine, point, "engine") &&
	       edu_prove(s);
}

static void
edu_close(struct session *s)
{
	struct edu *edu = s->state;

	mmio_unmap(edu->bar);
	vfio_engine_close(&edu->engine);
}

const struct backend edu_backend = {
    .name = "edu",
    .help = "the DMA engine of QEMU's educational device",
    .state_size = sizeof(struct edu),
    .benches = BENCH_BIT(LAT_RD),
    .flags = BACKEND_BDF | BACKEND_SLOW,
    .defaults = {.count = 10},
    .options = options,
    .probe = edu_probe,
    .open = edu_open,
    .check = edu_check,
    .prepare = edu_prepare,
    .run = vfio_engine_run,
    .end = vfio_engine_end,
    .close = edu_close,
};
