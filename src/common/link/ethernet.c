/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frame rates of Ethernet. */
#include "common/link/ethernet.h"

#include "common/base/number.h"
#include "common/base/util.h"

#define PREAMBLE  8
#define FRAME_MAX 65536
#define GBIT_S    UINT64_C(1000000000)

const char *
ethernet_check(uint64_t bytes)
{
	if (bytes < ETHERNET_FRAME_MIN)
		return "an Ethernet frame has at least 64 bytes";
	return bytes > FRAME_MAX ? "a frame has at most 64K" : NULL;
}

const char *
ethernet_parse_rate(const char *text, uint64_t *bit_s)
{
	double gbit_s;
	size_t n = strlen(text);
	char *number = xasprintf(
	    "%.*s", (int)(n > 2 && !strcmp(text + n - 2, "bE") ? n - 2 : n),
	    text);
	const char *why = parse_count(number, bit_s);

	free(number);
	if (why && !parse_bandwidth(text, &gbit_s) && gbit_s < 1e6) {
		*bit_s = (uint64_t)(gbit_s * 1e9 + 0.5);
		why = NULL;
	}
	if (why)
		return "not a rate such as 100G or 100Gbit/s";
	return *bit_s < GBIT_S || *bit_s > 800 * GBIT_S
	           ? "an Ethernet rate is 1G to 800G"
	           : NULL;
}

void
ethernet_format(const struct ethernet *e, char text[ETHERNET_TEXT_MAX])
{
	char *end = print_double(text, (double)e->bit_s / 1e9);

	end = stpcpy(end, e->vlan ? "G/vlan" : "G");
	if (e->ifg != ETHERNET_IFG)
		snprintf(end, ETHERNET_TEXT_MAX - (size_t)(end - text),
		         "/ifg%u", e->ifg);
}

uint64_t
ethernet_bytes(const struct ethernet *e, uint64_t frame)
{
	uint64_t bytes = frame + (e->vlan ? ETHERNET_TAG : 0);

	return (bytes < ETHERNET_FRAME_MIN ? ETHERNET_FRAME_MIN : bytes) +
	       PREAMBLE + e->ifg;
}

double
ethernet_per_ns(const struct ethernet *e, uint64_t frame)
{
	return (double)e->bit_s / (8e9 * (double)ethernet_bytes(e, frame));
}

double
ethernet_data_gbit_s(const struct ethernet *e, uint64_t frame)
{
	return 8 * (double)(frame - ETHERNET_CRC) * ethernet_per_ns(e, frame);
}
