/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser of listings writes a valid link, or nothing. */
#include "import/lspci.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char text[LINK_TEXT_MAX];
	struct link link;
	FILE *f = size ? fmemopen((void *)bytes, size, "r") : NULL;

	if (!f)
		return 0;
	if (!read_lspci(f, "nfp6000", text) && *text)
		abort();
	if (link_parse(text, &link) || (*text && link.bus != BUS_PCIE))
		abort();
	fclose(f);
	return 0;
}
