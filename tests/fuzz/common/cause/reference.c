/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A public result is within its limits, or refused. */
#include "fuzz/reader.h"

#include "common/cause/reference.h"

static void
take_result(const struct table *t, void *data)
{
	struct reference *r = data;

	reference_take(r, t);
	must(r->row[r->n - 1].ratio > 0 && r->row[r->n - 1].ratio < 1e9);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct reference r = {0};
	struct table *t;

	if (!size)
		return 0;
	set_stdin(bytes, size);
	t = read_stdin(false, take_result, &r);
	if (!t)
		return free_as_exit();
	table_close(t);
	for (unsigned gen = 1; gen <= 7; gen++) {
		struct usual u = reference_usual(&r, 0, 0, gen, "");

		must(u.n < REFERENCE_LEAST ||
		     (u.p10 <= u.median && u.median <= u.p90));
	}
	reference_free(&r);
	return 0;
}
