/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the time of a DWORD read on links and parallel buses. */
#include "model/serial_latency.h"

#include "common/base/util.h"
#include "common/link/tlp.h"

#include <math.h>

struct serial_writer {
	struct out *out;
	const struct link_options *options;
	const struct delays *delays;
};

/* NAN, a missing value, if there is none. */
static double
round_trip_ns(const struct delays *d, const struct link *link,
              const struct serial *serial)
{
	double serdes = (double)d->serdes / 1000 / link->lanes;

	if (!d->given || link->bus != BUS_PCIE)
		return NAN;
	if (!d->given_serdes)
		serdes = serial->ns / 2;
	return 2 * ((double)d->proc / 1000 + serdes + (double)d->flight / 1000);
}

static void
write_count(struct out *o, unsigned n)
{
	if (n)
		out_u64(o, n);
	else
		out_text(o, "");
}

static void
write_row(const struct serial_writer *w, const char *bdf,
          const struct link *link, struct serial s, enum devsel devsel)
{
	char text[LINK_TEXT_MAX];

	link_format(link, text);
	out_text(w->out, "model");
	out_text(w->out, text);
	out_text(w->out, devsel_names[devsel]);
	write_count(w->out, s.clocks);
	write_count(w->out, s.request);
	write_count(w->out, s.completion);
	out_double(w->out, s.ns);
	out_double(w->out, round_trip_ns(w->delays, link, &s));
	if (bdf)
		out_text(w->out, bdf);
}

/* Writes one row, or for a parallel bus one per devsel. */
static void
write_bus(const struct serial_writer *w, const struct link *link)
{
	if (link->bus == BUS_PCIE) {
		write_row(w, NULL, link, serialize_read(link, link), 0);
		return;
	}
	for (enum devsel devsel = DEVSEL_FAST; devsel <= DEVSEL_SLOW; devsel++)
		write_row(w, NULL, link, serialize_dword(link, devsel), devsel);
}

/*
 * Configuration reads have no address, and registers are mostly below 4 GiB: 32
 * bits are the default, whatever the device's own requests use.
 */
static struct link
with_options(const struct serial_writer *w, struct link link)
{
	link.addr32 = true;
	link_options_override(w->options, &link);
	return link;
}

/* From the root down, in the order in which a read passes the links. */
static void
write_path(const struct serial_writer *w, const struct path *path)
{
	for (size_t i = path->n; i--;) {
		const struct hop *hop = &path->hop[i];
		struct link link = hop->link, asks = link;

		if (link.bus != BUS_PCIE)
			continue;
		/* Only the ends add ECRC, not the ports in between. */
		link.ecrc = path->link.ecrc;
		asks.ecrc = path->completion_ecrc;
		link = with_options(w, link);
		asks = with_options(w, asks);
		write_row(w, hop->bdf, &link, serialize_read(&asks, &link), 0);
	}
}

static void
write_parallel(const struct serial_writer *w)
{
	static const struct link buses[] = {
	    {.bus = BUS_PCI, .width = 32, .mhz = 33},
	    {.bus = BUS_PCI, .width = 32, .mhz = 66},
	    {.bus = BUS_PCIX, .width = 64, .mhz = 66},
	    {.bus = BUS_PCIX, .width = 64, .mhz = 100},
	    {.bus = BUS_PCIX, .width = 64, .mhz = 133},
	};

	for (size_t i = 0; i < ARRAY_LEN(buses); i++)
		write_bus(w, &buses[i]);
}

static void
write_generation(const struct serial_writer *w, unsigned gen)
{
	static const unsigned widths[] = {1, 2, 4, 8, 12, 16, 32};
	bool chosen = w->options->param[LANES].given;

	for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
		struct link link = link_config_of(w->options).link;

		if (chosen && link.lanes != widths[i])
			continue;
		link.gen = gen;
		link.lanes = widths[i];
		link.flit = gen > 5;
		link = with_options(w, link);
		if (!why_no_model(&link))
			write_bus(w, &link);
	}
}

static void
write_all(const struct serial_writer *w)
{
	const struct link_options *options = w->options;

	if (!options->param[GEN].given && !options->param[LANES].given)
		write_parallel(w);
	for (unsigned gen = 1; gen <= 7; gen++) {
		if (!options->param[GEN].given ||
		    options->param[GEN].value == gen)
			write_generation(w, gen);
	}
}

void
write_serial(struct out *o, const struct link_options *options,
             const struct delays *delays)
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
	const struct serial_writer w = {o, options, delays};

	out_begin(o, names, ARRAY_LEN(names) - !options->path.n);
	if (options->path.n) {
		write_path(&w, &options->path);
	} else if (options->based) {
		struct link link = options->base;

		if (link.bus == BUS_PCIE)
			link = with_options(&w, link);
		write_bus(&w, &link);
	} else {
		write_all(&w);
	}
}
