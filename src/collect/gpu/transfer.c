/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classifies benches: latency, read, write. */
#include "collect/gpu/transfer.h"

bool
gpu_is_latency(const struct gpu_transfer *t)
{
	return !benches[t->bench].totals;
}

bool
gpu_reads(const struct gpu_transfer *t)
{
	if (t->bench == LAT_WRRD)
		return t->wrrd != WRRD_STORE;
	return t->bench != BW_WR;
}

bool
gpu_writes(const struct gpu_transfer *t)
{
	return t->bench != LAT_RD && t->bench != BW_RD;
}
