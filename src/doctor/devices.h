/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line for each device: its link, what was measured, and the verdict. */
#ifndef PCB_DOCTOR_DEVICES_H
#define PCB_DOCTOR_DEVICES_H

#include "common/cause/verdict.h"
#include "common/doctor/doctor.h"
#include "common/machine/cells.h"
#include "common/stream/writer.h"
#include "doctor/input.h"

enum way { WAY_TO, WAY_FROM, WAY_PEER, NWAYS };

/* What was measured one way. */
struct measure {
	double gbit_s; /* the best; 0: nothing */
	enum verdict verdict;
	struct question q; /* on the path as it could be; bound 0: none */
	struct usual usual;
	enum crossing crosses;
	double staged; /* the best with P2P off: through memory; 0: none */
	bool sm;       /* by the cores of a GPU */
	bool both;     /* half of both directions at once */
};

struct device {
	size_t node;
	const struct pci_function *f; /* or NULL: of results alone */
	struct link now, could;       /* least of the path; or BUS_UNKNOWN */
	bool sleeps;
	bool needs;       /* `could` is only what the best of its like needs */
	const char *boot; /* the limit that the log names; or NULL */
	struct measure way[NWAYS];
	enum way worst;
	bool apart[NWAYS]; /* below its like */
	struct seen *seen;
	size_t nseen;
	struct belief *belief;
	size_t n;
	const char *finding; /* the worst of it, by name; or NULL */
};

struct devices {
	const struct doctor *d;
	const struct input *in;
	struct machine *m;
	struct device *item;
	size_t n, *at; /* by node; SIZE_MAX: none */
	struct reference reference;
	struct causes causes;
	char *kind;                 /* of the numbers; "several" */
	size_t rows, foreign, used; /* of results; of no device here; of one */
};

/*
 * The GPUs, drives and NICs of d->tree and of the results, of those chosen
 * (NULL: all), what is low first. Adds a finding `bandwidth` for each that is
 * low, unless one about its link says why. Free with devices_free; the tree
 * must outlive it.
 */
struct devices *devices_judge(struct doctor *d, const struct input *in,
                              const bool *chosen);
void devices_free(struct devices *all);

/* A machine of the devices that results name, whose links are not known. */
struct machine *machine_of_results(const struct input *in);

/* Stores what was measured of each device. */
void take_results(struct devices *all);

/* The part of its bound, or NaN. */
double share_of(const struct measure *w);

/* Whether what is worst of a device is below what it should be, or above. */
bool device_is_low(const struct device *e);

/* Whether nothing is known of it but its place. */
bool device_is_blank(const struct device *e);

/*
 * Prints the table, at most so many lines (0: all). Returns the lines printed.
 */
size_t devices_print(const struct devices *all, size_t most);

/* Writes a row for each. */
void devices_write(const struct devices *all, struct out *out);

#endif
