/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of errors: each is a line of the text, in its order. */
#include "common/sys/sysfs.h"
#include "fuzz/target.h"

#include <inttypes.h>

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = strndup((const char *)bytes, size), *rest = text, *name;
	char *line = strndup((const char *)bytes, size), *left = line, *next;
	uint64_t count;

	while (aer_next(&rest, &name, &count)) {
		size_t length = strlen(name);

		/* Its line is there; the number may have other zeros. */
		while ((next = strsep(&left, "\n")) &&
		       (strncmp(next, name, length) != 0 ||
		        next[length] != ' ' ||
		        strtoull(next + length, NULL, 10) != count))
			;
		if (!next || !strncmp(name, "TOTAL_", 6))
			abort();
	}
	if (rest)
		abort();
	free(text);
	free(line);
	return 0;
}
