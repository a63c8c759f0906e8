/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gauss-Newton: without queues the model is linear. */
#include "model/latency_fit.h"

#include "common/base/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_PS    1000 /* for slopes */
#define ROUNDS_MAX 20
#define ALIKE      1e-9 /* a diagonal this small: dependent */

struct fit {
	const struct fit_names *names;
	struct latency_row *row;
	size_t n, max;
	double value[SIM_NUMBERS]; /* whole picoseconds */

	/* Last iteration: n x p slopes, and the residuals. */
	double *slope, *rest;
	double normal[SIM_NUMBERS][SIM_NUMBERS]; /* then its Cholesky factor */
	double sum_of_squares;
};

const char *
fit_set_names(void *to, const char *list)
{
	struct fit_names *names = to;
	char *copy = xstrdup(list), *rest = copy;
	const char *why = NULL;
	char *word;

	names->n = 0;
	while (!why && (word = strsep(&rest, ","))) {
		enum sim_param param = sim_param_find(word);

		if (!latency_is_fitted(param))
			why = "only times that add up to latencies, such as "
			      "rc,miss,snoop";
		for (size_t i = 0; !why && i < names->n; i++) {
			if (names->param[i] == param)
				why = "a parameter is repeated";
		}
		if (!why)
			names->param[names->n++] = param;
	}
	free(copy);
	return why;
}

/* Rows ---------------------------------------------------------------------*/

static void
read_rows(struct fit *fit, struct table *t,
          const struct latency_options *options,
          const struct link_options *link, const struct sim_params *host)
{
	struct latency_columns columns = {0};

	while (table_next(t)) {
		struct latency_row *row;

		if (!latency_row_is(&columns, t))
			continue;
		if (fit->n == fit->max) {
			fit->max = 2 * fit->max + 64;
			fit->row =
			    xreallocarray(fit->row, fit->max, sizeof *fit->row);
		}
		row = &fit->row[fit->n];
		if (!latency_row_read(row, &columns, t, options, link, host) &&
		    !isnan(row->median_ps))
			fit->n++;
	}
	if (fit->n <= fit->names->n)
		die("%s: --fit: %zu rows of lat_rd and lat_wrrd with a model, "
		    "for %zu parameters",
		    t->file, fit->n, fit->names->n);
}

/* Least squares ------------------------------------------------------------*/

static double
expected_ps(const struct fit *fit, const struct latency_row *row, size_t more)
{
	struct sim_params params = row->params;

	for (size_t k = 0; k < fit->names->n; k++)
		params.number[fit->names->param[k]] =
		    (uint64_t)fit->value[k] + (k == more ? STEP_PS : 0);
	return latency_median_ps(&params, &row->point);
}

static void
find_slopes(struct fit *fit)
{
	size_t p = fit->names->n;

	fit->sum_of_squares = 0;
	for (size_t i = 0; i < fit->n; i++) {
		const struct latency_row *row = &fit->row[i];
		double ps = expected_ps(fit, row, p);

		fit->rest[i] = row->median_ps - ps;
		fit->sum_of_squares += fit->rest[i] * fit->rest[i];
		for (size_t k = 0; k < p; k++)
			fit->slope[i * p + k] =
			    (expected_ps(fit, row, k) - ps) / STEP_PS;
	}
}

static void
multiply(struct fit *fit, double right[])
{
	size_t p = fit->names->n;

	for (size_t k = 0; k < p; k++) {
		right[k] = 0;
		for (size_t i = 0; i < fit->n; i++)
			right[k] += fit->slope[i * p + k] * fit->rest[i];
		for (size_t m = 0; m <= k; m++) {
			double sum = 0;

			for (size_t i = 0; i < fit->n; i++)
				sum += fit->slope[i * p + k] *
				       fit->slope[i * p + m];
			fit->normal[k][m] = sum;
		}
	}
}

/* In place; dies if a parameter depends on those before it. */
static void
factorise(struct fit *fit)
{
	size_t p = fit->names->n;

	for (size_t k = 0; k < p; k++) {
		double left = fit->normal[k][k];

		for (size_t m = 0; m <= k; m++) {
			double sum = fit->normal[k][m];

			for (size_t i = 0; i < m; i++)
				sum -= fit->normal[k][i] * fit->normal[m][i];
			if (m < k)
				fit->normal[k][m] = sum / fit->normal[m][m];
			else if (sum > ALIKE * left && sum > 0)
				fit->normal[k][k] = sqrt(sum);
			else
				die("--fit: these rows do not separate %s from "
				    "the other parameters",
				    sim_options[fit->names->param[k]].name);
		}
	}
}

/* Solves L x = b, then L' x = that, in place. */
static void
solve(const struct fit *fit, double x[])
{
	size_t p = fit->names->n;

	for (size_t k = 0; k < p; k++) {
		for (size_t m = 0; m < k; m++)
			x[k] -= fit->normal[k][m] * x[m];
		x[k] /= fit->normal[k][k];
	}
	for (size_t k = p; k--;) {
		for (size_t m = k + 1; m < p; m++)
			x[k] -= fit->normal[m][k] * x[m];
		x[k] /= fit->normal[k][k];
	}
}

/* One iteration; returns the size of the step. Times stay non-negative. */
static double
improve(struct fit *fit)
{
	double step[SIM_NUMBERS], far = 0;

	find_slopes(fit);
	multiply(fit, step);
	factorise(fit);
	solve(fit, step);
	for (size_t k = 0; k < fit->names->n; k++) {
		double value = fit->value[k];

		fit->value[k] = round(fmax(0, value + step[k]));
		far = fmax(far, fabs(fit->value[k] - value));
	}
	return far;
}

/* The standard error: from the diagonal of the inverse. */
static double
error_ps(const struct fit *fit, size_t k)
{
	double unit[SIM_NUMBERS] = {0};
	double freedom = (double)(fit->n - fit->names->n);

	unit[k] = 1;
	solve(fit, unit);
	return sqrt(unit[k] * fit->sum_of_squares / freedom);
}

/* The profile --------------------------------------------------------------*/

static void
write_profile(struct out *o, const struct fit *fit)
{
	static const char *const names[] = {"name", "value", "unit",
	                                    "standard_error_ns", "source"};
	double rms = sqrt(fit->sum_of_squares / (double)fit->n) / 1000;

	out_begin(o, names, ARRAY_LEN(names));
	for (size_t k = 0; k < fit->names->n; k++) {
		char *value = xasprintf("%.3f", fit->value[k] / 1000);
		char *source = xasprintf("fitted to %zu medians, which are off "
		                         "by %.3g ns (rms)",
		                         fit->n, rms);

		out_text(o, sim_options[fit->names->param[k]].name);
		out_text(o, value);
		out_text(o, "ns");
		out_double(o, error_ps(fit, k) / 1000);
		out_text(o, source);
		free(source);
		free(value);
	}
}

void
latency_fit(struct out *o, struct table *t, const struct fit_names *names,
            const struct latency_options *options,
            const struct link_options *link)
{
	struct fit fit = {.names = names};
	struct sim_params host = {.profile = NULL};

	latency_host(options, link, &host);
	read_rows(&fit, t, options, link, &host);
	for (size_t k = 0; k < names->n; k++)
		fit.value[k] = (double)host.number[names->param[k]];
	fit.slope = xcalloc(fit.n * names->n, sizeof *fit.slope);
	fit.rest = xcalloc(fit.n, sizeof *fit.rest);
	for (size_t i = 0; i < ROUNDS_MAX && improve(&fit) > 0; i++)
		;
	write_profile(o, &fit);
	free(fit.slope);
	free(fit.rest);
	free(fit.row);
	sim_params_free(&host);
}
