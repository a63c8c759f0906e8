/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The NIC's registers and clock, through its driver; for linux_nics. */
#ifndef PCB_COLLECT_I210_ETHTOOL_H
#define PCB_COLLECT_I210_ETHTOOL_H

#include "collect/i210/i210.h"

/*
 * The driver's register dump, in 32-bit words; free it. NULL with errno: EPERM
 * without CAP_NET_ADMIN, EOPNOTSUPP from most drivers.
 */
uint32_t *nic_registers(struct nic_port *port, size_t *words);

/* nic_system.read_delay, .clock_offset. */
int nic_read_delay(struct nic_port *port, uint32_t *units);
int nic_clock_offset(struct nic_port *port, int64_t *ns);

/* Opens the port's /dev/ptpN into port->clock. */
int nic_open_clock(struct nic_port *port);

#endif
