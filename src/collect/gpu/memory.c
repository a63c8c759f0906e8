/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places the buffer, checks its pages, and imports it into the driver. */
#include "collect/gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
gpu_memory_node(struct session *s, int wanted, int home, int *node)
{
	if (home < 0 && memory_one_node())
		home = 0;
	if (home < 0 && !memory_is_anywhere() &&
	    (wanted == NODE_LOCAL || wanted == NODE_REMOTE))
		return fail(s, STATUS_ABSENT,
		            "the firmware does not say which node the GPU is "
		            "on: give --node a number");
	return memory_node(s, wanted, home, node);
}

static const char *
gpu_page_text(uint64_t page)
{
	return !memory_is_huge(page) ? "4K" : page >> 30 ? "1G" : "2M";
}

/* Whether a line of smaps starts the mapping that contains an address. */
static bool
gpu_is_mapping_of(const char *line, uintptr_t address, bool *begins)
{
	char *end;
	uintptr_t first = strtoul(line, &end, 16), last;

	*begins = *end == '-' && end > line;
	if (!*begins)
		return false;
	last = strtoul(end + 1, NULL, 16);
	return first <= address && address < last;
}

/* Bytes of the mapping in huge pages; /proc/[pid]/smaps, proc(5). */
static uint64_t
gpu_huge_bytes(const void *at)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	bool inside = false;
	uint64_t bytes = 0;
	char *line = NULL;
	size_t size = 0;

	while (f && getline(&line, &size, f) > 0) {
		bool begins,
		    here = gpu_is_mapping_of(line, (uintptr_t)at, &begins);

		if (begins)
			inside = here;
		if (!inside)
			continue;
		if (!strncmp(line, "AnonHugePages:", 14))
			bytes += 1024 * strtoull(line + 14, NULL, 10);
		if (!strncmp(line, "Private_Hugetlb:", 16))
			bytes += 1024 * strtoull(line + 16, NULL, 10);
	}
	free(line);
	if (f)
		fclose(f);
	return bytes;
}

static bool
gpu_check_pages(struct session *s, const struct gpu_memory *m)
{
	uint64_t huge = gpu_huge_bytes(m->host.at);

	if (!memory_is_huge(m->host.page) ? !huge : huge >= m->host.size)
		return true;
	return fail(s, STATUS_ABSENT,
	            "-O pages=%s: %ju of the buffer's %ju bytes are in huge "
	            "pages; reserve some in /proc/sys/vm/nr_hugepages",
	            gpu_page_text(m->host.page), (uintmax_t)huge,
	            (uintmax_t)m->host.size);
}

/* Allocates reserved pages or, for 2M, else transparent huge pages. */
static bool
gpu_make(struct session *s, struct memory *m, size_t size, uint64_t page,
         int node)
{
	return memory_make(s, m, size, page, node) ||
	       (page == HUGE_PAGE && memory_make_transparent(s, m, size, node));
}

bool
gpu_memory_place(struct session *s, size_t size, uint64_t page, int node)
{
	struct gpu *gpu = s->state;
	struct gpu_memory *m = &gpu->memory;

	gpu_memory_free(gpu);
	return gpu_make(s, &m->host, size, page, node) &&
	       gpu_check_pages(s, m) && gpu->driver->import(s);
}

void
gpu_memory_free(struct gpu *gpu)
{
	if (gpu->memory.imported)
		gpu->driver->release(gpu);
	memory_free(&gpu->memory.host);
	gpu->memory = (struct gpu_memory){0};
}
