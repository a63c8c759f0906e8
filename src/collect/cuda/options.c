/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of -O of the backend gpu, and the values given. */
#include "collect/cuda/gpu.h"

enum { ENGINE, WRRD, LOAD, LANE, WORKERS, PAGES, NOPTIONS };

const struct backend_option cuda_options[] = {
    [ENGINE] = {"engine", "sm",
                "sm: loads and stores, bulk: bulk copies (from compute "
                "capability 9.0), ce: the copy engine"},
    [WRRD] = {"wrrd", "plain",
              "lat_wrrd: plain, fence (between), store (and fence, no read), "
              "sector (read the line's other 32 bytes)"},
    [LOAD] = {"load", "volatile",
              "volatile, or mmio: loads that are never merged (from 7.0)"},
    [LANE] = {"lane", "auto", "bytes that a lane of a warp takes at a time"},
    [WORKERS] = {"workers", "auto",
                 "outstanding transfers in bandwidth benches"},
    [PAGES] = {"pages", "4K", "pages of the buffer: 4K, 2M or 1G"},
    [NOPTIONS] = {NULL, NULL, NULL},
};

static const char *const load_names[] = {"volatile", "mmio"};

bool
cuda_settings_read(struct session *s, struct gpu_settings *set)
{
	const struct backend_option *o = cuda_options;
	unsigned engine, wrrd, load;

	if (!gpu_option_word(s, &o[ENGINE], gpu_engine_names, NENGINES,
	                     &engine) ||
	    !gpu_option_word(s, &o[WRRD], gpu_wrrd_names, NWRRD, &wrrd) ||
	    !gpu_option_word(s, &o[LOAD], load_names, ARRAY_LEN(load_names),
	                     &load) ||
	    !gpu_option_number(s, &o[LANE], 16, &set->bytes_per_lane) ||
	    !gpu_option_number(s, &o[WORKERS], GPU_WORKERS, &set->workers) ||
	    !gpu_option_page(s, &o[PAGES], &set->page))
		return false;
	set->engine = (enum gpu_engine)engine;
	set->wrrd = (enum gpu_wrrd)wrrd;
	set->mmio = load;
	if (set->wrrd != WRRD_PLAIN && s->request->bench->id != LAT_WRRD)
		return gpu_refuse(s, &o[WRRD], "only for lat_wrrd");
	if (set->engine != ENGINE_SM && (set->bytes_per_lane || set->mmio))
		return gpu_refuse(s, &o[ENGINE],
		                  "lane and load need engine=sm");
	if (set->workers &&
	    (!s->request->bench->totals || set->engine == ENGINE_CE))
		return gpu_refuse(s, &o[WORKERS],
		                  "only for bandwidth benches with sm or bulk");
	return true;
}
