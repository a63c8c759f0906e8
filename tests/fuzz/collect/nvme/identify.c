/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as register CAP and Identify data: valid limits, or a reason. */
#include "collect/nvme/nvme.h"
#include "fuzz/target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	unsigned char *data = calloc(NVME_IDENTIFY_SIZE, 1);
	struct nvme_controller controller;
	struct nvme_namespace space;
	struct nvme_caps caps;
	uint64_t cap = 0;

	must(data);
	memcpy(&cap, bytes, size < sizeof cap ? size : sizeof cap);
	memcpy(data, bytes,
	       size < NVME_IDENTIFY_SIZE ? size : NVME_IDENTIFY_SIZE);
	if (!nvme_parse_caps(cap, &caps))
		must(caps.entries >= 2 && caps.entries <= 65536 &&
		     caps.stride >= 4 && caps.stride <= 4 << 15 &&
		     caps.timeout_ns <= UINT64_C(128000000000));
	if (!nvme_parse_controller(data, &controller))
		must(controller.max_transfer >= 8192 && controller.namespaces &&
		     strlen(controller.model) <= 40 &&
		     strlen(controller.firmware) <= 8);
	if (!nvme_parse_namespace(data, &space))
		must(space.blocks && space.block_size >= 512 &&
		     space.block_size <= 65536 &&
		     space.blocks <= UINT64_MAX / space.block_size);
	free(data);
	return 0;
}
