#include "model/rows.h"

static void
write_transfer(struct out *o, const struct slot *slot, const struct work *work,
               uint64_t size, uint64_t offset)
{
	struct expected e = expect(slot, work, size, offset);
	char link[LINK_TEXT_MAX];

	link_format(&slot->link, link);
	out_text(o, "model");
	out_text(o, work->name);
	out_text(o, link);
	out_text(o, ACCOUNTING);
	out_text(o, completer_names[slot->completer]);
	out_u64(o, size);
	out_u64(o, offset);
	out_u64(o, e.tx_bytes);
	out_u64(o, e.rx_bytes);
	out_double(o, e.gbit_s);
	out_text(o, e.limited_by);
}

void
write_bandwidths(struct out *o, const struct slot *slot,
                 const struct work *work, const struct sweep *sweep)
{
	static const char *const names[] = {
	    "kind",         "bench",
	    "link",         "accounting",
	    "completer",    "size_bytes",
	    "offset_bytes", "tx_bytes",
	    "rx_bytes",     "bandwidth_gbit_s",
	    "limited_by",
	};

	out_begin(o, names, ARRAY_LEN(names));
	for (size_t i = 0; i < sweep->size.n; i++) {
		for (size_t k = 0; k < sweep->offset.n; k++)
			write_transfer(o, slot, work, sweep->size.value[i],
			               sweep->offset.value[k]);
	}
}

void
write_link(struct out *o, const struct slot *slot)
{
	static const char *const names[] = {
	    "kind",
	    "link",
	    "accounting",
	    "encoding",
	    "ack_limit_bytes",
	    "fc_limit_bytes",
	    "raw_gbit_s",
	    "bandwidth_gbit_s",
	};
	char link[LINK_TEXT_MAX];

	link_format(&slot->link, link);
	out_begin(o, names, ARRAY_LEN(names));
	out_text(o, "model");
	out_text(o, link);
	out_text(o, ACCOUNTING);
	out_text(o, link_encoding(&slot->link));
	out_u64(o, link_ack_limit(&slot->link));
	out_u64(o, link_ack_limit(&slot->link));
	out_double(o, link_raw_gbit_s(&slot->link));
	out_double(o, tlp_gbit_s(&slot->link));
}
