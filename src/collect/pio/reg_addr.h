/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Register addresses: config space or BAR, and offset. */
#ifndef PCB_COLLECT_PIO_REG_ADDR_H
#define PCB_COLLECT_PIO_REG_ADDR_H

#include "common/pci/tree.h"

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

#endif
