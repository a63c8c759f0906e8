/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws one model curve for all sweeps that share it. */
#include "plot/kind/model_curves.h"

#include "common/link/model.h"

#include <stdlib.h>
#include <string.h>

static const char accounting[] = "model_accounting";

/* Whether the two agree at every common x. */
static bool
agree(const struct curve *a, const struct curve *b)
{
	size_t i = 0;
	size_t k = 0;

	while (i < a->n && k < b->n) {
		if (a->point[i].x < b->point[k].x)
			i++;
		else if (a->point[i].x > b->point[k].x)
			k++;
		else if (a->point[i].y != b->point[k++].y)
			return false;
	}
	return true;
}

static bool
same_cell(const struct table *t, const char *column, const struct key *a,
          const struct key *b)
{
	ptrdiff_t col = table_find(t, column);

	return col < 0 ||
	       !strcmp(key_find(a, (size_t)col), key_find(b, (size_t)col));
}

/* A sweep's kind is not the model's; the accounting is its name. */
static bool
is_of_model(const char *column)
{
	return strcmp(column, "kind") != 0 && strcmp(column, accounting) != 0;
}

/* The cells that both keys have in common. */
static struct key
common_key(const struct table *t, const struct key *a, const struct key *b)
{
	struct key key = {0};

	for (size_t col = 0; col < t->ncols; col++) {
		const char *text = key_find(a, col);

		if (*text && !strcmp(text, key_find(b, col)) &&
		    is_of_model(t->name[col]))
			key_append(&key, col, text);
	}
	return key;
}

static struct model *
find(const struct models *models, const struct table *t, const struct key *key,
     const struct curve *expected)
{
	for (size_t i = 0; i < models->n; i++) {
		struct model *m = &models->model[i];

		if (same_cell(t, "link", m->of, key) &&
		    same_cell(t, "bench", m->of, key) &&
		    same_cell(t, accounting, m->of, key) &&
		    agree(&m->curve, expected))
			return m;
	}
	return NULL;
}

static struct model *
add(struct models *models, const struct table *t, const struct key *key)
{
	struct model *m;

	models->model = xreallocarray(models->model, models->n + 1, sizeof *m);
	m = &models->model[models->n++];
	*m = (struct model){.key = common_key(t, key, key),
	                    .of = key,
	                    .first = models->sweeps - 1};
	return m;
}

/* Adds points at new x to the curve. */
static void
merge(struct curve *into, const struct curve *from)
{
	size_t before = into->n;
	size_t k = 0;

	for (size_t i = 0; i < from->n; i++) {
		double x = from->point[i].x;

		while (k < before && into->point[k].x < x)
			k++;
		if ((k < before && into->point[k].x == x) ||
		    (i && from->point[i - 1].x == x))
			continue;
		curve_add(into, x, from->point[i].y);
	}
	curve_sort(into);
}

void
models_add(struct models *models, const struct table *t, const struct key *key,
           const struct curve *expected)
{
	struct model *m = find(models, t, key, expected);
	struct key common;

	models->sweeps++;
	if (!expected->n)
		return;
	if (!m)
		m = add(models, t, key);
	common = common_key(t, &m->key, key);
	free(m->key.bytes);
	m->key = common;
	m->n++;
	merge(&m->curve, expected);
}

const char *
model_name(const struct table *t, const struct model *model)
{
	ptrdiff_t col = table_find(t, accounting);
	const char *how = col < 0 ? "" : key_find(model->of, (size_t)col);

	return !strcmp(how, accounting_names[ACCOUNTING_TRAFFIC])
	           ? "limit of the link"
	       : *how ? how
	              : "model";
}

void
models_free(struct models *models)
{
	for (size_t i = 0; i < models->n; i++) {
		free(models->model[i].key.bytes);
		free(models->model[i].curve.point);
	}
	free(models->model);
	*models = (struct models){0};
}
