/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser of ndl's info.yml: texts are not empty and are one line. */
#include "import/ndl_info.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void
check(const char *text)
{
	if (text && (!*text || strpbrk(text, "\n\r\t")))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct ndl_info info;
	FILE *f = size ? fmemopen((void *)bytes, size, "r") : NULL;

	if (!f)
		return 0;
	ndl_info_read(f, &info);
	check(info.tool);
	check(info.version);
	check(info.report);
	ndl_info_free(&info);
	fclose(f);
	return 0;
}
