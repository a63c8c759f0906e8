/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bandwidth from what several workers did at the same time. */
#ifndef PCB_COLLECT_GPU_STEADY_STATE_H
#define PCB_COLLECT_GPU_STEADY_STATE_H

#include "collect/gpu/transfer.h"

/* Transfers, and the time that they took. */
struct gpu_total {
	double transfers;
	uint64_t ns;
};

/*
 * Adds what n workers did while all of them were at work: from when the last
 * of them had done its lead, to when the first began what follows its `each`
 * timed transfers; of each worker the share that its own pace gives. False,
 * and nothing is added, if that is less than `least` ns or nothing.
 */
bool gpu_steady(const struct gpu_span *span, size_t n, uint32_t each,
                uint64_t least, struct gpu_total *total);

#endif
