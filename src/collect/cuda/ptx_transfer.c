/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks transfers, and writes the module of one. */
#include "collect/cuda/ptx_emit.h"

#include "common/base/textbuf.h"

static const char *
ptx_check_bulk(const struct gpu_transfer *t, uint64_t offset)
{
	if (t->size % 16 || offset % 16)
		return "a bulk copy has a multiple of 16 bytes, and starts at "
		       "one";
	if (t->size > PTX_BULK_MAX)
		return "a bulk copy has at most 32K";
	if (t->bench == LAT_WRRD && t->wrrd != WRRD_PLAIN)
		return "the GPU waits for each bulk copy: only wrrd=plain is "
		       "possible";
	return NULL;
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
	if (t->engine == ENGINE_BULK)
		return ptx_check_bulk(t, offset);
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

unsigned
ptx_lane(const struct gpu_transfer *t, uint64_t offset)
{
	unsigned most = t->mmio ? 4 : 16;
	unsigned lane = 4;

	while (lane > 1 && (t->size % lane || offset % lane))
		lane /= 2;
	while (lane >= 4 && lane < most && t->size > WARP * lane &&
	       (t->size | offset) % ((uint64_t)2 * lane) == 0)
		lane *= 2;
	return lane;
}

char *
ptx_transfer(const struct gpu_transfer *t)
{
	struct composed text;
	struct emitter e = {.to = compose_begin(&text), .t = t};

	fprintf(e.to, "// %s, %u bytes\n", benches[t->bench].name, t->size);
	if (t->engine == ENGINE_BULK)
		emit_bulk(&e);
	else
		emit_sm(&e);
	return compose_end(&text, e.to);
}
