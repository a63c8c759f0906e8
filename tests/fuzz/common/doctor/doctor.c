/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks on any dump or listing: findings are complete. */
#include "fuzz/ending.h"

#include "common/doctor/doctor.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Opened by libpci, which may not close it when it refuses a file. */
static FILE *opened;

/* Replace those of the C library. */
FILE *
fopen(const char *path, const char *mode)
{
	union {
		void *object;
		FILE *(*function)(const char *path, const char *mode);
	} real;

	real.object = dlsym(RTLD_NEXT, "fopen");
	opened = real.function(path, mode);
	return opened;
}

int
fclose(FILE *f)
{
	union {
		void *object;
		int (*function)(FILE *f);
	} real;

	if (f == opened)
		opened = NULL;
	real.object = dlsym(RTLD_NEXT, "fclose");
	return real.function(f);
}

static void
must(bool true_of_every_finding)
{
	if (!true_of_every_finding)
		abort();
}

static void
look_at_finding(const struct doctor_finding *f, const struct pci_tree *tree)
{
	must(*f->check && *f->what && f->cost && f->fix && f->risk);
	must(f->sure <= SURE_CERTAIN);
	must((f->sure == SURE_BY_DESIGN) == (*f->reason != '\0'));
	must(pci_find(tree, f->device) != NULL);
	must(isnan(f->now_gbit_s) == isnan(f->could_gbit_s));
	/* A finding's cost is never a gain. */
	must(isnan(f->now_gbit_s) ||
	     f->now_gbit_s <= f->could_gbit_s * (1 + 1e-9));
}

static void
look_at_tree(const struct pci_tree *tree)
{
	struct doctor d = {.tree = tree, .uptime_s = 1000};
	size_t certain = 0;

	for (size_t i = 0; i < tree->n; i++)
		doctor_check_function(&d, &tree->function[i]);
	for (size_t i = 0; i < d.found.n; i++) {
		look_at_finding(&d.found.row[i], tree);
		certain += d.found.row[i].sure == SURE_CERTAIN;
	}
	must(certain == d.found.certain);
	doctor_findings_free(&d.found);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct pci_tree *volatile tree = NULL;

	set_stdin(bytes, size);
	opened = NULL;
	is_reading = true;
	if (!setjmp(refused))
		tree = pci_tree_read_dump("/dev/stdin", 0);
	else if (opened)
		fclose(opened);
	is_reading = false;
	if (tree)
		look_at_tree(tree);
	pci_tree_free(tree);
	return 0;
}
