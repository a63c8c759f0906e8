/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-doctor: finds faults of this machine's PCI Express, and their cost. */
#include "common/base/version.h"
#include "common/cli/option_table.h"
#include "common/pci/tree.h"
#include "common/stream/writer.h"
#include "common/sys/root.h"
#include "doctor/machine.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
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

static const char *const columns[] = {
    "kind",       "check",        "device", "sure", "reason", "what",
    "now_gbit_s", "could_gbit_s", "cost",   "mend", "risk",   "prove"};

/* By certainty, highest first; stable. */
static void
sort_findings(struct doctor_findings *all)
{
	struct doctor_findings sorted = {0};

	sorted.row = xreallocarray(NULL, all->n + 1, sizeof *sorted.row);
	for (int sure = SURE_CERTAIN; sure >= SURE_BY_DESIGN; sure--) {
		for (size_t i = 0; i < all->n; i++) {
			if ((int)all->row[i].sure == sure)
				sorted.row[sorted.n++] = all->row[i];
		}
	}
	free(all->row);
	all->row = sorted.row;
}

static void
write_rows(const struct doctor_findings *all)
{
	out_begin(&out, columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < all->n; i++) {
		const struct doctor_finding *f = &all->row[i];

		out_text(&out, "model");
		out_text(&out, f->check);
		out_text(&out, f->device);
		out_text(&out, doctor_sure_names[f->sure]);
		out_text(&out, f->reason);
		out_text(&out, f->what);
		out_double(&out, f->now_gbit_s);
		out_double(&out, f->could_gbit_s);
		out_text(&out, f->cost);
		out_text(&out, f->mend);
		out_text(&out, f->risk);
		out_text(&out, f->prove);
	}
}

static void
print_part(const char *name, const char *text)
{
	if (*text)
		printf("  %-8s%s\n", name, text);
}

/* A paragraph per finding, and the numbers of findings and functions. */
static void
print_text(const struct doctor *d)
{
	const struct doctor_findings *all = &d->found;
	size_t n[SURE_CERTAIN + 1] = {0};

	for (size_t i = 0; i < all->n; i++) {
		const struct doctor_finding *f = &all->row[i];

		n[f->sure]++;
		printf("%s%s%s  %s  %s\n", doctor_sure_names[f->sure],
		       *f->reason ? ": " : "", f->reason,
		       *f->device ? f->device : "this machine", f->check);
		printf("  %s\n", f->what);
		print_part("costs", f->cost);
		print_part("mend", f->mend);
		print_part("risk", f->risk);
		print_part("prove", f->prove);
		puts("");
	}
	printf("%zu certain, %zu likely, %zu by design; %zu functions "
	       "examined, %zu with a link\n",
	       n[SURE_CERTAIN], n[SURE_LIKELY], n[SURE_BY_DESIGN], d->examined,
	       d->links);
}

static void
print_gauge(const struct doctor_findings *all, const char *name,
            const char *help, double (*value)(const struct doctor_finding *f))
{
	printf("# TYPE %s gauge\n# HELP %s %s\n", name, name, help);
	for (size_t i = 0; i < all->n; i++) {
		const struct doctor_finding *f = &all->row[i];

		if (isnan(value(f)))
			continue;
		printf("%s{check=\"%s\",device=\"%s\",sure=\"%s\"} %.17g\n",
		       name, f->check, f->device, doctor_sure_names[f->sure],
		       value(f));
	}
}

static double
one(const struct doctor_finding *f)
{
	(void)f;
	return 1;
}

static double
now(const struct doctor_finding *f)
{
	return f->now_gbit_s * 1e9 / 8;
}

static double
could(const struct doctor_finding *f)
{
	return f->could_gbit_s * 1e9 / 8;
}

/* In the format of OpenMetrics. */
static void
print_metrics(const struct doctor_findings *all)
{
	print_gauge(all, "pcb_doctor_finding", "A finding of pcb-doctor.", one);
	print_gauge(all, "pcb_doctor_now_bytes_per_second",
	            "Limit of the model for the path as it is.", now);
	print_gauge(all, "pcb_doctor_could_bytes_per_second",
	            "Limit of the model for the path as it could be.", could);
	puts("# EOF");
}

static void
write_report(struct doctor *d)
{
	struct preamble pre = {0};

	sort_findings(&d->found);
	if (out.format == FORMAT_OPENMETRICS) {
		print_metrics(&d->found);
		return;
	}
	if (out.format == FORMAT_TABLE) {
		print_text(d);
		return;
	}
	preamble_set(&pre, "tool", "pcb-doctor %s", program_version);
	preamble_add_command(&pre);
	preamble_set(&pre, "examined", "%zu functions", d->examined);
	preamble_set(&pre, "unseen", "%zu functions", d->unseen);
	out.preamble = &pre;
	write_rows(&d->found);
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
