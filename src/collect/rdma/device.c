/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds RDMA devices, their functions and GIDs below /sys/class/infiniband. */
#include "collect/rdma/rdma.h"

#include "collect/pci/device.h"
#include "common/base/number.h"
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

#define DEVICES root_path("/sys/class/infiniband")

/* Entries of a port's GID table that are read. */
#define GIDS 256

/* An IPv4 address as a GID: RFC 4291, 2.5.5.2. */
#define MAPPED_IPV4 "0000:0000:0000:0000:0000:ffff:"
#define NO_GID      "0000:0000:0000:0000:0000:0000:0000:0000"

/* Some kernels show rxe at the function of its interface: `parent` tells. */
static struct rdma_device
rdma_device_at(const char *path)
{
	struct rdma_device d = {.name = xstrdup(strrchr(path, '/') + 1)};
	char *function = read_link_name("%s/device", path);
	char *parent = read_first_line("%s/parent", path);

	if (parent || !function || !parse_bdf(function, d.bdf))
		*d.bdf = '\0';
	free(function);
	free(parent);
	return d;
}

void
rdma_device_free(struct rdma_device *device)
{
	free(device->name);
	*device = (struct rdma_device){0};
}

/* The file `parent` of a software device names its interface. */
char *
rdma_interface(const struct rdma_device *device)
{
	char *name = read_first_line("%s/%s/parent", DEVICES, device->name);
	glob_t found = {0};

	if (name)
		return name;
	find_files(&found, "%s/%s/device/net/*", DEVICES, device->name);
	if (found.gl_pathc)
		name = xstrdup(strrchr(found.gl_pathv[0], '/') + 1);
	globfree(&found);
	return name;
}

static bool
rdma_has_interface(const char *path, const char *ifname)
{
	char *parent = read_first_line("%s/parent", path);
	bool has = parent && !strcmp(parent, ifname);
	glob_t found = {0};

	free(parent);
	find_files(&found, "%s/device/net/*", path);
	for (size_t i = 0; i < found.gl_pathc && !has; i++)
		has = !strcmp(strrchr(found.gl_pathv[i], '/') + 1, ifname);
	globfree(&found);
	return has;
}

bool
rdma_device_find(struct session *s, const char *which,
                 struct rdma_device *device)
{
	glob_t found = {0};
	bool is_there = false;
	char bdf[BDF_MAX];
	bool by_bdf = parse_bdf(which, bdf);

	find_files(&found, "%s/*", DEVICES);
	for (size_t i = 0; i < found.gl_pathc && !is_there; i++) {
		*device = rdma_device_at(found.gl_pathv[i]);
		is_there = !strcmp(device->name, which) ||
		           (by_bdf && !strcmp(device->bdf, bdf)) ||
		           rdma_has_interface(found.gl_pathv[i], which);
		if (!is_there)
			rdma_device_free(device);
	}
	globfree(&found);
	return is_there ||
	       fail(s, STATUS_ABSENT,
	            "%s: no such RDMA device ('pcb-collect list' shows those "
	            "there are; a card needs its driver and 'modprobe "
	            "ib_uverbs')",
	            which);
}

void
rdma_device_list(const struct pci_tree *tree, unsigned known,
                 const char *why_not, struct findings *list)
{
	glob_t found = {0};

	find_files(&found, "%s/*", DEVICES);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct rdma_device d = rdma_device_at(found.gl_pathv[i]);
		const struct pci_function *function =
		    tree ? pci_find(tree, d.bdf) : NULL;
		bool real = *d.bdf;
		struct finding *f;

		if (function) {
			f = function_found(list, "rdma", function);
		} else {
			f = findings_add(list, "rdma");
			finding_text(&f->device, "%s", real ? d.bdf : d.name);
			finding_text(&f->name, "%s",
			             real ? d.name : "RDMA in software");
		}
		f->benches = why_not ? 0 : known;
		if (why_not)
			finding_text(&f->why_not, "%s", why_not);
		else
			finding_text(&f->why_not,
			             "lat_rd and others need device memory: "
			             "-d rdma:%s finds out whether it has some",
			             d.name);
		rdma_device_free(&d);
	}
	globfree(&found);
}

char *
rdma_gid_type(const struct rdma_device *device, unsigned port, int index)
{
	return read_first_line("%s/%s/ports/%u/gid_attrs/types/%d", DEVICES,
	                       device->name, port, index);
}

/* Suitability of a GID for a loop; 0: no GID at this index. */
static int
rdma_gid_rank(const struct rdma_device *device, unsigned port, int index)
{
	char *gid = read_first_line("%s/%s/ports/%u/gids/%d", DEVICES,
	                            device->name, port, index);
	char *type = gid ? rdma_gid_type(device, port, index) : NULL;
	int rank = type && strcmp(gid, NO_GID) != 0;

	if (rank && !strcmp(type, "RoCE v2"))
		rank = strncmp(gid, MAPPED_IPV4, strlen(MAPPED_IPV4)) ? 2 : 3;
	free(gid);
	free(type);
	return rank;
}

int
rdma_gid_choose(const struct rdma_device *device, unsigned port)
{
	int best = 0, chosen = -1;

	for (int i = 0; i < GIDS; i++) {
		int rank = rdma_gid_rank(device, port, i);

		if (rank > best) {
			best = rank;
			chosen = i;
		}
	}
	return chosen;
}

/* What a port has sent, by ethtool(8)'s ioctl, or in sysfs --------------- */

static bool
ask(int fd, const char *ifname, void *request)
{
	struct ifreq ifr = {0};

	snprintf(ifr.ifr_name, sizeof ifr.ifr_name, "%s", ifname);
	ifr.ifr_data = request;
	return !ioctl(fd, SIOCETHTOOL, &ifr);
}

/* Reads tx_bytes_phy: their number, its index by the names, its value. */
static bool
read_physical(const char *ifname, uint64_t *bytes)
{
	static const char counter[ETH_GSTRING_LEN] = "tx_bytes_phy";
	struct ethtool_sset_info *sets =
	    xcalloc(1, sizeof *sets + sizeof *sets->data);
	struct ethtool_gstrings *names;
	struct ethtool_stats *stats;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	size_t n = 0, i = 0;
	bool ok;

	sets->cmd = ETHTOOL_GSSET_INFO;
	sets->sset_mask = UINT64_C(1) << ETH_SS_STATS;
	if (ask(fd, ifname, sets) && sets->sset_mask)
		n = sets->data[0];
	names = xcalloc(1, sizeof *names + n * ETH_GSTRING_LEN);
	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_STATS;
	names->len = (uint32_t)n;
	stats = xcalloc(1, sizeof *stats + n * sizeof *stats->data);
	stats->cmd = ETHTOOL_GSTATS;
	stats->n_stats = (uint32_t)n;
	if (n && !ask(fd, ifname, names))
		i = n;
	while (i < n && strncmp((char *)names->data + i * ETH_GSTRING_LEN,
	                        counter, ETH_GSTRING_LEN) != 0)
		i++;
	ok = i < n && ask(fd, ifname, stats);
	if (ok)
		*bytes = stats->data[i];
	free(sets);
	free(names);
	free(stats);
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool
read_counter(const struct wire *wire, uint64_t *bytes)
{
	char *line;
	bool ok;

	if (wire->physical)
		return read_physical(wire->ifname, bytes);
	line = read_first_line("%s/%s/statistics/tx_bytes",
	                       root_path("/sys/class/net"), wire->ifname);
	ok = line && !parse_integer(line, bytes);
	free(line);
	return ok;
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
