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
struct place {
	int bar; /* 0 to 5, or CONFIG_SPACE */
	uint64_t offset;
};

#define PLACE_TEXT_MAX 32

/*
 * Reads an offset in config space ("0x08") or in what a BAR maps
 * ("BAR0+0x8"). Returns NULL, or the reason why the text is refused (a
 * constant), and then leaves *place alone.
 */
const char *place_parse(const char *text, struct place *place);

/*
 * Reads "BDF[:REGISTER]", as place_parse; without a register, the offset is
 * NO_OFFSET.
 */
const char *place_parse_of(const char *text, char bdf[BDF_MAX],
                           struct place *place);

/* The text of the column `register`: "0x08", "BAR0+0x8". */
void place_format(const struct place *place, char text[PLACE_TEXT_MAX]);

/* Whether no function may change what this register holds: IDs and class. */
bool place_is_constant(const struct place *place);

#endif
