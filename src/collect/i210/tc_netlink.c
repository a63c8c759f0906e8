/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of traffic control through rtnetlink(7). */
#include "collect/i210/tc_netlink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ALIGN(n) (((n) + 3) & ~(size_t)3)

/* Bytes of one answer; the kernel sends dumps in pieces of at most 32 KiB. */
#define ANSWER_MAX 65536

static void
append(struct tc_request *r, const void *data, size_t length)
{
	if (length)
		memcpy(r->bytes + r->length, data, length);
	r->length += ALIGN(length);
}

void
tc_begin(struct tc_request *r, uint16_t type, uint16_t flags,
         const struct tcmsg *tc)
{
	struct nlmsghdr header = {.nlmsg_type = type,
	                          .nlmsg_flags = NLM_F_REQUEST | flags,
	                          .nlmsg_seq = 1};

	memset(r, 0, sizeof *r);
	append(r, &header, sizeof header);
	append(r, tc, sizeof *tc);
}

void
tc_attribute(struct tc_request *r, uint16_t type, const void *data,
             size_t length)
{
	struct rtattr head = {.rta_type = type};

	if (r->length + sizeof head + ALIGN(length) > sizeof r->bytes)
		abort();
	head.rta_len = (unsigned short)(sizeof head + length);
	append(r, &head, sizeof head);
	append(r, data, length);
}

/* Error and done messages carry 0 or a negative errno. */
static int
status_of(const unsigned char *message, size_t length)
{
	int status;

	if (length < sizeof(struct nlmsghdr) + sizeof status)
		return EPROTO;
	memcpy(&status, message + sizeof(struct nlmsghdr), sizeof status);
	return -status;
}

struct answer {
	void (*each)(const struct nlmsghdr *message, void *data);
	void *data;
	bool over;
	int error;
};

/* Reads the messages of one datagram of an answer. */
static void
take_datagram(struct answer *a, unsigned char *datagram, size_t length)
{
	while (!a->over && length >= sizeof(struct nlmsghdr)) {
		struct nlmsghdr *message = (struct nlmsghdr *)(void *)datagram;
		size_t n = message->nlmsg_len;

		if (n < sizeof *message || n > length) {
			a->error = EPROTO;
			a->over = true;
		} else if (message->nlmsg_type == NLMSG_ERROR ||
		           message->nlmsg_type == NLMSG_DONE) {
			a->error = status_of(datagram, n);
			a->over = true;
		} else if (a->each) {
			a->each(message, a->data);
		}
		n = ALIGN(n) < length ? ALIGN(n) : length;
		datagram += n;
		length -= n;
	}
}

static int
nl_transact(int fd, struct tc_request *r, struct answer *a)
{
	unsigned char *datagram = malloc(ANSWER_MAX);
	struct nlmsghdr header;

	if (!datagram)
		return ENOMEM;
	memcpy(&header, r->bytes, sizeof header);
	header.nlmsg_len = (uint32_t)r->length;
	memcpy(r->bytes, &header, sizeof header);
	if (send(fd, r->bytes, r->length, 0) < 0)
		a->error = errno;
	while (!a->error && !a->over) {
		ssize_t n = recv(fd, datagram, ANSWER_MAX, 0);

		if (n > 0)
			take_datagram(a, datagram, (size_t)n);
		else if (n == 0 || errno != EINTR)
			a->error = n ? errno : EPROTO;
	}
	free(datagram);
	return a->error;
}

static int
exchange(struct tc_request *r, struct answer *a)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	int error;

	if (fd < 0)
		return errno;
	error = nl_transact(fd, r, a);
	close(fd);
	return error;
}

static void
set_flags(struct tc_request *r, uint16_t flags)
{
	struct nlmsghdr header;

	memcpy(&header, r->bytes, sizeof header);
	header.nlmsg_flags |= flags;
	memcpy(r->bytes, &header, sizeof header);
}

int
tc_transact(struct tc_request *r)
{
	struct answer a = {0};

	set_flags(r, NLM_F_ACK);
	return exchange(r, &a);
}

int
tc_dump(struct tc_request *r,
        void (*each)(const struct nlmsghdr *message, void *data), void *data)
{
	struct answer a = {.each = each, .data = data};

	set_flags(r, NLM_F_DUMP);
	return exchange(r, &a);
}

bool
tc_header(const struct nlmsghdr *message, struct tcmsg *tc)
{
	if (message->nlmsg_len < sizeof *message + sizeof *tc)
		return false;
	memcpy(tc, message + 1, sizeof *tc);
	return true;
}

const void *
tc_find(const struct nlmsghdr *message, uint16_t type, size_t *length)
{
	const unsigned char *bytes = (const unsigned char *)message;
	size_t at = sizeof *message + ALIGN(sizeof(struct tcmsg));
	struct rtattr head;

	*length = 0;
	while (at + sizeof head <= message->nlmsg_len) {
		memcpy(&head, bytes + at, sizeof head);
		if (head.rta_len < sizeof head ||
		    head.rta_len > message->nlmsg_len - at)
			return NULL;
		if ((head.rta_type & NLA_TYPE_MASK) == type) {
			*length = head.rta_len - sizeof head;
			return bytes + at + sizeof head;
		}
		at += ALIGN(head.rta_len);
	}
	return NULL;
}
