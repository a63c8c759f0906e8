/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the bandwidths of transfers, the rates of a link, and the time of a
 * DWORD read on links and parallel buses.
 */
#include "model/options.h"

#include "common/base/util.h"
#include "common/link/tlp.h"

#include <math.h>

void
begin_stream(struct out *o)
{
	static struct preamble pre;

	preamble_set(&pre, "tool", "pcb-model %s", program_version);
	preamble_add_command(&pre);
	o->preamble = &pre;
}

void
write_stream(struct out *o, const struct options *options,
             void (*write)(struct out *o, const struct options *options))
{
	begin_stream(o);
	write(o, options);
	if (!o->name) {
		warn("no row is like this");
		exit(STATUS_ABSENT);
	}
	out_finish(o, true, NULL);
}

/* Ends a row; one about a device has more columns. */
static void
end_row(struct out *o, const struct link_config *config)
{
	const struct path *path = config->path;

	if (path)
		OUT(o, TEXT("device", path->hop[0].bdf),
		    TEXT("limiting_link", path->hop[path->limit].bdf),
		    VALUE("completion_mps_bytes", config->back.mps),
		    COUNTED("tags", path->tags));
	out_end_row(o);
}

void
write_bandwidths(struct out *o, const struct options *options)
{
	const struct work *work =
	    find_work(options->parser.table->mode[options->mode].name);
	const struct link_config config = link_config_of(&options->link);
	char link[LINK_TEXT_MAX];

	if (options->explain)
		explain(options);
	link_format(&config.link, link);
	for (size_t i = 0; i < transfer_sweep_rows(&options->sweep); i++) {
		struct transfer t = transfer_sweep_row(&options->sweep, i);
		struct expected e = expect(&config, work, &t);
		double raw = link_raw_gbit_s(&config.link);

		OUT(o, TEXT("kind", "model"), TEXT("bench", work->name),
		    TEXT("link", link),
		    TEXT("accounting", accounting_names[config.accounting]),
		    TEXT("completer", completer_names[config.completer]),
		    VALUE("size_bytes", t.size),
		    VALUE("offset_bytes", t.offset),
		    COUNTED("window_bytes", t.window), VALUE("mrd_tlps", e.mrd),
		    VALUE("mwr_tlps", e.mwr), VALUE("cpld_tlps", e.cpld),
		    VALUE("tx_bytes", e.tx_bytes),
		    VALUE("rx_bytes", e.rx_bytes),
		    VALUE("efficiency_pct", 100 * e.gbit_s / raw),
		    VALUE("transactions_per_s", 1e9 * e.per_ns),
		    VALUE("transaction_ns", 1 / e.per_ns),
		    VALUE("bandwidth_gbit_s", e.gbit_s),
		    TEXT("limited_by", e.limited_by));
		end_row(o, &config);
	}
}

void
write_link(struct out *o, const struct options *options)
{
	const struct link_config config = link_config_of(&options->link);
	char link[LINK_TEXT_MAX];
	unsigned limit = config.link.flit ? 0 : link_ack_limit(&config.link);

	link_format(&config.link, link);
	OUT(o, TEXT("kind", "model"), TEXT("link", link),
	    TEXT("accounting", accounting_names[config.accounting]),
	    TEXT("encoding", link_encoding(&config.link)),
	    COUNTED("ack_limit_bytes", limit), COUNTED("fc_limit_bytes", limit),
	    VALUE("skp_pct", 100 * skp_share(&config)),
	    VALUE("raw_gbit_s", link_raw_gbit_s(&config.link)),
	    VALUE("bandwidth_gbit_s", tlp_gbit_s(&config)));
	end_row(o, &config);
}

/* The time of a DWORD read ------------------------------------------------- */

/* What `asks` sends down a link; for a parallel bus a row for each devsel. */
static void
write_bus(struct out *out, const char *bdf, const struct link *asks,
          const struct link *link)
{
	bool pcie = link->bus == BUS_PCIE;
	enum devsel devsel = pcie ? 0 : DEVSEL_FAST;
	char text[LINK_TEXT_MAX];

	link_format(link, text);
	for (; devsel <= (pcie ? 0 : DEVSEL_SLOW); devsel++) {
		struct serial s = serialize_dword(asks, link, devsel);

		OUT(out, TEXT("kind", "model"), TEXT("link", text),
		    TEXT("devsel", devsel_names[devsel]),
		    COUNTED("clocks", s.clocks),
		    COUNTED("request_bytes", s.request),
		    COUNTED("completion_bytes", s.completion),
		    VALUE("serialization_ns", s.ns));
		if (bdf)
			OUT(out, TEXT("device", bdf));
		out_end_row(out);
	}
}

/*
 * Configuration reads have no address, and registers are mostly below 4 GiB: 32
 * bits are the default, whatever the device's own requests use.
 */
static struct link
with_parameters(const struct options *o, struct link link)
{
	if (link.bus != BUS_PCIE)
		return link;
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
		write_bus(out, hop->bdf, &asks, &link);
	}
}

static const unsigned widths[] = {1, 2, 4, 8, 12, 16, 32};
static const struct link buses[] = {
    {.bus = BUS_PCI, .width = 32, .mhz = 33},
    {.bus = BUS_PCI, .width = 32, .mhz = 66},
    {.bus = BUS_PCIX, .width = 64, .mhz = 66},
    {.bus = BUS_PCIX, .width = 64, .mhz = 100},
    {.bus = BUS_PCIX, .width = 64, .mhz = 133},
};

/* Sets a link that the options leave open; false if they exclude it. */
static bool
open_link(const struct options *o, unsigned gen, unsigned lanes,
          struct link *link)
{
	const bool *given = o->link.given;

	*link = link_config_of(&o->link).link;
	if ((given[GEN] && link->gen != gen) ||
	    (given[LANES] && link->lanes != lanes))
		return false;
	link->gen = gen;
	link->lanes = lanes;
	link->flit = gen > 5;
	*link = with_parameters(o, *link);
	return !why_no_model(link);
}

/* All that the options leave open; parallel buses if they set nothing. */
static void
write_all(struct out *out, const struct options *o, size_t nbuses)
{
	for (size_t i = 0; i < nbuses; i++)
		write_bus(out, NULL, &buses[i], &buses[i]);
	for (unsigned i = 0; i < LAST_GEN * ARRAY_LEN(widths); i++) {
		struct link link;

		if (open_link(o, i / ARRAY_LEN(widths) + 1,
		              widths[i % ARRAY_LEN(widths)], &link))
			write_bus(out, NULL, &link, &link);
	}
}

/* The same in columns: times by lanes, or by devsel. */
static void
write_times(struct out *out, const struct options *o, size_t nbuses)
{
	static const char *const columns[] = {
	    "x1_ns",  "x2_ns",  "x4_ns",   "x8_ns",     "x12_ns",
	    "x16_ns", "x32_ns", "fast_ns", "medium_ns", "slow_ns"};

	for (unsigned i = 0; i < LAST_GEN + nbuses; i++) {
		bool bus = i >= LAST_GEN, any = false;
		double ns[ARRAY_LEN(columns)];
		char text[LINK_TEXT_MAX];

		for (size_t k = 0; k < ARRAY_LEN(columns); k++) {
			bool lanes = k < ARRAY_LEN(widths);
			size_t devsel =
			    lanes ? 0 : DEVSEL_FAST + k - ARRAY_LEN(widths);
			struct link link = buses[bus ? i - LAST_GEN : 0];
			bool has = bus ? !lanes
			               : lanes && open_link(o, i + 1, widths[k],
			                                    &link);

			ns[k] = has ? serialize_dword(&link, &link,
			                              (enum devsel)devsel)
			                  .ns
			            : NAN;
			any |= has;
		}
		if (!any)
			continue;
		snprintf(text, sizeof text, "gen%u", i + 1);
		if (bus)
			link_format(&buses[i - LAST_GEN], text);
		OUT(out, TEXT("kind", "model"), TEXT("link", text));
		for (size_t k = 0; k < ARRAY_LEN(columns); k++)
			OUT(out, VALUE(columns[k], ns[k]));
		out_end_row(out);
	}
}

void
write_serial(struct out *o, const struct options *options)
{
	const struct link_options *link = &options->link;
	bool narrowed = link->given[GEN] || link->given[LANES];

	if (link->path.n) {
		write_path(o, options);
	} else if (link->based) {
		struct link base = with_parameters(options, link->base);

		write_bus(o, NULL, &base, &base);
	} else {
		(is_table(o) ? write_times : write_all)(
		    o, options, narrowed ? 0 : ARRAY_LEN(buses));
	}
}
