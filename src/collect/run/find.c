/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a backend's search for the counters of a device, and writes the row. */
#include "collect/run/find.h"

#include "collect/run/interrupt.h"
#include "collect/run/preamble.h"
#include "collect/run/progress.h"

#include <stdlib.h>
#include <sys/utsname.h>

/* The session is the first member: a pointer to it points to this. */
struct search {
	struct session session;
	struct progress progress;
};

static void
show_progress(struct session *s, double done)
{
	progress_show(&((struct search *)(void *)s)->progress, done);
}

static void
write_row(const struct session *s, struct out *out, double quiet, double busy)
{
	static const enum identity ids[] = {ID_KIND, ID_DEVICE, ID_SOCKET,
	                                    ID_UNIT};
	static const char *const columns[] = {"host",
	                                      "kind",
	                                      "device",
	                                      "socket",
	                                      "unit",
	                                      "part",
	                                      "quiet_counts_per_s",
	                                      "busy_counts_per_s"};
	struct utsname host;

	out_begin(out, columns, ARRAY_LEN(columns));
	out_text(out, uname(&host) ? "" : host.nodename);
	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		out_text(out, s->series->id[ids[i]]);
	out_u64(out, strtoull(s->series->id[ID_PART], NULL, 10));
	out_double(out, quiet);
	out_double(out, busy);
	out_finish(out, true, NULL);
}

int
collection_find(const struct collection *c, enum format format)
{
	struct preamble pre = {0};
	struct out out = {
	    .format = format, .no_preamble = c->no_preamble, .preamble = &pre};
	struct search search = {.session = {.request = &c->request,
	                                    .preamble = &pre,
	                                    .interrupted = &interrupt.pending,
	                                    .show_progress = show_progress}};
	struct session *s = &search.session;
	double quiet, busy;
	bool ok;

	interrupt_on_signals();
	run_describe(&pre);
	progress_begin(&search.progress, c->quiet);
	ok = c->backend->find(s, &quiet, &busy);
	progress_clear(&search.progress);
	if (ok)
		write_row(s, &out, quiet, busy);
	else if (s->failure.text)
		warn("%s", s->failure.text);
	series_make(s, 0);
	preamble_free(&pre);
	free(s->failure.text);
	if (interrupt.signo)
		end_by_signal(interrupt.signo);
	return ok ? STATUS_OK : s->failure.status;
}
