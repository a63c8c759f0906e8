/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the packets of each transfer, and what limits it. */
#include "model/options.h"

#include "common/base/util.h"

/* Most packets of a transfer that are listed; others are only counted. */
#define LISTED 24

static void
print_tlp(const struct tlp_rules *rules, const struct tlp *tlp)
{
	static const char *const names[] = {
	    [TLP_MRD] = "MRd", [TLP_MWR] = "MWr", [TLP_CPLD] = "CplD"};
	uint64_t wire = tlp_wire_bytes(rules, tlp);
	uint64_t data = tlp_data_bytes(rules, tlp);
	char text[64], at[32];

	snprintf(text, sizeof text, "%ju + %ju = %ju", (uintmax_t)(wire - data),
	         (uintmax_t)data, (uintmax_t)wire);
	snprintf(at, sizeof at, "0x%jx", (uintmax_t)tlp->address);
	printf("  %-6s%10s%10ju    %-24s%s\n", names[tlp->type], at,
	       (uintmax_t)tlp->length, text,
	       tlp->type == TLP_CPLD ? "received" : "sent");
}

static void
print_walk(const struct tlp_rules *rules, enum tlp_type type,
           const struct transfer *t)
{
	struct tlp_walk walk;
	struct tlp tlp;
	unsigned n = 0;

	tlp_walk_start(&walk, rules, type, t->offset, t->size);
	while (n < LISTED && tlp_next(&walk, &tlp)) {
		print_tlp(rules, &tlp);
		n++;
	}
	if (n == LISTED && tlp_next(&walk, &tlp))
		puts("  ... and more of the same");
}

static void
print_transfer(const struct link_config *config, const struct work *work,
               const struct transfer *t)
{
	struct expected e = expect(config, work, t);
	struct tlp_rules rules = link_config_rules(config);
	const struct rate_unit unit = rate_unit();

	printf("\n%s of %ju bytes at offset %ju", work->name,
	       (uintmax_t)t->size, (uintmax_t)t->offset);
	if (t->window)
		printf(", the first in a window of %ju", (uintmax_t)t->window);
	puts("\n  packet   address    length    around + data = bytes");
	if (work->reads)
		print_walk(&rules, TLP_MRD, t);
	if (work->writes)
		print_walk(&rules, TLP_MWR, t);
	printf("  sent %.15g bytes, received %.15g%s\n", e.tx_bytes, e.rx_bytes,
	       t->window ? ", on average over the window" : "");
	if (e.wire.sent > e.tx_bytes || e.wire.received > e.rx_bytes)
		printf("  with Ack and UpdateFC %.3f and %.3f\n", e.wire.sent,
		       e.wire.received);
	printf("  limited by %s: one in %.3f ns, %.3f %s of data\n",
	       e.limited_by, 1 / e.per_ns, e.gbit_s / unit.gbit_s, unit.name);
}

void
explain(const struct options *options)
{
	const struct work *work =
	    find_work(options->parser.table->mode[options->mode].name);
	const struct transfer_sweep *sweep = &options->sweep;
	struct link_config config = link_config_of(&options->link);
	const struct rate_unit unit = rate_unit();
	char text[LINK_TEXT_MAX];

	link_format(&config.link, text);
	printf("%s: %.3f %s for packets\n", text,
	       tlp_gbit_s(&config) / unit.gbit_s, unit.name);
	for (size_t i = 0; i < transfer_sweep_rows(sweep); i++) {
		struct transfer t = transfer_sweep_row(sweep, i);

		print_transfer(&config, work, &t);
	}
	options_finish();
}
