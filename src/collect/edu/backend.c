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
	struct vfio_engine engine;
	volatile unsigned char *bar;
};

static const struct backend_option options[] = {
    VFIO_OPTION_CLAIM,
    DMA_BUFFER_OPTION_PAGES,
    {NULL, NULL, NULL},
};

static bool
edu_is_edu(const struct pci_function *f)
{
	return f->id == EDU_ID;
}

static const struct vfio_engine_type edu_type = {.backend = "edu",
                                                 .options = options,
                                                 .what = "QEMU's edu",
                                                 .matches = edu_is_edu,
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

static volatile uint64_t *
edu_reg(const struct edu *edu, size_t offset)
{
	return (volatile uint64_t *)(volatile void *)(edu->bar + offset);
}

static void
edu_start(const struct edu *edu, uint64_t source, uint64_t destination,
          uint64_t command)
{
	*edu_reg(edu, DMA_SOURCE) = source;
	*edu_reg(edu, DMA_DESTINATION) = destination;
	*edu_reg(edu, DMA_COUNT) = edu->engine.buffer.point.size;
	device_publish();
	*edu_reg(edu, DMA_COMMAND) = command | COMMAND_START;
}

/* Registers of a removed device may read anything: in QEMU 0, "done". */
static bool
edu_is_there(struct session *s)
{
	const struct edu *edu = s->state;
	uint32_t identity =
	    *(volatile uint32_t *)(volatile void *)(edu->bar + IDENTITY);

	return (identity & 0xff) == 0xed ||
	       fail(s, STATUS_TROUBLE,
	            "%s: the engine's registers are gone: it was removed, or "
	            "its memory was disabled",
	            edu->engine.function->bdf);
}

/*
 * Waits until the engine is done, or gone. False after fail() if it hangs;
 * takes the time before the read, as the process may be stopped in between.
 */
static bool
edu_finish(struct session *s)
{
	const struct edu *edu = s->state;
	uint64_t begin = now_ns(), now = begin, command;

	while ((command = *edu_reg(edu, DMA_COMMAND)) & COMMAND_START &&
	       command != UINT64_MAX) {
		if (now - begin > TIMEOUT_NS)
			return fail(s, STATUS_TROUBLE,
			            "%s: a transfer of %ju bytes has not ended "
			            "after 3 s",
			            edu->engine.function->bdf,
			            (uintmax_t)edu->engine.buffer.point.size);
		now = now_ns();
	}
	device_observe();
	return true;
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
	const struct edu *edu = s->state;
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
	edu_start(edu, edu->engine.iova + at, DEVICE_MEMORY, 0);
	if (!edu_finish(s))
		return false;
	memset(host, 0x5a, window);
	edu_start(edu, DEVICE_MEMORY, edu->engine.iova + at, COMMAND_TO_HOST);
	if (!edu_finish(s) || !edu_is_there(s))
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

static bool
edu_run(struct session *s, uint64_t want)
{
	struct edu *edu = s->state;
	struct vfio_engine *d = &edu->engine;

	for (uint64_t i = 0; i < want && !*s->interrupted; i++) {
		uint64_t begin, end, from;

		if (!vfio_engine_check(s, d))
			return false;
		if (order_is_new(&d->buffer.order))
			dma_buffer_set_cache(&d->buffer);
		from = d->iova + dma_buffer_next(&d->buffer);
		begin = counter_begin();
		edu_start(edu, from, DEVICE_MEMORY, 0);
		if (!edu_finish(s))
			return false;
		end = counter_end();
		if (!edu_is_there(s))
			return false;
		s->series->raw[i] = clock_ps(&d->host.clock, end - begin);
		s->series->n = i + 1;
	}
	return true;
}

static void
edu_end(struct session *s, struct preamble *end)
{
	const struct edu *edu = s->state;

	host_describe_end(&edu->engine.host, end);
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
    .run = edu_run,
    .end = edu_end,
    .close = edu_close,
};
