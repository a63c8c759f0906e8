/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/doctor/finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const doctor_sure_names[] = {
    [SURE_BY_DESIGN] = "by design",
    [SURE_LIKELY] = "likely",
    [SURE_CERTAIN] = "certain",
};

struct doctor_finding *
doctor_add(struct doctor_findings *all, const char *check, enum sure sure,
           const struct pci_function *f)
{
	struct doctor_finding *row;

	all->row = xreallocarray(all->row, all->n + 1, sizeof *all->row);
	row = &all->row[all->n++];
	all->certain += sure == SURE_CERTAIN;
	*row = (struct doctor_finding){
	    .check = check,
	    .sure = sure,
	    .reason = "",
	    .what = xstrdup(""),
	    .cost = xstrdup(""),
	    .now_gbit_s = NAN,
	    .could_gbit_s = NAN,
	    .mend = xstrdup(""),
	    .risk = xstrdup(""),
	    .prove = xstrdup(""),
	};
	if (f)
		memcpy(row->device, f->bdf, sizeof row->device);
	return row;
}

void
doctor_say(char **text, const char *fmt, ...)
{
	va_list ap;

	free(*text);
	va_start(ap, fmt);
	*text = xvasprintf(fmt, ap);
	va_end(ap);
}

void
doctor_set_cost(struct doctor_finding *f, double now, double could,
                const char *what)
{
	if (isnan(now) || isnan(could))
		return;
	f->now_gbit_s = now;
	f->could_gbit_s = could;
	doctor_say(&f->cost, "%.1f of %.1f Gbit/s of %s", now, could, what);
}

void
doctor_findings_free(struct doctor_findings *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct doctor_finding *f = &all->row[i];

		free(f->what);
		free(f->cost);
		free(f->mend);
		free(f->risk);
		free(f->prove);
	}
	free(all->row);
	*all = (struct doctor_findings){0};
}
