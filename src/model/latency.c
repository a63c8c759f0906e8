/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/latency.h"

#include "common/base/intmath.h"
#include "common/base/util.h"
#include "common/sim/link.h"

#include <stdlib.h>

#define ADDRESSES_REPEAT 4096 /* no request crosses a multiple of it */
#define UNITS_MAX        (ADDRESSES_REPEAT / LINE)

const struct latency_part_text latency_parts[NPARTS] = {
    [PART_ROOT_COMPLEX] = {"root_complex_ns", "root complex"},
    [PART_CACHE] = {"cache_ns", "cache and memory"},
    [PART_NODE] = {"node_ns", "the other node"},
    [PART_IOMMU] = {"iommu_ns", "IOMMU"},
    [PART_LINK] = {"link_ns", "link"},
    [PART_SWITCHES] = {"switches_ns", "switches"},
    [PART_DEVICE] = {"device_ns", "device"},
    [PART_NOISE] = {"noise_ns", "noise"},
    [PART_STALLS] = {"stalls_ns", "stalls"},
};

const enum latency_part latency_part_of[SIM_NPARAMS] = {
    [SIM_RC] = PART_ROOT_COMPLEX,    [SIM_LINE] = PART_ROOT_COMPLEX,
    [SIM_MERGE] = PART_ROOT_COMPLEX, [SIM_SNOOP] = PART_CACHE,
    [SIM_MISS] = PART_CACHE,         [SIM_ALLOCATE] = PART_CACHE,
    [SIM_REMOTE] = PART_NODE,        [SIM_REMOTE_WRITE] = PART_NODE,
    [SIM_WARM_NODE] = PART_NODE,     [SIM_WALK] = PART_IOMMU,
    [SIM_WALK_HOLD] = PART_IOMMU,    [SIM_LINK] = PART_LINK,
    [SIM_ISSUE] = PART_DEVICE,       [SIM_COPY_READ] = PART_DEVICE,
    [SIM_PACKET] = PART_DEVICE,      [SIM_COPY_WRITE] = PART_DEVICE,
    [SIM_STORE] = PART_DEVICE,       [SIM_GAP] = PART_DEVICE,
    [SIM_COMMAND] = PART_DEVICE,     [SIM_COMMAND_STORE] = PART_DEVICE,
    [SIM_JITTER] = PART_NOISE,       [SIM_STALL1] = PART_STALLS,
    [SIM_STALL2] = PART_STALLS,      [SIM_STALL3] = PART_STALLS};

/* Link and host without random effects. */
struct still {
	struct sim_params params; /* texts are borrowed */
	struct sim_link link;
	struct sim_host host;
	uint64_t random;
	uint64_t *answered;
};

/* Includes parts up to `last`, and a cache just large enough for a transfer. */
static void
still_make(struct still *s, const struct sim_params *params,
           const struct latency_point *point, enum latency_part last)
{
	uint64_t *n = s->params.number;
	uint64_t lines = div_round_up(point->size, LINE) + 1;

	s->params = *params;
	for (enum sim_param i = SIM_INTERFACE; i < SIM_NUMBERS; i++) {
		if (latency_part_of[i] > last)
			n[i] = 0;
	}
	if (last < PART_LINK)
		n[SIM_UPDATE] = 0;
	n[SIM_DRIFT] = n[SIM_JITTER] = n[SIM_REFRESH] = 0;
	n[SIM_LLC] = min_u64(n[SIM_LLC], lines * LINE * n[SIM_WAYS]);
	sim_link_make(&s->link, &s->params, false);
	if (last < PART_LINK)
		s->link.byte_fs = 0;
	sim_host_make(&s->host, &s->params, &s->random);
	s->answered = xcalloc(n[SIM_INFLIGHT], sizeof *s->answered);
}

static void
still_free(struct still *s)
{
	sim_link_free(&s->link);
	sim_host_free(&s->host);
	free(s->answered);
}

/* What a transfer hits. */
enum { HIT_CACHE = 1, HIT_IOTLB = 2 };

static uint64_t
still_time(struct still *s, const struct latency_point *point, uint64_t unit,
           unsigned hit)
{
	const uint64_t *n = s->params.number;
	struct sim_transfer t = {unit + point->offset, point->size,
	                         point->write_first};
	uint64_t end = t.address + t.size, page = n[SIM_PAGE];
	uint64_t flags = point->cache == CACHE_HOST_WARM ? SIM_BY_HOST : 0;

	sim_link_idle(&s->link);
	sim_host_prepare(&s->host, point->cache, LINE, point->remote);
	sim_cache_flush(&s->host.llc);
	for (uint64_t i = t.address / LINE; hit & HIT_CACHE && i * LINE < end;
	     i++)
		sim_cache_insert(&s->host.llc, i, (unsigned)n[SIM_WAYS], flags);
	for (uint64_t i = t.address / page; hit & HIT_IOTLB && i * page < end;
	     i++)
		sim_cache_insert(&s->host.iotlb, i, s->host.iotlb.ways, 0);
	return sim_engine_alone(&s->link, &s->host, s->answered, &t);
}

/* Units --------------------------------------------------------------------*/

/* Bytes between transfers of the window, in whole lines. */
static uint64_t
unit_bytes(const struct latency_point *point)
{
	return div_round_up(point->offset + point->size, LINE) * LINE;
}

/* The number of leading units that may be split into requests differently. */
static uint64_t
unlike_units(const struct latency_point *point)
{
	uint64_t unit = unit_bytes(point);
	uint64_t period = ADDRESSES_REPEAT / gcd(unit, ADDRESSES_REPEAT);

	return min_u64(point->window / unit, period);
}

const char *
latency_check(const struct sim_params *params,
              const struct latency_point *point)
{
	uint64_t end;

	if (!point->size)
		return "a transfer of 0 bytes";
	if (params->number[SIM_INTERFACE] == SIM_COMMANDS &&
	    point->size > SIM_COMMAND_BYTES)
		return "a command moves at most 128 bytes";
	if (point->size > params->number[SIM_LLC])
		return "more than the cache holds";
	if (__builtin_add_overflow(point->offset, point->size, &end) ||
	    end > point->window / LINE * LINE)
		return "the window does not hold it at this offset, rounded up "
		       "to whole lines";
	return NULL;
}

/* Shares -------------------------------------------------------------------*/

static double
share(uint64_t part, uint64_t whole)
{
	return part < whole ? (double)part / (double)whole : 1;
}

/* Bytes of the window that stay cached from pass to pass. */
static uint64_t
bytes_cached(const struct sim_params *params, const struct latency_point *point)
{
	const uint64_t *n = params->number;
	uint64_t way = n[SIM_LLC] / LINE / n[SIM_WAYS] * LINE;

	if (point->cache == CACHE_COLD)
		return 0;
	if (point->cache == CACHE_HOST_WARM && sim_host_warms(n, point->remote))
		return way * n[SIM_WAYS];
	if (point->cache == CACHE_DEVICE_WARM || point->write_first)
		return way * n[SIM_DDIO_WAYS];
	return 0;
}

/*
 * Random access hits for the part that fits. Sequential writes evict what comes
 * next; reads evict nothing.
 */
static double
cache_hits(const struct sim_params *params, const struct latency_point *point)
{
	uint64_t bytes = bytes_cached(params, point);

	if (point->sequential && point->write_first && bytes < point->window)
		return 0;
	return share(bytes, point->window);
}

static double
iotlb_hits(const struct sim_params *params, const struct latency_point *point)
{
	const uint64_t *n = params->number;
	uint64_t bytes = n[SIM_IOTLB] * n[SIM_PAGE];

	if (point->sequential && bytes < point->window)
		return 1 - share(unit_bytes(point), n[SIM_PAGE]);
	return share(bytes, point->window);
}

/* Mean time for which a refresh delays an access to memory. */
static double
refresh_ps(const uint64_t *n)
{
	double every = (double)n[SIM_REFRESH_EVERY];
	double takes = (double)n[SIM_REFRESH];

	if (n[SIM_REFRESH_EVERY] == 0)
		return 0;
	return takes / 2 * (takes < every ? takes / every : 1);
}

/* Memory accesses of an average transfer that a refresh may delay. */
static double
accesses(const struct sim_params *params, const struct latency_point *point,
         const struct latency_hits *hits)
{
	const uint64_t *n = params->number;
	bool partial = point->offset % LINE || point->size % LINE;
	bool reads = !point->write_first || partial || !n[SIM_DDIO_WAYS];
	double walks = 1 - hits->iotlb;

	if (point->cache == CACHE_HOST_WARM)
		walks *= 1 - (double)n[SIM_WALK_CACHED] / 100;
	return (reads ? 1 - hits->cache : 0) + (n[SIM_IOMMU] ? walks : 0);
}

/* Stalls -------------------------------------------------------------------*/

/* The share of transfers that no stall delays for longer than this. */
static double
stalled_until(const uint64_t *n, double ps)
{
	double sum = 1;

	for (size_t i = SIM_STALL1; i <= SIM_STALL3; i += 3) {
		double spread = (double)n[i + 1] + 1;
		double part = (ps - (double)n[i]) / spread;

		part = part < 0 ? 0 : part > 1 ? 1 : part;
		sum -= (double)n[i + 2] / 1e6 * (1 - part);
	}
	return sum;
}

static double
median_stall_ps(const uint64_t *n)
{
	double least = 0, most = 2e12;

	if (stalled_until(n, 0) >= .5)
		return 0;
	while (most - least > 1) {
		double middle = (least + most) / 2;

		if (stalled_until(n, middle) < .5)
			least = middle;
		else
			most = middle;
	}
	return least;
}

static double
mean_stall_ps(const uint64_t *n)
{
	double sum = 0;

	for (size_t i = SIM_STALL1; i <= SIM_STALL3; i += 3)
		sum += (double)n[i + 2] / 1e6 *
		       ((double)n[i] + (double)n[i + 1] / 2);
	return sum;
}

/* The whole ----------------------------------------------------------------*/

static int
by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The unit of a window whose transfers take the median time. */
static uint64_t
median_unit(struct still *s, const struct latency_point *point, unsigned hit)
{
	uint64_t units = unlike_units(point), unit = unit_bytes(point);
	uint64_t time[UNITS_MAX] = {0}, sorted[UNITS_MAX] = {0};

	for (uint64_t i = 0; i < units; i++)
		sorted[i] = time[i] = still_time(s, point, i * unit, hit);
	qsort(sorted, units, sizeof *sorted, by_time);
	for (uint64_t i = 0; i < units; i++) {
		if (time[i] == sorted[(units - 1) / 2])
			return i * unit;
	}
	return 0;
}

/* The time that each part adds to those before it. */
static void
add_parts(const struct sim_params *params, const struct latency_point *point,
          struct expected_latency *l, uint64_t unit, unsigned hit)
{
	uint64_t before = 0;

	for (enum latency_part i = PART_ROOT_COMPLEX; i <= PART_DEVICE; i++) {
		struct still s = {0};
		uint64_t time;

		still_make(&s, params, point, i);
		time = still_time(&s, point, unit, hit);
		l->part[i] = (double)time - (double)before;
		before = time;
		still_free(&s);
	}
}

/* Over all units, with hits and misses by their shares. */
static double
mean_ps(struct still *s, const struct latency_point *point,
        const struct latency_hits *hits)
{
	uint64_t units = unlike_units(point), unit = unit_bytes(point);
	double sum = 0;

	for (unsigned i = 0; i < 4; i++) {
		double part = (i & HIT_CACHE ? hits->cache : 1 - hits->cache) *
		              (i & HIT_IOTLB ? hits->iotlb : 1 - hits->iotlb);

		for (uint64_t k = 0; part > 0 && k < units; k++)
			sum += part / (double)units *
			       (double)still_time(s, point, k * unit, i);
	}
	return sum;
}

struct expected_latency
latency_expect(const struct sim_params *params,
               const struct latency_point *point)
{
	const uint64_t *n = params->number;
	struct expected_latency l = {
	    .hits = {cache_hits(params, point), iotlb_hits(params, point)}};
	struct still s = {0};
	unsigned hit = 0;
	uint64_t unit;

	still_make(&s, params, point, PART_DEVICE);
	if (l.hits.cache >= .5)
		hit |= HIT_CACHE;
	if (l.hits.iotlb >= .5)
		hit |= HIT_IOTLB;
	unit = median_unit(&s, point, hit);
	l.mean_ps = mean_ps(&s, point, &l.hits);
	still_free(&s);
	add_parts(params, point, &l, unit, hit);
	l.part[PART_SWITCHES] = 2 * (double)point->switches_ps;
	l.part[PART_NOISE] = (double)n[SIM_JITTER];
	l.part[PART_STALLS] = median_stall_ps(n);
	l.mean_stall_ps = mean_stall_ps(n);
	for (enum latency_part i = PART_ROOT_COMPLEX; i < NPARTS; i++)
		l.median_ps += l.part[i];
	l.mean_ps += l.part[PART_SWITCHES] + l.part[PART_NOISE] +
	             accesses(params, point, &l.hits) * refresh_ps(n) +
	             l.mean_stall_ps;
	return l;
}

/* Under load --------------------------------------------------------------*/

/* A station: a part of the host that serves a limited number of requests. */
enum station {
	ENGINE,
	SENT,
	RECEIVED,
	ROOT_COMPLEX,
	WALKS,
	IN_FLIGHT,
	NSTATIONS
};

static const char *const station_names[NSTATIONS] = {
    [ENGINE] = "engine",     [SENT] = "tx_bytes",
    [RECEIVED] = "rx_bytes", [ROOT_COMPLEX] = "root_complex",
    [WALKS] = "walks",       [IN_FLIGHT] = "inflight",
};

/* How long each station is busy with one transfer, in picoseconds. */
struct demand {
	double ps[NSTATIONS];
	double requests;
};

/* `walks` is 0 if an earlier request has looked up the page. */
static void
add_request(struct demand *d, const struct sim_link *link, const uint64_t *n,
            const struct sim_read *read, double walks)
{
	uint64_t lines = (read->address + read->length - 1) / LINE -
	                 read->address / LINE + 1;
	double hold = (double)(lines * n[SIM_WALK_HOLD]);

	d->requests++;
	d->ps[SENT] += (double)(sim_link_wire(link, read->request) +
	                        read->completions * link->ack);
	d->ps[RECEIVED] += (double)(max_u64(sim_link_wire(link, read->reply),
	                                    read->completions * link->receive) +
	                            link->dllps);
	d->ps[ROOT_COMPLEX] += (double)(lines * n[SIM_LINE]);
	d->ps[WALKS] += walks * ((double)n[SIM_WALK] + hold);
}

/* For an average unit; `walks` is the share of pages that miss the IOTLB. */
static struct demand
demand_of(const struct sim_params *params, const struct latency_point *point,
          double walks)
{
	const uint64_t *n = params->number;
	uint64_t units = unlike_units(point);
	struct demand d = {0};
	struct sim_link link;

	sim_link_make(&link, params, true);
	for (uint64_t i = 0; i < units; i++) {
		uint64_t at = i * unit_bytes(point) + point->offset;
		uint64_t page = UINT64_MAX;
		struct tlp_walk walk;
		struct sim_read read;

		d.ps[ENGINE] +=
		    (double)sim_engine_read(&link, n, at, point->size);
		tlp_walk_start(&walk, &link.rules, TLP_MRD, at, point->size);
		while (sim_link_next_read(&link, &walk, &read)) {
			uint64_t next = read.address / n[SIM_PAGE];

			add_request(&d, &link, n, &read,
			            next == page ? 0 : walks);
			page = next;
		}
	}
	sim_link_free(&link);
	for (enum station i = 0; i < NSTATIONS; i++)
		d.ps[i] /= (double)units;
	d.requests /= (double)units;
	return d;
}

/*
 * N transfers that each take L and then pause for Z run at the rate N / (L +
 * Z), or that of the busiest station: the operational laws of Denning and
 * Buzen, ACM Computing Surveys 10 (1978).
 */
struct latency_load
latency_under_load(const struct sim_params *params,
                   const struct latency_point *point, uint64_t outstanding)
{
	const uint64_t *n = params->number;
	struct expected_latency l = latency_expect(params, point);
	double walks = n[SIM_IOMMU] ? 1 - l.hits.iotlb : 0;
	struct demand d = demand_of(params, point, walks);
	double transfers = (double)min_u64(outstanding, n[SIM_WORKERS]);
	double alone = l.mean_ps - l.mean_stall_ps + d.ps[ENGINE];
	double pause = (double)n[SIM_LOOP];
	double away = alone - (double)(n[SIM_ISSUE] + n[SIM_COPY_READ]);
	double per_ps = transfers / (alone + pause);
	struct latency_load load = {.limited_by = "outstanding"};
	enum station most = ENGINE;
	uint64_t walkers = n[SIM_WALKS];

	/* Most concurrent walks. */
	if (n[SIM_WALK_ALONE])
		walkers = min_u64(
		    walkers, div_round_up(point->window, n[SIM_WALK_ALONE]));
	d.ps[WALKS] /= (double)walkers;
	d.ps[IN_FLIGHT] = d.requests * away / (double)n[SIM_INFLIGHT];
	for (enum station i = ENGINE; i < NSTATIONS; i++) {
		if (d.ps[i] > d.ps[most])
			most = i;
	}
	if (per_ps * d.ps[most] > 1) {
		per_ps = 1 / d.ps[most];
		load.limited_by = station_names[most];
	}
	load.latency_ps = transfers / per_ps - pause;
	load.gbit_s = 8000 * (double)point->size * per_ps;
	return load;
}
