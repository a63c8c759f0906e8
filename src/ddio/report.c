/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the metrics. */
#include "ddio/report.h"

#include "common/stream/header.h"
#include "ddio/metrics.h"

/* Numbers of metrics left out, by reason. */
struct left_out {
	size_t missing, untimed;
};

static void
begin(const struct input *in, char *const name[], size_t ncols, struct out *o)
{
	struct header h = {0};

	for (size_t i = 0; i < ncols; i++) {
		if (is_common(name[i]))
			header_add(&h, xstrdup(name[i]));
	}
	header_add(&h, xstrdup("unit"));
	header_add(&h, xstrdup("part"));
	header_add(&h, xstrdup("metric"));
	if (in->has_time)
		header_add(&h, xstrdup("time_ns"));
	header_add(&h, xstrdup("value"));
	header_add(&h, xstrdup("flags"));
	header_write(&h, o);
}

static void
write_result(const struct input *in, size_t aggregate, char *const name[],
             size_t ncols, const char *metric,
             const struct metric_value *result, struct out *o)
{
	const struct key *key = &in->counts.keys.key[aggregate];
	char flags[METRIC_FLAGS_MAX];

	for (size_t i = 0; i < ncols; i++) {
		if (is_common(name[i]))
			out_text(o, key_find(key, i));
	}
	out_text(o, key_find(key, UNIT_COL));
	out_text(o, key_find(key, PART_COL));
	out_text(o, metric);
	if (in->has_time)
		out_text(o, key_find(key, TIME_COL));
	metric_flags_print(result->flags, flags);
	out_double(o, result->value);
	out_text(o, flags);
}

static void
warn_left_out(const struct input *in, const struct left_out *left)
{
	if (in->unknown)
		warn("%ju row%s of events that no metric uses, such as %s, %s "
		     "skipped",
		     in->unknown, in->unknown == 1 ? "" : "s", in->example,
		     in->unknown == 1 ? "was" : "were");
	if (in->unsupported)
		warn("%ju count%s left out: not supported by the machine",
		     in->unsupported, in->unsupported == 1 ? "" : "s");
	if (in->repeated)
		warn("%ju count%s left out: their events were already counted, "
		     "in another group",
		     in->repeated, in->repeated == 1 ? "" : "s");
	if (left->missing)
		warn("%zu metric%s left out: a counter it needs never ran",
		     left->missing, left->missing == 1 ? "" : "s");
	if (left->untimed)
		warn("%zu metric%s left out: the counting time is unknown "
		     "(give it with -t)",
		     left->untimed, left->untimed == 1 ? "" : "s");
}

void
report(const struct input *in, char *const name[], size_t ncols,
       double duration, struct out *o)
{
	struct left_out left = {0};

	begin(in, name, ncols, o);
	for (size_t aggregate = 0; aggregate < in->counts.keys.n; aggregate++) {
		for (size_t i = 0; i < nmetrics; i++) {
			struct metric_value result = {0};
			enum metric_outcome outcome =
			    metric_compute(&metrics[i], &in->counts, aggregate,
			                   duration, &result);

			left.missing += outcome == METRIC_MISSING;
			left.untimed += outcome == METRIC_UNTIMED;
			if (outcome == METRIC_GIVEN)
				write_result(in, aggregate, name, ncols,
				             metrics[i].name, &result, o);
		}
	}
	warn_left_out(in, &left);
}
