/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses any text as a range of device memory: a range, or a reason. */
#include "collect/mmio/mmio.h"
#include "fuzz/target.h"

/* An accepted range is in a BAR, aligned, and does not wrap around. */
static void
check(const struct mmio_range *r)
{
	const struct mmio_range all = {.bar = r->bar, .size = UINT64_MAX};

	if (r->bar < 0 || r->bar > 5 || r->offset % 64 || r->size % 64 ||
	    !r->size || !mmio_range_holds(&all, r))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct mmio_range range = {.bar = 9};
	char *text = text_of(bytes, size);

	if (!mmio_range_parse(text, &range))
		check(&range);
	else if (range.bar != 9)
		abort();
	free(text);
	return 0;
}
