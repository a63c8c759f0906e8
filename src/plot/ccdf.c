/* The tails of distributions: how many samples are above a latency. */
#include "plot/describe.h"
#include "plot/kind.h"
#include "plot/samples.h"
#include "plot/steps.h"

static uint64_t
most_samples(const struct groups *g)
{
	uint64_t most = 1;

	for (size_t i = 0; i < g->keys.n; i++) {
		if (g->dist[i].n > most)
			most = g->dist[i].n;
	}
	return most;
}

static void
draw(struct picture *p, struct table *t)
{
	struct samples s = {0};
	struct names names;

	read_samples(&s, t);
	names = names_of(t, &s.groups.keys);
	names_describe(&names, p, "Latency");
	axis_of_samples(p, &s.groups, false);
	axis_tail(&p->y, "samples above (%)",
	          100 / (double)most_samples(&s.groups), p->room_y);
	add_curves(p, &s.groups, &names, STEPS_ABOVE);
	names_free(&names);
	samples_free(&s);
}

const struct kind kind_ccdf = {
    .name = "ccdf",
    .help = "the tail: how many of the samples are above, on a log scale",
    .draw = draw,
};
