/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds RDMA devices, their functions and GIDs below /sys/class/infiniband. */
#include "collect/rdma/device.h"

#include "collect/pci/device.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <stdlib.h>
#include <string.h>

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

static bool
rdma_is_called(const struct rdma_device *d, const char *path, const char *which)
{
	char bdf[BDF_MAX];

	return !strcmp(d->name, which) ||
	       (parse_bdf(which, bdf) && !strcmp(d->bdf, bdf)) ||
	       rdma_has_interface(path, which);
}

bool
rdma_device_find(struct session *s, const char *which,
                 struct rdma_device *device)
{
	glob_t found = {0};
	bool is_there = false;

	find_files(&found, "%s/*", DEVICES);
	for (size_t i = 0; i < found.gl_pathc && !is_there; i++) {
		*device = rdma_device_at(found.gl_pathv[i]);
		is_there = rdma_is_called(device, found.gl_pathv[i], which);
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

static struct finding *
rdma_found(const struct pci_tree *tree, const struct rdma_device *d,
           struct findings *list)
{
	const struct pci_function *f = tree ? pci_find(tree, d->bdf) : NULL;
	struct finding *found;

	if (f)
		return function_found(list, "rdma", f);
	found = findings_add(list, "rdma");
	finding_text(&found->device, "%s", *d->bdf ? d->bdf : d->name);
	finding_text(&found->name, "%s",
	             *d->bdf ? d->name : "RDMA in software");
	return found;
}

void
rdma_device_list(const struct pci_tree *tree, unsigned known,
                 const char *why_not, struct findings *list)
{
	glob_t found = {0};

	find_files(&found, "%s/*", DEVICES);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct rdma_device d = rdma_device_at(found.gl_pathv[i]);
		struct finding *f = rdma_found(tree, &d, list);

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
