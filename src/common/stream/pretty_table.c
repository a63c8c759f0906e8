/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/stream/pretty_table.h"

#include "common/base/utf8.h"
#include "common/base/util.h"
#include "common/stream/column_role.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
print_padding(size_t n)
{
	while (n--)
		putchar(' ');
}

/* Where and how a column is shown. */
enum place { IN_TABLE, ABOVE, NOWHERE };

struct shown {
	enum place place;
	bool right;
	size_t width;
};

static struct shown
look_at(const char *name, size_t col, size_t ncols, char *const cell[],
        uintmax_t rows)
{
	struct shown s = {.right =
	                      !is_identity(name) || is_bare_statistic(name),
	                  .width = plain_width(name)};
	const char *first = rows ? cell[col] : "";
	bool constant = true;

	for (uintmax_t row = 0; row < rows; row++) {
		const char *text = cell[row * ncols + col];
		size_t width = plain_width(text);

		if (width > s.width)
			s.width = width;
		constant = constant && !strcmp(text, first);
	}
	if (rows && constant && !*first)
		s.place = NOWHERE;
	else if (rows && constant && is_identity(name) &&
	         !is_bare_statistic(name))
		s.place = ABOVE;
	return s;
}

static void
print_above(char *const name[], const struct shown *shown, size_t ncols,
            char *const cell[])
{
	size_t widest = 0;
	bool any = false;

	for (size_t i = 0; i < ncols; i++) {
		if (shown[i].place == ABOVE && plain_width(name[i]) > widest)
			widest = plain_width(name[i]);
	}
	for (size_t i = 0; i < ncols; i++) {
		if (shown[i].place != ABOVE)
			continue;
		print_plain(stdout, name[i]);
		print_padding(widest - plain_width(name[i]) + 2);
		print_plain(stdout, cell[i]);
		putchar('\n');
		any = true;
	}
	if (any)
		putchar('\n');
}

static void
print_line(const struct shown *shown, size_t ncols, char *const text[])
{
	size_t owed = 0; /* blanks, printed only before something */
	bool any = false;

	for (size_t i = 0; i < ncols; i++) {
		size_t blank = shown[i].width - plain_width(text[i]);

		if (shown[i].place != IN_TABLE)
			continue;
		if (shown[i].right)
			owed += blank;
		if (*text[i]) {
			print_padding(owed);
			print_plain(stdout, text[i]);
			owed = 0;
		}
		owed += 2 + (shown[i].right ? 0 : blank);
		any = true;
	}
	if (any)
		putchar('\n');
}

void
print_table(char *const name[], size_t ncols, char *const cell[],
            uintmax_t rows)
{
	struct shown *shown = xcalloc(ncols, sizeof *shown);

	for (size_t i = 0; i < ncols; i++)
		shown[i] = look_at(name[i], i, ncols, cell, rows);
	if (rows)
		print_above(name, shown, ncols, cell);
	print_line(shown, ncols, name);
	for (uintmax_t row = 0; row < rows; row++)
		print_line(shown, ncols, cell + row * ncols);
	free(shown);
}

void
round_for_table(char to[ROUNDED_MAX], double value)
{
	bool tiny = value != 0 && fabs(value) < 0.01;
	bool huge = fabs(value) >= 1e15;

	snprintf(to, ROUNDED_MAX, tiny || huge ? "%.4g" : "%.3f", value);
}
