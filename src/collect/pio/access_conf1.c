/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Config space by the ports that the kernel uses at the same time. */
#include "collect/pio/access_methods.h"

#include <errno.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)

#include <sys/io.h>

/* PCI Local Bus Specification 3.0, 3.2.2.3.2. */
#define ADDRESS_PORT 0xcf8
#define DATA_PORT    0xcfc
#define NPORTS       8
#define ENABLE       0x80000000u

#define END_OF_SPACE 0x100

static bool
conf1_suits(const struct pci_tree *tree, const struct reader *r)
{
	(void)tree;
	return !bdf_split(r->function->bdf).domain &&
	       r->addr.offset < END_OF_SPACE;
}

/* The reader's address is what the first port takes. */
static bool
open_ports(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	struct bdf_numbers bdf = bdf_split(r->function->bdf);
	static bool warned;

	if (!conf1_suits(tree, r))
		return fail(s, STATUS_ABSENT,
		            "%s: the ports CF8 and CFC reach only the first "
		            "256 bytes, and only in domain 0",
		            r->function->bdf);
	r->address = ENABLE | bdf.bus << 16 | bdf.device << 11 |
	             bdf.function << 8 | (uint32_t)r->addr.offset;
	if (ioperm(ADDRESS_PORT, NPORTS, 1)) {
		int error = errno;

		return fail(s, STATUS_ABSENT, "ports CF8 and CFC: %s%s",
		            strerror(error),
		            error != EPERM ? ""
		            : access_is_locked_down()
		                ? " (the kernel is locked down)"
		                : " (root only)");
	}
	if (!warned)
		warn("the kernel uses the ports CF8 and CFC, too: between our "
		     "two accesses it may get our register, or we its; a "
		     "write of the kernel may then hit another device");
	warned = true;
	return true;
}

static bool
read_ports(const struct reader *r, uint32_t *value)
{
	outl(r->address, ADDRESS_PORT);
	*value = inl(DATA_PORT);
	return true;
}

#else

static bool
conf1_suits(const struct pci_tree *tree, const struct reader *r)
{
	(void)tree;
	(void)r;
	return false;
}

static bool
open_ports(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	(void)tree;
	return fail(s, STATUS_ABSENT,
	            "%s: this processor has no ports CF8 and CFC",
	            r->function->bdf);
}

static bool
read_ports(const struct reader *r, uint32_t *value)
{
	(void)r;
	(void)value;
	return false;
}

#endif

const struct access_method conf1_method = {
    .name = "conf1",
    .help = "config space by the ports CF8 and CFC, racing the kernel",
    .reads_config = true,
    .racing = true,
    .suits = conf1_suits,
    .open = open_ports,
    .read = read_ports,
};
