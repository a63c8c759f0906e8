/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queueing disciplines that obey launch times; for linux_nics. */
#ifndef PCB_COLLECT_I210_QDISC_H
#define PCB_COLLECT_I210_QDISC_H

#include "collect/i210/i210.h"

/* nic_system.take_queues, .give_queues_back. */
int nic_take_queues(struct nic_port *port);
void nic_give_queues_back(struct nic_port *port);

#endif
