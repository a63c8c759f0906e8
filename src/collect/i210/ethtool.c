/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a NIC's registers and clock, as ethtool(8) and phc_ctl(8) do. */
#include "collect/i210/ethtool.h"

#include "common/base/debug.h"
#include "common/sys/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/ethtool.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/timex.h>

/* Index of RR2DCDELAY in igb's dump, since Linux 5.3. */
#define DELAY_WORD 739

/* Readings of the clock; the kernel allows at most 25. */
#define READINGS 5

static int
ethtool(const struct nic_port *port, void *request)
{
	struct ifreq ifr = {0};

	memcpy(ifr.ifr_name, port->ifname, sizeof port->ifname);
	ifr.ifr_data = request;
	return ioctl(port->control, SIOCETHTOOL, &ifr);
}

uint32_t *
nic_registers(struct nic_port *port, size_t *words)
{
	struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};
	struct ethtool_regs *regs;
	uint32_t *dump = NULL;

	if (ethtool(port, &info))
		return NULL;
	regs = xcalloc(1, sizeof *regs + info.regdump_len + sizeof *dump);
	regs->cmd = ETHTOOL_GREGS;
	regs->len = info.regdump_len;
	if (!ethtool(port, regs)) {
		*words = regs->len / sizeof *dump;
		dump = xcalloc(*words + 1, sizeof *dump);
		memcpy(dump, regs->data, *words * sizeof *dump);
	}
	free(regs);
	return dump;
}

int
nic_read_delay(struct nic_port *port, uint32_t *units)
{
	size_t words = 0;
	uint32_t *dump = nic_registers(port, &words);

	if (!dump)
		return errno;
	if (words > DELAY_WORD)
		*units = dump[DELAY_WORD];
	free(dump);
	return words > DELAY_WORD ? 0 : ENOMSG;
}

int
nic_open_clock(struct nic_port *port)
{
	struct ethtool_ts_info info = {.cmd = ETHTOOL_GET_TS_INFO};
	char path[PATH_MAX];

	if (ethtool(port, &info))
		return errno;
	if (info.phc_index < 0)
		return ENODEV;
	snprintf(path, sizeof path, "%s%d", root_path("/dev/ptp"),
	         info.phc_index);
	port->clock = open(path, O_RDONLY | O_CLOEXEC);
	debug(DEBUG_I210, "%s: clock %s: %s", port->ifname, path,
	      port->clock < 0 ? strerror(errno) : "opened");
	return port->clock < 0 ? errno : 0;
}

static int64_t
nanoseconds(const struct ptp_clock_time *t)
{
	return t->sec * 1000000000 + t->nsec;
}

/*
 * The kernel reads the system clock and the NIC's clock in turn. The reading
 * between the two closest ones of the system clock is the best.
 */
int
nic_clock_offset(struct nic_port *port, int64_t *ns)
{
	struct ptp_sys_offset offset = {.n_samples = READINGS};
	int64_t closest = INT64_MAX;
	struct timex tx = {0};

	if (ioctl(port->clock, PTP_SYS_OFFSET, &offset))
		return errno;
	if (adjtimex(&tx) < 0)
		return errno;
	for (size_t i = 0; i < READINGS; i++) {
		int64_t before = nanoseconds(&offset.ts[2 * i]);
		int64_t nic = nanoseconds(&offset.ts[2 * i + 1]);
		int64_t after = nanoseconds(&offset.ts[2 * i + 2]);

		if (after - before >= closest)
			continue;
		closest = after - before;
		*ns = nic - (before + closest / 2);
	}
	*ns -= (int64_t)tx.tai * 1000000000;
	return 0;
}
