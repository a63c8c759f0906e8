/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Transfers by bulk copies to and from shared memory. */
#include "collect/cuda/ptx_emit.h"

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
	        "\tld.param.u64 %%buffer, [args];\n"
	        "\tld.param.u64 %%order, [args+8];\n"
	        "\tld.param.u64 %%journal, [args+16];\n"
	        "\tld.param.u32 %%count, [args+32];\n"
	        "\tld.param.u32 %%unit, [args+36];\n"
	        "\tld.param.u32 %%magic, [args+40];\n"
	        "\tld.param.u32 %%workers, [args+44];\n"
	        "\tld.param.u32 %%lead, [args+48];\n"
	        "\tld.param.u32 %%each, [args+52];\n"
	        "\tcvta.to.global.u64 %%buffer, %%buffer;\n"
	        "\tcvta.to.global.u64 %%order, %%order;\n"
	        "\tcvta.to.global.u64 %%journal, %%journal;\n"
	        "\tmov.u32 %%barrier, barrier;\n"
	        "\tmov.u32 %%area, area;\n"
	        "\tmov.u32 %%phase, 0;\n"
	        "\tsetp.eq.u32 %%first, %%phase, 0;\n"
	        "\tmbarrier.init.shared.b64 [%%barrier], 1;\n"
	        "\tfence.proxy.async;\n",
	        PTX_ENTRY);
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

static void
ptx_emit_bulk_latency(const struct emitter *e)
{
	ptx_emit_bulk_entry(e);
	fprintf(e->to, "\tmov.u32 %%i, 0;\nagain:\n%s", emit_next);
	ptx_emit_bulk_expect(e);
	fputs("\tmov.u64 %t0, %clock64;\n", e->to);
	if (gpu_writes(e->t))
		ptx_emit_bulk_write(e, 0);
	ptx_emit_bulk_read(e);
	fprintf(e->to,
	        "\tmov.u64 %%t1, %%clock64;\n"
	        "\txor.b32 %%phase, %%phase, 1;\n%s"
	        "\tst.global.u32 [%%journal], %%x;\n%s",
	        emit_cycles, emit_again);
}

static void
ptx_emit_bulk_bandwidth(const struct emitter *e)
{
	bool both = gpu_reads(e->t) && gpu_writes(e->t);

	ptx_emit_bulk_entry(e);
	emit_worker(e, "\tmov.u32 %i, %ctaid.x;\n", both ? 2 : 1);
	emit_address(e, 0);
	if (gpu_reads(e->t)) {
		ptx_emit_bulk_expect(e);
		ptx_emit_bulk_read(e);
		fputs("\txor.b32 %phase, %phase, 1;\n", e->to);
	}
	if (both)
		emit_address(e, 1);
	if (gpu_writes(e->t))
		ptx_emit_bulk_write(e, 3);
	fputs(emit_loop_end, e->to);
	if (gpu_writes(e->t))
		fputs("\tcp.async.bulk.wait_group 0;\n"
		      "\tmembar.sys;\n"
		      "\tld.volatile.global.u32 %number, [%at];\n"
		      "\tsetp.eq.u32 %q, %number, %magic;\n"
		      "\t@%q bra leave;\n",
		      e->to);
	fputs(emit_leave, e->to);
}

void
emit_bulk(const struct emitter *e)
{
	emit_header(e->to, "8.0", "sm_90");
	if (gpu_is_latency(e->t))
		ptx_emit_bulk_latency(e);
	else
		ptx_emit_bulk_bandwidth(e);
}
