/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --links of pcb-diff: every accepted text of a device is valid. */
#include "fuzz/ending.h"

#include "diff/diff.h"

#include "common/link/pcie.h"

static void
must_tell(const struct topology *y)
{
	must(!y->n || (y->has[TOPO_DEVICE] &&
	               (y->has[TOPO_PARENT] || y->has[TOPO_LINK])));
	for (size_t i = 0; i < y->n; i++) {
		const char *const *text = (const char *const *)y->row[i].text;
		const char *device = text[TOPO_DEVICE];
		struct link link;

		for (size_t k = 0; k < NTOPO_COLS; k++) {
			must(topology_text(y, device, (enum topo_col)k) ==
			     text[k]);
			must(y->has[k] || !*text[k]);
		}
		must(!link_parse(text[TOPO_LINK], &link));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct topology y;
	static char standard_input[] = "-";

	y = (struct topology){0};
	set_stdin(bytes, size);
	is_reading = true;
	if (setjmp(refused))
		return free_as_exit();
	topology_read(&y, standard_input);
	is_reading = false;
	must_tell(&y);
	topology_free(&y);
	return 0;
}
