/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Confidence limits of quantiles, as ranks. */
#ifndef PCB_COMMON_STAT_QUANTILE_CI_H
#define PCB_COMMON_STAT_QUANTILE_CI_H

#include "common/base/number.h"

/*
 * For n independent samples in ascending order, the ranks (from 1) that bound
 * the quantile `part` of their distribution, whatever that is: the quantile is
 * below the lower one, and above the upper one, each with a probability of at
 * most (1 - level) / 2. 0 if n is too small for that, part is 0 or 1, or
 * n part (1 - part) exceeds 10^12. 0 < level < 1; both denominators are below
 * 2^58.
 *
 * Computed by summing the binomial distribution (David and Nagaraja, Order
 * Statistics, 7.1), with probabilities of 12 digits.
 */
uint64_t lower_limit(uint64_t n, struct fraction part, struct fraction level);
uint64_t upper_limit(uint64_t n, struct fraction part, struct fraction level);

#endif
