/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RDMA devices and their ports, as the kernel shows them in sysfs, and what a
 * port has sent.
 */
#ifndef PCB_COLLECT_RDMA_DEVICE_H
#define PCB_COLLECT_RDMA_DEVICE_H

#include "collect/core/session.h"
#include "common/pci/tree.h"

struct rdma_device {
	char *name;        /* such as mlx5_0 */
	char bdf[BDF_MAX]; /* of its PCI function; "" of a software device */
};

/*
 * Finds a device by its name, the BDF of its function, or a network interface
 * on it. False after fail(), STATUS_ABSENT if there is none. Release with
 * rdma_device_free.
 */
bool rdma_device_find(struct session *s, const char *which,
                      struct rdma_device *device);
void rdma_device_free(struct rdma_device *device);

/*
 * Appends a finding for each device, none of them automatic: with the benches
 * `known` and what the others need, or with the reason why_not (NULL: none).
 * With a tree, functions get its texts.
 */
void rdma_device_list(const struct pci_tree *tree, unsigned known,
                      const char *why_not, struct findings *list);

/*
 * A network interface of the device, that of the first port, or NULL if none is
 * known; free it.
 */
char *rdma_interface(const struct rdma_device *device);

/*
 * Index of the GID for a loop on this Ethernet port: one of an IPv4 address
 * with RoCE v2, else any with RoCE v2, else any; -1 if the port has none.
 */
int rdma_gid_choose(const struct rdma_device *device, unsigned port);

/* Type of a GID in sysfs, such as "RoCE v2"; free it. NULL if unknown. */
char *rdma_gid_type(const struct rdma_device *device, unsigned port, int index);

/* Bytes that a port has sent on its wire, by any program. */
struct wire {
	char *ifname;   /* NULL: unknown */
	bool physical;  /* counter of the hardware, not of the kernel */
	uint64_t begin; /* value of the counter at wire_open */
};

/*
 * Reads the counter of a network interface (takes ownership; may be NULL):
 * tx_bytes_phy of ethtool if `physical`, which counts the wire's bytes of all
 * programs and functions, else tx_bytes of sysfs. False without that counter.
 * Release with wire_close.
 */
bool wire_open(struct wire *wire, char *ifname, bool physical);

/* Bytes sent since wire_open; 0 if the counter cannot be read any more. */
uint64_t wire_sent(const struct wire *wire);

void wire_close(struct wire *wire);

#endif
