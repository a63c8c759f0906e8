/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speed of the collector's row formatting: samples of lat_rd with a complete
 * identity to /dev/null; and the same with fprintf, as most programs do. Best
 * of five, a line "name value unit" each.
 */
#include "collect/run/sample_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SAMPLES ((size_t)1 << 18) /* as many as the collector keeps */
#define REPEAT  8
#define TRIES   5

static uint64_t raw[SAMPLES];

static char *identity[NIDENTITY] = {
    [ID_HOST] = "machine",
    [ID_RUN] = "1",
    [ID_KIND] = "measured",
    [ID_BENCH] = "lat_rd",
    [ID_DEVICE] = "0000:03:00.0",
    [ID_LINK] = "gen3x8/mps256/mrrs512/rcb64",
    [ID_INTERFACE] = "engine",
    [ID_SIZE] = "64",
    [ID_OFFSET] = "0",
    [ID_WINDOW] = "8192",
    [ID_PATTERN] = "random",
    [ID_CACHE] = "cold",
    [ID_NODE] = "0",
    [ID_IOMMU] = "off",
    [ID_PAGE] = "4096",
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* 500 to 2548 ns, mostly with three decimals. */
static void
fill(void)
{
	uint64_t state = 1;

	for (size_t i = 0; i < SAMPLES; i++) {
		state = state * UINT64_C(6364136223846793005) +
		        UINT64_C(1442695040888963407);
		raw[i] = 500000 + (state >> 43) % 2048000;
	}
}

static void
by_rows(struct sample_writer *rows)
{
	for (int i = 0; i < REPEAT; i++)
		sample_writer_write(rows, raw, SAMPLES);
	fflush(stdout);
}

static void
by_printf(struct sample_writer *rows)
{
	char *const *id = identity;

	(void)rows;
	for (int i = 0; i < REPEAT; i++) {
		for (size_t k = 0; k < SAMPLES; k++)
			fprintf(stdout,
			        "%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,"
			        "%s,%.3f\n",
			        id[ID_HOST], id[ID_RUN], id[ID_KIND],
			        id[ID_BENCH], id[ID_DEVICE], id[ID_LINK],
			        id[ID_INTERFACE], id[ID_SIZE], id[ID_OFFSET],
			        id[ID_WINDOW], id[ID_PATTERN], id[ID_CACHE],
			        id[ID_NODE], id[ID_IOMMU], id[ID_PAGE],
			        (double)raw[k] / 1000);
	}
	fflush(stdout);
}

/* Millions of rows per second. */
static double
best(void (*write)(struct sample_writer *rows), struct sample_writer *rows)
{
	double rate = 0;

	for (int i = 0; i < TRIES; i++) {
		double begin = now();
		double this;

		write(rows);
		this = REPEAT * (double)SAMPLES / (now() - begin) / 1e6;
		if (this > rate)
			rate = this;
	}
	return rate;
}

int
main(void)
{
	const struct labels none = {0};
	struct sample_writer rows = {.bench = &benches[LAT_RD],
	                             .labels = &none,
	                             .default_id = identity,
	                             .format = FORMAT_CSV,
	                             .wide = true};
	struct series series = {0};
	struct preamble pre = {0};
	double ours, peer;

	if (!freopen("/dev/null", "w", stdout))
		die_sys("/dev/null");
	fill();
	sample_writer_begin(&rows, &pre, false, &series, 1);
	sample_writer_series(&rows, &series);
	ours = best(by_rows, &rows);
	peer = best(by_printf, &rows);
	sample_writer_finish(&rows, true, NULL);
	fprintf(stderr, "rows_write %.1f Mrow/s\n", ours);
	fprintf(stderr, "rows_fprintf %.1f Mrow/s\n", peer);
	fprintf(stderr, "rows_write_to_fprintf %.1f ratio\n", ours / peer);
	return 0;
}
