/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells of pcie-bench: cycles of the NFP, and parameters of a row. */
#include "import/pciebench_row.h"

#include <math.h>
#include <string.h>

/* A test of pcie-bench, and its bench. */
struct test {
	const char *name;
	const char *bench;
	const char *interface;
};

static const struct test tests[] = {
    {"LAT_CMD_RD", "lat_rd", "command"},
    {"LAT_CMD_WRRD", "lat_wrrd", "command"},
    {"LAT_DMA_RD", "lat_rd", "engine"},
    {"LAT_DMA_WRRD", "lat_wrrd", "engine"},
    {"BW_DMA_RD", "bw_rd", "engine"},
    {"BW_DMA_WR", "bw_wr", "engine"},
    {"BW_DMA_RW", "bw_rdwr", "engine"},
};

static const struct word patterns[] = {
    {"Rand", "random"},
    {"Seq", "sequential"},
};

/* Its "Cold" is a cache filled by the host with other data. */
static const struct word caches[] = {
    {"Cold", "thrashed"},
    {"DThrash", "device-thrashed"},
    {"HWarm", "host-warm"},
    {"DWarm", "device-warm"},
};

double
pciebench_cycles_to_ns(double cycles)
{
	return cycles * 5 / 6;
}

double
pciebench_ns(const struct table *t, const char *cycles, const char *ns)
{
	double value = pciebench_cycles_to_ns(cell_number(t, cycles));

	if (value < 0)
		cell_die(t, cycles, "less than 0");
	if (fabs(cell_number(t, ns) - value) > PCIEBENCH_TOLERANCE * value)
		cell_die(t, ns, "not the time of these cycles at 1.2 GHz");
	return value;
}

static const struct test *
find_test(const struct table *t)
{
	const char *name = cell_text(t, "Test");

	for (size_t i = 0; i < ARRAY_LEN(tests); i++) {
		if (!strcmp(name, tests[i].name))
			return &tests[i];
	}
	cell_die(t, "Test", "unknown");
}

void
pciebench_point(struct job *job, const struct table *t)
{
	static const struct {
		const char *name;
		enum column column;
	} sizes[] = {
	    {"HO", COL_OFFSET},
	    {"DO", COL_DEVICE_OFFSET},
	    {"WinSZ", COL_WINDOW},
	    {"SZ", COL_SIZE},
	};
	struct result *r = &job->result;
	const struct test *test = find_test(t);

	result_text(r, COL_BENCH, test->bench);
	result_text(r, COL_INTERFACE, test->interface);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		result_u64(r, sizes[i].column, cell_integer(t, sizes[i].name));
	result_text(r, COL_PATTERN,
	            cell_word(t, "PAT", patterns, ARRAY_LEN(patterns)));
	result_text(r, COL_CACHE,
	            cell_word(t, "Cache", caches, ARRAY_LEN(caches)));
}
