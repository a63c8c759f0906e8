/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/bdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One to `most` hexadecimal digits, then `end`; moves *text behind them. */
static bool
hex_field(const char **text, size_t most, char end, unsigned *value)
{
	size_t n = strspn(*text, "0123456789abcdefABCDEF");

	if (!n || n > most || (*text)[n] != end)
		return false;
	*value = (unsigned)strtoul(*text, NULL, 16);
	*text += n + 1;
	return true;
}

static bool
read_bdf(const char *text, struct bdf_numbers *n)
{
	const char *colon = strchr(text, ':');

	n->domain = 0;
	if (colon && strchr(colon + 1, ':') &&
	    !hex_field(&text, 8, ':', &n->domain))
		return false;
	return hex_field(&text, 2, ':', &n->bus) &&
	       hex_field(&text, 2, '.', &n->device) &&
	       hex_field(&text, 1, '\0', &n->function) && n->device <= 0x1f &&
	       n->function <= 7;
}

bool
parse_bdf(const char *text, char bdf[BDF_MAX])
{
	struct bdf_numbers n;

	if (!read_bdf(text, &n))
		return false;
	snprintf(bdf, BDF_MAX, "%04x:%02x:%02x.%x", n.domain, n.bus, n.device,
	         n.function);
	return true;
}

const char *
bdf_short(const char *bdf)
{
	return bdf + (strncmp(bdf, "0000:", 5) ? 0 : 5);
}

int
bdf_order(const char *a, const char *b)
{
	size_t m = strlen(a), n = strlen(b);

	/* A domain has at least four digits, more if needed. */
	return m == n ? strcmp(a, b) : m < n ? -1 : 1;
}

bool
bdf_same_device(const char *a, const char *b)
{
	const char *dot = strchr(a, '.');

	return dot && !strncmp(a, b, (size_t)(dot - a));
}

struct bdf_numbers
bdf_split(const char bdf[BDF_MAX])
{
	struct bdf_numbers n = {0};

	read_bdf(bdf, &n);
	return n;
}
