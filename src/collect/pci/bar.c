/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and opens files of BARs, and explains refusals. */
#include "collect/pci/bar.h"

#include "common/sys/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <pci/header.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Flags of a resource, linux/ioport.h. */
#define IORESOURCE_MEM      0x200
#define IORESOURCE_PREFETCH 0x2000

/* A line has start, end and flags, all zero if there is no BAR. */
void
bars_read(const struct pci_tree *tree, const struct pci_function *f,
          struct bar bars[BARS])
{
	char *path = xasprintf("%s/devices/%s/resource", tree->sysfs, f->bdf);
	FILE *file = fopen(path, "re");
	char *line = NULL, *rest;
	size_t size = 0;

	if (!file)
		die_if_short(path);
	memset(bars, 0, BARS * sizeof *bars);
	for (struct bar *bar = bars;
	     file && bar < bars + BARS && getline(&line, &size, file) > 0;
	     bar++) {
		uint64_t start = strtoull(line, &rest, 16);
		uint64_t end = strtoull(rest, &rest, 16);
		uint64_t flags = strtoull(rest, NULL, 16);

		if (end)
			*bar = (struct bar){.start = start,
			                    .size = end - start + 1,
			                    .memory = flags & IORESOURCE_MEM,
			                    .prefetchable =
			                        flags & IORESOURCE_PREFETCH};
	}
	if (file)
		fclose(file);
	free(line);
	free(path);
}

int
bar_open(const struct pci_tree *tree, const struct pci_function *f, int bar,
         const char *suffix, int flags)
{
	char *path = xasprintf("%s/devices/%s/resource%d%s", tree->sysfs,
	                       f->bdf, bar, suffix);
	int fd = root_open(path, flags | O_SYNC);
	int error = errno;

	free(path);
	errno = error;
	return fd;
}

bool
bar_memory_is_on(const struct pci_tree *tree, const struct pci_function *f)
{
	unsigned char command = 0;
	char *path;
	int fd;

	if (f->id == UINT32_MAX)
		return true;
	path = xasprintf("%s/devices/%s/config", tree->sysfs, f->bdf);
	fd = open_file(path);
	free(path);
	if (fd < 0)
		return false;
	if (pread(fd, &command, 1, PCI_COMMAND) != 1)
		command = 0;
	close(fd);
	return command & PCI_COMMAND_MEMORY;
}

bool
bar_check_memory(struct session *s, const struct pci_tree *tree,
                 const struct pci_function *f, int bar)
{
	return bar_memory_is_on(tree, f) ||
	       fail(s, STATUS_ABSENT,
	            "%s: BAR%d: the device's memory is off until a "
	            "driver, or root by 1 in %s/devices/%s/enable, "
	            "turns it on",
	            f->bdf, bar, tree->sysfs, f->bdf);
}

bool
kernel_is_locked_down(void)
{
	char *state =
	    read_first_line("%s", root_path("/sys/kernel/security/lockdown"));
	bool locked = state && !strstr(state, "[none]");

	free(state);
	return locked;
}

bool
bar_refused(struct session *s, const struct pci_tree *tree,
            const struct pci_function *f, int bar)
{
	int error = errno;
	struct bar bars[BARS];

	bars_read(tree, f, bars);
	if (error == ENOENT && !bars[bar].size)
		return fail(s, STATUS_ABSENT, "%s has no BAR%d", f->bdf, bar);
	if (error == ENOENT)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: this kernel has no file that maps it "
		            "(%s/devices/%s/resource%d)",
		            f->bdf, bar, tree->sysfs, f->bdf, bar);
	if (error == EPERM && kernel_is_locked_down())
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: the kernel is locked down: boot "
		            "without Secure Boot or lockdown=",
		            f->bdf, bar);
	/* The file above needs securityfs. */
	if (error == EPERM && !geteuid())
		return fail(
		    s, STATUS_ABSENT,
		    "%s: BAR%d: the kernel lets no program map it, as one "
		    "that is locked down (kernel_lockdown(7)), or the "
		    "capability CAP_SYS_RAWIO is missing",
		    f->bdf, bar);
	if (error == EACCES)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: only root can read it", f->bdf, bar);
	if (error == ENODEV)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d has I/O ports, not memory", f->bdf, bar);
	if (error == EINVAL && *f->driver)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: the kernel keeps it for the driver "
		            "%s: boot with iomem=relaxed, or unbind the driver",
		            f->bdf, bar, f->driver);
	return fail(s, STATUS_ABSENT, "%s: BAR%d: %s", f->bdf, bar,
	            strerror(error));
}
