/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a rate with its unit. */
#include "model/rate.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <string.h>

const char *
model_parse_rate(const char *text, double *gbit_s)
{
	static const struct {
		const char *unit;
		double gbit_s;
	} units[] = {
	    {"GB/s", 8},
	    {"MB/s", 8e-3},
	    {"TB/s", 8e3},
	    {"GiB/s", 8.589934592},
	    {"MiB/s", 8.388608e-3},
	    {"Gbit/s", 1},
	    {"Mbit/s", 1e-3},
	    {"Tbit/s", 1e3},
	    {"Gb/s", 1},
	    {"Mb/s", 1e-3},
	    {"Gbps", 1},
	    {"GBps", 8},
	};
	size_t n = strspn(text, "0123456789.");
	char number[32] = "";
	const char *why;
	double value;

	if (n >= sizeof number)
		return "too many digits";
	memcpy(number, text, n);
	why = parse_number(number, &value);
	if (why)
		return "not a rate such as 11.8GB/s or 94Gbit/s";
	if (value <= 0)
		return "must be greater than 0";
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (!strcmp(text + n, units[i].unit)) {
			*gbit_s = value * units[i].gbit_s;
			return NULL;
		}
	}
	return "the unit must be GB/s, Gbit/s, MB/s or GiB/s";
}
