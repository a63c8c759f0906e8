/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the throughput of devices that exchange packets with the host. */
#include "model/options.h"

#define USUAL_RATE UINT64_C(40000000000) /* bit/s */

/* In steps that show where another TLP is needed. */
static const char usual_frames[] = "64:1504:+16,1518";
static const char usual_blocks[] = "4096";

/* Values of the key columns that all rows share. */
struct plan {
	struct link_config config;
	struct ethernet ethernet;
	struct packet_profile *profile; /* all of one kind of packet */
	size_t n;
	bool frames;
	struct size_list size; /* borrowed */
};

static void
check_profile(const struct packet_profile *i,
              const struct packet_profile *first, const struct options *o)
{
	enum direction direction = o->nic.direction;
	enum direction has = packet_profile_direction(i);

	if (i->payload != first->payload)
		die_usage("-M '%s': it moves %ss, and '%s' does not", i->name,
		          payload_names[i->payload], first->name);
	if (options_given(&o->parser, "direction") && has != DIRECTION_BOTH &&
	    has != direction)
		die_usage("--direction '%s': '%s' has only %s",
		          direction_names[direction], i->name,
		          direction_names[has]);
	if (i->payload == PAYLOAD_FRAME && options_given(&o->parser, "size"))
		die_usage("-s: '%s' moves frames: use --frame", i->name);
	if (i->payload == PAYLOAD_BLOCK &&
	    (options_given(&o->parser, "frame") ||
	     options_given(&o->parser, "rate") ||
	     options_given(&o->parser, "vlan") ||
	     options_given(&o->parser, "ifg")))
		die_usage("'%s' moves blocks: --frame, --rate, --vlan and "
		          "--ifg do not apply",
		          i->name);
}

/* A VLAN tag counts for 4 bytes of the shortest frame. */
static const char *
check_size_of(const struct plan *plan, uint64_t size)
{
	if (!plan->frames)
		return size > STEP_BYTES_MAX ? "a block has at most 16M" : NULL;
	if (plan->ethernet.vlan && size < ETHERNET_FRAME_MIN)
		size += ETHERNET_TAG;
	return ethernet_check(size);
}

static void
set_sizes(struct plan *plan, const struct options *o)
{
	static struct size_list usual;

	parse_size_list(plan->frames ? usual_frames : usual_blocks, &usual);
	plan->size = usual;
	if (plan->frames && o->nic.frame.n)
		plan->size = o->nic.frame;
	else if (options_given(&o->parser, "size"))
		plan->size = o->sweep.size;
	for (size_t i = 0; i < plan->size.n; i++) {
		const char *why = check_size_of(plan, plan->size.value[i]);

		if (why)
			die_usage("%s: %s", plan->frames ? "--frame" : "-s",
			          why);
	}
}

static struct plan
make_plan(const struct options *o)
{
	struct plan plan = {.config = link_config_of(&o->link), .n = o->nic.n};

	plan.profile = xcalloc(plan.n, sizeof *plan.profile);
	for (size_t i = 0; i < plan.n; i++) {
		packet_profile_read(&plan.profile[i], o->nic.name[i]);
		check_profile(&plan.profile[i], plan.profile, o);
	}
	plan.frames = plan.profile->payload == PAYLOAD_FRAME;
	plan.ethernet = o->nic.ethernet;
	plan.ethernet.bit_s = o->nic.rate ? o->nic.rate : USUAL_RATE;
	if (!options_given(&o->parser, "ifg"))
		plan.ethernet.ifg = ETHERNET_IFG;
	set_sizes(&plan, o);
	return plan;
}

/* Rows -------------------------------------------------------------------- */

static void
write_row(struct out *out, const struct plan *plan,
          const struct packet_profile *i, enum direction direction,
          uint64_t size)
{
	uint64_t data = plan->frames ? size - ETHERNET_CRC : size;
	struct packets p = expect_packets(i, &plan->config, direction, data);
	char link[LINK_TEXT_MAX], ethernet[ETHERNET_TEXT_MAX];

	link_format(&plan->config.link, link);
	OUT(out, TEXT("kind", "model"), TEXT("bench", "nic"),
	    TEXT("interaction", i->name),
	    TEXT("direction", direction_names[direction]), TEXT("link", link),
	    TEXT("accounting", accounting_names[plan->config.accounting]),
	    TEXT("completer", completer_names[plan->config.completer]),
	    VALUE(plan->frames ? "frame_bytes" : "size_bytes", size),
	    VALUE("tx_bytes", p.tx_bytes), VALUE("rx_bytes", p.rx_bytes),
	    VALUE("bandwidth_gbit_s", p.gbit_s),
	    VALUE(plan->frames ? "frames_per_s" : "blocks_per_s",
	          1e9 * p.per_ns),
	    TEXT("limited_by", p.limited_by));
	if (plan->frames) {
		/* The Ethernet's rate, and its load on the link. */
		const struct ethernet *e = &plan->ethernet;
		double per_ns = ethernet_per_ns(e, size);

		ethernet_format(e, ethernet);
		OUT(out, TEXT("ethernet", ethernet),
		    VALUE("ethernet_gbit_s", ethernet_data_gbit_s(e, size)),
		    VALUE("ethernet_frames_per_s", 1e9 * per_ns),
		    VALUE("tx_needed_gbit_s", 8 * p.tx_bytes * per_ns),
		    VALUE("rx_needed_gbit_s", 8 * p.rx_bytes * per_ns));
	}
	out_end_row(out);
}

void
write_nic(struct out *out, const struct options *options)
{
	struct plan plan;

	if (!options->nic.n)
		die_usage("choose a driver model with -M (-M help lists them)");
	plan = make_plan(options);
	for (size_t i = 0; i < plan.n; i++) {
		const struct packet_profile *one = &plan.profile[i];
		enum direction direction =
		    options_given(&options->parser, "direction")
		        ? options->nic.direction
		        : packet_profile_direction(one);

		for (size_t k = 0; k < plan.size.n; k++)
			write_row(out, &plan, one, direction,
			          plan.size.value[k]);
	}
	for (size_t i = 0; i < plan.n; i++)
		packet_profile_free(&plan.profile[i]);
	free(plan.profile);
}
