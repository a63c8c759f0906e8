/* Cumulative distributions: a curve for each group of samples. */
#include "plot/describe.h"
#include "plot/kind.h"
#include "plot/samples.h"
#include "plot/steps.h"

static void
draw(struct picture *p, struct table *t)
{
	struct samples s = {0};
	struct names names;

	read_samples(&s, t);
	names = names_of(t, &s.groups.keys);
	names_describe(&names, p, "Latency");
	axis_of_samples(p, &s.groups, true);
	axis_percent(&p->y, "samples at or below (%)");
	add_curves(p, &s.groups, &names, STEPS_BELOW);
	names_free(&names);
	samples_free(&s);
}

const struct kind kind_cdf = {
    .name = "cdf",
    .help = "how many of the samples are at or below a latency",
    .draw = draw,
};
