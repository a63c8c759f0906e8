/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The link of a card, from a listing stored with its results. */
#ifndef PCB_IMPORT_LSPCI_H
#define PCB_IMPORT_LSPCI_H

#include "common/link/pcie.h"

#include <stdio.h>

/*
 * Writes the link of the card called `device` ("nfp6000"), in the form of the
 * column `link`, from the output of `lspci -vvv`. "" if the vendor is unknown,
 * or the card or a part of its link is missing or invalid. Of several functions
 * of the vendor, those with the card's number in their name count, or all if
 * none has it. False, and "", if their links differ. ECRC counts as in all TLPs
 * only if the root port above sends it, too.
 */
bool read_lspci(FILE *f, const char *device, char text[LINK_TEXT_MAX]);

/*
 * The same from sys-lspci.txt in a directory; "" if either does not exist
 * (directory may be NULL), and, with a warning, if functions differ or the file
 * cannot be read. Addresses have 32 bits if sys-dma-addrs.txt lists the
 * buffer's addresses, all below 4 GiB.
 */
void lspci_link(const char *directory, const char *device,
                char text[LINK_TEXT_MAX]);

#endif
