/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of libibverbs that are used here, found when the program runs:
 * only its headers are needed to build. Meanings are those of the manual pages
 * of rdma-core, such as ibv_create_qp(3).
 */
#ifndef PCB_COLLECT_RDMA_VERBS_H
#define PCB_COLLECT_RDMA_VERBS_H

#include "collect/core/session.h"

#include <infiniband/verbs.h>

#define VERBS_SONAME "libibverbs.so.1"

/* CALL(name without ibv_); the others are inline functions of the header. */
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
#define VERBS_MEMBER(name) __typeof__(ibv_##name) *name;
	VERBS_CALLS(VERBS_MEMBER)
#undef VERBS_MEMBER
};

/*
 * Loads the library and looks up its functions. NULL, or why not, to be freed:
 * with the command that installs it where there is none.
 */
char *verbs_load(struct verbs *verbs);

#endif
