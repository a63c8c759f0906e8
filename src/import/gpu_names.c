/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores the addresses of GPUs. */
#include "import/gpu_names.h"

#include "common/base/number.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

void
gpu_set(struct gpu_names *names, size_t number, unsigned domain, unsigned bus,
        unsigned device)
{
	if (number < GPUS_MAX)
		snprintf(names->name[number], GPU_NAME_MAX, "%04x:%02x:%02x.0",
		         domain, bus, device);
}

size_t
hex_numbers(const char *text, unsigned value[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *end;

		if (!isxdigit((unsigned char)*text))
			return i;
		value[i] = (unsigned)strtoul(text, &end, 16);
		if (*end != ':' && *end != '.')
			return i + 1;
		text = end + 1;
	}
	return n;
}

bool
leading_number(const char *text, size_t *value)
{
	if (!isdigit((unsigned char)*text))
		return false;
	*value = strtoul(text, NULL, 10);
	return true;
}

const char *
gpu_name(const struct text *t, struct gpu_names *names, const char *word)
{
	uint64_t number = GPUS_MAX;

	parse_integer(word, &number);
	if (number < GPUS_MAX) {
		char *name = names->name[number];

		if (!*name)
			snprintf(name, GPU_NAME_MAX, "gpu%u", (unsigned)number);
		return name;
	}
	text_die(t, "'%s': not the number of a GPU", word);
}
