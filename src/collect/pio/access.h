/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways for the CPU to read 32 bits of a function. Each is one file with one
 * struct access_method, listed in access.c; ARCHITECTURE.md shows how to add
 * one.
 */
#ifndef PCB_COLLECT_PIO_ACCESS_H
#define PCB_COLLECT_PIO_ACCESS_H

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

/*
 * The method of this name for an address, or NULL; "auto" is the first that
 * reads such addresses.
 */
const struct access_method *access_find(const char *name,
                                        const struct reg_addr *addr);

/* The names of those that read such an address, ", " between. Free it. */
char *access_list(const struct reg_addr *addr);

/*
 * Opens a reader of one register. The tree and its function must outlive it.
 * False after fail(), with nothing left open.
 */
bool access_open(struct session *s, const struct access_method *method,
                 const struct pci_tree *tree, const struct pci_function *f,
                 const struct reg_addr *addr, struct reader *r);
void access_close(struct reader *r);

/*
 * Whether the function would not answer by this method since it sleeps by
 * runtime power management, or a bridge above; and whether it may begin to, so
 * that a read of its memory, which some machines do not survive, must not be
 * tried without keeping it awake.
 */
bool reader_is_suspended(const struct pci_tree *tree, const struct reader *r);
bool reader_may_suspend(const struct pci_tree *tree, const struct reader *r);

#endif
