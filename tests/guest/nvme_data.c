/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: nvme_data BDF
 *
 * Overwrites the first blocks of a disk with the driver of the backend nvme,
 * reads them back and compares every byte, inside of each transfer and around
 * it, for many sizes and offsets; for log pages it checks only the number of
 * bytes. Then lets the device write to an unmapped address, and maps one that
 * cannot be mapped. Exits with 0 if all checks pass.
 */
#include "collect/nvme/nvme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW (UINT64_C(1) << 20)
#define AROUND 0xee

static const struct backend_option options[] = {
    VFIO_OPTION_CLAIM, DMA_BUFFER_OPTION_PAGES, {NULL, NULL, NULL}};

static struct setting unbind = {"unbind", "yes"};
static struct preamble preamble;
static volatile sig_atomic_t interrupted;
static struct nvme_work work;
static uint64_t sample[64];

static bool
suits(const struct pci_function *f)
{
	return f->id;
}

static _Noreturn void
give_up(struct session *s, const char *what)
{
	printf("%s: %s\n", what, s->failure.text ? s->failure.text : "wrong");
	nvme_close(&work.nvme);
	nvme_free_prp_lists(&work);
	vfio_engine_close(&work.engine);
	exit(STATUS_NO);
}

static unsigned char
pattern(uint64_t i, uint64_t seed)
{
	return (unsigned char)(i * 131 + (i >> 8) * 7 + seed);
}

static void
fill(unsigned char with)
{
	memset(work.engine.buffer.memory.at, with, WINDOW);
}

/* Runs a command in the first unit, from the first block on. */
static bool
transfer(struct session *s, uint8_t opcode)
{
	work.opcode = opcode;
	work.next = work.first;
	work.engine.buffer.order.next = 0;
	s->series->raw = sample;
	return queue_run(s, &work.engine.queue, 1);
}

static void
begin(struct session *s, uint64_t size, uint64_t offset)
{
	struct point point = {.size = size,
	                      .offset = offset,
	                      .window = WINDOW,
	                      .pattern = PATTERN_SEQUENTIAL,
	                      .cache = CACHE_COLD,
	                      .node = NODE_LOCAL};

	work.blocks = (uint32_t)(size / work.nvme.ns.block_size);
	if (!dma_buffer_check(s, &work.engine.buffer, &point) ||
	    !vfio_engine_prepare(s, &work.engine, &point, "command") ||
	    !nvme_make_prp_lists(s, &work))
		give_up(s, "prepare");
}

static void
compare(struct session *s, uint64_t size, uint64_t offset, uint64_t seed)
{
	const unsigned char *at = work.engine.buffer.memory.at;

	for (uint64_t i = 0; i < WINDOW; i++) {
		bool inside = i >= offset && i - offset < size;
		unsigned char wanted =
		    inside ? pattern(i - offset, seed) : AROUND;

		if (at[i] == wanted)
			continue;
		printf("%ju bytes at %ju: byte %ju is 0x%02x, not 0x%02x\n",
		       (uintmax_t)size, (uintmax_t)offset, (uintmax_t)i, at[i],
		       wanted);
		give_up(s, "compare");
	}
}

static void
there_and_back(struct session *s, uint64_t size, uint64_t from, uint64_t to)
{
	uint64_t seed = size / 512 + from + to;

	begin(s, size, from);
	fill(AROUND);
	for (uint64_t i = 0; i < size; i++)
		work.engine.buffer.memory.at[from + i] = pattern(i, seed);
	if (!transfer(s, NVME_WRITE))
		give_up(s, "write");
	begin(s, size, to);
	fill(AROUND);
	if (!transfer(s, NVME_READ))
		give_up(s, "read");
	compare(s, size, to, seed);
}

/* A byte that keeps two different fill values was not written. */
static void
log_page(struct session *s, uint64_t size, uint64_t offset)
{
	static unsigned char first[WINDOW];
	const unsigned char *second = work.engine.buffer.memory.at;

	begin(s, size, offset);
	fill(AROUND);
	if (!transfer(s, NVME_GET_LOG_PAGE))
		give_up(s, "log page");
	memcpy(first, work.engine.buffer.memory.at, WINDOW);
	fill(0x11);
	if (!transfer(s, NVME_GET_LOG_PAGE))
		give_up(s, "log page");
	for (uint64_t i = 0; i < WINDOW; i++) {
		bool inside = i >= offset && i - offset < size;
		bool kept = first[i] == AROUND && second[i] == 0x11;

		if (inside != kept)
			continue;
		printf("a log page of %ju bytes at %ju: byte %ju\n",
		       (uintmax_t)size, (uintmax_t)offset, (uintmax_t)i);
		give_up(s, "log page");
	}
}

static void
all_transfers(struct session *s)
{
	static const uint64_t sizes[] = {512,   1024,  4096,   4608,  8192,
	                                 12288, 65536, 131072, 520192};
	static const uint64_t offsets[] = {0, 4, 60, 64, 508, 2048, 4092, 4096};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		uint64_t most = work.nvme.controller.max_transfer;

		if (sizes[i] > most)
			continue;
		for (size_t k = 0; k < ARRAY_LEN(offsets); k++)
			there_and_back(s, sizes[i], offsets[k],
			               offsets[(k + 3) % ARRAY_LEN(offsets)]);
	}
	puts("blocks: right");
	work.logs = true;
	for (uint64_t size = 4; size <= 512; size += 36)
		for (uint64_t offset = 0; offset <= 4096; offset += 676)
			log_page(s, size, offset);
	work.logs = false;
	puts("log pages: right");
}

/* An unmapped address: the IOMMU refuses the access, with a message. */
static void
unmapped(struct session *s)
{
	uint64_t mapped = work.engine.iova;
	bool ok;

	begin(s, 4096, 0);
	fill(AROUND);
	work.opcode = NVME_READ;
	work.engine.iova += UINT64_C(1) << 31;
	ok = nvme_prove(s, &work);
	work.engine.iova = mapped;
	if (ok)
		give_up(s, "unmapped");
	printf("unmapped: %s\n", s->failure.text);
	for (uint64_t i = 4096; i < WINDOW; i++) {
		if (work.engine.buffer.memory.at[i] != AROUND)
			give_up(s, "unmapped");
	}
	if (!nvme_prove(s, &work) || !transfer(s, NVME_READ))
		give_up(s, "after a fault");
	puts("after a fault: goes on");
}

/* The interrupt range of x86: no memory can be mapped there. */
static void
reserved(struct session *s)
{
	if (vfio_map(s, work.engine.iommu, work.engine.buffer.memory.at, 4096,
	             UINT64_C(0xfee00000)))
		give_up(s, "reserved");
	printf("reserved: %s\n", s->failure.text);
}

int
main(int argc, char *argv[])
{
	struct request request = {.bench = find_bench("lat_nvme"),
	                          .device = argc > 1 ? argv[1] : NULL,
	                          .options = {&unbind, 1},
	                          .cpu = -1};
	struct session s = {.request = &request,
	                    .preamble = &preamble,
	                    .interrupted = &interrupted,
	                    .state = &work};

	static const struct vfio_engine_type type = {.backend = "nvme",
	                                             .options = options,
	                                             .what = "a controller",
	                                             .matches = suits,
	                                             .queue = &nvme_queue_type,
	                                             .iova = UINT64_C(1) << 30,
	                                             .iova_bytes = UINT64_C(1)
	                                                           << 30};

	set_program(argc, argv);
	work.nvme.engine = &work.engine;
	work.nsid = work.pairs = work.depth = 1;
	if (!vfio_engine_open(&s, &work.engine, &type) ||
	    !nvme_open(&s, &work.nvme, 1, 1, 4))
		give_up(&s, "open");
	work.last = work.nvme.ns.blocks - 1;
	all_transfers(&s);
	unmapped(&s);
	reserved(&s);
	series_make(&s, 0);
	nvme_close(&work.nvme);
	nvme_free_prp_lists(&work);
	vfio_engine_close(&work.engine);
	preamble_free(&preamble);
	free(s.failure.text);
	return STATUS_OK;
}
