/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a program begins, ends its output and meets signals. */
#ifndef PCB_COMMON_BASE_PROGRAM_H
#define PCB_COMMON_BASE_PROGRAM_H

/* The command line as a shell would read it back. */
extern char *program_command;

/*
 * Sets program_name and program_command: the first line of main, before
 * getopt reorders argv. argv[0] becomes the name, too: it begins the messages
 * of getopt. Standard streams that are closed fail from then on, but no other
 * file takes their place; nor does a file that may not grow (SIGXFSZ) end the
 * program. Turns on the trace of PCB_DEBUG; an unknown category is a usage
 * error.
 */
void set_program(int argc, char *argv[]);

/*
 * The signal rules of a filter: the first SIGINT is ignored, so that Ctrl-C
 * on a whole pipe lets the filters finish what they got; a second one kills.
 * A reader that goes away (SIGPIPE) ends the filter quietly.
 */
void filter_signals(void);

/*
 * Ends the process as if `signal` had killed it, after the functions given
 * to atexit have run and what was written has been flushed.
 */
_Noreturn void end_by_signal(int signal);

/*
 * Flushes and closes stdout. Dies if anything written to it was lost, except
 * when the reader has gone (EPIPE): then it ends as by SIGPIPE. The last call
 * of every main.
 */
void close_stdout(void);

/*
 * Dies as close_stdout does if a write to stdout has already failed: for
 * long-running writers that should stop early.
 */
void check_stdout(void);

#endif
