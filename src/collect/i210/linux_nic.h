/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of linux_nics that tests make alone: members of struct nic_system. */
#ifndef PCB_COLLECT_I210_LINUX_NIC_H
#define PCB_COLLECT_I210_LINUX_NIC_H

#include "collect/i210/i210.h"

/*
 * The driver's register dump, in 32-bit words; free it. NULL with errno: EPERM
 * without CAP_NET_ADMIN, EOPNOTSUPP from most drivers.
 */
uint32_t *nic_registers(struct nic_port *port, size_t *words);

int nic_read_delay(struct nic_port *port, uint32_t *units);
int nic_clock_offset(struct nic_port *port, int64_t *ns);

/* Opens the port's /dev/ptpN into port->clock. */
int nic_open_clock(struct nic_port *port);

int nic_open_socket(struct nic_port *port);
int nic_send(struct nic_port *port, uint64_t launch);
bool nic_missed(struct nic_port *port);

#endif
