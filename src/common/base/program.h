/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start of a program, its signals, and the end of its output. */
#ifndef PCB_COMMON_BASE_PROGRAM_H
#define PCB_COMMON_BASE_PROGRAM_H

/* The command line, quoted so that a shell reads it back. */
extern char *program_command;

/*
 * The first line of main, before getopt reorders argv. Sets program_name and
 * program_command, and argv[0] to the name, because getopt starts its messages
 * with it. Reserves closed standard streams, so that no other file takes their
 * descriptors; ignores SIGXFSZ; enables the trace of PCB_DEBUG, where an
 * unknown category is a usage error.
 */
void set_program(int argc, char *argv[]);

/*
 * The output of a program that fails before it writes any: the next program of
 * the pipe then does not complain about missing input, see pcb-csv(5). Every
 * exit but that of close_stdout calls stream_failed, which writes it if stdout
 * is a pipe, is empty and stream_begins was not called. stream_begins announces
 * other output.
 */
#define FAILED_STREAM "# end: rows=0 complete=no\n"
void stream_begins(void);
void stream_failed(void);

/*
 * Signal handling of a filter: ignores the first SIGINT, so that after Ctrl-C
 * on a whole pipe the filters finish their input; the second one kills, and so
 * does the first one if stdin is a terminal. SIGPIPE ends the filter without a
 * message.
 */
void filter_signals(void);

/*
 * Runs the atexit handlers and flushes output, then ends the process as if
 * `signal` had killed it.
 */
_Noreturn void end_by_signal(int signal);

/*
 * Flushes and closes stdout. Dies if any output was lost; if the reader has
 * gone (EPIPE), ends as by SIGPIPE instead. The last call of every main.
 */
void close_stdout(void);

/* Called by close_stdout after the last write; NULL: nothing. */
extern void (*at_close)(void);

/*
 * Dies as close_stdout does if a write to stdout has already failed.
 * Long-running writers call it to stop early.
 */
void check_stdout(void);

#endif
