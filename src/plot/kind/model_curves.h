/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Curves of the model: one for all sweeps with the same expectation. */
#ifndef PCB_PLOT_KIND_MODEL_CURVES_H
#define PCB_PLOT_KIND_MODEL_CURVES_H

#include "common/stream/key_set.h"
#include "common/stream/table.h"
#include "plot/picture/picture.h"

/* Zero-initialise; release with models_free. */
struct models {
	struct model {
		struct key key;       /* what its sweeps have in common */
		const struct key *of; /* the first of them */
		size_t first, n;      /* index of the first, and number */
		struct curve curve;
	} * model;
	size_t n;
	size_t sweeps; /* added so far */
};

/*
 * Adds the expectation of the sweep with this key (columns of `t`), sorted by
 * x: to a model of the same link and bench that never contradicts it, else as a
 * new one. Ignores an empty expectation. The key must outlive `models`.
 */
void models_add(struct models *models, const struct table *t,
                const struct key *key, const struct curve *expected);

/*
 * The name of its curve: "limit of the link" for the accounting `traffic`,
 * which nothing exceeds; else the accounting, such as "pcie-bench", which real
 * data may exceed; "model" if there is none. Owned by the key, or a constant.
 */
const char *model_name(const struct table *t, const struct model *model);

void models_free(struct models *models);

#endif
