/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers of 32 bits in config space or in a BAR, and access methods: how the
 * CPU reads one.
 */
#ifndef PCB_COLLECT_PIO_ACCESS_H
#define PCB_COLLECT_PIO_ACCESS_H

#include "collect/core/backend.h"
#include "common/pci/tree.h"

/* In place of a BAR's number. */
enum { CONFIG_SPACE = -1 };

/* The text names no register. */
#define NO_OFFSET UINT64_MAX

/* A register of 32 bits; the offset is in bytes, a multiple of 4. */
struct reg_addr {
	int bar; /* 0 to 5, or CONFIG_SPACE */
	uint64_t offset;
};

#define REG_ADDR_TEXT_MAX 32

/*
 * Parses an offset in config space ("0x08") or in a BAR ("BAR0+0x8"). Returns
 * NULL, or why the text is refused (a constant), and leaves *addr alone.
 */
const char *reg_addr_parse(const char *text, struct reg_addr *addr);

/*
 * Parses "BDF[:REGISTER]", as reg_addr_parse does; without a register, the
 * offset is NO_OFFSET.
 */
const char *reg_addr_parse_of(const char *text, char bdf[BDF_MAX],
                              struct reg_addr *addr);

/* The text of the column `register`: "0x08", "BAR0+0x8". */
void reg_addr_format(const struct reg_addr *addr, char text[REG_ADDR_TEXT_MAX]);

/* Whether the value never changes: IDs and class code. */
bool reg_addr_is_constant(const struct reg_addr *addr);

struct vfio_iommu;

/* One open register, with its own descriptor or mapping. */
struct reader {
	const struct access_method *method;
	const struct pci_function *function;
	struct reg_addr addr;
	char text[REG_ADDR_TEXT_MAX]; /* of addr */
	int fd;                       /* or -1 */
	off_t at;                     /* offset of the register in the file */
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
	 * Opens r->addr of r->function: sets fd, map or iommu, which
	 * access_close releases in any case. False after fail(). Changes
	 * nothing in the device.
	 */
	bool (*open)(struct session *s, const struct pci_tree *tree,
	             struct reader *r);

	/*
	 * The timed access, and nothing else. False if there was no answer,
	 * with errno, which may be 0.
	 */
	bool (*read)(const struct reader *r, uint32_t *value);
};

/*
 * The method called `name` for an address, or NULL; "auto" is the first method
 * that reads such addresses.
 */
const struct access_method *access_find(const char *name,
                                        const struct reg_addr *addr);

/* The names of those that read such an address, with ", ". Free it. */
char *access_list(const struct reg_addr *addr);

/*
 * Opens a reader of one register. Tree and function must outlive it. False
 * after fail(), with nothing left open.
 */
bool access_open(struct session *s, const struct access_method *method,
                 const struct pci_tree *tree, const struct pci_function *f,
                 const struct reg_addr *addr, struct reader *r);
void access_close(struct reader *r);

/*
 * Whether the function does not answer by this method, because runtime power
 * management has suspended it or a bridge above; and whether it may be
 * suspended before the next read: then its memory must not be read without
 * keeping it awake, which some machines do not survive.
 */
bool reader_is_suspended(const struct pci_tree *tree, const struct reader *r);
bool reader_may_suspend(const struct pci_tree *tree, const struct reader *r);

#endif
