/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bars in named rows, in one or several panels: tree, ddio, link. */
#ifndef PCB_PLOT_KIND_BARS_H
#define PCB_PLOT_KIND_BARS_H

#include "plot/picture/drawing.h"

/* Parts of a row's height that bars and end marks of lines take. */
#define STROKE   0.6
#define END_MARK 0.3

/* Rows are numbered from 1 in each panel, downwards. */
struct bars {
	struct bar {
		size_t panel, row, key; /* index of its key */
		double from, to, half;  /* of its height, at most 0.5 */
	} * bar;
	size_t n;
	struct say {
		size_t panel, row;
		double x;
		char *text;
		bool alert; /* in red */
	} * name, *say;     /* of rows, at the left; beside a value */
	size_t nnames, nsays;
	struct bars_key {
		char *name; /* NULL: not in the key */
		unsigned hue;
		char sign; /* in a text */
	} * key;
	size_t nkeys;
	struct bars_panel {
		size_t rows, bars; /* so far */
		double low, high;  /* to show; the same for all: 0 */
		const char *label, *unit;
		double most;  /* no tic above, or INFINITY */
		double scale; /* of the unit; 0: chosen */
	} * panel;
	size_t np;
};

/* Adds a row to the last panel and returns its number. Takes the name. */
size_t bars_row(struct bars *b, char *name);

/* Draws in the last panel. bars_say takes the text. */
void bars_bar(struct bars *b, size_t row, size_t key, double from, double to,
              double half);
void bars_say(struct bars *b, size_t row, double x, char *text, bool alert);

/* Adds a key and returns its index; takes the name. */
size_t bars_key(struct bars *b, char *name, unsigned hue, char sign);

/* A colour mixed with white: 0 to 1. */
unsigned paler(unsigned rgb, double white);

/* The colours of series, from 0. */
unsigned series_hue(size_t i);

/* Writes all for the template bars, and frees it. Tips are in data units. */
void put_bars(struct picture *p, struct bars *b);

#endif
