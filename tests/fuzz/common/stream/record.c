/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows that are compared with the one before are the same as all others. */
#include "fuzz/reader.h"

/* The lines and cells of all rows. */
static void
add_row(const struct table *t, void *data)
{
	uint64_t *hash = data;

	*hash ^= t->line;
	for (size_t i = 0; i < t->ncols; i++) {
		const char *text = t->field[i];

		do
			*hash = (*hash ^ (unsigned char)*text) *
			        UINT64_C(0x100000001b3);
		while (*text++);
	}
}

/* False if the input was refused, behind the rows in the hash. */
static bool
read_rows(const uint8_t *bytes, size_t size, bool slow, uint64_t *hash)
{
	struct table *t;

	set_stdin(bytes, size);
	t = read_stdin(slow, add_row, hash);
	if (!t)
		return free_as_exit();
	table_close(t);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint64_t slow = 0, fast = 0;

	must(read_rows(bytes, size, true, &slow) ==
	     read_rows(bytes, size, false, &fast));
	must(slow == fast);
	return 0;
}
