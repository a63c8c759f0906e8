/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser of perf's output refuses what it does not understand. */
#include "fuzz/ending.h"

#include "ddio/ddio.h"

#include <math.h>

static void
must_give_numbers(const struct input *in)
{
	for (size_t aggregate = 0; aggregate < in->keys.n; aggregate++) {
		must(in->aggregate[aggregate].unit < in->keys.n);
		for (size_t i = 0; i < nmetrics; i++) {
			struct metric_value result = {0};

			if (metric_compute(&metrics[i], in, aggregate, NAN,
			                   &result) != METRIC_GIVEN)
				continue;
			must(isfinite(result.value) && result.value >= 0);
			must(result.flags < 8);
		}
	}
}

/* The first byte chooses the separator. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const separators[] = {";", ",", "\\t", "ab"};
	static struct input in;

	if (size < 2)
		return 0;
	if (!nmetrics)
		read_metrics();
	in = (struct input){0};
	set_stdin(bytes + 1, size - 1);
	is_reading = true;
	if (setjmp(refused))
		return free_as_exit();
	read_perf(&in, NULL, 0, separators[*bytes % 4]);
	is_reading = false;
	must_give_numbers(&in);
	input_free(&in);
	return 0;
}
