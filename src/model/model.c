#include "model/model.h"

#include "common/util.h"

#include <string.h>

/* A DLLP; a SKP ordered set, and how often one comes, in symbols. */
#define DLLP       8
#define SKP        4
#define SKP_PERIOD 1538

static const struct work works[] = {
    {"bw_rd", .reads = true},
    {"bw_wr", .writes = true},
    {"bw_rdwr", .reads = true, .writes = true},
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
	if (link->bus != BUS_PCIE)
		return "only PCI Express is modelled";
	if (link->flit)
		return "flit mode is not modelled yet";
	if (link->gen > 5)
		return "generation 6 and later know flit mode only, which is "
		       "not modelled yet";
	return link_check(link);
}

/*
 * Limits are symbol times, in each of which every lane carries a byte; that
 * the lanes are left out here is the published model's doing.
 */
double
tlp_gbit_s(const struct link *link)
{
	double limit = link_ack_limit(link);
	double lost = DLLP / limit + DLLP / limit + (double)SKP / SKP_PERIOD;

	return link_raw_gbit_s(link) * (1 - lost);
}

const char *
check_size(uint64_t size)
{
	if (!size)
		return "a transfer has at least 1 byte";
	return size > MODEL_BYTES_MAX ? "a transfer has at most 1024G" : NULL;
}

const char *
check_offset(uint64_t offset)
{
	return offset > MODEL_BYTES_MAX ? "an offset is at most 1024G" : NULL;
}

struct pace
saturate(const struct slot *slot, const struct tlp_sum *sum)
{
	bool sends_more = sum->tx_bytes >= sum->rx_bytes;
	uint64_t bytes = sends_more ? sum->tx_bytes : sum->rx_bytes;

	return (struct pace){
	    .per_ns = tlp_gbit_s(&slot->link) / 8 / (double)bytes,
	    .limited_by = sends_more ? "tx_bytes" : "rx_bytes",
	};
}

struct expected
expect(const struct slot *slot, const struct work *work, uint64_t size,
       uint64_t offset)
{
	struct tlp_rules rules = tlp_rules_of(&slot->link);
	struct tlp_sum sum = {0};
	struct pace pace;

	rules.completer = slot->completer;
	if (work->reads)
		tlp_add_read(&sum, &rules, offset, size);
	if (work->writes)
		tlp_add_write(&sum, &rules, offset, size);
	pace = saturate(slot, &sum);
	return (struct expected){
	    .tx_bytes = sum.tx_bytes,
	    .rx_bytes = sum.rx_bytes,
	    .gbit_s = 8 * (double)size * pace.per_ns,
	    .limited_by = pace.limited_by,
	};
}
