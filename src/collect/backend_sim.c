/*
 * A device, its link and a root complex that are not there. Each transaction
 * takes its turn on both directions of the link; between them lies the root
 * complex with its memory. All times are integer picoseconds, so a seed gives
 * the same samples everywhere.
 */
#include "collect/backend.h"
#include "common/tlp.h"
#include "common/units.h"

#include <stdlib.h>
#include <string.h>

#define LINE        64
#define PAGE        4096
#define MEMORY      (UINT64_C(1) << 40) /* of the simulated machine */
#define MILLISECOND UINT64_C(1000000000)
#define DLLP        UINT64_C(8)
#define SKP         UINT64_C(4)
#define SKP_EVERY   UINT64_C(1538)
#define HALT_EVERY  4096 /* transactions between two looks at halt */

enum { RC, MISS, REMOTE, JITTER, ISSUE, TICK, LLC, INFLIGHT, LINK, NOPTIONS };

static const struct backend_option options[] = {
    [RC] = {"rc", "400ns", "latency of the root complex"},
    [MISS] = {"miss", "70ns", "what a read waits longer when the LLC misses"},
    [REMOTE] = {"remote", "100ns", "what an access to node 1 waits longer"},
    [JITTER] = {"jitter", "20ns", "mean of the random part of the latency"},
    [ISSUE] = {"issue", "100ns", "overhead of the device per transaction"},
    [TICK] = {"tick", "4ns", "resolution of the device's clock"},
    [LLC] = {"llc", "15M", "size of the last-level cache"},
    [INFLIGHT] = {"inflight", "32", "transactions in flight at a time"},
    [LINK] = {"link", "gen3x8/mps256/mrrs512/rcb64",
              "the link, as pcb-csv(5) writes it"},
    [NOPTIONS] = {NULL, NULL, NULL},
};

/* How the numbers among them are read, and what is sensible. */
static const struct range {
	const char *(*parse)(const char *text, uint64_t *value);
	uint64_t least, most;
	const char *text;
} ranges[LINK] = {
    [RC] = {parse_time, 0, MILLISECOND, "not within 0ns to 1ms"},
    [MISS] = {parse_time, 0, MILLISECOND, "not within 0ns to 1ms"},
    [REMOTE] = {parse_time, 0, MILLISECOND, "not within 0ns to 1ms"},
    [JITTER] = {parse_time, 0, MILLISECOND, "not within 0ns to 1ms"},
    [ISSUE] = {parse_time, 0, MILLISECOND, "not within 0ns to 1ms"},
    [TICK] = {parse_time, 1, MILLISECOND, "not within 1ps to 1ms"},
    [LLC] = {parse_size, LINE, MEMORY, "not within 64 to 1024G"},
    [INFLIGHT] = {parse_count, 1, 65536, "not within 1 to 65536"},
};

/* How long a transfer keeps each direction of the link busy. */
struct busy {
	uint64_t up, down;
};

struct sim {
	uint64_t option[LINK];
	uint64_t random; /* state of the generator */
	uint64_t buffer;

	/* The link: femtoseconds a byte, what becomes of a transfer. */
	uint64_t byte_fs;
	struct tlp_rules rules;
	uint64_t up, down; /* when each direction is free again */

	/* The point: where accesses go and what each costs. */
	uint64_t size, offset, window, unit, units, next;
	/* By the line of its page that a transfer begins in. */
	struct busy read[PAGE / LINE], write[PAGE / LINE];
	uint64_t root; /* the fixed part of the root complex's latency */
	bool random_order, warm;

	uint64_t *done; /* of the last `inflight` transactions, a ring */
	size_t slot;
};

static uint64_t
later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* SplitMix64: Steele, Lea, Flood, OOPSLA 2014. */
static uint64_t
draw(struct sim *sim)
{
	uint64_t z = sim->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

__extension__ typedef unsigned __int128 uint128;

/* A random number from 0 to limit - 1. */
static uint64_t
draw_below(struct sim *sim, uint64_t limit)
{
	return (uint64_t)((uint128)draw(sim) * limit >> 64);
}

/*
 * Roughly exponential, without logarithms: the leading zeros of a random
 * number fall off as powers of two, and the bits behind its first one fill
 * the steps; their sum is 1.5 on average. One in 1024 waits 16 times longer,
 * as behind a refresh of the memory.
 */
static uint64_t
draw_jitter(struct sim *sim)
{
	uint64_t r = draw(sim) | 1 << 10;
	unsigned zeros = (unsigned)__builtin_clzll(r);
	uint64_t behind = r << zeros >> 47 & 0xffff;
	uint64_t sum = ((uint64_t)zeros << 16) + 0x10000 - behind;
	uint64_t jitter = (sim->option[JITTER] * sum >> 16) * 2 / 3;

	return r & 1023 ? jitter : 16 * jitter;
}

/* Time of so many bytes on the wire, rounded up: never above its rate. */
static uint64_t
wire(const struct sim *sim, uint64_t bytes)
{
	return (bytes * sim->byte_fs + 999) / 1000;
}

static uint64_t
next_address(struct sim *sim)
{
	uint64_t n = sim->next;

	if (sim->random_order)
		n = draw_below(sim, sim->units);
	else if (++sim->next == sim->units)
		sim->next = 0;
	return n * sim->unit + sim->offset;
}

static uint64_t
memory_read(struct sim *sim)
{
	uint64_t time = sim->root + draw_jitter(sim);

	if (sim->warm && (sim->window <= sim->option[LLC] ||
	                  draw_below(sim, sim->window) < sim->option[LLC]))
		return time;
	return time + sim->option[MISS];
}

/* When a read that the device starts at `now` has all its data. */
static uint64_t
dma_read(struct sim *sim, uint64_t at, uint64_t now)
{
	const struct busy *busy = &sim->read[at / LINE % (PAGE / LINE)];
	uint64_t start = later(now + sim->option[ISSUE], sim->up);
	uint64_t ready =
	    start + wire(sim, sim->rules.request) + memory_read(sim);

	sim->up = start + busy->up;
	sim->down = later(ready, sim->down) + busy->down;
	return sim->down;
}

/* When the root complex has taken in a write that starts at `now`. */
static uint64_t
dma_write(struct sim *sim, uint64_t at, uint64_t now)
{
	const struct busy *busy = &sim->write[at / LINE % (PAGE / LINE)];
	uint64_t start = later(now + sim->option[ISSUE], sim->up);

	sim->up = start + busy->up;
	return sim->up + sim->root + draw_jitter(sim);
}

/* What the device's clock shows of a time. */
static uint64_t
ticks(const struct sim *sim, uint64_t time)
{
	uint64_t tick = sim->option[TICK];

	return (time + tick - 1) / tick * tick;
}

/* One transaction at a time: the link is idle when each begins. */
static void
run_latency(struct session *s, uint64_t want)
{
	struct sim *sim = s->state;
	struct series *series = s->series;
	bool write_first = s->request->bench->id == LAT_WRRD;

	while (series->n < want && (series->n % HALT_EVERY || !*s->halt)) {
		uint64_t at = next_address(sim);

		sim->up = sim->down = 0;
		if (write_first)
			dma_write(sim, at, 0);
		series->raw[series->n++] = ticks(sim, dma_read(sim, at, 0));
	}
}

/* Starts a transaction when the oldest one in flight is done. */
static uint64_t
follow(struct sim *sim, uint64_t (*dma)(struct sim *, uint64_t, uint64_t))
{
	uint64_t *done = &sim->done[sim->slot];

	if (++sim->slot == sim->option[INFLIGHT])
		sim->slot = 0;
	return *done = dma(sim, next_address(sim), *done);
}

/* With bw_rdwr a transaction is a read and a write, and counts as one. */
static void
run_bandwidth(struct session *s, uint64_t want)
{
	struct sim *sim = s->state;
	enum bench_id bench = s->request->bench->id;
	uint64_t end = 0, n;

	memset(sim->done, 0, sim->option[INFLIGHT] * sizeof *sim->done);
	sim->up = sim->down = 0;
	for (n = 0; n < want && (n % HALT_EVERY || !*s->halt); n++) {
		if (bench != BW_WR)
			end = later(end, follow(sim, dma_read));
		if (bench != BW_RD)
			end = later(end, follow(sim, dma_write));
	}
	s->series->raw[0] = n;
	s->series->raw[1] = n * sim->size;
	s->series->raw[2] = ticks(sim, end);
	s->series->n = n > 0;
}

static bool
sim_run(struct session *s, uint64_t want)
{
	s->series->n = 0;
	if (s->request->bench->totals)
		run_bandwidth(s, want);
	else
		run_latency(s, want);
	return true;
}

static void
identify(struct session *s, const struct point *point, bool remote)
{
	struct series *series;

	series_make(s, 1);
	series = s->series;
	series_set(series, ID_KIND, "simulated");
	series_set(series, ID_DEVICE, "sim:default");
	series_set(series, ID_LINK, "%s",
	           option_value(s->request, options, options[LINK].name));
	series_set(series, ID_INTERFACE, "engine");
	series_set(series, ID_SIZE, "%ju", (uintmax_t)point->size);
	series_set(series, ID_OFFSET, "%ju", (uintmax_t)point->offset);
	series_set(series, ID_WINDOW, "%ju", (uintmax_t)point->window);
	series_set(series, ID_PATTERN, "%s", pattern_names[point->pattern]);
	series_set(series, ID_CACHE, "%s", cache_names[point->cache]);
	series_set(series, ID_NODE, "%d", remote);
	series_set(series, ID_IOMMU, "off");
	series_set(series, ID_PAGE, "%d", PAGE);
}

/* Bytes from one access to the next, 0 if the window holds none. */
static uint64_t
unit_of(const struct point *point)
{
	uint64_t lines = point->window / LINE;
	uint64_t end;

	if (__builtin_add_overflow(point->offset, point->size, &end) ||
	    end > lines * LINE)
		return 0;
	return (end + LINE - 1) / LINE * LINE;
}

static bool
is_remote(const struct point *point)
{
	return point->node == NODE_REMOTE || point->node == 1;
}

static bool
sim_check(struct session *s, const struct point *point)
{
	const struct sim *sim = s->state;

	if (!is_remote(point) && point->node != NODE_LOCAL && point->node != 0)
		return fail(s, STATUS_TROUBLE,
		            "node %d: the simulated machine has nodes 0 and 1",
		            point->node);
	if (!point->size)
		return fail(s, STATUS_TROUBLE, "a transfer of 0 bytes");
	if (point->window > sim->buffer)
		return fail(s, STATUS_TROUBLE,
		            "a window of %ju bytes in a buffer of %ju",
		            (uintmax_t)point->window, (uintmax_t)sim->buffer);
	if (!unit_of(point))
		return fail(s, STATUS_TROUBLE,
		            "a window of %ju bytes does not hold %ju bytes at "
		            "offset %ju, rounded up to whole lines",
		            (uintmax_t)point->window, (uintmax_t)point->size,
		            (uintmax_t)point->offset);
	return true;
}

/* Units begin at lines, so a page has one way to cut a transfer for each. */
static void
time_transfers(struct sim *sim)
{
	for (uint64_t i = 0; i < PAGE / LINE; i++) {
		uint64_t at = i * LINE + sim->offset % LINE;
		struct tlp_sum read = {0}, write = {0};

		tlp_add_read(&read, &sim->rules, at, sim->size);
		tlp_add_write(&write, &sim->rules, at, sim->size);
		sim->read[i] = (struct busy){wire(sim, read.tx_bytes),
		                             wire(sim, read.rx_bytes)};
		sim->write[i] = (struct busy){wire(sim, write.tx_bytes), 0};
	}
}

static bool
sim_prepare(struct session *s, const struct point *point)
{
	struct sim *sim = s->state;
	uint64_t unit = unit_of(point);

	if (!sim_check(s, point) || !unit)
		return false;
	sim->size = point->size;
	sim->offset = point->offset;
	sim->window = point->window;
	sim->unit = unit;
	sim->units = point->window / unit;
	sim->next = 0;
	sim->random_order = point->pattern == RANDOM;
	sim->warm = point->cache == HOST_WARM || point->cache == DEVICE_WARM;
	sim->root = sim->option[RC];
	if (is_remote(point))
		sim->root += sim->option[REMOTE];
	time_transfers(sim);
	identify(s, point, is_remote(point));
	return true;
}

static bool
refuse(struct session *s, const char *name, const char *why)
{
	return fail(s, STATUS_TROUBLE, "-O %s=%s: %s", name,
	            option_value(s->request, options, name), why);
}

static bool
read_options(struct session *s)
{
	struct sim *sim = s->state;

	for (size_t i = 0; i < LINK; i++) {
		const char *name = options[i].name;
		uint64_t *value = &sim->option[i];
		const char *why = ranges[i].parse(
		    option_value(s->request, options, name), value);

		if (why)
			return refuse(s, name, why);
		if (*value < ranges[i].least || *value > ranges[i].most)
			return refuse(s, name, ranges[i].text);
	}
	return true;
}

/*
 * What a TLP byte takes on a busy link, where the link's own traffic has its
 * share: an Ack and an UpdateFC of 8 bytes for so many bytes, 4 bytes of SKP
 * in 1538, as in pcb-model(1). A single transaction waits for none of them.
 */
static uint64_t
with_link_traffic(uint64_t byte_fs, const struct link *link)
{
	uint64_t limit = link_ack_limit(link);
	uint64_t all = limit * SKP_EVERY;
	uint64_t left = all - 2 * DLLP * SKP_EVERY - limit * SKP;

	return (byte_fs * all + left - 1) / left;
}

/*
 * With flits 236 bytes of 256 are TLPs. PCIe Base Specification 6.0, 4.2.
 */
static bool
read_link(struct session *s)
{
	struct sim *sim = s->state;
	const char *name = options[LINK].name;
	struct link link;
	const char *why =
	    link_parse(option_value(s->request, options, name), &link);

	if (why)
		return refuse(s, name, why);
	if (link.bus != BUS_PCIE)
		return refuse(s, name, "only PCI Express is simulated");
	sim->rules = tlp_rules_of(&link);
	sim->byte_fs = link_byte_fs(&link);
	if (link.flit)
		sim->byte_fs = (sim->byte_fs * 256 + 235) / 236;
	else if (s->request->bench->totals)
		sim->byte_fs = with_link_traffic(sim->byte_fs, &link);
	return true;
}

static void
describe(struct session *s)
{
	char *text = xstrdup("");
	char tick[24];

	for (const struct backend_option *o = options; o->name; o++) {
		char *longer =
		    xasprintf("%s%s%s=%s", text, *text ? " " : "", o->name,
		              option_value(s->request, options, o->name));

		free(text);
		text = longer;
	}
	preamble_set(s->preamble, "sim", "%s", text);
	free(text);
	*print_ns(tick, ((struct sim *)s->state)->option[TICK]) = '\0';
	preamble_set(s->preamble, "clock_tick_ns", "%s", tick);
}

static bool
sim_open(struct session *s)
{
	const char *which = s->request->which;
	struct sim *sim;

	if (which && strcmp(which, "default") != 0)
		return fail(s, STATUS_ABSENT,
		            "sim:%s: no such profile; there is sim:default",
		            which);
	s->state = sim = xcalloc(1, sizeof *sim);
	if (!read_options(s) || !read_link(s))
		return false;
	sim->random = s->request->seed;
	sim->buffer = s->request->buffer;
	if (!sim->buffer)
		sim->buffer = later(UINT64_C(64) << 20, 4 * sim->option[LLC]);
	if (sim->buffer > MEMORY)
		sim->buffer = MEMORY;
	sim->done = xcalloc(sim->option[INFLIGHT], sizeof *sim->done);
	describe(s);
	return true;
}

static void
sim_close(struct session *s)
{
	struct sim *sim = s->state;

	if (sim)
		free(sim->done);
	free(sim);
	s->state = NULL;
}

#define BENCHES                                                                \
	(BENCH_BIT(LAT_RD) | BENCH_BIT(LAT_WRRD) | BENCH_BIT(BW_RD) |          \
	 BENCH_BIT(BW_WR) | BENCH_BIT(BW_RDWR))

static void
sim_probe(const struct request *request, struct findings *list)
{
	struct finding *f = findings_add(list, "sim");

	(void)request;
	finding_text(&f->device, "sim:default");
	finding_text(&f->link, "%s", options[LINK].value);
	finding_text(&f->node, "0");
	finding_text(&f->name, "simulated device");
	f->benches = BENCHES;
	f->automatic = true;
}

const struct backend sim_backend = {
    .name = "sim",
    .help = "a simulated device",
    .benches = BENCHES,
    .options = options,
    .probe = sim_probe,
    .open = sim_open,
    .check = sim_check,
    .prepare = sim_prepare,
    .run = sim_run,
    .close = sim_close,
};
