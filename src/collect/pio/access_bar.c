/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a BAR maps, by the kernel's file for it. */
#include "collect/pio/access_util.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pci/header.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What may be in the way, and how to get past it; for errors of mmap, too. */
static bool
bar_refused(struct session *s, const struct reader *r)
{
	int error = errno;
	const char *bdf = r->function->bdf;
	const char *driver = r->function->driver;

	if (error == ENOENT)
		return fail(s, STATUS_ABSENT, "%s has no BAR%d", bdf,
		            r->addr.bar);
	if (error == EPERM && access_is_locked_down())
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: the kernel is locked down: boot "
		            "without Secure Boot or lockdown=",
		            bdf, r->addr.bar);
	if (error == EACCES)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: only root can read it", bdf,
		            r->addr.bar);
	if (error == ENODEV)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d is of I/O ports, not of memory", bdf,
		            r->addr.bar);
	if (error == EINVAL && *driver)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: the kernel keeps it for the driver "
		            "%s: boot with iomem=relaxed, or unbind the driver",
		            bdf, r->addr.bar, driver);
	return fail(s, STATUS_ABSENT, "%s: BAR%d: %s", bdf, r->addr.bar,
	            strerror(error));
}

static bool
check_bar(struct session *s, const struct reader *r)
{
	char text[REG_ADDR_TEXT_MAX];
	struct stat bar;

	if (fstat(r->fd, &bar))
		return bar_refused(s, r);
	reg_addr_format(&r->addr, text);
	if ((uint64_t)bar.st_size < sizeof(uint32_t) ||
	    (uint64_t)bar.st_size - sizeof(uint32_t) < r->addr.offset)
		return fail(s, STATUS_ABSENT,
		            "%s has no register %s: that BAR has %jd bytes",
		            r->function->bdf, text, (intmax_t)bar.st_size);
	return true;
}

/*
 * Whether the function answers for its memory: bit 1 of Command. A virtual one,
 * which answers all ones for its IDs, has its memory on with the others of its
 * physical function (PCIe Base Specification 9.3.4.1.3): where it is, that is.
 */
static bool
memory_is_on(const struct pci_tree *tree, const struct reader *r)
{
	char path[PATH_MAX];
	unsigned char command = 0;
	int fd;

	if (r->function->id == UINT32_MAX)
		return true;
	snprintf(path, sizeof path, "%s/devices/%s/config", tree->sysfs,
	         r->function->bdf);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (pread(fd, &command, 1, PCI_COMMAND) != 1)
		command = 0;
	close(fd);
	return command & PCI_COMMAND_MEMORY;
}

/* The address where a BAR begins; 0 if the kernel does not say. */
static uint64_t
start_of_bar(const struct pci_tree *tree, const struct reader *r)
{
	char *path =
	    xasprintf("%s/devices/%s/resource", tree->sysfs, r->function->bdf);
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	uint64_t start = 0;

	for (int i = 0; f && i <= r->addr.bar; i++)
		start =
		    getline(&line, &size, f) > 0 ? strtoull(line, NULL, 16) : 0;
	if (f)
		fclose(f);
	free(line);
	free(path);
	return start;
}

/* The kernel maps the whole page that a BAR smaller than one lies in. */
static bool
map_register(const struct pci_tree *tree, struct reader *r)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return access_map32(r, start_of_bar(tree, r) % page + r->addr.offset);
}

static bool
open_resource(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/devices/%s/resource%d", tree->sysfs,
	         r->function->bdf, r->addr.bar);
	r->fd = open(path, O_RDONLY | O_SYNC | O_CLOEXEC);
	if (r->fd < 0)
		return bar_refused(s, r);
	if (!check_bar(s, r))
		return false;
	if (!memory_is_on(tree, r))
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: the device's memory is off until a "
		            "driver, or root by 1 in %s/devices/%s/enable, "
		            "turns it on",
		            r->function->bdf, r->addr.bar, tree->sysfs,
		            r->function->bdf);
	return map_register(tree, r) || bar_refused(s, r);
}

/*
 * A virtual machine that has the function may reset it or switch its memory
 * off at any time, and the kernel then takes only VFIO's mappings away.
 */
static bool
bar_suits(const struct pci_tree *tree, const struct reader *r)
{
	return !strstr(r->function->driver, "vfio") && memory_is_on(tree, r);
}

const struct access_method resource_method = {
    .name = "resource",
    .help = "what a BAR maps, by sysfs",
    .reads_bars = true,
    .suits = bar_suits,
    .open = open_resource,
    .read = access_read32,
};
