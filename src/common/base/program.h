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
 * What a program of a pipe writes that fails before it has written anything,
 * so that the next one is silent about having no input: see pcb-csv(5).
 * stream_failed writes it to stdout, if that is a pipe and neither
 * stream_begins has been called nor anything is written; every exit but that
 * by way of close_stdout calls it. stream_begins: stdout gets something else.
 */
#define FAILED_STREAM "# end: rows=0 complete=no\n"
void stream_begins(void);
void stream_failed(void);

/*
 * The signal rules of a filter: the first SIGINT is ignored, so that Ctrl-C
 * on a whole pipe lets the filters finish what they got; a second one kills.
 * Where stdin is a terminal the first one kills. A reader that goes away
 * (SIGPIPE) ends the filter quietly.
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

/* What close_stdout calls once all is written; NULL: nothing. */
extern void (*at_close)(void);

/*
 * Dies as close_stdout does if a write to stdout has already failed: for
 * long-running writers that should stop early.
 */
void check_stdout(void);

#endif
