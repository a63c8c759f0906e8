/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of PMUs in the column `unit`. */
#include "common/sys/pmu_name.h"

#include "common/base/util.h"

#include <ctype.h>
#include <string.h>

char *
pmu_unit(const char *pmu, size_t length)
{
	static const char family[] = "uncore_";
	size_t skipped = sizeof family - 1;
	char *unit = xmalloc(length + 1);
	char *to = unit;

	if (length < skipped || strncmp(pmu, family, skipped) != 0)
		skipped = 0;
	for (size_t i = skipped; i < length; i++) {
		bool numbered = skipped && i + 1 < length &&
		                isdigit((unsigned char)pmu[i + 1]);

		if (pmu[i] != '_' || !numbered)
			*to++ = pmu[i];
	}
	*to = '\0';
	return unit;
}
