/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency under load: the station that saturates first limits it. */
#include "model/latency.h"

#include "common/base/intmath.h"
#include "common/base/util.h"
#include "common/sim/link.h"

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
	uint64_t units = latency_unlike_units(point);
	struct demand d = {0};
	struct sim_link link;

	sim_link_make(&link, params, true);
	for (uint64_t i = 0; i < units; i++) {
		uint64_t at = i * latency_unit(point) + point->offset;
		uint64_t page = UINT64_MAX;
		struct tlp_walk walk;
		struct sim_read read;

		d.ps[ENGINE] +=
		    (double)sim_engine_read(&link, n, at, point->size);
		tlp_walk_read(&walk, &link.rules, at, point->size);
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

/* Most concurrent walks. */
static double
walkers(const uint64_t *n, const struct latency_point *point)
{
	uint64_t region = n[SIM_WALK_ALONE];
	uint64_t regions = region ? div_round_up(point->window, region) : 0;

	return (double)(regions ? min_u64(n[SIM_WALKS], regions)
	                        : n[SIM_WALKS]);
}

static enum station
busiest(const struct demand *d)
{
	enum station most = ENGINE;

	for (enum station i = ENGINE; i < NSTATIONS; i++) {
		if (d->ps[i] > d->ps[most])
			most = i;
	}
	return most;
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
	enum station most;

	d.ps[WALKS] /= walkers(n, point);
	d.ps[IN_FLIGHT] = d.requests * away / (double)n[SIM_INFLIGHT];
	most = busiest(&d);
	if (per_ps * d.ps[most] > 1) {
		per_ps = 1 / d.ps[most];
		load.limited_by = station_names[most];
	}
	load.latency_ps = transfers / per_ps - pause;
	load.gbit_s = 8000 * (double)point->size * per_ps;
	return load;
}
