/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers to read in turn, and those that are safe to read. */
#ifndef PCB_COLLECT_PIO_TARGETS_H
#define PCB_COLLECT_PIO_TARGETS_H

#include "collect/pio/access.h"
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

struct target {
	struct reader reader;
	/* The first value: as read, or as libpci has it. */
	uint32_t expected;
	bool known;
	uint64_t changes; /* reads of another value than before */
};

/*
 * Zero-initialise; set tree (it must outlive this), method, addr and
 * flags.
 */
struct targets {
	const struct pci_tree *tree;
	const struct access_method *method;
	struct reg_addr addr; /* of all functions, unless: */
	bool held_awake;      /* --hold power, not begun yet */
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

/*
 * Records what pci_describe_paths does; if all registers are read through
 * sysfs, also "kernel_access", how the kernel reads config space.
 */
void pio_describe_targets(struct preamble *pre, const struct targets *targets);

#endif
