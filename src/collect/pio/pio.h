/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU reads of registers: addresses, access methods, targets, --hold. */
#ifndef PCB_COLLECT_PIO_PIO_H
#define PCB_COLLECT_PIO_PIO_H

#include "collect/core/backend.h"
#include "collect/host/restore.h"
#include "common/pci/tree.h"

/* Access ------------------------------------------------------------------- */

/* In place of a BAR's number. */
enum { CONFIG_SPACE = -1 };

/* The text names no register. */
#define NO_OFFSET UINT64_MAX

/* A register of 32 bits; the offset is in bytes, a multiple of 4. */
struct reg_addr {
	int bar; /* 0 to 5, or CONFIG_SPACE */
	uint64_t offset;
};

#define REG_ADDR_TEXT_MAX 32

/*
 * Parses an offset in config space ("0x08") or in a BAR ("BAR0+0x8"). Returns
 * NULL, or why the text is refused (a constant), and leaves *addr alone.
 */
const char *reg_addr_parse(const char *text, struct reg_addr *addr);

/*
 * Parses "BDF[:REGISTER]", as reg_addr_parse does; without a register, the
 * offset is NO_OFFSET.
 */
const char *reg_addr_parse_of(const char *text, char bdf[BDF_MAX],
                              struct reg_addr *addr);

/* The text of the column `register`: "0x08", "BAR0+0x8". */
void reg_addr_format(const struct reg_addr *addr, char text[REG_ADDR_TEXT_MAX]);

/* Whether the value never changes: IDs and class code. */
bool reg_addr_is_constant(const struct reg_addr *addr);

struct vfio_iommu;

/* One open register, with its own descriptor or mapping. */
struct reader {
	const struct access_method *method;
	const struct pci_function *function;
	struct reg_addr addr;
	char text[REG_ADDR_TEXT_MAX];  /* of addr */
	int fd;                        /* or -1 */
	off_t at;                      /* offset of the register in the file */
	const volatile uint32_t *word; /* the register, if mapped */
	struct vfio_iommu *iommu;      /* of VFIO */
};

struct access_method {
	const char *name; /* in -O access and the column `access` */
	const char *help;
	bool reads_config, reads_bars;
	bool wakes; /* reads keep the function and bridges above awake */

	/*
	 * Whether automatic choice may try it on this function. NULL: on all.
	 */
	bool (*suits)(const struct reader *r);

	/*
	 * Opens r->addr of r->function: sets fd, word or iommu, which
	 * access_close releases in any case. False after fail(). Changes
	 * nothing in the device.
	 */
	bool (*open)(struct session *s, struct reader *r);

	/*
	 * The timed access, and nothing else. False if there was no answer,
	 * with errno, which may be 0.
	 */
	bool (*read)(const struct reader *r, uint32_t *value);
};

/*
 * The method called `name` for an address, or NULL; "auto" is the first method
 * that reads such addresses.
 */
const struct access_method *access_find(const char *name,
                                        const struct reg_addr *addr);

/* The names of those that read such an address, with ", ". Free it. */
char *access_list(const struct reg_addr *addr);

/*
 * Opens a reader of one register. The function must outlive it. False after
 * fail(), with nothing left open.
 */
bool access_open(struct session *s, const struct access_method *method,
                 const struct pci_function *f, const struct reg_addr *addr,
                 struct reader *r);
void access_close(struct reader *r);

/*
 * Whether the function does not answer by this method, because runtime power
 * management has suspended it or a bridge above; and whether it may be
 * suspended before the next read: then its memory must not be read without
 * keeping it awake, which some machines do not survive.
 */
bool reader_is_suspended(const struct reader *r);
bool reader_may_suspend(const struct reader *r);

/* ACPI table MCFG ---------------------------------------------------------- */

/*
 * Computes the physical address of a function's config space from the bytes of
 * the ACPI table MCFG (PCI Firmware Specification 3.3, 4.1.2): that of the
 * segment's bus 0, plus 1 MiB per bus, 32 KiB per device, 4 KiB per function.
 * Returns NULL and sets *address, or returns the reason (a constant): the table
 * is invalid, or has no such bus.
 */
const char *mcfg_find(const unsigned char *table, size_t size,
                      const struct bdf_numbers *bdf, uint64_t *address);

/*
 * Whether a text like /proc/iomem has an ECAM window of the kernel with this
 * address. The kernel ignores windows that no other firmware table confirms:
 * reads there may hit anything. Dies if memory or descriptors are out.
 */
bool mcfg_is_used(const char *iomem, uint64_t address);

/* Targets ------------------------------------------------------------------ */

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
	struct pci_tree *tree;
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
 * Opens one more register, for cross traffic, as reg_addr_parse_of reads it;
 * without an offset, at the targets' address. Uses the targets' method if it
 * reads such an address, else the default one. False after fail(); release with
 * access_close of its reader.
 */
bool targets_open_cross(struct session *s, const struct targets *targets,
                        const char *text, struct target *cross);

void targets_close(struct targets *targets);

/* Whether a target is this function or is below it. */
bool targets_are_below(const struct targets *targets,
                       const struct pci_function *f);

/*
 * Call before the first read: false after fail() if the function is suspended
 * and would not answer by this method, or, for a register in a BAR, if it may
 * become suspended.
 */
bool target_check_awake(struct session *s, const struct target *target);

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

/* Quiesce ------------------------------------------------------------------ */

/*
 * Applies --hold: ASPM and power management of all functions on the paths to
 * the targets. Records it under "held". False after fail() if something is
 * refused or does not exist here; changes_undo follows in any case.
 */
bool quiesce(struct session *s, struct changes *c,
             const struct targets *targets);

#endif
