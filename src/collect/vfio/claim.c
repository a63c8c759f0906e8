/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binds a function to vfio-pci, unless its disks are in use. */
#include "collect/vfio/vfio.h"

#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <fts.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DRIVER "vfio-pci"
#define BLOCK  "/sys/block"

/* Disks of a controller, one a path to it. */
#define NVME  "/nvme/"
#define DISKS "%s" NVME "nvme*/nvme*n*"

/* Its number is part of the kernel's interface. */
#define FIRST_PID_NAMESPACE "pid:[4026531836]"

/* The users of a controller's disks ---------------------------------------- */

static char *
name_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* With multipath, a path "nvme0c1n2" leads to "nvme0n2". */
static char *
disk_name(const char *path)
{
	char *name = xstrdup(name_of(path));
	char *first = strncmp(name, "nvme", 4) ? NULL : strchr(name, 'c');
	const char *rest = strrchr(name, 'n');

	if (first && rest > first)
		memmove(first, rest, strlen(rest) + 1);
	return name;
}

/*
 * Adds the devices below a function that have a file in /dev. Returns NULL, or
 * why what is there keeps it from being taken (free it).
 */
static char *
look_below(const char *function, glob_t *devices)
{
	char *from = xasprintf("%s/.", function), *why = NULL;
	char *const roots[] = {from, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	size_t length = strlen(from);
	int error = tree ? 0 : errno;
	const FTSENT *e = NULL;

	while (tree && !why && !error && (e = fts_read(tree))) {
		const char *name = e->fts_path + length;
		char *kind;

		if (e->fts_info == FTS_F && !strcmp(e->fts_name, "dev"))
			find_files(devices, "%.*s",
			           (int)(e->fts_pathlen - e->fts_namelen - 1),
			           e->fts_path);
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_NS ||
		    e->fts_info == FTS_ERR)
			error = e->fts_errno;
		if (e->fts_info != FTS_D || !strncmp(name, NVME, strlen(NVME)))
			continue;
		kind = read_link_name("%s/subsystem", e->fts_path);
		/* Its settings and name would be lost. */
		if ((kind && !strcmp(kind, "block")) || strstr(name, "/block/"))
			why = xasprintf("the disk %s is behind it, and only "
			                "NVMe disks come back as they were: "
			                "end its use, and bind the device "
			                "to " DRIVER " yourself",
			                e->fts_name);
		free(kind);
	}
	/* It ends with errno 0. */
	if (tree && !e && errno)
		error = errno;
	if (error)
		why = xasprintf("what is behind it cannot be seen: %s",
		                strerror(error));
	if (tree)
		fts_close(tree);
	free(from);
	return why;
}

/* Whether it is one of these, or a partition, or "ng0n1" of "nvme0n1". */
static bool
is_one_of(const glob_t *devices, const char *name)
{
	bool is = false;

	for (size_t i = 0; name && !is && i < devices->gl_pathc; i++) {
		char *device = disk_name(devices->gl_pathv[i]);
		size_t length = strlen(device);

		is = strncmp(name, "ng", 2)
		         ? !strncmp(name, device, length) &&
		               (!name[length] || name[length] == 'p')
		         : !strncmp(device, "nvme", 4) &&
		               !strcmp(name + 2, device + 4);
		free(device);
	}
	return is;
}

/*
 * The kernel's name of the device that a file is (free it), as containers
 * choose their own; NULL with errno, 0 if it is none.
 */
static char *
device_name(int directory, const char *path)
{
	struct statx file;

	if (statx(directory, path,
	          AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC,
	          STATX_TYPE, &file))
		return NULL;
	errno = 0;
	if (!S_ISBLK(file.stx_mode) && !S_ISCHR(file.stx_mode))
		return NULL;
	return read_link_name("%s/%s/%u:%u", root_path("/sys/dev"),
	                      S_ISBLK(file.stx_mode) ? "block" : "char",
	                      file.stx_rdev_major, file.stx_rdev_minor);
}

/* Opens a disk, if its file in /dev is right. -1 with errno. */
static int
open_disk(const char *disk, bool alone)
{
	char *path = xasprintf("%s/%s", root_path("/dev"), disk);
	int fd = alone ? open(path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC)
	               : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int error = fd < 0 ? errno : ENODEV;
	char *name = fd < 0 ? NULL : device_name(fd, "");

	if (fd >= 0 && (!name || strcmp(name, disk) != 0)) {
		close(fd);
		fd = -1;
	}
	free(name);
	free(path);
	errno = error;
	return fd;
}

/* A directory whose files are hidden from this user; for glob. */
static bool hidden;

static int
on_error(const char *path, int error)
{
	errno = error;
	die_if_short(path);
	hidden = hidden || error == EACCES;
	return 0;
}

/* Threads may have descriptors of their own. */
static char *
find_process(const glob_t *devices)
{
	const char *proc = root_path("/proc"), *blind = NULL;
	char *pattern = xasprintf("%s/[0-9]*/task/[0-9]*/fd/*", proc);
	char *space = read_link_name("%s/self/ns/pid", proc), *why = NULL;
	glob_t fds = {0};

	hidden = false;
	if (glob(pattern, GLOB_NOSORT, on_error, &fds) == GLOB_NOSPACE)
		die("out of memory");
	for (size_t i = 0; !why && i < fds.gl_pathc; i++) {
		char *name = device_name(AT_FDCWD, fds.gl_pathv[i]);
		const char *fd = fds.gl_pathv[i] + strlen(proc) + 1;

		hidden = hidden || (!name && errno == EACCES);
		if (is_one_of(devices, name))
			why = xasprintf("/dev/%s is open in the process "
			                "%.*s: end that first",
			                name, (int)strcspn(fd, "/"), fd);
		free(name);
	}
	if (!space)
		blind = "without /proc";
	else if (strcmp(space, FIRST_PID_NAMESPACE) != 0)
		blind = "in a PID namespace of its own, such as a container's,";
	else if (hidden || access(root_path("/proc/1"), F_OK))
		blind = "without CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH";
	if (!why && blind)
		why = xasprintf("it may be open in a process: %s nobody sees "
		                "the files of all: run pcb-collect as root, "
		                "outside of containers",
		                blind);
	globfree(&fds);
	free(space);
	free(pattern);
	return why;
}

/* The name of the disk behind a loop device; NULL with errno, or 0 if none. */
static char *
name_behind(const char *loop)
{
	int fd = open_disk(loop, false);
	struct loop_info64 info = {0};
	/* ENXIO: detached meanwhile. */
	bool known =
	    fd >= 0 && (!ioctl(fd, LOOP_GET_STATUS64, &info) || errno == ENXIO);
	int error = known ? 0 : errno;
	char *name =
	    read_link_name("%s/%u:%u", root_path("/sys/dev/block"),
	                   major(info.lo_rdevice), minor(info.lo_rdevice));

	close_file(fd);
	errno = error;
	return name;
}

/* What uses a disk without a lock: loop devices and NVMe targets. */
static char *
find_user(const glob_t *devices)
{
	const char *targets = root_path("/sys/kernel/config/nvmet/subsystems");
	glob_t files = {0};
	size_t nloops;
	char *why = NULL;

	find_files(&files, "%s/loop*/loop", root_path(BLOCK));
	nloops = files.gl_pathc;
	find_files(&files, "%s/*/namespaces/*/device_path", targets);
	find_files(&files, "%s/*/passthru/device_path", targets);
	for (size_t i = 0; !why && i < files.gl_pathc; i++) {
		char *file = files.gl_pathv[i], *name = NULL;
		char *path = i < nloops ? NULL : read_first_line("%s", file);

		errno = 0;
		if (i < nloops) {
			*strrchr(file, '/') = '\0';
			name = name_behind(name_of(file));
		} else if (path && *path == '/') {
			name = device_name(AT_FDCWD, path);
		}
		if (is_one_of(devices, name))
			why = xasprintf("/dev/%s is used by the kernel, see "
			                "%s: end that first",
			                name, file);
		else if (!name && errno)
			why = xasprintf("it may be used by the kernel, see "
			                "%s: %s",
			                file, strerror(errno));
		free(name);
		free(path);
	}
	globfree(&files);
	return why;
}

char *
disks_in_use(const char *function, struct disk_claims *claims)
{
	glob_t devices = {0};
	size_t ndisks;
	char *why;

	/*
	 * Of the devices, opens disks only: closing the file of uio would
	 * disable bus mastering, for a user-space driver such as SPDK's.
	 */
	find_files(&devices, DISKS, function);
	ndisks = devices.gl_pathc;
	why = look_below(function, &devices);
	if (devices.gl_pathc && !why)
		why = find_process(&devices);
	if (devices.gl_pathc && !why)
		why = find_user(&devices);
	/*
	 * Becomes the exclusive user, which locks others out; after the look at
	 * processes, since this is one of them.
	 */
	for (size_t i = 0; !why && i < ndisks; i++) {
		char *disk = disk_name(devices.gl_pathv[i]);
		int fd = open_disk(disk, true);

		if (fd >= 0)
			array_push(claims->fd, claims->n, fd);
		else if (errno == EBUSY)
			why = xasprintf("/dev/%s is mounted, swap or part of "
			                "another device: 'lsblk /dev/%s' shows",
			                disk, disk);
		else
			why = xasprintf("/dev/%s cannot be opened, so it may "
			                "be in use: %s",
			                disk, strerror(errno));
		free(disk);
	}
	globfree(&devices);
	return why;
}

/*
 * Plans to restore the settings of a disk, which its driver creates anew,
 * perhaps with other numbers. Restored last, the scheduler would reset the
 * other settings, so it is planned last.
 */
static void
keep_disk(const char *function, const char *path, bool only,
          struct changes *changes)
{
	char *disk = disk_name(path), *last;
	char *queue = xasprintf("%s/%s/queue", root_path(BLOCK), disk);
	char *id = xasprintf("%s/nsid", path);
	char *again =
	    xasprintf("%s/nvme/nvme*/%s/nsid", function, name_of(path));
	bool has_paths = strcmp(disk, name_of(path)) != 0;
	glob_t files = {0};

	changes_add_lost(changes, id, again, true);
	free(again);
	free(id);
	find_files(&files, "%s/iosched/*", queue);
	find_files(&files, "%s/*", queue);
	find_files(&files, "%s/scheduler", queue);
	last = files.gl_pathc ? files.gl_pathv[files.gl_pathc - 1] : NULL;
	for (size_t i = 0; i < files.gl_pathc; i++) {
		char *file = files.gl_pathv[i];
		again = has_paths
		            ? xstrdup(file)
		            : xasprintf("%s/nvme/nvme*/nvme*%s%s", function,
		                        only ? "n*" : strrchr(disk, 'n'),
		                        file + strlen(queue) - 6);

		if (file == last || strcmp(file, last) != 0)
			changes_add_lost(changes, file, again, false);
		free(again);
	}
	globfree(&files);
	free(queue);
	free(disk);
}

void
disks_release(struct disk_claims *claims)
{
	for (size_t i = 0; i < claims->n; i++)
		close(claims->fd[i]);
	free(claims->fd);
	*claims = (struct disk_claims){0};
}

/* Claiming ----------------------------------------------------------------- */

static char *
how_to_give(const struct pci_tree *tree, const struct pci_function *f)
{
	char *unbind = *f->driver ? xasprintf("echo %s > %s/driver/unbind; ",
	                                      f->bdf, f->path)
	                          : xstrdup("");
	char *all = xasprintf("'echo " DRIVER " > %s/driver_override; "
	                      "%secho %s > %s/drivers_probe'",
	                      f->path, unbind, f->bdf, tree->sysfs);

	free(unbind);
	return all;
}

/* The first other function of the group that a driver uses, or NULL. */
static const struct pci_function *
find_neighbour(const struct pci_tree *tree, const struct pci_function *f)
{
	const struct pci_function *found = NULL;
	glob_t group = {0};

	find_files(&group, "%s/iommu_group/devices/*", f->path);
	for (size_t i = 0; !found && i < group.gl_pathc; i++) {
		const struct pci_function *other =
		    pci_find(tree, name_of(group.gl_pathv[i]));

		/* Others have no DMA of their own: vfio_dev_viable in Linux. */
		if (other && other != f && *other->driver &&
		    !strstr(other->driver, "vfio") &&
		    strcmp(other->driver, "pci-stub") != 0 &&
		    strcmp(other->driver, "pcieport") != 0)
			found = other;
	}
	globfree(&group);
	return found;
}

char *
claim_obstacle(const struct pci_tree *tree, const struct pci_function *f,
               bool taking)
{
	const struct pci_function *neighbour = find_neighbour(tree, f);
	char *group = vfio_group(f), *why = NULL;
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
rebind(struct session *s, const struct pci_function *f, struct changes *changes)
{
	char *power = xasprintf("%s/power/control", f->path);
	const char *refused = "driver_override";
	glob_t disks = {0};

	changes_add_text(changes, power, "on");
	find_files(&disks, DISKS, f->path);
	for (size_t i = 0; i < disks.gl_pathc; i++)
		keep_disk(f->path, disks.gl_pathv[i], disks.gl_pathc == 1,
		          changes);
	globfree(&disks);
	if (changes_add_driver(changes, f->path, DRIVER))
		refused = changes_make(changes);
	free(power);
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
		why = vfio_sriov_obstacle(f);
	if (why)
		return refuse(s, f, why);
	debug(DEBUG_VFIO, "%s: bound to %s: %s", f->bdf,
	      *f->driver ? f->driver : "no driver",
	      taking ? "unbound from it" : "used as it is");
	if (!taking)
		return true;
	/* Holds the disks until the driver is unbound: nobody mounts them. */
	why = disks_in_use(f->path, &claims);
	taken = why ? refuse(s, f, why) : rebind(s, f, changes);
	disks_release(&claims);
	return taken;
}
