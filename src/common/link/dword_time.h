/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time of one DWORD read on a link or bus. */
#ifndef PCB_COMMON_LINK_DWORD_TIME_H
#define PCB_COMMON_LINK_DWORD_TIME_H

#include "common/link/pcie.h"

/* Clocks until the target of a parallel bus claims a transaction. */
enum devsel { DEVSEL_FAST = 1, DEVSEL_MEDIUM, DEVSEL_SLOW };
#define NDEVSELS (DEVSEL_SLOW + 1)

/* Their names in the column `devsel`; "" for 0, which is unknown. */
extern const char *const devsel_names[NDEVSELS];

/* The read of one DWORD; members that do not apply are 0. */
struct serial {
	unsigned request, completion; /* bytes on a PCI Express link */
	unsigned clocks;              /* of a parallel bus */
	double ns;
};

/*
 * PCI Express: the time on the wire of the MRd or CfgRd (12 bytes of header, or
 * 16 unless addr32 is set; configuration reads always have 12) and of the CplD
 * with 4 bytes. In flit mode each takes a whole flit, 256 bytes, because flits
 * are checked as a whole. Parallel buses: 4 clocks and those of devsel, for a
 * target that answers at once. The bus must be known. D. J. Miller et al.,
 * Motivating future interconnects (ANCS 2009), 3.1 and Table 4.
 */
struct serial serialize_dword(const struct link *link, enum devsel devsel);

/*
 * The same for a PCI Express link whose ends differ in settings: the request
 * follows `asks`, the completion `link`. Both have the rate of `link`.
 */
struct serial serialize_read(const struct link *asks, const struct link *link);

#endif
