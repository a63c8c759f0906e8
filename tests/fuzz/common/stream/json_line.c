/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line parsed twice has the same names. */
#include "common/stream/record.h"
#include "fuzz/target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct json_line object = {0};

	for (int i = 0; i < 2; i++) {
		if (!json_line_parse(&object, (const char *)bytes, size) && i &&
		    object.renamed)
			abort();
	}
	json_line_free(&object);
	return 0;
}
