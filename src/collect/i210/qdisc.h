/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queueing disciplines that obey launch times, for linux_nics, and the requests
 * of traffic control through rtnetlink(7) that set them.
 */
#ifndef PCB_COLLECT_I210_QDISC_H
#define PCB_COLLECT_I210_QDISC_H

#include "collect/i210/i210.h"

#include <linux/rtnetlink.h>

/* nic_system.take_queues, .give_queues_back. */
int nic_take_queues(struct nic_port *port);
void nic_give_queues_back(struct nic_port *port);

/* A request about a queueing discipline, built step by step. */
struct tc_request {
	struct nlmsghdr header; /* its length is that of all so far */
	struct tcmsg tc;
	unsigned char attributes[2048];
};

/* Starts a request: RTM_NEWQDISC and so on, with NLM_F flags. */
void tc_begin(struct tc_request *r, uint16_t type, uint16_t flags,
              const struct tcmsg *tc);

/* Appends an attribute; all must fit the request. */
void tc_attribute(struct tc_request *r, uint16_t type, const void *data,
                  size_t length);

/* Sends the request and waits for the answer: 0 or a value of errno. */
int tc_transact(struct tc_request *r);

/*
 * Sends a request for a list and calls each(message, data) for every item:
 * 0 or a value of errno.
 */
int tc_dump(struct tc_request *r,
            void (*each)(const struct nlmsghdr *message, void *data),
            void *data);

/*
 * The value of an attribute of an item; NULL, and length 0, if the item lacks
 * it or is truncated.
 */
const void *tc_find(const struct nlmsghdr *message, uint16_t type,
                    size_t *length);

/* Reads the item's fixed part; false if the message is truncated. */
bool tc_header(const struct nlmsghdr *message, struct tcmsg *tc);

#endif
