/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats of sysfs: the encoder stores a value completely, or refuses it. */
#include "collect/host/perf_event.h"
#include "fuzz/target.h"

static int
ones(const struct pmu_config *config)
{
	int n = 0;

	for (int i = 0; i < 3; i++)
		n += __builtin_popcountll(config->word[i]);
	return n;
}

/* The value, then the format. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct pmu_config config = {0}, none = {0};
	uint64_t value;
	char *format;

	if (size < sizeof value)
		return 0;
	memcpy(&value, bytes, sizeof value);
	format =
	    strndup((const char *)bytes + sizeof value, size - sizeof value);
	if (!format)
		abort();
	/* Overlapping ranges may share bits; no other bits may be set. */
	if (!pmu_put(&config, format, value) &&
	    (ones(&config) > __builtin_popcountll(value) ||
	     (value && !ones(&config))))
		abort();
	if (!pmu_put(&none, format, 0) && ones(&none))
		abort();
	free(format);
	return 0;
}
