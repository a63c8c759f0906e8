/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the bandwidths of transfers, and the rates of a link. */
#include "model/transfer_rows.h"

#include "common/pci/path.h"

#include <string.h>

/* An empty list counts as one value, 0. */
static size_t
length(const struct size_list *list)
{
	return list->n ? list->n : 1;
}

static uint64_t
value(const struct size_list *list, size_t index)
{
	return list->n ? list->value[index] : 0;
}

size_t
transfer_sweep_rows(const struct transfer_sweep *sweep)
{
	return length(&sweep->size) * length(&sweep->offset) *
	       length(&sweep->window);
}

struct transfer
transfer_sweep_row(const struct transfer_sweep *sweep, size_t index)
{
	size_t windows = length(&sweep->window);
	size_t offsets = length(&sweep->offset);

	return (struct transfer){
	    .size = value(&sweep->size, index / windows / offsets),
	    .offset = value(&sweep->offset, index / windows % offsets),
	    .window = value(&sweep->window, index % windows),
	};
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

static void
write_transfer(struct out *o, const struct link_config *config,
               const struct work *work, const struct transfer *t)
{
	struct expected e = expect(config, work, t);
	char link[LINK_TEXT_MAX];

	link_format(&config->link, link);
	out_text(o, "model");
	out_text(o, work->name);
	out_text(o, link);
	out_text(o, accounting_names[config->accounting]);
	out_text(o, completer_names[config->completer]);
	out_u64(o, t->size);
	out_u64(o, t->offset);
	write_optional(o, t->window, t->window);
	write_mean(o, e.mrd);
	write_mean(o, e.mwr);
	write_mean(o, e.cpld);
	write_mean(o, e.tx_bytes);
	write_mean(o, e.rx_bytes);
	out_double(o, 100 * e.gbit_s / link_raw_gbit_s(&config->link));
	out_double(o, 1e9 * e.per_ns);
	out_double(o, 1 / e.per_ns);
	out_double(o, e.gbit_s);
	out_text(o, e.limited_by);
	write_device(o, config);
}

void
write_bandwidths(struct out *o, const struct link_config *config,
                 const struct work *work, const struct transfer_sweep *sweep)
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

	begin(o, config, names, ARRAY_LEN(names));
	for (size_t i = 0; i < transfer_sweep_rows(sweep); i++) {
		struct transfer t = transfer_sweep_row(sweep, i);

		write_transfer(o, config, work, &t);
	}
}

void
write_link(struct out *o, const struct link_config *config)
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
	char link[LINK_TEXT_MAX];
	bool limits = !config->link.flit;

	link_format(&config->link, link);
	begin(o, config, names, ARRAY_LEN(names));
	out_text(o, "model");
	out_text(o, link);
	out_text(o, accounting_names[config->accounting]);
	out_text(o, link_encoding(&config->link));
	write_optional(o, limits, link_ack_limit(&config->link));
	write_optional(o, limits, link_ack_limit(&config->link));
	out_double(o, 100 * skp_share(config));
	out_double(o, link_raw_gbit_s(&config->link));
	out_double(o, tlp_gbit_s(config));
	write_device(o, config);
}
