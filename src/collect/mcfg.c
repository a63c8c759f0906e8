#include "collect/mcfg.h"

#include <string.h>

/* A header as all tables of ACPI have, and 8 reserved bytes. */
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

/* The length that a sound table gives itself; 0 for another. */
static size_t
sound_length(const unsigned char *table, size_t size)
{
	unsigned char sum = 0;
	size_t length;

	if (size < HEADER_SIZE || memcmp(table, "MCFG", 4) != 0)
		return 0;
	length = little_endian(table + LENGTH_AT, 4);
	if (length < HEADER_SIZE || length > size)
		return 0;
	for (size_t i = 0; i < length; i++)
		sum = (unsigned char)(sum + table[i]);
	return sum ? 0 : length;
}

const char *
mcfg_find(const unsigned char *table, size_t size,
          const struct bdf_numbers *bdf, uint64_t *address)
{
	size_t length = sound_length(table, size);

	if (!length)
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
