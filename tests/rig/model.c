/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/model.h"
#include "rig/cmocka.h"

#include <math.h>

void
assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("%.17g is not %.17g", got, wanted);
}

struct link_config
link_config(const char *link)
{
	struct link_config config = {.accounting = ACCOUNTING_PCIE_BENCH};

	assert_null(link_parse(link, &config.link));
	return config;
}

double
model_gbit_s(const struct link_config *config, const char *bench, uint64_t size)
{
	struct transfer t = {.size = size};

	return expect(config, find_work(bench), &t).gbit_s;
}

char *
in_tree(const char *dir, const char *name)
{
	const char *top = getenv("TOP");

	return xasprintf("%s/%s/%s", top ? top : ".", dir, name);
}

FILE *
open_table(const char *name)
{
	char *path = in_tree("tests/data/pcie-model", name);
	FILE *f = fopen(path, "r");
	char line[300];

	if (!f)
		fail_msg("%s: cannot be read", path);
	free(path);
	do
		assert_non_null(fgets(line, sizeof line, f));
	while (*line == '#');
	return f;
}
