/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A DMA engine driven from user space: a function by VFIO and a buffer that it
 * reaches, for the backends edu and nvme.
 */
#ifndef PCB_COLLECT_VFIO_ENGINE_H
#define PCB_COLLECT_VFIO_ENGINE_H

#include "collect/core/finding.h"
#include "collect/host/cpu.h"
#include "collect/host/dma_buffer.h"
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
	uint64_t iova, iova_bytes; /* where the device sees the buffer */
};

/* Zero-initialise; release with vfio_engine_close. */
struct vfio_engine {
	const struct vfio_engine_type *type;
	struct pci_tree *tree;
	const struct pci_function *function;
	const char *kind;
	struct changes changes;
	struct vfio_iommu *iommu;
	int fd;     /* of the device; 0 or -1: none yet */
	int req_fd; /* readable when the kernel wants the device back */
	uint64_t iova;
	struct dma_buffer buffer;
	struct host host;
};

/*
 * For the backend's probe: the finding of each function that matches, with the
 * benches `known`, or why not.
 */
void vfio_engine_probe(const struct vfio_engine_type *type, unsigned known,
                       struct findings *list);

/*
 * Takes the function that the request names and lets it start transactions;
 * describes the machine. vfio_engine_close follows in any case.
 */
bool vfio_engine_open(struct session *s, struct vfio_engine *e,
                      const struct vfio_engine_type *type);

/* For the backend's prepare: the buffer, and s->series, one. */
bool vfio_engine_prepare(struct session *s, struct vfio_engine *e,
                         const struct point *point, const char *interface);

/* False after fail() if the kernel is about to take the device away. */
bool vfio_engine_check(struct session *s, const struct vfio_engine *e);

/* For the backend's end. */
void vfio_engine_end(const struct vfio_engine *e, struct preamble *end);

/* The engine must be at rest; mappings of BARs must be gone. */
void vfio_engine_close(struct vfio_engine *e);

#endif
