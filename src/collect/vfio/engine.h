/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A DMA engine driven from user space: a function opened through VFIO and a
 * buffer mapped for it, for the backends edu and nvme.
 */
#ifndef PCB_COLLECT_VFIO_ENGINE_H
#define PCB_COLLECT_VFIO_ENGINE_H

#include "collect/core/session.h"
#include "collect/host/cpu.h"
#include "collect/host/memory.h"
#include "collect/host/queue.h"
#include "collect/host/restore.h"
#include "collect/vfio/vfio.h"

/* A row of a backend's table of options. */
#define VFIO_OPTION_CLAIM                                                      \
	{                                                                      \
		"unbind", "no",                                                \
		    "yes: unbind the device from its driver meanwhile"         \
	}

/* What a backend drives. */
struct vfio_engine_type {
	const char *backend;
	const struct backend_option *options;
	const char *what; /* such as "an NVMe controller" */
	bool (*matches)(const struct pci_function *f);
	const struct queue_type *queue;
	uint64_t iova, iova_bytes; /* device addresses of the buffer */
};

/* Zero-initialise; release with vfio_engine_close. */
struct vfio_engine {
	const struct vfio_engine_type *type;
	struct pci_tree *tree;
	const struct pci_function *function;
	const char *kind;
	struct changes changes;
	struct vfio_iommu *iommu;
	int fd;     /* of the device; 0 or -1: none */
	int req_fd; /* readable when the kernel wants the device back */
	uint64_t iova;
	struct dma_buffer buffer;
	struct host host;
	struct queue queue; /* of one slot, unless open sets more */
};

/*
 * For the backend's probe: adds a finding for each matching function, with the
 * benches `known`, or why it cannot run them.
 */
void vfio_engine_probe(const struct vfio_engine_type *type, unsigned known,
                       struct findings *list);

/*
 * Opens the function that the request names, enables bus mastering, describes
 * the machine. False after fail(); vfio_engine_close follows in any case.
 */
bool vfio_engine_open(struct session *s, struct vfio_engine *e,
                      const struct vfio_engine_type *type);

/* For the backend's prepare: places the buffer, makes one series. */
bool vfio_engine_prepare(struct session *s, struct vfio_engine *e,
                         const struct point *point, const char *interface);

/* False after fail() if the kernel is about to take the device away. */
bool vfio_engine_check(struct session *s, const struct vfio_engine *e);

/*
 * The backend's run and end, if its state begins with a struct vfio_engine:
 * times the transfers of the queue.
 */
bool vfio_engine_run(struct session *s, uint64_t want);
void vfio_engine_end(struct session *s, struct preamble *end);

/* Call when the engine is idle and its BARs are unmapped. */
void vfio_engine_close(struct vfio_engine *e);

#endif
