/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of changed settings in /run/pcb-tools. */
#include "collect/host/record.h"

#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
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
