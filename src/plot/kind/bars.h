/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bars and points in named rows, in one or several panels. */
#ifndef PCB_PLOT_KIND_BARS_H
#define PCB_PLOT_KIND_BARS_H

#include "plot/picture/drawing.h"

/* The part of a row's height that bars take. */
#define STROKE 0.6

/* Rows are numbered from 1 in each panel, downwards; panels from 1. */
struct bars {
	struct bar {
		size_t panel, key;          /* index of its key */
		double row, from, to, half; /* of its height, at most 0.5 */
		char *tip;
	} * bar;
	size_t n;
	struct say {
		double panel, row, x;
		char *text;
		double tone;  /* of enum tone */
		bool besides; /* the row of a name has bars */
	} * name, *say;       /* of rows, at the left; beside a value */
	size_t nnames, nsays;
	struct bars_key {
		char *name; /* NULL: that of the one before */
		double hue;
		char *sign;   /* in a text */
		double shape; /* as below, or that of a point */
		double size;  /* of a point */
	} * key;
	size_t nkeys;
	struct bars_panel {
		const char *label, *unit;
		struct range range; /* to show: beyond it, bars are cut */
		bool log;
		double most;       /* no tic above, or INFINITY */
		double scale;      /* of the unit; 0: chosen */
		double rows, bars; /* so far */
		double logs;       /* for put_bars, as is */
		struct scale axis; /* for put_bars */
	} * panel;
	size_t np;
	double line, band; /* a vertical line if `lined`, and a band around */
	bool lined;
};

enum { LINE = -2, INTERVAL, BAR, CROSS = 2, RING = 6, DOT };

/* Adds a panel, and a row to the last panel, whose number it returns. */
void bars_panel(struct bars *b, const char *label, const char *unit,
                struct range range);
double bars_row(struct bars *b, char *name);

/*
 * Draws in the last panel; a point at `from`. Of a bar with a tip, which may be
 * NULL, the pointer also says the name of the row, or of the one above that
 * has a name.
 */
void bars_bar(struct bars *b, double row, size_t key, double from, double to,
              double half, char *tip);
enum tone { PLAIN, RED, GREY };
void bars_say(struct bars *b, double row, double x, char *text, enum tone tone);

/*
 * Adds the key of bars or points, whose indices are in this order; the name is
 * shown if there are bars of several names.
 */
void bars_key(struct bars *b, const char *name, unsigned hue, char sign);
void bars_point(struct bars *b, const char *name, unsigned hue, char sign,
                int shape, double size);

/* A colour mixed with white: 0 to 1. */
unsigned paler(unsigned rgb, double white);

/* The colours of series, from 0. */
unsigned series_hue(size_t i);

/*
 * Sorts n ends of bars, and returns that of the axis: twice the longest of the
 * others, if one bar, or up to a tenth of them, are longer than the next one by
 * more than a factor of 50; else the longest, or 0.
 */
double usual_end(double end[], size_t n);

/* Notes how many bars, or points, are behind the end of the axis. */
void note_cut(struct picture *p, const char *column, double end, size_t cut,
              const char *what);

/* Writes all for the template bars, once. */
void put_bars(struct picture *p, struct bars *b);

#endif
