/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loads libibverbs.so.1 and looks up its functions. */
#include "collect/rdma/verbs.h"

#include "collect/host/dynlib.h"

static struct dynlib libibverbs = {.soname = VERBS_SONAME};

static const struct dynlib_symbol calls[] = {
#define VERBS_ROW(name) {"ibv_" #name, offsetof(struct verbs, name)},
    VERBS_CALLS(VERBS_ROW)
#undef VERBS_ROW
};

char *
verbs_load(struct verbs *verbs)
{
	const char *why, *missing;

	if (!dynlib_open(&libibverbs, &why))
		return xasprintf("no libibverbs here (%s): apt install "
		                 "libibverbs1 ibverbs-providers",
		                 why);
	missing = dynlib_resolve(&libibverbs, calls, ARRAY_LEN(calls), verbs);
	if (missing)
		return xasprintf("%s has no %s", VERBS_SONAME, missing);
	return NULL;
}
