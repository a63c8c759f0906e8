/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of a machine: refused, or a graph in which transfers find a way. */
#include "fuzz/ending.h"

#include "common/machine/machine.h"

#include <math.h>

/* The ends of a way are those of the flow, and its edges follow each other. */
static void
must_lead(const struct machine *m, const struct flow *f)
{
	size_t at = f->from;

	for (size_t i = 0; i < f->n; i++) {
		const struct machine_edge *e = &m->edge[f->step[i].edge];

		must(f->step[i].edge < m->nedges);
		must(at == MACHINE_NONE ||
		     at == (f->step[i].down ? e->above : e->below));
		at = f->step[i].down ? e->below : e->above;
	}
	must(f->to == MACHINE_NONE || at == f->to);
}

static void
must_share(const struct machine *m)
{
	struct link_config how = {0};
	struct flow f[3] = {{.from = 0, .to = m->nnodes - 1},
	                    {.from = 0, .to = MACHINE_NONE},
	                    {.from = MACHINE_NONE, .to = 0, .reads = true}};
	size_t n = 0;

	for (size_t i = 0; i < 3; i++) {
		if (machine_route(m, &f[i])) {
			free(f[i].step);
			continue;
		}
		must_lead(m, &f[i]);
		f[n++] = f[i];
	}
	machine_share(m, &how, 4096, f, n);
	for (size_t i = 0; i < n; i++) {
		must(f[i].gbit_s > 0);
		free(f[i].step);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct machine *m;

	set_stdin(bytes, size);
	/* No buffer, which would be freed, and no end of an input before. */
	setvbuf(stdin, NULL, _IONBF, 0);
	rewind(stdin);
	is_reading = true;
	if (setjmp(refused))
		return free_as_exit();
	m = machine_read_file("-");
	is_reading = false;
	must(m->nnodes > 0);
	must_share(m);
	machine_free(m);
	return 0;
}
