/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers in BARs that can be read without side effects. */
#ifndef PCB_COLLECT_PIO_SAFE_REGS_H
#define PCB_COLLECT_PIO_SAFE_REGS_H

#include "collect/pio/reg_addr.h"
#include "common/pci/tree.h"

/* The rows of the table in share/. */
struct safe_regs {
	struct safe_reg {
		uint32_t class_code;  /* its digits, left-aligned in 6 */
		unsigned class_shift; /* 4 bits per missing digit */
		uint32_t vendor, device;
		bool any_vendor, any_device;
		struct reg_addr addr;
	} * item;
	size_t n;
};

/*
 * Reads the table; n is 0 if it is not installed. Dies if a row is invalid.
 * Free with safe_regs_free.
 */
struct safe_regs safe_regs_read(void);
void safe_regs_free(struct safe_regs *regs);

/* The register of the first row that matches the function; or NULL. */
const struct reg_addr *safe_regs_find(const struct safe_regs *regs,
                                      const struct pci_function *f);

#endif
