/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preamble lines about the machine. */
#include "collect/host/describe.h"

#include "collect/host/arch.h"
#include "collect/host/cpu.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <sys/utsname.h>

/* Records a line, unless NULL, and frees it. */
static void
record(struct preamble *pre, const char *key, char *line)
{
	if (line && *line)
		preamble_set(pre, key, "%s", line);
	free(line);
}

/* If /proc/cpuinfo has no name, as on arm64, uses the ID register. */
static void
describe_cpu(struct preamble *pre)
{
	char *midr =
	    read_first_line("%s/cpu0/regs/identification/midr_el1", HOST_CPUS);
	char *text = read_whole("%s", root_path("/proc/cpuinfo"));
	const char *name = text ? strstr(text, "model name") : NULL;
	const char *value = name ? strstr(name, ": ") : NULL;

	if (midr)
		preamble_set(pre, "cpu", "MIDR %s", midr);
	if (value)
		preamble_set(pre, "cpu", "%.*s", (int)strcspn(value, "\n") - 2,
		             value + 2);
	free(midr);
	free(text);
}

/* "off" without IOMMU groups, else the types of the groups. */
static void
describe_iommu(struct preamble *pre)
{
	const char *groups = root_path("/sys/kernel/iommu_groups");
	char kinds[256] = " ", word[64];
	DIR *dir = opendir(groups);
	struct dirent *entry;

	if (!dir && (errno != ENOENT || !is_sysfs(root_path("/sys"))))
		return;
	while (dir && (entry = readdir(dir))) {
		size_t used = strlen(kinds);
		char *type;

		if (*entry->d_name == '.')
			continue;
		type = read_first_line("%s/%s/type", groups, entry->d_name);
		snprintf(word, sizeof word, " %s ", type ? type : "on");
		if (!strstr(kinds, word))
			snprintf(kinds + used, sizeof kinds - used, "%s",
			         word + 1);
		free(type);
	}
	if (dir)
		closedir(dir);
	kinds[strlen(kinds) - 1] = '\0';
	preamble_set(pre, "iommu", "%s", *kinds ? kinds + 1 : "off");
}

/* The enabled idle states of CPU 0. */
static void
describe_idle(struct preamble *pre)
{
	char states[256] = "";

	for (int i = 0; i < 32; i++) {
		char *name = read_first_line("%s/cpu0/cpuidle/state%d/name",
		                             HOST_CPUS, i);
		char *off = read_first_line("%s/cpu0/cpuidle/state%d/disable",
		                            HOST_CPUS, i);
		size_t used = strlen(states);

		if (name && (!off || !strcmp(off, "0")))
			snprintf(states + used, sizeof states - used, "%s%s",
			         used ? " " : "", name);
		free(off);
		if (!name)
			break;
		free(name);
	}
	if (*states)
		preamble_set(pre, "idle_states", "%s", states);
}

/* Of the active driver: the kernel may have another driver's file, too. */
static void
describe_idle_limit(struct preamble *pre)
{
	char *driver = read_first_line("%s/cpuidle/current_driver", HOST_CPUS);
	const char *module = NULL;

	if (driver && !strcmp(driver, "intel_idle"))
		module = driver;
	else if (driver && !strcmp(driver, "acpi_idle"))
		module = "processor";
	if (module)
		record(pre, "max_cstate",
		       read_first_line("%s/%s/parameters/max_cstate",
		                       root_path("/sys/module"), module));
	free(driver);
}

const char *
host_kind(const char *sysfs)
{
	char hypervisor[HYPERVISOR_NAME_MAX];

	if (!is_sysfs(sysfs)) {
		warn("%s is not sysfs: rows are marked 'virtual'", sysfs);
		return "virtual";
	}
	if (arch_hypervisor(hypervisor)) {
		warn("this machine is virtual (%s): what is measured may be "
		     "software; rows are marked 'virtual'",
		     hypervisor);
		return "virtual";
	}
	return "measured";
}

void
host_describe(struct preamble *pre)
{
	char hypervisor[HYPERVISOR_NAME_MAX] = "none";
	char *lockdown =
	    read_first_line("%s", root_path("/sys/kernel/security/lockdown"));
	char *mode = lockdown ? strchr(lockdown, '[') : NULL;
	struct utsname name;

	if (!uname(&name))
		preamble_set(pre, "kernel", "%s %s %s", name.sysname,
		             name.release, name.machine);
	describe_cpu(pre);
	arch_hypervisor(hypervisor);
	preamble_set(pre, "hypervisor", "%s", hypervisor);
	describe_iommu(pre);
	if (mode)
		preamble_set(pre, "lockdown", "%.*s",
		             (int)strcspn(mode + 1, "]"), mode + 1);
	free(lockdown);
	record(pre, "governor",
	       read_first_line("%s/cpu0/cpufreq/scaling_governor", HOST_CPUS));
	record(pre, "uncore_khz",
	       read_first_line("%s/intel_uncore_frequency/package_00_die_00/"
	                       "current_freq_khz",
	                       HOST_CPUS));
	record(pre, "smt", read_first_line("%s/smt/control", HOST_CPUS));
	describe_idle(pre);
	describe_idle_limit(pre);
}

char *
host_iommu(const char *bdf)
{
	char hypervisor[HYPERVISOR_NAME_MAX];
	char *type = read_first_line("%s/devices/%s/iommu_group/type",
	                             root_path("/sys/bus/pci"), bdf);

	if (type)
		return type;
	return xstrdup(arch_hypervisor(hypervisor) ? "" : "off");
}
