/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/pio/reg_addr.h"

#include "common/base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define CONFIG_SIZE 0x1000

static const char *
check_offset(const struct place *place)
{
	if (place->offset % 4)
		return "a register is at a multiple of 4";
	if (place->bar == CONFIG_SPACE && place->offset >= CONFIG_SIZE)
		return "config space ends at 0x1000";
	return NULL;
}

const char *
place_parse(const char *text, struct place *place)
{
	struct place p = {.bar = CONFIG_SPACE};
	const char *why;

	if (!strncasecmp(text, "BAR", 3)) {
		if (text[3] < '0' || text[3] > '5' ||
		    (text[4] && text[4] != '+'))
			return "a BAR is BAR0 to BAR5, as in BAR0+0x8";
		p.bar = text[3] - '0';
		text += text[4] ? 5 : 4;
	}
	/* A BAR by itself is its first register. */
	why = p.bar != CONFIG_SPACE && !*text && text[-1] != '+'
	          ? NULL
	          : parse_offset(text, &p.offset);
	if (!why)
		why = check_offset(&p);
	if (!why)
		*place = p;
	return why;
}

const char *
place_parse_of(const char *text, char bdf[BDF_MAX], struct place *place)
{
	const char *dot = strchr(text, '.');
	const char *colon = dot ? strchr(dot, ':') : NULL;
	size_t length = colon ? (size_t)(colon - text) : strlen(text);
	char function[BDF_MAX];

	if (length >= sizeof function)
		return "not a device (such as 03:00.0)";
	memcpy(function, text, length);
	function[length] = '\0';
	if (!parse_bdf(function, bdf))
		return "not a device (such as 03:00.0)";
	*place = (struct place){CONFIG_SPACE, NO_OFFSET};
	return colon ? place_parse(colon + 1, place) : NULL;
}

void
place_format(const struct place *place, char text[PLACE_TEXT_MAX])
{
	if (place->bar == CONFIG_SPACE)
		snprintf(text, PLACE_TEXT_MAX, "0x%02" PRIx64, place->offset);
	else
		snprintf(text, PLACE_TEXT_MAX, "BAR%d+0x%" PRIx64, place->bar,
		         place->offset);
}

bool
place_is_constant(const struct place *place)
{
	return place->bar == CONFIG_SPACE &&
	       (place->offset == 0x00 || place->offset == 0x08);
}
