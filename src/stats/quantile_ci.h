/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distribution-free limits of quantiles, as ranks of samples. */
#ifndef PCB_STATS_QUANTILE_CI_H
#define PCB_STATS_QUANTILE_CI_H

#include "common/base/number.h"

/*
 * Of n independent samples in ascending order, the numbers (from 1) of those
 * that bound the quantile `part` of what they were drawn from, whatever its
 * distribution: it is below the lower one, and above the upper one, with a
 * probability of at most (1 - level) / 2 each. 0 where n is too small for
 * that, or part is 0 or 1. 0 < level < 1; both denominators are below 2^58.
 *
 * They follow from the binomial distribution (David and Nagaraja, Order
 * Statistics, 7.1), which is summed; its probabilities have 12 digits. Where
 * n part (1 - part) exceeds 10^9, its Cornish-Fisher expansion takes their
 * place, and a rank may be off by 1.
 */
uint64_t lower_limit(uint64_t n, struct fraction part, struct fraction level);
uint64_t upper_limit(uint64_t n, struct fraction part, struct fraction level);

#endif
