/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that undoes changes, and records of them in /run/pcb-tools. */
#include "collect/host/record.h"

#include "common/base/debug.h"
#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARENT    "/run"
#define NAME      "pcb-tools"
#define DIRECTORY root_path(PARENT "/" NAME)

/* Tab-separated cells of a line; the longest kind of line has all. */
enum { KIND, PATH, BEFORE, WANTED, FIRST, SECOND, NCELLS };

/* The path without the root, so that it leads out of no root. */
static char *
portable_path(const char *path)
{
	char here[PATH_MAX];
	const char *below = root_relative(path);

	if (*below == '/' || !getcwd(here, sizeof here))
		return xstrdup(below);
	return xasprintf("%s/%s", here, below);
}

static void
write_change(FILE *f, const struct change *change)
{
	char *path = portable_path(change->path);
	const char *kind = change->already    ? "same"
	                   : change->name     ? "name"
	                   : change->lost     ? "lost"
	                   : change->override ? "driver"
	                   : change->wanted   ? "text"
	                                      : "bits";

	fprintf(f, "%s\t%s", kind, path);
	if (change->wanted)
		fprintf(f, "\t%s\t%s\t%s\n", change->before, change->wanted,
		        change->override ? change->override : "");
	else
		fprintf(f, "\t%u\t%u\t%u\t%jd\n", change->bits_before,
		        change->bits_wanted, change->mask,
		        (intmax_t)change->at);
	free(path);
}

/* Splits a line into cells, "" for missing ones; NULL ends them. */
static void
split(char *line, char *cell[NCELLS])
{
	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < NCELLS; i++) {
		cell[i] = line;
		line += strcspn(line, "\t");
		if (*line)
			*line++ = '\0';
	}
}

/* Parses a number that this program has written. */
static long
number(const char *cell)
{
	return strtol(cell, NULL, 10);
}

/* Adds the change in a line, which the caller frees; false if it has none. */
static bool
add_line(struct changes *c, char *cell[NCELLS])
{
	bool bits = !strcmp(cell[KIND], "bits");
	bool driver = !strcmp(cell[KIND], "driver");
	bool name = !strcmp(cell[KIND], "name");
	bool lost = name || !strcmp(cell[KIND], "lost");
	struct change change = {0};

	if (*cell[PATH] != '/' ||
	    (!bits && !driver && !lost && strcmp(cell[KIND], "text") != 0))
		return false;
	change.path = xstrdup(root_path(cell[PATH]));
	if (bits) {
		change.bits_before = (unsigned char)number(cell[BEFORE]);
		change.bits_wanted = (unsigned char)number(cell[WANTED]);
		change.mask = (unsigned char)number(cell[FIRST]);
		change.at = (off_t)strtoll(cell[SECOND], NULL, 10);
		change.byte = change.bits_before;
	} else {
		change.before = xstrdup(cell[BEFORE]);
		change.wanted = xstrdup(cell[WANTED]);
	}
	if (driver)
		change.override = xstrdup(cell[FIRST]);
	change.lost = lost;
	change.name = name;
	array_push(c->item, c->n, change);
	c->nchanged++;
	/* cppcheck-suppress memleak */
	return true;
}

/* Whether another run's line and these changes are about one setting. */
static bool
conflicts(const struct changes *c, char *cell[NCELLS])
{
	bool watched = !strcmp(cell[KIND], "same");

	for (size_t i = 0; i < c->n; i++) {
		char *own = portable_path(c->item[i].path);
		bool is = !strcmp(own, cell[PATH]) &&
		          !(watched && c->item[i].already);

		free(own);
		if (is)
			return true;
	}
	return false;
}

/* False, after a warning, if a running process has one of the settings. */
static bool
check_other(const struct changes *c, int fd)
{
	FILE *f = fdopen(dup(fd), "r");
	char *cell[NCELLS], *line = NULL;
	size_t size = 0;
	long process = 0;
	bool free_to_go = true;

	while (f && free_to_go && getline(&line, &size, f) >= 0) {
		split(line, cell);
		if (!strcmp(cell[KIND], "process"))
			process = number(cell[PATH]);
		else
			free_to_go = !conflicts(c, cell);
	}
	if (!free_to_go)
		warn("%s: process %ld changed it, or watches it: wait until it "
		     "ends",
		     cell[PATH], process);
	free(line);
	if (f)
		fclose(f);
	return free_to_go;
}

/*
 * Opens and locks the directory; follows no link out of another root. With
 * `make`, creates it if missing. NULL with errno.
 */
static DIR *
open_records(bool make, int lock)
{
	int parent = root_open(root_path(PARENT), O_PATH | O_DIRECTORY);
	int fd = -1, error;
	DIR *list;

	if (parent < 0)
		return NULL;
	if (!make || !mkdirat(parent, NAME, 0700) || errno == EEXIST)
		fd = openat(parent, NAME,
		            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	error = errno;
	close(parent);
	errno = error;
	list = fd < 0 ? NULL : fdopendir(fd);
	if (list)
		flock(fd, lock);
	return list;
}

/*
 * Opens the next record of this user, whose owner holds a lock on it, and
 * stores its name. -1 behind the last one, or if the list is NULL.
 */
static int
next_record(DIR *list, const char **name)
{
	struct dirent *entry;

	while (list && (entry = readdir(list))) {
		int fd = openat(dirfd(list), entry->d_name,
		                O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		struct stat file;

		*name = entry->d_name;
		if (fd >= 0 && !strchr(*name, '.') && !fstat(fd, &file) &&
		    S_ISREG(file.st_mode) && file.st_uid == geteuid() &&
		    !(file.st_mode & (S_IWGRP | S_IWOTH)))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

/* Whether the processes of a record are gone; it is locked then. */
static bool
is_left(int fd)
{
	return !flock(fd, LOCK_EX | LOCK_NB);
}

/*
 * Creates a record with the name of this process, or the next free one. False
 * with errno.
 */
static bool
create(struct record *r, int directory, const struct changes *c)
{
	char name[64];
	bool ok;
	FILE *f;
	int error;

	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof name, "%d-%d", (int)getpid(), i);
		r->fd = openat(directory, name,
		               O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (r->fd >= 0 || errno != EEXIST)
			break;
	}
	if (r->fd < 0)
		return false;
	r->path = xasprintf("%s/%s", DIRECTORY, name);
	f = flock(r->fd, LOCK_EX) ? NULL : fdopen(dup(r->fd), "w");
	if (f) {
		fprintf(f, "process\t%d\n", (int)getpid());
		for (size_t i = 0; i < c->n; i++)
			write_change(f, &c->item[i]);
	}
	ok = f && !fflush(f) && !ferror(f);
	error = errno;
	if (f)
		fclose(f);
	if (!ok) {
		record_remove(r, false);
		record_close(r);
	}
	errno = error;
	return ok;
}

const char *
record_write(struct record *r, const struct changes *c)
{
	DIR *list = c->n ? open_records(true, LOCK_EX) : NULL;
	const char *name, *why = NULL;
	int fd;

	while (!why && (fd = next_record(list, &name)) >= 0) {
		if (!is_left(fd) && !check_other(c, fd))
			why = "a setting";
		close(fd);
	}
	if (why)
		errno = EBUSY;
	else if (c->nchanged && (!list || !create(r, dirfd(list), c)))
		why = "the record of changes in " PARENT "/" NAME
		      ", without which nothing is changed";
	if (list)
		closedir(list);
	return why;
}

void
record_warn(void)
{
	/* Avoids a record that is being created and not locked yet. */
	DIR *list = open_records(false, LOCK_SH);
	const char *name;
	int fd;

	while ((fd = next_record(list, &name)) >= 0) {
		if (is_left(fd))
			warn("%s/%s: an earlier run left these settings "
			     "changed: "
			     "'pcb-collect restore' restores them",
			     DIRECTORY, name);
		close(fd);
	}
	if (list)
		closedir(list);
}

void
record_remove(const struct record *r, bool keep)
{
	char *aside = keep && r->path ? xasprintf("%s.old", r->path) : NULL;

	if (aside && !rename(r->path, aside))
		warn("%s: nothing else can be restored: this is left of the "
		     "record",
		     aside);
	else if (r->path)
		unlink(r->path);
	free(aside);
}

void
record_close(struct record *r)
{
	if (r->path)
		close(r->fd);
	free(r->path);
	*r = (struct record){0};
}

/* False if something could not be restored. */
static bool
restore_one(int fd, const char *name,
            bool (*put_back)(struct changes *c, bool valid))
{
	FILE *f = fdopen(dup(fd), "r");
	struct changes c = {0};
	char *cell[NCELLS], *line = NULL;
	size_t size = 0;
	bool ok = f;

	while (f && getline(&line, &size, f) >= 0) {
		split(line, cell);
		if (!add_line(&c, cell) && strcmp(cell[KIND], "process") != 0 &&
		    strcmp(cell[KIND], "same") != 0)
			ok = false;
	}
	if (f)
		fclose(f);
	free(line);
	if (!ok)
		warn("%s/%s: not a record of changes", DIRECTORY, name);
	c.record =
	    (struct record){xasprintf("%s/%s", DIRECTORY, name), dup(fd)};
	for (size_t i = 0; ok && i < c.n; i++)
		printf("%s\n", c.item[i].path);
	return put_back(&c, ok);
}

int
record_restore(bool (*put_back)(struct changes *c, bool valid))
{
	DIR *list = open_records(false, LOCK_EX);
	int status = STATUS_OK;
	const char *name;
	int fd;

	if (!list && errno != ENOENT)
		die_sys("%s", DIRECTORY);
	while ((fd = next_record(list, &name)) >= 0) {
		if (!is_left(fd))
			warn("%s/%s: its run has not ended: left unchanged",
			     DIRECTORY, name);
		else if (!restore_one(fd, name, put_back))
			status = STATUS_TROUBLE;
		close(fd);
	}
	if (list)
		closedir(list);
	return status;
}

/* Guardian ----------------------------------------------------------------- */

/* How often it tries, a second apart. */
#define TRIES 3

bool guardian_failed;

/*
 * Each try runs in its own process: if it dies for lack of memory or
 * descriptors, the next one can still finish the work.
 */
static int
try_undo(void (*undo)(void *data), void *data)
{
	pid_t process = fork();
	int status;

	if (!process) {
		undo(data);
		_exit(guardian_failed ? STATUS_NO : STATUS_OK);
	}
	if (process < 0)
		return STATUS_TROUBLE;
	while (waitpid(process, &status, 0) < 0) {
		if (errno != EINTR)
			return STATUS_TROUBLE;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_TROUBLE;
}

/* Closes everything else, which would stay open and use memory. */
static void
keep_only(int one, int other)
{
	int first = one < other ? one : other, last = one < other ? other : one;

	/* The kernel refuses empty ranges. */
	syscall(SYS_close_range, STDERR_FILENO + 1, first - 1, 0);
	syscall(SYS_close_range, first + 1, last - 1, 0);
	syscall(SYS_close_range, last + 1, INT_MAX, 0);
}

/*
 * The guardian ignores signals, is in its own session so that no signal to the
 * group kills it, and closes our output so that no reader waits for it.
 */
static _Noreturn void
guard(void (*undo)(void *data), void *data, int sock, int keep)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	char byte = 0;

	setsid();
	prctl(PR_SET_NAME, "pcb-guardian");
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	signal(SIGCHLD, SIG_DFL);
	/* Only root may; others keep their risk of being killed. */
	if (score >= 0 && write(score, "-1000", 5) < 0)
		debug(DEBUG_RESTORE, "oom_score_adj: %s", strerror(errno));
	keep_only(sock, keep > STDERR_FILENO ? keep : sock);
	/* If the parent is gone already, it has changed nothing. */
	if (write(sock, &byte, 1) != 1)
		_exit(STATUS_OK);
	while (read(sock, &byte, 1) < 0 && errno == EINTR)
		;
	debug(DEBUG_RESTORE, "guardian %d: undoing", (int)getpid());
	for (int i = 0; i < TRIES; i++) {
		int status = try_undo(undo, data);

		if (status == STATUS_OK || status == STATUS_NO)
			_exit(status);
		sleep(1);
	}
	_exit(STATUS_TROUBLE);
}

bool
guardian_start(struct guardian *g, void (*undo)(void *data), void *data)
{
	sigset_t all, before;
	int ends[2], error;
	ssize_t got;
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	/* All signals stay blocked in the guardian. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	g->process = fork();
	if (!g->process) {
		close(ends[1]);
		guard(undo, data, ends[0], g->keep);
	}
	error = g->process < 0 ? errno : ECHILD;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	g->sock = ends[1];
	g->undo = undo;
	g->data = data;
	/* It reports that it is ready. */
	do
		got = read(g->sock, &byte, 1);
	while (got < 0 && errno == EINTR);
	if (got == 1) {
		debug(DEBUG_RESTORE, "guardian %d: on guard", (int)g->process);
		return true;
	}
	close(g->sock);
	if (g->process > 0)
		waitpid(g->process, NULL, 0);
	g->process = 0;
	errno = error;
	return false;
}

void
guardian_end(struct guardian *g)
{
	int status = -1; /* unknown if SIGCHLD is ignored */
	pid_t ended;

	if (!g->process)
		return;
	close(g->sock);
	/* Continues the guardian if somebody has stopped it or does now. */
	do {
		kill(g->process, SIGCONT);
		ended = waitpid(g->process, &status, WUNTRACED);
	} while ((ended < 0 && errno == EINTR) ||
	         (ended > 0 && WIFSTOPPED(status)));
	g->process = 0;
	if (status >= 0 && WIFEXITED(status) &&
	    WEXITSTATUS(status) == STATUS_NO)
		guardian_failed = true;
	else if (status)
		g->undo(g->data);
}
