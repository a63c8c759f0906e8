/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traffic of a device, to see where it is counted. */
#ifndef PCB_COLLECT_PMU_FIND_TRAFFIC_H
#define PCB_COLLECT_PMU_FIND_TRAFFIC_H

#include "collect/host/subprocess.h"
#include "collect/pio/access.h"

/* Zero-initialise and set the first three. */
struct pmu_traffic {
	struct session *session;
	const char *bdf;   /* in full */
	uint64_t interval; /* ns; 0: as long as the request's command takes */

	struct child child;
	struct pci_tree *tree;
	struct reader reader;
	bool reads; /* by the CPU, without a command */
};

/* Of an interval without traffic, and of one with reads. */
#define PMU_TRAFFIC_NS 250000000

/*
 * Gets ready: the request's command, or, without one, reads by this program of
 * the device below `sys`: of config space, or else of a register of which it
 * is known that reading has no effect. Says in the preamble, under "traffic",
 * which. False after fail().
 */
bool pmu_traffic_open(struct pmu_traffic *traffic, const char *sys,
                      bool config);

/* Lets an interval pass. False after fail(), or if a signal has come. */
bool pmu_traffic_pass(struct pmu_traffic *traffic, bool busy);

void pmu_traffic_close(struct pmu_traffic *traffic);

#endif
