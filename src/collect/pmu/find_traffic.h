/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes traffic of a device, to find where it is counted. */
#ifndef PCB_COLLECT_PMU_FIND_TRAFFIC_H
#define PCB_COLLECT_PMU_FIND_TRAFFIC_H

#include "collect/host/subprocess.h"
#include "collect/pio/access.h"

/* Zero-initialise and set the first three members. */
struct pmu_traffic {
	struct session *session;
	const char *bdf;   /* full */
	uint64_t interval; /* ns; 0: until the request's command ends */

	struct child child;
	struct pci_tree *tree;
	struct reader reader;
	bool reads; /* without a command: the CPU reads */
};

/* Duration of an interval without traffic, or with reads. */
#define PMU_TRAFFIC_NS 250000000

/*
 * Prepares the request's command, or, without one, CPU reads of the device
 * below `sys`: of config space, or else of a register that is safe to read.
 * Records it under "traffic". False after fail().
 */
bool pmu_traffic_open(struct pmu_traffic *traffic, const char *sys,
                      bool config);

/* Waits for an interval. False after fail(), or after a signal. */
bool pmu_traffic_pass(struct pmu_traffic *traffic, bool busy);

void pmu_traffic_close(struct pmu_traffic *traffic);

#endif
