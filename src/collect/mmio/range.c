/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses ranges of device memory. */
#include "collect/mmio/range.h"

#include "collect/host/store.h"
#include "common/base/number.h"
#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char form[] = "not a range, such as BAR2+0x1000,4K";

/* Parses "OFFSET,SIZE". NULL, or why it is refused. */
static const char *
read_numbers(char *text, struct mmio_range *range)
{
	const char *offset = strsep(&text, ",");
	const char *why = text ? parse_offset(offset, &range->offset) : form;

	if (!why)
		why = parse_size(text, &range->size);
	if (!why && (range->offset % STORE_WIDEST ||
	             range->size % STORE_WIDEST || !range->size))
		why = "offset and size are multiples of 64";
	if (!why && range->offset > UINT64_MAX - range->size)
		why = "no device has so much memory";
	return why;
}

const char *
mmio_range_parse(const char *text, struct mmio_range *range)
{
	struct mmio_range r = {0};
	const char *why;
	char *numbers;

	if (strncasecmp(text, "BAR", 3) != 0 || text[3] < '0' ||
	    text[3] > '5' || text[4] != '+')
		return form;
	r.bar = text[3] - '0';
	numbers = xstrdup(text + 5);
	why = read_numbers(numbers, &r);
	free(numbers);
	if (!why)
		*range = r;
	return why;
}

bool
mmio_range_holds(const struct mmio_range *outer, const struct mmio_range *inner)
{
	return inner->bar == outer->bar && inner->offset >= outer->offset &&
	       inner->size <= outer->size &&
	       inner->offset - outer->offset <= outer->size - inner->size;
}
