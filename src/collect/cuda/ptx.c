/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks transfers, and puts their programs together. */
#include "collect/cuda/cuda.h"

#include "common/base/embed.h"
#include "common/base/util.h"

EMBED(ptx_support, "collect/cuda/support.ptx");
EMBED(ptx_parts, "collect/cuda/transfer.ptx");

/* The text so far, and its transfer. */
struct emitter {
	FILE *to;
	const struct gpu_transfer *t;
	bool bulk;
	unsigned unroll;  /* from emit_unroll */
	unsigned last;    /* lanes in the last access; 0: all */
	const char *type; /* of what a lane takes */
};

/* Accesses, each as wide as a warp, of a transfer of t->bytes_per_lane. */
static unsigned
emit_unroll(const struct gpu_transfer *t)
{
	unsigned width = PTX_WARP * t->bytes_per_lane;

	return (t->size + width - 1) / width;
}

/* 32-bit registers of a lane for one access. */
static unsigned
emit_registers(unsigned lane)
{
	return lane > 4 ? lane / 4 : 1;
}

static void
emit_header(FILE *to, const char *version, const char *target)
{
	fprintf(to, ".version %s\n.target %s\n.address_size 64\n\n", version,
	        target);
}

/* Writes the part of transfer.ptx with this name, and numbers for $0 and on. */
static void
emit_part(const struct emitter *e, const char *name, const unsigned number[])
{
	char *mark = xasprintf("//: %s\n", name);
	const char *at = strstr(ptx_parts, mark) + strlen(mark);

	for (; *at != '/'; at++) {
		if (*at == '$')
			fprintf(e->to, "%u", number[*++at - '0']);
		else
			putc(*at, e->to);
	}
	free(mark);
}

#define EMIT(e, name, ...) emit_part(e, name, (const unsigned[]){__VA_ARGS__})

/* A part without numbers. */
static void
emit(const struct emitter *e, const char *name)
{
	emit_part(e, name, NULL);
}

/* `n` registers from %<name><first> on, or one register repeated. */
static void
ptx_operand(const struct emitter *e, const char *name, unsigned first,
            bool numbered)
{
	unsigned n = emit_registers(e->t->bytes_per_lane);

	if (n > 1)
		fputc('{', e->to);
	for (unsigned i = 0; i < n; i++) {
		fprintf(e->to, "%s%%%s", i ? ", " : "", name);
		if (numbered)
			fprintf(e->to, "%u", first + i);
	}
	if (n > 1)
		fputc('}', e->to);
}

static const char *
ptx_guard(const struct emitter *e, unsigned row)
{
	return e->last && row + 1 == e->unroll ? "@%part " : "";
}

static void
ptx_emit_load(const struct emitter *e, unsigned row)
{
	unsigned lane = e->t->bytes_per_lane;
	unsigned beside =
	    e->t->bench == LAT_WRRD && e->t->wrrd == WRRD_SECTOR ? 32 : 0;

	fprintf(e->to, "\t%sld.%s.global.%s ", ptx_guard(e, row),
	        e->t->mmio ? "mmio.relaxed.sys" : "volatile", e->type);
	ptx_operand(e, "v", row * emit_registers(lane), true);
	fprintf(e->to, ", [%%at+%u];\n", beside + row * PTX_WARP * lane);
}

/*
 * The access of only some lanes comes first: the compiler branches around it,
 * and would wait before the branch for earlier loads.
 */
static void
ptx_emit_loads(const struct emitter *e)
{
	unsigned whole = e->last ? e->unroll - 1 : e->unroll;

	if (e->last)
		ptx_emit_load(e, whole);
	for (unsigned row = 0; row < whole; row++)
		ptx_emit_load(e, row);
}

static void
ptx_emit_stores(const struct emitter *e)
{
	unsigned lane = e->t->bytes_per_lane;

	for (unsigned row = 0; row < e->unroll; row++) {
		fprintf(e->to, "\t%sst.volatile.global.%s [%%at+%u], ",
		        ptx_guard(e, row), e->type, row * PTX_WARP * lane);
		ptx_operand(e, "data", 0, false);
		fputs(";\n", e->to);
	}
}

/*
 * Arguments, and for loads and stores the lane's part of the address, and
 * zeroed registers.
 */
static void
ptx_emit_entry(const struct emitter *e)
{
	unsigned lane = e->t->bytes_per_lane;
	unsigned n = e->unroll * emit_registers(lane);

	if (e->bulk) {
		emit(e, "bulk");
		emit(e, "addresses");
		emit(e, "numbers");
		emit(e, "bulk begin");
		return;
	}
	EMIT(e, "entry", n, PTX_WARP * PTX_WARPS_PER_BLOCK,
	     PTX_WARPS_PER_SM / PTX_WARPS_PER_BLOCK);
	emit(e, "addresses");
	emit(e, "sink");
	emit(e, "numbers");
	EMIT(e, "lanes", e->last ? e->last : PTX_WARP, lane);
	for (unsigned i = 0; i < n; i++)
		fprintf(e->to, "\tmov.u32 %%v%u, 0;\n", i);
}

static void
ptx_emit_read(const struct emitter *e)
{
	unsigned n = e->unroll * emit_registers(e->t->bytes_per_lane);

	if (e->bulk) {
		EMIT(e, "bulk read", e->t->size);
		return;
	}
	ptx_emit_loads(e);
	fputs("\tmov.u32 %all, %v0;\n", e->to);
	for (unsigned i = 1; i < n; i++)
		fprintf(e->to, "\txor.b32 %%all, %%all, %%v%u;\n", i);
	emit(e, "wait");
}

/* Bulk copies wait until at most this many writes are in flight. */
static void
ptx_emit_write(const struct emitter *e, unsigned under_way)
{
	if (e->bulk)
		EMIT(e, "bulk write", e->t->size, under_way);
	else
		ptx_emit_stores(e);
}

static void
ptx_emit_latency(const struct emitter *e)
{
	const struct gpu_transfer *t = e->t;

	emit(e, "latency");
	if (e->bulk)
		EMIT(e, "bulk expect", t->size);
	emit(e, "from");
	if (gpu_writes(t))
		ptx_emit_write(e, 0);
	if (t->bench == LAT_WRRD &&
	    (t->wrrd == WRRD_FENCE || t->wrrd == WRRD_STORE))
		emit(e, "fence");
	if (gpu_reads(t))
		ptx_emit_read(e);
	emit(e, "to");
	if (e->bulk)
		emit(e, "bulk flip");
	emit(e, "cycles");
	emit(e, e->bulk ? "bulk store cycles" : "store cycles");
	emit(e, "again");
}

static void
ptx_emit_bandwidth(const struct emitter *e)
{
	bool reads = gpu_reads(e->t), writes = gpu_writes(e->t);

	emit(e, e->bulk ? "bulk worker" : "worker");
	EMIT(e, "loop", (unsigned)sizeof(struct gpu_span),
	     reads && writes ? 2 : 1, (1u << GPU_STEP_SHIFT) - 1,
	     GPU_STEP_SHIFT);
	EMIT(e, "address", 0);
	if (reads && e->bulk)
		EMIT(e, "bulk expect", e->t->size);
	if (reads)
		ptx_emit_read(e);
	if (reads && e->bulk)
		emit(e, "bulk flip");
	if (reads && writes)
		EMIT(e, "address", 4);
	if (writes)
		ptx_emit_write(e, 3);
	emit(e, "loop end");
	if (writes && e->bulk)
		emit(e, "bulk end");
	if (writes && !e->bulk) {
		emit(e, "fence");
		ptx_emit_read(e);
	}
}

const char *
ptx_check(const struct gpu_transfer *t, uint64_t offset)
{
	unsigned lane = t->bytes_per_lane;

	if (!t->size)
		return "a transfer of 0 bytes";
	if (t->engine == ENGINE_CE)
		return gpu_is_latency(t)
		           ? "the copy engine measures bandwidth only"
		           : NULL;
	if (t->engine == ENGINE_BULK) {
		if (t->size % 16 || offset % 16)
			return "a bulk copy has a multiple of 16 bytes, and "
			       "starts at one";
		if (t->size > PTX_BULK_MAX)
			return "a bulk copy has at most 32K";
		if (t->bench == LAT_WRRD && t->wrrd != WRRD_PLAIN)
			return "the GPU waits for each bulk copy: only "
			       "wrrd=plain is possible";
		return NULL;
	}
	if (lane != 1 && lane != 2 && lane != 4 && lane != 8 && lane != 16)
		return "a lane takes 1, 2, 4, 8 or 16 bytes";
	if (t->mmio && lane > 4)
		return "with load=mmio a lane takes at most 4 bytes";
	if (t->size % lane || offset % lane)
		return "size and offset must be multiples of what a lane takes";
	if (emit_unroll(t) * emit_registers(lane) > PTX_REGISTERS)
		return "too large: a warp holds 8K, less if size or offset is "
		       "not a multiple of 4";
	if (t->wrrd == WRRD_SECTOR && offset % 64 + t->size > 32)
		return "wrrd=sector writes within the first 32 bytes of a line";
	return NULL;
}

char *
ptx_transfer(const struct gpu_transfer *t)
{
	struct composed text;
	struct emitter e = {.to = compose_begin(&text),
	                    .t = t,
	                    .bulk = t->engine == ENGINE_BULK};
	unsigned lane = t->bytes_per_lane;

	fprintf(e.to, "// %s, %u bytes\n", benches[t->bench].name, t->size);
	if (e.bulk) {
		emit_header(e.to, "8.0", "sm_90");
	} else {
		e.unroll = emit_unroll(t);
		e.last = t->size % (PTX_WARP * lane) / lane;
		e.type = lane == 1   ? "u8"
		         : lane == 2 ? "u16"
		         : lane == 4 ? "u32"
		         : lane == 8 ? "v2.u32"
		                     : "v4.u32";
		emit_header(e.to, t->mmio ? "8.2" : "6.0",
		            t->mmio ? "sm_70" : "sm_50");
	}
	ptx_emit_entry(&e);
	if (gpu_is_latency(t))
		ptx_emit_latency(&e);
	else
		ptx_emit_bandwidth(&e);
	emit(&e, "leave");
	return compose_end(&text, e.to);
}
