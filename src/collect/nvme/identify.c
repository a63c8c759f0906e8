/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes Identify data. */
#include "collect/nvme/identify.h"

#include "common/base/intmath.h"

#include <stddef.h>

/* Upper bound of a start; larger times are invalid. */
#define START_MOST_NS UINT64_C(600000000000)

/* Unit of timeouts in registers. */
#define TICK_NS UINT64_C(500000000)

/* For drives without a valid shutdown time. */
#define SHUTDOWN_LEAST_NS UINT64_C(5000000000)
#define SHUTDOWN_MOST_NS  UINT64_C(60000000000)

/* A little-endian number of up to 8 bytes. */
static uint64_t
nvme_number(const unsigned char *data, size_t offset, size_t size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | data[offset + size];
	return value;
}

/* `count` bits of a register, from bit `low` on. */
static unsigned
nvme_bits(uint64_t value, unsigned low, unsigned count)
{
	return (unsigned)(value >> low) & ((1u << count) - 1);
}

/* Copies a text padded with blanks; '?' replaces unprintable characters. */
static void
nvme_copy_text(char *to, const unsigned char *from, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; i < size && from[i]; i++) {
		to[i] = '?';
		if (from[i] >= ' ' && from[i] <= '~')
			to[i] = (char)from[i];
		if (from[i] != ' ')
			length = i + 1;
	}
	to[length] = '\0';
}

const char *
nvme_parse_caps(uint64_t cap, struct nvme_caps *caps)
{
	if (cap == UINT64_MAX)
		return "its registers read all ones: it is gone or asleep";
	if (!nvme_bits(cap, 0, 16))
		return "its queues have one entry (CAP.MQES)";
	if (!nvme_bits(cap, 37, 1))
		return "it has no NVM command set (CAP.CSS)";
	if (nvme_bits(cap, 48, 4))
		return "it has no pages of 4 KiB (CAP.MPSMIN)";
	caps->entries = nvme_bits(cap, 0, 16) + 1;
	caps->stride = 4u << nvme_bits(cap, 32, 4);
	caps->timeout_ns = (nvme_bits(cap, 24, 8) + 1) * TICK_NS;
	return NULL;
}

uint64_t
nvme_start_ns(uint64_t cap, uint32_t crto)
{
	uint64_t ticks = nvme_bits(cap, 24, 8);

	/* Ready with media: CC.CRIME is not set. */
	if (nvme_bits(cap, 59, 1))
		ticks = max_u64(ticks, nvme_bits(crto, 0, 16));
	return min_u64(START_MOST_NS, (ticks + 1) * TICK_NS);
}

const char *
nvme_parse_controller(const unsigned char data[NVME_IDENTIFY_SIZE],
                      struct nvme_controller *controller)
{
	unsigned transfer = data[77];

	/* In units of 4 KiB pages, which nvme_parse_caps requires. */
	controller->max_transfer =
	    transfer && transfer < 52 ? UINT64_C(4096) << transfer : UINT64_MAX;
	/* RTD3 Entry Latency, in microseconds. */
	controller->shutdown_ns =
	    max_u64(SHUTDOWN_LEAST_NS,
	            min_u64(SHUTDOWN_MOST_NS, 1000 * nvme_number(data, 88, 4)));
	controller->namespaces = (uint32_t)nvme_number(data, 516, 4);
	nvme_copy_text(controller->model, data + 24, 40);
	nvme_copy_text(controller->firmware, data + 64, 8);
	if (!controller->namespaces)
		return "it has no namespaces";
	/* Minimum and maximum, as powers of two; 6 and 4 are used here. */
	if ((data[512] & 15) > 6 || data[512] >> 4 < 6 ||
	    (data[513] & 15) > 4 || data[513] >> 4 < 4)
		return "its queue entries are not of 64 and 16 bytes";
	return NULL;
}

const char *
nvme_parse_namespace(const unsigned char data[NVME_IDENTIFY_SIZE],
                     struct nvme_namespace *ns)
{
	/* Two bits of the format's index are elsewhere. */
	size_t format = (data[26] & 15u) | (data[26] >> 5 & 3u) << 4;
	const unsigned char *f = data + 128 + 4 * format;

	ns->blocks = nvme_number(data, 0, 8);
	if (!ns->blocks)
		return "it has no blocks: it is not there, or not attached";
	if (nvme_number(f, 0, 2))
		return "it is formatted with metadata";
	if (f[2] < 9 || f[2] > 16)
		return "its blocks are smaller than 512 bytes or larger than "
		       "64 KiB";
	ns->block_size = 1u << f[2];
	if (ns->blocks > UINT64_MAX / ns->block_size)
		return "it claims more than 2^64 bytes";
	return NULL;
}
