/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Roles and types of columns follow from names. */
#include "common/stream/columns.h"
#include "rig/cmocka.h"

struct row {
	const char *name;
	bool identity;
	const char *unit;
};

static const struct row rows[] = {
    /* Key columns: everything that is no measure. */
    {"host", true, ""},
    {"size_bytes", true, ""},
    {"bios", true, ""},

    /* Measures, by unit. */
    {"latency_ns", false, "ns"},
    {"p99_9_ns", false, "ns"},
    {"bandwidth_gbit_s", false, "gbit_s"},
    {"reads_per_s", false, "per_s"},
    {"model_ratio_pct", false, "pct"},
    {"_ns", false, "ns"},
    {"value", false, "value"},
    {"median_value", false, "value"},

    /* Measures, by name. */
    {"n", false, ""},
    {"count", false, ""},
    {"transferred_bytes", false, ""},
    {"mrd_tlps", false, ""},
    {"tlps", false, ""},
    {"inflight", false, ""},
    {"p99_inflight", false, ""},

    /* Near misses. */
    {"ns", true, ""},
    {"columns", true, ""},
    {"latency_ns_", true, ""},
    {"latency_NS", true, ""},
    {"latency_us", true, ""},
    {"bandwidth_gbps", true, ""},
    {"gbit_s", true, ""},
    {"per_s", true, ""},
    {"counts", true, ""},
    {"values", true, ""},
    {"avalue", true, ""},
    {"N", true, ""},
    {"tlp", true, ""},
    {"read_bytes", true, ""},
    {"", true, ""},
};

TEST(roles)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (is_identity(rows[i].name) != rows[i].identity)
			print_error("%s\n", rows[i].name);
		assert_int_equal(is_identity(rows[i].name), rows[i].identity);
		assert_string_equal(unit_of(rows[i].name), rows[i].unit);
	}
}

TEST(types)
{
	/* Counts are numbers; addresses and ids are texts. */
	static const char *const numbers[] = {
	    "results",   "rank",       "sources", "tags",     "run",
	    "n",         "size_bytes", "p99",     "mean_lo",  "inflight",
	    "new_value", "rtt_ns",     "rate",    "rx_bytes", "outstanding",
	};
	static const char *const texts[] = {
	    "socket", "device", "register", "link", "tlps",
	    "flags",  "check",  "cpu",      "bios", "limited_by",
	};

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		assert_true(holds_numbers(numbers[i]));
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_false(holds_numbers(texts[i]));
}
