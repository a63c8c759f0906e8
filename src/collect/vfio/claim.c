/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binds a function to vfio-pci, unless it is in use. */
#include "collect/vfio/claim.h"

#include "collect/vfio/disks_in_use.h"
#include "collect/vfio/vfio.h"
#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRIVER "vfio-pci"

/* Drivers without DMA of their own; linux/drivers/vfio, vfio_dev_viable. */
static bool
is_harmless(const char *driver)
{
	return !*driver || strstr(driver, "vfio") ||
	       !strcmp(driver, "pci-stub") || !strcmp(driver, "pcieport");
}

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

		if (other && other != f && !is_harmless(other->driver))
			found = other;
	}
	if (group)
		closedir(group);
	free(path);
	return found;
}

static char *
neighbour_obstacle(const struct pci_tree *tree,
                   const struct pci_function *neighbour)
{
	char *how = how_to_give(tree, neighbour);
	char *why = xasprintf("%s is in its IOMMU group and bound to %s, and "
	                      "VFIO gives whole groups only: %s",
	                      neighbour->bdf, neighbour->driver, how);

	free(how);
	return why;
}

static bool
has_vfio(const struct pci_tree *tree)
{
	char *path = xasprintf("%s/drivers/" DRIVER, tree->sysfs);
	bool has = !access(path, F_OK);

	free(path);
	return has;
}

static char *
driver_obstacle(const struct pci_tree *tree, const struct pci_function *f)
{
	char *how = how_to_give(tree, f);
	char *why = xasprintf("bound to %s, not to " DRIVER
	                      ": -O unbind=yes unbinds it during the "
	                      "measurement, or do it yourself: %s",
	                      *f->driver ? f->driver : "no driver", how);

	free(how);
	return why;
}

char *
claim_obstacle(const struct pci_tree *tree, const struct pci_function *f,
               bool taking)
{
	char *group = vfio_group(tree, f);
	const struct pci_function *neighbour = find_neighbour(tree, f);

	if (!group)
		return xstrdup("behind no IOMMU, which VFIO needs: boot with "
		               "intel_iommu=on or amd_iommu=on, and with the "
		               "IOMMU on in the firmware's setup");
	free(group);
	if (!has_vfio(tree))
		return xstrdup("there is no " DRIVER ": 'modprobe " DRIVER "'");
	if (neighbour)
		return neighbour_obstacle(tree, neighbour);
	if (!taking && !strstr(f->driver, "vfio"))
		return driver_obstacle(tree, f);
	return NULL;
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
 * which vfio-pci leaves as "on" and which is restored last. False with errno.
 */
static bool
plan(struct changes *changes, const struct pci_tree *tree,
     const struct pci_function *f)
{
	char *directory = xasprintf("%s/devices/%s", tree->sysfs, f->bdf);
	char *power = xasprintf("%s/power/control", directory);
	bool planned;

	changes_add_text(changes, power, "on");
	disks_keep_settings(tree->sysfs, f->bdf, changes);
	planned = changes_add_driver(changes, directory, DRIVER);
	free(power);
	free(directory);
	return planned;
}

static bool
rebind(struct session *s, const struct pci_tree *tree,
       const struct pci_function *f, struct changes *changes)
{
	const char *refused;

	if (!plan(changes, tree, f))
		return fail(s, STATUS_ABSENT,
		            "-O unbind=yes: %s: driver_override: %s", f->bdf,
		            strerror(errno));
	refused = changes_make(changes);
	return !refused ||
	       fail(s, STATUS_ABSENT, "-O unbind=yes: %s: %s%s", refused,
	            errno ? strerror(errno) : "another driver has it",
	            errno == EACCES ? " (root only)" : "");
}

/* Holds the disks until the driver is unbound, so that nobody mounts them. */
static bool
take(struct session *s, const struct pci_tree *tree,
     const struct pci_function *f, struct changes *changes)
{
	struct disk_claims claims = {0};
	char *why = disks_in_use(tree->sysfs, f->bdf, &claims);
	bool taken = why ? refuse(s, f, why) : rebind(s, tree, f, changes);

	disks_release(&claims);
	return taken;
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
	bool taking = allowed && !strstr(f->driver, "vfio");
	char *why = claim_obstacle(tree, f, taking);

	if (!why && taking)
		why = vfio_sriov_obstacle(tree, f);
	if (why)
		return refuse(s, f, why);
	debug(DEBUG_VFIO, "%s: bound to %s: %s", f->bdf,
	      *f->driver ? f->driver : "no driver",
	      taking ? "unbound from it" : "used as it is");
	return !taking || take(s, tree, f, changes);
}
