/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The link of a card, from a listing that lies beside its results. */
#ifndef PCB_IMPORT_LSPCI_H
#define PCB_IMPORT_LSPCI_H

#include "common/link/pcie.h"

#include <stdio.h>

/*
 * Writes the link of the card called `device` ("nfp6000"), as it stands in
 * the column `link`, from the text of `lspci -vvv`; "" where its vendor is
 * not known, or the card or a part of its link is missing or odd. If several
 * functions are of that vendor, those count that have the card's number in
 * their name; if there are none, all do. False, and "", if their links differ.
 * An ECRC is in all TLPs only if the root port above adds one, too.
 */
bool read_lspci(FILE *f, const char *device, char text[LINK_TEXT_MAX]);

/*
 * The same from sys-lspci.txt in a directory; "" if either is not there
 * (directory may be NULL), and, with a warning, if functions differ or the
 * file cannot be read. Addresses have 32 bits if sys-dma-addrs.txt lists
 * addresses of the buffer, all below 4 GiB.
 */
void lspci_link(const char *directory, const char *device,
                char text[LINK_TEXT_MAX]);

#endif
