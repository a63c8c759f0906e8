/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers to read in turn. */
#ifndef PCB_COLLECT_PIO_TARGETS_H
#define PCB_COLLECT_PIO_TARGETS_H

#include "collect/pio/access.h"
#include "collect/pio/safe_regs.h"

struct target {
	struct reader reader;
	/* The first value: as read, or as libpci has it. */
	uint32_t expected;
	bool known;
	uint64_t changes; /* reads of another value than before */
};

/* Zero-initialise; set tree (it must outlive this), method, addr, safe_only. */
struct targets {
	const struct pci_tree *tree;
	const struct access_method *method;
	struct reg_addr addr; /* of all functions, unless: */
	bool safe_only;       /* each function has its own, of `safe_regs` */
	struct safe_regs safe_regs;
	struct target *item;
	size_t n;
};

/*
 * Opens what the request names: a function, the path to it, or all functions
 * that the method suits and that answer; warns of those that do not. False
 * after fail() if one cannot be opened.
 */
bool targets_open(struct session *s, struct targets *targets);

/*
 * Opens one more register, for cross traffic: of the function with this full
 * BDF, at `addr`; with NO_OFFSET, at the targets' address. Uses the targets'
 * method if it reads such an address, else the default one. NULL after fail().
 * Release with target_free, which also takes NULL.
 */
struct target *targets_open_cross(struct session *s,
                                  const struct targets *targets,
                                  const char *bdf, const struct reg_addr *addr);
void target_free(struct target *target);

void targets_close(struct targets *targets);

/* Whether a target is this function or is below it. */
bool targets_are_below(const struct targets *targets,
                       const struct pci_function *f);

/*
 * Call before the first read: false after fail() if the function is suspended
 * and would not answer by this method, or, for a register in a BAR, if it may
 * become suspended.
 */
bool target_check_awake(struct session *s, const struct targets *targets,
                        const struct target *target);

/*
 * Checks a read: its value, or its failure (`ok` false, with errno). True if it
 * is a sample, false after fail(). All ones is no answer. Counts changes of the
 * value, and refuses them in registers that never change.
 */
bool target_check(struct session *s, struct target *target, bool ok,
                  uint32_t value);

#endif
