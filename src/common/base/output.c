/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where stdout goes: to FILE.part, which replaces FILE once it is whole, and
 * through another program.
 */
#include "common/base/output.h"

#include "common/base/process.h"
#include "common/base/util.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The file that gets the output. */
static struct {
	char *name;
	char *part;   /* FILE.part */
	bool to_part; /* stdout goes there */
	int fd;       /* of FILE.part, locked by this process, or of FILE */
	bool keep;
} target = {.fd = -1};

/* The program that reads stdout. */
static struct {
	pid_t process;   /* or 0 */
	const char *end; /* the last characters of its output, or NULL */
	int memory;      /* its output if `end` is not NULL */
} reader;

/* The program to run at the end, or NULL, and its stdout. */
static char *const *then;
static int original_stdout = -1;

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

	return target.to_part && !fstat(target.fd, &is) &&
	       is_at(target.part, &is);
}

/* Also in a handler of a signal. */
static void
settle_part(void)
{
	if (!has_part())
		return;
	if (target.keep)
		rename(target.part, target.name);
	else
		unlink(target.part);
}

static void
end_by_handler(int number)
{
	settle_part();
	if (reader.end && reader.process)
		kill(reader.process, SIGTERM);
	signal(number, SIG_DFL);
	raise(number);
}

static void
ignore_once(int number)
{
	signal(number, target.part ? end_by_handler : SIG_DFL);
}

void
output_survive_interrupt(void)
{
	struct sigaction once = {.sa_handler = ignore_once,
	                         .sa_flags = SA_RESTART},
	                 old;

	/* A shell starts a background job with SIGINT ignored: leave it so. */
	if (!sigaction(SIGINT, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &once, NULL);
}

/* Those that end a program without running atexit handlers. */
static void
handle_signals(void)
{
	static const int deadly[] = {SIGINT,  SIGTERM, SIGHUP,
	                             SIGQUIT, SIGPIPE, SIGALRM,
	                             SIGXCPU, SIGUSR1, SIGUSR2};
	struct sigaction action = {.sa_handler = end_by_handler,
	                           .sa_flags = SA_RESTART},
	                 old;

	for (size_t i = 0; i < ARRAY_LEN(deadly); i++) {
		if (!sigaction(deadly[i], NULL, &old) &&
		    old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &action, NULL);
	}
}

/* The next run would replace FILE.part. */
static _Noreturn void
keep_part(int error)
{
	char *name = xasprintf("%s.XXXXXX", target.name);
	int fd = mkstemp(name);

	if (fd < 0 || close(fd) || rename(target.part, name))
		name = target.part;
	die("%s: %s: the output is in %s", target.name, strerror(error), name);
}

static void
put_in_place(void)
{
	bool ours = has_part();
	int error = ours && rename(target.part, target.name) ? errno : 0;

	target.to_part = false;
	if (!ours)
		die("%s was moved, removed or replaced: %s is as it was",
		    target.part, target.name);
	if (error)
		keep_part(error);
}

static void
run_then(void)
{
	char *const *argv = then;
	pid_t process;

	then = NULL;
	if (!argv || !target.keep)
		return;
	process = process_start(argv, -1, original_stdout);
	if (process)
		process_wait(process);
	else
		warn_sys("%s", *argv);
}

static int
wait_for_reader(void)
{
	int status = reader.process ? process_wait(reader.process) : STATUS_OK;

	reader.process = 0;
	return status;
}

/* Copies what the reader has written, if it is whole, to the file. */
static void
copy_checked(int status)
{
	off_t size = lseek(reader.memory, 0, SEEK_END);
	char last[16], some[BUFSIZ];
	ssize_t n =
	    pread(reader.memory, last, sizeof last,
	          size > (off_t)sizeof last ? size - (off_t)sizeof last : 0);

	if (status || n < 0 ||
	    !memmem(last, (size_t)n, reader.end, strlen(reader.end)))
		die("%s: gnuplot drew only a part (status %d)", target.name,
		    status);
	for (off_t at = 0; at < size; at += n) {
		n = pread(reader.memory, some, sizeof some, at);
		n = n > 0 ? write(target.fd, some, (size_t)n) : n;
		if (n <= 0)
			die_sys("%s", target.name);
	}
}

void
output_finish(void)
{
	int status = wait_for_reader();

	if (reader.end)
		copy_checked(status);
	if (status != STATUS_OK)
		exit(status);
	if (target.to_part)
		put_in_place();
	run_then();
}

void
output_abandon(void)
{
	if (!target.to_part && !reader.process)
		return;
	/* Flushes before the reader or the file is whole. */
	fclose(stdout);
	wait_for_reader();
	if (target.to_part && target.keep)
		put_in_place();
	settle_part();
	target.to_part = false;
	run_then();
}

void
output_lost_reader(void)
{
	if (reader.end)
		die("%s: gnuplot ended early", target.name);
}

/* A dead process has lost its lock. */
static void
remove_dead_part(void)
{
	const int how = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	struct stat is;
	/* NFS locks only what is open for writing. */
	int fd = open(target.part, O_WRONLY | how);

	if (fd < 0 && errno == EACCES)
		fd = open(target.part, O_RDONLY | how);
	if (fd < 0 && errno == ENOENT)
		return;
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) || fstat(fd, &is) ||
	    !S_ISREG(is.st_mode))
		die("%s exists: another program writes it; otherwise "
		    "remove it",
		    target.part);
	if (is_at(target.part, &is)) {
		if (unlink(target.part))
			die_sys("%s", target.part);
		warn("%s of a killed program is replaced", target.part);
	}
	close(fd);
}

static void
create_part(mode_t mode, struct stat *is)
{
	for (;;) {
		target.fd = open(target.part,
		                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (target.fd < 0 && errno != EEXIST)
			die_sys("%s", target.part);
		if (target.fd < 0) {
			remove_dead_part();
			continue;
		}
		/* Not every file system has locks. */
		(void)flock(target.fd, LOCK_EX);
		if (fstat(target.fd, is))
			die_sys("%s", target.part);
		if (is_at(target.part, is))
			return;
		/* Another took it for that of a dead process. */
		close(target.fd);
	}
}

/* The part has inherited one of the directory, which may let others read it. */
static bool
copy_access_list(void)
{
	static const char name[] = "system.posix_acl_access";
	static char list[XATTR_SIZE_MAX];
	ssize_t n = getxattr(target.name, name, list, sizeof list);

	if (n >= 0)
		return !fsetxattr(target.fd, name, list, (size_t)n, 0);
	if (errno == ENODATA && !fremovexattr(target.fd, name))
		return true;
	return errno == ENODATA || errno == ENOTSUP;
}

/* Owner, mode and access list of the file that it replaces, if any, stay. */
static void
open_part(const struct stat *old)
{
	struct stat is;

	target.part = xasprintf("%s.part", target.name);
	create_part(old ? 0600 : 0666, &is);
	target.to_part = true;
	handle_signals();
	if (!old)
		return;
	if ((old->st_uid != is.st_uid || old->st_gid != is.st_gid) &&
	    fchown(target.fd, old->st_uid, old->st_gid))
		die("%s: only root can keep its owner and group: remove it "
		    "first",
		    target.name);
	if (!copy_access_list())
		die_sys("%s: its access list cannot be kept", target.name);
	if (old->st_mode != is.st_mode &&
	    fchmod(target.fd, old->st_mode & ALLPERMS))
		die_sys("%s", target.part);
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
	original_stdout =
	    fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (exists && !S_ISREG(is.st_mode)) {
		target.name = xstrdup(file);
		target.fd = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
	} else {
		/* The file behind a link, so that the link survives. */
		target.name = exists ? realpath(file, NULL) : xstrdup(file);
		if (!target.name || (exists && !is_at(target.name, &is)))
			die("%s: it changes", file);
		open_part(exists ? &is : NULL);
	}
	if (target.fd < 0 || dup2(target.fd, STDOUT_FILENO) < 0)
		die_sys("%s", file);
}

const char *
output_name(void)
{
	return target.name ? target.name : "stdout";
}

void
output_keep(void)
{
	target.keep = true;
}

bool
output_through(char *const argv[], const char *end)
{
	int fd[2];

	reader.memory = end ? memfd_create("output", MFD_CLOEXEC) : -1;
	if ((end && reader.memory < 0) || pipe2(fd, O_CLOEXEC))
		return false;
	if (end && !target.name) {
		target.name = xstrdup("stdout");
		target.fd =
		    fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	}
	reader.process = process_start(argv, fd[0], reader.memory);
	close(fd[0]);
	if (!reader.process || dup2(fd[1], STDOUT_FILENO) < 0) {
		close(fd[1]);
		return false;
	}
	close(fd[1]);
	reader.end = end;
	/* If the reader ends early, it reports the error, not SIGPIPE. */
	signal(SIGPIPE, SIG_IGN);
	return true;
}

void
output_then(char *const argv[])
{
	then = argv;
}
