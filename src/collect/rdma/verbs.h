/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of libibverbs used here, loaded at run time: a build needs only
 * its headers. Manual pages of rdma-core, such as ibv_create_qp(3), document
 * them.
 */
#ifndef PCB_COLLECT_RDMA_VERBS_H
#define PCB_COLLECT_RDMA_VERBS_H

#include "collect/core/session.h"

#include <infiniband/verbs.h>

#define VERBS_SONAME "libibverbs.so.1"

/* CALL(name without ibv_); the header defines the others inline. */
#define VERBS_CALLS(CALL)                                                      \
	CALL(get_device_list)                                                  \
	CALL(free_device_list)                                                 \
	CALL(get_device_name)                                                  \
	CALL(open_device)                                                      \
	CALL(close_device)                                                     \
	CALL(query_device)                                                     \
	CALL(query_port)                                                       \
	CALL(query_gid)                                                        \
	CALL(alloc_pd)                                                         \
	CALL(dealloc_pd)                                                       \
	CALL(reg_mr)                                                           \
	CALL(dereg_mr)                                                         \
	CALL(create_cq)                                                        \
	CALL(destroy_cq)                                                       \
	CALL(create_qp)                                                        \
	CALL(modify_qp)                                                        \
	CALL(destroy_qp)                                                       \
	CALL(wc_status_str)

struct verbs {
#define VERBS_MEMBER(name) __typeof__(ibv_##name) *(name);
	VERBS_CALLS(VERBS_MEMBER)
#undef VERBS_MEMBER
};

/*
 * Loads the library and its functions. Returns NULL, or why not (free it), with
 * the command that installs a missing library.
 */
char *verbs_load(struct verbs *verbs);

#endif
