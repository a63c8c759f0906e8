/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an NVMe controller says of itself, NVM Express Base Specification 2.0.
 * It comes from the device: nothing of it is believed before it is checked.
 */
#ifndef PCB_COLLECT_NVME_IDENTIFY_H
#define PCB_COLLECT_NVME_IDENTIFY_H

#include <stdint.h>

/* Of the Identify data structures, in bytes. */
#define NVME_IDENTIFY_SIZE 4096

/* All parsers return NULL, or the reason why it cannot be used (a constant). */

/* Register CAP, 3.1.3.1. */
struct nvme_caps {
	uint32_t entries; /* of a queue, at most */
	uint32_t stride;  /* bytes from doorbell to doorbell */
	uint64_t timeout_ns;
};
const char *nvme_parse_caps(uint64_t cap, struct nvme_caps *caps);

/*
 * How long it may take to start, given the register CRTO, which counts where
 * CAP.CRMS says so: CAP.TO ends at 128 s. Linux has seen CRTO below that, too.
 */
uint64_t nvme_start_ns(uint64_t cap, uint32_t crto);

/* Identify Controller, 5.17.2.1; the texts are printable, without blanks. */
struct nvme_controller {
	uint64_t max_transfer; /* bytes; UINT64_MAX: no limit */
	uint64_t shutdown_ns;  /* how long that may take */
	uint32_t namespaces;   /* the largest number of one */
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
