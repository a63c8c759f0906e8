/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interval in which all workers are busy. */
#include "collect/gpu/steady_state.h"

bool
gpu_steady(const struct gpu_span *span, size_t n, uint32_t each, uint64_t least,
           struct gpu_total *total)
{
	uint64_t from = 0, to = UINT64_MAX;

	for (size_t i = 0; i < n; i++) {
		if (span[i].from > from)
			from = span[i].from;
		if (span[i].to < to)
			to = span[i].to;
	}
	if (!n || to <= from || to - from < least)
		return false;
	for (size_t i = 0; i < n; i++)
		total->transfers += (double)each * (double)(to - from) /
		                    (double)(span[i].to - span[i].from);
	total->ns += to - from;
	return true;
}
