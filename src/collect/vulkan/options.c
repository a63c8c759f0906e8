/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of -O of the backend vulkan, and the values given. */
#include "collect/vulkan/gpu.h"

enum { ENGINE, WRRD, CLOCK, LANE, WORKERS, PAGES, NOPTIONS };

const struct backend_option vulkan_options[] = {
    [ENGINE] = {"engine", "sm",
                "sm: loads and stores of programs, ce: the copy queue"},
    [WRRD] = {"wrrd", "plain",
              "lat_wrrd: plain, fence (between), store (and fence, no read), "
              "sector (read the line's other 32 bytes)"},
    [CLOCK] = {"clock", "auto",
               "clock of latencies: subgroup (finer) or device; auto: subgroup "
               "if the device has it and is not AMD's"},
    [LANE] = {"lane", "auto", "bytes that an invocation takes at a time"},
    [WORKERS] = {"workers", "auto",
                 "outstanding transfers in bandwidth benches"},
    [PAGES] = {"pages", "4K", "pages of the buffer: 4K, 2M or 1G"},
    [NOPTIONS] = {NULL, NULL, NULL},
};

static const char *const vulkan_engine_names[] = {"sm", "ce"};
static const char *const vulkan_clock_names[] = {"auto", "subgroup", "device"};

bool
vulkan_settings_read(struct session *s, struct gpu_settings *set,
                     enum vulkan_clock *clock)
{
	const struct backend_option *o = vulkan_options;
	unsigned engine, wrrd, which;

	if (!gpu_option_word(s, &o[ENGINE], vulkan_engine_names,
	                     ARRAY_LEN(vulkan_engine_names), &engine) ||
	    !gpu_option_word(s, &o[WRRD], gpu_wrrd_names, NWRRD, &wrrd) ||
	    !gpu_option_word(s, &o[CLOCK], vulkan_clock_names,
	                     ARRAY_LEN(vulkan_clock_names), &which) ||
	    !gpu_option_number(s, &o[LANE], 16, &set->bytes_per_lane) ||
	    !gpu_option_number(s, &o[WORKERS], GPU_WORKERS, &set->workers) ||
	    !gpu_option_page(s, &o[PAGES], &set->page))
		return false;
	set->engine = engine ? ENGINE_CE : ENGINE_SM;
	set->wrrd = (enum gpu_wrrd)wrrd;
	*clock = (enum vulkan_clock)which;
	set->device_clock =
	    *clock == CLOCK_DEVICE && !s->request->bench->totals;
	if (set->wrrd != WRRD_PLAIN && s->request->bench->id != LAT_WRRD)
		return gpu_refuse(s, &o[WRRD], "only for lat_wrrd");
	if (*clock == CLOCK_SUBGROUP && s->request->bench->totals)
		return gpu_refuse(s, &o[CLOCK], "only for latency benches");
	if (set->engine == ENGINE_CE && set->bytes_per_lane)
		return gpu_refuse(s, &o[ENGINE], "lane needs engine=sm");
	if (set->workers &&
	    (!s->request->bench->totals || set->engine == ENGINE_CE))
		return gpu_refuse(s, &o[WORKERS],
		                  "only for bandwidth benches with sm");
	return true;
}
