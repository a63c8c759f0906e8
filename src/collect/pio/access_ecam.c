/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads config space in memory (ECAM), without the kernel. */
#include "collect/pci/bar.h"
#include "collect/pio/access_util.h"
#include "collect/pio/acpi_mcfg.h"
#include "common/sys/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define TABLE     root_path("/sys/firmware/acpi/tables/MCFG")
#define IOMEM     root_path("/proc/iomem")
#define MEMORY    root_path("/dev/mem")
#define TABLE_MAX 65536

/* The physical address of the register; false after fail(). */
static bool
find_register(struct session *s, const struct reader *r, uint64_t *address)
{
	struct bdf_numbers bdf = bdf_split(r->function->bdf);
	static unsigned char table[TABLE_MAX]; /* too large for a small stack */
	FILE *f = fopen(TABLE, "re");
	const char *why;
	size_t size;

	if (!f)
		return fail(s, STATUS_ABSENT, "%s: %s: %s", r->function->bdf,
		            TABLE,
		            errno == EACCES ? "only root can read it"
		                            : strerror(errno));
	size = fread(table, 1, sizeof table, f);
	fclose(f);
	why = mcfg_find(table, size, &bdf, address);
	if (why)
		return fail(s, STATUS_ABSENT, "%s: %s: %s", r->function->bdf,
		            TABLE, why);
	*address += r->addr.offset;
	return true;
}

static bool
ecam_refused(struct session *s, const struct reader *r)
{
	int error = errno;
	const char *help = "";

	if (kernel_is_locked_down())
		help = " (the kernel is locked down: boot without Secure Boot "
		       "or lockdown=)";
	else if (error == EPERM)
		help = " (the kernel keeps device memory to itself: boot with "
		       "iomem=relaxed)";
	else if (error == EACCES)
		help = " (root only)";
	else if (error == ENOENT)
		help = " (the kernel is built without it)";
	return fail(s, STATUS_ABSENT, "%s: %s: %s%s", r->function->bdf, MEMORY,
	            strerror(error), help);
}

static bool
open_ecam(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	uint64_t address = 0;

	if (!access_check_size(s, tree, r) || !find_register(s, r, &address))
		return false;
	r->fd = open(MEMORY, O_RDONLY | O_SYNC | O_CLOEXEC);
	if (r->fd < 0)
		return ecam_refused(s, r);
	if (!mcfg_is_used(IOMEM, address))
		return fail(s, STATUS_ABSENT,
		            "%s: %s has its config space at 0x%jx, where the "
		            "kernel has none (%s)",
		            r->function->bdf, TABLE, (uintmax_t)address, IOMEM);
	return access_map32(r, address) || ecam_refused(s, r);
}

const struct access_method ecam_method = {
    .name = "ecam",
    .help = "config space where it is mapped (ECAM), by /dev/mem",
    .reads_config = true,
    .suits = access_has_register,
    .open = open_ecam,
    .read = access_read32,
};
