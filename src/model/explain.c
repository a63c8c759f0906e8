/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints how the model computes a result, step by step. */
#include "model/options.h"

#include "common/base/util.h"

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
		printf("%s of %s\n", reg, bdf);
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

static void
print_ecrc(const char *what, const struct link_options *o, bool is, bool seen,
           const char *bdf)
{
	if (o->path.n && !seen && !o->given[ECRC])
		printf("  %-24s%-14snot visible in %s\n", what, on_or_off(is),
		       bdf);
	else
		print_setting(o, what, on_or_off(is), ECRC, "AER", bdf);
}

static bool
sends_ecrc(const struct link *link)
{
	return link->ecrc || link->ecrc_up;
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
	print_setting(o, "generation", number(link->gen, ""), GEN, "LnkSta",
	              slow);
	print_setting(o, "lanes", number(link->lanes, ""), LANES, "LnkSta",
	              slow);
	print_setting(o, "flit mode", on_or_off(link->flit),
	              link->gen > 5 && !o->given[FLIT] ? GEN : FLIT, "LnkSta2",
	              slow);
	print_setting(o, "MPS of what it sends", number(link->mps, " bytes"),
	              MPS, "DevCtl", own);
	print_setting(o, "MPS of completions", number(back->mps, " bytes"), MPS,
	              "DevCtl", top);
	print_setting(o, "MRRS", number(link->mrrs, " bytes"), MRRS, "DevCtl",
	              own);
	print_setting(o, "RCB", number(back->rcb, " bytes"), RCB, "LnkCtl",
	              top);
	print_setting(o, "addresses", link->addr32 ? "32 bits" : "64 bits",
	              ADDR, NULL, NULL);
	print_ecrc("ECRC of what it sends", o, sends_ecrc(link),
	           path->ecrc_seen, own);
	print_ecrc("ECRC of completions", o, back->ecrc,
	           path->completion_ecrc_seen, top);
	printf("  %-24s%-14s%s\n", "completer",
	       completer_names[config->completer],
	       config->completer ? "--completer" : "default");
}

static void
print_path(const struct path *path)
{
	static const char *const ports[] = {
	    [PORT_NONE] = "a conventional bridge",
	    [PORT_UNSEEN] = "a bridge that is not visible",
	    [PORT_ENDPOINT] = "end point",
	    [PORT_ROOT] = "root port",
	    [PORT_UPSTREAM] = "upstream port of a switch",
	    [PORT_DOWNSTREAM] = "downstream port of a switch",
	    [PORT_TO_PCI] = "bridge to a conventional bus",
	    [PORT_FROM_PCI] = "bridge from a conventional bus",
	    [PORT_INTEGRATED] = "integrated in the root complex",
	};

	if (!path->n)
		return;
	puts("\nPath, each with the link above it");
	puts("  above         unknown    what connects it to memory");
	for (size_t i = path->n; i--;) {
		const struct hop *hop = &path->hop[i];

		printf("  %-14s", hop->bdf);
		if (hop->link.bus == BUS_PCIE)
			printf("gen%ux%-6u", hop->link.gen, hop->link.lanes);
		else
			printf("%-11s", hop_is_unseen(hop) ? "unknown" : "");
		printf("%s%s\n", ports[hop->port],
		       i == path->limit ? ": limits" : "");
	}
	if (path->tags)
		printf("  outstanding reads, at most %u by its tags\n",
		       path->tags);
	else
		puts("  outstanding reads: unknown, its tags are not visible");
}

static void
print_rate(const char *what, double gbit_s)
{
	printf("  %-38s%12.3f Gbit/s\n", what, gbit_s);
}

static void
print_part(const char *what, const char *part, double gbit_s)
{
	char text[128];

	snprintf(text, sizeof text, "%s: %s", what, part);
	print_rate(text, gbit_s);
}

static void
print_limit(const char *what, double raw, unsigned limit)
{
	char text[64];

	snprintf(text, sizeof text, "%u bytes of every %u", DLLP_BYTES, limit);
	print_part(what, text, -raw * DLLP_BYTES / limit);
}

/* Prints the steps from the raw rate to the rate of packets. */
static void
print_rates(const struct link_config *config)
{
	const struct link *link = &config->link;
	double raw = link_raw_gbit_s(link);
	char text[64];

	printf("\nRate in each direction, accounting %s\n",
	       accounting_names[config->accounting]);
	snprintf(text, sizeof text, "%g GT/s x %u, %s", link_gt_s(link),
	         link->lanes, link_encoding(link));
	print_rate(text, raw);
	snprintf(text, sizeof text, "%.3f %%", 100 * skp_share(config));
	print_part("SKP", text, -raw * skp_share(config));
	if (link->flit)
		puts("  packets: 236 bytes of each 256 of a flit");
	else if (config->accounting == ACCOUNTING_PCIE_BENCH) {
		print_limit("Ack", raw, link_ack_limit(link));
		print_limit("UpdateFC", raw, link_ack_limit(link));
	}
	print_rate("left for packets", tlp_gbit_s(config));
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

/* Prints the overhead of each packet. */
static void
print_headers(const struct tlp_rules *rules, const struct link *link,
              bool back_ecrc)
{
	unsigned header = link->addr32 ? 12 : 16;
	unsigned around = rules->request - header - (sends_ecrc(link) ? 4 : 0);

	puts("\nBytes around the data of a packet");
	printf("  sent          %u: %u of framing, sequence number and CRC, "
	       "header %u%s\n",
	       rules->request, around, header,
	       sends_ecrc(link) ? ", ECRC 4" : "");
	printf("  completions   %u: %u, header 12%s\n", rules->completion,
	       around, back_ecrc ? ", ECRC 4" : "");
}

/* Prints the bounds, each as the rate that it allows. */
static void
print_bounds(const struct bounds *b)
{
	if (b->inflight)
		printf("  at most %ju outstanding requests, each for %g ns\n",
		       (uintmax_t)b->inflight, (double)b->rtt_ps / 1000);
	if (b->ph)
		printf("  at most %ju posted headers each %g ns\n",
		       (uintmax_t)b->ph, (double)b->loop_ps / 1000);
	if (b->pd)
		printf("  at most %ju x 16 bytes of posted data each %g ns\n",
		       (uintmax_t)b->pd, (double)b->loop_ps / 1000);
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
	print_bounds(&config->bounds);
	printf("  limited by %s: one in %.3f ns, %.3f Gbit/s of data\n",
	       e.limited_by, 1 / e.per_ns, e.gbit_s);
}

void
explain(const struct options *options)
{
	const struct work *work = find_work(mode_name(options));
	const struct transfer_sweep *sweep = &options->sweep;
	struct link_config config = link_config_of(&options->link);
	struct tlp_rules rules = link_config_rules(&config);

	print_link(&options->link, &config);
	print_path(&options->link.path);
	print_rates(&config);
	print_headers(&rules, &config.link, link_config_back(&config)->ecrc);
	for (size_t i = 0; work && i < transfer_sweep_rows(sweep); i++) {
		struct transfer t = transfer_sweep_row(sweep, i);

		print_transfer(&config, work, &t);
	}
	options_finish();
}
