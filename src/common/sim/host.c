/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated host: root complex, caches, IOMMU and memory. */
#include "common/sim/host.h"

#include "common/base/intmath.h"
#include "common/base/util.h"

#define GENERATION (UINT64_C(1) << 34) /* above block numbers */

void
sim_cache_make(struct sim_cache *cache, uint64_t blocks, unsigned ways)
{
	uint64_t sets = blocks / ways;

	*cache = (struct sim_cache){.sets = sets, .ways = ways};
	cache->entry = xcalloc(sets * ways, sizeof *cache->entry);
	cache->next = xcalloc(sets, sizeof *cache->next);
	cache->generation = GENERATION;
}

void
sim_cache_free(struct sim_cache *cache)
{
	free(cache->entry);
	free(cache->next);
}

void
sim_cache_flush(struct sim_cache *cache)
{
	cache->generation += GENERATION;
	if (cache->generation & SIM_BY_HOST) {
		memset(cache->entry, 0,
		       cache->sets * cache->ways * sizeof *cache->entry);
		cache->generation = GENERATION;
	}
}

void
sim_cache_insert(struct sim_cache *cache, uint64_t block, unsigned among,
                 uint64_t flags)
{
	uint64_t set = block % cache->sets;
	unsigned way = cache->next[set];

	if (way >= among)
		way = 0;
	cache->next[set] = (uint16_t)(way + 1);
	cache->entry[set * cache->ways + way] =
	    cache->generation | block | flags;
}

void
sim_host_make(struct sim_host *host, const struct sim_params *params,
              uint64_t *random)
{
	const uint64_t *n = params->number;
	uint64_t takes = n[SIM_REFRESH], every = n[SIM_REFRESH_EVERY];

	*host = (struct sim_host){.number = n, .random = random};
	sim_cache_make(&host->llc, n[SIM_LLC] / LINE, (unsigned)n[SIM_WAYS]);
	sim_cache_make(
	    &host->iotlb, n[SIM_IOTLB],
	    (unsigned)(n[SIM_IOTLB_WAYS] ? n[SIM_IOTLB_WAYS] : n[SIM_IOTLB]));
	host->page_shift = (unsigned)__builtin_ctzll(n[SIM_PAGE]);
	if (every)
		host->refresh_odds = (min_u64(takes, every) << 32) / every;
	host->walker = xcalloc(n[SIM_WALKS], sizeof *host->walker);
}

void
sim_host_free(struct sim_host *host)
{
	sim_cache_free(&host->llc);
	sim_cache_free(&host->iotlb);
	free(host->walker);
}

/*
 * Fills a cache as sequential writes by a CPU or by the device do. Skips lines
 * that later ones would evict.
 */
static void
fill(struct sim_host *host, uint64_t window, unsigned ways, uint64_t flags)
{
	uint64_t lines = window / LINE;
	uint64_t most = host->llc.sets * host->llc.ways;
	uint64_t line = lines > most ? lines - most : 0;

	for (; ways && line < lines; line++)
		sim_cache_insert(&host->llc, line, ways, flags);
}

bool
sim_host_warms(const uint64_t *number, bool remote)
{
	return number[SIM_WARM_NODE] == 0 ||
	       (number[SIM_WARM_NODE] > 1 && !remote);
}

void
sim_host_prepare(struct sim_host *host, enum cache state, uint64_t window,
                 bool remote)
{
	const uint64_t *n = host->number;
	uint64_t rc = n[SIM_RC];
	/*
	 * The root complex differs from run to run by the sum of four random
	 * numbers, with this standard deviation in parts per million.
	 */
	uint64_t most = rc * n[SIM_DRIFT] / 1000000 * 1732 / 1000;

	host->remote = host->elsewhere = remote;
	host->rc = rc - min_u64(rc, 2 * most) +
	           random_noise(host->random, most) +
	           random_noise(host->random, most);
	host->far = state != CACHE_HOST_WARM;
	sim_cache_flush(&host->llc);
	sim_cache_flush(&host->iotlb);
	if (state == CACHE_DEVICE_WARM)
		fill(host, window, (unsigned)n[SIM_DDIO_WAYS], 0);
	/* The CPUs of node 1 have another cache. */
	if (state == CACHE_HOST_WARM && sim_host_warms(n, remote))
		fill(host, window, (unsigned)n[SIM_WAYS], SIM_BY_HOST);
	else if (state == CACHE_HOST_WARM)
		host->elsewhere = true;
	sim_host_idle(host);
}

void
sim_host_idle(struct sim_host *host)
{
	host->busy = host->last = 0;
	host->written = host->translated = 0;
	if (!host->number[SIM_IOMMU])
		return;
	memset(host->walker, 0, host->number[SIM_WALKS] * sizeof *host->walker);
}

/* How long an access to memory waits for a refresh to end. */
static uint64_t
refresh(struct sim_host *host)
{
	uint64_t r = random_draw(host->random);

	if (r >> 32 >= host->refresh_odds)
		return 0;
	return host->number[SIM_REFRESH] * (uint32_t)r >> 32;
}

/* The time at which a walk is done; it occupies a walker for `hold` more. */
static uint64_t
walk(struct sim_host *host, uint64_t address, uint64_t hold, uint64_t now)
{
	const uint64_t *n = host->number;
	uint64_t region = n[SIM_WALK_ALONE];
	struct sim_walker *walker = host->walker;

	for (uint64_t i = 1; i < n[SIM_WALKS]; i++) {
		if (host->walker[i].busy < walker->busy)
			walker = &host->walker[i];
	}
	now = max_u64(now, walker->busy);
	/* No other walk of the same region is in progress then. */
	for (uint64_t i = 0; region && i < n[SIM_WALKS]; i++) {
		if (host->walker[i].address / region == address / region)
			now = max_u64(now, host->walker[i].done);
	}
	now += n[SIM_WALK];
	if (host->far || random_below(host->random, 100) >= n[SIM_WALK_CACHED])
		now += refresh(host);
	*walker = (struct sim_walker){address, now, now + hold};
	return now;
}

/*
 * The time at which the address of a request is translated, if that starts at
 * `now`. No request overtakes one that waits for a walk.
 */
static uint64_t
translate(struct sim_host *host, uint64_t address, uint64_t hold, uint64_t now)
{
	uint64_t page = address >> host->page_shift;

	if (!host->number[SIM_IOMMU])
		return now;
	if (!sim_cache_find(&host->iotlb, page)) {
		sim_cache_insert(&host->iotlb, page, host->iotlb.ways, 0);
		now = walk(host, address, hold, now);
	}
	return host->translated = max_u64(now, host->translated);
}

/* The start of a request, which occupies the root complex for its lines. */
static uint64_t
begin(struct sim_host *host, uint64_t first, uint64_t last, uint64_t more,
      uint64_t now)
{
	uint64_t start = max_u64(now, host->busy);

	host->busy = start + (last - first + 1) * host->number[SIM_LINE] + more;
	return start;
}

uint64_t
sim_host_read(struct sim_host *host, uint64_t address, uint64_t length,
              uint64_t now)
{
	const uint64_t *n = host->number;
	uint64_t line = address / LINE, last = (address + length - 1) / LINE;
	uint64_t start =
	    max_u64(begin(host, line, last, 0, now), host->written);
	uint64_t hold = (last - line + 1) * n[SIM_WALK_HOLD];
	uint64_t ready = translate(host, address, hold, start) + host->rc;
	bool missed = false, snooped = false;

	for (; line <= last; line++) {
		const uint64_t *entry = sim_cache_find(&host->llc, line);

		missed |= !entry;
		snooped |= entry && *entry & SIM_BY_HOST;
	}
	if (missed)
		ready += n[SIM_MISS] + refresh(host) +
		         (host->elsewhere ? n[SIM_REMOTE] : 0);
	else if (snooped)
		ready += n[SIM_SNOOP];
	return ready + random_noise(host->random, n[SIM_JITTER]);
}

/*
 * A missing line is allocated in the ways of DDIO. A partial write reads the
 * line from memory first.
 */
static uint64_t
write_line(struct sim_host *host, uint64_t line, bool whole)
{
	const uint64_t *n = host->number;
	uint64_t *entry = sim_cache_find(&host->llc, line);

	if (entry) {
		*entry &= ~SIM_BY_HOST;
		return 0;
	}
	if (n[SIM_DDIO_WAYS])
		sim_cache_insert(&host->llc, line, (unsigned)n[SIM_DDIO_WAYS],
		                 0);
	return (whole ? n[SIM_ALLOCATE] : n[SIM_MISS] + refresh(host)) +
	       (host->remote ? n[SIM_REMOTE_WRITE] : 0);
}

uint64_t
sim_host_write(struct sim_host *host, uint64_t address, uint64_t length,
               uint64_t now)
{
	const uint64_t *n = host->number;
	uint64_t end = address + length;
	uint64_t first = address / LINE, last = (end - 1) / LINE;
	/* A write to the line in which the last write ended waits for that. */
	bool merges = host->last && first == host->last - 1 && address % LINE;
	uint64_t start =
	    begin(host, first, last, merges ? n[SIM_MERGE] : 0, now);
	uint64_t done = translate(host, address, 0, start), wait = 0;

	for (uint64_t line = first; line <= last; line++) {
		bool whole = line * LINE >= address && (line + 1) * LINE <= end;
		uint64_t more = write_line(host, line, whole);

		wait = max_u64(wait, more);
	}
	host->last = end % LINE ? last + 1 : 0;
	done += merges ? n[SIM_MERGE] : 0;
	return host->written = max_u64(done + wait, host->written);
}
