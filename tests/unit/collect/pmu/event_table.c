/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of events, and fields in words, without a machine. */
#include "collect/pmu/pmu.h"

#include "collect/host/perf_event.h"
#include "common/base/util.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
values_go_where_formats_say(void **state)
{
	static const struct {
		const char *format;
		uint64_t value;
		int word;
		uint64_t wanted;
		const char *why;
	} cases[] = {
	    {"config:0-7", 0x35, 0, 0x35, NULL},
	    {"config:0-63", UINT64_MAX, 0, UINT64_MAX, NULL},
	    {"config:63", 1, 0, 0x8000000000000000, NULL},
	    {"config1:41-50", 0x248, 1, 0x0004900000000000, NULL},
	    {"config2:3", 1, 2, 8, NULL},
	    {"config:8-15,32-55", 0xc8f3ff04, 0, 0x00c8f3ff00000400, NULL},
	    {"config:0-7", 0x100, 0, 0, "larger than its field"},
	    {"config:8-15,32-55", 0x100000000, 0, 0, "larger than its field"},
	    {"config3:0-7", 0, 0, 0, "not a format such as config:0-7"},
	    {"config:7-0", 0, 0, 0, "not a format such as config:0-7"},
	    {"config:0-64", 0, 0, 0, "not a format such as config:0-7"},
	    {"config:", 0, 0, 0, "not a format such as config:0-7"},
	    {"config:0-7,", 0, 0, 0, "not a format such as config:0-7"},
	    {"config:0 7", 0, 0, 0, "not a format such as config:0-7"},
	    {"", 0, 0, 0, "not a format such as config:0-7"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct pmu_config config = {0};
		const char *why =
		    pmu_put(&config, cases[i].format, cases[i].value);

		if (cases[i].why) {
			assert_non_null(why);
			assert_string_equal(why, cases[i].why);
			continue;
		}
		assert_null(why);
		assert_int_equal(config.word[cases[i].word], cases[i].wanted);
	}
}

/* What a unit with two counters must count together. */
static void
events_of_a_quotient_are_pairs(void **state)
{
	static const char *const tables[] = {"skx", "icx", "spr", "emr", "gnr"};
	static const char *const pairs[][2] = {
	    {"UNC_I_FAF_INSERTS", "UNC_I_FAF_OCCUPANCY"},
	    {"UNC_I_CLOCKTICKS", "UNC_I_CACHE_TOTAL_OCCUPANCY.MEM"},
	};

	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		char *file = xasprintf("%s/share/pcb-tools/events/%s.csv",
		                       getenv("TOP"), tables[i]);
		struct pmu_events events = {0};
		const struct pmu_event *e;

		pmu_events_read(&events, file);
		e = events.event;
		while (strcmp(e->group, "irp") != 0)
			e++;
		for (size_t k = 0; k < 2 * ARRAY_LEN(pairs); k++)
			assert_string_equal(e[k].name, pairs[k / 2][k % 2]);
		pmu_events_free(&events);
		free(file);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_go_where_formats_say),
	    cmocka_unit_test(events_of_a_quotient_are_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
