/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the backend i210. */
#include "collect/host/cpu.h"
#include "collect/i210/sampler.h"
#include "common/base/number.h"

#include <stdlib.h>
#include <string.h>

/* The NIC drops launch times that are half a second ahead. */
#define DISTANCE_MAX_NS UINT64_C(100000000)

/* Assumed size of the last-level cache if it is unknown. */
#define UNKNOWN_LLC (UINT64_C(64) << 20)

const struct backend_option i210_options[] = {
    {"distance", "5ms:50ms",
     "time from handing over a packet to its launch: random in this range, up "
     "to 100ms"},
    {"trash-cache", "no",
     "yes: write twice the last-level cache before each packet"},
    {NULL, NULL, NULL},
};

/* Parses whole nanoseconds, rounded up. */
static const char *
parse_distance(const char *text, uint64_t *ns)
{
	uint64_t ps = 0;
	const char *why = parse_time(text, &ps);

	*ns = ps / 1000 + (ps % 1000 != 0);
	if (!why && (!*ns || *ns > DISTANCE_MAX_NS))
		return "not within 1ns to 100ms";
	return why;
}

static bool
set_distance(struct session *s, struct sampler *sampler)
{
	const char *text = option_value(s->request, i210_options, "distance");
	char *least = xstrdup(text);
	char *most = strchr(least, ':');
	const char *why;

	if (most)
		*most++ = '\0';
	why = parse_distance(least, &sampler->least);
	if (!why)
		why = parse_distance(most ? most : least, &sampler->most);
	free(least);
	if (!why && sampler->most < sampler->least)
		why = "the second is the larger one";
	return !why || fail(s, STATUS_TROUBLE, "-O distance=%s: %s", text, why);
}

static bool
set_thrash(struct session *s, struct sampler *sampler)
{
	const char *text =
	    option_value(s->request, i210_options, "trash-cache");
	uint64_t llc;

	if (!strcmp(text, "no"))
		return true;
	if (strcmp(text, "yes") != 0)
		return fail(s, STATUS_TROUBLE,
		            "-O trash-cache=%s: not yes or no", text);
	llc = host_llc(HOST_CPUS);
	return thrash_make(s, &sampler->thrash, llc ? llc : UNKNOWN_LLC);
}

bool
sampler_set_options(struct session *s, struct sampler *sampler)
{
	return set_distance(s, sampler) && set_thrash(s, sampler);
}
