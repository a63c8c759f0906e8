/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system of published results, by files in their directory. */
#ifndef PCB_IMPORT_PCIEBENCH_SYSTEM_H
#define PCB_IMPORT_PCIEBENCH_SYSTEM_H

#include "common/link/pcie.h"

#include <stdbool.h>

/* Free host and device; "" is unknown. */
struct system {
	char *host;
	char *device;
	char node[2];
	const char *iommu;
};

/*
 * Splits CARD-CLOCKGHz_HOST[-s0-sN-sN][-iommu[-nosp]]; false, with all texts
 * "", for other names. Sockets stay part of the host unless the device is on
 * socket 0 and memory and program are on the same one: otherwise different rows
 * would have equal keys.
 */
bool parse_system(const char *name, struct system *system);

/*
 * Writes the link of the card called `device` ("nfp6000"), in the form of the
 * column `link`, from the output of `lspci -vvv` in sys-lspci.txt; "" if the
 * file does not exist (directory may be NULL), the vendor is unknown, or the
 * card or a part of its link is missing or invalid. Of several functions of the
 * vendor, those with the card's number in their name count, or all if none has
 * it. Warns, and writes "", if their links differ; dies if it cannot be read.
 * ECRC counts as in all TLPs only if the root port above sends it, too.
 * Addresses have 32 bits if sys-dma-addrs.txt lists the buffer's addresses, all
 * below 4 GiB.
 */
void link_of_listing(const char *directory, const char *device,
                     char text[LINK_TEXT_MAX]);

#endif
