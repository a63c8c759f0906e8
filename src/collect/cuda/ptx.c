/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks transfers, and writes their programs. */
#include "collect/cuda/cuda.h"

#include "common/base/embed.h"
#include "common/base/util.h"

EMBED(ptx_support, "collect/cuda/support.ptx");

/* The text so far, and its transfer. */
struct emitter {
	FILE *to;
	const struct gpu_transfer *t;
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

/* Loads the arguments of a transfer, struct gpu_args. */
static const char emit_addresses[] = "\tld.param.u64 %buffer, [args];\n"
                                     "\tld.param.u64 %order, [args+8];\n"
                                     "\tld.param.u64 %journal, [args+16];\n";
static const char emit_numbers[] = "\tld.param.u32 %count, [args+32];\n"
                                   "\tld.param.u32 %unit, [args+36];\n"
                                   "\tld.param.u32 %magic, [args+40];\n"
                                   "\tld.param.u32 %workers, [args+44];\n"
                                   "\tld.param.u32 %lead, [args+48];\n"
                                   "\tld.param.u32 %each, [args+52];\n"
                                   "\tcvta.to.global.u64 %buffer, %buffer;\n"
                                   "\tcvta.to.global.u64 %order, %order;\n"
                                   "\tcvta.to.global.u64 %journal, %journal;\n";

/*
 * Sets %x to %t1 - %t0, as 32 bits. Saturates in 64 bits first: if cut to 32
 * bits, the compiler would read only half of the first clock.
 */
#define CYCLES                                                                 \
	"\tsub.s64 %t1, %t1, %t0;\n"                                           \
	"\tmin.u64 %t1, %t1, 4294967295;\n"                                    \
	"\tcvt.u32.u64 %x, %t1;\n"

/* The end of a program. */
#define LEAVE "leave:\n\tret;\n}\n"

/* The address of the next unit of the order, known before t0. */
static const char emit_next[] = "\tld.volatile.global.u32 %number, [%order];\n"
                                "\tsetp.eq.u32 %q, %number, %magic;\n"
                                "\t@%q bra leave;\n"
                                "\tmul.wide.u32 %at, %number, %unit;\n"
                                "\tadd.s64 %at, %buffer, %at;\n";

/* The end of a loop of a latency bench, and of its program. */
static const char emit_again[] = "\tadd.s64 %journal, %journal, 4;\n"
                                 "\tadd.s64 %order, %order, 4;\n"
                                 "\tadd.u32 %i, %i, 1;\n"
                                 "\tsetp.lt.u32 %p, %i, %count;\n"
                                 "\t@%p bra again;\n" LEAVE;

/*
 * The loop of a bandwidth bench up to the address: `number` sets %i to the
 * worker's number; a transfer takes `entries` of the order. The loop stores the
 * marks of its span.
 */
static void
emit_worker(const struct emitter *e, const char *number, unsigned entries)
{
	fputs(number, e->to);
	fprintf(e->to,
	        "\tsetp.ge.u32 %%q, %%i, %%workers;\n"
	        "\t@%%q bra leave;\n"
	        "\tmul.wide.u32 %%at, %%i, %u;\n"
	        "\tadd.s64 %%journal, %%journal, %%at;\n"
	        "\tmul.lo.u32 %%i, %%i, %u;\n"
	        "\tmul.lo.u32 %%step, %%workers, %u;\n"
	        "\tadd.u32 %%total, %%lead, %%each;\n"
	        "\tadd.u32 %%total, %%total, %%lead;\n"
	        "\tadd.u32 %%pace, %%each, %d;\n"
	        "\tshr.u32 %%pace, %%pace, %d;\n"
	        "\tmov.u32 %%next, %%lead;\n"
	        "\tmov.u32 %%done, 0;\n"
	        "again:\n"
	        "\tsetp.eq.u32 %%q, %%done, %%next;\n"
	        "\t@%%q mov.u64 %%t0, %%globaltimer;\n"
	        "\t@%%q st.global.u64 [%%journal], %%t0;\n"
	        "\t@%%q add.s64 %%journal, %%journal, 8;\n"
	        "\t@%%q add.u32 %%next, %%next, %%pace;\n"
	        "\tsetp.ge.u32 %%q, %%i, %%count;\n"
	        "\t@%%q rem.u32 %%i, %%i, %%count;\n"
	        "\tmul.wide.u32 %%entry, %%i, 4;\n"
	        "\tadd.s64 %%entry, %%order, %%entry;\n",
	        (unsigned)sizeof(struct gpu_span), entries, entries,
	        (1 << GPU_STEP_SHIFT) - 1, GPU_STEP_SHIFT);
}

/* The address of the transfer's n-th entry. */
static void
emit_address(const struct emitter *e, unsigned n)
{
	fprintf(e->to,
	        "\tld.global.nc.u32 %%number, [%%entry+%u];\n"
	        "\tmul.wide.u32 %%at, %%number, %%unit;\n"
	        "\tadd.s64 %%at, %%buffer, %%at;\n",
	        4 * n);
}

/* The same for a bandwidth bench, in two parts. */
static const char emit_loop_end[] = "\tadd.u32 %i, %i, %step;\n"
                                    "\tadd.u32 %done, %done, 1;\n"
                                    "\tsetp.lt.u32 %p, %done, %total;\n"
                                    "\t@%p bra again;\n";

/* Transfers by loads and stores of a warp. */

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
	        PTX_ENTRY, PTX_WARP * PTX_WARPS_PER_BLOCK,
	        PTX_WARPS_PER_SM / PTX_WARPS_PER_BLOCK, n);
	fprintf(e->to,
	        "%s"
	        "\tld.param.u64 %%sink, [args+24];\n"
	        "%s"
	        "\tcvta.to.global.u64 %%sink, %%sink;\n"
	        "\tmov.u32 %%lane, %%laneid;\n"
	        "\tmov.u32 %%data, 0x01010101;\n"
	        "\tsetp.eq.u32 %%first, %%lane, 0;\n"
	        "\tsetp.lt.u32 %%part, %%lane, %u;\n"
	        "\tmul.wide.u32 %%at, %%lane, %u;\n"
	        "\tadd.s64 %%buffer, %%buffer, %%at;\n",
	        emit_addresses, emit_numbers, e->last ? e->last : PTX_WARP,
	        lane);
	for (unsigned i = 0; i < n; i++)
		fprintf(e->to, "\tmov.u32 %%v%u, 0;\n", i);
}

/* Transfers by bulk copies to and from shared memory. */

/* One thread per block issues the copies. */
static void
ptx_emit_bulk_entry(const struct emitter *e)
{
	fprintf(e->to,
	        ".extern .shared .align 128 .b8 area[];\n\n"
	        ".visible .entry %s(.param .align 8 .b8 args[64])\n{\n"
	        "\t.shared .align 8 .b8 barrier[8];\n"
	        "\t.reg .b64 %%buffer, %%order, %%journal, %%at, %%entry;\n"
	        "\t.reg .b64 %%state, %%t0, %%t1;\n"
	        "\t.reg .b32 %%count, %%unit, %%magic, %%workers, %%lead;\n"
	        "\t.reg .b32 %%each, %%number, %%i, %%step, %%done, %%total;\n"
	        "\t.reg .b32 %%x, %%pace, %%next, %%barrier, %%area, %%phase;\n"
	        "\t.reg .pred %%p, %%q, %%first;\n"
	        "%s%s"
	        "\tmov.u32 %%barrier, barrier;\n"
	        "\tmov.u32 %%area, area;\n"
	        "\tmov.u32 %%phase, 0;\n"
	        "\tsetp.eq.u32 %%first, %%phase, 0;\n"
	        "\tmbarrier.init.shared.b64 [%%barrier], 1;\n"
	        "\tfence.proxy.async;\n",
	        PTX_ENTRY, emit_addresses, emit_numbers);
}

static void
ptx_emit_bulk_expect(const struct emitter *e)
{
	fprintf(e->to,
	        "\tmbarrier.arrive.expect_tx.shared.b64 %%state, [%%barrier], "
	        "%u;\n",
	        e->t->size);
}

static void
ptx_emit_bulk_read(const struct emitter *e)
{
	fprintf(e->to,
	        "\tcp.async.bulk.shared::cluster.global."
	        "mbarrier::complete_tx::bytes [%%area], [%%at], %u, "
	        "[%%barrier];\n"
	        "wait:\n"
	        "\tmbarrier.try_wait.parity.shared.b64 %%p, [%%barrier], "
	        "%%phase;\n"
	        "\t@!%%p bra wait;\n",
	        e->t->size);
}

/* Waits until at most this many writes are in flight. */
static void
ptx_emit_bulk_write(const struct emitter *e, unsigned under_way)
{
	fprintf(e->to,
	        "\tcp.async.bulk.global.shared::cta.bulk_group [%%at], "
	        "[%%area], %u;\n"
	        "\tcp.async.bulk.commit_group;\n"
	        "\tcp.async.bulk.wait_group %u;\n",
	        e->t->size, under_way);
}

/* Transfers by either. */

/* A bulk copy has %phase flipped afterwards, and not while it is timed. */
static const char ptx_flip[] = "\txor.b32 %phase, %phase, 1;\n";

static void
ptx_emit_read(const struct emitter *e)
{
	if (e->t->engine == ENGINE_BULK) {
		ptx_emit_bulk_read(e);
	} else {
		ptx_emit_loads(e);
		ptx_emit_wait(e);
	}
}

/* Bulk copies wait until at most this many writes are in flight. */
static void
ptx_emit_write(const struct emitter *e, unsigned under_way)
{
	if (e->t->engine == ENGINE_BULK)
		ptx_emit_bulk_write(e, under_way);
	else
		ptx_emit_stores(e);
}

static void
ptx_emit_latency(const struct emitter *e)
{
	const struct gpu_transfer *t = e->t;
	bool bulk = t->engine == ENGINE_BULK;

	fprintf(e->to, "\tmov.u32 %%i, 0;\nagain:\n%s", emit_next);
	if (bulk)
		ptx_emit_bulk_expect(e);
	fputs("\tmov.u64 %t0, %clock64;\n", e->to);
	if (gpu_writes(t))
		ptx_emit_write(e, 0);
	if (t->bench == LAT_WRRD &&
	    (t->wrrd == WRRD_FENCE || t->wrrd == WRRD_STORE))
		fputs("\tmembar.sys;\n", e->to);
	if (gpu_reads(t))
		ptx_emit_read(e);
	fprintf(e->to,
	        "\tmov.u64 %%t1, %%clock64;\n%s%s"
	        "\t%sst.global.u32 [%%journal], %%x;\n%s",
	        bulk ? ptx_flip : "", CYCLES, bulk ? "" : "@%first ",
	        emit_again);
}

/* Writes are complete when a read after them has returned. */
static void
ptx_emit_bandwidth(const struct emitter *e)
{
	static const char block[] = "\tmov.u32 %i, %ctaid.x;\n";
	static const char warp[] = "\tmov.u32 %x, %ctaid.x;\n"
	                           "\tmov.u32 %y, %ntid.x;\n"
	                           "\tmov.u32 %i, %tid.x;\n"
	                           "\tmad.lo.u32 %i, %x, %y, %i;\n"
	                           "\tshr.u32 %i, %i, 5;\n";
	bool bulk = e->t->engine == ENGINE_BULK;
	bool reads = gpu_reads(e->t), writes = gpu_writes(e->t);

	emit_worker(e, bulk ? block : warp, reads && writes ? 2 : 1);
	emit_address(e, 0);
	if (reads && bulk)
		ptx_emit_bulk_expect(e);
	if (reads)
		ptx_emit_read(e);
	if (reads && bulk)
		fputs(ptx_flip, e->to);
	if (reads && writes)
		emit_address(e, 1);
	if (writes)
		ptx_emit_write(e, 3);
	fputs(emit_loop_end, e->to);
	if (writes && bulk)
		fputs("\tcp.async.bulk.wait_group 0;\n"
		      "\tmembar.sys;\n"
		      "\tld.volatile.global.u32 %number, [%at];\n"
		      "\tsetp.eq.u32 %q, %number, %magic;\n"
		      "\t@%q bra leave;\n",
		      e->to);
	if (writes && !bulk) {
		fputs("\tmembar.sys;\n", e->to);
		ptx_emit_read(e);
	}
	fputs(LEAVE, e->to);
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
	struct emitter e = {.to = compose_begin(&text), .t = t};
	unsigned lane = t->bytes_per_lane;

	fprintf(e.to, "// %s, %u bytes\n", benches[t->bench].name, t->size);
	if (t->engine == ENGINE_BULK) {
		emit_header(e.to, "8.0", "sm_90");
		ptx_emit_bulk_entry(&e);
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
		ptx_emit_entry(&e);
	}
	if (gpu_is_latency(t))
		ptx_emit_latency(&e);
	else
		ptx_emit_bandwidth(&e);
	return compose_end(&text, e.to);
}
