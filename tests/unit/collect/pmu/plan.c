/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events, units and terms: the config words for the kernel. */
#include "collect/pmu/pmu.h"

#include "collect/host/perf_event.h"
#include "rig/cmocka.h"
#include "rig/pmu.h"
#include "rig/support.h"

#include <unistd.h>

struct word {
	const char *event;
	int part;
	uint64_t config, config1;
};

static void
assert_words(const struct pmu_plan *plan, const struct word *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t found = 0;

		for (size_t k = 0; k < plan->counters.n; k++) {
			const uint64_t *got =
			    plan->counters.counter[k].config.word;

			if (strcmp(plan->source[k].event->name,
			           words[i].event) != 0 ||
			    plan->source[k].part != words[i].part)
				continue;
			found++;
			assert_int_equal(got[0], words[i].config);
			assert_int_equal(got[1], words[i].config1);
		}
		if (!found)
			print_error("%s\n", words[i].event);
		assert_int_not_equal(found, 0);
	}
}

#define TOR   "UNC_CHA_TOR_INSERTS.IO_"
#define WRITE "UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE"

static const struct word skx_words[] = {
    {TOR "PCIRDCUR", -1, 0x3435, 0x00043c3300000000},
    {TOR "HIT_PCIRDCUR", -1, 0x1435, 0x00043c3300000000},
    {TOR "MISS_ITOM", -1, 0x2435, 0x0004903300000000},
    {"UNC_CHA_CLOCKTICKS", -1, 0x00, 0},
    {WRITE, 0, 0x0000701000000183, 0},
    {WRITE, 3, 0x0000708000000183, 0},
    {"UNC_IIO_COMP_BUF_OCCUPANCY.CMPD", 1, 0x00004000000002d5, 0},
    {"UNC_IIO_COMP_BUF_INSERTS.CMPD", 1, 0x00004020000003c2, 0},
    {"UNC_IIO_TXN_REQ_BY_CPU.CFG_READ", 3, 0x00007080000040c1, 0},
    {"UNC_I_COHERENT_OPS.PCITOM", -1, 0x1010, 0},
    {"UNC_I_MISC1.LOST_FWD", -1, 0x101d, 0},
    {"UNC_M_CAS_COUNT.WR", -1, 0x0c04, 0},
};

static const struct word icx_words[] = {
    {TOR "PCIRDCUR", -1, 0x00c8f3ff00000435, 0},
    {"UNC_CHA_CLOCKTICKS", -1, 0x00, 0},
    {WRITE, 7, 0x0007080000000183, 0},
    {"UNC_IIO_COMP_BUF_INSERTS.CMPD", 0, 0x00040010000003c2, 0},
    {"UNC_IIO_TXN_REQ_BY_CPU.CFG_READ", 7, 0x00070800000040c1, 0},
    {"UNC_I_COHERENT_OPS.RFO", -1, 0x0810, 0},
    {"UNC_I_MISC1.LOST_FWD", -1, 0x101f, 0},
    {"UNC_M_CAS_COUNT.RD", -1, 0x0f04, 0},
};

static const struct word spr_words[] = {
    {TOR "PCIRDCUR", -1, 0x00c8f3ff00000435, 0},
    {TOR "HIT_ITOM", -1, 0x00cc43fd00000435, 0},
    {TOR "MISS_ITOMCACHENEAR", -1, 0x00cd43fe00000435, 0},
    {TOR "WBMTOI", -1, 0x00cc23ff00000435, 0},
    {TOR "CLFLUSH", -1, 0x00c8c3ff00000435, 0},
    {"UNC_CHA_TOR_OCCUPANCY.IO_PCIRDCUR", -1, 0x00c8f3ff00000436, 0},
    {"UNC_CHA_CLOCKTICKS", -1, 0x01, 0},
    {WRITE, 0, 0x0007001000000183, 0},
    {"UNC_IIO_DATA_REQ_OF_CPU.CMPD", 0, 0x0007001000008083, 0},
    {"UNC_IIO_TXN_REQ_BY_CPU.MEM_READ", 4, 0x00070100000004c1, 0},
    {"UNC_IIO_COMP_BUF_OCCUPANCY.CMPD", 7, 0x00070000000080d5, 0},
    {"UNC_IIO_COMP_BUF_INSERTS.CMPD", 0, 0x00070010000004c2, 0},
    {"UNC_IIO_CLOCKTICKS", -1, 0x01, 0},
    {"UNC_I_FAF_INSERTS", -1, 0x18, 0},
    {"UNC_I_FAF_OCCUPANCY", -1, 0x19, 0},
    {"UNC_I_CLOCKTICKS", -1, 0x01, 0},
    {"UNC_I_CACHE_TOTAL_OCCUPANCY.MEM", -1, 0x040f, 0},
    {"UNC_I_TRANSACTIONS.WR_PREF", -1, 0x0811, 0},
    {"UNC_I_MISC1.LOST_FWD", -1, 0x101f, 0},
    {"UNC_M_CAS_COUNT.RD", -1, 0xcf05, 0},
};

static const struct word gnr_words[] = {
    {TOR "PCIRDCUR", -1, 0x00c8f3ff00000435, 0},
    {"UNC_CHA_CLOCKTICKS", -1, 0x01, 0},
    {WRITE, 0, 0x0007001000000183, 0},
    {"UNC_IIO_DATA_REQ_BY_CPU.MEM_READ", 7, 0x00070800000004c0, 0},
    {"UNC_IIO_COMP_BUF_OCCUPANCY.CMPD", 3, 0x00070080000008d5, 0},
    {"UNC_IIO_COMP_BUF_INSERTS.CMPD", 3, 0x00070080000004c2, 0},
    {"UNC_I_CACHE_TOTAL_OCCUPANCY.MEM", -1, 0x040f, 0},
    {"UNC_M_CAS_COUNT_SCH0.RD", -1, 0xcf05, 0},
    {"UNC_M_CAS_COUNT_SCH1.WR", -1, 0xf006, 0},
};

static const struct table_of_words {
	const char *table, *cha, *iio;
	const struct word *word;
	size_t n;
} tables[] = {
    {"skx", SKX_CHA, SKX_IIO, skx_words, ARRAY_LEN(skx_words)},
    {"icx", SPR_CHA, SPR_IIO, icx_words, ARRAY_LEN(icx_words)},
    {"spr", SPR_CHA, SPR_IIO, spr_words, ARRAY_LEN(spr_words)},
    {"emr", SPR_CHA, SPR_IIO, spr_words, ARRAY_LEN(spr_words)},
    {"gnr", SPR_CHA, SPR_IIO, gnr_words, ARRAY_LEN(gnr_words)},
};

static const struct pmu_choice all;
static struct pmu_plan plan;
static struct pmu_units units;

MACHINE_TEST(tables_give_the_worked_words)
{
	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		put_machine(tables[i].cha, tables[i].iio);
		plan_of(&plan, tables[i].table, &all);
		assert_words(&plan, tables[i].word, tables[i].n);
		pmu_plan_free(&plan);
	}
}

/* The counters of an IIO of gnr that can count an event, one bit each. */
static unsigned
able(unsigned event)
{
	return event == 0x83 || event == 0x84                    ? 0x3
	       : event == 0xc0 || event == 0xc1 || event == 0xd5 ? 0xc
	                                                         : 0xf;
}

/* Those that Linux may use: it ignores the limits of requests. */
static unsigned
allowed(unsigned event)
{
	return event == 0x84 || event == 0xc1 ? 0xf : able(event);
}

MACHINE_TEST(requests_of_gnr_have_able_counters)
{
	struct pmu_choice choice = {.groups = "inbound,outbound"};
	unsigned used = 0;

	put_machine(SPR_CHA, SPR_IIO);
	plan_of(&plan, "gnr", &choice);
	assert_int_equal(plan.counters.n, 2 * 8 * 4);
	for (size_t i = 0; i < plan.counters.n; i++) {
		const struct pmu_counter *c = &plan.counters.counter[i];
		unsigned event = c->config.word[0] & 0xff;
		unsigned free_ones;

		/* Full groups: no other group has a counter meanwhile. */
		if (!i || c[-1].together != c->together) {
			assert_int_equal(used, i ? 0xf : 0);
			used = 0;
		}
		free_ones = allowed(event) & ~used;
		assert_int_not_equal(free_ones & -free_ones & able(event), 0);
		used |= free_ones & -free_ones;
	}
	assert_int_equal(used, 0xf);
	pmu_plan_free(&plan);
}

MACHINE_TEST(other_makers_have_tables)
{
	static const struct word zen4[] = {
	    {"local_socket_upstream_read_beats_iom0", -1, 0x080700fe1f, 0},
	    {"local_socket_upstream_write_beats_iom3", -1, 0x080700ffdf, 0},
	    {"remote_socket_upstream_read_beats_iom0", -1, 0x080b00fe1f, 0},
	    {"remote_socket_upstream_write_beats_iom2", -1, 0x080b00ff9f, 0},
	};
	static const struct word zen5[] = {
	    {"local_or_remote_socket_upstream_read_data_beats_io_0", -1,
	     0x080f00fe1f, 0},
	    {"local_or_remote_socket_upstream_write_data_beats_io_7", -1,
	     0x090f00ffdf, 0},
	};
	static const struct word arm[] = {
	    {"rx_mrd_latency", -1, 0x0210, 0},
	    {"rx_mrd_cnt", -1, 0x10210, 0},
	};
	struct pmu_choice read = {.groups = "read"};

	put_pmu("amd_df", "8", "0",
	        "event=config:0-7,32-37 umask=config:8-15,24-27");
	plan_of(&plan, "zen4", &all);
	assert_words(&plan, zen4, ARRAY_LEN(zen4));
	assert_string_equal(plan.source[0].unit->unit, "amd_df");
	pmu_plan_free(&plan);
	plan_of(&plan, "zen5", &all);
	assert_words(&plan, zen5, ARRAY_LEN(zen5));
	/* As many as there are counters. */
	assert_int_equal(plan.counters.n, 16);
	pmu_plan_free(&plan);
	put_pmu("hisi_pcie0_core0", "7", "0",
	        "event=config:0-16 port=config2:0-15");
	put_file(xstrdup(DEVICES "/hisi_pcie0_core0/events/rx_mrd_latency"),
	         "config=0x210");
	put_file(xstrdup(DEVICES "/hisi_pcie0_core0/events/rx_mrd_cnt"),
	         "config=0x10210");
	plan_of(&plan, "arm", &read);
	assert_words(&plan, arm, ARRAY_LEN(arm));
	assert_int_equal(plan.counters.counter[1].config.word[2], 0xffff);
	pmu_plan_free(&plan);
}

MACHINE_TEST(grace_is_counted_over_all_ports)
{
	static const char *const files[][2] = {
	    {"rd_bytes_loc", "event=0x0"}, {"rd_bytes_rem", "event=0x1"},
	    {"rd_req_loc", "event=0x6"},   {"rd_req_rem", "event=0x7"},
	    {"wr_bytes_loc", "event=0x2"}, {"wr_bytes_rem", "event=0x3"},
	    {"wr_req_loc", "event=0x8"},   {"wr_req_rem", "event=0x9"},
	};

	put_pmu("nvidia_pcie_pmu_1", "7", "72",
	        "event=config:0-32 root_port=config1:0-9");
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		put_file(xasprintf(DEVICES "/nvidia_pcie_pmu_1/events/%s",
		                   files[i][0]),
		         files[i][1]);
	plan_of(&plan, "arm", &all);
	assert_int_equal(plan.counters.n, ARRAY_LEN(files));
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		const struct pmu_counter *c = &plan.counters.counter[i];

		assert_string_equal(plan.source[i].event->name, files[i][0]);
		assert_int_equal(c->config.word[0],
		                 strtoul(strchr(files[i][1], '0'), NULL, 0));
		assert_int_equal(c->config.word[1], 0);
		assert_int_equal(c->together, 1 + i / 4);
		assert_int_equal(c->cpu, 72);
	}
	pmu_plan_free(&plan);
}

/* Fields ----------------------------------------------------------------- */

TEST(values_go_where_formats_say)
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
TEST(events_of_a_quotient_are_pairs)
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

/* Plans ------------------------------------------------------------------ */

/* Fields ------------------------------------------------------------------- */

MACHINE_TEST(terms_name_events_and_flags)
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

MACHINE_TEST(units_are_those_of_the_tree)
{
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

MACHINE_TEST(dies_of_a_package_are_kept_apart)
{
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

MACHINE_TEST(dies_tell_units)
{
	struct pmu_place place = {0};
	struct pmu_choice choice = {.groups = "inbound,memory",
	                            .place = &place};
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
