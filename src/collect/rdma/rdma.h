/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session of an RDMA device that transfers to itself: a reliable connection
 * joins a queue pair to itself, on one port.
 */
#ifndef PCB_COLLECT_RDMA_RDMA_H
#define PCB_COLLECT_RDMA_RDMA_H

#include "collect/host/cpu.h"
#include "collect/host/dma_buffer.h"
#include "collect/host/stops.h"
#include "collect/rdma/device.h"
#include "collect/rdma/verbs.h"
#include "collect/rdma/wire.h"

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
	struct rdma *rdma;
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

struct rdma {
	struct verbs verbs;
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
	uint64_t submitted, done;
	struct stops stops; /* in bandwidth measurements */
};

/* options.c: the table of -O, its columns, and reading the given values. */
extern const struct backend_option rdma_options[];
extern const struct option_column rdma_columns[];
bool rdma_settings_read(struct session *s, struct rdma_settings *set);

/* Queue pairs, and transfers under way on each: 1 in a latency bench. */
uint32_t rdma_qps(const struct session *s);
uint32_t rdma_depth(const struct session *s);

/*
 * plan.c: the transfer of a bench; `clocked` adds a first step that starts the
 * device's clock. Whether a bench needs device memory.
 */
struct rdma_plan rdma_plan(enum bench_id bench, bool clocked);
bool rdma_needs_memory(enum bench_id bench);

/*
 * connection.c: opens the device, reads its limits and port, and chooses the
 * GID; allocates queues for transfers of r->largest bytes and connects each to
 * itself. Does not change the port. False after fail(); rdma_close_port frees
 * in any case.
 */
bool rdma_open_port(struct session *s);
bool rdma_connect(struct session *s);
void rdma_close_port(struct rdma *r);

/* error.c: fails with the text of an errno, "mlx5_0: CALL: TEXT". */
bool rdma_failed(struct session *s, const char *call, int error);

/* memory.c: registers an area with the device, as map of struct dma_buffer. */
bool rdma_register(struct session *s, void *area, const struct memory *m);
void rdma_unregister(void *area, const struct memory *m);

/* Allocates device memory for transfers of r->largest bytes; frees it. */
bool rdma_memory_make(struct session *s);
void rdma_memory_free(struct rdma *r);

/* Bytes of the largest transfer that fits device memory; 0: none. */
uint64_t rdma_memory_room(const struct rdma *r);

/* What a step accesses if its unit is at byte `at` of the window. */
struct rdma_spot {
	uint64_t address;
	uint32_t size;
	const struct ibv_mr *mr;
};

struct rdma_spot rdma_spot(const struct rdma *r, enum rdma_place place,
                           uint64_t at);

/*
 * transfer.c: posts the steps of one transfer at byte `at` of the window on
 * queue pair q, and waits for one completion. The last step completes; with the
 * device's clock, also the first.
 */
struct rdma_done {
	uint64_t q;     /* index of its queue pair */
	uint64_t stamp; /* of the device's clock, if used */
	enum ibv_wc_status status;
	uint32_t vendor_error;
};

bool rdma_submit(struct session *s, const struct rdma_plan *plan, uint32_t q,
                 uint64_t at);
bool rdma_finish_one(struct session *s, struct rdma_done *done);

/* timing.c: measurements, as `run` of a backend. */
bool rdma_time_each(struct session *s, uint64_t want);
bool rdma_time_many(struct session *s, uint64_t want);

/* prove.c: fails unless transfers write their data, and nothing else. */
bool rdma_prove(struct session *s);

/*
 * clock.c: picoseconds between two timestamps; checks that the clock runs at
 * the driver's rate, to 1 %, and records it as the rows' clock.
 */
uint64_t rdma_clock_ps(const struct rdma_clock *clock, uint64_t from,
                       uint64_t to);
bool rdma_clock_check(struct session *s);

#endif
