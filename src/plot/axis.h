/* An axis: which part of the numbers it shows, in which unit, with which tics.
 */
#ifndef PCB_PLOT_AXIS_H
#define PCB_PLOT_AXIS_H

#include <stddef.h>
#include <stdint.h>

struct point {
	double x, y;
};

struct tic {
	double at; /* in the axis's unit */
	char label[24];
};

/*
 * Zero-initialise, then one of the functions below, `room` being how many
 * tics have room, at least 1; release with axis_free.
 * What is drawn at v / unit lies within min and max.
 */
struct axis {
	char *label;
	double unit;     /* 1 on a vertical axis */
	double min, max; /* min < max; min > 0 if logarithmic */
	unsigned log;    /* the base of the logarithm, or 0 */
	struct tic *tic; /* none: gnuplot's own */
	size_t ntics;
};

/*
 * For times from `low` to `high` ns: in ns, us, ms or s, logarithmic if
 * `high` is over 20 times `typical`. The label is "NAME (UNIT)".
 */
void axis_time(struct axis *a, const char *name, double low, double high,
               double typical, unsigned room);

/*
 * For sizes in bytes: the x of n points, ascending and different.
 * Logarithmic to the base 2 where they double rather than go up in equal
 * steps. The label is "NAME (bytes)".
 */
void axis_bytes(struct axis *a, const char *name, const struct point *size,
                size_t n, unsigned room);

/* From 0 to `high`, with some air above it unless it is the limit. */
void axis_from_zero(struct axis *a, const char *label, double high);
void axis_percent(struct axis *a, const char *label);

/* How far along the axis a value is drawn, from 0 to 1. */
double axis_position(const struct axis *a, double value);

void axis_free(struct axis *a);

#endif
