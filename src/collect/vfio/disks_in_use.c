/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mounts, owners and processes of the disks of a controller. */
#include "collect/vfio/disks_in_use.h"

#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Whoever has it for himself: a mount, swap, RAID, a device mapper. */
static char *
find_owner(const char *disk)
{
	char *path = xasprintf("%s/%s", root_path("/dev"), disk);
	int fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC);
	char *why = NULL;

	if (fd >= 0) {
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

static char *
find_process(const char *disk)
{
	const char *proc = root_path("/proc");
	glob_t fds = {0};
	char *why = NULL;

	find_files(&fds, "%s/[0-9]*/fd/*", proc);
	for (size_t i = 0; !why && i < fds.gl_pathc; i++) {
		const char *number = fds.gl_pathv[i] + strlen(proc) + 1;
		char *name = device_name(fds.gl_pathv[i]);

		if (name && is_of_disk(name, disk))
			why =
			    xasprintf("/dev/%s is open in the process %.*s: "
			              "end that first",
			              name, (int)strcspn(number, "/"), number);
		free(name);
	}
	globfree(&fds);
	return why;
}

/*
 * A driver of user space, as of SPDK, by the file that uio has for it. That is
 * not opened here: closing it switches bus mastering off.
 */
static char *
find_driver(const char *sysfs, const char *bdf)
{
	glob_t files = {0};
	char *why = NULL;

	find_files(&files, "%s/devices/%s/uio/*", sysfs, bdf);
	for (size_t i = 0; !why && i < files.gl_pathc; i++)
		why = find_process(strrchr(files.gl_pathv[i], '/') + 1);
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

char *
disks_in_use(const char *sysfs, const char *bdf)
{
	glob_t disks = {0};
	char *why = find_driver(sysfs, bdf);

	find_files(&disks, "%s/devices/%s/nvme/nvme*", sysfs, bdf);
	find_files(&disks, "%s/devices/%s/nvme/nvme*/nvme*n*", sysfs, bdf);
	for (size_t i = 0; !why && i < disks.gl_pathc; i++) {
		char *disk = disk_name(disks.gl_pathv[i]);

		why = find_mount(disk);
		if (!why)
			why = find_owner(disk);
		if (!why)
			why = find_user(disk);
		if (!why)
			why = find_process(disk);
		free(disk);
	}
	globfree(&disks);
	return why;
}
