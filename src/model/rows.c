/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the bandwidths of transfers, the rates of a link, and the time of a
 * DWORD read on links and parallel buses.
 */
#include "model/options.h"

#include "common/base/util.h"
#include "common/link/tlp.h"

#include <math.h>
#include <string.h>

const char *
mode_name(const struct options *options)
{
	return options->parser.table->mode[options->mode].name;
}

void
write_stream(struct out *o, const struct options *options,
             void (*write)(struct out *o, const struct options *options))
{
	static struct preamble pre;

	preamble_set(&pre, "tool", "pcb-model %s", program_version);
	preamble_add_command(&pre);
	o->preamble = &pre;
	write(o, options);
	out_finish(o, true, NULL);
	preamble_free(&pre);
}

static void
write_optional(struct out *o, bool there, uint64_t number)
{
	if (there)
		out_u64(o, number);
	else
		out_text(o, "");
}

/* A mean over a window may be a fraction. */
static void
write_mean(struct out *o, double mean)
{
	if (mean == (double)(uint64_t)mean)
		out_u64(o, (uint64_t)mean);
	else
		out_double(o, mean);
}

/* Columns of rows about a device, after those of all rows. */
static const char *const of_device[] = {"device", "limiting_link",
                                        "completion_mps_bytes", "tags"};

static void
begin(struct out *o, const struct link_config *config,
      const char *const names[], size_t n)
{
	const char *all[32];

	memcpy(all, names, n * sizeof *all);
	memcpy(all + n, of_device, sizeof of_device);
	out_begin(o, all, config->path ? n + ARRAY_LEN(of_device) : n);
}

static void
write_device(struct out *o, const struct link_config *config)
{
	const struct path *path = config->path;

	if (!path)
		return;
	out_text(o, path->hop[0].bdf);
	out_text(o, path->hop[path->limit].bdf);
	out_u64(o, config->back.mps);
	write_optional(o, path->tags, path->tags);
}

void
write_bandwidths(struct out *o, const struct options *options)
{
	static const char *const names[] = {
	    "kind",
	    "bench",
	    "link",
	    "accounting",
	    "completer",
	    "size_bytes",
	    "offset_bytes",
	    "window_bytes",
	    "mrd_tlps",
	    "mwr_tlps",
	    "cpld_tlps",
	    "tx_bytes",
	    "rx_bytes",
	    "efficiency_pct",
	    "transactions_per_s",
	    "transaction_ns",
	    "bandwidth_gbit_s",
	    "limited_by",
	};
	const struct work *work = find_work(mode_name(options));
	const struct link_config config = link_config_of(&options->link);
	char link[LINK_TEXT_MAX];

	begin(o, &config, names, ARRAY_LEN(names));
	link_format(&config.link, link);
	for (size_t i = 0; i < transfer_sweep_rows(&options->sweep); i++) {
		struct transfer t = transfer_sweep_row(&options->sweep, i);
		struct expected e = expect(&config, work, &t);

		out_text(o, "model");
		out_text(o, work->name);
		out_text(o, link);
		out_text(o, accounting_names[config.accounting]);
		out_text(o, completer_names[config.completer]);
		out_u64(o, t.size);
		out_u64(o, t.offset);
		write_optional(o, t.window, t.window);
		write_mean(o, e.mrd);
		write_mean(o, e.mwr);
		write_mean(o, e.cpld);
		write_mean(o, e.tx_bytes);
		write_mean(o, e.rx_bytes);
		out_double(o, 100 * e.gbit_s / link_raw_gbit_s(&config.link));
		out_double(o, 1e9 * e.per_ns);
		out_double(o, 1 / e.per_ns);
		out_double(o, e.gbit_s);
		out_text(o, e.limited_by);
		write_device(o, &config);
	}
}

void
write_link(struct out *o, const struct options *options)
{
	static const char *const names[] = {
	    "kind",
	    "link",
	    "accounting",
	    "encoding",
	    "ack_limit_bytes",
	    "fc_limit_bytes",
	    "skp_pct",
	    "raw_gbit_s",
	    "bandwidth_gbit_s",
	};
	const struct link_config config = link_config_of(&options->link);
	char link[LINK_TEXT_MAX];
	bool limits = !config.link.flit;

	link_format(&config.link, link);
	begin(o, &config, names, ARRAY_LEN(names));
	out_text(o, "model");
	out_text(o, link);
	out_text(o, accounting_names[config.accounting]);
	out_text(o, link_encoding(&config.link));
	write_optional(o, limits, link_ack_limit(&config.link));
	write_optional(o, limits, link_ack_limit(&config.link));
	out_double(o, 100 * skp_share(&config));
	out_double(o, link_raw_gbit_s(&config.link));
	out_double(o, tlp_gbit_s(&config));
	write_device(o, &config);
}

/* The time of a DWORD read ------------------------------------------------- */

/* NAN, a missing value, if no option says anything of it. */
static double
round_trip_ns(const struct options *o, const struct link *link,
              const struct serial *serial)
{
	const struct delays *d = &o->delays;
	double serdes = options_given(&o->parser, "serdes")
	                    ? (double)d->serdes / 1000 / link->lanes
	                    : serial->ns / 2;

	if (link->bus != BUS_PCIE || !(options_given(&o->parser, "proc") ||
	                               options_given(&o->parser, "serdes") ||
	                               options_given(&o->parser, "flight")))
		return NAN;
	return 2 * ((double)d->proc / 1000 + serdes + (double)d->flight / 1000);
}

static void
write_row(struct out *out, const struct options *o, const char *bdf,
          const struct link *link, struct serial s, enum devsel devsel)
{
	char text[LINK_TEXT_MAX];

	link_format(link, text);
	out_text(out, "model");
	out_text(out, text);
	out_text(out, devsel_names[devsel]);
	write_optional(out, s.clocks, s.clocks);
	write_optional(out, s.request, s.request);
	write_optional(out, s.completion, s.completion);
	out_double(out, s.ns);
	out_double(out, round_trip_ns(o, link, &s));
	if (bdf)
		out_text(out, bdf);
}

/* Writes one row, or for a parallel bus one per devsel. */
static void
write_bus(struct out *out, const struct options *o, const struct link *link)
{
	enum devsel devsel = link->bus == BUS_PCIE ? 0 : DEVSEL_FAST;
	enum devsel last = link->bus == BUS_PCIE ? 0 : DEVSEL_SLOW;

	for (; devsel <= last; devsel++)
		write_row(out, o, NULL, link,
		          serialize_dword(link, link, devsel), devsel);
}

/*
 * Configuration reads have no address, and registers are mostly below 4 GiB: 32
 * bits are the default, whatever the device's own requests use.
 */
static struct link
with_parameters(const struct options *o, struct link link)
{
	link.addr32 = true;
	link_options_override(&o->link, &link);
	return link;
}

/* From the root down, in the order in which a read passes the links. */
static void
write_path(struct out *out, const struct options *o)
{
	const struct path *path = &o->link.path;

	for (size_t i = path->n; i--;) {
		const struct hop *hop = &path->hop[i];
		struct link link = hop->link, asks = link;

		if (link.bus != BUS_PCIE)
			continue;
		/* Only the ends add ECRC, not the ports in between. */
		link.ecrc = path->link.ecrc;
		asks.ecrc = path->completion_ecrc;
		link = with_parameters(o, link);
		asks = with_parameters(o, asks);
		write_row(out, o, hop->bdf, &link,
		          serialize_dword(&asks, &link, 0), 0);
	}
}

static void
write_generation(struct out *out, const struct options *o, unsigned gen)
{
	static const unsigned widths[] = {1, 2, 4, 8, 12, 16, 32};

	for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
		struct link link = link_config_of(&o->link).link;

		if (o->link.given[LANES] && link.lanes != widths[i])
			continue;
		link.gen = gen;
		link.lanes = widths[i];
		link.flit = gen > 5;
		link = with_parameters(o, link);
		if (!why_no_model(&link))
			write_bus(out, o, &link);
	}
}

static void
write_all(struct out *out, const struct options *o)
{
	static const struct link buses[] = {
	    {.bus = BUS_PCI, .width = 32, .mhz = 33},
	    {.bus = BUS_PCI, .width = 32, .mhz = 66},
	    {.bus = BUS_PCIX, .width = 64, .mhz = 66},
	    {.bus = BUS_PCIX, .width = 64, .mhz = 100},
	    {.bus = BUS_PCIX, .width = 64, .mhz = 133},
	};
	bool any = !o->link.given[GEN];

	for (size_t i = 0; any && !o->link.given[LANES] && i < ARRAY_LEN(buses);
	     i++)
		write_bus(out, o, &buses[i]);
	for (unsigned gen = 1; gen <= 7; gen++) {
		if (any || o->link.number[GEN] == gen)
			write_generation(out, o, gen);
	}
}

void
write_serial(struct out *o, const struct options *options)
{
	static const char *const names[] = {
	    "kind",
	    "link",
	    "devsel",
	    "clocks",
	    "request_bytes",
	    "completion_bytes",
	    "serialization_ns",
	    "round_trip_ns",
	    "device",
	};
	const struct link_options *link = &options->link;

	out_begin(o, names, ARRAY_LEN(names) - !link->path.n);
	if (link->path.n) {
		write_path(o, options);
	} else if (link->based) {
		struct link base = link->base;

		if (base.bus == BUS_PCIE)
			base = with_parameters(options, base);
		write_bus(o, options, &base);
	} else {
		write_all(o, options);
	}
}
