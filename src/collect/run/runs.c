/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples by point and run, as sums and medians. */
#include "collect/run/runs.h"

#include "common/stat/quantile_ci.h"

#include <math.h>

void
runs_begin_point(struct runs *r, const struct series series[], size_t n)
{
	r->nseries = n;
	r->sequence = xcalloc(n + 1, sizeof(struct sequence *));
	for (size_t i = 0; i < n; i++) {
		if (strcmp(series[i].id[ID_KIND], "simulated") != 0)
			r->sequence[i] = sequence_make();
	}
}

void
runs_add(struct runs *r, const struct bench *bench, size_t series,
         const uint64_t *raw, size_t n)
{
	const uint64_t *last = raw + bench->width - 1;
	struct sequence *sequence = r->sequence[series];

	if (bench->paced || (!sequence && !r->compare))
		return;
	for (; n--; last += bench->width) {
		/* The last integer is a latency, or the time of all bytes. */
		double value = bench->totals
		                   ? (double)last[-1] / fmax(1, (double)*last)
		                   : (double)*last;

		if (sequence)
			sequence_add(sequence, value);
		if (r->compare)
			tallies_add(&r->samples, series, value, 1);
	}
}

/* Adds the median of each series to those of the runs before. */
static void
keep_medians(struct runs *r)
{
	struct histogram *of = tallies_finish(&r->samples, r->nseries);

	for (size_t i = 0; i < r->nseries; i++) {
		struct medians *m;

		if (r->next == r->nmedians)
			array_push(r->medians, r->nmedians,
			           (struct medians){0});
		m = &r->medians[r->next++];
		if (of[i].n)
			array_push(m->of, m->n,
			           histogram_quantile(&of[i],
			                              (struct fraction){1, 2},
			                              USUAL_QUANTILE));
	}
	histograms_free(of);
}

void
runs_end_point(struct runs *r)
{
	if (r->compare)
		keep_medians(r);
	for (size_t i = 0; i < r->nseries; i++) {
		struct sequence *s = r->sequence[i];

		if (!s)
			continue;
		steadiness_add(&r->steadiness, s, sequence_spread(s));
		free(s);
		r->sequences++;
	}
	free(r->sequence);
	r->sequence = NULL;
}

double
runs_end(struct runs *r)
{
	const struct fraction half = {1, 2}, level = {95, 100};
	double widest = 0;

	r->next = 0;
	for (size_t i = 0; i < r->nmedians; i++) {
		double *of = r->medians[i].of, middle;
		size_t n = r->medians[i].n;
		uint64_t lower = lower_limit(n, half, level);

		if (!lower)
			return INFINITY;
		sort_numbers(of, n);
		middle = (of[n / 2] + of[(n - 1) / 2]) / 2;
		widest = fmax(widest, 1 - of[lower - 1] / middle);
		widest = fmax(widest, of[n - lower] / middle - 1);
	}
	return widest;
}

void
runs_free(struct runs *r)
{
	for (size_t i = 0; i < r->nmedians; i++)
		free(r->medians[i].of);
	free(r->medians);
	tallies_free(&r->samples);
}
