/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bandwidth of several workers while all are busy. */
#ifndef PCB_COLLECT_GPU_STEADY_STATE_H
#define PCB_COLLECT_GPU_STEADY_STATE_H

#include "collect/gpu/transfer.h"

/* Transfers and their duration. */
struct gpu_total {
	double transfers;
	uint64_t ns;
};

/*
 * Adds the transfers of n workers while all were busy: from the end of the last
 * one's lead to the end of the first one's `each` timed transfers; each worker
 * contributes by its own pace. False, and adds nothing, if that is less than
 * `least` ns or empty.
 */
bool gpu_steady(const struct gpu_span *span, size_t n, uint32_t each,
                uint64_t least, struct gpu_total *total);

#endif
