/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session of an RDMA device that transfers to itself: a reliable connection
 * joins a queue pair to itself, on one port.
 */
#ifndef PCB_COLLECT_RDMA_RDMA_H
#define PCB_COLLECT_RDMA_RDMA_H

#include "collect/host/clock.h"
#include "collect/host/cpu.h"
#include "collect/host/memory.h"
#include "collect/host/queue.h"
#include "common/pci/tree.h"

#include <infiniband/verbs.h>

/* device.c: devices in sysfs, and what a port has sent ------------------- */

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
 * The network interface of the device that is called `wanted`, else that of the
 * first port, or NULL if none is known; free it.
 */
char *rdma_interface(const struct rdma_device *device, const char *wanted);

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

/* Functions of libibverbs ------------------------------------------------- */

/*
 * The functions of libibverbs used here, loaded at run time: a build needs only
 * its headers. Manual pages of rdma-core, such as ibv_create_qp(3), document
 * them.
 */
#define VERBS_SONAME "libibverbs.so.1"

/* CALL(name without ibv_); the header defines the others inline. */
#define VERBS_CALLS(CALL)                                                      \
	CALL(get_device_list)                                                  \
	CALL(free_device_list)                                                 \
	CALL(get_device_name)                                                  \
	CALL(open_device)                                                      \
	CALL(close_device)                                                     \
	CALL(query_device)                                                     \
	CALL(query_port)                                                       \
	CALL(query_gid)                                                        \
	CALL(alloc_pd)                                                         \
	CALL(dealloc_pd)                                                       \
	CALL(reg_mr)                                                           \
	CALL(dereg_mr)                                                         \
	CALL(create_cq)                                                        \
	CALL(destroy_cq)                                                       \
	CALL(create_qp)                                                        \
	CALL(modify_qp)                                                        \
	CALL(destroy_qp)                                                       \
	CALL(wc_status_str)

struct verbs {
#define VERBS_MEMBER(name) __typeof__(ibv_##name) *(name);
	VERBS_CALLS(VERBS_MEMBER)
#undef VERBS_MEMBER
};

/* Set by verbs_load. */
extern struct verbs verbs;

/* Access rights of queue pairs and memory regions. */
#define RDMA_ACCESS                                                            \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |                    \
	 IBV_ACCESS_REMOTE_READ)

#define RDMA_QPS_MAX   64
#define RDMA_DEPTH_MAX 1024
#define RDMA_PORT_MAX  255

/* Values of -O; 0: auto. */
struct rdma_settings {
	uint32_t port, qps, depth;
	int gid; /* -1: auto */
	bool inlined;
	bool wire_ignored;
};

/* Host memory that the device accesses. */
struct rdma_area {
	struct dma_buffer buffer;
	struct ibv_mr *mr;
};

/* Memory that a step of a transfer accesses. */
enum rdma_place {
	RDMA_WINDOW, /* host memory described by the columns */
	RDMA_TARGET, /* a second window, alike */
	RDMA_DEVICE, /* device memory */
	/* Device memory of the step that starts the clock. */
	RDMA_START_FROM,
	RDMA_START_TO
};

/* An RDMA write from `local` to `remote`, or an RDMA read the other way. */
struct rdma_step {
	enum ibv_wr_opcode opcode;
	enum rdma_place local, remote;
};

#define RDMA_STEPS_MAX 3

/* Steps of a transfer: each begins when the one before is complete. */
struct rdma_plan {
	struct rdma_step step[RDMA_STEPS_MAX];
	uint32_t n;
};

/* Device memory. */
struct rdma_memory {
	struct ibv_dm *dm;
	struct ibv_mr *mr;
	uint64_t start; /* offset of the starting step's memory */
};

/* Clock of completion timestamps; hz 0: none. */
struct rdma_clock {
	double hz;
	uint64_t mask;
};

/* A completion. */
struct rdma_done {
	uint32_t slot;
	uint64_t stamp; /* of the device's clock, if used */
	enum ibv_wc_status status;
	uint32_t vendor_error;
};

struct rdma {
	struct rdma_settings set;
	struct rdma_plan plan;
	struct rdma_device device;
	struct pci_tree *tree;
	const struct pci_function *function; /* NULL: a software device */
	const char *kind;
	struct host host;

	struct ibv_context *context;
	struct ibv_device_attr limits;
	uint64_t memory_max; /* bytes of device memory */
	struct ibv_port_attr port;
	union ibv_gid gid; /* set if the port is Ethernet */
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_cq_ex *stamped; /* cq, if it has timestamps; else NULL */
	struct ibv_qp *qp[RDMA_QPS_MAX];

	struct rdma_area window, target;
	struct rdma_memory memory;
	struct rdma_clock clock;
	struct wire wire;
	uint64_t looped;  /* bytes sent to itself */
	uint64_t checked; /* time of the wire's last check, in ns */

	uint64_t largest; /* bytes of the sweep's largest transfer */

	struct queue queue;
	struct {
		struct ibv_qp *qp;
		uint32_t slot;
		uint64_t at;   /* byte of the window */
	} next;                /* transfer to post */
	struct rdma_done done; /* the last one */
	int polled;            /* below 0: an error instead of `done` */
	bool started;          /* by its first step, at `start` */
	uint64_t start;        /* of the device's clock */
};

/* backend.c --------------------------------------------------------------- */

/*
 * The transfer of a bench; `clocked` adds a first step that starts the device's
 * clock.
 */
struct rdma_plan rdma_plan(enum bench_id bench, bool clocked);

/* connection.c ------------------------------------------------------------ */

/*
 * Loads the library and its functions. Returns NULL, or why not (free it), with
 * the command that installs a missing library.
 */
char *verbs_load(void);

/* Fails with the text of an errno, "mlx5_0: CALL: TEXT". */
bool rdma_failed(struct session *s, const char *call, int error);

/*
 * Opens the device, reads its limits and port, and chooses the GID; allocates
 * queues for transfers of r->largest bytes and connects each to itself. Does
 * not change the port. False after fail(); rdma_close_port frees in any case.
 */
bool rdma_open_port(struct session *s);
bool rdma_connect(struct session *s);
void rdma_close_port(struct rdma *r);

/* Registers an area with the device, as map of struct dma_buffer. */
bool rdma_register(struct session *s, void *area, const struct memory *m);
void rdma_unregister(void *area, const struct memory *m);

/* Allocates device memory for transfers of r->largest bytes. */
bool rdma_memory_make(struct session *s);

/* Bytes of the largest transfer that fits device memory; 0: none. */
uint64_t rdma_memory_room(const struct rdma *r);

/* transfer.c -------------------------------------------------------------- */

/* How the transfers of s->state, a struct rdma, begin and end. */
extern const struct queue_type rdma_queue_type;

/* Fails unless transfers write their data, and nothing else. */
bool rdma_prove(struct session *s);

/*
 * Picoseconds between two timestamps; checks that the clock runs at the
 * driver's rate, to 1 %, and records it as the rows' clock.
 */
uint64_t rdma_clock_ps(const struct rdma_clock *clock, uint64_t from,
                       uint64_t to);
bool rdma_clock_check(struct session *s);

#endif
