/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every fuzz target has. */
#ifndef PCB_TESTS_FUZZ_TARGET_H
#define PCB_TESTS_FUZZ_TARGET_H

#include "common/base/util.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the target, with the input as one that fails, unless this is true. */
static inline void
must(bool true_of_every_input)
{
	if (!true_of_every_input)
		abort();
}

/* The input as a text; free it. */
static inline char *
text_of(const uint8_t *bytes, size_t size)
{
	char *text = xmalloc(size + 1);

	memcpy(text, bytes, size);
	text[size] = '\0';
	return text;
}

#endif
