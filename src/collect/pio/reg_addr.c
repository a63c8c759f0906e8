/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Register addresses: config space or BAR, and offset. */
#include "collect/pio/reg_addr.h"

#include "common/base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define CONFIG_SIZE 0x1000

static const char *
check_offset(const struct reg_addr *addr)
{
	if (addr->offset % 4)
		return "a register is at a multiple of 4";
	if (addr->bar == CONFIG_SPACE && addr->offset >= CONFIG_SIZE)
		return "config space ends at 0x1000";
	return NULL;
}

const char *
reg_addr_parse(const char *text, struct reg_addr *addr)
{
	struct reg_addr p = {.bar = CONFIG_SPACE};
	const char *why;

	if (!strncasecmp(text, "BAR", 3)) {
		if (text[3] < '0' || text[3] > '5' ||
		    (text[4] && text[4] != '+'))
			return "a BAR is BAR0 to BAR5, as in BAR0+0x8";
		p.bar = text[3] - '0';
		text += text[4] ? 5 : 4;
	}
	/* A BAR without offset means its first register. */
	why = p.bar != CONFIG_SPACE && !*text && text[-1] != '+'
	          ? NULL
	          : parse_offset(text, &p.offset);
	if (!why)
		why = check_offset(&p);
	if (!why)
		*addr = p;
	return why;
}

const char *
reg_addr_parse_of(const char *text, char bdf[BDF_MAX], struct reg_addr *addr)
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
	*addr = (struct reg_addr){CONFIG_SPACE, NO_OFFSET};
	return colon ? reg_addr_parse(colon + 1, addr) : NULL;
}

void
reg_addr_format(const struct reg_addr *addr, char text[REG_ADDR_TEXT_MAX])
{
	if (addr->bar == CONFIG_SPACE)
		snprintf(text, REG_ADDR_TEXT_MAX, "0x%02" PRIx64, addr->offset);
	else
		snprintf(text, REG_ADDR_TEXT_MAX, "BAR%d+0x%" PRIx64, addr->bar,
		         addr->offset);
}

bool
reg_addr_is_constant(const struct reg_addr *addr)
{
	return addr->bar == CONFIG_SPACE &&
	       (addr->offset == 0x00 || addr->offset == 0x08);
}
