/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of metrics and their formulas. */
#include "ddio/ddio.h"

#include "common/base/util.h"

#include <math.h>

#define INSERTS(name)   "UNC_CHA_TOR_INSERTS.IO_" name
#define OCCUPANCY(name) "UNC_CHA_TOR_OCCUPANCY.IO_" name
#define CHA_CLOCK       "UNC_CHA_CLOCKTICKS"

#define CHECKED(name) INSERTS(name), INSERTS("HIT_" name), INSERTS("MISS_" name)

/* Table 2. */
#define MISSES(metric, name)                                                   \
	{                                                                      \
		metric, PERCENT, {INSERTS("MISS_" name), INSERTS(name)},       \
		    CHECKED(name)                                              \
	}

/* Below table 1: queue depth, and time in the queue. */
#define QUEUE(suffix, name, ...)                                               \
	{"tor_queue_depth_" suffix,                                            \
	 RATIO,                                                                \
	 {OCCUPANCY(name), CHA_CLOCK},                                         \
	 __VA_ARGS__},                                                         \
	{                                                                      \
		"tor_latency_" suffix "_ns", CLOCKS_AS_NS,                     \
		    {OCCUPANCY(name), INSERTS(name), CHA_CLOCK}, __VA_ARGS__   \
	}

#define QUEUES(suffix, name)                                                   \
	QUEUE(suffix, name, CHECKED(name)),                                    \
	    QUEUE("hit_" suffix, "HIT_" name, CHECKED(name)),                  \
	    QUEUE("miss_" suffix, "MISS_" name, CHECKED(name))

#define OF_CPU(kind, name) "UNC_IIO_" kind "_REQ_OF_CPU." name
#define BY_CPU(kind, name) "UNC_IIO_" kind "_REQ_BY_CPU." name

#define SIMPLE(metric, formula, ...)                                           \
	{                                                                      \
		metric, formula, {__VA_ARGS__}, 0, 0, 0                        \
	}

const struct metric metrics[] = {
    MISSES("io_percent_of_inbound_reads_that_miss_l3", "PCIRDCUR"),
    MISSES("io_percent_of_inbound_full_writes_that_miss_l3", "ITOM"),
    MISSES("io_percent_of_inbound_partial_writes_that_miss_l3",
           "ITOMCACHENEAR"),

    QUEUES("pcirdcur", "PCIRDCUR"),
    QUEUES("itom", "ITOM"),
    QUEUES("itomcachenear", "ITOMCACHENEAR"),
    QUEUE("wbmtoi", "WBMTOI", 0, 0, 0),
    QUEUE("clflush", "CLFLUSH", 0, 0, 0),

    /* Of PerfSpect, in MB/s there. */
    SIMPLE("io_inbound_read_bandwidth_local_gbit_s", GBIT_S,
           INSERTS("PCIRDCUR_LOCAL")),
    SIMPLE("io_inbound_read_bandwidth_remote_gbit_s", GBIT_S,
           INSERTS("PCIRDCUR_REMOTE")),
    SIMPLE("io_inbound_write_bandwidth_local_gbit_s", GBIT_S,
           INSERTS("ITOM_LOCAL"), INSERTS("ITOMCACHENEAR_LOCAL")),
    SIMPLE("io_inbound_write_bandwidth_remote_gbit_s", GBIT_S,
           INSERTS("ITOM_REMOTE"), INSERTS("ITOMCACHENEAR_REMOTE")),
    SIMPLE("io_msi_per_s", PER_SECOND,
           "UNC_IIO_NUM_REQ_OF_CPU_BY_TGT.UBOX_POSTED"),

    /* Table 4. */
    SIMPLE("io_inbound_read_requests_per_s", PER_SECOND,
           OF_CPU("TXN", "MEM_READ")),
    SIMPLE("io_inbound_read_bandwidth_gbit_s", GBIT_S,
           OF_CPU("DATA", "MEM_READ")),
    SIMPLE("io_inbound_write_requests_per_s", PER_SECOND,
           OF_CPU("TXN", "MEM_WRITE")),
    SIMPLE("io_inbound_write_bandwidth_gbit_s", GBIT_S,
           OF_CPU("DATA", "MEM_WRITE")),
    SIMPLE("io_outbound_read_requests_per_s", PER_SECOND,
           BY_CPU("TXN", "MEM_READ")),
    SIMPLE("io_outbound_read_bandwidth_gbit_s", GBIT_S, OF_CPU("DATA", "CMPD")),
    SIMPLE("io_outbound_write_requests_per_s", PER_SECOND,
           BY_CPU("TXN", "MEM_WRITE")),
    SIMPLE("io_outbound_write_bandwidth_gbit_s", GBIT_S,
           BY_CPU("DATA", "MEM_WRITE")),

    SIMPLE("io_outbound_config_read_requests_per_s", PER_SECOND,
           BY_CPU("TXN", "CFG_READ")),

    SIMPLE("io_inbound_read_latency_ns", CLOCKS_AS_NS,
           "UNC_IIO_COMP_BUF_OCCUPANCY.CMPD", "UNC_IIO_COMP_BUF_INSERTS.CMPD",
           "UNC_IIO_CLOCKTICKS"),

    /* The coherence agent behind the root complex (IRP). */
    SIMPLE("irp_read_requests_per_s", PER_SECOND, "UNC_I_FAF_INSERTS"),
    SIMPLE("irp_read_latency_ns", CLOCKS_AS_NS, "UNC_I_FAF_OCCUPANCY",
           "UNC_I_FAF_INSERTS", "UNC_I_CLOCKTICKS"),
    SIMPLE("irp_write_requests_per_s", PER_SECOND,
           "UNC_I_TRANSACTIONS.WR_PREF"),
    SIMPLE("irp_full_write_requests_per_s", PER_SECOND,
           "UNC_I_COHERENT_OPS.PCITOM"),
    SIMPLE("irp_partial_write_requests_per_s", PER_SECOND,
           "UNC_I_COHERENT_OPS.RFO"),
    SIMPLE("irp_queue_depth", RATIO, "UNC_I_CACHE_TOTAL_OCCUPANCY.MEM",
           "UNC_I_CLOCKTICKS"),
    SIMPLE("irp_write_latency_ns", CLOCKS_AS_NS,
           "UNC_I_CACHE_TOTAL_OCCUPANCY.MEM", "UNC_I_TRANSACTIONS.WR_PREF",
           "UNC_I_CLOCKTICKS"),
    SIMPLE("irp_lost_forwards_per_s", PER_SECOND, "UNC_I_MISC1.LOST_FWD"),

    /* Table 6. */
    SIMPLE("memory_bandwidth_read_gbit_s", GBIT_S, "UNC_M_CAS_COUNT.RD"),
    SIMPLE("memory_bandwidth_write_gbit_s", GBIT_S, "UNC_M_CAS_COUNT.WR"),
    SIMPLE("memory_bandwidth_total_gbit_s", GBIT_S, "UNC_M_CAS_COUNT.RD",
           "UNC_M_CAS_COUNT.WR"),

    /* Other vendors. */
    SIMPLE("io_inbound_read_bandwidth_gbit_s", GBIT_S, "upstream_read_beats"),
    SIMPLE("io_inbound_write_bandwidth_gbit_s", GBIT_S, "upstream_write_beats"),
    SIMPLE("io_inbound_read_requests_per_s", PER_SECOND, "rd_req_loc"),
    SIMPLE("io_inbound_read_bandwidth_gbit_s", GBIT_S, "rd_bytes_loc"),
    SIMPLE("io_inbound_write_requests_per_s", PER_SECOND, "wr_req_loc"),
    SIMPLE("io_inbound_write_bandwidth_gbit_s", GBIT_S, "wr_bytes_loc"),
    SIMPLE("rx_mrd_latency_per_request", RATIO, "rx_mrd_latency", "rx_mrd_cnt"),
    SIMPLE("rx_mwr_latency_per_request", RATIO, "rx_mwr_latency", "rx_mwr_cnt"),
    SIMPLE("rx_payload_bandwidth_gbit_s", GBIT_S, "rx_pcie_tlp_data_payload"),
    SIMPLE("tx_payload_bandwidth_gbit_s", GBIT_S, "tx_pcie_tlp_data_payload"),
};

const size_t nmetrics = ARRAY_LEN(metrics);

/* The counts of a metric; missing ones are `none`. */
struct operands {
	const struct event_count *total[3];
	size_t n;
};

static const struct event_count none;

/* The count of an event in the aggregate itself, or NULL. */
static const struct event_count *
find_own(const struct aggregate *aggregate, const char *event)
{
	for (size_t i = 0; i < aggregate->n; i++) {
		if (!strcmp(aggregate->total[i].event->name, event))
			return &aggregate->total[i];
	}
	return NULL;
}

/* The clock is counted for the part's unit. */
static const struct event_count *
find(const struct input *in, size_t aggregate, const char *event)
{
	const struct event_count *total =
	    find_own(&in->aggregate[aggregate], event);

	if (total)
		return total;
	return find_own(&in->aggregate[in->aggregate[aggregate].unit], event);
}

/* The first operand is in this aggregate: a metric belongs to its subject. */
static enum metric_outcome
find_operands(const struct metric *m, const struct input *in, size_t aggregate,
              struct operands *o)
{
	enum metric_outcome outcome = METRIC_GIVEN;

	if (!find_own(&in->aggregate[aggregate], m->event[0]))
		return METRIC_ABSENT;
	for (; o->n < ARRAY_LEN(m->event) && m->event[o->n]; o->n++) {
		const struct event_count *total =
		    find(in, aggregate, m->event[o->n]);

		if (!total)
			return METRIC_ABSENT;
		if (total->missing)
			outcome = METRIC_MISSING;
		o->total[o->n] = total;
	}
	return outcome;
}

static unsigned
flags_of_times(const struct metric *m, const struct operands *o)
{
	unsigned flags = 0;

	for (size_t i = 0; i < o->n; i++) {
		const struct event_count *t = o->total[i];
		const struct event_count *first = o->total[0];
		/*
		 * A clock counted all the time has the interval's rate, so
		 * other counts need not cover the same time. A unit's clock is
		 * in no group.
		 */
		bool whole_clock = m->formula == CLOCKS_AS_NS && i == 2 &&
		                   t->running >= t->enabled;

		if (t->running < t->enabled || t->scaled)
			flags |= METRIC_SCALED;
		if (!whole_clock &&
		    (islessgreater(t->running, first->running) ||
		     islessgreater(t->enabled, first->enabled)))
			flags |= METRIC_UNGROUPED;
	}
	return flags;
}

/* Largest difference of hits and misses from all, as a part: 2 %. */
#define INCONSISTENT_ABOVE 0.02

/* If hit or miss was not counted, the other cannot exceed the whole. */
static bool
is_inconsistent(const struct metric *m, const struct input *in,
                size_t aggregate)
{
	const struct event_count *whole, *hit, *miss;
	double sum;

	if (!m->whole)
		return false;
	whole = find(in, aggregate, m->whole);
	hit = find(in, aggregate, m->hit);
	miss = find(in, aggregate, m->miss);
	if (!whole || whole->missing)
		return false;
	sum = (hit ? hit->value : 0) + (miss ? miss->value : 0);
	if (hit && miss && !hit->missing && !miss->missing)
		return fabs(sum - whole->value) >
		       INCONSISTENT_ABOVE * whole->value;
	return sum > (1 + INCONSISTENT_ABOVE) * whole->value;
}

/* Of one interval, in nanoseconds; NAN if unknown. */
static double
duration_of(const struct event_count *t, double duration)
{
	double own = t->duration / t->weight;

	return isnan(own) ? duration : own;
}

/* Clocks per nanosecond of one unit: both sums are over equally many. */
static double
clock_rate(const struct event_count *clock, double duration)
{
	if (isnan(clock->enabled))
		return clock->value / clock->weight /
		       duration_of(clock, duration);
	return clock->value / clock->enabled;
}

static double
formula_value(const struct metric *m, const struct operands *o, double duration)
{
	const struct event_count *const *t = o->total;
	double sum = 0;

	switch (m->formula) {
	case PERCENT:
		return 100 * t[0]->value / t[1]->value;
	case PER_SECOND:
		return t[0]->value * 1e9 / duration_of(t[0], duration);
	case GBIT_S:
		for (size_t i = 0; i < o->n; i++)
			sum += 8 * t[i]->event->bytes * t[i]->value /
			       duration_of(t[i], duration);
		return sum;
	case CLOCKS_AS_NS:
		return t[0]->value / t[1]->value / clock_rate(t[2], duration);
	default:
		return t[0]->value / t[1]->value;
	}
}

enum metric_outcome
metric_compute(const struct metric *metric, const struct input *in,
               size_t aggregate, double duration, struct metric_value *result)
{
	struct operands o = {.total = {&none, &none, &none}};
	bool divides =
	    metric->formula != PER_SECOND && metric->formula != GBIT_S;
	enum metric_outcome outcome = find_operands(metric, in, aggregate, &o);

	if (outcome != METRIC_GIVEN)
		return outcome;
	for (size_t i = 1; divides && i < o.n; i++) {
		if (o.total[i]->value <= 0)
			return METRIC_ABSENT;
	}
	result->value = formula_value(metric, &o, duration);
	if (!isfinite(result->value))
		return METRIC_UNTIMED;
	result->flags = flags_of_times(metric, &o);
	if (is_inconsistent(metric, in, aggregate))
		result->flags |= METRIC_INCONSISTENT;
	/* Above 100 % the value is dropped; the counts show the error. */
	if (result->flags & METRIC_INCONSISTENT && metric->formula == PERCENT &&
	    result->value > 100)
		result->value = NAN;
	return METRIC_GIVEN;
}
