/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interval in which all workers are busy. */
#include "collect/gpu/steady_state.h"

/*
 * Transfers between the first mark and a time before mark `last`. Between two
 * marks the pace is constant; over all of them it is not: a slow worker becomes
 * faster when others are done.
 */
static double
gpu_done_at(const uint64_t *mark, uint32_t last, uint64_t time)
{
	uint32_t i = 0;
	uint64_t width;

	while (i + 1 < last && mark[i + 1] <= time)
		i++;
	width = mark[i + 1] - mark[i];
	return i + (width ? (double)(time - mark[i]) / (double)width : 1);
}

bool
gpu_steady(const struct gpu_span *span, size_t n, uint32_t each, uint64_t least,
           struct gpu_total *total)
{
	uint32_t step = gpu_mark_step(each), last = each / step;
	uint64_t from = 0, to = UINT64_MAX;

	for (size_t i = 0; i < n; i++) {
		if (span[i].mark[0] > from)
			from = span[i].mark[0];
		if (span[i].mark[last] < to)
			to = span[i].mark[last];
	}
	if (!n || to <= from || to - from < least)
		return false;
	for (size_t i = 0; i < n; i++)
		total->transfers +=
		    step * (gpu_done_at(span[i].mark, last, to) -
		            gpu_done_at(span[i].mark, last, from));
	total->ns += to - from;
	return true;
}
