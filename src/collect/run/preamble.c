/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which program wrote a stream, how it was called, and when. */
#include "collect/run/preamble.h"

#include "collect/host/describe.h"
#include "common/base/version.h"

void
run_describe(struct preamble *pre)
{
	preamble_set(pre, "tool", "pcb-collect %s", program_version);
	preamble_add_command(pre);
	host_describe_date(pre);
}
