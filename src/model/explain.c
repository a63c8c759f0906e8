/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how the model computes a result, step by step. */
#include "model/options.h"

#include "common/base/util.h"

#include <stdarg.h>
#include <stdio.h>

/* Most packets of a transfer that are listed; others are only counted. */
#define LISTED 24

/* Prints a parameter and its origin: an option, or a function's register. */
static void
print_setting(const struct link_options *o, const char *what, const char *value,
              enum link_param param, const char *reg, const char *bdf)
{
	printf("  %-24s%-14s", what, value);
	if (o->given[param])
		printf("--%s\n", link_params[param]);
	else if (o->path.n && reg)
		printf("%s %s\n", reg, bdf);
	else
		puts(o->grammar ? "--link" : "default");
}

/* A number with its unit; valid until the next call. */
static const char *
number(unsigned value, const char *unit)
{
	static char text[32];

	snprintf(text, sizeof text, "%u%s", value, unit);
	return text;
}

static const char *
on_or_off(bool is)
{
	return is ? "on" : "off";
}

/* Prints settings for TLPs sent and received by the device. */
static void
print_link(const struct link_options *o, const struct link_config *config)
{
	const struct link *link = &config->link;
	const struct link *back = link_config_back(config);
	const struct path *path = &o->path;
	const char *own = path->n ? path->hop[0].bdf : NULL;
	const char *top = path->n ? path->hop[path->n - 1].bdf : NULL;
	const char *slow = path->n ? path->hop[path->limit].bdf : NULL;
	char text[LINK_TEXT_MAX];

	if (path->n && !path->rooted)
		top = own;
	link_format(link, text);
	printf("Link %s\n", text);
	print_setting(o, "generation", number(link->gen, ""), GEN, "LnkSta of",
	              slow);
	print_setting(o, "lanes", number(link->lanes, ""), LANES, "LnkSta of",
	              slow);
	print_setting(o, "flit mode", on_or_off(link->flit),
	              link->gen > 5 && !o->given[FLIT] ? GEN : FLIT,
	              "LnkSta2 of", slow);
	print_setting(o, "MPS of what it sends", number(link->mps, " bytes"),
	              MPS, "DevCtl of", own);
	print_setting(o, "MPS of completions", number(back->mps, " bytes"), MPS,
	              "DevCtl of", top);
	print_setting(o, "MRRS", number(link->mrrs, " bytes"), MRRS,
	              "DevCtl of", own);
	print_setting(o, "RCB", number(back->rcb, " bytes"), RCB, "LnkCtl of",
	              top);
	print_setting(o, "addresses", link->addr32 ? "32 bits" : "64 bits",
	              ADDR, NULL, NULL);
	print_setting(o, "ECRC of what it sends",
	              on_or_off(link->ecrc || link->ecrc_up), ECRC,
	              path->ecrc_seen ? "AER of" : "not visible in", own);
	print_setting(o, "ECRC of completions", on_or_off(back->ecrc), ECRC,
	              path->completion_ecrc_seen ? "AER of" : "not visible in",
	              top);
	printf("  %-24s%-14s%s\n", "completer",
	       completer_names[config->completer],
	       config->completer ? "--completer" : "default");
	if (path->tags)
		printf("  outstanding reads, at most %u by its tags\n",
		       path->tags);
}

static void PRINTF_LIKE(2, 3) print_rate(double gbit_s, const char *fmt, ...)
{
	char text[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	printf("  %-38s%12.3f Gbit/s\n", text, gbit_s);
}

/* Prints the steps from the raw rate to the rate of packets. */
static void
print_rates(const struct link_config *config)
{
	const struct link *link = &config->link;
	double raw = link_raw_gbit_s(link), skp = skp_share(config);
	unsigned limit = link_ack_limit(link);

	printf("\nRate in each direction, accounting %s\n",
	       accounting_names[config->accounting]);
	print_rate(raw, "%g GT/s x %u, %s", link_gt_s(link), link->lanes,
	           link_encoding(link));
	print_rate(-raw * skp, "SKP: %.3f %%", 100 * skp);
	if (link->flit)
		puts("  packets: 236 bytes of each 256 of a flit");
	else if (config->accounting == ACCOUNTING_PCIE_BENCH) {
		print_rate(-raw * DLLP_BYTES / limit,
		           "Ack: %u bytes of every %u", DLLP_BYTES, limit);
		print_rate(-raw * DLLP_BYTES / limit,
		           "UpdateFC: %u bytes of every %u", DLLP_BYTES, limit);
	}
	print_rate(tlp_gbit_s(config), "left for packets");
}

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
print_walk(struct tlp_walk walk)
{
	struct tlp tlp;
	unsigned n = 0;

	while (n < LISTED && tlp_next(&walk, &tlp)) {
		print_tlp(walk.rules, &tlp);
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
	struct tlp_walk walk;

	printf("\n%s of %ju bytes at offset %ju", work->name,
	       (uintmax_t)t->size, (uintmax_t)t->offset);
	if (t->window)
		printf(", the first in a window of %ju", (uintmax_t)t->window);
	puts("\n  packet   address    length    around + data = bytes");
	if (work->reads) {
		tlp_walk_start(&walk, &rules, TLP_MRD, t->offset, t->size);
		print_walk(walk);
	}
	if (work->writes) {
		tlp_walk_start(&walk, &rules, TLP_MWR, t->offset, t->size);
		print_walk(walk);
	}
	printf("  sent %.15g bytes, received %.15g%s\n", e.tx_bytes, e.rx_bytes,
	       t->window ? ", on average over the window" : "");
	if (e.wire.sent > e.tx_bytes || e.wire.received > e.rx_bytes)
		printf("  with Ack and UpdateFC %.3f and %.3f\n", e.wire.sent,
		       e.wire.received);
	printf("  limited by %s: one in %.3f ns, %.3f Gbit/s of data\n",
	       e.limited_by, 1 / e.per_ns, e.gbit_s);
}

void
explain(const struct options *options)
{
	const struct work *work =
	    find_work(options->parser.table->mode[options->mode].name);
	const struct transfer_sweep *sweep = &options->sweep;
	struct link_config config = link_config_of(&options->link);

	print_link(&options->link, &config);
	print_rates(&config);
	for (size_t i = 0; work && i < transfer_sweep_rows(sweep); i++) {
		struct transfer t = transfer_sweep_row(sweep, i);

		print_transfer(&config, work, &t);
	}
	options_finish();
}
