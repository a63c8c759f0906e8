/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of PCI functions. */
#ifndef PCB_COMMON_BASE_BDF_H
#define PCB_COMMON_BASE_BDF_H

#include <stdbool.h>

/* Size of "0000:03:00.0" with NUL; domains may have up to 8 digits. */
#define BDF_MAX 20

/*
 * Parses a BDF as lspci prints it ("03:00.0" or "0000:03:00.0") and stores the
 * full form; false if the text is none.
 */
bool parse_bdf(const char *text, char bdf[BDF_MAX]);

/* Without the domain, if that is 0: the rest of the text. */
const char *bdf_short(const char *bdf);

/* The order of two full BDFs: by domain, bus, device, function. */
int bdf_order(const char *a, const char *b);

/* Whether two full BDFs are of functions of one device. */
bool bdf_same_device(const char *a, const char *b);

struct bdf_numbers {
	unsigned domain, bus, device, function;
};

/* The numbers of a full BDF. Bus, device and function form the requester ID. */
struct bdf_numbers bdf_split(const char bdf[BDF_MAX]);

#endif
