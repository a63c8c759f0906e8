/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The virtual GPU of other tests detects errors of programs. */
#include "common/base/util.h"

#include "rig/cmocka.h"
#include "rig/gpu.h"

#define HEAD                                                                   \
	".visible .entry x(.param .align 8 .b8 args[64])\n{\n"                 \
	"\t.reg .b64 %a, %b;\n\t.reg .b32 %c, %d;\n\t.reg .pred %p;\n"
#define TAIL   "\tret;\n}\n"
#define BUFFER "\tld.param.u64 %a, [args];\n"
#define BARRIER                                                                \
	"\tmov.u32 %c, barrier;\n\tmov.u32 %d, area;\n"                        \
	"\tmbarrier.init.shared.b64 [%c], 1;\n"
#define EXPECT "\tmbarrier.arrive.expect_tx.shared.b64 %b, [%c], 16;\n"
#define COPY                                                                   \
	"\tcp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes " \
	"[%d], [%a], 16, [%c];\n"

/* Errors on a GPU are errors here, with their line. */
static void
mistakes_are_seen(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
	    {HEAD "\tadd.s64 %a, %b, %b;\n" TAIL,
	     "line 6: add.s64: a register that nothing is in"},
	    {HEAD "\tadd.s64 %a, %b, %c;\n" TAIL,
	     "line 6: add.s64: operand 3 has another type"},
	    {HEAD "\tmul.wide.u32 %c, %c, %d;\n" TAIL,
	     "line 6: mul.wide.u32: operand 1 has another type"},
	    {HEAD "\tmov.u32 %c, %e;\n" TAIL, "line 6: %e: no register"},
	    {HEAD "\tmov.u16 %c, %d;\n" TAIL,
	     "line 6: mov.u16: no such instruction"},
	    {HEAD "\tmov.u32 %c;\n" TAIL, "line 6: mov.u32 has 1 operands"},
	    {HEAD "\tbra over;\n" TAIL, "line 8: over: no such label"},
	    {HEAD "\t@%c mov.u32 %c, 1;\n" TAIL, "line 6: %c: no predicate"},
	    {HEAD "\tret\n" TAIL, "line 6: ret: no ';'"},
	    {HEAD "\tret;\n", "line 7: an entry that does not end"},
	    {HEAD "\tld.param.u64 %a, [args+60];\n" TAIL,
	     "line 6: ld.param.u64: outside of the arguments"},
	    {HEAD BUFFER "\tld.volatile.global.u32 %c, [%a+2];\n" TAIL,
	     "line 7: ld.volatile.global.u32: a misaligned address"},
	    {HEAD BUFFER "\tst.global.u32 [%a+81920], 0;\n" TAIL,
	     "line 7: st.global.u32: an illegal address"},
	    {HEAD BUFFER BARRIER EXPECT COPY TAIL,
	     "line 11: cp.async.bulk.shared::cluster.global.mbarrier::"
	     "complete_tx::bytes: no fence behind the barrier"},
	    {HEAD BUFFER BARRIER "\tfence.proxy.async;\n" EXPECT COPY TAIL,
	     "line 13: ret: copies are under way"},
	    {HEAD BUFFER BARRIER
	     "\tfence.proxy.async;\n" EXPECT
	     "\tmbarrier.try_wait.parity.shared.b64 %p, [%c], 0;\n" TAIL,
	     "line 12: mbarrier.try_wait.parity.shared.b64: waits for what "
	     "never comes"},
	    {HEAD BUFFER BARRIER EXPECT EXPECT TAIL,
	     "line 11: mbarrier.arrive.expect_tx.shared.b64: more than the "
	     "barrier waits for"},
	};
	struct gpu_args args = arguments(0, 0, 0);

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct vgpu gpu = virtual_gpu();
		struct vgpu_program *program =
		    vgpu_parse(cases[i].text, gpu.error);

		begin_world(1);
		if (program) {
			assert_false(vgpu_run(&gpu, program, "x",
			                      (struct vgpu_grid){1, 1, 64},
			                      &args));
			vgpu_free(program);
		}
		assert_string_equal(gpu.error, cases[i].why);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(mistakes_are_seen),
	};

	return cmocka_run_group_tests_name("virtual GPU", tests, NULL, NULL);
}
