/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/decimal.h"
#include "import/lspci.h"
#include "import/ndl_info.h"
#include "import/system_name.h"

#include "common/base/util.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
test_systems(void **state)
{
	static const struct {
		const char *name, *host, *device, *node, *iommu;
	} cases[] = {
	    {"nfp6000-1.2GHz_hsw-Xeon-E5-2637v3_supermicro",
	     "hsw-Xeon-E5-2637v3_supermicro", "nfp6000", "", "off"},
	    {"nfp6000-1.2GHz_bdw-X-dell-t430-s0-s0-s0", "bdw-X-dell-t430",
	     "nfp6000", "0", "off"},
	    {"nfp6000-1.2GHz_bdw_t430_s0-s1-s1_iommu-nosp", "bdw_t430",
	     "nfp6000", "1", "on-nosp"},
	    {"nfp6000-1.2GHz_bdw_t430-iommu", "bdw_t430", "nfp6000", "", "on"},
	    /* Without the sockets, different systems would have one name. */
	    {"c-1GHz_h-s1-s1-s1", "h-s1-s1-s1", "c", "", "off"},
	    {"c-1GHz_h-s0-s1-s0", "h-s0-s1-s0", "c", "", "off"},
	    {"c-1GHz_h_gen2x4", "h_gen2x4", "c", "", "off"},
	    {"c-1GHz_s0-s1-s1", "s0-s1-s1", "c", "", "off"},
	    {"c-1GHz_iommu", "iommu", "c", "", "off"},
	    {"", "", "", "", ""},
	    {"results", "", "", "", ""},
	    {"c-1GHz_", "", "", "", ""},
	    {"-1GHz_h", "", "", "", ""},
	    {"c-GHz-x_h", "", "", "", ""},
	    {"c_1GHz_h", "", "", "", ""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct system system;

		assert_int_equal(parse_system(cases[i].name, &system),
		                 *cases[i].host != 0);
		assert_string_equal(system.host, cases[i].host);
		assert_string_equal(system.device, cases[i].device);
		assert_string_equal(system.node, cases[i].node);
		assert_string_equal(system.iommu, cases[i].iommu);
		system_free(&system);
	}
}

static void
test_products(void **state)
{
	static const struct {
		const char *a, *b, *product;
	} cases[] = {
	    {"31.472", "1000", "31472"},
	    {"0.1", "3", "0.3"},
	    {"0.001", "0.001", "0.000001"},
	    {"1.10", "10", "11"},
	    {"-2.5", "4", "-10"},
	    {"-2.5", "-.4", "1"},
	    {"+1", "1.", "1"},
	    {"007.50", "1", "7.5"},
	    {"100", "0.01", "1"},
	    {"105", "1", "105"},
	    {"0", "-1", "0"},
	    {"1.5e3", "1E-3", "1.5"},
	    {"18446744073709551615", "18446744073709551615",
	     "340282366920938463426481119284349108225"},
	    {"18446744073709551615000", "0.001", "18446744073709551615"},
	    {"1e30", "1e-30", "1"},
	    {"1e15", "1e15", "1000000000000000000000000000000"},
	    {"1e-30", "1e-30",
	     "0.000000000000000000000000000000000000000000000000000000000001"},
	};
	char product[DECIMAL_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_null(multiply_decimals(cases[i].a, cases[i].b, product));
		assert_string_equal(product, cases[i].product);
	}
}

static void
test_refused(void **state)
{
	static const struct {
		const char *a, *b, *why;
	} cases[] = {
	    {"", "1", "empty"},
	    {"1", "x", "not a number"},
	    {"1", "nan", "not a number"},
	    {"1e31", "1", "out of range"},
	    {"1e30", "10", "out of range"},
	    {"1e-30", "1e-31", "out of range"},
	    {"0.1e-30", "1e-30", "out of range"},
	    {"18446744073709551616", "1", "too many digits to be exact"},
	    {"1.00000000000000000000000001", "1",
	     "too many digits to be exact"},
	};
	char product[DECIMAL_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(
		    multiply_decimals(cases[i].a, cases[i].b, product),
		    cases[i].why);
}

/* Checks the parsed info.yml, "TOOL|VERSION|REPORT", "-" if missing. */
static void
assert_info(const char *yaml, const char *wanted)
{
	struct ndl_info info;
	FILE *f = fmemopen((void *)yaml, strlen(yaml), "r");
	char *got;

	assert_non_null(f);
	ndl_info_read(f, &info);
	fclose(f);
	got = xasprintf("%s|%s|%s", info.tool ? info.tool : "-",
	                info.version ? info.version : "-",
	                info.report ? info.report : "-");
	assert_string_equal(got, wanted);
	free(got);
	ndl_info_free(&info);
}

static void
test_info(void **state)
{
	(void)state;
	assert_info("format_version: '1.2'\nreportid: a b\n"
	            "toolname: ndl\ntoolver: \"1.3\"\n",
	            "ndl|1.3|a b");
	assert_info("toolname:  ndl \r\nreportid: ''\ntoolver:\n", "ndl|-|-");
	assert_info("toolname: wult\ntoolname: ndl", "ndl|-|-");
	assert_info("x:\n  toolname: wult\nreportid: a\001b\n", "-|-|-");
	assert_info("toolver: '\nreportid: 'x\"\n", "-|'|'x\"");
}

static void
test_missing_links(void **state)
{
	static const struct {
		const char *directory, *device;
	} cases[] = {{NULL, "nfp6000"}, {".", "fpga"}, {"missing", "nfp6000"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char text[LINK_TEXT_MAX] = "of before";

		lspci_link(cases[i].directory, cases[i].device, text);
		assert_string_equal(text, "");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_systems),
	    cmocka_unit_test(test_products),
	    cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_info),
	    cmocka_unit_test(test_missing_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
