/* Bandwidth against transfer size, and what the model expects. */
#include "plot/kind.h"
#include "plot/models.h"
#include "plot/sweeps.h"

#include <stdlib.h>
#include <string.h>

static const struct sweep_columns columns = {"size_bytes", "model_gbit_s"};

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
	for (size_t i = 0; i < s->n; i++) {
		const struct key *key = &s->keys.key[i];

		picture_take(
		    p, is_computed(names, key) ? STYLE_MODEL : STYLE_POINTS,
		    measured_name(names, key), &s->sweep[i].measured);
	}
}

static void
add_models(struct picture *p, const struct names *names, struct sweeps *s)
{
	struct models models = {0};

	for (size_t i = 0; i < s->n; i++)
		models_add(&models, names->t, &s->keys.key[i],
		           &s->sweep[i].expected);
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
	bool both_ways;

	sweeps_read(&s, t, &columns);
	names = names_of(t, &s.keys);
	names_describe(&names, p, "Bandwidth");
	add_measured(p, &names, &s);
	add_models(p, &names, &s);
	both_ways = !strcmp(names_constant(&names, "bench"), "bw_rdwr");
	sweeps_axes(p, "transfer size",
	            both_ways ? "bandwidth each way (Gbit/s)"
	                      : "bandwidth (Gbit/s)");
	names_free(&names);
	sweeps_free(&s);
}

const struct kind kind_bw = {
    .name = "bw",
    .help = "bandwidth against transfer size, with the model if it is there",
    .draw = draw,
};
