/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the model says, once for all sweeps of which it says the same. */
#ifndef PCB_PLOT_KIND_MODEL_CURVES_H
#define PCB_PLOT_KIND_MODEL_CURVES_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"
#include "plot/picture/picture.h"

/* Zero-initialise; release with models_free. */
struct models {
	struct model {
		struct key key;       /* what these sweeps have in common */
		const struct key *of; /* the first of them */
		size_t first, n;      /* its number, from 0, and how many */
		struct curve curve;
	} * model;
	size_t n;
	size_t sweeps; /* added so far */
};

/*
 * Adds what is expected of the sweep with this key (columns of `t`), sorted
 * by x: to a model of the same link and bench that nowhere says otherwise,
 * else as a new one. No points are no model. The key must outlive `models`.
 */
void models_add(struct models *models, const struct table *t,
                const struct key *key, const struct curve *expected);

/*
 * What its curve is called: "limit of the link" for the accounting `traffic`,
 * which nothing exceeds; else the name of the accounting, such as
 * "pcie-bench", which real data may exceed; "model" where none is given.
 * Belongs to the key or is static.
 */
const char *model_name(const struct table *t, const struct model *model);

void models_free(struct models *models);

#endif
