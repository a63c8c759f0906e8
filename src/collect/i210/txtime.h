/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets with launch times, SO_TXTIME; for linux_nics. */
#ifndef PCB_COLLECT_I210_TXTIME_H
#define PCB_COLLECT_I210_TXTIME_H

#include "collect/i210/i210.h"

/* nic_system.open_socket, .send, .missed. */
int nic_open_socket(struct nic_port *port);
int nic_send(struct nic_port *port, uint64_t launch);
bool nic_missed(struct nic_port *port);

#endif
