/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of BARs that can be read without an effect. */
#ifndef PCB_COLLECT_PIO_SAFE_REGS_H
#define PCB_COLLECT_PIO_SAFE_REGS_H

#include "collect/pio/reg_addr.h"
#include "common/pci/tree.h"

/* The table of share/, row by row. */
struct known {
	struct known_register {
		uint32_t class_code;  /* its digits, at the left of 6 */
		unsigned class_shift; /* bits of digits that are not there */
		uint32_t vendor, device;
		bool any_vendor, any_device;
		struct place place;
	} * item;
	size_t n;
};

/*
 * Reads the table; it has n = 0 where it is not installed. Dies if it holds
 * what it should not. Free with known_free.
 */
struct known known_read(void);
void known_free(struct known *known);

/* The register of such a function, by the first row that fits; or NULL. */
const struct place *known_find(const struct known *known,
                               const struct pci_function *f);

#endif
