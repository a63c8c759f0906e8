/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summarises files of samples with pcb-stats. */
#ifndef PCB_DIFF_SUMMARISE_H
#define PCB_DIFF_SUMMARISE_H

#include "common/stream/table.h"

/* Whether the columns are those of samples: measures, but no statistic. */
bool are_samples(char *const name[], size_t n);

/*
 * The files to read for `n` operands: the output of pcb-stats replaces each
 * regular file of samples. `statistic` is the one to compare; pcb-stats
 * computes it if it is a percentile such as "p99.9". Ends the program if
 * pcb-stats fails. Call once; the names are valid until exit.
 */
char **summarise_samples(char *const operand[], size_t n,
                         const char *statistic);

/*
 * The names of these files in messages, for table_set_names: "pcb-stats" and
 * the operand if summarised, since lines are those of its output; else NULL.
 */
char *const *summarised_names(void);

/* The operand of the current row. */
const char *operand_of(const struct table *t);

#endif
