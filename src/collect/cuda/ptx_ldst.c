/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfers by loads and stores of a warp. */
#include "collect/cuda/ptx_emit.h"

/* The type in an instruction's name, by the bytes of a lane. */
static const char *
ptx_type_of(unsigned lane)
{
	switch (lane) {
	case 1:
		return "u8";
	case 2:
		return "u16";
	case 4:
		return "u32";
	case 8:
		return "v2.u32";
	default:
		return "v4.u32";
	}
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
	        e->t->mmio ? "mmio.relaxed.sys" : "volatile",
	        ptx_type_of(lane));
	ptx_operand(e, "v", row * emit_registers(lane), true);
	fprintf(e->to, ", [%%at+%u];\n", beside + row * WARP * lane);
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
		        ptx_guard(e, row), ptx_type_of(lane),
		        row * WARP * lane);
		ptx_operand(e, "data", 0, false);
		fputs(";\n", e->to);
	}
}

/*
 * Makes the warp wait for all loads: it compares the data with a number that
 * only the caller knows. With a constant the compiler may prove that 8 or 16
 * bits cannot equal it, and drop the wait.
 */
static void
ptx_emit_wait(const struct emitter *e)
{
	unsigned n = e->unroll * emit_registers(e->t->bytes_per_lane);

	fputs("\tmov.u32 %all, %v0;\n", e->to);
	for (unsigned i = 1; i < n; i++)
		fprintf(e->to, "\txor.b32 %%all, %%all, %%v%u;\n", i);
	fputs("\tsetp.eq.u32 %q, %all, %magic;\n"
	      "\t@%q st.volatile.global.u32 [%sink], %all;\n",
	      e->to);
}

/*
 * Arguments, the lane's part of the address, zeroed registers. Without a limit
 * of threads the compiler uses only 32 registers, and waits for the first data
 * before it issues the last load.
 */
static void
ptx_emit_entry(const struct emitter *e)
{
	unsigned lane = e->t->bytes_per_lane;
	unsigned n = e->unroll * emit_registers(lane);

	fprintf(e->to,
	        ".visible .entry %s(.param .align 8 .b8 args[64])\n"
	        ".maxntid %d, 1, 1\n"
	        ".minnctapersm %d\n{\n"
	        "\t.reg .b64 %%buffer, %%order, %%journal, %%sink;\n"
	        "\t.reg .b64 %%at, %%entry, %%t0, %%t1;\n"
	        "\t.reg .b32 %%count, %%unit, %%magic, %%workers, %%lead;\n"
	        "\t.reg .b32 %%each, %%lane, %%number, %%all, %%data, %%i;\n"
	        "\t.reg .b32 %%step, %%done, %%total, %%pace, %%next;\n"
	        "\t.reg .b32 %%x, %%y;\n"
	        "\t.reg .b32 %%v<%u>;\n"
	        "\t.reg .pred %%p, %%q, %%part, %%first;\n",
	        PTX_ENTRY, WARP * PTX_WARPS_PER_BLOCK,
	        PTX_WARPS_PER_SM / PTX_WARPS_PER_BLOCK, n);
	fputs("\tld.param.u64 %buffer, [args];\n"
	      "\tld.param.u64 %order, [args+8];\n"
	      "\tld.param.u64 %journal, [args+16];\n"
	      "\tld.param.u64 %sink, [args+24];\n"
	      "\tld.param.u32 %count, [args+32];\n"
	      "\tld.param.u32 %unit, [args+36];\n"
	      "\tld.param.u32 %magic, [args+40];\n"
	      "\tld.param.u32 %workers, [args+44];\n"
	      "\tld.param.u32 %lead, [args+48];\n"
	      "\tld.param.u32 %each, [args+52];\n"
	      "\tcvta.to.global.u64 %buffer, %buffer;\n"
	      "\tcvta.to.global.u64 %order, %order;\n"
	      "\tcvta.to.global.u64 %journal, %journal;\n"
	      "\tcvta.to.global.u64 %sink, %sink;\n"
	      "\tmov.u32 %lane, %laneid;\n"
	      "\tmov.u32 %data, 0x01010101;\n"
	      "\tsetp.eq.u32 %first, %lane, 0;\n",
	      e->to);
	fprintf(e->to,
	        "\tsetp.lt.u32 %%part, %%lane, %u;\n"
	        "\tmul.wide.u32 %%at, %%lane, %u;\n"
	        "\tadd.s64 %%buffer, %%buffer, %%at;\n",
	        e->last ? e->last : WARP, lane);
	for (unsigned i = 0; i < n; i++)
		fprintf(e->to, "\tmov.u32 %%v%u, 0;\n", i);
}

static void
ptx_emit_latency(const struct emitter *e)
{
	const struct gpu_transfer *t = e->t;
	bool fence = t->bench == LAT_WRRD &&
	             (t->wrrd == WRRD_FENCE || t->wrrd == WRRD_STORE);

	ptx_emit_entry(e);
	fprintf(e->to, "\tmov.u32 %%i, 0;\nagain:\n%s", emit_next);
	fputs("\tmov.u64 %t0, %clock64;\n", e->to);
	if (gpu_writes(t))
		ptx_emit_stores(e);
	if (fence)
		fputs("\tmembar.sys;\n", e->to);
	if (gpu_reads(t)) {
		ptx_emit_loads(e);
		ptx_emit_wait(e);
	}
	fprintf(e->to,
	        "\tmov.u64 %%t1, %%clock64;\n%s"
	        "\t@%%first st.global.u32 [%%journal], %%x;\n%s",
	        emit_cycles, emit_again);
}

/* Writes are complete when a read after them has returned. */
static void
ptx_emit_bandwidth(const struct emitter *e)
{
	static const char number[] = "\tmov.u32 %x, %ctaid.x;\n"
	                             "\tmov.u32 %y, %ntid.x;\n"
	                             "\tmov.u32 %i, %tid.x;\n"
	                             "\tmad.lo.u32 %i, %x, %y, %i;\n"
	                             "\tshr.u32 %i, %i, 5;\n";
	bool both = gpu_reads(e->t) && gpu_writes(e->t);

	ptx_emit_entry(e);
	emit_worker(e, number, both ? 2 : 1);
	emit_address(e, 0);
	if (gpu_reads(e->t)) {
		ptx_emit_loads(e);
		ptx_emit_wait(e);
	}
	if (both)
		emit_address(e, 1);
	if (gpu_writes(e->t))
		ptx_emit_stores(e);
	fputs(emit_loop_end, e->to);
	if (gpu_writes(e->t)) {
		fputs("\tmembar.sys;\n", e->to);
		ptx_emit_loads(e);
		ptx_emit_wait(e);
	}
	fputs(emit_leave, e->to);
}

void
emit_sm(struct emitter *e)
{
	const struct gpu_transfer *t = e->t;

	e->unroll = emit_unroll(t);
	e->last = t->size % (WARP * t->bytes_per_lane) / t->bytes_per_lane;
	emit_header(e->to, t->mmio ? "8.2" : "6.0",
	            t->mmio ? "sm_70" : "sm_50");
	if (gpu_is_latency(t))
		ptx_emit_latency(e);
	else
		ptx_emit_bandwidth(e);
}
