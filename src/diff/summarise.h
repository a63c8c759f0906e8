/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of samples, as pcb-stats summarises them. */
#ifndef PCB_DIFF_SUMMARISE_H
#define PCB_DIFF_SUMMARISE_H

#include "common/stream/table.h"

/* Whether columns are those of samples: measures, but no statistic of them. */
bool are_samples(char *const name[], size_t n);

/*
 * The files to read in place of `n` operands: a regular file of samples is
 * replaced by the output of pcb-stats, the others stay. `statistic` is what
 * will be compared; "p99.9" is asked of pcb-stats. Ends the program if
 * pcb-stats fails. To be called once; the names live as long as the program.
 */
char **summarise_samples(char *const operand[], size_t n,
                         const char *statistic);

/*
 * What messages about rows call those files, for table_set_names: "pcb-stats"
 * and the operand where it was summarised, whose lines they are; else NULL.
 */
char *const *summarised_names(void);

/* The operand that the current row is from. */
const char *operand_of(const struct table *t);

#endif
