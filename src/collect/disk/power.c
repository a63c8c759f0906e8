/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Power states that a drive enters by itself (APST). Sections are those of the
 * NVM Express Base Specification 2.0. Both commands only read.
 */
#include "collect/disk/disk.h"

#include "common/base/intmath.h"
#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <sys/ioctl.h>

enum { GET_FEATURES = 0x0a, IDENTIFY = 0x06 };
enum { FEATURE_APST = 0x0c, IDENTIFY_CONTROLLER = 1 };

/* In Identify Controller, 5.17.2.1. */
#define APST_ATTRIBUTES 265
#define POWER_STATES    2048 /* 32 bytes each */
#define EXIT_LATENCY    8    /* in one of them, us */

/* Entries of 5.27.1.10: the state entered, and the ms before it. */
char *
disk_power_text(const unsigned char identify[DISK_IDENTIFY_BYTES],
                const unsigned char table[DISK_APST_BYTES])
{
	uint64_t state = 0, after = 0;
	char *text = NULL;

	for (unsigned i = 0; i < DISK_APST_BYTES / 8; i++) {
		uint64_t entry = little_endian(table + 8 * state, 8);
		uint64_t next = entry >> 3 & 0x1f, ms = entry >> 8 & 0xffffff;
		const unsigned char *its =
		    identify + POWER_STATES + 32 * next + EXIT_LATENCY;

		if (!ms || next <= state)
			break;
		after += ms;
		xappend(&text, "; ", "after %ju ms %ju us", (uintmax_t)after,
		        (uintmax_t)little_endian(its, 4));
		state = next;
	}
	return text;
}

static bool
ask(int fd, uint8_t opcode, uint32_t what, void *to, uint32_t bytes,
    uint32_t *result)
{
	struct nvme_passthru_cmd command = {.opcode = opcode,
	                                    .addr = (uintptr_t)to,
	                                    .data_len = bytes,
	                                    .cdw10 = what};
	bool ok = !ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command);

	*result = command.result;
	return ok;
}

char *
disk_power(const char *controller)
{
	unsigned char *identify = xcalloc(DISK_IDENTIFY_BYTES, 1);
	unsigned char table[DISK_APST_BYTES] = {0};
	int fd = open(controller, O_RDONLY | O_CLOEXEC);
	uint32_t on = 0, unused;
	char *text = NULL;

	if (fd >= 0 && ask(fd, IDENTIFY, IDENTIFY_CONTROLLER, identify,
	                   DISK_IDENTIFY_BYTES, &unused)) {
		if (!(identify[APST_ATTRIBUTES] & 1))
			text = xstrdup("none");
		else if (ask(fd, GET_FEATURES, FEATURE_APST, table,
		             sizeof table, &on))
			text = on & 1 ? disk_power_text(identify, table)
			              : xstrdup("off");
	}
	close_file(fd);
	free(identify);
	return text;
}
