/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors of libibverbs. */
#include "collect/rdma/rdma.h"

#include <string.h>

bool
rdma_failed(struct session *s, const char *call, int error)
{
	const struct rdma *r = s->state;

	return fail(s, STATUS_TROUBLE, "%s: %s: %s", r->device.name, call,
	            strerror(error));
}
