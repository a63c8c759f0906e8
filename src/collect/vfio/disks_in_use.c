/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mounts, owners and processes of the disks of a controller. */
#include "collect/vfio/disks_in_use.h"

#include "common/base/list.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* How often a ring that works is looked at, every 5 ms. */
#define RING_TRIES 20

/*
 * The disk "nvme0n1" itself, a partition of it, or the file "ng0n1" that takes
 * commands for it. The controller "nvme0" has none of the two.
 */
static bool
is_of_disk(const char *name, const char *disk)
{
	size_t length = strlen(disk);

	if (!strncmp(name, "ng", 2))
		return !strcmp(name + 2, disk + strlen("nvme"));
	return !strncmp(name, disk, length) &&
	       (!name[length] || name[length] == 'p');
}

/*
 * What the kernel calls the device that a file is, to free; NULL if it is none.
 * Its path may be another: containers name it as they like.
 */
static char *
device_name(const char *path)
{
	struct statx file;

	if (statx(AT_FDCWD, path, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC,
	          STATX_TYPE, &file) ||
	    (!S_ISBLK(file.stx_mode) && !S_ISCHR(file.stx_mode)))
		return NULL;
	return read_link_name("%s/%s/%u:%u", root_path("/sys/dev"),
	                      S_ISBLK(file.stx_mode) ? "block" : "char",
	                      file.stx_rdev_major, file.stx_rdev_minor);
}

static char *
find_mount(const char *disk)
{
	FILE *mounts = setmntent(root_path("/proc/self/mounts"), "re");
	struct mntent *entry;
	char *why = NULL;

	if (!mounts)
		die_if_short("/proc/self/mounts");
	while (mounts && !why && (entry = getmntent(mounts))) {
		if (!strncmp(entry->mnt_fsname, "/dev/", 5) &&
		    is_of_disk(entry->mnt_fsname + 5, disk))
			why = xasprintf("%s is mounted on %s: 'umount %s'",
			                entry->mnt_fsname, entry->mnt_dir,
			                entry->mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
	return why;
}

/*
 * The exclusive user of a disk: a mount, swap, RAID, a device mapper. Without
 * one, this program becomes it, which locks others out.
 */
static char *
claim_disk(const char *disk, struct disk_claims *claims)
{
	char *path = xasprintf("%s/%s", root_path("/dev"), disk);
	int fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC);
	char *why = NULL;
	struct stat file;

	if (fd >= 0 && !fstat(fd, &file) && !S_ISCHR(file.st_mode)) {
		array_push(claims->fd, claims->n, fd);
	} else if (fd >= 0) {
		close(fd);
	} else if (errno == EBUSY) {
		why = xasprintf("%s is swap, mounted elsewhere or part of "
		                "another device: 'lsblk %s' shows",
		                path, path);
	} else {
		die_if_short(path);
		why = xasprintf("%s cannot be opened, so it may be in use: %s",
		                path, strerror(errno));
	}
	free(path);
	return why;
}

/* The kernel itself, where it has not claimed it: by files that name it. */
static char *
find_user(const char *disk)
{
	const char *subsystems =
	    root_path("/sys/kernel/config/nvmet/subsystems");
	glob_t files = {0};
	char *why = NULL;

	find_files(&files, "%s/loop*/loop/backing_file",
	           root_path("/sys/block"));
	find_files(&files, "%s/*/namespaces/*/device_path", subsystems);
	find_files(&files, "%s/*/passthru/device_path", subsystems);
	for (size_t i = 0; !why && i < files.gl_pathc; i++) {
		char *path = read_first_line("%s", files.gl_pathv[i]);
		char *name = path ? device_name(path) : NULL;

		if (name && is_of_disk(name, disk))
			why = xasprintf("/dev/%s is used by the kernel, as %s "
			                "says: end that first",
			                name, files.gl_pathv[i]);
		free(name);
		free(path);
	}
	globfree(&files);
	return why;
}

/* Its last word, or NULL: a line "    3: /dev/nvme0n1" of registered files. */
static const char *
registered_file(char *line)
{
	char *colon = strchr(line, ':');
	const char *slash;

	line[strcspn(line, "\n")] = '\0';
	if (!colon || strspn(line, " 0123456789") != (size_t)(colon - line))
		return NULL;
	slash = strrchr(colon, '/');
	return slash ? slash + 1 : colon + 1 + strspn(colon + 1, " ");
}

/*
 * What a ring of io_uring(7) has registered, as proc(5) shows it in fdinfo. The
 * kernel shows none while the ring works: then `seen` stays false.
 */
static bool
ring_has(const char *fdinfo, const char *disk, bool *seen)
{
	FILE *f = fopen(fdinfo, "re");
	char *line = NULL;
	size_t size = 0;
	bool has = false;

	if (!f)
		die_if_short(fdinfo);
	while (f && !has && getline(&line, &size, f) >= 0) {
		const char *name = registered_file(line);

		*seen |= name || !strncmp(line, "UserFiles:\t0", 12);
		has = name && is_of_disk(name, disk);
	}
	*seen |= !f;
	free(line);
	if (f)
		fclose(f);
	return has;
}

static bool
is_ring(const char *path)
{
	char *name = read_link_name("%s", path);
	bool is = name && !strcmp(name, "anon_inode:[io_uring]");

	free(name);
	return is;
}

static bool
look_into_ring(const char *task, const char *number, const char *disk)
{
	const struct timespec moment = {.tv_nsec = 5000000};
	char *fdinfo = xasprintf("%s/fdinfo/%s", task, number);
	bool seen = false, has = false;

	for (int i = 0; i < RING_TRIES && !seen && !has; i++) {
		if (i)
			nanosleep(&moment, NULL);
		has = ring_has(fdinfo, disk, &seen);
	}
	free(fdinfo);
	return has;
}

static bool
is_claim(const struct disk_claims *claims, pid_t process, int fd)
{
	for (size_t i = 0; i < claims->n; i++) {
		if (claims->fd[i] == fd)
			return process == getpid();
	}
	return false;
}

/* The disk that a task has open, except by our claims; to free, or NULL. */
static char *
open_disk(const char *task, pid_t process, const char *disk,
          const struct disk_claims *claims)
{
	glob_t fds = {0};
	char *found = NULL;

	find_files(&fds, "%s/fd/*", task);
	for (size_t i = 0; !found && i < fds.gl_pathc; i++) {
		const char *path = fds.gl_pathv[i];
		const char *number = strrchr(path, '/') + 1;
		char *name = device_name(path);

		if (name && is_of_disk(name, disk) &&
		    !is_claim(claims, process, (int)strtol(number, NULL, 10)))
			found = xstrdup(name);
		else if (!name && is_ring(path) &&
		         look_into_ring(task, number, disk))
			found = xstrdup(disk);
		free(name);
	}
	globfree(&fds);
	return found;
}

static pid_t
task_number(const char *path)
{
	return (pid_t)strtol(path, NULL, 10);
}

/* By kcmp(2); not, where the kernel does not say. */
static bool
shares_files(pid_t process, pid_t task)
{
	return process != task &&
	       !syscall(SYS_kcmp, process, task, KCMP_FILES, 0, 0);
}

/* Whether only a user with more rights sees its files. */
static bool
is_hidden(const char *task)
{
	char *files = xasprintf("%s/fd", task);
	char *program = xasprintf("%s/exe", task);
	char byte;
	bool hidden = (faccessat(AT_FDCWD, files, R_OK | X_OK, AT_EACCESS) ||
	               readlink(program, &byte, 1) < 0) &&
	              errno == EACCES;

	free(program);
	free(files);
	return hidden;
}

/* One task's, to free; NULL: the disk is not among them. */
static char *
find_in_task(const char *task, pid_t process, const char *disk,
             const struct disk_claims *claims)
{
	pid_t number = task_number(strrchr(task, '/') + 1);
	char *name = shares_files(process, number)
	                 ? NULL
	                 : open_disk(task, process, disk, claims);
	char *why = name ? xasprintf("/dev/%s is open in the process %d: "
	                             "end that first",
	                             name, process)
	                 : NULL;

	free(name);
	return why;
}

/* Each thread may have files of its own, and outlive the first one. */
static char *
find_process(const char *disk, const struct disk_claims *claims)
{
	const char *proc = root_path("/proc");
	glob_t tasks = {0};
	pid_t hidden = 0;
	char *why = NULL;

	find_files(&tasks, "%s/[0-9]*/task/[0-9]*", proc);
	for (size_t i = 0; !why && i < tasks.gl_pathc; i++) {
		const char *task = tasks.gl_pathv[i];
		pid_t process = task_number(task + strlen(proc) + 1);

		if (is_hidden(task))
			hidden = process;
		else
			why = find_in_task(task, process, disk, claims);
	}
	if (!why && hidden)
		why = xasprintf("/dev/%s may be open in the process %d, whose "
		                "files only root or CAP_SYS_PTRACE with "
		                "CAP_DAC_READ_SEARCH can see",
		                disk, hidden);
	globfree(&tasks);
	return why;
}

/*
 * A driver of user space, as of SPDK, by the file that uio has for it. That is
 * not opened here: closing it switches bus mastering off.
 */
static char *
find_driver(const char *sysfs, const char *bdf)
{
	static const struct disk_claims none;
	glob_t files = {0};
	char *why = NULL;

	find_files(&files, "%s/devices/%s/uio/*", sysfs, bdf);
	for (size_t i = 0; !why && i < files.gl_pathc; i++)
		why = find_process(strrchr(files.gl_pathv[i], '/') + 1, &none);
	globfree(&files);
	return why;
}

/* A path "nvme0c1n2" of the kernel's multipath leads to "nvme0n2". */
static char *
disk_name(const char *path)
{
	char *name = xstrdup(strrchr(path, '/') + 1);
	char *first = strchr(name, 'c');
	const char *rest = strrchr(name, 'n');

	if (first && rest > first)
		memmove(first, rest, strlen(rest) + 1);
	return name;
}

/* Numbers of disks change, except that of the namespace. */
static void
keep_file(const char *function, const char *disk, bool alone, const char *path,
          struct changes *changes)
{
	const char *file = strstr(path, "/queue/");
	char *again = alone ? xasprintf("%s/nvme/nvme*/nvme*%s%s", function,
	                                strrchr(disk, 'n'), file)
	                    : xstrdup(path);

	changes_add_lost(changes, function, path, again);
	free(again);
}

/*
 * What is put back first comes last: a scheduler resets the others. `alone`:
 * not one of several paths to the disk.
 */
static void
keep_queue(const char *function, const char *disk, bool alone,
           struct changes *changes)
{
	char *queue = xasprintf("%s/%s/queue", root_path("/sys/block"), disk);
	char *scheduler = xasprintf("%s/scheduler", queue);
	glob_t files = {0};

	find_files(&files, "%s/iosched/*", queue);
	find_files(&files, "%s/*", queue);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		if (strcmp(files.gl_pathv[i], scheduler) != 0)
			keep_file(function, disk, alone, files.gl_pathv[i],
			          changes);
	}
	keep_file(function, disk, alone, scheduler, changes);
	globfree(&files);
	free(scheduler);
	free(queue);
}

char *
disks_in_use(const char *sysfs, const char *bdf, struct disk_claims *claims)
{
	glob_t disks = {0};
	char *why = find_driver(sysfs, bdf);

	find_files(&disks, "%s/devices/%s/nvme/nvme*", sysfs, bdf);
	find_files(&disks, "%s/devices/%s/nvme/nvme*/nvme*n*", sysfs, bdf);
	for (size_t i = 0; !why && i < disks.gl_pathc; i++) {
		char *disk = disk_name(disks.gl_pathv[i]);

		why = find_mount(disk);
		if (!why)
			why = claim_disk(disk, claims);
		if (!why)
			why = find_user(disk);
		if (!why)
			why = find_process(disk, claims);
		free(disk);
	}
	globfree(&disks);
	return why;
}

void
disks_keep_settings(const char *sysfs, const char *bdf, struct changes *changes)
{
	char *function = xasprintf("%s/devices/%s", sysfs, bdf);
	glob_t disks = {0};

	find_files(&disks, "%s/nvme/nvme*/nvme*n*", function);
	for (size_t i = 0; i < disks.gl_pathc; i++) {
		char *disk = disk_name(disks.gl_pathv[i]);

		keep_queue(function, disk,
		           !strcmp(disk, strrchr(disks.gl_pathv[i], '/') + 1),
		           changes);
		free(disk);
	}
	globfree(&disks);
	free(function);
}

void
disks_release(struct disk_claims *claims)
{
	for (size_t i = 0; i < claims->n; i++)
		close(claims->fd[i]);
	free(claims->fd);
	*claims = (struct disk_claims){0};
}
