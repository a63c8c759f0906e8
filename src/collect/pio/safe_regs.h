/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of BARs that can be read without an effect. */
#ifndef PCB_COLLECT_PIO_SAFE_REGS_H
#define PCB_COLLECT_PIO_SAFE_REGS_H

#include "collect/pio/reg_addr.h"
#include "common/pci/tree.h"

/* The table of share/, row by row. */
struct safe_regs {
	struct safe_reg {
		uint32_t class_code;  /* its digits, at the left of 6 */
		unsigned class_shift; /* bits of digits that are not there */
		uint32_t vendor, device;
		bool any_vendor, any_device;
		struct reg_addr addr;
	} * item;
	size_t n;
};

/*
 * Reads the table; it has n = 0 where it is not installed. Dies if it holds
 * what it should not. Free with safe_regs_free.
 */
struct safe_regs safe_regs_read(void);
void safe_regs_free(struct safe_regs *regs);

/* The register of such a function, by the first row that fits; or NULL. */
const struct reg_addr *safe_regs_find(const struct safe_regs *regs,
                                      const struct pci_function *f);

#endif
