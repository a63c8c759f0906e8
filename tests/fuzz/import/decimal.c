/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Products of texts: exact, or refused with a reason. */
#include "import/decimal.h"

#include "common/base/number.h"
#include "fuzz/target.h"

#include <math.h>

/* Three numbers are rounded once each, and the product once more. */
static void
must_be_product(const char *a, const char *b, const char *text)
{
	double x = 0, y = 0, product = 0;

	must(strlen(text) < DECIMAL_MAX && !strpbrk(text, "eE"));
	must(!parse_number(a, &x) && !parse_number(b, &y));
	must(!parse_number(text, &product));
	must(fabs(product - x * y) <= 0x1p-51 * fabs(product));
}

/* The first line is one factor, the rest is the other. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char one[DECIMAL_MAX], other[DECIMAL_MAX];
	char *a = text_of(bytes, size), *b = strchr(a, '\n');

	if (b) {
		const char *why, *turned;

		*b++ = '\0';
		why = multiply_decimals(a, b, one);
		turned = multiply_decimals(b, a, other);
		must(!why == !turned);
		if (!why) {
			must(!strcmp(one, other));
			must_be_product(a, b, one);
		}
	}
	free(a);
	return 0;
}
