/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binds a function to vfio-pci, unless its disks are in use. */
#include "collect/vfio/claim.h"

#include "collect/vfio/vfio.h"
#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
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

#define DRIVER "vfio-pci"

/* Looks at a busy ring, one every 5 ms. */
#define RING_TRIES 20

/* The users of a controller's disks -----------------------------------------
 */

/*
 * Whether it is the disk "nvme0n1", a partition of it, or the file "ng0n1" that
 * takes commands for it. The controller "nvme0" has neither.
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
 * The kernel's name of the device that a file is (free it); NULL if it is none.
 * Paths may differ: containers choose their own.
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
 * The exclusive user of a disk: a mount, swap, RAID, device mapper. If there is
 * none, this program becomes it and locks others out.
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

/* Kernel users that have not claimed it, by the files that name it. */
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

/* The last word of a line "    3: /dev/nvme0n1" in fdinfo, or NULL. */
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

/* Whether a ring has registered the disk, as far as the kernel shows. */
enum holds { HOLDS_NOT, HOLDS, HOLDS_PERHAPS };

/*
 * Whether an io_uring(7) has registered the disk, by its fdinfo, proc(5). The
 * kernel hides the files while the ring is busy.
 */
static enum holds
ring_holds(const char *fdinfo, const char *disk)
{
	FILE *f = fopen(fdinfo, "re");
	enum holds holds = f ? HOLDS_PERHAPS : HOLDS_NOT;
	char *line = NULL;
	size_t size = 0;

	if (!f)
		die_if_short(fdinfo);
	while (f && holds != HOLDS && getline(&line, &size, f) >= 0) {
		const char *name = registered_file(line);

		if (name && is_of_disk(name, disk))
			holds = HOLDS;
		else if (name || !strncmp(line, "UserFiles:\t0", 12))
			holds = HOLDS_NOT;
	}
	free(line);
	if (f)
		fclose(f);
	return holds;
}

static char *
say_open(const char *name, pid_t process)
{
	return xasprintf("/dev/%s is open in the process %d: end that first",
	                 name, process);
}

/* Why a ring prevents use of the disk (free it), or NULL. */
static char *
look_into_ring(const char *task, const char *number, pid_t process,
               const char *disk)
{
	const struct timespec moment = {.tv_nsec = 5000000};
	char *fdinfo = xasprintf("%s/fdinfo/%s", task, number);
	enum holds holds = ring_holds(fdinfo, disk);

	for (int i = 1; i < RING_TRIES && holds == HOLDS_PERHAPS; i++) {
		nanosleep(&moment, NULL);
		holds = ring_holds(fdinfo, disk);
	}
	free(fdinfo);
	if (holds == HOLDS_PERHAPS)
		return xasprintf("/dev/%s may be registered with io_uring in "
		                 "the process %d, whose files the kernel does "
		                 "not show: end that first",
		                 disk, process);
	return holds == HOLDS ? say_open(disk, process) : NULL;
}

/* Why a task prevents use of the disk, except by our claims; free it. */
static char *
look_into_task(const char *task, pid_t process, const char *disk,
               const struct disk_claims *claims)
{
	glob_t fds = {0};
	char *why = NULL;

	find_files(&fds, "%s/fd/*", task);
	for (size_t i = 0; !why && i < fds.gl_pathc; i++) {
		const char *path = fds.gl_pathv[i];
		const char *number = strrchr(path, '/') + 1;
		int fd = (int)strtol(number, NULL, 10);
		char *name = device_name(path);
		char *link = name ? NULL : read_link_name("%s", path);
		bool ours = false;

		for (size_t k = 0; process == getpid() && k < claims->n; k++)
			ours = ours || claims->fd[k] == fd;
		if (name && is_of_disk(name, disk) && !ours)
			why = say_open(name, process);
		else if (link && !strcmp(link, "anon_inode:[io_uring]"))
			why = look_into_ring(task, number, process, disk);
		free(link);
		free(name);
	}
	globfree(&fds);
	return why;
}

/* Whether a user needs more rights to see its files. */
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

/*
 * Threads may have their own descriptors, and outlive the first one; kcmp(2)
 * tells which share them.
 */
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
		const char *number = strrchr(task, '/') + 1;
		pid_t process =
		    (pid_t)strtol(task + strlen(proc) + 1, NULL, 10);
		pid_t thread = (pid_t)strtol(number, NULL, 10);

		if (is_hidden(task))
			hidden = process;
		else if (process == thread ||
		         syscall(SYS_kcmp, process, thread, KCMP_FILES, 0, 0))
			why = look_into_task(task, process, disk, claims);
	}
	if (!why && hidden)
		why = xasprintf("/dev/%s may be open in the process %d, whose "
		                "files only root or CAP_SYS_PTRACE with "
		                "CAP_DAC_READ_SEARCH can see",
		                disk, hidden);
	globfree(&tasks);
	return why;
}

/* With multipath, a path "nvme0c1n2" leads to "nvme0n2". */
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

/* Numbers of disks may change, except the namespace's. */
static void
keep_file(const char *function, const char *disk, bool alone, const char *path,
          struct changes *changes)
{
	const char *file = strstr(path, "/queue/");
	char *again = alone ? xasprintf("%s/nvme/nvme*/nvme*%s%s", function,
	                                strrchr(disk, 'n'), file)
	                    : xstrdup(path);

	changes_add_lost(changes, path, again);
	free(again);
}

/*
 * Restored last, the scheduler would reset the other settings, so it is planned
 * last. `alone`: the disk has no other path.
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
	static const struct disk_claims none;
	glob_t files = {0}, disks = {0};
	char *why = NULL;

	/*
	 * A user-space driver, such as SPDK's, through the uio file. Does not
	 * open that: closing it would disable bus mastering.
	 */
	find_files(&files, "%s/devices/%s/uio/*", sysfs, bdf);
	for (size_t i = 0; !why && i < files.gl_pathc; i++)
		why = find_process(strrchr(files.gl_pathv[i], '/') + 1, &none);
	globfree(&files);
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

/* Plans to restore the settings of the disks, which their driver creates anew.
 */
static void
keep_settings(const char *sysfs, const char *bdf, struct changes *changes)
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

/* Claiming ------------------------------------------------------------------
 */

static char *
how_to_give(const struct pci_tree *tree, const struct pci_function *f)
{
	char *unbind =
	    *f->driver ? xasprintf("echo %s > %s/devices/%s/driver/unbind; ",
	                           f->bdf, tree->sysfs, f->bdf)
	               : xstrdup("");
	char *all = xasprintf("'echo " DRIVER " > %s/devices/%s/"
	                      "driver_override; %secho %s > %s/drivers_probe'",
	                      tree->sysfs, f->bdf, unbind, f->bdf, tree->sysfs);

	free(unbind);
	return all;
}

/* The first other function of the group that a driver uses, or NULL. */
static const struct pci_function *
find_neighbour(const struct pci_tree *tree, const struct pci_function *f)
{
	const struct pci_function *found = NULL;
	char *path =
	    xasprintf("%s/devices/%s/iommu_group/devices", tree->sysfs, f->bdf);
	DIR *group = opendir(path);
	struct dirent *entry;

	if (!group)
		die_if_short(path);
	while (group && !found && (entry = readdir(group))) {
		const struct pci_function *other =
		    pci_find(tree, entry->d_name);

		/* Others have no DMA of their own: vfio_dev_viable in Linux. */
		if (other && other != f && *other->driver &&
		    !strstr(other->driver, "vfio") &&
		    strcmp(other->driver, "pci-stub") != 0 &&
		    strcmp(other->driver, "pcieport") != 0)
			found = other;
	}
	if (group)
		closedir(group);
	free(path);
	return found;
}

char *
claim_obstacle(const struct pci_tree *tree, const struct pci_function *f,
               bool taking)
{
	const struct pci_function *neighbour = find_neighbour(tree, f);
	char *group = vfio_group(tree, f), *why = NULL;
	char *driver = xasprintf("%s/drivers/" DRIVER, tree->sysfs);
	bool missing = access(driver, F_OK);
	char *how = how_to_give(tree, neighbour ? neighbour : f);

	free(driver);
	if (!group)
		why = xstrdup("behind no IOMMU, which VFIO needs: boot with "
		              "intel_iommu=on or amd_iommu=on, and with the "
		              "IOMMU on in the firmware's setup");
	else if (missing)
		why = xstrdup("there is no " DRIVER ": 'modprobe " DRIVER "'");
	else if (neighbour)
		why = xasprintf("%s is in its IOMMU group and bound to %s, and "
		                "VFIO gives whole groups only: %s",
		                neighbour->bdf, neighbour->driver, how);
	else if (!taking && !strstr(f->driver, "vfio"))
		why = xasprintf("bound to %s, not to " DRIVER
		                ": -O unbind=yes unbinds it during the "
		                "measurement, or do it yourself: %s",
		                *f->driver ? f->driver : "no driver", how);
	free(how);
	free(group);
	return why;
}

static bool
refuse(struct session *s, const struct pci_function *f, char *why)
{
	fail(s, STATUS_ABSENT, "%s: %s", f->bdf, why);
	free(why);
	return false;
}

/*
 * Plans the driver, the settings that it forgets, and runtime power management,
 * which vfio-pci leaves as "on" and which is restored last.
 */
static bool
rebind(struct session *s, const struct pci_tree *tree,
       const struct pci_function *f, struct changes *changes)
{
	char *directory = xasprintf("%s/devices/%s", tree->sysfs, f->bdf);
	char *power = xasprintf("%s/power/control", directory);
	const char *refused;
	bool planned;

	changes_add_text(changes, power, "on");
	keep_settings(tree->sysfs, f->bdf, changes);
	planned = changes_add_driver(changes, directory, DRIVER);
	free(power);
	free(directory);
	if (!planned)
		return fail(s, STATUS_ABSENT,
		            "-O unbind=yes: %s: driver_override: %s", f->bdf,
		            strerror(errno));
	refused = changes_make(changes);
	return !refused ||
	       fail(s, STATUS_ABSENT, "-O unbind=yes: %s: %s%s", refused,
	            errno ? strerror(errno) : "another driver has it",
	            errno == EACCES ? " (root only)" : "");
}

bool
claim_option(struct session *s, const struct backend_option *options,
             bool *allowed)
{
	return option_either(s, options, "unbind", "yes", "no", allowed);
}

bool
claim_device(struct session *s, const struct pci_tree *tree,
             const struct pci_function *f, bool allowed,
             struct changes *changes)
{
	bool taking = allowed && !strstr(f->driver, "vfio"), taken;
	struct disk_claims claims = {0};
	char *why = claim_obstacle(tree, f, taking);

	if (!why && taking)
		why = vfio_sriov_obstacle(tree, f);
	if (why)
		return refuse(s, f, why);
	debug(DEBUG_VFIO, "%s: bound to %s: %s", f->bdf,
	      *f->driver ? f->driver : "no driver",
	      taking ? "unbound from it" : "used as it is");
	if (!taking)
		return true;
	/* Holds the disks until the driver is unbound: nobody mounts them. */
	why = disks_in_use(tree->sysfs, f->bdf, &claims);
	taken = why ? refuse(s, f, why) : rebind(s, tree, f, changes);
	disks_release(&claims);
	return taken;
}
