/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers that are read in turn. */
#ifndef PCB_COLLECT_PIO_TARGETS_H
#define PCB_COLLECT_PIO_TARGETS_H

#include "collect/pio/access.h"
#include "collect/pio/safe_regs.h"

struct target {
	struct reader reader;
	/* What it held: at first, or as libpci has seen it. */
	uint32_t expected;
	bool known;
	uint64_t changes; /* reads that gave something else than before */
};

/* Zero-initialise; set tree (it must live longer), method, addr, safe_only. */
struct targets {
	const struct pci_tree *tree;
	const struct access_method *method;
	struct reg_addr addr; /* to be read of all of them, unless: */
	bool safe_only;       /* of each what `safe_regs` says */
	struct safe_regs safe_regs;
	struct target *item;
	size_t n;
};

/*
 * Opens what the request names: a function, the path to it, or, of all
 * functions, those that the method suits and that answer; a warning says which
 * do not. One that cannot be opened ends it: false after fail().
 */
bool targets_open(struct session *s, struct targets *targets);

/*
 * Opens another register: of a function with this full BDF, at `addr`, or
 * where that has NO_OFFSET at the address that is read of the targets. The
 * method is theirs if it can read that, else its default. NULL after fail().
 * Release with target_free, which takes NULL as well.
 */
struct target *targets_open_cross(struct session *s,
                                  const struct targets *targets,
                                  const char *bdf, const struct reg_addr *addr);
void target_free(struct target *target);

void targets_close(struct targets *targets);

/* Whether a target is this function or lies below it. */
bool targets_are_below(const struct targets *targets,
                       const struct pci_function *f);

/*
 * To be asked before the first read: false after fail() where the function
 * sleeps, so that it would not answer by this method; or, where a register of a
 * BAR is to be read, may fall asleep meanwhile.
 */
bool target_check_awake(struct session *s, const struct targets *targets,
                        const struct target *target);

/*
 * What a read has given, or that it failed (`ok` false, with errno): true if
 * that is a sample, false after fail(). All ones is no answer. A value that
 * changes is counted, but is refused where the register never does.
 */
bool target_check(struct session *s, struct target *target, bool ok,
                  uint32_t value);

#endif
