/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which register of a device is read. */
#ifndef PCB_COLLECT_PIO_REG_ADDR_H
#define PCB_COLLECT_PIO_REG_ADDR_H

#include "common/pci/tree.h"

/* Instead of the number of a BAR. */
enum { CONFIG_SPACE = -1 };

/* Where a text names no register. */
#define NO_OFFSET UINT64_MAX

/* 32 bits, at an offset in bytes that is a multiple of 4. */
struct reg_addr {
	int bar; /* 0 to 5, or CONFIG_SPACE */
	uint64_t offset;
};

#define REG_ADDR_TEXT_MAX 32

/*
 * Reads an offset in config space ("0x08") or in what a BAR maps
 * ("BAR0+0x8"). Returns NULL, or the reason why the text is refused (a
 * constant), and then leaves *addr alone.
 */
const char *reg_addr_parse(const char *text, struct reg_addr *addr);

/*
 * Reads "BDF[:REGISTER]", as reg_addr_parse; without a register, the offset is
 * NO_OFFSET.
 */
const char *reg_addr_parse_of(const char *text, char bdf[BDF_MAX],
                              struct reg_addr *addr);

/* The text of the column `register`: "0x08", "BAR0+0x8". */
void reg_addr_format(const struct reg_addr *addr, char text[REG_ADDR_TEXT_MAX]);

/* Whether no function may change what this register holds: IDs and class. */
bool reg_addr_is_constant(const struct reg_addr *addr);

#endif
