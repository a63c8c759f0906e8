/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs besides the transfers: clocks, load, path checks. */
#include "collect/cuda/ptx_emit.h"

#include "common/base/textbuf.h"
#include "common/base/util.h"

static const char overhead[] =
    "\n.visible .entry pcb_overhead(.param .align 8 .b8 args[64])\n"
    "{\n"
    "\t.reg .b64 %journal, %t0, %t1;\n"
    "\t.reg .b32 %count, %i, %x;\n"
    "\t.reg .pred %p;\n"
    "\tld.param.u64 %journal, [args+16];\n"
    "\tld.param.u32 %count, [args+32];\n"
    "\tcvta.to.global.u64 %journal, %journal;\n"
    "\tmov.u32 %i, 0;\n"
    "again:\n"
    "\tmov.u64 %t0, %clock64;\n"
    "\tmov.u64 %t1, %clock64;\n"
    "\tsub.s64 %t1, %t1, %t0;\n"
    "\tmin.u64 %t1, %t1, 4294967295;\n"
    "\tcvt.u32.u64 %x, %t1;\n"
    "\tst.global.u32 [%journal], %x;\n"
    "\tadd.s64 %journal, %journal, 4;\n"
    "\tadd.u32 %i, %i, 1;\n"
    "\tsetp.lt.u32 %p, %i, %count;\n"
    "\t@%p bra again;\n"
    "\tret;\n"
    "}\n";

/*
 * The global timer advances in steps: reads the cycles right after a step. If
 * the timer stands still, gives up after 2^32 cycles, with both times equal.
 */
static const char calibrate[] =
    "\n.visible .entry pcb_calibrate(.param .align 8 .b8 args[64])\n"
    "{\n"
    "\t.reg .b64 %journal, %duration, %begin, %g0, %c0, %last, %g, %c;\n"
    "\t.reg .b64 %d, %step, %sm;\n"
    "\t.reg .b32 %x;\n"
    "\t.reg .pred %p, %q;\n"
    "\tld.param.u64 %journal, [args+16];\n"
    "\tld.param.u64 %duration, [args+56];\n"
    "\tcvta.to.global.u64 %journal, %journal;\n"
    "\tmov.u64 %step, 4294967295;\n"
    "\tmov.u64 %begin, %clock64;\n"
    "\tmov.u64 %last, %globaltimer;\n"
    "first:\n"
    "\tmov.u64 %g0, %globaltimer;\n"
    "\tmov.u64 %c0, %clock64;\n"
    "\tmov.u64 %g, %g0;\n"
    "\tmov.u64 %c, %c0;\n"
    "\tsub.s64 %d, %c0, %begin;\n"
    "\tsetp.gt.u64 %q, %d, 4294967295;\n"
    "\t@%q bra done;\n"
    "\tsetp.eq.u64 %p, %g0, %last;\n"
    "\t@%p bra first;\n"
    "\tmov.u64 %last, %g0;\n"
    "again:\n"
    "\tmov.u64 %g, %globaltimer;\n"
    "\tmov.u64 %c, %clock64;\n"
    "\tsub.s64 %d, %c, %c0;\n"
    "\tsetp.gt.u64 %q, %d, 4294967295;\n"
    "\t@%q bra done;\n"
    "\tsetp.eq.u64 %p, %g, %last;\n"
    "\t@%p bra again;\n"
    "\tsub.s64 %d, %g, %last;\n"
    "\tmin.u64 %step, %step, %d;\n"
    "\tmov.u64 %last, %g;\n"
    "\tsub.s64 %d, %g, %g0;\n"
    "\tsetp.lt.u64 %p, %d, %duration;\n"
    "\t@%p bra again;\n"
    "done:\n"
    "\tmov.u32 %x, %smid;\n"
    "\tcvt.u64.u32 %sm, %x;\n"
    "\tst.global.v2.u64 [%journal], {%g0, %c0};\n"
    "\tst.global.v2.u64 [%journal+16], {%g, %c};\n"
    "\tst.global.v2.u64 [%journal+32], {%step, %sm};\n"
    "\tret;\n"
    "}\n";

static const char load[] =
    "\n.visible .entry pcb_load(.param .align 8 .b8 args[64])\n"
    "{\n"
    "\t.reg .b64 %buffer, %duration, %g0, %g;\n"
    "\t.reg .b32 %x, %magic;\n"
    "\t.reg .pred %p;\n"
    "\tld.param.u64 %buffer, [args];\n"
    "\tld.param.u32 %magic, [args+40];\n"
    "\tld.param.u64 %duration, [args+56];\n"
    "\tcvta.to.global.u64 %buffer, %buffer;\n"
    "\tmov.u64 %g0, %globaltimer;\n"
    "again:\n"
    "\tld.volatile.global.u32 %x, [%buffer];\n"
    "\tsetp.eq.u32 %p, %x, %magic;\n"
    "\t@%p bra leave;\n"
    "\tmov.u64 %g, %globaltimer;\n"
    "\tsub.s64 %g, %g, %g0;\n"
    "\tsetp.lt.u64 %p, %g, %duration;\n"
    "\t@%p bra again;\n"
    "leave:\n"
    "\tret;\n"
    "}\n";

/* The thread's number, and the number of threads. */
#define THREAD                                                                 \
	"\tmov.u32 %x, %ctaid.x;\n"                                            \
	"\tmov.u32 %step, %ntid.x;\n"                                          \
	"\tmov.u32 %i, %tid.x;\n"                                              \
	"\tmad.lo.u32 %i, %x, %step, %i;\n"                                    \
	"\tmov.u32 %x, %nctaid.x;\n"                                           \
	"\tmul.lo.u32 %step, %step, %x;\n"

static const char fill[] =
    "\n.visible .entry pcb_fill(.param .align 8 .b8 args[64])\n"
    "{\n"
    "\t.reg .b64 %buffer, %at;\n"
    "\t.reg .b32 %count, %magic, %i, %step, %x;\n"
    "\t.reg .pred %p;\n"
    "\tld.param.u64 %buffer, [args];\n"
    "\tld.param.u32 %count, [args+32];\n"
    "\tld.param.u32 %magic, [args+40];\n"
    "\tcvta.to.global.u64 %buffer, %buffer;\n" THREAD "again:\n"
    "\tsetp.ge.u32 %p, %i, %count;\n"
    "\t@%p bra leave;\n"
    "\tmul.wide.u32 %at, %i, 4;\n"
    "\tadd.s64 %at, %buffer, %at;\n"
    "\tadd.u32 %x, %magic, %i;\n"
    "\tst.volatile.global.u32 [%at], %x;\n"
    "\tadd.u32 %i, %i, %step;\n"
    "\tbra again;\n"
    "leave:\n"
    "\tmembar.sys;\n"
    "\tret;\n"
    "}\n";

static const char sum[] =
    "\n.visible .entry pcb_sum(.param .align 8 .b8 args[64])\n"
    "{\n"
    "\t.reg .b64 %buffer, %journal, %at;\n"
    "\t.reg .b32 %count, %i, %step, %x, %all;\n"
    "\t.reg .pred %p;\n"
    "\tld.param.u64 %buffer, [args];\n"
    "\tld.param.u64 %journal, [args+16];\n"
    "\tld.param.u32 %count, [args+32];\n"
    "\tcvta.to.global.u64 %buffer, %buffer;\n"
    "\tcvta.to.global.u64 %journal, %journal;\n"
    "\tmov.u32 %all, 0;\n" THREAD "again:\n"
    "\tsetp.ge.u32 %p, %i, %count;\n"
    "\t@%p bra leave;\n"
    "\tmul.wide.u32 %at, %i, 4;\n"
    "\tadd.s64 %at, %buffer, %at;\n"
    "\tld.volatile.global.u32 %x, [%at];\n"
    "\tadd.u32 %all, %all, %x;\n"
    "\tadd.u32 %i, %i, %step;\n"
    "\tbra again;\n"
    "leave:\n"
    "\tred.global.add.u32 [%journal], %all;\n"
    "\tret;\n"
    "}\n";

char *
ptx_support(void)
{
	static const char *const programs[] = {overhead, calibrate, load, fill,
	                                       sum};
	struct composed text;
	FILE *to = compose_begin(&text);

	fputs("// clocks and checks\n", to);
	emit_header(to, "6.0", "sm_50");
	for (size_t i = 0; i < ARRAY_LEN(programs); i++)
		fputs(programs[i], to);
	return compose_end(&text, to);
}
