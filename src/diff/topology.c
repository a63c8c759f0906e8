/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the file of --links. */
#include "diff/topology.h"

#include "common/base/list.h"
#include "common/link/pcie.h"
#include "common/stream/columns.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[NTOPO_COLS] = {
    [TOPO_DEVICE] = "device", [TOPO_PARENT] = "parent",
    [TOPO_LINK] = "link",     [TOPO_DEVSEL] = "devsel",
    [TOPO_BENCH] = "bench",   [TOPO_SPLIT_OF] = "split_of",
};

static const char *const benches[] = {"", "lat_cfg", "lat_mmio"};

/* NULL, or why the text is refused. */
static const char *
check_cell(enum topo_col col, const char *text)
{
	struct link link;

	if (col == TOPO_LINK)
		return link_parse(text, &link);
	if (col == TOPO_DEVSEL &&
	    find_word(text, devsel_names, NDEVSELS) == NDEVSELS)
		return "not fast, medium or slow";
	if (col == TOPO_BENCH &&
	    find_word(text, benches, ARRAY_LEN(benches)) == ARRAY_LEN(benches))
		return "not lat_cfg or lat_mmio";
	return NULL;
}

static const struct topo_row *
find_row(const struct topology *y, const char *name)
{
	for (size_t i = 0; i < y->n; i++) {
		if (!strcmp(y->row[i].text[TOPO_DEVICE], name))
			return &y->row[i];
	}
	return NULL;
}

static char *
read_cell(const struct topology *y, const struct table *t, enum topo_col col)
{
	ptrdiff_t at = table_find(t, names[col]);
	const char *text = table_text(t, at);
	const char *why = check_cell(col, text);

	if (!why && col == TOPO_DEVICE && find_row(y, text))
		why = "a second row of it";
	if (why)
		table_refuse(t, (size_t)at, why);
	return xstrdup(text);
}

static void
take_row(struct topology *y, const struct table *t)
{
	struct topo_row row;

	need_column(t, names[TOPO_DEVICE]);
	for (size_t i = 0; i < NTOPO_COLS; i++)
		row.text[i] = read_cell(y, t, (enum topo_col)i);
	y->row = xreallocarray(y->row, y->n + 1, sizeof *y->row);
	y->row[y->n++] = row;
}

void
topology_read(struct topology *y, const char *file)
{
	char *const files[] = {(char *)file};
	struct table *t = table_open(files, 1);

	while (table_next(t))
		take_row(y, t);
	need_column(t, names[TOPO_DEVICE]);
	if (table_find(t, names[TOPO_LINK]) < 0)
		need_column(t, names[TOPO_PARENT]);
	for (size_t i = 0; i < NTOPO_COLS; i++)
		y->has[i] = table_find(t, names[i]) >= 0;
	y->given = true;
	table_close(t);
}

const char *
topology_text(const struct topology *y, const char *device, enum topo_col col)
{
	const struct topo_row *row = find_row(y, device);

	return row ? row->text[col] : "";
}

enum devsel
topology_devsel(const struct topology *y, const char *device)
{
	const char *word = topology_text(y, device, TOPO_DEVSEL);
	size_t devsel = find_word(word, devsel_names, NDEVSELS);

	return devsel ? (enum devsel)devsel : DEVSEL_SLOW;
}

void
topology_free(struct topology *y)
{
	for (size_t i = 0; i < y->n; i++) {
		for (size_t k = 0; k < NTOPO_COLS; k++)
			free(y->row[i].text[k]);
	}
	free(y->row);
	*y = (struct topology){0};
}
