/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of -O of the backend gpu, and the values given. */
#include "collect/gpu/gpu.h"

#include "common/base/number.h"

#include <string.h>

enum { ENGINE, WRRD, LOAD, LANE, WORKERS, PAGES, NOPTIONS };

const struct backend_option gpu_options[] = {
    [ENGINE] = {"engine", "sm",
                "sm: loads and stores, bulk: bulk copies (from compute "
                "capability 9.0), ce: the copy engine"},
    [WRRD] = {"wrrd", "plain",
              "lat_wrrd: plain, fence (between), store (and fence, no read), "
              "sector (read the line's other 32 bytes)"},
    [LOAD] = {"load", "volatile",
              "volatile, or mmio: loads that are never merged (from 7.0)"},
    [LANE] = {"lane", "auto", "bytes that a lane of a warp takes at a time"},
    [WORKERS] = {"workers", "auto", "transfers under way in bandwidth benches"},
    [PAGES] = {"pages", "4K", "pages of the buffer: 4K, 2M or 1G"},
    [NOPTIONS] = {NULL, NULL, NULL},
};

const char *const gpu_engine_names[NENGINES] = {"sm", "bulk", "ce"};
const char *const gpu_wrrd_names[NWRRD] = {"plain", "fence", "store", "sector"};
static const char *const load_names[] = {"volatile", "mmio"};

static const char *
gpu_text_of(const struct session *s, size_t option)
{
	return option_value(s->request, gpu_options, gpu_options[option].name);
}

static bool
gpu_refuse(struct session *s, size_t option, const char *why)
{
	return fail(s, STATUS_TROUBLE, "-O %s=%s: %s", gpu_options[option].name,
	            gpu_text_of(s, option), why);
}

/* Which of n words an option is. */
static bool
gpu_read_word(struct session *s, size_t option, const char *const *word,
              unsigned n, unsigned *which)
{
	const char *text = gpu_text_of(s, option);

	for (*which = 0; *which < n; ++*which) {
		if (!strcmp(text, word[*which]))
			return true;
	}
	return gpu_refuse(s, option, "no such word (-O help lists them)");
}

/* A number from 1 to most, or "auto", which is 0. */
static bool
gpu_read_number(struct session *s, size_t option, uint64_t most,
                unsigned *value)
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

static bool
gpu_read_page(struct session *s, uint64_t *page)
{
	const char *why = memory_parse_page(gpu_text_of(s, PAGES), page);

	return !why || gpu_refuse(s, PAGES, why);
}

bool
gpu_settings_read(struct session *s, struct gpu_settings *set)
{
	unsigned engine, wrrd, load;

	if (!gpu_read_word(s, ENGINE, gpu_engine_names, NENGINES, &engine) ||
	    !gpu_read_word(s, WRRD, gpu_wrrd_names, NWRRD, &wrrd) ||
	    !gpu_read_word(s, LOAD, load_names, ARRAY_LEN(load_names), &load) ||
	    !gpu_read_number(s, LANE, 16, &set->bytes_per_lane) ||
	    !gpu_read_number(s, WORKERS, GPU_WORKERS, &set->workers) ||
	    !gpu_read_page(s, &set->page))
		return false;
	set->engine = (enum gpu_engine)engine;
	set->wrrd = (enum gpu_wrrd)wrrd;
	set->mmio = load;
	if (set->wrrd != WRRD_PLAIN && s->request->bench->id != LAT_WRRD)
		return gpu_refuse(s, WRRD, "of lat_wrrd only");
	if (set->engine != ENGINE_SM && (set->bytes_per_lane || set->mmio))
		return gpu_refuse(s, ENGINE, "lane and load are of engine=sm");
	if (set->workers &&
	    (!s->request->bench->totals || set->engine == ENGINE_CE))
		return gpu_refuse(s, WORKERS,
		                  "of bandwidth benches with sm or bulk only");
	return true;
}
