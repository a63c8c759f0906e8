/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start of a program, its signals, and its output. */
#include "common/base/debug.h"
#include "common/base/utf8.h"
#include "common/base/util.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio_ext.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

char *program_command;

static int deadly_signal;

/* A stream is due on stdout, and nothing is written yet. */
static bool owes_stream;

static struct {
	char *file;
	char *part;   /* FILE.part */
	int fd;       /* of FILE.part, locked by this process, or of FILE */
	bool to_part; /* stdout goes there */
	bool keep;
	pid_t child;       /* the program that reads stdout, or 0 */
	int memory;        /* the child's output if `end` is not NULL */
	const char *end;   /* the last characters of the child's output */
	int before;        /* a copy of the original stdout */
	char *const *then; /* the program to run at the end, or NULL */
} out = {.before = -1};

/* Signals that end a program without running atexit handlers. */
static const int deadly[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
                             SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2};

static bool
is_at(const char *name, const struct stat *is)
{
	struct stat now;

	return !lstat(name, &now) && now.st_dev == is->st_dev &&
	       now.st_ino == is->st_ino;
}

/* Not if another program has moved, removed or replaced it. */
static bool
has_part(void)
{
	struct stat is;

	return out.to_part && !fstat(out.fd, &is) && is_at(out.part, &is);
}

static void
remove_part(int number)
{
	if (has_part() && out.keep)
		rename(out.part, out.file);
	else if (has_part())
		unlink(out.part);
	if (out.end && out.child)
		kill(out.child, SIGTERM);
	signal(number, SIG_DFL);
	raise(number);
}

/* A filter survives the first SIGINT. */
static void
ignore_once(int number)
{
	signal(number, out.to_part ? remove_part : SIG_DFL);
}

static void
remove_by_signals(void)
{
	struct sigaction action = {.sa_handler = remove_part,
	                           .sa_flags = SA_RESTART},
	                 old;

	for (size_t i = 0; i < ARRAY_LEN(deadly); i++) {
		if (!sigaction(deadly[i], NULL, &old) &&
		    old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &action, NULL);
	}
}

/* Leaves streams that are -1 alone. 0, with errno, if it cannot be run. */
static pid_t
start(char *const argv[], int from, int to)
{
	posix_spawn_file_actions_t streams;
	posix_spawnattr_t attributes;
	sigset_t ignored;
	pid_t child;
	int error = 0;

	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGXFSZ);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &ignored);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&streams);
	if (from >= 0)
		error = posix_spawn_file_actions_adddup2(&streams, from,
		                                         STDIN_FILENO);
	if (to >= 0 && !error)
		error = posix_spawn_file_actions_adddup2(&streams, to,
		                                         STDOUT_FILENO);
	if (!error)
		error = posix_spawnp(&child, *argv, &streams, &attributes, argv,
		                     environ);
	posix_spawn_file_actions_destroy(&streams);
	posix_spawnattr_destroy(&attributes);
	errno = error;
	return error ? 0 : child;
}

/* Waits for the child; returns its status as a shell reports it. */
static int
wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return STATUS_TROUBLE;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
	                           : WEXITSTATUS(status);
}

/* The next run would replace FILE.part. */
static _Noreturn void
keep_part(int error)
{
	char *name = xasprintf("%s.XXXXXX", out.file);
	int fd = mkstemp(name);

	if (fd < 0 || close(fd) || rename(out.part, name))
		name = out.part;
	die("%s: %s: the output is in %s", out.file, strerror(error), name);
}

static void
put_in_place(void)
{
	bool ours = has_part();

	out.to_part = false;
	if (!ours)
		die("%s was moved, removed or replaced: %s is as it was",
		    out.part, out.file);
	if (rename(out.part, out.file))
		keep_part(errno);
}

static void
run_then(void)
{
	char *const *argv = out.then;
	pid_t child;

	out.then = NULL;
	if (!argv || !out.keep)
		return;
	child = start(argv, -1, out.before);
	if (child)
		wait_for(child);
	else
		warn_sys("%s", *argv);
}

/* Copies what the child has written, if it is whole, to the file. */
static void
copy_checked(int status)
{
	off_t size = lseek(out.memory, 0, SEEK_END);
	char last[16], part[BUFSIZ];
	ssize_t n =
	    pread(out.memory, last, sizeof last,
	          size > (off_t)sizeof last ? size - (off_t)sizeof last : 0);

	if (status || n < 0 ||
	    !memmem(last, (size_t)n, out.end, strlen(out.end)))
		die("%s: gnuplot drew only a part (status %d)", out.file,
		    status);
	for (off_t at = 0; at < size; at += n) {
		n = pread(out.memory, part, sizeof part, at);
		n = n > 0 ? write(out.fd, part, (size_t)n) : n;
		if (n <= 0)
			die_sys("%s", out.file);
	}
}

/* Runs once all output is written and stdout is closed. */
static void
finish_output(void)
{
	int status = out.child ? wait_for(out.child) : STATUS_OK;

	out.child = 0;
	if (out.end)
		copy_checked(status);
	if (status != STATUS_OK)
		exit(status);
	if (out.to_part)
		put_in_place();
	run_then();
}

/* Runs at every other exit: flushes first, then checks for errors. */
static void
abandon_output(void)
{
	stream_failed();
	if (!out.to_part && !out.child)
		return;
	fclose(stdout);
	if (out.child)
		wait_for(out.child);
	out.child = 0;
	if (out.to_part && out.keep)
		put_in_place();
	else if (has_part())
		unlink(out.part);
	out.to_part = false;
	run_then();
}

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
	if (atexit(abandon_output))
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

void
stream_failed(void)
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

bool
stdin_is_input(void)
{
	struct stat is;

	return !fstat(STDIN_FILENO, &is) && !S_ISCHR(is.st_mode);
}

void
filter_signals(void)
{
	struct sigaction old;
	struct sigaction once = {.sa_handler = ignore_once,
	                         .sa_flags = SA_RESTART};

	/* A shell starts a background job with SIGINT ignored: leave it so. */
	if (!isatty(STDIN_FILENO) && !sigaction(SIGINT, NULL, &old) &&
	    old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &once, NULL);
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
	if (error == EPIPE && out.end)
		die("%s: gnuplot ended early", out.file);
	if (error == EPIPE)
		end_by_signal(SIGPIPE);
	errno = error;
	die_sys("stdout");
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
	finish_output();
}

struct terminal_size
terminal_size_of(int fd)
{
	struct winsize size;

	if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size))
		return (struct terminal_size){0};
	return (struct terminal_size){size.ws_col, size.ws_row};
}

void
print_wrapped(size_t begin, size_t end, const char *text)
{
	char *words = xstrdup(text);

	print_words(stdout, begin, end, words);
	free(words);
}

struct terminal_size
terminal_size(void)
{
	return terminal_size_of(STDOUT_FILENO);
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

/* Output to a file or another program -------------------------------------- */

/* A dead process has lost its lock. */
static void
remove_dead_part(void)
{
	const int how = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	struct stat is;
	/* NFS locks only what is open for writing. */
	int fd = open(out.part, O_WRONLY | how);

	if (fd < 0 && errno == EACCES)
		fd = open(out.part, O_RDONLY | how);
	if (fd < 0 && errno == ENOENT)
		return;
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) || fstat(fd, &is) ||
	    !S_ISREG(is.st_mode))
		die("%s exists: another program writes it; otherwise "
		    "remove it",
		    out.part);
	if (is_at(out.part, &is)) {
		if (unlink(out.part))
			die_sys("%s", out.part);
		warn("%s of a killed program is replaced", out.part);
	}
	close(fd);
}

static void
create_part(mode_t mode, struct stat *is)
{
	for (;;) {
		out.fd = open(out.part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		              mode);
		if (out.fd < 0 && errno != EEXIST)
			die_sys("%s", out.part);
		if (out.fd < 0) {
			remove_dead_part();
			continue;
		}
		/* Not every file system has locks. */
		(void)flock(out.fd, LOCK_EX);
		if (fstat(out.fd, is))
			die_sys("%s", out.part);
		if (is_at(out.part, is))
			return;
		/* Another took it for that of a dead process. */
		close(out.fd);
	}
}

/* The part has inherited one of the directory, which may let others read it. */
static bool
copy_access_list(void)
{
	static const char name[] = "system.posix_acl_access";
	static char list[XATTR_SIZE_MAX];
	ssize_t n = getxattr(out.file, name, list, sizeof list);

	if (n >= 0)
		return !fsetxattr(out.fd, name, list, (size_t)n, 0);
	if (errno == ENODATA && !fremovexattr(out.fd, name))
		return true;
	return errno == ENODATA || errno == ENOTSUP;
}

/* Owner, mode and access list of the file that it replaces, if any, stay. */
static void
open_part(const struct stat *old)
{
	struct stat is;

	out.part = xasprintf("%s.part", out.file);
	create_part(old ? 0600 : 0666, &is);
	out.to_part = true;
	remove_by_signals();
	if (!old)
		return;
	if ((old->st_uid != is.st_uid || old->st_gid != is.st_gid) &&
	    fchown(out.fd, old->st_uid, old->st_gid))
		die("%s: only root can keep its owner and group: remove it "
		    "first",
		    out.file);
	if (!copy_access_list())
		die_sys("%s: its access list cannot be kept", out.file);
	if (old->st_mode != is.st_mode &&
	    fchmod(out.fd, old->st_mode & ALLPERMS))
		die_sys("%s", out.part);
}

void
output_to_file(const char *file)
{
	struct stat is;
	/* This follows a link only if the kernel allows it: realpath reads. */
	bool exists = !stat(file, &is);

	if (!strcmp(file, "-"))
		return;
	if (!exists && errno != ENOENT)
		die_sys("%s", file);
	if (!exists && !lstat(file, &is) && S_ISLNK(is.st_mode))
		die("%s: a link to a file that does not exist; touch creates "
		    "it",
		    file);
	out.before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (exists && !S_ISREG(is.st_mode)) {
		out.file = xstrdup(file);
		out.fd = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
	} else {
		/* The file behind a link, so that the link survives. */
		out.file = exists ? realpath(file, NULL) : xstrdup(file);
		if (!out.file || (exists && !is_at(out.file, &is)))
			die("%s: it changes", file);
		open_part(exists ? &is : NULL);
	}
	if (out.fd < 0 || dup2(out.fd, STDOUT_FILENO) < 0)
		die_sys("%s", file);
}

void
output_keep(void)
{
	out.keep = true;
}

bool
output_through(char *const argv[], const char *end)
{
	int fd[2];

	out.memory = end ? memfd_create("output", MFD_CLOEXEC) : -1;
	if ((end && out.memory < 0) || pipe2(fd, O_CLOEXEC))
		return false;
	if (end && !out.file) {
		out.file = xstrdup("stdout");
		out.fd =
		    fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	}
	out.child = start(argv, fd[0], out.memory);
	close(fd[0]);
	if (!out.child || dup2(fd[1], STDOUT_FILENO) < 0) {
		close(fd[1]);
		return false;
	}
	close(fd[1]);
	out.end = end;
	owes_stream = true;
	/* If the child ends early, it reports the error, not SIGPIPE. */
	signal(SIGPIPE, SIG_IGN);
	return true;
}

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
	if (survive && signal(SIGINT, ignore_once) == SIG_IGN)
		signal(SIGINT, SIG_IGN);
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

void
output_then(char *const argv[])
{
	out.then = argv;
}
