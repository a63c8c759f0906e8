/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the end of a program asks of output.c; util.h has what others need. */
#ifndef PCB_COMMON_BASE_OUTPUT_H
#define PCB_COMMON_BASE_OUTPUT_H

/*
 * Once all output is written and stdout is closed: exits or dies if it did not
 * arrive whole, else puts FILE.part in place and runs the program of
 * output_then.
 */
void output_finish(void);

/* The file of output_to_file, or "stdout", for messages. */
const char *output_name(void);

/* At every other exit: closes stdout, keeps or removes FILE.part. */
void output_abandon(void);

/*
 * Ignores the first SIGINT from now on; the next one removes FILE.part and ends
 * the program.
 */
void output_survive_interrupt(void);

/* The reader of stdout is gone: dies if that was gnuplot. */
void output_lost_reader(void);

#endif
