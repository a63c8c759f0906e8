/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of a device, and what was measured. */
#ifndef PCB_DOCTOR_DEVICE_H
#define PCB_DOCTOR_DEVICE_H

#include "common/cause/cause.h"
#include "common/cell/cells.h"
#include "common/doctor/doctor.h"
#include "doctor/input.h"

enum way { WAY_TO, WAY_FROM, WAY_PEER, NWAYS };

/* What was measured one way. */
struct measure {
	double gbit_s; /* the best; 0: nothing */
	enum verdict verdict;
	struct question q; /* on the path as it could be; bound 0: none */
	struct usual usual;
	enum crossing crosses;
	double staged;    /* the best with P2P off: through memory; 0: none */
	bool sm;          /* by the cores of a GPU */
	bool both;        /* half of both directions at once */
	const char *file; /* of the last row */
	double in_file;   /* the best in it */
	double least;     /* of the best of the files before; 0: none */
};

struct device {
	size_t node;
	const struct pci_function *f; /* or NULL: of results alone */
	struct doctor_links links;
	bool needs;       /* `could` is only what the best of its like needs */
	const char *boot; /* the limit that the log names; or NULL */
	struct measure way[NWAYS];
	enum way worst;
	bool apart[NWAYS]; /* below its like */
	bool contradicts;  /* more than its lanes now carry */
	bool like; /* others of its kind were measured the worst way, too */
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
	const char *decides; /* whether what is borderline is low; or NULL */
	char *kind;          /* of the numbers; "several" */
	/* Rows of results; of no device here; used; of no bandwidth. */
	size_t rows, foreign, used, zero;
	char *stranger; /* a name that is not here; or NULL */
};

#endif
