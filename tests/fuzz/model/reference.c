/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A public result and a cause are within their limits, or refused. */
#include "fuzz/reader.h"

#include "model/reference.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void
must(bool true_of_every_row)
{
	if (!true_of_every_row)
		abort();
}

static void
take_result(const struct table *t, void *data)
{
	struct reference *r = data;

	reference_take(r, t);
	must(r->row[r->n - 1].ratio > 0 && r->row[r->n - 1].ratio < 1e9);
}

static void
take_cause(const struct table *t, void *data)
{
	struct span *span = data;

	span_take(span, t);
	must(span->least >= 0 && span->most >= span->least);
	must(span->initiators < 1u << NINITIATORS);
	must(span->traffics < 1u << NTRAFFICS);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct reference r = {0};
	struct span span = {0};
	bool results = size && bytes[0] % 2;
	struct table *t;

	if (!size)
		return 0;
	set_stdin(bytes + 1, size - 1);
	t = results ? read_stdin(false, take_result, &r)
	            : read_stdin(false, take_cause, &span);
	if (t)
		table_close(t);
	for (unsigned gen = 1; gen <= 7; gen++) {
		struct usual u = reference_usual(&r, 0, 0, gen);

		must(u.n < REFERENCE_LEAST ||
		     (u.p10 <= u.median && u.median <= u.p90));
	}
	reference_free(&r);
	return 0;
}
