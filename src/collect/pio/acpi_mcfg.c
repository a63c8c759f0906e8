/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the ACPI table MCFG, which lists ECAM windows. */
#include "collect/pio/pio.h"

#include "common/sys/sysfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header of all ACPI tables, and 8 reserved bytes. */
#define LENGTH_AT   4
#define HEADER_SIZE 44

/* Base address, segment group, first and last bus, 4 reserved bytes. */
#define ENTRY_SIZE 16

static uint64_t
little_endian(const unsigned char *byte, size_t n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | byte[n];
	return value;
}

const char *
mcfg_find(const unsigned char *table, size_t size,
          const struct bdf_numbers *bdf, uint64_t *address)
{
	unsigned char sum = 0;
	size_t length = 0;

	if (size >= HEADER_SIZE && !memcmp(table, "MCFG", 4))
		length = little_endian(table + LENGTH_AT, 4);
	for (size_t i = 0; length <= size && i < length; i++)
		sum = (unsigned char)(sum + table[i]);
	if (length < HEADER_SIZE || length > size || sum)
		return "not a table of ECAM windows";
	for (size_t at = HEADER_SIZE; at + ENTRY_SIZE <= length;
	     at += ENTRY_SIZE) {
		const unsigned char *entry = table + at;

		if (little_endian(entry + 8, 2) != bdf->domain ||
		    entry[10] > bdf->bus || entry[11] < bdf->bus)
			continue;
		*address = little_endian(entry, 8) + ((uint64_t)bdf->bus << 20 |
		                                      bdf->device << 15 |
		                                      bdf->function << 12);
		return NULL;
	}
	return "no ECAM window holds its bus";
}

bool
mcfg_is_used(const char *iomem, uint64_t address)
{
	FILE *f = fopen(iomem, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	if (!f)
		die_if_short(iomem);
	/* "  e0000000-efffffff : PCI ECAM 0000 [bus 00-ff]", once MMCONFIG. */
	while (f && !found && getline(&line, &size, f) > 0) {
		uint64_t first, last;
		char *end;

		if (!strstr(line, ": PCI ECAM") &&
		    !strstr(line, ": PCI MMCONFIG"))
			continue;
		first = strtoull(line, &end, 16);
		last = *end == '-' ? strtoull(end + 1, NULL, 16) : 0;
		found = first <= address && address <= last;
	}
	if (f)
		fclose(f);
	free(line);
	return found;
}
