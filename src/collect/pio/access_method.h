/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways for the CPU to read 32 bits of a function. Each is one file with one
 * struct access_method, listed in access.c; ARCHITECTURE.md shows how to add
 * one.
 */
#ifndef PCB_COLLECT_PIO_ACCESS_METHOD_H
#define PCB_COLLECT_PIO_ACCESS_METHOD_H

#include "collect/core/backend.h"
#include "collect/pio/reg_addr.h"
#include "common/pci/tree.h"

struct vfio_iommu;

/* One register, opened: a descriptor or a mapping of its own. */
struct reader {
	const struct access_method *method;
	const struct pci_function *function;
	struct reg_addr addr;
	int fd;   /* or -1 */
	off_t at; /* of the register in that file */
	volatile void *map;
	const volatile uint32_t *word; /* the register, where it is mapped */
	struct vfio_iommu *iommu;      /* of a function by VFIO */
};

struct access_method {
	const char *name; /* of -O access, and in the column `access` */
	const char *help;
	bool reads_config, reads_bars;
	bool wakes; /* the kernel keeps awake what is read, and what is above */

	/*
	 * Whether it can be tried on this function: asked where the user
	 * names none. NULL: on all.
	 */
	bool (*suits)(const struct pci_tree *tree, const struct reader *r);

	/*
	 * Opens what the reader says, of the tree; true, or false after
	 * fail(). Nothing of the device changes. close follows in any case.
	 */
	bool (*open)(struct session *s, const struct pci_tree *tree,
	             struct reader *r);

	/*
	 * The timed access, which does nothing else. False if there was no
	 * answer: errno says why, or is 0.
	 */
	bool (*read)(const struct reader *r, uint32_t *value);

	/* What access_close does not do; NULL: nothing. */
	void (*close)(struct reader *r);
};

extern const struct access_method sysfs_method, resource_method, ecam_method,
    vfio_method;

#endif
