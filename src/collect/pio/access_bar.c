/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a BAR through its file in sysfs. */
#include "collect/pci/bar.h"
#include "collect/pio/access_util.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
check_bar(struct session *s, const struct pci_tree *tree,
          const struct reader *r)
{
	char text[REG_ADDR_TEXT_MAX];
	struct stat bar;

	if (fstat(r->fd, &bar))
		return bar_refused(s, tree, r->function, r->addr.bar);
	reg_addr_format(&r->addr, text);
	if ((uint64_t)bar.st_size < sizeof(uint32_t) ||
	    (uint64_t)bar.st_size - sizeof(uint32_t) < r->addr.offset)
		return fail(s, STATUS_ABSENT,
		            "%s has no register %s: that BAR has %jd bytes",
		            r->function->bdf, text, (intmax_t)bar.st_size);
	return true;
}

/* If a BAR is smaller than a page, the kernel maps its whole page. */
static bool
map_register(const struct pci_tree *tree, struct reader *r)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct bar bars[BARS];

	bars_read(tree, r->function, bars);
	return access_map32(r, bars[r->addr.bar].start % page + r->addr.offset);
}

static bool
open_resource(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	r->fd = bar_open(tree, r->function, r->addr.bar, "", O_RDONLY);
	if (r->fd < 0)
		return bar_refused(s, tree, r->function, r->addr.bar);
	return check_bar(s, tree, r) &&
	       bar_check_memory(s, tree, r->function, r->addr.bar) &&
	       (map_register(tree, r) ||
	        bar_refused(s, tree, r->function, r->addr.bar));
}

/*
 * A virtual machine that has the function may reset it or disable its memory at
 * any time; the kernel then removes only VFIO's mappings.
 */
static bool
bar_suits(const struct pci_tree *tree, const struct reader *r)
{
	return !strstr(r->function->driver, "vfio") &&
	       bar_memory_is_on(tree, r->function);
}

const struct access_method resource_method = {
    .name = "resource",
    .help = "registers behind a BAR, by sysfs",
    .reads_bars = true,
    .suits = bar_suits,
    .open = open_resource,
    .read = access_read32,
};
