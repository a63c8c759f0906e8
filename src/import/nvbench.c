/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON of NVBench, NVIDIA's framework for benchmarks of kernels: times of
 * kernels, and the bandwidth of the GPU's own memory, not of a link.
 */
#include "import/text.h"

#include "common/base/number.h"

/* Summaries of a state, by their tag. Times are in seconds. */
static const struct text_column summaries[] = {
    {"nv/cold/sample_size", "n", COUNT},
    {"nv/cold/time/gpu/min", "min_ns", "s"},
    {"nv/cold/time/gpu/mean", "mean_ns", "s"},
    {"nv/cold/time/gpu/median", "median_ns", "s"},
    {"nv/cold/time/gpu/max", "max_ns", "s"},
    {"nv/cold/time/gpu/stdev/absolute", "stddev_ns", "s"},
    {"nv/cpu_only/sample_size", "n", COUNT},
    {"nv/cpu_only/time/cpu/min", "min_ns", "s"},
    {"nv/cpu_only/time/cpu/mean", "mean_ns", "s"},
    {"nv/cpu_only/time/cpu/max", "max_ns", "s"},
    {"nv/cpu_only/time/cpu/stdev/absolute", "stddev_ns", "s"},
    {"nv/cold/bw/global/bytes_per_second", "bandwidth_gbit_s", "B/s"},
};

/* The value of a summary, a number or its text; false without one. */
static bool
value_of(const json_t *summary, char text[NUMBER_MAX])
{
	const json_t *data = json_object_get(summary, "data");

	for (size_t i = 0; i < json_array_size(data); i++) {
		const json_t *item = json_array_get(data, i);
		const char *name =
		    json_string_value(json_object_get(item, "name"));
		const json_t *value = json_object_get(item, "value");

		if (!name || strcmp(name, "value") != 0)
			continue;
		if (json_is_string(value))
			snprintf(text, NUMBER_MAX, "%s",
			         json_string_value(value));
		else
			*print_double(text, json_number_value(value)) = '\0';
		return true;
	}
	return false;
}

static void
take_state(struct text *t, const char *bench, const json_t *state)
{
	const json_t *all = json_object_get(state, "summaries");
	const json_t *device = json_object_get(state, "device");
	const char *axes = json_string_value(json_object_get(state, "name"));
	char text[NUMBER_MAX], gpu[32] = "";
	bool any = false;

	if (json_is_true(json_object_get(state, "is_skipped")))
		return;
	if (json_is_integer(device))
		snprintf(gpu, sizeof gpu, "gpu%lld",
		         (long long)json_integer_value(device));
	text_row(t, "nvbench", gpu);
	text_set(t, "test", bench);
	text_set(t, "axes", axes ? axes : "");
	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *summary = json_array_get(all, i);
		const char *tag =
		    json_string_value(json_object_get(summary, "tag"));

		for (size_t k = 0; tag && k < ARRAY_LEN(summaries); k++) {
			if (strcmp(tag, summaries[k].title) != 0 ||
			    !value_of(summary, text))
				continue;
			text_cell(t, summaries[k].name, summaries[k].unit,
			          text);
			any = true;
		}
	}
	if (any)
		text_end_row(t);
}

static bool
take_json(struct text *t, const json_t *root)
{
	const json_t *benches = json_object_get(root, "benchmarks");

	if (!json_is_array(benches) ||
	    !json_object_get(
	        json_object_get(json_object_get(root, "meta"), "version"),
	        "nvbench"))
		return false;
	for (size_t i = 0; i < json_array_size(benches); i++) {
		const json_t *bench = json_array_get(benches, i);
		const json_t *states = json_object_get(bench, "states");
		const char *name =
		    json_string_value(json_object_get(bench, "name"));

		for (size_t k = 0; k < json_array_size(states); k++)
			take_state(t, name ? name : "",
			           json_array_get(states, k));
	}
	return true;
}

const struct importer nvbench_importer = {
    .name = "nvbench",
    .help = "JSON of NVIDIA's NVBench",
    .words =
        (const char *const[]){"\"nvbench\"", "nv/cold/", "GlobalMem BW", NULL},
    .needs = "the JSON that its option --json writes, with a state that ran",
    .take_json = take_json,
};
