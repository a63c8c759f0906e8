/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads counters of a network interface by ethtool(8)'s ioctl, or in sysfs. */
#include "collect/rdma/wire.h"

#include "common/base/number.h"
#include "common/base/xalloc.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static const char counter[] = "tx_bytes_phy";

static bool
ask(int fd, const char *ifname, void *request)
{
	struct ifreq ifr = {0};

	snprintf(ifr.ifr_name, sizeof ifr.ifr_name, "%s", ifname);
	ifr.ifr_data = request;
	return !ioctl(fd, SIOCETHTOOL, &ifr);
}

/* Number of statistics; 0 if refused. */
static uint32_t
count_statistics(int fd, const char *ifname)
{
	struct ethtool_sset_info *sets =
	    xcalloc(1, sizeof *sets + sizeof *sets->data);
	uint32_t n = 0;

	sets->cmd = ETHTOOL_GSSET_INFO;
	sets->sset_mask = UINT64_C(1) << ETH_SS_STATS;
	if (ask(fd, ifname, sets) && sets->sset_mask)
		n = sets->data[0];
	free(sets);
	return n;
}

/* Index of the counter among n names; n if there is none. */
static size_t
find_counter(int fd, const char *ifname, uint32_t n)
{
	struct ethtool_gstrings *names =
	    xcalloc(1, sizeof *names + (size_t)n * ETH_GSTRING_LEN);
	size_t i = n;

	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_STATS;
	names->len = n;
	if (ask(fd, ifname, names))
		i = 0;
	while (i < n && strncmp((char *)names->data + i * ETH_GSTRING_LEN,
	                        counter, ETH_GSTRING_LEN) != 0)
		i++;
	free(names);
	return i;
}

static bool
read_statistic(int fd, const char *ifname, uint32_t n, size_t i,
               uint64_t *bytes)
{
	struct ethtool_stats *stats =
	    xcalloc(1, sizeof *stats + n * sizeof *stats->data);
	bool ok;

	stats->cmd = ETHTOOL_GSTATS;
	stats->n_stats = n;
	ok = ask(fd, ifname, stats);
	*bytes = stats->data[i];
	free(stats);
	return ok;
}

static bool
read_physical(const char *ifname, uint64_t *bytes)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	uint32_t n = fd < 0 ? 0 : count_statistics(fd, ifname);
	size_t i = n ? find_counter(fd, ifname, n) : 0;
	bool ok = i < n && read_statistic(fd, ifname, n, i, bytes);

	if (fd >= 0)
		close(fd);
	return ok;
}

static bool
read_sysfs(const char *ifname, uint64_t *bytes)
{
	char *line = read_first_line("%s/%s/statistics/tx_bytes",
	                             root_path("/sys/class/net"), ifname);
	bool ok = line && !parse_integer(line, bytes);

	free(line);
	return ok;
}

static bool
read_counter(const struct wire *wire, uint64_t *bytes)
{
	return wire->physical ? read_physical(wire->ifname, bytes)
	                      : read_sysfs(wire->ifname, bytes);
}

bool
wire_open(struct wire *wire, char *ifname, bool physical)
{
	*wire = (struct wire){.ifname = ifname, .physical = physical};
	if (ifname && read_counter(wire, &wire->begin))
		return true;
	wire_close(wire);
	return false;
}

uint64_t
wire_sent(const struct wire *wire)
{
	uint64_t now = 0;

	if (!wire->ifname || !read_counter(wire, &now) || now < wire->begin)
		return 0;
	return now - wire->begin;
}

void
wire_close(struct wire *wire)
{
	free(wire->ifname);
	wire->ifname = NULL;
}
