/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The choice of an interface's counter, by ethtool's calls. */
#include "collect/rdma/rdma.h"
#include "rig/cmocka.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define STATISTICS 5

static struct {
	const char *name[STATISTICS];
	uint64_t value[STATISTICS];
	uint32_t refused; /* a command of ethtool that fails */
} fake;

static int
tell(void *request)
{
	struct ethtool_sset_info *sets = request;
	struct ethtool_gstrings *names = request;
	struct ethtool_stats *stats = request;

	switch (sets->cmd) {
	case ETHTOOL_GSSET_INFO:
		assert_int_equal(sets->sset_mask, 1 << ETH_SS_STATS);
		sets->data[0] = STATISTICS;
		return 0;
	case ETHTOOL_GSTRINGS:
		assert_int_equal(names->string_set, ETH_SS_STATS);
		assert_int_equal(names->len, STATISTICS);
		for (size_t i = 0; i < STATISTICS; i++)
			strncpy((char *)names->data + i * ETH_GSTRING_LEN,
			        fake.name[i], ETH_GSTRING_LEN);
		return 0;
	case ETHTOOL_GSTATS:
		assert_int_equal(stats->n_stats, STATISTICS);
		memcpy(stats->data, fake.value, sizeof fake.value);
		return 0;
	default:
		errno = EOPNOTSUPP;
		return -1;
	}
}

int
ioctl(int fd, unsigned long request, ...)
{
	struct ifreq *ifr;
	va_list rest;

	va_start(rest, request);
	ifr = va_arg(rest, struct ifreq *);
	va_end(rest);
	assert_int_equal(request, SIOCETHTOOL);
	assert_string_equal(ifr->ifr_name, "eth7");
	errno = EOPNOTSUPP;
	return *(uint32_t *)(void *)ifr->ifr_data == fake.refused
	           ? -1
	           : tell(ifr->ifr_data);
}

static void
play(const char *third, uint64_t value)
{
	memset(&fake, 0, sizeof fake);
	for (size_t i = 0; i < STATISTICS; i++) {
		fake.name[i] = "tx_bytes_phy_of_another";
		fake.value[i] = 1000000 * i;
	}
	fake.name[3] = third;
	fake.value[3] = value;
}

static void
bytes_since_the_beginning(void **state)
{
	struct wire wire;

	play("tx_bytes_phy", 4000);
	assert_true(wire_open(&wire, strdup("eth7"), true));
	assert_int_equal(wire_sent(&wire), 0);
	fake.value[3] = 4100;
	assert_int_equal(wire_sent(&wire), 100);
	/* The counter was reset. */
	fake.value[3] = 5;
	assert_int_equal(wire_sent(&wire), 0);
	wire_close(&wire);
}

static void
no_counter_is_not_zero(void **state)
{
	static const uint32_t commands[] = {ETHTOOL_GSSET_INFO,
	                                    ETHTOOL_GSTRINGS, ETHTOOL_GSTATS};
	struct wire wire;

	play("tx_bytes", 4000);
	assert_false(wire_open(&wire, strdup("eth7"), true));
	assert_false(wire_open(&wire, NULL, true));
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		play("tx_bytes_phy", 4000);
		fake.refused = commands[i];
		assert_false(wire_open(&wire, strdup("eth7"), true));
		assert_int_equal(wire_sent(&wire), 0);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bytes_since_the_beginning),
	    cmocka_unit_test(no_counter_is_not_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
