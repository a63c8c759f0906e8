/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the latency of the simulated device, part by part, at points of a
 * sweep and of measured rows.
 */
#include "model/latency.h"

#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/base/util.h"
#include "common/sim/link.h"

#include <math.h>

#define ADDRESSES_REPEAT 4096 /* no request crosses a multiple of it */
#define UNITS_MAX        (ADDRESSES_REPEAT / LINE)

/* Parts of a latency, from memory to the device. */
enum latency_part {
	PART_NONE,
	PART_ROOT_COMPLEX,
	PART_CACHE,
	PART_NODE,
	PART_IOMMU,
	PART_LINK,
	PART_SWITCHES,
	PART_DEVICE,
	PART_NOISE,
	PART_STALLS,
	NPARTS
};

/* A point of lat_rd or lat_wrrd; bytes. */
struct latency_point {
	bool write_first;
	uint64_t size, offset, window;
	bool sequential;
	enum cache cache;
	bool remote;
	uint64_t switches_ps; /* of all switches, one way */
};

/* Shares of transfers, 0 to 1, that hit the cache and the IOTLB. */
struct latency_hits {
	double cache, iotlb;
};

struct expected_latency {
	/*
	 * For the typical transfer, which hits if at least half do. In
	 * picoseconds; the sum is the expected median.
	 */
	double part[NPARTS];
	double median_ps;
	/* With hits and misses by their shares, refreshes and stalls. */
	double mean_ps;
	double mean_stall_ps; /* the stalls' part of it */
	struct latency_hits hits;
};

/* Transfers of a load, each of which waits for its data. */
struct latency_load {
	double latency_ps; /* of one transfer, from start to end */
	double gbit_s;     /* of data */
	const char *limited_by;
};

static const char *const part_columns[NPARTS] = {
    [PART_ROOT_COMPLEX] = "root_complex_ns",
    [PART_CACHE] = "cache_ns",
    [PART_NODE] = "node_ns",
    [PART_IOMMU] = "iommu_ns",
    [PART_LINK] = "link_ns",
    [PART_SWITCHES] = "switches_ns",
    [PART_DEVICE] = "device_ns",
    [PART_NOISE] = "noise_ns",
    [PART_STALLS] = "stalls_ns",
};

/* The part that a parameter belongs to. */
static const enum latency_part latency_part_of[SIM_NPARAMS] = {
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

/* NULL, or why no such transfer is possible. */
static const char *
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

/* The unit of a window whose transfers take the median time. */
static uint64_t
median_unit(struct still *s, const struct latency_point *point, unsigned hit)
{
	uint64_t units = unlike_units(point), unit = unit_bytes(point);
	double time[UNITS_MAX] = {0}, sorted[UNITS_MAX] = {0};

	for (uint64_t i = 0; i < units; i++)
		sorted[i] = time[i] =
		    (double)still_time(s, point, i * unit, hit);
	sort_numbers(sorted, units);
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

static struct expected_latency
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
 * Reads with `outstanding` transfers in flight: the latency is that of a single
 * one until the slowest station is always busy.
 *
 * N transfers that each take L and then pause for Z run at the rate N / (L +
 * Z), or that of the busiest station: the operational laws of Denning and
 * Buzen, ACM Computing Surveys 10 (1978).
 */
static struct latency_load
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

/* Host --------------------------------------------------------------------- */

static const char *const patterns[] = {"random", "sequential"};

/* Default window in bytes, as in pcb-collect. */
#define WINDOW 8192

void
latency_host(const struct options *o, struct sim_params *params)
{
	const struct link_options *link = &o->link;
	const char *why;

	sim_choice_load(&o->latency.choice, params);
	if (link->based)
		params->link = link->base;
	link_options_override(link, &params->link);
	why = params->link.bus == BUS_PCIE ? why_no_model(&params->link)
	                                   : "only PCI Express is simulated";
	if (why)
		die("the link: %s", why);
}

/* Measured rows ------------------------------------------------------------ */

void
row_needs(const struct table *t, const char *what)
{
	table_die(t, need_column(t, "bench"), "'%s' needs %s",
	          optional_text(t, "bench"), what);
}

void
row_check(const struct table *t, const char *column, const char *why)
{
	if (why)
		table_refuse(t, need_column(t, column), why);
}

void
row_bytes(const struct table *t, const char *column, uint64_t *bytes)
{
	const char *text = optional_text(t, column);

	if (*text)
		row_check(t, column, parse_integer(text, bytes));
}

/* A parameter of the simulation; an empty cell leaves it unchanged. */
static const char *
read_param(struct sim_params *params, const struct table *t, const char *column,
           enum sim_param param)
{
	const char *text = optional_text(t, column);
	const char *kept = params->text[param];
	const char *why = *text ? sim_param_set(params, param, text) : NULL;

	/* The cell's text is valid only until the next row. */
	params->text[param] = kept;
	return why;
}

/* Published systems without superpages: each translation covers 4K. */
static const char *
read_iommu(struct sim_params *params, const struct table *t)
{
	const char *why;

	if (strcmp(optional_text(t, "iommu"), "on-nosp") != 0)
		return read_param(params, t, "iommu", SIM_IOMMU);
	why = sim_param_set(params, SIM_IOMMU, "on");
	return why ? why : sim_param_set(params, SIM_PAGE, "4K");
}

static const char *
read_host(struct sim_params *params, const struct table *t,
          const struct link_options *link)
{
	const char *why =
	    link->based ? NULL : read_param(params, t, "link", SIM_LINK);

	link_options_override(link, &params->link);
	if (!why)
		why = why_no_model(&params->link);
	if (!why)
		why = read_param(params, t, "interface", SIM_INTERFACE);
	if (!why)
		why = read_iommu(params, t);
	return why ? why : read_param(params, t, "page_bytes", SIM_PAGE);
}

const char *
latency_row_read(struct latency_row *latency, const struct table *t,
                 const struct options *options, const struct sim_params *host)
{
	struct latency_point here = {0}, *point = &here;
	struct sim_params params = *host;
	const char *cache = optional_text(t, "cache"), *why;

	*latency = (struct latency_row){NAN, NAN};
	point->write_first = !strcmp(optional_text(t, "bench"), "lat_wrrd");
	point->window = WINDOW;
	point->sequential = !strcmp(optional_text(t, "pattern"), "sequential");
	/* Only a simulated host has a known remote node. */
	point->remote = options->latency.nodes
	                    ? options->latency.nodes >> 1
	                    : !strcmp(optional_text(t, "kind"), "simulated") &&
	                          !strcmp(optional_text(t, "node"), "1");
	point->switches_ps = options->latency.switch_ps;
	if (!*optional_text(t, "size_bytes"))
		row_needs(t, "size_bytes");
	row_bytes(t, "size_bytes", &point->size);
	row_bytes(t, "offset_bytes", &point->offset);
	row_bytes(t, "window_bytes", &point->window);
	if (table_find(t, "median_ns") < 0)
		row_needs(t, "median_ns, as pcb-stats writes it");
	if (*optional_text(t, "median_ns"))
		latency->median_ps =
		    1000 * table_number(t, (size_t)table_find(t, "median_ns"));
	if (latency->median_ps < 0)
		row_check(t, "median_ns", "a latency is not negative");
	point->cache = (enum cache)find_word(cache, cache_names, NCACHES);
	if (!*cache)
		point->cache = CACHE_COLD;
	else if (point->cache == NCACHES)
		return "the model does not have this state of the cache";
	why = read_host(&params, t, &options->link);
	if (!why)
		why = sim_params_lack(&params, point->remote);
	if (!why)
		why = latency_check(&params, point);
	if (!why)
		latency->expected_ps = latency_expect(&params, point).median_ps;
	return why;
}

/* Points ------------------------------------------------------------------- */

/* All points of the sweep. Dies if one is impossible. */
static struct latency_point *
find_points(const struct options *o, const struct sim_params *params, size_t *n)
{
	unsigned caches = o->latency.caches ? o->latency.caches : 1;
	unsigned nodes = o->latency.nodes ? o->latency.nodes : 1;
	size_t rows = transfer_sweep_rows(&o->sweep);
	struct latency_point *all = NULL;

	for (size_t i = 0; i < rows * 2 * 2 * NCACHES; i++) {
		struct transfer t = transfer_sweep_row(&o->sweep, i % rows);
		struct latency_point point = {
		    .write_first = i / rows / NCACHES / 2,
		    .remote = i / rows / NCACHES % 2,
		    .cache = i / rows % NCACHES,
		    .size = t.size,
		    .offset = t.offset,
		    .window = t.window ? t.window : WINDOW,
		    .sequential = o->latency.sequential,
		    .switches_ps = o->latency.switch_ps,
		};
		const char *why;

		if ((o->bench &&
		     strcmp(o->bench, latency_benches[point.write_first]) !=
		         0) ||
		    !(nodes & 1u << point.remote) ||
		    !(caches & 1u << point.cache))
			continue;
		why = sim_params_lack(params, point.remote);
		if (why) {
			warn("sim:%s: %s", params->profile, why);
			exit(STATUS_ABSENT);
		}
		why = latency_check(params, &point);
		if (why)
			die("%ju bytes at offset %ju in a window of %ju: %s",
			    (uintmax_t)point.size, (uintmax_t)point.offset,
			    (uintmax_t)point.window, why);
		array_push(all, *n, point);
	}
	return all;
}

/* Rows -------------------------------------------------------------------- */

static void
write_identity(struct out *o, const struct sim_params *params,
               const struct latency_point *point)
{
	char *device = xasprintf("sim:%s", params->profile);
	char link[LINK_TEXT_MAX];

	link_format(&params->link, link);
	OUT(o, TEXT("kind", "model"),
	    TEXT("bench", latency_benches[point->write_first]),
	    TEXT("device", device), TEXT("link", link),
	    TEXT("interface", params->text[SIM_INTERFACE]),
	    VALUE("size_bytes", point->size),
	    VALUE("offset_bytes", point->offset),
	    VALUE("window_bytes", point->window),
	    TEXT("pattern", patterns[point->sequential]),
	    TEXT("cache", cache_names[point->cache]),
	    VALUE("node", point->remote),
	    TEXT("iommu", params->text[SIM_IOMMU]),
	    VALUE("page_bytes", params->number[SIM_PAGE]));
	free(device);
}

static void
write_point(struct out *o, const struct sim_params *params,
            const struct latency_point *point)
{
	struct expected_latency l = latency_expect(params, point);

	write_identity(o, params, point);
	OUT(o, VALUE("median_ns", l.median_ps / 1000),
	    VALUE("mean_ns", l.mean_ps / 1000));
	for (enum latency_part i = PART_ROOT_COMPLEX; i < NPARTS; i++)
		OUT(o, VALUE(part_columns[i], l.part[i] / 1000));
	out_end_row(o);
}

static void
write_load(struct out *o, const struct sim_params *params,
           const struct latency_point *point, const struct size_list *n)
{
	for (size_t i = 0; i < n->n; i++) {
		struct latency_load load =
		    latency_under_load(params, point, n->value[i]);

		write_identity(o, params, point);
		OUT(o, VALUE("outstanding", n->value[i]),
		    VALUE("mean_ns", load.latency_ps / 1000),
		    VALUE("bandwidth_gbit_s", load.gbit_s),
		    TEXT("limited_by", load.limited_by));
		out_end_row(o);
	}
}

void
write_latencies(struct out *o, const struct options *options)
{
	struct sim_params params = {0};
	struct latency_point *point;
	size_t n = 0;
	const struct size_list *load = &options->latency.outstanding;
	uint64_t most;

	latency_host(options, &params);
	most = params.number[SIM_WORKERS];
	for (size_t i = 0; i < load->n; i++) {
		if (load->value[i] > most)
			die("--outstanding %ju: sim:%s has at most %ju "
			    "outstanding transfers (-O workers=%ju)",
			    (uintmax_t)load->value[i], params.profile,
			    (uintmax_t)most, (uintmax_t)load->value[i]);
	}
	sim_params_say_assumed(&params);
	point = find_points(options, &params, &n);
	for (size_t i = 0; i < n; i++) {
		if (load->n)
			write_load(o, &params, &point[i], load);
		else
			write_point(o, &params, &point[i]);
	}
	free(point);
	sim_params_free(&params);
}
