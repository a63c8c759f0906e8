/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors that a function has reported (AER). */
#include "common/doctor/checks.h"
#include "common/link/pcie.h"

#include <inttypes.h>
#include <pci/pci.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fewer errors may be chance; highest bit error rate of a good link. */
#define FEW           100
#define BIT_ERROR_MAX 1e-12

/* Errors that cause a retransmission, and errors that lose packets. */
static const struct {
	const char *name; /* in the kernel's file */
	enum pci_register reg;
	uint32_t bit;
} kinds[] = {
    {"RxErr", REG_CESTA, PCI_ERR_COR_RCVR},
    {"BadTLP", REG_CESTA, PCI_ERR_COR_BAD_TLP},
    {"BadDLLP", REG_CESTA, PCI_ERR_COR_BAD_DLLP},
    {"Rollover", REG_CESTA, PCI_ERR_COR_REP_ROLL},
    {"Timeout", REG_CESTA, PCI_ERR_COR_REP_TIMER},
    {"DLP", REG_UESTA, PCI_ERR_UNC_DLP},
    {"TLP", REG_UESTA, PCI_ERR_UNC_POISON_TLP},
    {"FCP", REG_UESTA, PCI_ERR_UNC_FCP},
    {"CmpltTO", REG_UESTA, PCI_ERR_UNC_COMP_TIME},
    {"RxOF", REG_UESTA, PCI_ERR_UNC_RX_OVER},
    {"MalfTLP", REG_UESTA, PCI_ERR_UNC_MALF_TLP},
    {"ECRC", REG_UESTA, PCI_ERR_UNC_ECRC},
};

/* The kernel's counters, and what status registers hold besides. */
struct errors {
	uintmax_t corrected, others; /* others: not receiver errors */
	bool seen[ARRAY_LEN(kinds)];
	char *counted, *kept; /* description; NULL: no errors */
};

static void
add_error(struct errors *e, size_t kind, uintmax_t n)
{
	e->seen[kind] = true;
	if (kinds[kind].reg == REG_CESTA)
		e->corrected += n;
	if (kinds[kind].bit != PCI_ERR_COR_RCVR)
		e->others += n;
}

static void
add_count(struct errors *e, size_t kind, uintmax_t n)
{
	add_error(e, kind, n);
	xappend(&e->counted, ", ", "%s %ju", kinds[kind].name, n);
}

/* Parses lines such as "BadTLP 3", one per kind of error. */
static void
read_counters(struct errors *e, const struct doctor *d,
              const struct pci_function *f, const char *file,
              enum pci_register reg)
{
	char *path =
	    xasprintf("%s/devices/%s/%s", d->tree->sysfs, f->bdf, file);
	FILE *from = fopen(path, "re");
	char line[128];
	uintmax_t n;

	free(path);
	if (!from)
		return;
	while (fgets(line, sizeof line, from)) {
		char *blank = strchr(line, ' ');

		if (!blank)
			continue;
		*blank = '\0';
		n = strtoumax(blank + 1, NULL, 10);
		for (size_t i = 0; n && i < ARRAY_LEN(kinds); i++) {
			if (kinds[i].reg == reg && !strcmp(line, kinds[i].name))
				add_count(e, i, n);
		}
	}
	fclose(from);
}

/*
 * Errors in status registers: the kernel counts none if error reporting is off,
 * and clears those it has counted.
 */
static void
read_status(struct errors *e, const struct pci_function *f)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (e->seen[i] ||
		    !(f->registers.value[kinds[i].reg] & kinds[i].bit))
			continue;
		add_error(e, i, 1);
		xappend(&e->kept, ", ", "%s", kinds[i].name);
	}
}

/* More errors than the bit error rate of the specification explains. */
static bool
is_too_many(const struct doctor *d, const struct pci_function *f, uint64_t n)
{
	struct link link = {
	    .bus = BUS_PCIE, .gen = f->pcie.gen, .lanes = f->pcie.lanes};
	double bits;

	if (n < FEW || d->uptime_s <= 0 || !link.gen || link.gen > 7 ||
	    !link.lanes)
		return false;
	bits = link_raw_gbit_s(&link) * 1e9 * d->uptime_s;
	return (double)n > bits * BIT_ERROR_MAX;
}

/* Link training always causes some receiver errors. */
static bool
is_training(const struct errors *e)
{
	return !e->others && e->corrected < FEW;
}

static void
say_errors(struct doctor *d, const struct pci_function *f,
           const struct errors *e)
{
	bool certain = is_too_many(d, f, e->corrected);
	struct doctor_finding *row;

	if (is_training(e)) {
		row = doctor_add(&d->found, "errors", SURE_BY_DESIGN, f);
		row->reason = "training";
	} else {
		row = doctor_add(&d->found, "errors",
		                 certain ? SURE_CERTAIN : SURE_LIKELY, f);
		doctor_say(&row->cost, "each corrected error repeats packets");
		doctor_say(&row->mend, "reseat the card, its riser or cable");
		doctor_say(&row->risk, "the machine is down meanwhile");
	}
	doctor_say(
	    &row->what, "%s%s%s%s%s%s", e->counted ? "errors since boot: " : "",
	    e->counted ? e->counted : "",
	    certain ? ": more than the specified bit error rate gives" : "",
	    e->counted && e->kept ? "; " : "",
	    e->kept ? "errors in its registers: " : "", e->kept ? e->kept : "");
	if (d->tree->sysfs)
		doctor_say(&row->prove,
		           "cat /sys/bus/pci/devices/%s/aer_dev_correctable; "
		           "twice, under load",
		           f->bdf);
}

void
doctor_check_errors(struct doctor *d, const struct pci_function *f)
{
	struct errors e = {0};

	if (d->tree->sysfs) {
		read_counters(&e, d, f, "aer_dev_correctable", REG_CESTA);
		read_counters(&e, d, f, "aer_dev_nonfatal", REG_UESTA);
		read_counters(&e, d, f, "aer_dev_fatal", REG_UESTA);
	}
	read_status(&e, f);
	if (e.counted || e.kept)
		say_errors(d, f, &e);
	free(e.counted);
	free(e.kept);
}
