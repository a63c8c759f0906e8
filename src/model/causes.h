/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may keep a transfer below its link, each with the model's number. */
#ifndef PCB_MODEL_CAUSES_H
#define PCB_MODEL_CAUSES_H

#include "model/options.h"

/* How a cause and the number go together. */
enum verdict {
	VERDICT_FITS, /* within the tolerance */
	VERDICT_OPEN, /* cannot be ruled out */
	VERDICT_OFF,  /* gives another number */
};
extern const char *const verdict_names[];

/* One cause, or two of them at a time. */
struct cause {
	const char *name;
	char *what;
	double gbit_s;    /* NaN: it gives any number, or none can be had */
	unsigned changes; /* from what was said of the link */
	bool unlikely;    /* nothing that was said speaks for it */
	size_t order;     /* in which it was found */
	double tolerance; /* at least this one, a part; 0: the one given */
	enum verdict verdict;
	const char *separate; /* the measurement that tells it from others */
};

/* Zero-initialise; release with causes_free. */
struct causes {
	struct cause *cause;
	size_t n;
};

/*
 * Adds the causes of a bench on the link that the options name, without
 * verdicts: the link as it was said, its width, rate, payload, completions,
 * sizes, requests in flight, IOMMU, node, Ethernet. `gbit_s` is the number that
 * is looked for, by which open causes are solved.
 */
void causes_find(struct causes *all, const struct options *options,
                 const struct work *work, double gbit_s);

/*
 * Judges all by the number, within a tolerance (a part of it), and sorts them:
 * those that fit, the likeliest first, then open ones, then the others. Of
 * those that fit the one whose number is nearest counts as the likeliest; but
 * each change besides the first counts as half the tolerance, so does a cause
 * that nothing speaks for, and a number below what was measured, which a bound
 * should not be, as a fifth.
 */
void causes_judge(struct causes *all, double gbit_s, double tolerance);

void causes_free(struct causes *all);

#endif
