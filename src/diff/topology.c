/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/topology.h"

#include "common/base/list.h"
#include "common/base/utf8.h"
#include "common/link/pcie.h"
#include "common/stream/columns.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[NTOLD] = {
    [TOLD_DEVICE] = "device", [TOLD_PARENT] = "parent",
    [TOLD_LINK] = "link",     [TOLD_DEVSEL] = "devsel",
    [TOLD_BENCH] = "bench",   [TOLD_SPLIT_OF] = "split_of",
};

static const char *const benches[] = {"", "lat_cfg", "lat_mmio"};

/* NULL, or why the text is refused. */
static const char *
check(enum told told, const char *text)
{
	struct link link;

	if (told == TOLD_LINK)
		return link_parse(text, &link);
	if (told == TOLD_DEVSEL &&
	    find_word(text, devsel_names, NDEVSELS) == NDEVSELS)
		return "not fast, medium or slow";
	if (told == TOLD_BENCH &&
	    find_word(text, benches, ARRAY_LEN(benches)) == ARRAY_LEN(benches))
		return "not lat_cfg or lat_mmio";
	return NULL;
}

static const struct told_device *
find_device(const struct topology *y, const char *name)
{
	for (size_t i = 0; i < y->n; i++) {
		if (!strcmp(y->device[i].text[TOLD_DEVICE], name))
			return &y->device[i];
	}
	return NULL;
}

static char *
read_cell(const struct topology *y, const struct table *t, enum told told)
{
	ptrdiff_t col = table_find(t, names[told]);
	const char *text = table_text(t, col);
	const char *why = check(told, text);

	if (!why && told == TOLD_DEVICE && find_device(y, text))
		why = "a second row of it";
	if (why)
		table_refuse(t, (size_t)col, why);
	return xstrdup(text);
}

static void
take_row(struct topology *y, const struct table *t)
{
	struct told_device d;

	need_column(t, names[TOLD_DEVICE]);
	for (size_t i = 0; i < NTOLD; i++)
		d.text[i] = read_cell(y, t, (enum told)i);
	array_push(y->device, y->n, d);
}

void
topology_read(struct topology *y, char *file)
{
	struct table *t = table_open(&file, 1);

	while (table_next(t))
		take_row(y, t);
	need_column(t, names[TOLD_DEVICE]);
	if (table_find(t, names[TOLD_LINK]) < 0)
		need_column(t, names[TOLD_PARENT]);
	for (size_t i = 0; i < NTOLD; i++)
		y->has[i] = table_find(t, names[i]) >= 0;
	y->given = true;
	table_close(t);
}

const char *
topology_text(const struct topology *y, const char *device, enum told told)
{
	const struct told_device *d = find_device(y, device);

	return d ? d->text[told] : "";
}

enum devsel
topology_devsel(const struct topology *y, const char *device)
{
	const char *word = topology_text(y, device, TOLD_DEVSEL);
	size_t devsel = find_word(word, devsel_names, NDEVSELS);

	return devsel ? (enum devsel)devsel : DEVSEL_SLOW;
}

void
topology_free(struct topology *y)
{
	for (size_t i = 0; i < y->n; i++) {
		for (size_t k = 0; k < NTOLD; k++)
			free(y->device[i].text[k]);
	}
	free(y->device);
	*y = (struct topology){0};
}
