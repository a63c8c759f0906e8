/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time of one DWORD read on a link or bus. */
#include "common/link/dword_time.h"

#include "common/link/tlp.h"

#define DWORD 4u

const char *const devsel_names[NDEVSELS] = {
    "",
    [DEVSEL_FAST] = "fast",
    [DEVSEL_MEDIUM] = "medium",
    [DEVSEL_SLOW] = "slow",
};

struct serial
serialize_read(const struct link *asks, const struct link *link)
{
	struct serial s = {.request = tlp_rules_of(asks).request,
	                   .completion = tlp_rules_of(link).completion + DWORD};

	if (link->flit || link->gen > 5) /* always in flit mode */
		s.request = s.completion = FLIT_BYTES;
	s.ns = 8 * (double)(s.request + s.completion) / link_raw_gbit_s(link);
	return s;
}

/* Nominal 33, 66 and 133 MHz are thirds of 100, 200 and 400 MHz. */
static double
clock_ns(const struct link *link)
{
	switch (link->mhz) {
	case 33:
		return 30;
	case 66:
		return 15;
	case 133:
		return 7.5;
	default:
		return 1000. / link->mhz;
	}
}

static struct serial
of_parallel(const struct link *link, enum devsel devsel)
{
	unsigned clocks = 4 + (unsigned)devsel;

	return (struct serial){.clocks = clocks, .ns = clocks * clock_ns(link)};
}

struct serial
serialize_dword(const struct link *link, enum devsel devsel)
{
	return link->bus == BUS_PCIE ? serialize_read(link, link)
	                             : of_parallel(link, devsel);
}
