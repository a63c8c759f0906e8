/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the bandwidth of a link from packets, credits and round trips. */
#include "common/link/model.h"

#include "common/base/util.h"

/*
 * Clock compensation: at most every 1538 symbols 4 of them with 8b/10b, at most
 * every 375 blocks one with 128b/130b (PCIe Base Specification 4.0, 4.2.7). For
 * flit mode no open source gives the interval: this share is a guess.
 */
#define SKP_8B10B   (4.0 / 1538)
#define SKP_128B    (1.0 / 375)
#define SKP_OF_FLIT 0.003

/* Units start at cache lines; a page has this number of lines. */
#define PLACES (4096 / CACHE_LINE)

const char *const accounting_names[] = {
    [ACCOUNTING_TRAFFIC] = "traffic",
    [ACCOUNTING_PCIE_BENCH] = "pcie-bench",
};

static const struct work works[] = {
    {"bw_rd", .reads = true},
    {"bw_wr", .writes = true},
    {"bw_rdwr", .reads = true, .writes = true},
    {"bw_mmio_rd", .reads = true, .by_host = true},
    {"bw_mmio_wr", .writes = true, .by_host = true},
};

const struct work *
find_work(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(works); i++) {
		if (!strcmp(name, works[i].name))
			return &works[i];
	}
	return NULL;
}

const char *
why_no_model(const struct link *link)
{
	const char *why;

	if (link->bus != BUS_PCIE)
		return "only PCI Express is modelled";
	why = link_check_mode(link);
	return why ? why : link_check(link);
}

double
skp_share(const struct link_config *config)
{
	if (config->skp.den)
		return (double)config->skp.num / (double)config->skp.den;
	if (config->link.flit)
		return SKP_OF_FLIT;
	/* The published model uses one share for all generations. */
	if (config->link.gen < 3 || config->accounting == ACCOUNTING_PCIE_BENCH)
		return SKP_8B10B;
	return SKP_128B;
}

/*
 * The limits are symbol times, in each of which every lane carries a byte. The
 * published model pcie-bench ignores the lanes.
 */
double
tlp_gbit_s(const struct link_config *config)
{
	double raw = link_raw_gbit_s(&config->link);
	double left = 1 - skp_share(config);
	double limit = link_ack_limit(&config->link);

	if (config->link.flit)
		return raw * left * FLIT_TLP / FLIT_BYTES;
	if (config->accounting == ACCOUNTING_PCIE_BENCH)
		left -= DLLP_BYTES / limit + DLLP_BYTES / limit;
	return raw * left;
}

/* Requests follow the settings of one end, completions those of the other. */
static struct tlp_rules
rules_between(const struct link_config *config, const struct link *asks,
              const struct link *answers)
{
	struct tlp_rules rules = tlp_rules_of(asks);

	if (config->forward && config->forward < rules.mps)
		rules.mps = config->forward;
	rules.completer = config->completer;
	rules.completion_mps = answers->mps;
	rules.completion = tlp_rules_of(answers).completion;
	rules.rcb = config->link.rcb;
	rules.whole_words = config->accounting == ACCOUNTING_TRAFFIC;
	return rules;
}

static const struct link *
link_config_back(const struct link_config *config)
{
	return config->back.bus == BUS_UNKNOWN ? &config->link : &config->back;
}

struct tlp_rules
link_config_rules(const struct link_config *config)
{
	return rules_between(config, &config->link, link_config_back(config));
}

struct tlp_rules
link_config_host_rules(const struct link_config *config)
{
	struct link asks = *link_config_back(config), answers = config->link;

	/* The device answers now, so its ECRC is on completions. */
	answers.ecrc |= answers.ecrc_up;
	asks.ecrc_up = false;
	return rules_between(config, &asks, &answers);
}

const char *
model_check_size(uint64_t size)
{
	if (!size)
		return "a transfer has at least 1 byte";
	return size > MODEL_BYTES_MAX ? "a transfer has at most 1024G" : NULL;
}

const char *
model_check_offset(uint64_t offset)
{
	return offset > MODEL_BYTES_MAX ? "an offset is at most 1024G" : NULL;
}

static uint64_t
unit(const struct transfer *t)
{
	return (t->offset + t->size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

const char *
model_check_window(const struct transfer *t)
{
	if (t->window > MODEL_BYTES_MAX)
		return "a window is at most 1024G";
	if (t->window && t->window < unit(t))
		return "a window holds at least one transfer with its offset, "
		       "rounded up to whole cache lines";
	return NULL;
}

/*
 * The largest limit at this MPS or a smaller one: the limits of gen 1 and 2
 * fall where MPS grows from 256 to 512, and a bound must not.
 */
static unsigned
rarest_ack(struct link link)
{
	unsigned most = 0;

	for (; link.mps >= 128; link.mps /= 2) {
		if (link_ack_limit(&link) > most)
			most = link_ack_limit(&link);
	}
	return most;
}

/*
 * Requests cause Ack and UpdateFC; completions cause only Ack, because a device
 * grants infinite credits for them (PCIe Base Specification 4.0, 2.6.1).
 */
static struct wire
wire_of(const struct link_config *config, const struct tlp_sum *sum)
{
	/*
	 * Bytes of one kind of DLLP in one direction per byte of TLPs in the
	 * other, if it is sent as rarely as the specification recommends.
	 */
	double share = (double)DLLP_BYTES /
	               (rarest_ack(config->link) * config->link.lanes);
	double tx = (double)sum->tx_bytes, rx = (double)sum->rx_bytes;
	double requests_tx = tx - (double)sum->host_tx_bytes;
	double requests_rx = (double)sum->host_rx_bytes;

	if (config->accounting == ACCOUNTING_PCIE_BENCH || config->link.flit)
		share = 0;
	return (struct wire){
	    .sent = tx + (rx + requests_rx) * share,
	    .received = rx + (tx + requests_tx) * share,
	};
}

/* Bounds the pace: each repetition takes `need` of `have` for back_ps. */
static void
bound(struct pace *pace, uint64_t have, uint64_t need, uint64_t back_ps,
      const char *limit)
{
	double per_ns = 1e3 * (double)have / ((double)need * (double)back_ps);

	if (have && need && per_ns < pace->per_ns)
		*pace = (struct pace){per_ns, limit};
}

struct pace
saturate(const struct link_config *config, const struct tlp_sum *sum)
{
	const struct bounds *b = &config->bounds;
	struct wire wire = wire_of(config, sum);
	bool sends_more = wire.sent >= wire.received;
	double bytes = sends_more ? wire.sent : wire.received;
	struct pace pace = {
	    .per_ns = tlp_gbit_s(config) / 8 / bytes,
	    .limited_by = sends_more ? "tx_bytes" : "rx_bytes",
	};

	bound(&pace, b->inflight, sum->mrd, b->rtt_ps, "inflight");
	bound(&pace, b->ph, sum->mwr, b->loop_ps, "credits");
	bound(&pace, b->pd, sum->posted_data, b->loop_ps, "credits");
	bound(&pace, b->host_lines, sum->lines, b->host_ps, "host_lines");
	return pace;
}

/* Offsets within a page repeat: one unit per offset stands for all of them. */
static void
add_units(struct tlp_sum *sum, const struct tlp_rules *rules,
          const struct work *work, const struct transfer *t, uint64_t units)
{
	for (uint64_t i = 0; i < PLACES && i < units; i++) {
		uint64_t address = i * unit(t) + t->offset;
		uint64_t times = (units - i + PLACES - 1) / PLACES;
		struct tlp_sum one = {0};

		if (work->reads)
			tlp_add(&one, rules, TLP_MRD, address, t->size);
		if (work->writes)
			tlp_add(&one, rules, TLP_MWR, address, t->size);
		(work->by_host ? tlp_add_host : tlp_add_times)(sum, &one,
		                                               times);
	}
}

struct expected
expect(const struct link_config *config, const struct work *work,
       const struct transfer *t)
{
	uint64_t units = t->window ? t->window / unit(t) : 1;
	struct tlp_rules rules = work->by_host ? link_config_host_rules(config)
	                                       : link_config_rules(config);
	struct tlp_sum sum = {0};
	struct wire wire;
	struct pace pace;

	add_units(&sum, &rules, work, t, units);
	wire = wire_of(config, &sum);
	pace = saturate(config, &sum);
	pace.per_ns *= (double)units;
	return (struct expected){
	    .mrd = (double)sum.mrd / (double)units,
	    .mwr = (double)sum.mwr / (double)units,
	    .cpld = (double)sum.cpld / (double)units,
	    .tx_bytes = (double)sum.tx_bytes / (double)units,
	    .rx_bytes = (double)sum.rx_bytes / (double)units,
	    .wire = {wire.sent / (double)units, wire.received / (double)units},
	    .per_ns = pace.per_ns,
	    .gbit_s = 8 * (double)t->size * pace.per_ns,
	    .limited_by = pace.limited_by,
	};
}
