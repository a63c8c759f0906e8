/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks CPUs, kernel, IOMMU and nodes. */
#include "doctor/machine.h"

#include "common/base/number.h"
#include "common/sys/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU0 "/sys/devices/system/cpu/cpu0"

/* The first line of such a file below the root, or NULL; free it. */
static char *PRINTF_LIKE(1, 2) line_of(const char *fmt, ...)
{
	va_list ap;
	char *path, *line;

	va_start(ap, fmt);
	path = xvasprintf(fmt, ap);
	va_end(ap);
	line = read_first_line("%s", root_path(path));
	free(path);
	return line;
}

/* Whether the line of a file with this start contains a word. */
static bool
file_has(const char *path, const char *begin, const char *word)
{
	FILE *f = fopen(root_path(path), "re");
	char *line = NULL;
	size_t size = 0;
	bool has = false;

	while (f && !has && getline(&line, &size, f) > 0) {
		if (!strncmp(line, begin, strlen(begin)))
			has = strstr(line, word) != NULL;
	}
	free(line);
	if (f)
		fclose(f);
	return has;
}

void
machine_read(struct doctor *d)
{
	char *type = line_of("/sys/hypervisor/type");
	char *uptime = line_of("/proc/uptime");

	d->virtual_machine =
	    type || file_has("/proc/cpuinfo", "flags", " hypervisor");
	d->uptime_s = uptime ? strtod(uptime, NULL) : 0;
	free(type);
	free(uptime);
}

static void
check_governor(struct doctor *d)
{
	char *governor = line_of(CPU0 "/cpufreq/scaling_governor");
	struct doctor_finding *row;

	if (governor && strcmp(governor, "performance") != 0) {
		row = doctor_add(d, "governor", SURE_BY_DESIGN, "power", NULL,
		                 "the governor of CPU 0 is %s", governor);
		doctor_say(&row->fix, "cpupower frequency-set -g performance");
		row->risk = "the machine uses more power";
		doctor_say(&row->verify,
		           "pcb-collect lat_cfg --hold governor | pcb-stats; "
		           "and without");
	}
	free(governor);
}

/* The exit latency, in us, of the deepest idle state enabled on CPU 0. */
static void
check_idle_states(struct doctor *d)
{
	uint64_t deepest = 0, us;
	char *name = NULL, *latency;
	struct doctor_finding *row;

	for (int i = 0; i < 32; i++) {
		char *off = line_of(CPU0 "/cpuidle/state%d/disable", i);

		latency = line_of(CPU0 "/cpuidle/state%d/latency", i);
		if (latency && !parse_integer(latency, &us) && us > deepest &&
		    !(off && !strcmp(off, "1"))) {
			deepest = us;
			free(name);
			name = line_of(CPU0 "/cpuidle/state%d/name", i);
		}
		free(off);
		free(latency);
	}
	/* Less than a read of a far device is negligible. */
	if (deepest >= 10) {
		row = doctor_add(d, "c_states", SURE_BY_DESIGN, "power", NULL,
		                 "idle CPUs may enter %s",
		                 name ? name : "a deep state");
		doctor_say(&row->cost, "up to %ju us until a CPU is awake",
		           (uintmax_t)deepest);
		doctor_say(&row->fix, "cpupower idle-set -D 10");
		row->risk = "the machine uses more power";
		doctor_say(&row->verify,
		           "pcb-collect lat_cfg --hold idle | pcb-stats; "
		           "and without");
	}
	free(name);
}

/* Kernel options with a cost. */
static const struct {
	const char *option, *value; /* value: an item of a list */
	enum sure sure;
	const char *what;
} switches[] = {
    {"pci", "nommconf", SURE_LIKELY,
     "extended config space cannot be reached: no AER, ACS, L1 substates"},
    {"pci", "noaer", SURE_BY_DESIGN, "errors of links are not counted"},
    {"pci", "pcie_bus_safe", SURE_BY_DESIGN,
     "MPS is the smallest of all devices below a root port"},
    {"pci", "pcie_bus_peer2peer", SURE_LIKELY, "MPS is 128 bytes everywhere"},
    {"pci", "noats", SURE_BY_DESIGN,
     "devices may not cache translations of the IOMMU"},
    {"pci", "nomsi", SURE_LIKELY, "devices share interrupt lines"},
    {"pcie_aspm", "force", SURE_LIKELY,
     "ASPM is on even for devices that do not support it"},
    {"intel_iommu", "strict", SURE_LIKELY, "each unmap waits for the IOMMU"},
    {"iommu.strict", "1", SURE_LIKELY, "each unmap waits for the IOMMU"},
    {"iommu", "force", SURE_LIKELY, "all DMA is translated"},
};

/* Whether "option=a,b" on the command line contains the value. */
static bool
has_switch(const char *line, const char *option, const char *value)
{
	size_t n = strlen(option), m = strlen(value);

	for (const char *word = line; *word; word += strcspn(word, " ")) {
		word += strspn(word, " ");
		if (strncmp(word, option, n) != 0 || word[n] != '=')
			continue;
		for (const char *v = word + n; *v == '=' || *v == ',';
		     v += 1 + strcspn(v + 1, ", ")) {
			if (!strncmp(v + 1, value, m) &&
			    strchr(", :", v[1 + m]))
				return true;
		}
	}
	return false;
}

static void
check_switches(struct doctor *d)
{
	char *line = line_of("/proc/cmdline");
	struct doctor_finding *row;

	for (size_t i = 0; line && i < ARRAY_LEN(switches); i++) {
		if (!has_switch(line, switches[i].option, switches[i].value))
			continue;
		row = doctor_add(d, "kernel_switch", switches[i].sure,
		                 "kernel switch", NULL, "%s=%s: %s",
		                 switches[i].option, switches[i].value,
		                 switches[i].what);
		doctor_say(&row->fix, "boot without %s=%s", switches[i].option,
		           switches[i].value);
		row->risk = "it may have been set for a reason";
	}
	free(line);
}

void
machine_check(struct doctor *d)
{
	struct doctor_finding *row;

	if (d->virtual_machine) {
		row = doctor_add(
		    d, "hypervisor", SURE_BY_DESIGN, "virtual", NULL,
		    "this machine is virtual: the hypervisor may invent "
		    "links and settings, so no link is certain");
		doctor_say(&row->fix, "run pcb-doctor on the host");
	}
	check_governor(d);
	check_idle_states(d);
	check_switches(d);
}

/* Translating groups: "DMA" waits for each unmap, "DMA-FQ" does not. */
static void
check_iommu(struct doctor *d, const struct pci_function *f)
{
	char *type = read_first_line("%s/devices/%s/iommu_group/type",
	                             d->tree->sysfs, f->bdf);
	bool strict = type && !strcmp(type, "DMA");
	struct doctor_finding *row;

	if (strict || (type && !strcmp(type, "DMA-FQ"))) {
		row = doctor_add(
		    d, "iommu", strict ? SURE_LIKELY : SURE_BY_DESIGN,
		    "isolation", f, "the IOMMU translates its addresses (%s)%s",
		    type, strict ? ", and each unmap waits for it" : "");
		doctor_say(&row->cost,
		           "not in the model; an IOTLB miss took 280 ns more "
		           "on a published Xeon E5-2630 v4");
		doctor_say(&row->fix, "boot with iommu=pt");
		row->risk = "the device can reach all memory";
		doctor_verify(row, f, "lat_cfg");
	}
	free(type);
}

static void
check_node(struct doctor *d, const struct pci_function *f)
{
	char *second = line_of("/sys/devices/system/node/node1/cpulist");
	char *cpus = line_of("/sys/devices/system/node/node%d/cpulist",
	                     f->node < 0 ? 0 : f->node);
	char *memory =
	    xasprintf("/sys/devices/system/node/node%d/meminfo", f->node);
	char *total = xasprintf("Node %d MemTotal:", f->node);
	const char *why = NULL;
	struct doctor_finding *row;

	if (second && f->node < 0)
		why = "the firmware does not say which node it is on";
	else if (second && cpus && !*cpus)
		why = "no CPU is on its node";
	else if (second && file_has(memory, total, " 0 kB"))
		why = "no memory is on its node";
	if (why) {
		row =
		    doctor_add(d, "numa_node", SURE_LIKELY, NULL, f, "%s", why);
		doctor_say(&row->cost, "not in the model; a remote node took "
		                       "93 ns more on a published Xeon "
		                       "E5-2630 v4");
		doctor_say(&row->fix, "firmware setup, or memory in the "
		                      "sockets of that node");
		doctor_say(&row->verify,
		           "pcb-collect lat_cfg -d %s -n 10K "
		           "--cpu N | pcb-stats, for a CPU of "
		           "each node",
		           doctor_short_bdf(f));
	}
	free(second);
	free(cpus);
	free(memory);
	free(total);
}

void
machine_check_function(struct doctor *d, const struct pci_function *f)
{
	if (!d->tree->sysfs || !doctor_is_fast(f))
		return;
	check_iommu(d, f);
	check_node(d, f);
}
