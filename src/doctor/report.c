/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const columns[] = {
    "kind",       "check",        "device", "sure", "reason", "what",
    "now_gbit_s", "could_gbit_s", "cost",   "mend", "risk",   "prove"};

void
report_sort(struct doctor_findings *all)
{
	struct doctor_findings sorted = {0};

	sorted.row = xreallocarray(NULL, all->n + 1, sizeof *sorted.row);
	for (int sure = SURE_CERTAIN; sure >= SURE_BY_DESIGN; sure--) {
		for (size_t i = 0; i < all->n; i++) {
			if ((int)all->row[i].sure == sure)
				sorted.row[sorted.n++] = all->row[i];
		}
	}
	free(all->row);
	all->row = sorted.row;
}

void
report_rows(struct out *out, const struct doctor_findings *all)
{
	out_begin(out, columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < all->n; i++) {
		const struct doctor_finding *f = &all->row[i];

		out_text(out, "model");
		out_text(out, f->check);
		out_text(out, f->device);
		out_text(out, doctor_sure_names[f->sure]);
		out_text(out, f->reason);
		out_text(out, f->what);
		out_double(out, f->now_gbit_s);
		out_double(out, f->could_gbit_s);
		out_text(out, f->cost);
		out_text(out, f->mend);
		out_text(out, f->risk);
		out_text(out, f->prove);
	}
}

static void
print_part(const char *name, const char *text)
{
	if (*text)
		printf("  %-8s%s\n", name, text);
}

static void
print_count(size_t n, const char *what, const char *end)
{
	printf("%zu %s%s", n, what, end);
}

void
report_text(const struct doctor *d)
{
	const struct doctor_findings *all = &d->found;
	size_t n[SURE_CERTAIN + 1] = {0};

	for (size_t i = 0; i < all->n; i++) {
		const struct doctor_finding *f = &all->row[i];

		n[f->sure]++;
		printf("%s%s%s  %s  %s\n", doctor_sure_names[f->sure],
		       *f->reason ? ": " : "", f->reason,
		       *f->device ? f->device : "this machine", f->check);
		printf("  %s\n", f->what);
		print_part("costs", f->cost);
		print_part("mend", f->mend);
		print_part("risk", f->risk);
		print_part("prove", f->prove);
		puts("");
	}
	print_count(n[SURE_CERTAIN], "certain", ", ");
	print_count(n[SURE_LIKELY], "likely", ", ");
	print_count(n[SURE_BY_DESIGN], "by design", "; ");
	print_count(d->examined, "functions examined", ", ");
	print_count(d->links, "with a link", "\n");
}

static void
print_gauge(const struct doctor_findings *all, const char *name,
            const char *help, double (*value)(const struct doctor_finding *f))
{
	printf("# TYPE %s gauge\n# HELP %s %s\n", name, name, help);
	for (size_t i = 0; i < all->n; i++) {
		const struct doctor_finding *f = &all->row[i];

		if (isnan(value(f)))
			continue;
		printf("%s{check=\"%s\",device=\"%s\",sure=\"%s\"} %.17g\n",
		       name, f->check, f->device, doctor_sure_names[f->sure],
		       value(f));
	}
}

static double
one(const struct doctor_finding *f)
{
	(void)f;
	return 1;
}

static double
now(const struct doctor_finding *f)
{
	return f->now_gbit_s * 1e9 / 8;
}

static double
could(const struct doctor_finding *f)
{
	return f->could_gbit_s * 1e9 / 8;
}

void
report_metrics(const struct doctor_findings *all)
{
	print_gauge(all, "pcb_doctor_finding", "A finding of pcb-doctor.", one);
	print_gauge(all, "pcb_doctor_now_bytes_per_second",
	            "Limit of the model for the path as it is.", now);
	print_gauge(all, "pcb_doctor_could_bytes_per_second",
	            "Limit of the model for the path as it could be.", could);
	puts("# EOF");
}
