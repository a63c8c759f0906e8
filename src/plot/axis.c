#include "plot/axis.h"

#include "common/util.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* What is more than this many times the typical value hides the rest. */
#define FAR 20

static void
add_tic(struct axis *a, double at, const char *label)
{
	a->tic = xreallocarray(a->tic, a->ntics + 1, sizeof *a->tic);
	a->tic[a->ntics].at = at;
	snprintf(a->tic[a->ntics].label, sizeof a->tic->label, "%s", label);
	a->ntics++;
}

/* From `low` to `high` and a little beyond; something even if they are one. */
static void
set_range(struct axis *a, double low, double high)
{
	double margin = 0.03 * (high - low);

	if (a->log) {
		margin = pow(high / low, 0.03);
		if (high == low)
			margin = 2;
		a->min = low / margin;
		a->max = high * margin;
		return;
	}
	if (high == low)
		margin = high != 0 ? 0.1 * fabs(high) : 1;
	a->min = low - margin;
	a->max = high + margin;
}

/* Times ------------------------------------------------------------------- */

static const char *
choose_unit(struct axis *a, double ns)
{
	static const struct {
		const char *name;
		double ns;
	} unit[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(unit) && ns >= 10 * unit[i + 1].ns)
		i++;
	a->unit = unit[i].ns;
	return unit[i].name;
}

static void
add_number_tic(struct axis *a, double at)
{
	char label[24];

	if (at < a->min || at > a->max)
		return;
	snprintf(label, sizeof label, "%.10g", at);
	add_tic(a, at, label);
}

/* 1, 2, 5, 10 where there is room for them, else powers of ten. */
static void
add_decades(struct axis *a, int room)
{
	int first = (int)floor(log10(a->min));
	int last = (int)ceil(log10(a->max));
	int every = 1 + (last - first) / room;
	bool finer = 3 * log10(a->max / a->min) <= room;

	for (int e = first; e <= last; e += every) {
		add_number_tic(a, pow(10, e));
		if (finer) {
			add_number_tic(a, 2 * pow(10, e));
			add_number_tic(a, 5 * pow(10, e));
		}
	}
}

void
axis_time(struct axis *a, const char *name, double low, double high,
          double typical, unsigned room)
{
	const char *unit;

	a->log = low > 0 && high > FAR * typical ? 10 : 0;
	unit = choose_unit(a, a->log ? sqrt(low) * sqrt(high) : high);
	a->label = xasprintf("%s (%s)", name, unit);
	set_range(a, low / a->unit, high / a->unit);
	if (a->log)
		add_decades(a, (int)room);
}

/* Sizes ------------------------------------------------------------------- */

/*
 * Whether the middle one of the sizes is nearer to where doubling leads than
 * to where equal steps lead.
 */
static bool
doubles(const struct point *size, size_t n)
{
	double low = size[0].x;
	double high = size[n - 1].x;
	double middle = (size[(n - 1) / 2].x + size[n / 2].x) / 2;

	if (low <= 0 || high < 2 * low)
		return false;
	return n == 2 || 2 * middle < sqrt(low) * sqrt(high) + (low + high) / 2;
}

static void
add_size_tic(struct axis *a, double bytes)
{
	static const char suffix[] = {'\0', 'K', 'M', 'G', 'T', 'P', 'E'};
	char label[24];
	size_t i = 0;

	for (; a->max > 16384 && bytes >= 1024 && i + 1 < sizeof suffix; i++)
		bytes /= 1024;
	snprintf(label, sizeof label, "%.10g%c", bytes, suffix[i]);
	add_tic(a, ldexp(bytes, (int)(10 * i)), label);
}

/* Tics at the powers of two. */
static void
add_powers(struct axis *a, int room)
{
	int first = (int)ceil(log2(a->min));
	int last = (int)floor(log2(a->max));
	int every = 1 + (last - first) / room;

	for (int e = first; e <= last; e += every)
		add_size_tic(a, ldexp(1, e));
}

/* Tics at the multiples of a power of two. */
static void
add_multiples(struct axis *a, int room)
{
	double step = exp2(ceil(log2((a->max - a->min) / room)));
	double first = ceil(a->min / step) * step + 0.0; /* no -0 */
	int more = (int)((a->max - first) / step);

	for (int i = 0; i <= more; i++)
		add_size_tic(a, first + i * step);
}

void
axis_bytes(struct axis *a, const char *name, const struct point *size, size_t n,
           unsigned room)
{
	a->label = xasprintf("%s (bytes)", name);
	a->unit = 1;
	a->log = n && doubles(size, n) ? 2 : 0;
	set_range(a, n ? size[0].x : 0, n ? size[n - 1].x : 0);
	if (a->log)
		add_powers(a, (int)room);
	else if (n > 1)
		add_multiples(a, (int)room);
	else if (n)
		add_size_tic(a, size[0].x);
}

/* Others ------------------------------------------------------------------ */

void
axis_from_zero(struct axis *a, const char *label, double high)
{
	a->label = xstrdup(label);
	a->unit = 1;
	a->max = high > 0 ? 1.08 * high : 1;
}

void
axis_percent(struct axis *a, const char *label)
{
	a->label = xstrdup(label);
	a->unit = 1;
	a->max = 100;
}

double
axis_position(const struct axis *a, double value)
{
	value /= a->unit;
	if (a->log)
		return log(value / a->min) / log(a->max / a->min);
	return (value - a->min) / (a->max - a->min);
}

void
axis_free(struct axis *a)
{
	free(a->label);
	free(a->tic);
	*a = (struct axis){0};
}
