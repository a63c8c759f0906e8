/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of pcb-host: refused, or answered in a possible order of times. */
#include "host/request_line.h"
#include "host/pcb_host.h"

#include "common/base/util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void
must(bool true_of_every_line)
{
	if (!true_of_every_line)
		abort();
}

static void
must_answer(struct pcb_host *host, const struct request_line *r)
{
	const struct pcb_host_transaction *t = &r->transaction;
	struct pcb_host_answer answer;

	if (r->request != REQUEST_TRANSACTION) {
		/* A large window takes long to fill; a state is printed. */
		if (r->window < 1 << 20 && r->request != REQUEST_RANDOM)
			must(!request_line_serve(host, r));
		return;
	}
	if (pcb_host_check(host, t))
		return;
	answer = pcb_host_take(host, t);
	must(answer.first >= t->time && answer.last >= answer.first);
}

/* The first byte chooses the host. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const options[] = {"iommu=on", "llc=64K", NULL};
	struct pcb_host_setup setup = {.options = options, .seed = 1};
	struct pcb_host *host;
	char *text, *rest;

	if (!size)
		return 0;
	setup.at_root = *bytes & 1;
	host = pcb_host_open(&setup);
	text = xasprintf("%.*s", (int)size - 1, (const char *)bytes + 1);
	rest = text;
	for (char *line; (line = strsep(&rest, "\n"));) {
		struct request_line r;

		if (!request_line_parse(&r, line))
			must_answer(host, &r);
	}
	free(text);
	pcb_host_close(host);
	return 0;
}
