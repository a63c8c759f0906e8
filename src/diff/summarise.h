/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of samples, as pcb-stats summarises them. */
#ifndef PCB_DIFF_SUMMARISE_H
#define PCB_DIFF_SUMMARISE_H

#include <stdbool.h>
#include <stddef.h>

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

/* The operand that a file is read for: what messages call it. */
const char *operand_name(const char *file);

#endif
