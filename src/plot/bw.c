/* Bandwidth against transfer size, and what the model expects. */
#include "common/names.h"
#include "plot/describe.h"
#include "plot/kind.h"
#include "plot/models.h"
#include "plot/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char size_column[] = "size_bytes";
static const char measured_column[] = "median_gbit_s";
static const char other_column[] = "bandwidth_gbit_s";
static const char model_column[] = "model_gbit_s";

/* Rows that differ in nothing but size. */
struct sweep {
	struct curve measured, model;
};

struct sweeps {
	struct keys keys;
	struct sweep *sweep; /* for each of them */
	size_t n;
};

static bool
has(const struct table *t, const char *name)
{
	ptrdiff_t col = table_find(t, name);

	return col >= 0 && *t->field[col];
}

static double
number(const struct table *t, const char *name)
{
	return row_value(t, (size_t)table_find(t, name));
}

static struct sweep *
find_sweep(struct sweeps *s, const struct key *key)
{
	size_t i = keys_number(&s->keys, key);

	if (i == s->n) {
		s->sweep = xreallocarray(s->sweep, ++s->n, sizeof *s->sweep);
		s->sweep[s->n - 1] = (struct sweep){0};
	}
	return &s->sweep[i];
}

static void
take_row(const struct table *t, struct sweeps *s, const struct key *key,
         const char *column)
{
	struct sweep *sweep = find_sweep(s, key);
	double size = row_size(t, (size_t)table_find(t, size_column));

	curve_add(&sweep->measured, size, number(t, column));
	if (has(t, model_column))
		curve_add(&sweep->model, size, number(t, model_column));
}

static void
read_sweeps(struct table *t, struct sweeps *s)
{
	struct identity id = {.except = size_column};
	struct key key = {0};
	uintmax_t skipped = 0;

	while (table_next(t)) {
		const char *column =
		    has(t, measured_column) ? measured_column : other_column;

		if (!has(t, size_column) || !has(t, column)) {
			skipped++;
			continue;
		}
		identity_key(&id, t, &key);
		take_row(t, s, &key, column);
	}
	need_column(t, size_column);
	if (table_find(t, measured_column) < 0)
		need_column(t, other_column);
	warn_skipped(skipped, "a size or a bandwidth");
	for (size_t i = 0; i < s->n; i++) {
		curve_sort(&s->sweep[i].measured);
		curve_sort(&s->sweep[i].model);
	}
	free(id.col);
	free(key.bytes);
}

static void
free_sweeps(struct sweeps *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->sweep[i].measured.point);
		free(s->sweep[i].model.point);
	}
	free(s->sweep);
	keys_free(&s->keys);
}

/* Axes: every size there is, and bandwidth from 0. */
static void
choose_axes(struct picture *p, const struct names *names)
{
	bool both_ways = !strcmp(names_constant(names, "bench"), "bw_rdwr");
	struct curve all = {0};
	double high = 0;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->curve[i].n; k++) {
			curve_add(&all, p->curve[i].point[k].x, 0);
			high = fmax(high, p->curve[i].point[k].y);
		}
	}
	curve_sort(&all);
	for (size_t i = 0; i < all.n; i++) {
		if (!n || all.point[i].x != all.point[n - 1].x)
			all.point[n++] = all.point[i];
	}
	axis_bytes(&p->x, "transfer size", all.point, n, p->room);
	axis_from_zero(&p->y,
	               both_ways ? "bandwidth each way (Gbit/s)"
	                         : "bandwidth (Gbit/s)",
	               high);
	free(all.point);
}

/* A sweep that nothing else tells apart is named after its kind. */
static char *
measured_name(const struct names *names, const struct key *key)
{
	char *name = names_legend(names, key);
	const char *kind = names_constant(names, "kind");

	if (*name)
		return name;
	free(name);
	return xstrdup(*kind ? kind : "measured");
}

static void
add_measured(struct picture *p, const struct names *names, struct sweeps *s)
{
	ptrdiff_t kind = table_find(names->t, "kind");

	for (size_t i = 0; i < s->n; i++) {
		const struct key *key = &s->keys.key[i];
		bool computed =
		    kind >= 0 && !strcmp(key_find(key, (size_t)kind), "model");

		picture_take(p, computed ? STYLE_MODEL : STYLE_POINTS,
		             measured_name(names, key), &s->sweep[i].measured);
	}
}

static void
add_models(struct picture *p, const struct names *names, struct sweeps *s)
{
	struct models models = {0};

	for (size_t i = 0; i < s->n; i++)
		models_add(&models, names->t, &s->keys.key[i],
		           &s->sweep[i].model);
	for (size_t i = 0; i < models.n; i++) {
		struct model *m = &models.model[i];
		char *rest = names_legend(names, &m->key);
		char *name = xasprintf("model%s%s", *rest ? ", " : "", rest);
		struct curve *c = picture_take(p, STYLE_MODEL, name, &m->curve);

		c->colour = m->n == 1 && s->n > 1 ? m->first : COLOUR_NONE;
		free(rest);
	}
	models_free(&models);
}

static void
draw(struct picture *p, struct table *t)
{
	struct sweeps s = {0};
	struct names names;

	read_sweeps(t, &s);
	names = names_of(t, &s.keys);
	names_describe(&names, p, "Bandwidth");
	add_measured(p, &names, &s);
	add_models(p, &names, &s);
	choose_axes(p, &names);
	names_free(&names);
	free_sweeps(&s);
}

const struct kind kind_bw = {
    .name = "bw",
    .help = "bandwidth against transfer size, with the model if it is there",
    .draw = draw,
};
