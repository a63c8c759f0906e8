/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From tables and format directories to the kernel's counters. */
#include "collect/pmu/pmu.h"

#include "common/base/util.h"
#include "rig/cmocka.h"
#include "rig/pmu.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fields ------------------------------------------------------------------- */

static void
terms_name_events_and_flags(void **state)
{
	struct pmu_config config;
	char *why = NULL;

	put_pmu("dwc_rootport_3018", "9", "0",
	        "eventid=config:0-15 type=config:16-19 lane=config:20");
	put_file(xstrdup(DEVICES "/dwc_rootport_3018/events/Rx_Payload"),
	         "eventid=0x22,type=0x1");
	assert_true(pmu_encode(DEVICES "/dwc_rootport_3018", "rx_payload,lane",
	                       &config, &why));
	assert_int_equal(config.word[0], 0x110022);
	assert_false(
	    pmu_encode(DEVICES "/dwc_rootport_3018", "umask=1", &config, &why));
	assert_string_equal(why, "dwc_rootport_3018: umask: no such field or "
	                         "event");
	free(why);
	assert_false(pmu_encode(DEVICES "/dwc_rootport_3018", "eventid=x",
	                        &config, &why));
	assert_string_equal(
	    why, "dwc_rootport_3018: eventid: not a whole number such as 42");
	free(why);
	assert_true(pmu_encode(DEVICES "/dwc_rootport_3018",
	                       "config1=0xfedcba9876543210,eventid=1", &config,
	                       &why));
	assert_int_equal(config.word[0], 1);
	assert_int_equal(config.word[1], 0xfedcba9876543210);
	assert_false(pmu_encode(DEVICES "/dwc_rootport_3018", "config3=1",
	                        &config, &why));
	free(why);
}

/* Units -------------------------------------------------------------------- */

static void
units_are_those_of_the_tree(void **state)
{
	struct pmu_units units = {0};
	char *why;

	put_machine(SPR_CHA, SPR_IIO);
	put_pmu("uncore_cha_10", "32", "0-1", SPR_CHA);
	assert_true(pmu_units_find(&units, "sys", "uncore_cha", &why));
	assert_int_equal(units.n, 3);
	assert_string_equal(units.unit[1].unit, "cha1");
	assert_string_equal(units.unit[2].unit, "cha10");
	assert_int_equal(units.unit[1].type, 31);
	assert_int_equal(units.unit[1].n, 2);
	assert_int_equal(units.unit[1].at[1].cpu, 2);
	assert_string_equal(units.unit[1].at[1].socket, "1");
	assert_int_equal(units.unit[2].at[1].cpu, 1);
	assert_string_equal(units.unit[2].at[1].socket, "");
	pmu_units_free(&units);
	assert_true(pmu_units_find(&units, "sys", "uncore_iio", &why));
	assert_int_equal(units.n, 1);
	pmu_units_free(&units);
	put_pmu("uncore_cha_11", "x", "0", SPR_CHA);
	assert_false(pmu_units_find(&units, "sys", "uncore_cha", &why));
	assert_string_equal(why, DEVICES "/uncore_cha_11/type: not a number");
	free(why);
	pmu_units_free(&units);
	put_pmu("uncore_cha_11", "5", "0-x", SPR_CHA);
	assert_false(pmu_units_find(&units, "sys", "uncore_cha", &why));
	assert_string_equal(why, DEVICES
	                    "/uncore_cha_11/cpumask: not a list of CPUs");
	free(why);
	pmu_units_free(&units);
}

static void
put_topology(unsigned cpu, const char *file, const char *line)
{
	put_file(
	    xasprintf("sys/devices/system/cpu/cpu%u/topology/%s", cpu, file),
	    line);
}

static void
dies_of_a_package_are_kept_apart(void **state)
{
	struct pmu_units units = {0};
	char *why;

	put_pmu("uncore_iio_0", "30", "0,2,4", SPR_IIO);
	for (unsigned cpu = 0; cpu < 6; cpu += 2) {
		put_topology(cpu, "physical_package_id", cpu < 4 ? "0" : "1");
		put_topology(cpu, "package_cpus_list", cpu < 4 ? "0-3" : "4-5");
		put_topology(cpu, "die_id", cpu == 2 ? "1" : "0");
	}
	put_topology(0, "die_cpus_list", "0-1");
	put_topology(2, "die_cpus_list", "2-3");
	put_topology(4, "die_cpus_list", "4-5");
	assert_true(pmu_units_find(&units, "sys", "uncore_iio", &why));
	assert_string_equal(units.unit[0].at[0].socket, "S0-D0");
	assert_string_equal(units.unit[0].at[1].socket, "S0-D1");
	assert_string_equal(units.unit[0].at[2].socket, "1");
	pmu_units_free(&units);
}

/* Places of devices -------------------------------------------------------- */

/* A device below bus 64 of domain 0, as in sysfs. */
static void
put_device(void)
{
	put_file(xstrdup("sys/devices/pci0000:64/0000:64:02.0/0000:65:00.0/"
	                 "config"),
	         "");
	make_directories("sys/bus/pci/devices/");
	assert_int_equal(symlink("../../../devices/pci0000:64/0000:64:02.0/"
	                         "0000:65:00.0",
	                         "sys/bus/pci/devices/0000:65:00.0"),
	                 0);
}

static void
dies_tell_units(void **state)
{
	struct pmu_place place = {0};
	struct pmu_choice choice = {.groups = "inbound,memory",
	                            .place = &place};
	struct pmu_plan plan;
	char *why;

	put_machine(SPR_CHA, SPR_IIO);
	put_pmu("uncore_iio_5", "42", "0,2", SPR_IIO);
	put_file(xstrdup(DEVICES "/uncore_iio_5/die0"), "0000:63");
	put_device();
	why = pmu_place_find(&place, "sys", "65:00.0", NULL);
	assert_string_equal(why, "0000:65:00.0: the kernel does not say which "
	                         "unit counts bus 0000:64 (no file die* of "
	                         "uncore_iio_* names it): -O map=FILE can");
	free(why);
	put_file(xstrdup(DEVICES "/uncore_iio_5/die1"), "0000:64");
	assert_null(pmu_place_find(&place, "sys", "65:00.0", NULL));
	assert_string_equal(place.unit, "iio5");
	assert_string_equal(place.socket, "1");
	assert_int_equal(place.part, -1);
	plan_of(&plan, "spr", &choice);
	assert_int_equal(plan.counters.n, 8 * 4 + 2);
	assert_int_equal(plan.counters.counter[0].cpu, 2);
	pmu_plan_free(&plan);
	pmu_place_free(&place);
	why = pmu_place_find(&place, "sys", "66:00.0", NULL);
	assert_string_equal(why, "0000:66:00.0: no such device in sys/bus/pci");
	free(why);
	why = pmu_place_find(&place, "sys", "eth0", NULL);
	assert_string_equal(why, "eth0: not a device such as 03:00.0");
	free(why);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    MACHINE_TEST(terms_name_events_and_flags),
	    MACHINE_TEST(units_are_those_of_the_tree),
	    MACHINE_TEST(dies_of_a_package_are_kept_apart),
	    MACHINE_TEST(dies_tell_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
