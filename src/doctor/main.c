/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-doctor: finds faults of this machine's PCI Express, and their cost. */
#include "common/base/version.h"
#include "common/cli/option_table.h"
#include "common/pci/tree.h"
#include "common/sys/root.h"
#include "doctor/machine.h"
#include "doctor/measure.h"
#include "doctor/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct out out;
static bool measures;
static const char *dump;

static const struct option_def options[] = {
    {"dump", 0, "FILE",
     "examine what lspci -xxxx or -vvv printed on another machine, instead of "
     "this one",
     .type = TYPE_TEXT, .to = &dump},
    {"measure", 0, NULL,
     "for findings about links: read config space of the device and show the "
     "link under that load",
     .type = TYPE_FLAG, .to = &measures},
    {"root", 0, "DIR", "read DIR/sys and DIR/proc instead of /sys and /proc",
     .set = root_option},
    OPTION_METRICS_FORMAT(&out.format),
    OPTION_OUTPUT,
    OPTION_NO_PREAMBLE(&out.no_preamble),
    {0},
};

static const struct option_group groups[] = {{NULL, options}, {NULL, NULL}};

static const struct option_table table = {
    .usage = "Usage: pcb-doctor [options] [DEVICE...]\n"
             "Find what costs bandwidth or latency on this machine, on the "
             "paths to these\ndevices (03:00.0, eth0, nvme0), or in a dump, "
             "and say what it costs and how to\nmend it. It writes to no "
             "device.\n",
    .group = groups,
    .ending = "Exit status 1: something certain was found. See "
              "pcb-doctor(1).\n",
};

static struct pci_tree *
read_tree(void)
{
	const char *sysfs = root_path("/sys/bus/pci");
	struct pci_tree *tree =
	    dump ? pci_tree_read_dump(dump) : pci_tree_read(sysfs);

	if (!tree && errno != ENOENT)
		die_sys("%s", sysfs);
	if (!tree) {
		warn("%s: no PCI on this machine", sysfs);
		exit(STATUS_ABSENT);
	}
	if (dump && !tree->n)
		die("%s: no PCI function: not the output of lspci -xxxx or "
		    "-vvv",
		    dump);
	return tree;
}

/* Selects the functions that a name means, as in -d, and the bridges above. */
static void
choose_named(const struct pci_tree *tree, const char *name, bool *chosen)
{
	struct pci_matches found = {0};
	const char *why = pci_match(tree, name, &found);

	if (why) {
		warn("%s: %s%s", name, why,
		     dump ? " in the dump"
		          : " ('pcb-collect list' shows the devices here)");
		exit(dump ? STATUS_TROUBLE : STATUS_ABSENT);
	}
	for (size_t i = 0; i < found.n; i++) {
		const struct pci_function *f = found.item[i];

		for (; f; f = pci_find(tree, f->parent))
			chosen[f - tree->function] = true;
	}
	free(found.item);
}

/* Selects the functions to examine: all, or those named and the ports above. */
static bool *
choose(const struct pci_tree *tree, char *const operands[], size_t n)
{
	static bool *chosen;

	chosen = xcalloc(tree->n + 1, sizeof *chosen);
	for (size_t i = 0; i < tree->n; i++)
		chosen[i] = !n;
	for (size_t i = 0; i < n; i++)
		choose_named(tree, operands[i], chosen);
	return chosen;
}

/* A machine made by QEMU, as far as a dump shows. */
static bool
looks_virtual(const struct pci_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++) {
		uint16_t vendor = tree->function[i].vendor_id;

		if (vendor == 0x1b36 || vendor == 0x1af4)
			return true;
	}
	return false;
}

static void
examine(struct doctor *d, const bool *chosen)
{
	d->virtual_machine = looks_virtual(d->tree);
	if (!dump) {
		bool looked = d->virtual_machine;

		machine_read(d);
		d->virtual_machine |= looked;
		machine_check(d);
	}
	for (size_t i = 0; i < d->tree->n; i++) {
		if (!chosen[i])
			continue;
		doctor_check_function(d, &d->tree->function[i]);
		if (!dump)
			machine_check_function(d, &d->tree->function[i]);
	}
}

static void
warn_of_unseen(const struct doctor *d)
{
	if (!d->unseen)
		return;
	warn("%zu function%s not examined: their capabilities cannot be read: "
	     "%s",
	     d->unseen, d->unseen == 1 ? "" : "s",
	     dump        ? "use lspci -xxxx or -vvv as root"
	     : geteuid() ? "only root may read them"
	                 : "their config space is cut off");
}

static void
write_report(struct doctor *d)
{
	struct preamble pre = {0};

	report_sort(&d->found);
	if (out.format == FORMAT_OPENMETRICS) {
		report_metrics(&d->found);
		return;
	}
	if (out.format == FORMAT_TABLE) {
		report_text(d);
		return;
	}
	preamble_set(&pre, "tool", "pcb-doctor %s", program_version);
	preamble_add_command(&pre);
	preamble_set(&pre, "examined", "%zu functions", d->examined);
	preamble_set(&pre, "unseen", "%zu functions", d->unseen);
	out.preamble = &pre;
	report_rows(&out, &d->found);
	out_finish(&out, true, NULL);
	preamble_free(&pre);
}

int
main(int argc, char *argv[])
{
	struct option_parser parser = {.table = &table};
	struct doctor d = {0};
	struct pci_tree *tree;
	bool *chosen;
	int operand, status;

	set_program(argc, argv);
	filter_signals();
	operand = options_parse(&parser, argc, argv);
	if (out.format == FORMAT_DEFAULT)
		out.format = default_format();
	if (dump && (measures || options_given(&parser, "root")))
		die_usage("--dump describes another machine: not with --%s",
		          measures ? "measure" : "root");
	tree = read_tree();
	d.tree = tree;
	chosen = choose(tree, argv + operand, (size_t)(argc - operand));
	examine(&d, chosen);
	if (measures)
		measure_findings(&d);
	write_report(&d);
	warn_of_unseen(&d);
	status = d.found.certain ? STATUS_NO : STATUS_OK;
	doctor_findings_free(&d.found);
	free(chosen);
	pci_tree_free(tree);
	close_stdout();
	return status;
}
