/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TLPs of a transfer, counted by hand. */
#include "collect/mmio/window.h"

#include "common/base/util.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
packets_are_counted(void **state)
{
	static const struct {
		struct mmio_transfer transfer;
		uint64_t least, most;
	} cases[] = {
	    /* A doorbell, and a cache line by eight stores. */
	    {{.size = 4, .width = 4}, 1, 1},
	    {{.size = 64, .width = 8}, 8, 8},
	    /* AVX and AVX-512, whole or split into 8 bytes. */
	    {{.size = 16, .width = 16}, 1, 2},
	    {{.size = 64, .width = 32}, 2, 8},
	    {{.size = 64, .width = 64}, 1, 8},
	    {{.size = 4096, .width = 64}, 64, 512},
	    /* Stores combined in a buffer. */
	    {{.size = 64, .width = 8, .combined = true}, 1, 8},
	    {{.size = 8, .width = 8, .combined = true}, 1, 1},
	    {{.size = 128, .width = 4, .combined = true}, 2, 32},
	    /* Direct stores are neither split nor combined. */
	    {{.size = 64, .width = 64, .direct = true}, 1, 1},
	    {{.size = 256, .width = 64, .combined = true, .direct = true},
	     4,
	     4},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct tlp_range tlps = mmio_tlps(&cases[i].transfer);

		assert_int_equal(tlps.least, cases[i].least);
		assert_int_equal(tlps.most, cases[i].most);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(packets_are_counted),
	};

	return cmocka_run_group_tests_name("packets", tests, NULL, NULL);
}
