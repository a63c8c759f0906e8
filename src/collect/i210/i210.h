/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Intel I210 as Linux shows it. The NIC sends a packet at its launch time,
 * and a register holds the latency of its slowest DMA read.
 */
#ifndef PCB_COLLECT_I210_I210_H
#define PCB_COLLECT_I210_I210_H

#include "collect/core/backend.h"
#include "collect/host/guardian.h"
#include "common/pci/tree.h"

#include <net/if.h>

#define NIC_DRIVER_MAX 32

/* SO_PRIORITY of the packets whose launch times the NIC obeys. */
#define I210_PRIORITY 3

/* A network interface; ids are 0 and texts "" where it is no PCI function. */
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
	int error; /* of errno: why some could not be looked at; or 0 */
};

/* A queueing discipline, and its options in the format of the kernel. */
struct qdisc {
	char kind[16];
	uint32_t handle, parent;
	unsigned char options[1024];
	size_t length;
};

/* An interface that packets with launch times are sent by. */
struct nic_port {
	char ifname[IF_NAMESIZE];
	int index;
	int control;  /* a socket for ioctls */
	int clock;    /* the NIC's, /dev/ptpN */
	int socket;   /* packets go out here */
	bool offload; /* the NIC keeps the launch times, not the kernel */
	bool taken;   /* the queueing discipline is ours */
	struct qdisc saved_qdisc;
	struct guardian guardian; /* puts it back */
};

/*
 * What the backend needs of the kernel, so that tests can be the kernel.
 * Those that return an int give 0 or a value of errno. Times are nanoseconds
 * of CLOCK_TAI.
 */
struct nic_system {
	/* All interfaces there are; dies if short. Free the items. */
	struct nics (*list)(void);

	/* ENODEV if there is none of that name. */
	int (*find)(const char *ifname, struct nic *nic);

	/* Opens control and clock of the port whose name is set. */
	int (*attach)(struct nic_port *port);

	/*
	 * Reads and so clears RR2DCDELAY (0x5BF4; Intel I210 datasheet). EPERM
	 * without CAP_NET_ADMIN; ENOMSG if the driver's dump does not have it.
	 */
	int (*read_delay)(struct nic_port *port, uint32_t *units);

	/* How far the NIC's clock is ahead of CLOCK_TAI. */
	int (*clock_offset)(struct nic_port *port, int64_t *ns);

	/*
	 * Puts queueing disciplines in place that obey launch times. EBUSY if
	 * there are others that could not be put back: `saved_qdisc` is one.
	 */
	int (*take_queues)(struct nic_port *port);

	/*
	 * The opposite, also after a failure; warns where it cannot be done.
	 * Does nothing where nothing was taken.
	 */
	void (*give_queues_back)(struct nic_port *port);

	int (*open_socket)(struct nic_port *port);

	/* One small packet that no bridge passes on. */
	int (*send)(struct nic_port *port, uint64_t launch);

	/* Whether a packet has come back since the last call, unsent. */
	bool (*missed)(struct nic_port *port);

	/* Closes what attach and open_socket have opened. */
	void (*detach)(struct nic_port *port);

	uint64_t (*now)(void);

	/* EINTR if a signal came first. */
	int (*sleep_until)(uint64_t time);
};

extern const struct nic_system linux_nics;

/*
 * Why the NIC cannot be measured with, to be freed; NULL if it can. Whether
 * its registers may be read is not known before they are.
 */
char *i210_why_not(const struct nic *nic);

/* The functions of the backend, on any system. */
void i210_probe(const struct nic_system *system, struct findings *list);
bool i210_open(struct session *s, const struct nic_system *system);
bool i210_prepare(struct session *s, const struct point *point);
bool i210_run(struct session *s, uint64_t want);
void i210_end(struct session *s, struct preamble *end);
void i210_close(struct session *s);

extern const struct backend_option i210_options[];

#endif
