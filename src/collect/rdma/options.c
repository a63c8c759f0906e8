/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options -O of the backend rdma, and their values. */
#include "collect/rdma/rdma.h"

#include <string.h>

#define BANDWIDTH (BENCH_BIT(BW_RD) | BENCH_BIT(BW_WR) | BENCH_BIT(BW_RDWR))

const struct backend_option rdma_options[] = {
    {"port", "auto", "number of the port; auto: the first that is active"},
    {"gid", "auto", "index of the GID; auto: prefers IPv4 and RoCE v2"},
    {"qps", "1", "queue pairs in bandwidth benches"},
    {"depth", "1", "outstanding transfers on each in bandwidth benches"},
    {"inline", "no",
     "yes, in lat_rdma: the CPU puts the data into the work request"},
    {"wire", "check", "ignore: other programs may send by the port, too"},
    DMA_BUFFER_OPTION_PAGES,
    {NULL, NULL, NULL},
};

const struct option_column rdma_columns[] = {
    {"qps", "queue_pairs", BANDWIDTH, NULL},
    {"depth", "queue_depth", BANDWIDTH, NULL},
    {NULL, NULL, 0, NULL},
};

/* A number from `least` to `most`, or `automatic` for "auto". */
static bool
rdma_read_number(struct session *s, const char *option, uint64_t least,
                 uint64_t most, int64_t automatic, int64_t *value)
{
	uint64_t number = 0;
	bool ok;

	*value = automatic;
	if (!strcmp(option_value(s->request, rdma_options, option), "auto"))
		return true;
	ok = option_integer(s, rdma_options, option, least, most, &number);
	*value = (int64_t)number;
	return ok;
}

/* Reads one of two words: `changes`, which sets *given, or `usual`. */
static bool
rdma_read_word(struct session *s, const char *option, const char *changes,
               const char *usual, bool *given)
{
	const char *text = option_value(s->request, rdma_options, option);

	*given = !strcmp(text, changes);
	return *given || !strcmp(text, usual) ||
	       fail(s, STATUS_TROUBLE, "-O %s=%s: not %s or %s", option, text,
	            changes, usual);
}

static bool
rdma_read_inline(struct session *s, bool *inlined)
{
	return rdma_read_word(s, "inline", "yes", "no", inlined) &&
	       (!*inlined || s->request->bench->id == LAT_RDMA ||
	        option_refuse(s, rdma_options, "inline", "only for lat_rdma"));
}

/* Refuses options that the bench ignores, lest they seem to have an effect. */
static bool
rdma_are_of_bench(struct session *s)
{
	static const char *const of_bandwidth[] = {"qps", "depth"};

	for (size_t i = 0; i < ARRAY_LEN(of_bandwidth); i++) {
		if (!s->request->bench->totals &&
		    settings_value(&s->request->options, of_bandwidth[i]))
			return option_refuse(s, rdma_options, of_bandwidth[i],
			                     "only for bandwidth benches");
	}
	return true;
}

bool
rdma_settings_read(struct session *s, struct rdma_settings *set)
{
	int64_t port, gid, qps, depth;

	if (!rdma_read_number(s, "port", 1, RDMA_PORT_MAX, 0, &port) ||
	    !rdma_read_number(s, "gid", 0, UINT8_MAX, -1, &gid) ||
	    !rdma_read_number(s, "qps", 1, RDMA_QPS_MAX, 1, &qps) ||
	    !rdma_read_number(s, "depth", 1, RDMA_DEPTH_MAX, 1, &depth) ||
	    !rdma_read_inline(s, &set->inlined) ||
	    !rdma_read_word(s, "wire", "ignore", "check", &set->wire_ignored) ||
	    !rdma_are_of_bench(s))
		return false;
	set->port = (uint32_t)port;
	set->gid = (int)gid;
	set->qps = (uint32_t)qps;
	set->depth = (uint32_t)depth;
	return true;
}

uint32_t
rdma_qps(const struct session *s)
{
	const struct rdma *r = s->state;

	return s->request->bench->totals ? r->set.qps : 1;
}

uint32_t
rdma_depth(const struct session *s)
{
	const struct rdma *r = s->state;

	return s->request->bench->totals ? r->set.depth : 1;
}
