/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/stream/openmetrics.h"

#include "common/base/number.h"
#include "common/stream/column_role.h"

void
openmetrics_label(FILE *to, const char *text)
{
	putc('"', to);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', to);
		/* The only control character that has a meaning in a cell. */
		if (*text == '\n')
			fputs("\\n", to);
		else
			putc(*text, to);
	}
	putc('"', to);
}

/* The labels of a row; nothing if it has no key columns. */
static void
print_labels(char *const name[], size_t ncols, char *const cell[])
{
	const char *before = "{";

	for (size_t i = 0; i < ncols; i++) {
		if (!is_identity(name[i]) || !*cell[i])
			continue;
		printf("%s%s=", before, name[i]);
		openmetrics_label(stdout, cell[i]);
		before = ",";
	}
	if (*before == ',')
		putchar('}');
}

static void
print_gauge(char *const name[], size_t ncols, char *const cell[],
            uintmax_t rows, size_t column)
{
	double value;

	printf("# TYPE pcb_%s gauge\n", name[column]);
	for (uintmax_t r = 0; r < rows; r++) {
		char *const *row = cell + r * ncols;

		if (!*row[column] || parse_number(row[column], &value))
			continue;
		printf("pcb_%s", name[column]);
		print_labels(name, ncols, row);
		printf(" %s\n", row[column]);
	}
}

void
openmetrics_print(char *const name[], size_t ncols, char *const cell[],
                  uintmax_t rows)
{
	for (size_t i = 0; i < ncols; i++) {
		if (!is_identity(name[i]))
			print_gauge(name, ncols, cell, rows, i);
	}
	puts("# EOF");
}
