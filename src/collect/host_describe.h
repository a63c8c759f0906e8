/* What the preamble says about the machine. */
#ifndef PCB_COLLECT_HOST_DESCRIBE_H
#define PCB_COLLECT_HOST_DESCRIBE_H

#include "common/preamble.h"

/* Records "date", of now in UTC. */
void host_describe_date(struct preamble *pre);

/*
 * Kernel, CPU, hypervisor, IOMMU, power management: "key: value" lines for
 * what can be read; the rest is left out. For backends that measure.
 */
void host_describe(struct preamble *pre);

#endif
