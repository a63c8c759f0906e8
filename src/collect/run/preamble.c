/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records which program wrote a stream, its command line and the date. */
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
