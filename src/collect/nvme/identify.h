/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identify data of an NVMe controller, NVM Express Base Specification 2.0. They
 * come from the device, so everything is checked.
 */
#ifndef PCB_COLLECT_NVME_IDENTIFY_H
#define PCB_COLLECT_NVME_IDENTIFY_H

#include <stdint.h>

/* Bytes of an Identify data structure. */
#define NVME_IDENTIFY_SIZE 4096

/* All parsers return NULL, or why the controller is unusable (a constant). */

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

#endif
