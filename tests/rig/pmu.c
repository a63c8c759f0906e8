/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/pmu.h"
#include "rig/cmocka.h"

#include <sys/stat.h>
#include <unistd.h>

void
make_directories(const char *path)
{
	char *copy = xstrdup(path);

	for (char *at = strchr(copy, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(copy, 0777);
		*at = '/';
	}
	free(copy);
}

void
put_file(char *path, const char *line)
{
	FILE *f;

	make_directories(path);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "%s\n", line);
	fclose(f);
	free(path);
}

void
put_pmu(const char *name, const char *type, const char *cpumask,
        const char *fields)
{
	char *copy = xstrdup(fields);
	char *rest = copy;
	char *field;

	put_file(xasprintf(DEVICES "/%s/type", name), type);
	put_file(xasprintf(DEVICES "/%s/cpumask", name), cpumask);
	while ((field = strsep(&rest, " "))) {
		char *format = strchr(field, '=');

		*format++ = '\0';
		put_file(xasprintf(DEVICES "/%s/format/%s", name, field),
		         format);
	}
	free(copy);
}

int
enter_machine(void **state)
{
	/* The directory name looks like a root complex. */
	return enter_scratch(state) || mkdir("pci-test", 0777) ||
	       chdir("pci-test");
}

void
put_machine(const char *cha, const char *iio)
{
	put_pmu("uncore_cha_0", "30", "0,2", cha);
	put_pmu("uncore_cha_1", "31", "0,2", cha);
	put_pmu("uncore_iio_3", "40", "0", iio);
	put_pmu("uncore_iio_free_running_3", "41", "0", SIMPLE);
	put_pmu("uncore_irp_3", "60", "0", SIMPLE);
	put_pmu("uncore_imc_0", "50", "0", SIMPLE);
	put_file(xstrdup("sys/devices/system/cpu/cpu0/topology/"
	                 "physical_package_id"),
	         "0");
	put_file(xstrdup("sys/devices/system/cpu/cpu2/topology/"
	                 "physical_package_id"),
	         "1");
}

void
plan_of(struct pmu_plan *plan, const char *table,
        const struct pmu_choice *choice)
{
	char *file =
	    xasprintf("%s/share/pcb-tools/events/%s.csv", getenv("TOP"), table);
	char *why = pmu_plan_make(plan, "sys", file);

	if (!why)
		why = pmu_plan_counters(plan, choice);
	if (why)
		print_error("%s: %s\n", table, why);
	assert_null(why);
	free(file);
}
