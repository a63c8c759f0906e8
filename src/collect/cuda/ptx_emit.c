/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that several PTX programs share. */
#include "collect/cuda/ptx_emit.h"

unsigned
emit_unroll(const struct gpu_transfer *t)
{
	unsigned width = WARP * t->bytes_per_lane;

	return (t->size + width - 1) / width;
}

unsigned
emit_registers(unsigned lane)
{
	return lane > 4 ? lane / 4 : 1;
}

void
emit_header(FILE *to, const char *version, const char *target)
{
	fprintf(to, ".version %s\n.target %s\n.address_size 64\n\n", version,
	        target);
}

/*
 * Cycles as 32 bits. Saturates in 64 bits first: if cut to 32 bits, the
 * compiler would read only half of the first clock.
 */
const char emit_cycles[] = "\tsub.s64 %t1, %t1, %t0;\n"
                           "\tmin.u64 %t1, %t1, 4294967295;\n"
                           "\tcvt.u32.u64 %x, %t1;\n";

/* The address of the next unit of the order, known before t0. */
const char emit_next[] = "\tld.volatile.global.u32 %number, [%order];\n"
                         "\tsetp.eq.u32 %q, %number, %magic;\n"
                         "\t@%q bra leave;\n"
                         "\tmul.wide.u32 %at, %number, %unit;\n"
                         "\tadd.s64 %at, %buffer, %at;\n";

const char emit_again[] = "\tadd.s64 %journal, %journal, 4;\n"
                          "\tadd.s64 %order, %order, 4;\n"
                          "\tadd.u32 %i, %i, 1;\n"
                          "\tsetp.lt.u32 %p, %i, %count;\n"
                          "\t@%p bra again;\n"
                          "leave:\n"
                          "\tret;\n"
                          "}\n";

/*
 * The worker's number, its start in the order and its step, which depends on
 * the entries per transfer.
 */
void
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
void
emit_address(const struct emitter *e, unsigned n)
{
	fprintf(e->to,
	        "\tld.global.nc.u32 %%number, [%%entry+%u];\n"
	        "\tmul.wide.u32 %%at, %%number, %%unit;\n"
	        "\tadd.s64 %%at, %%buffer, %%at;\n",
	        4 * n);
}

const char emit_loop_end[] = "\tadd.u32 %i, %i, %step;\n"
                             "\tadd.u32 %done, %done, 1;\n"
                             "\tsetp.lt.u32 %p, %done, %total;\n"
                             "\t@%p bra again;\n";

const char emit_leave[] = "leave:\n"
                          "\tret;\n"
                          "}\n";
