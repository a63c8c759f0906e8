/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an MCFG table: an address, or a reason. */
#include "collect/pio/pio.h"
#include "fuzz/target.h"

/* Corrects the checksum in the header's last byte, so that more inputs pass. */
static unsigned char *
repaired(const uint8_t *bytes, size_t size)
{
	unsigned char *table = malloc(size + 1);
	unsigned char sum = 0;

	if (!table)
		abort();
	memcpy(table, bytes, size);
	for (size_t i = 0; i < size; i++)
		sum = (unsigned char)(sum + table[i]);
	if (size > 9)
		table[9] = (unsigned char)(table[9] - sum);
	return table;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const struct bdf_numbers bdfs[] = {{0, 0, 0, 0}, {1, 0xff, 0x1f, 7}};
	unsigned char *table = repaired(bytes, size);

	for (size_t i = 0; i < sizeof bdfs / sizeof *bdfs; i++) {
		uint64_t address = 1;
		const char *why = mcfg_find(table, size, &bdfs[i], &address);

		if (why && address != 1)
			abort();
	}
	free(table);
	return 0;
}
