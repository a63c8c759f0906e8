/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads config space through the kernel, from a file in sysfs. */
#include "collect/pio/access_util.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Bytes that every user may read. */
#define PUBLIC_SIZE 64

static bool
check_rights(struct session *s, const struct reader *r)
{
	char text[REG_ADDR_TEXT_MAX];
	uint32_t value;

	reg_addr_format(&r->addr, text);
	if (r->addr.offset < PUBLIC_SIZE || access_pread32(r, &value) || errno)
		return true;
	return fail(s, STATUS_ABSENT,
	            "%s: register %s: beyond the first %d bytes, only root "
	            "(CAP_SYS_ADMIN) can read config space",
	            r->function->bdf, text, PUBLIC_SIZE);
}

static bool
open_config(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/devices/%s/config", tree->sysfs,
	         r->function->bdf);
	r->at = (off_t)r->addr.offset;
	r->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		return fail(s, STATUS_ABSENT, "%s: %s", path, strerror(errno));
	return access_check_size(s, tree, r) && check_rights(s, r);
}

const struct access_method sysfs_method = {
    .name = "sysfs",
    .help = "config space by the kernel",
    .reads_config = true,
    .wakes = true,
    .suits = access_has_register,
    .open = open_config,
    .read = access_pread32,
};
