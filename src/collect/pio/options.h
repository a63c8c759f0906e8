/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of benches in which the CPU reads. */
#ifndef PCB_COLLECT_PIO_OPTIONS_H
#define PCB_COLLECT_PIO_OPTIONS_H

#include "collect/core/request.h"

/* Values of --hold. */
enum hold_id {
	HOLD_IDLE,
	HOLD_GOVERNOR,
	HOLD_POWER,
	HOLD_PRIORITY,
	HOLD_ASPM,
	NHOLDS
};
extern const char *const hold_names[NHOLDS];

/* --path, --hold, --cross-traffic and --load-threads. */
extern const struct bench_option pio_bench_options[];

/* The columns of --cross-traffic and --load-threads. */
extern const struct option_column pio_columns[];

/* The values of --hold, as bits of enum hold_id. */
unsigned pio_holds(const struct request *request);

/* The number of other reading CPUs, by --load-threads; 0: none. */
uint64_t pio_load(const struct request *request);

#endif
