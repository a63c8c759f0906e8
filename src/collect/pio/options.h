/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of benches in which the CPU reads. */
#ifndef PCB_COLLECT_PIO_OPTIONS_H
#define PCB_COLLECT_PIO_OPTIONS_H

#include "collect/core/request.h"

/* What --hold may name. */
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

/* What --hold names: a bit for each enum hold_id. */
unsigned pio_holds(const struct request *request);

/* How many CPUs read besides, by --load; 0: none. */
uint64_t pio_load(const struct request *request);

#endif
