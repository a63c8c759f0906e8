/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the DMAs in flight for Ethernet at full rate. */
#include "model/inflight.h"

#include "common/base/util.h"
#include "common/cli/need_input.h"
#include "model/passthrough_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double
frame_bits(uint64_t bytes)
{
	static const struct ethernet usual = {.ifg = ETHERNET_IFG};

	return 8 * (double)ethernet_bytes(&usual, bytes);
}

/* Time from one frame to the next on a full Ethernet. */
static double
frame_ns(uint64_t rate, uint64_t bytes)
{
	return frame_bits(bytes) * 1e9 / (double)rate;
}

/*
 * The number of DMAs in flight if each frame starts one of this duration,
 * rounded up, since a fraction would make frames wait. Neugebauer et al.,
 * SIGCOMM 2018, section 2. 1 - 2^-50 absorbs rounding of decimals, so an exact
 * integer is not rounded up.
 */
static double
frames_in(double ns, uint64_t rate, uint64_t bytes)
{
	double frames = ns * (double)rate / (frame_bits(bytes) * 1e9);

	return ceil(frames * (1 - 0x1p-50));
}

/* NaN is a missing value. */
static void
write_inflight(struct out *o, double ns, uint64_t rate, uint64_t bytes)
{
	double frames = frames_in(ns, rate, bytes);

	if (frames < 1e15)
		out_u64(o, (uint64_t)frames);
	else
		out_double(o, frames);
}

void
inflight_write(struct out *o, const struct options *options)
{
	static const char *const names[] = {
	    "kind",      "frame_bytes", "rate_gbit_s",
	    "packet_ns", "rtt_ns",      "inflight",
	};
	const struct nic_options *in = &options->nic;
	double rtt_ns = (double)options->link.bounds.rtt_ps / 1e3;

	out_begin(o, names, ARRAY_LEN(names));
	for (size_t i = 0; i < in->frame.n; i++) {
		uint64_t bytes = in->frame.value[i];

		out_text(o, "model");
		out_u64(o, bytes);
		out_double(o, (double)in->rate / 1e9);
		out_double(o, frame_ns(in->rate, bytes));
		out_double(o, rtt_ns);
		write_inflight(o, rtt_ns, in->rate, bytes);
	}
}

/* Latencies of reads; NaN if the row has none. */
struct latency {
	double median_ns, p99_ns;
};

struct latencies {
	struct passthrough rows;
	struct latency *row; /* one per kept row */
	size_t max;
	uintmax_t reads, without_p99;
};

static double
time_of(const struct table *t, const char *name)
{
	ptrdiff_t col = table_find(t, name);
	double ns;

	if (!*table_text(t, col))
		return NAN;
	ns = table_number(t, (size_t)col);
	if (ns < 0)
		table_refuse(t, (size_t)col, "a latency is not negative");
	return ns;
}

static struct latency
latency_here(struct latencies *l, const struct table *t)
{
	struct latency latency = {NAN, NAN};
	ptrdiff_t bench = table_find(t, "bench");

	if (strcmp(table_text(t, bench), "lat_rd") != 0)
		return latency;
	latency.median_ns = time_of(t, "median_ns");
	latency.p99_ns = time_of(t, "p99_ns");
	if (isnan(latency.median_ns))
		table_die(t, (size_t)bench,
		          "'lat_rd' needs median_ns, as pcb-stats writes it");
	l->without_p99 += isnan(latency.p99_ns) ? 1 : 0;
	l->reads++;
	return latency;
}

static void
read_latencies(struct latencies *l, struct table *t)
{
	while (table_next(t)) {
		if (passthrough_add(&l->rows, t) == l->max) {
			l->max = 2 * l->max + 64;
			l->row = xreallocarray(l->row, l->max, sizeof *l->row);
		}
		l->row[l->rows.n - 1] = latency_here(l, t);
	}
	if (!l->reads && l->rows.n)
		die("%s: no row of the bench lat_rd", t->file);
	if (l->without_p99)
		warn("rows of lat_rd without p99_ns, whose p99_inflight is "
		     "empty: %ju",
		     l->without_p99);
}

static void
write_frame(struct out *o, const struct latency *latency, uint64_t rate,
            uint64_t bytes)
{
	out_u64(o, bytes);
	out_double(o, (double)rate / 1e9);
	out_double(o, frame_ns(rate, bytes));
	write_inflight(o, latency->median_ns, rate, bytes);
	write_inflight(o, latency->p99_ns, rate, bytes);
}

static void
write_latencies(struct out *o, const struct table *t, struct latencies *l,
                const struct nic_options *in)
{
	static const char *const added[] = {
	    "frame_bytes",     "rate_gbit_s",  "packet_ns",
	    "median_inflight", "p99_inflight",
	};

	passthrough_begin(&l->rows, o, t, added, ARRAY_LEN(added));
	for (size_t i = 0; i < l->rows.n; i++) {
		if (isnan(l->row[i].median_ns)) {
			passthrough_write(&l->rows, o, t, i);
			for (size_t k = 0; k < ARRAY_LEN(added); k++)
				out_text(o, "");
			continue;
		}
		for (size_t k = 0; k < in->frame.n; k++) {
			passthrough_write(&l->rows, o, t, i);
			write_frame(o, &l->row[i], in->rate,
			            in->frame.value[k]);
		}
	}
}

void
inflight_join(struct out *o, const struct options *options)
{
	struct latencies l = {0};
	struct table *t;

	need_input("Usage: pcb-model inflight --rate RATE --frame LIST "
	           "--rtt TIME|[FILE...]",
	           options->nfiles);
	t = table_open(options->files, options->nfiles);
	read_latencies(&l, t);
	preamble_add_command(&t->preamble);
	o->preamble = &t->preamble;
	write_latencies(o, t, &l, &options->nic);
	out_finish(o, t->complete, &t->end);
	passthrough_free(&l.rows);
	free(l.row);
	table_close(t);
}
