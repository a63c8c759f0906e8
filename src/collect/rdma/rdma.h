/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An RDMA device that writes to itself: what a session of it has. A reliable
 * connection joins a queue pair to itself, on one port.
 */
#ifndef PCB_COLLECT_RDMA_RDMA_H
#define PCB_COLLECT_RDMA_RDMA_H

#include "collect/host/cpu.h"
#include "collect/host/dma_buffer.h"
#include "collect/rdma/device.h"
#include "collect/rdma/verbs.h"

#define RDMA_QPS_MAX   64
#define RDMA_DEPTH_MAX 1024
#define RDMA_PORT_MAX  255

/* Values of -O; 0 stands for auto. */
struct rdma_settings {
	uint32_t port, qps, depth;
	int gid; /* -1: auto */
	bool inlined;
};

/* Memory of the host that the device reads or writes. */
struct rdma_area {
	struct rdma *rdma;
	struct dma_buffer buffer;
	struct ibv_mr *mr;
};

/* A queue pair, and how many transfers are under way on it. */
struct rdma_queue {
	struct ibv_qp *qp;
	uint32_t under_way;
};

struct rdma {
	struct verbs verbs;
	struct rdma_settings set;
	struct rdma_device device;
	struct pci_tree *tree;
	const struct pci_function *function; /* NULL: a software device */
	const char *kind;
	struct host host;

	struct ibv_context *context;
	struct ibv_device_attr limits;
	struct ibv_port_attr port;
	union ibv_gid gid; /* of a port with Ethernet */
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct rdma_queue queue[RDMA_QPS_MAX];

	/* A transfer reads a unit of the one and writes that of the other. */
	struct rdma_area from, to;

	uint64_t largest; /* bytes of a transfer of the sweep */
	uint64_t submitted, done;
	uint64_t stopped_ns; /* that bandwidths contain, as by Ctrl-Z */
};

/* options.c: the table of -O, its columns, and the values given. */
extern const struct backend_option rdma_options[];
extern const struct option_column rdma_columns[];
bool rdma_settings_read(struct session *s, struct rdma_settings *set);

/* The transfers that are under way at a time: one in a latency bench. */
uint32_t rdma_qps(const struct session *s);
uint32_t rdma_depth(const struct session *s);

/*
 * connection.c: opens the device, asks it for its limits and for the port, and
 * chooses the GID; allocates queues that take transfers of r->largest bytes
 * and connects each to itself. Nothing of the port changes. False after
 * fail(). rdma_close does what is left of it.
 */
bool rdma_open_port(struct session *s);
bool rdma_connect(struct session *s);
void rdma_close_port(struct rdma *r);

/* Lets the device reach an area, as map and unmap of struct dma_buffer. */
bool rdma_register(struct session *s, void *area, const struct memory *m);
void rdma_unregister(void *area, const struct memory *m);

/*
 * transfer.c: whether the data of transfers arrive, and nothing else changes;
 * the measurements, as `run` of a backend.
 */
bool rdma_prove(struct session *s);
bool rdma_time_each(struct session *s, uint64_t want);
bool rdma_time_many(struct session *s, uint64_t want);

#endif
