/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Intel I210 in Linux. The NIC sends a packet at its launch time, and a
 * register holds the delay of its slowest DMA read.
 */
#ifndef PCB_COLLECT_I210_I210_H
#define PCB_COLLECT_I210_I210_H

#include "collect/core/backend.h"
#include "collect/host/guardian.h"
#include "collect/host/memory.h"
#include "common/pci/tree.h"

#include <net/if.h>

#define NIC_DRIVER_MAX 32
#define QDISC_MAX      16

/* SO_PRIORITY of packets with launch times. */
#define I210_PRIORITY 3

/* A network interface; if it is no PCI function, IDs are 0 and texts "". */
struct nic {
	char ifname[IF_NAMESIZE];
	char driver[NIC_DRIVER_MAX];
	char bdf[BDF_MAX];
	unsigned vendor, device;
	bool up, carrier;
};

struct nics {
	struct nic *item;
	size_t n;
	int error; /* errno of interfaces that could not be read; or 0 */
};

/* An interface that sends packets with launch times. */
struct nic_port {
	char ifname[IF_NAMESIZE];
	int index;
	int control;              /* socket for ioctls */
	int clock;                /* of the NIC, /dev/ptpN */
	int socket;               /* sends the packets */
	bool offload;             /* the NIC delays packets, not the kernel */
	bool taken;               /* the queueing discipline is ours */
	char qdisc[QDISC_MAX];    /* the kind that was there before */
	char why[160];            /* why tc(8) has failed; or "" */
	struct guardian guardian; /* restores it */
};

/*
 * The backend's calls of the kernel, by i210_system, which tests replace. Those
 * that return an int return 0 or a value of errno. Times are nanoseconds of
 * CLOCK_TAI.
 */
struct nic_system {
	/* All interfaces; dies if resources are out. Free the items. */
	struct nics (*list)(void);

	/* ENODEV if no interface has this name. */
	int (*find)(const char *ifname, struct nic *nic);

	/* Opens control and clock of the port; its name must be set. */
	int (*attach)(struct nic_port *port);

	/*
	 * Reads and so clears RR2DCDELAY (0x5BF4; Intel I210 datasheet). EPERM
	 * without CAP_NET_ADMIN; from most drivers EOPNOTSUPP, or ENOMSG if
	 * their dump lacks it.
	 */
	int (*read_delay)(struct nic_port *port, uint32_t *units);

	/* How far the NIC's clock is ahead of CLOCK_TAI. */
	int (*clock_offset)(struct nic_port *port, int64_t *ns);

	/*
	 * Installs queueing disciplines that obey launch times. EBUSY if
	 * somebody has configured one, whose kind is `qdisc`; ENOENT if the
	 * kernel lacks ours; EOPNOTSUPP if the interface refuses them.
	 */
	int (*take_queues)(struct nic_port *port);

	/*
	 * Restores the queueing disciplines, also after a failure; warns if
	 * that fails. Does nothing if none were taken.
	 */
	void (*give_queues_back)(struct nic_port *port);

	/* Opens the socket of the port for packets with launch times. */
	int (*open_socket)(struct nic_port *port);

	/* Sends one small packet, which no bridge forwards. */
	int (*send)(struct nic_port *port, uint64_t launch);

	/* Whether a packet has come back unsent since the last call. */
	bool (*missed)(struct nic_port *port);

	/* Closes what attach and open_socket have opened. */
	void (*detach)(struct nic_port *port);

	/* The time by CLOCK_TAI. */
	uint64_t (*now)(void);

	/* EINTR if a signal arrives first. */
	int (*sleep_until)(uint64_t time);
};

extern const struct nic_system linux_nics, *i210_system;

/* Unit of RR2DCDELAY. */
#define I210_UNIT_NS 16

/* nic_system.take_queues, .give_queues_back. */
int nic_take_queues(struct nic_port *port);
void nic_give_queues_back(struct nic_port *port);

extern const struct backend i210_backend;

#endif
