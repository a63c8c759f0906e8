/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the addresses of GPUs. */
#include "import/gpu_names.h"

#include "common/base/number.h"

#include <stdio.h>

void
gpu_set(struct gpu_names *names, size_t number, unsigned domain, unsigned bus,
        unsigned device)
{
	if (number < GPUS_MAX)
		snprintf(names->name[number], GPU_NAME_MAX, "%04x:%02x:%02x.0",
		         domain, bus, device);
}

const char *
gpu_name(const struct text *t, struct gpu_names *names, const char *word)
{
	uint64_t number;

	if (parse_integer(word, &number) || number >= GPUS_MAX)
		text_die(t, "'%s': no number of a GPU", word);
	if (!*names->name[number])
		snprintf(names->name[number], GPU_NAME_MAX, "gpu%u",
		         (unsigned)number);
	return names->name[number];
}
