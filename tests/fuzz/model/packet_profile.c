/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile is complete and within its limits, or refused. */
#include "fuzz/reader.h"

#include "model/packet_profile.h"

static void
take(const struct table *t, void *data)
{
	packet_profile_take(data, t);
}

static void
must_keep_bounds(const struct packet_profile *i)
{
	must(i->n > 0 && i->n <= PACKET_PROFILE_STEPS_MAX);
	must(i->batch > 0 && i->batch <= BATCH_MAX);
	for (size_t k = 0; k < i->n; k++) {
		const struct step *step = &i->step[k];

		must(step->bytes <= STEP_BYTES_MAX);
		must(step->bytes || step->moves);
		must(step->every > 0 && i->batch % step->every == 0);
	}
}

static void
must_have_a_rate(const struct packet_profile *i)
{
	static const uint64_t sizes[] = {1, 60, STEP_BYTES_MAX};
	struct link_config config = {0};

	must(!link_parse("gen3x8/mps128/mrrs128/rcb64", &config.link));
	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		struct packets p = expect_packets(
		    i, &config, packet_profile_direction(i), sizes[k]);

		must(p.tx_bytes + p.rx_bytes > (double)sizes[k] / BATCH_MAX);
		must(p.per_ns > 0 && p.per_ns < 1e9);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct packet_profile i = {0};
	struct table *t;

	set_stdin(bytes, size);
	t = read_stdin(false, take, &i);
	if (t && !packet_profile_check(&i)) {
		must_keep_bounds(&i);
		must_have_a_rate(&i);
	}
	if (t)
		table_close(t);
	packet_profile_free(&i);
	/* A message that was being composed. */
	return free_as_exit();
}
