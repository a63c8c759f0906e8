/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Possible causes of a low bandwidth, with the model's number for each. */
#ifndef PCB_MODEL_CAUSES_H
#define PCB_MODEL_CAUSES_H

#include "model/options.h"

/* How a cause fits the number. */
enum verdict {
	VERDICT_FITS, /* within the tolerance */
	VERDICT_OPEN, /* cannot be excluded */
	VERDICT_OFF,  /* gives another number */
};
extern const char *const verdict_names[];

/* One cause, or two combined. */
struct cause {
	const char *name;
	char *what;
	double gbit_s;    /* NaN: any number, or none */
	unsigned changes; /* from the given link */
	bool unlikely;    /* nothing given supports it */
	size_t order;     /* of discovery */
	double tolerance; /* its least tolerance, as a part; 0: the given one */
	enum verdict verdict;
	const char *separate; /* the measurement that confirms it */
};

/* Zero-initialise; release with causes_free. */
struct causes {
	struct cause *cause;
	size_t n;
};

/*
 * Adds the causes of a bench on the link of the options, without verdicts: the
 * link as given, its width, rate, payload, completions, sizes, outstanding
 * requests, IOMMU, node, Ethernet. Solves open causes for the number `gbit_s`.
 */
void causes_find(struct causes *all, const struct options *options,
                 const struct work *work, double gbit_s);

/*
 * Judges all causes by the number, within a tolerance (a part of it), and sorts
 * them: matching ones, likeliest first, then open ones, then the others. The
 * likeliest has the nearest number, with penalties: half the tolerance for each
 * change beyond the first and for an unsupported cause, a fifth for a number
 * below the measured one, which a bound should exceed.
 */
void causes_judge(struct causes *all, double gbit_s, double tolerance);

void causes_free(struct causes *all);

#endif
