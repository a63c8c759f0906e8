/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is held still while it is measured, because the user asked for it. */
#ifndef PCB_COLLECT_PIO_QUIESCE_H
#define PCB_COLLECT_PIO_QUIESCE_H

#include "collect/host/restore.h"
#include "collect/pio/options.h"
#include "collect/pio/targets.h"

/* Zero-initialise; release with quiesce_end. */
struct quiesce {
	struct changes changes;
	char *aspm, *power; /* what was changed, BDFs with " " between */
	int latency_file;   /* holds off idle states; or 0 */
	bool real_time;
};

/*
 * Does what --hold says: ASPM and power management of all functions on the way
 * to the targets, the governor of this CPU. Records it under "held". False
 * after fail() if something is refused or does not exist here.
 */
bool quiesce_begin(struct session *s, struct quiesce *h,
                   const struct targets *targets, int cpu);

/* Call it after the measurement: warns of settings that did not stay held. */
void quiesce_check(const struct quiesce *h);

/* Puts everything back. */
void quiesce_end(struct quiesce *h);

#endif
