/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The drive below a file, and the CPUs that it interrupts. */
#include "collect/disk/disk.h"

#include "common/base/bdf.h"
#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/stat.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Most devices below a file. */
#define LAYERS_MAX 64

/* What is found on the way down from a block device. */
struct walk {
	struct disk_place *place;
	const char *sys;
	unsigned disks;
	bool slow; /* a layer works on the data */
};

/* "CRYPT", "LVM", "raid1" of a block device; NULL for others. Free it. */
static char *
layer_of(const char *sys, const char *name)
{
	char *text = read_first_line("%s/class/block/%s/dm/uuid", sys, name);

	if (text)
		text[strcspn(text, "-")] = '\0';
	return text ? text
	            : read_first_line("%s/class/block/%s/md/level", sys, name);
}

/* A disk, or a partition of it. */
static void
add_disk(struct walk *w, const char *name)
{
	char *path = xasprintf("%s/class/block/%s", w->sys, name);
	char real[PATH_MAX], *part, *last = NULL;

	if (realpath(path, real)) {
		part = read_first_line("%s/partition", real);
		if (part)
			*strrchr(real, '/') = '\0';
		free(part);
		last = strrchr(real, '/') + 1;
		if (!w->place->disk || strcmp(w->place->disk, last) != 0)
			w->disks++;
		text_set(&w->place->disk, "%s", last);
	}
	free(path);
}

/* Adds a layer; appends the devices below it to `names`. */
static void
add_layer(struct walk *w, const char *name, char ***names, size_t *n)
{
	char *layer = layer_of(w->sys, name);
	glob_t below = {0};

	xappend(&w->place->path, " -> ", layer ? "%s (%s)" : "%s", name, layer);
	w->slow = w->slow || (layer && strcmp(layer, "LVM") != 0);
	free(layer);
	find_files(&below, "%s/class/block/%s/slaves/*", w->sys, name);
	for (size_t i = 0; i < below.gl_pathc && *n < LAYERS_MAX; i++) {
		const char *slave = strrchr(below.gl_pathv[i], '/') + 1;

		array_push(*names, *n, xstrdup(slave));
	}
	if (!below.gl_pathc)
		add_disk(w, name);
	globfree(&below);
}

/* Takes the name. */
static void
walk_down(struct walk *w, char *name)
{
	char **names = NULL;
	size_t n = 0;

	array_push(names, n, name);
	for (size_t i = 0; i < n; i++) {
		add_layer(w, names[i], &names, &n);
		free(names[i]);
	}
	free(names);
}

/*
 * With several ways to a drive, its disk belongs to a subsystem, and hidden
 * disks to the controllers. The directory of the only controller, and the
 * counters of its hidden disk; NULL for another disk. Free it.
 */
static char *
only_controller(const char *sys, struct disk_place *p, size_t *controllers)
{
	const char *number = strrchr(p->disk, 'n');
	glob_t found = {0}, hidden = {0};
	char *path = NULL;

	find_files(&found, "%s/block/%s/device/nvme[0-9]*/transport", sys,
	           p->disk);
	*controllers = found.gl_pathc;
	if (found.gl_pathc == 1 && number) {
		path = xasprintf(
		    "%.*s",
		    (int)(strlen(found.gl_pathv[0]) - strlen("/transport")),
		    found.gl_pathv[0]);
		find_files(&hidden, "%s/nvme*c*%s/stat", path, number);
		if (hidden.gl_pathc == 1)
			text_set(&p->stat, "%s", hidden.gl_pathv[0]);
	}
	globfree(&found);
	globfree(&hidden);
	return path;
}

/* The PCI function next above the disk, in p->bdf. */
static bool
find_function(struct session *s, const char *sys, const char *file,
              struct disk_place *p)
{
	size_t controllers;
	char *path = only_controller(sys, p, &controllers), real[PATH_MAX];
	char bdf[BDF_MAX], *last;
	bool known;

	if (controllers > 1)
		return fail(s, STATUS_ABSENT,
		            "%s: %s is reached through %zu controllers: the "
		            "kernel chooses one for each read",
		            file, p->disk, controllers);
	if (!path)
		path = xasprintf("%s/block/%s/device", sys, p->disk);
	known = realpath(path, real);
	free(path);
	while (known && (last = strrchr(real, '/')) && last != real) {
		if (parse_bdf(last + 1, bdf) && !strcmp(bdf, last + 1)) {
			text_set(&p->bdf, "%s", bdf);
			return true;
		}
		*last = '\0';
	}
	path = read_first_line("%s/block/%s/loop/backing_file", sys, p->disk);
	fail(s, STATUS_ABSENT, "%s: %s is no PCI device%s%s", file, p->disk,
	     path ? ": name the file behind it: -d disk:" : "",
	     path ? path : "");
	free(path);
	return false;
}

static bool
find_device(struct session *s, const char *sys, const char *file, dev_t device,
            struct disk_place *p)
{
	struct walk w = {.place = p, .sys = sys};
	char *name = read_link_name("%s/dev/block/%u:%u", sys, major(device),
	                            minor(device));

	if (!name)
		return fail(s, STATUS_ABSENT,
		            "%s: its file system is on no block device (tmpfs, "
		            "overlay, NFS, ZFS): name a file on a drive",
		            file);
	walk_down(&w, name);
	if (!w.disks)
		return fail(s, STATUS_ABSENT, "%s: %s is not in %s", file,
		            p->path, sys);
	if (w.disks > 1 || w.slow)
		return fail(s, STATUS_ABSENT,
		            "%s: %s: %s: root can read %s itself: -d "
		            "disk:/dev/%s",
		            file, p->path,
		            w.disks > 1 ? "it is on several disks"
		                        : "the time of the layer between "
		                          "would count",
		            w.disks > 1 ? "one of them" : "the drive", p->disk);
	text_set(&p->stat, "%s/block/%s/stat", sys, p->disk);
	return find_function(s, sys, file, p);
}

void
disk_place_free(struct disk_place *p)
{
	free(p->disk);
	free(p->path);
	free(p->bdf);
	free(p->stat);
}

/* The block device that a file system such as btrfs was mounted from; or 0. */
static dev_t
mounted_from(const char *file)
{
	struct statx x;
	struct stat st = {0};
	char *text, *rest, *line, *id;
	bool known = !syscall(SYS_statx, AT_FDCWD, file, 0, STATX_MNT_ID, &x) &&
	             x.stx_mask & STATX_MNT_ID;

	text = known ? read_whole("/proc/self/mountinfo") : NULL;
	rest = text;
	id = xasprintf("%ju ", (uintmax_t)x.stx_mnt_id);
	/* "ID PARENT DEVICE ROOT POINT OPTIONS... - TYPE SOURCE OPTIONS" */
	while (text && (line = strsep(&rest, "\n"))) {
		char *type = strncmp(line, id, strlen(id)) != 0
		                 ? NULL
		                 : strstr(line, " - btrfs ");
		char *source = type ? type + strlen(" - btrfs ") : NULL;

		if (!source)
			continue;
		source[strcspn(source, " ")] = '\0';
		if (stat(source, &st) || !S_ISBLK(st.st_mode))
			st.st_rdev = 0;
	}
	free(id);
	free(text);
	return st.st_rdev;
}

/* Whether the block device is one of several of a btrfs. */
static bool
is_shared(const char *sys, dev_t device)
{
	char *name = read_link_name("%s/dev/block/%u:%u", sys, major(device),
	                            minor(device));
	glob_t own = {0}, all = {0};
	bool shared;

	if (name)
		find_files(&own, "%s/fs/btrfs/*/devices/%s", sys, name);
	if (own.gl_pathc) {
		strrchr(own.gl_pathv[0], '/')[0] = '\0';
		find_files(&all, "%s/*", own.gl_pathv[0]);
	}
	shared = all.gl_pathc > 1;
	globfree(&own);
	globfree(&all);
	free(name);
	return shared;
}

bool
disk_find(struct session *s, const char *sys, const char *file,
          struct disk_place *p)
{
	struct stat st;
	dev_t device;

	if (stat(file, &st))
		return fail(s, STATUS_ABSENT, "%s: %s", file, strerror(errno));
	if (!S_ISBLK(st.st_mode) && !S_ISREG(st.st_mode))
		return fail(s, STATUS_ABSENT,
		            "%s: neither a file nor a block device", file);
	device = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	/* Subvolumes of btrfs have numbers of no device. */
	if (!major(device))
		device = mounted_from(file);
	if (!S_ISBLK(st.st_mode) && is_shared(sys, device))
		return fail(s, STATUS_ABSENT,
		            "%s: its btrfs is on several devices", file);
	return find_device(s, sys, file, device, p);
}

/* CPUs --------------------------------------------------------------------- */

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && !strcmp(text + n - k, end);
}

/* Whether the interrupt belongs to a queue of reads. */
static bool
is_of_queue(const char *irq)
{
	glob_t found = {0};
	bool any = false;

	/* A directory is named after each user: nvme0q1, virtio1-req.0. */
	find_files(&found, "%s/%s/*/", root_path("/proc/irq"), irq);
	for (size_t i = 0; i < found.gl_pathc; i++)
		any = any || !(ends_with(found.gl_pathv[i], "q0/") ||
		               ends_with(found.gl_pathv[i], "-config/"));
	globfree(&found);
	return any;
}

struct cpulist
disk_cpus(const char *bdf)
{
	glob_t irqs = {0};
	char *all = NULL, *text;
	struct cpulist list;

	find_files(&irqs, "%s/%s/msi_irqs/*", root_path("/sys/bus/pci/devices"),
	           bdf);
	for (size_t i = 0; i < irqs.gl_pathc; i++) {
		const char *irq = strrchr(irqs.gl_pathv[i], '/') + 1;

		text = is_of_queue(irq)
		           ? read_first_line("%s/%s/effective_affinity_list",
		                             root_path("/proc/irq"), irq)
		           : NULL;
		if (text && *text)
			xappend(&all, ",", "%s", text);
		free(text);
	}
	globfree(&irqs);
	cpulist_parse(all, &list);
	free(all);
	return list;
}
