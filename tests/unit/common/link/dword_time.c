/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/link/tlp.h"
#include "rig/cmocka.h"

#include "common/base/util.h"

#include <math.h>

static struct serial
serial_of(const char *text, enum devsel devsel)
{
	struct link link;

	assert_null(link_parse(text, &link));
	return serialize_dword(&link, &link, devsel);
}

static void
assert_ns(const char *text, enum devsel devsel, double ns)
{
	double got = serial_of(text, devsel).ns;

	if (fabs(got - ns) > 1e-9 * ns)
		fail_msg("%s: %.17g is not %.17g", text, got, ns);
}

/*
 * Miller et al., Table 4, "time on PCB" and clocks of 3.1. Its 53 ns at 133 MHz
 * are 52.5, and its 180 ns are for a target with medium devsel.
 */
static void
published_times(void **state)
{
	assert_ns("gen1x1/mps128/mrrs512/rcb64/a32", DEVSEL_SLOW, 176);
	assert_ns("gen1x4/mps128/mrrs512/rcb64/a32", DEVSEL_SLOW, 44);
	assert_ns("gen1x8/mps256/mrrs128/rcb128/a32", DEVSEL_SLOW, 22);
	assert_ns("pci32/33", DEVSEL_MEDIUM, 180);
	assert_ns("pci32/33", DEVSEL_SLOW, 210);
	assert_ns("pcix32/66", DEVSEL_SLOW, 105);
	assert_ns("pcix32/133", DEVSEL_SLOW, 52.5);
	assert_int_equal(serial_of("pci32/33", DEVSEL_SLOW).clocks, 7);
	assert_int_equal(serial_of("pci64/66", DEVSEL_MEDIUM).clocks, 6);
	assert_int_equal(serial_of("pci64/66", DEVSEL_FAST).clocks, 5);
	assert_ns("pcix64/100", DEVSEL_SLOW, 70);
}

/* 8 around 12 or 16, and 8 around 12 and 4, each with 4 of ECRC. */
static void
bytes_of_packets(void **state)
{
	static const struct {
		const char *link;
		unsigned request, completion;
		double ns;
	} rows[] = {
	    {"gen1x1/mps256/mrrs512/rcb64", 24, 24, 192},
	    {"gen1x1/mps256/mrrs512/rcb64/a32/ecrc", 24, 28, 208},
	    {"gen2x1/mps256/mrrs512/rcb64/a32", 20, 24, 88},
	    {"gen3x1/mps256/mrrs512/rcb64/a32", 20, 24, 44.6875},
	    {"gen5x16/mps256/mrrs512/rcb64/a32", 20, 24, 44.6875 / 64},
	    /* Whole flits: 2 x 256 bytes at 64 Gbit/s, and at 8 x 128/130. */
	    {"gen6x1/mps256/mrrs512/rcb64/a32/flit", 256, 256, 64},
	    {"gen3x1/mps256/mrrs512/rcb64/ecrc/flit", 256, 256, 520},
	    /* From generation 6 on there is only flit mode. */
	    {"gen6x1/mps256/mrrs512/rcb64", 256, 256, 64},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct serial s = serial_of(rows[i].link, DEVSEL_FAST);

		assert_int_equal(s.request, rows[i].request);
		assert_int_equal(s.completion, rows[i].completion);
		assert_int_equal(s.clocks, 0);
		assert_ns(rows[i].link, DEVSEL_FAST, rows[i].ns);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(published_times),
	    cmocka_unit_test(bytes_of_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
