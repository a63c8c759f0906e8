/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start of a program, its streams and signals, and its end. */
#include "common/base/debug.h"
#include "common/base/output.h"
#include "common/base/utf8.h"
#include "common/base/util.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio_ext.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char *program_command;

static int deadly_signal;

/* A stream is due on stdout, and nothing is written yet. */
static bool owes_stream;

/* Writes `arg` quoted so that a shell reads it back as one word. */
static void
write_quoted(FILE *to, const char *arg)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789_-+=:,./@%";

	if (*arg && !arg[strspn(arg, plain)]) {
		fputs(arg, to);
		return;
	}
	fputc('\'', to);
	for (; *arg; arg++) {
		if (*arg == '\'')
			fputs("'\\''", to);
		else
			fputc(*arg, to);
	}
	fputc('\'', to);
}

/*
 * Without this, the next file opened takes the descriptor of a closed stream,
 * and a device gets our messages. The reserved streams are open for the wrong
 * direction, so that their use fails. A non-blocking stream, as ssh(1) leaves
 * behind, becomes blocking: otherwise a write fails when the reader is slow.
 */
static void
keep_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int flags = fcntl(fd, F_GETFL);

		if (flags < 0 && errno == EBADF)
			flags = open("/dev/null", fd ? O_RDONLY : O_WRONLY);
		else if (flags > 0 && flags & O_NONBLOCK)
			(void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
		if (flags < 0)
			die_sys("/dev/null");
	}
}

char *
shell_word(const char *word)
{
	struct composed c;
	FILE *f = compose_begin(&c);

	write_quoted(f, word);
	return compose_end(&c, f);
}

static void
fail_stream(void)
{
	struct stat to;

	if (!owes_stream || __fpending(stdout) || fstat(STDOUT_FILENO, &to) ||
	    !(S_ISFIFO(to.st_mode) || S_ISSOCK(to.st_mode)))
		return;
	owes_stream = false;
	/* The reader may have gone; the exit status stays the same. */
	signal(SIGPIPE, SIG_IGN);
	if (write(STDOUT_FILENO, FAILED_STREAM, strlen(FAILED_STREAM)) < 0)
		return;
}

/* Runs at every exit but that of close_stdout. */
static void
fail_output(void)
{
	fail_stream();
	output_abandon();
}

void
set_program(int argc, char *argv[])
{
	/* One write per line: the programs of a pipe share a terminal. */
	static char line[BUFSIZ];
	struct composed command;
	const char *trace = getenv("PCB_DEBUG"), *units = getenv("PCB_UNITS");
	FILE *f;

	setvbuf(stderr, line, _IOLBF, sizeof line);
	if (argc && *argv[0])
		program_name = argv[0] = basename(argv[0]);
	f = compose_begin(&command);
	fputs(program_name, f);
	for (int i = 1; i < argc; i++) {
		fputc(' ', f);
		write_quoted(f, argv[i]);
	}
	program_command = compose_end(&command, f);
	keep_standard_streams();
	owes_stream = true;
	if (atexit(fail_output))
		die("out of memory");
	/* Exceeding ulimit -f gives an error with a message. */
	signal(SIGXFSZ, SIG_IGN);
	if (trace && *trace)
		debug_enable("PCB_DEBUG", trace);
	if (units && strcmp(units, "bytes") != 0 && *units)
		die_usage("PCB_UNITS '%s': the only setting is bytes", units);
	shows_bytes = units && *units;
}

void
stream_begins(void)
{
	owes_stream = false;
}

bool
stdin_is_input(void)
{
	struct stat is;

	return !fstat(STDIN_FILENO, &is) && !S_ISCHR(is.st_mode);
}

void
filter_signals(void)
{
	if (!isatty(STDIN_FILENO))
		output_survive_interrupt();
	signal(SIGPIPE, SIG_DFL);
}

/*
 * exit runs handlers in reverse order, and first those that handlers register.
 * Only a destructor runs after all of them, so that is where the signal is
 * raised.
 */
__attribute__((destructor)) static void
raise_at_exit(void)
{
	sigset_t set;

	if (!deadly_signal)
		return;
	fflush(NULL); /* exit flushes only after the destructors */
	signal(deadly_signal, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, deadly_signal);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(deadly_signal);
}

void
end_by_signal(int signal)
{
	deadly_signal = signal;
	exit(128 + signal);
}

static _Noreturn void
stdout_failed(int error)
{
	if (error == EPIPE) {
		output_lost_reader();
		end_by_signal(SIGPIPE);
	}
	errno = error;
	die_sys("%s", output_name());
}

void
check_stdout(void)
{
	if (ferror(stdout))
		stdout_failed(errno ? errno : EIO);
}

void
close_stdout(void)
{
	int lost = ferror(stdout);

	owes_stream = false;
	errno = 0;
	if (fclose(stdout) || lost)
		stdout_failed(errno ? errno : EIO);
	output_finish();
}

bool
terminal_has_colours(void)
{
	const char *no = getenv("NO_COLOR"), *name = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) &&
	       !(name && !strcmp(name, "dumb"));
}

bool shows_bytes;

struct rate_unit
rate_unit(void)
{
	return shows_bytes ? (struct rate_unit){"GB/s", 8}
	                   : (struct rate_unit){"Gbit/s", 1};
}

/* Other programs ----------------------------------------------------------- */

/* Runs a program to its end; its wait status. `err` is -1 for this stderr. */
static int
run(const char *path, char *const argv[], int out_fd, int err, bool survive)
{
	pid_t parent = getpid(), pid = out_fd < 0 ? -1 : fork();
	int status;

	if (!pid) {
		/* Nobody else reads what it writes. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() == parent && dup2(out_fd, STDOUT_FILENO) >= 0 &&
		    (err < 0 || dup2(err, STDERR_FILENO) >= 0))
			execvp(path, argv);
		warn_sys("%s", path);
		_exit(STATUS_TROUBLE);
	}
	if (survive)
		output_survive_interrupt();
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid < 0)
		die_sys("%s", path);
	if (WIFSIGNALED(status) && !(survive && WTERMSIG(status) == SIGINT))
		die("%s died: %s", path, strsignal(WTERMSIG(status)));
	return status;
}

char *
program_output(const char *path, char *const argv[], bool survive)
{
	int file = memfd_create(*argv, MFD_CLOEXEC);
	int status = run(path, argv, file, -1, survive);

	if (WIFEXITED(status) && WEXITSTATUS(status))
		exit(WEXITSTATUS(status));
	return xasprintf("/proc/self/fd/%d", file);
}

char *
program_try(char *const argv[], char **messages)
{
	int file = memfd_create(*argv, MFD_CLOEXEC);
	int err = memfd_create(*argv, MFD_CLOEXEC);
	int status = run(*argv, argv, file, err, false);
	FILE *said = err < 0 ? NULL : fdopen(err, "r");
	size_t size = 0;

	*messages = NULL;
	if (!said || fseek(said, 0, SEEK_SET) ||
	    (getdelim(messages, &size, '\0', said) < 0 && !feof(said)))
		die_sys("%s", *argv);
	fclose(said);
	if (!WEXITSTATUS(status))
		return xasprintf("/proc/self/fd/%d", file);
	close(file);
	return NULL;
}
