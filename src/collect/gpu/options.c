/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses values of -O by the drivers' tables. */
#include "collect/gpu/gpu.h"

#include "common/base/number.h"

#include <string.h>

const char *const gpu_engine_names[NENGINES] = {"sm", "bulk", "ce"};
const char *const gpu_wrrd_names[NWRRD] = {"plain", "fence", "store", "sector"};

static const char *
gpu_text_of(const struct session *s, const struct backend_option *option)
{
	return option_value(s->request, option, option->name);
}

bool
gpu_refuse(struct session *s, const struct backend_option *option,
           const char *why)
{
	return option_refuse(s, option, option->name, why);
}

bool
gpu_option_word(struct session *s, const struct backend_option *option,
                const char *const *word, unsigned n, unsigned *which)
{
	const char *text = gpu_text_of(s, option);

	for (*which = 0; *which < n; ++*which) {
		if (!strcmp(text, word[*which]))
			return true;
	}
	return gpu_refuse(s, option, "no such word (-O help lists them)");
}

bool
gpu_option_number(struct session *s, const struct backend_option *option,
                  uint64_t most, unsigned *value)
{
	const char *text = gpu_text_of(s, option);
	uint64_t number = 0;
	const char *why = NULL;
	char limit[64];

	snprintf(limit, sizeof limit, "not auto or within 1 to %ju",
	         (uintmax_t)most);
	if (strcmp(text, "auto") != 0) {
		why = parse_integer(text, &number);
		if (!why && (!number || number > most))
			why = limit;
	}
	*value = (unsigned)number;
	return !why || gpu_refuse(s, option, why);
}

bool
gpu_option_page(struct session *s, const struct backend_option *option,
                uint64_t *page)
{
	const char *why = memory_parse_page(gpu_text_of(s, option), page);

	return !why || gpu_refuse(s, option, why);
}
