/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An NVMe controller driven from user space, without interrupts: an admin queue
 * and pairs of queues in host memory, doorbells in BAR0. Sections are those of
 * the NVM Express Base Specification 2.0.
 */
#ifndef PCB_COLLECT_NVME_NVME_H
#define PCB_COLLECT_NVME_NVME_H

#include "collect/host/clock.h"
#include "collect/vfio/engine.h"

#define NVME_PAIRS_MAX 64
#define NVME_DEPTH_MAX 1023

#define NVME_PAGE UINT64_C(4096)

/*
 * Addresses of queues, PRP lists and buffer for the controller. Above 4 GiB
 * requests have the longer header, which models assume. Below, a switch without
 * ACS could route one to another device's memory.
 */
#define NVME_QUEUES_IOVA UINT64_C(0x100100000)
#define NVME_LISTS_IOVA  UINT64_C(0x110000000)
#define NVME_BUFFER_IOVA UINT64_C(0x140000000)
#define NVME_BUFFER_ROOM UINT64_C(0x80000000)

/* Opcodes of the admin queue, 5, and of I/O queues, NVM Command Set 3. */
enum { NVME_GET_LOG_PAGE = 0x02, NVME_WRITE = 0x01, NVME_READ = 0x02 };

/*
 * Registers and Identify data come from the device, so everything is checked.
 * All parsers return NULL, or why the controller is unusable (a constant).
 */

/* Bytes of an Identify data structure. */
#define NVME_IDENTIFY_SIZE 4096

/* Register CAP, 3.1.3.1. */
struct nvme_caps {
	uint32_t entries; /* most entries of a queue */
	uint32_t stride;  /* bytes between doorbells */
	uint64_t timeout_ns;
};
const char *nvme_parse_caps(uint64_t cap, struct nvme_caps *caps);

/*
 * The time to start at most, by CAP and the register CRTO, which counts if
 * CAP.CRMS is set: CAP.TO ends at 128 s. Linux has met smaller CRTO, too.
 */
uint64_t nvme_start_ns(uint64_t cap, uint32_t crto);

/* Identify Controller, 5.17.2.1; texts are printable, without padding. */
struct nvme_controller {
	uint64_t max_transfer; /* bytes; UINT64_MAX: no limit */
	uint64_t shutdown_ns;  /* longest shutdown */
	uint32_t namespaces;   /* highest namespace ID */
	char model[41], firmware[9];
};
const char *nvme_parse_controller(const unsigned char data[NVME_IDENTIFY_SIZE],
                                  struct nvme_controller *controller);

/* Identify Namespace, NVM Command Set Specification 1.0, 4.1.5.1. */
struct nvme_namespace {
	uint64_t blocks;
	uint32_t block_size; /* bytes */
};
const char *nvme_parse_namespace(const unsigned char data[NVME_IDENTIFY_SIZE],
                                 struct nvme_namespace *ns);

/* A submission queue entry, 3.3.3.1. */
struct nvme_command {
	uint8_t opcode, flags;
	uint16_t id;
	uint32_t nsid;
	uint32_t dw2, dw3;
	uint64_t metadata;
	uint64_t prp1, prp2;
	uint32_t dw10, dw11, dw12, dw13, dw14, dw15;
};

/* A completion queue entry, 3.3.3.2. */
struct nvme_completion {
	uint32_t dw0, dw1;
	uint16_t head, queue;
	uint16_t id;
	uint16_t status; /* bit 0 is the phase */
};

struct nvme_queue {
	struct nvme_command *sq;
	const volatile struct nvme_completion *cq;
	volatile uint32_t *sq_bell, *cq_bell;
	uint32_t entries, tail, head;
	uint16_t phase; /* phase of a new completion */
};

/* Zero-initialise; set engine, which must be open. */
struct nvme {
	struct vfio_engine *engine;
	volatile unsigned char *bar;
	size_t bar_size;
	struct memory control; /* queues and Identify data */
	struct nvme_caps caps;
	struct nvme_controller controller;
	struct nvme_namespace ns;
	struct nvme_queue admin, queue[NVME_PAIRS_MAX];
	uint32_t pairs;
};

/*
 * Resets the controller, identifies it and the namespace `nsid`, and creates
 * `pairs` of queues for `depth` commands each. False after fail(); nvme_close
 * follows in any case.
 */
bool nvme_open(struct session *s, struct nvme *nvme, uint32_t nsid,
               uint32_t pairs, uint32_t depth);

/* Shuts the controller down, so that it writes its cache. */
void nvme_close(struct nvme *nvme);

/* The next entry of the queue, zeroed; nvme_ring submits it. */
static inline struct nvme_command *
nvme_next(struct nvme_queue *q)
{
	struct nvme_command *c = &q->sq[q->tail];

	*c = (struct nvme_command){0};
	q->tail = q->tail + 1 == q->entries ? 0 : q->tail + 1;
	return c;
}

/* Submits the entries that nvme_next has returned: rings the doorbell. */
static inline void
nvme_ring(const struct nvme_queue *q)
{
	device_publish();
	*q->sq_bell = q->tail;
}

/* Whether a command has completed. */
static inline bool
nvme_is_done(const struct nvme_queue *q)
{
	if ((q->cq[q->head].status & 1) != q->phase)
		return false;
	device_observe();
	return true;
}

/* Consumes the completion at the head: its status, 0 for success. */
static inline uint16_t
nvme_take(struct nvme_queue *q, uint16_t *id)
{
	const volatile struct nvme_completion *c = &q->cq[q->head];
	uint16_t status = c->status >> 1;

	*id = c->id;
	if (++q->head == q->entries) {
		q->head = 0;
		q->phase ^= 1;
	}
	*q->cq_bell = q->head;
	return status;
}

/*
 * Call after waiting `ns` for a completion: false after fail() if the
 * controller is gone or has failed, or `ns` is too long.
 */
bool nvme_is_alive(struct session *s, const struct nvme *nvme, uint64_t ns);

/* Fails with the meaning of a status other than 0; false. */
bool nvme_failed(struct session *s, const struct nvme *nvme, const char *what,
                 uint16_t status);

/* Workload ----------------------------------------------------------------- */

/* Limits a PRP list to one page, Base Specification 4.1.1. */
#define NVME_TRANSFER_MAX ((UINT64_C(1) << 21) - NVME_PAGE)

/* The state of the backend. */
struct nvme_work {
	struct vfio_engine engine; /* first: the state is both */
	struct nvme nvme;
	uint32_t nsid, pairs, depth;
	bool logs; /* Get Log Page on the admin queue */
	uint8_t opcode;
	uint64_t first, last, next; /* blocks; of the next command */
	uint32_t blocks;            /* per command */
	struct memory prp_lists;    /* one list per unit */
	uint64_t prp_list_size;     /* 0: two pages suffice, without lists */
	struct nvme_queue *filled;  /* to be rung for, or NULL */
	struct nvme_queue *polled;  /* whose completion comes next */
};

/*
 * Makes PRP lists for units that touch more than two pages. Call after
 * vfio_engine_prepare; false after fail(). Release with nvme_free_prp_lists.
 */
bool nvme_make_prp_lists(struct session *s, struct nvme_work *work);
void nvme_free_prp_lists(struct nvme_work *work);

/*
 * Checks that every byte of a transfer reaches memory, because a device does
 * not learn that its writes are lost. Uses a read command even if the bench
 * writes. False after fail().
 */
bool nvme_prove(struct session *s, struct nvme_work *work);

/* How the commands of s->state, a struct nvme_work, begin and end. */
extern const struct queue_type nvme_queue_type;

#endif
