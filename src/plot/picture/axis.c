/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses unit, range and tics of an axis. */
#include "plot/picture/axis.h"

#include "common/base/util.h"

#include <float.h>
#include <math.h>

/* Larger numbers have an exponent. */
#define WHOLE_MOST 1e15

void
axis_tic(struct axis *a, double at, const char *label)
{
	array_push(a->tic, a->ntics, (struct tic){at, xstrdup(label)});
}

/* Whether to use the requested logarithm, which needs values above 0. */
static bool
wants_log(const struct axis *a, double low)
{
	if (a->wish.log && !(low > 0))
		die("--log: the axis has values of 0 or less");
	return a->wish.log;
}

/* Sets the range with margins; not empty even if `low` equals `high`. */
static void
set_range(struct axis *a, double low, double high)
{
	double margin = 0.03 * (high - low);

	if (a->wish.range) {
		a->min = a->wish.low / a->unit;
		a->max = a->wish.high / a->unit;
		return;
	}
	if (a->log) {
		margin = exp(0.03 * (log(high) - log(low)));
		if (high == low)
			margin = 2;
		a->min = fmax(low / margin, DBL_MIN);
		a->max = fmin(high * margin, DBL_MAX);
		return;
	}
	if (high == low)
		margin = high != 0 ? 0.1 * fabs(high) : 1;
	a->min = low - margin;
	a->max = high + margin;
}

/* Values ------------------------------------------------------------------ */

/* Chooses the largest unit in which `ns` is at least `least`. */
static void
choose_unit(struct axis *a, double ns, double least)
{
	static const struct {
		const char *name;
		double ns;
	} unit[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(unit) && ns >= least * unit[i + 1].ns)
		i++;
	a->unit = unit[i].ns;
	a->unit_name = unit[i].name;
}

char *
time_words(double ns)
{
	struct axis a = {0};

	choose_unit(&a, fabs(ns), 1);
	return xasprintf("%.4g %s", ns / a.unit, a.unit_name);
}

char *
number_words(double value, int digits)
{
	bool whole = fabs(value) >= pow(10, digits) && fabs(value) < WHOLE_MOST;

	return whole ? xasprintf("%.0f", value)
	             : xasprintf("%.*g", digits, value);
}

/* With decimals, unless there are too many. */
static void
add_number_tic(struct axis *a, double at)
{
	char label[24];
	int decimals = at < 1e-4 && at > 1e-10 ? -(int)floor(log10(at)) : 0;

	if (at < a->min || at > a->max)
		return;
	if (decimals)
		snprintf(label, sizeof label, "%.*f", decimals, at);
	else
		snprintf(label, sizeof label, "%.10g", at);
	axis_tic(a, at, label);
}

/* Round numbers at equal distances. */
static void
add_multiples(struct axis *a, double step, double end)
{
	double first = ceil(a->min / step);

	for (int i = 0; (first + i) * step <= end; i++)
		add_number_tic(a, (first + i) * step);
}

/* On a longer axis, minor tics would be a smear. */
#define MINOR_DECADES 5

/* 1, 2, 5, 10 if there is room for them, else powers of ten. */
static void
add_decades(struct axis *a, int room)
{
	int first = (int)floor(log10(a->min));
	int last = (int)ceil(log10(a->max));
	int every = 1 + (last - first - 1) / room;
	bool finer = 3 * (log10(a->max) - log10(a->min)) <= room;

	/* Less than a decade may have a single power of ten, or none. */
	if (a->max < 10 * a->min) {
		add_multiples(a, round_up((a->max - a->min) / fmin(room, 6)),
		              a->max);
		return;
	}
	for (int e = first + (every > 1); e <= last; e += every) {
		for (int i = 1; i < (every > 1 ? 2 : 10); i++) {
			double at = i * pow(10, e);

			if (i == 1 || (finer && (i == 2 || i == 5)))
				add_number_tic(a, at);
			else if (last - first <= MINOR_DECADES &&
			         at >= a->min && at <= a->max)
				axis_tic(a, at, "");
		}
	}
}

void
axis_values(struct axis *a, const char *name, const char *unit, double low,
            double high, double linear_to, unsigned room)
{
	bool time = !strcmp(unit, "ns");

	if (a->wish.range) {
		low = a->wish.low;
		high = a->wish.high;
	} else if (time && high - low < TICKS_LEAST * a->tick) {
		low = fmax(0, (low + high - TICKS_LEAST * a->tick) / 2);
		high = low + TICKS_LEAST * a->tick;
	}
	a->log = wants_log(a, low) || (low > 0 && high > linear_to) ? 10 : 0;
	a->unit = 1;
	a->unit_name = unit;
	if (time)
		choose_unit(
		    a, a->log ? sqrt(low) * sqrt(high) : fmax(fabs(low), high),
		    10);
	a->label =
	    *unit ? xasprintf("%s (%s)", name, a->unit_name) : xstrdup(name);
	set_range(a, low / a->unit, high / a->unit);
	if (a->log)
		add_decades(a, (int)room);
}

/* With a longer tail there is no room for decades. */
#define LONGEST_TAIL 1e12

/* Decades behind the body; its end has a line, not a number. */
static void
add_tail_tics(struct axis *a, double room)
{
	struct axis tail = {.min = a->body, .max = a->max};

	/* The first number must not touch the last one of the body. */
	tail.min *= pow(a->max / a->body, 0.5 / fmax(room, 1));
	add_decades(&tail, (int)fmax(room, 1));
	for (size_t i = 0; i < tail.ntics; i++) {
		double at = tail.tic[i].at;
		char *words = time_words(at * a->unit);

		axis_tic(a, at, *tail.tic[i].label ? words : "");
		free(words);
	}
	axis_free(&tail);
}

void
axis_long_tail(struct axis *a, const char *name, double low, double body,
               double high, unsigned room)
{
	double ten = pow(10, floor(log10(body)) - 1), step;
	char *words;

	if (a->wish.range || a->wish.log || high / body > LONGEST_TAIL) {
		axis_values(a, name, "ns", low, high, LOG_FROM * body, room);
		return;
	}
	body = ten * ceil(body / ten);
	choose_unit(a, body, 10);
	a->min = (low - 0.03 * (body - low)) / a->unit;
	a->body = body / a->unit;
	a->max = a->body * pow(fmax(high / body, 1.1), 1.05);
	words = time_words(body);
	a->label = xasprintf("%s (%s), logarithmic from %s on", name,
	                     a->unit_name, words);
	free(words);
	step = round_up((a->body - a->min) / fmax(BODY_PART * room, 1));
	add_multiples(a, step, a->body - step / 2);
	add_tail_tics(a, (1 - BODY_PART) * room);
}

/* Sizes ------------------------------------------------------------------- */

/* Whether the middle size is nearer to a doubling than to equal steps. */
static bool
doubles(const struct plot_point *size, size_t n)
{
	double low = size[0].x;
	double high = size[n - 1].x;
	double middle = (size[(n - 1) / 2].x + size[n / 2].x) / 2;

	if (low <= 0 || high < 2 * low)
		return false;
	return n == 2 || 2 * middle < sqrt(low) * sqrt(high) + (low + high) / 2;
}

void
axis_size_tic(struct axis *a, double at, double bytes, bool in_k)
{
	static const char suffix[] = {'\0', 'K', 'M', 'G', 'T', 'P', 'E'};
	char label[24];
	size_t i = 0;

	for (; in_k && bytes >= 1024 && i + 1 < sizeof suffix; i++)
		bytes /= 1024;
	snprintf(label, sizeof label, "%.10g%c", bytes, suffix[i]);
	axis_tic(a, at, label);
}

void
axis_bytes(struct axis *a, const char *name, const struct plot_point *size,
           size_t n, unsigned room)
{
	double low = n ? size[0].x : 0, high = n ? size[n - 1].x : 0;
	bool in_k;

	if (a->wish.range) {
		low = a->wish.low;
		high = a->wish.high;
	}
	a->label = xasprintf("%s (bytes)", name);
	a->unit = 1;
	a->log = (n && wants_log(a, low)) || (n && low > 0 && doubles(size, n))
	             ? 2
	             : 0;
	set_range(a, low, high);
	in_k = a->max > 16384;
	if (a->log) {
		int first = (int)ceil(log2(a->min));
		int last = (int)floor(log2(a->max));
		int every = 1 + (last - first) / (int)room;

		for (int e = first; e <= last; e += every)
			axis_size_tic(a, ldexp(1, e), ldexp(1, e), in_k);
	} else if (n > 1) {
		/* Multiples of a power of two. */
		double step = exp2(ceil(log2((a->max - a->min) / room)));
		double first = ceil(a->min / step) * step + 0.0; /* no -0 */
		int more = (int)((a->max - first) / step);

		for (int i = 0; i <= more; i++)
			axis_size_tic(a, first + i * step, first + i * step,
			              in_k);
	} else if (n) {
		axis_size_tic(a, size[0].x, size[0].x, in_k);
	}
}

/* Others ------------------------------------------------------------------ */

void
axis_from_zero(struct axis *a, const char *name, const char *unit, double low,
               double high, unsigned room)
{
	axis_values(a, name, unit, low, high, INFINITY, room);
	if (a->wish.range || a->wish.log || low < 0)
		return;
	a->min = 0;
	a->max = high > 0 ? 1.08 * high / a->unit : 1;
}

void
axis_percent(struct axis *a, const char *label)
{
	a->label = xstrdup(label);
	a->unit = 1;
	if (a->wish.log)
		die("--log y: pct has such an axis");
	if (a->wish.range) {
		set_range(a, 0, 100);
		return;
	}
	a->max = 101;
	a->step = 20;
}

double
round_up(double step)
{
	double ten = pow(10, floor(log10(step)));

	return step <= ten       ? ten
	       : step <= 2 * ten ? 2 * ten
	       : step <= 5 * ten ? 5 * ten
	                         : 10 * ten;
}

void
axis_few_tics(struct axis *a, unsigned room)
{
	if (!a->log)
		a->step = round_up((a->max - a->min) / room);
}

double
axis_position(const struct axis *a, double value)
{
	value /= a->unit;
	if (a->body > 0 && value > a->body)
		return BODY_PART + (1 - BODY_PART) * log(value / a->body) /
		                       log(a->max / a->body);
	if (a->body > 0)
		return BODY_PART * (value - a->min) / (a->body - a->min);
	if (a->log)
		return (log(value) - log(a->min)) / (log(a->max) - log(a->min));
	return (value - a->min) / (a->max - a->min);
}

void
axis_free(struct axis *a)
{
	free(a->label);
	for (size_t i = 0; i < a->ntics; i++)
		free(a->tic[i].label);
	free(a->tic);
	for (size_t i = 0; i < a->ncells; i++)
		free(a->cell[i]);
	free(a->cell);
	*a = (struct axis){0};
}
