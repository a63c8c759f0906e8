/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Identities of samples. */
#include "collect/core/series.h"

#include <stdarg.h>
#include <stdlib.h>

void
series_set(struct series *series, enum identity column, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	free(series->id[column]);
	series->id[column] = text;
}

void
series_identify(struct series *series, const char *kind, const char *device,
                const char *link)
{
	series_set(series, ID_KIND, "%s", kind);
	series_set(series, ID_DEVICE, "%s", device);
	series_set(series, ID_LINK, "%s", link);
}

void
series_free(struct series *series, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < NIDENTITY; k++)
			free(series[i].id[k]);
	}
	free(series);
}
