/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units, checks and columns of a point, for benches that transfer data. */
#include "collect/core/point.h"

#include "common/base/intmath.h"

#define LEAST_BUFFER (UINT64_C(64) << 20)

const char *const pattern_names[] = {
    [PATTERN_RANDOM] = "random",
    [PATTERN_SEQUENTIAL] = "sequential",
};

uint64_t
point_unit(const struct point *point)
{
	uint64_t lines = point->window / LINE;
	uint64_t end;

	if (__builtin_add_overflow(point->offset, point->size, &end) ||
	    end > lines * LINE)
		return 0;
	return div_round_up(end, LINE) * LINE;
}

uint64_t
point_units(const struct point *point)
{
	uint64_t unit = point_unit(point);

	return unit ? point->window / unit : 0;
}

uint64_t
point_buffer(const struct request *request, uint64_t llc)
{
	if (request->buffer)
		return request->buffer;
	return 4 * llc < LEAST_BUFFER ? LEAST_BUFFER : 4 * llc;
}

bool
point_check(struct session *s, const struct point *point, uint64_t buffer)
{
	if (!point->size)
		return fail(s, STATUS_TROUBLE, "a transfer of 0 bytes");
	if (point->window > buffer)
		return fail(s, STATUS_TROUBLE,
		            "a window of %ju bytes is larger than the buffer "
		            "(-b) of %ju",
		            (uintmax_t)point->window, (uintmax_t)buffer);
	return point_unit(point) ||
	       fail(s, STATUS_TROUBLE,
	            "a window of %ju bytes does not hold %ju bytes at offset "
	            "%ju, rounded up to whole lines: give a larger -w",
	            (uintmax_t)point->window, (uintmax_t)point->size,
	            (uintmax_t)point->offset);
}

void
point_identify(struct series *series, const struct point *point)
{
	series_set(series, ID_SIZE, "%ju", (uintmax_t)point->size);
	series_set(series, ID_OFFSET, "%ju", (uintmax_t)point->offset);
	series_set(series, ID_WINDOW, "%ju", (uintmax_t)point->window);
	series_set(series, ID_PATTERN, "%s", pattern_names[point->pattern]);
	series_set(series, ID_CACHE, "%s", cache_names[point->cache]);
}
