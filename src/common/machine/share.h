/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Max-min fair rates of flows that share resources. */
#ifndef PCB_COMMON_MACHINE_SHARE_H
#define PCB_COMMON_MACHINE_SHARE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What a unit of a flow takes of a resource, and of the opposite direction,
 * which is resource ^ 1.
 */
struct share_use {
	size_t resource;
	double forward, back;
};

struct share_flow {
	const struct share_use *use;
	size_t n;
	double rate;  /* result; INFINITY if the flow uses nothing */
	size_t limit; /* index of the use that limits it; n: none */
};

/*
 * Sets rate and limit of each flow. What flows take in the opposite direction
 * (requests, acknowledgements) is served first; of the rest, every flow gets
 * the same, except that one which a fuller resource limits leaves its part to
 * the others. So each flow has a resource that is full and on which no flow has
 * more. Capacities are at least 0, their number even; `forward` is above 0.
 */
void share(const double capacity[], size_t nresources, struct share_flow flow[],
           size_t nflows);

#endif
