/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by access methods. */
#include "collect/pio/access_util.h"

#include "collect/host/arch.h"
#include "collect/pci/mmio_map.h"
#include "common/base/util.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool
access_map32(struct reader *r, uint64_t at)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t within = at % page;

	r->map = mmio_map(r->fd, (off_t)(at - within), page, false);
	if (!r->map)
		return false;
	r->word = (const volatile uint32_t *)r->map + within / sizeof *r->word;
	return true;
}

bool
access_read32(const struct reader *r, uint32_t *value)
{
	*value = *r->word;
	counter_wait(*value);
	return true;
}

bool
access_pread32(const struct reader *r, uint32_t *value)
{
	ssize_t got = pread(r->fd, value, sizeof *value, r->at);

	if (got >= 0)
		errno = 0;
	return got == sizeof *value;
}

/* The size of config space; 0 if unknown. */
static uint64_t
config_size(const struct pci_tree *tree, const struct reader *r)
{
	char *path =
	    xasprintf("%s/devices/%s/config", tree->sysfs, r->function->bdf);
	struct stat config;
	bool known = !stat(path, &config);

	free(path);
	return known ? (uint64_t)config.st_size : 0;
}

bool
access_has_register(const struct pci_tree *tree, const struct reader *r)
{
	uint64_t size = config_size(tree, r);

	return !size || size >= r->addr.offset + sizeof(uint32_t);
}

bool
access_check_size(struct session *s, const struct pci_tree *tree,
                  const struct reader *r)
{
	char text[REG_ADDR_TEXT_MAX];

	reg_addr_format(&r->addr, text);
	return access_has_register(tree, r) ||
	       fail(s, STATUS_ABSENT,
	            "%s has no register %s: its config space has %ju bytes",
	            r->function->bdf, text, (uintmax_t)config_size(tree, r));
}
