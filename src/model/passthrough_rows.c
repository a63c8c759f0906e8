/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores rows of the input until the added columns are known. */
#include "model/passthrough_rows.h"

#include "common/base/list.h"
#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

static void
keep_text(struct passthrough *k, const char *text)
{
	size_t length = strlen(text) + 1;

	if (k->size - k->used < length) {
		k->size = 2 * (k->size + length);
		k->text = xreallocarray(k->text, k->size, 1);
	}
	memcpy(k->text + k->used, text, length);
	k->used += length;
}

size_t
passthrough_add(struct passthrough *k, const struct table *t)
{
	if (k->n == k->max) {
		k->max = 2 * k->max + 64;
		k->row = xreallocarray(k->row, k->max, sizeof *k->row);
	}
	k->row[k->n] = (struct passthrough_row){k->used, t->ncols};
	for (size_t i = 0; i < t->ncols; i++)
		keep_text(k, t->field[i]);
	return k->n++;
}

static bool
is_added(const struct passthrough *k, const char *name)
{
	return find_word(name, k->added, k->nadded) < k->nadded;
}

void
passthrough_begin(struct passthrough *k, struct out *o, const struct table *t,
                  const char *const added[], size_t nadded)
{
	const char **name =
	    xreallocarray(NULL, t->ncols + nadded, sizeof *name);
	size_t n = 0;

	k->added = added;
	k->nadded = nadded;
	for (size_t i = 0; i < t->ncols; i++) {
		if (!is_added(k, t->name[i]))
			name[n++] = t->name[i];
	}
	for (size_t i = 0; i < nadded; i++)
		name[n++] = added[i];
	out_begin(o, name, n);
	free(name);
}

void
passthrough_write(const struct passthrough *k, struct out *o,
                  const struct table *t, size_t index)
{
	const struct passthrough_row *row = &k->row[index];
	const char *text = k->text + row->at;

	for (size_t i = 0; i < t->ncols; i++) {
		if (!is_added(k, t->name[i]))
			out_text(o, i < row->ncols ? text : "");
		if (i < row->ncols)
			text += strlen(text) + 1;
	}
}

void
passthrough_free(struct passthrough *k)
{
	free(k->row);
	free(k->text);
	*k = (struct passthrough){0};
}
