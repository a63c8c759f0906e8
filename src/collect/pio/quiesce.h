/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the machine quiet during a measurement: --hold. */
#ifndef PCB_COLLECT_PIO_QUIESCE_H
#define PCB_COLLECT_PIO_QUIESCE_H

#include "collect/host/restore.h"
#include "collect/pio/targets.h"

/* Values of --hold. */
enum hold_id {
	HOLD_IDLE,
	HOLD_GOVERNOR,
	HOLD_POWER,
	HOLD_PRIORITY,
	HOLD_ASPM,
	NHOLDS
};

/* Parses a list of their names into bits. NULL, or why not. */
const char *hold_parse(const char *text, unsigned *holds);

/* Whether --hold has it. */
bool hold_asked(const struct request *request, enum hold_id id);

/* Zero-initialise; release with quiesce_end. */
struct quiesce {
	struct changes changes;
	char *aspm, *power; /* BDFs of changed functions, separated by blanks */
	int latency_file;   /* keeps CPUs from idle states; or 0 */
	bool real_time;
};

/*
 * Applies --hold: ASPM and power management of all functions on the paths to
 * the targets, the governor of this CPU. Records it under "held". False after
 * fail() if something is refused or does not exist here.
 */
bool quiesce_begin(struct session *s, struct quiesce *h,
                   const struct targets *targets, int cpu);

/* Restores everything. */
void quiesce_end(struct quiesce *h);

#endif
