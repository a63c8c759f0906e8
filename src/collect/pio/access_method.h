/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Access methods: how the CPU reads 32 bits of a function. Each is one file
 * with one struct access_method, listed in access.c; ARCHITECTURE.md shows how
 * to add one.
 */
#ifndef PCB_COLLECT_PIO_ACCESS_METHOD_H
#define PCB_COLLECT_PIO_ACCESS_METHOD_H

#include "collect/core/backend.h"
#include "collect/pio/reg_addr.h"
#include "common/pci/tree.h"

struct vfio_iommu;

/* One open register, with its own descriptor or mapping. */
struct reader {
	const struct access_method *method;
	const struct pci_function *function;
	struct reg_addr addr;
	int fd;   /* or -1 */
	off_t at; /* offset of the register in the file */
	volatile void *map;
	const volatile uint32_t *word; /* the register, if mapped */
	struct vfio_iommu *iommu;      /* of VFIO */
};

struct access_method {
	const char *name; /* in -O access and the column `access` */
	const char *help;
	bool reads_config, reads_bars;
	bool wakes; /* reads keep the function and bridges above awake */

	/*
	 * Whether automatic choice may try it on this function. NULL: on all.
	 */
	bool (*suits)(const struct pci_tree *tree, const struct reader *r);

	/*
	 * Opens r->addr of r->function; false after fail(). Changes nothing in
	 * the device. close follows in any case.
	 */
	bool (*open)(struct session *s, const struct pci_tree *tree,
	             struct reader *r);

	/*
	 * The timed access, and nothing else. False if there was no answer,
	 * with errno, which may be 0.
	 */
	bool (*read)(const struct reader *r, uint32_t *value);

	/* Closes what access_close does not; NULL: nothing. */
	void (*close)(struct reader *r);
};

extern const struct access_method sysfs_method, resource_method, ecam_method,
    vfio_method;

#endif
