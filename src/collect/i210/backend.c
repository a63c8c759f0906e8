/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The DMA read delay of an Intel I210 while the CPU sleeps. */
#include "collect/i210/i210.h"

static void
probe(const struct request *request, struct findings *list)
{
	(void)request;
	i210_probe(&linux_nics, list);
}

static bool
open_i210(struct session *s)
{
	return i210_open(s, &linux_nics);
}

const struct backend i210_backend = {
    .name = "i210",
    .help = "delay of an Intel I210's DMA reads while the CPU sleeps",
    .benches = BENCH_BIT(RTD),
    .options = i210_options,
    .probe = probe,
    .open = open_i210,
    .prepare = i210_prepare,
    .run = i210_run,
    .end = i210_end,
    .close = i210_close,
};
