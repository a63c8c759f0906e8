/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option table of pcb-model, and checks of combinations. */
#include "model/options.h"

#include "common/base/reader.h"
#include "common/base/util.h"
#include "common/cli/plugin.h"
#include "common/pci/tree.h"
#include "common/sys/datadir.h"
#include "common/sys/sysfs.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

const char *const latency_benches[] = {"lat_rd", "lat_wrrd"};

static struct options options = {.reference = "bandwidth"};
static char *words; /* the operands that name a link or device */

/* Setters ----------------------------------------------------------------- */

/* Such as set_rate, whose option is a text that this function parses. */
#define SETTER(name, parse)                                                    \
	static const char *name(void *to, const char *text)                    \
	{                                                                      \
		return parse(text, to);                                        \
	}
SETTER(set_rate, ethernet_parse_rate)

/* At most half of the raw rate, so that some is left for TLPs. */
static const char *
set_skp(void *to, const char *text)
{
	struct fraction *skp = to;
	const char *why = parse_percentage(text, skp);

	return !why && skp->num > skp->den / 2 ? "over 50" : why;
}

static const char *
add_profile(void *to, const char *text)
{
	struct nic_options *nic = to;

	if (!strcmp(text, "help")) {
		share_list("nic");
		options_finish();
	}
	array_push(nic->name, nic->n, text);
	return NULL;
}

static void
complete_profiles(size_t n, char *const word[])
{
	(void)n;
	(void)word;
	share_names("nic", "");
}

/* "10", or "10:1" with a limit above the bound. */
static const char *
set_check(void *to, const char *text)
{
	struct options *o = to;
	size_t length = strcspn(text, ":");
	char *below = xasprintf("%.*s", (int)length, text);
	const char *why = parse_percentage(below, &o->tolerance);

	free(below);
	return why || !text[length]
	           ? why
	           : parse_percentage(text + length + 1, &o->above);
}

bool
asks_what_may_be_seen(const struct options *o)
{
	return o->mode == MODEL_WHY && o->seen.n &&
	       !strcmp(o->seen.text[0], "help");
}

bool
parse_operations(const char *text, double *per_s)
{
	static const char *const units[] = {"IOPS", "IO/s", "pps"};
	static const char steps[] = "kmg";
	size_t n = strspn(text, "0123456789."), i = 0;
	char *number = xasprintf("%.*s", (int)n, text);
	const char *step;

	text += n + (text[n] == ' ');
	step = *text ? strchr(steps, *text | 32) : NULL;
	text += step != NULL;
	while (i < ARRAY_LEN(units) && strcasecmp(text, units[i]) != 0)
		i++;
	if (i < ARRAY_LEN(units) && !parse_number(number, per_s))
		*per_s *= step ? pow(1000, (double)(step - steps) + 1) : 1;
	else
		i = ARRAY_LEN(units);
	free(number);
	return i < ARRAY_LEN(units) && *per_s > 0;
}

static bool
is_number(const char *text)
{
	double value;
	uint64_t ps;

	return !parse_bandwidth(text, &value) || !parse_time(text, &ps) ||
	       parse_operations(text, &value);
}

/* "7 GB/s" and "1.2 us" are two words; some put the number behind the link. */
static void
take_number(struct options *o)
{
	char **word = o->files;
	char *both = xasprintf("%s%s", word[0], word[1]);

	if (!is_number(*word) &&
	    (is_number(both) || strchr("kKMGT", *word[1]))) {
		*++word = both;
		o->nfiles--;
	} else {
		free(both);
	}
	o->files = word;
	for (size_t i = 1; !is_number(*word) && i < o->nfiles; i++) {
		char *last = word[i];

		if (!is_number(last))
			continue;
		memmove(word + 1, word, i * sizeof *word);
		*word = last;
	}
}

/*
 * The link, or a device, may be an operand, in several words such as "gen4 x8";
 * for `why` it follows the number.
 */
static void
take_operands(struct options *o)
{
	size_t before = o->mode == MODEL_WHY;
	bool named = o->link.device || o->link.dump;
	char bdf[BDF_MAX];
	struct link link = link_usual;

	if (!o->nfiles && asks_what_may_be_seen(o))
		return;
	if (before && o->nfiles > 1)
		take_number(o);
	if (before &&
	    (o->nfiles < 1 || (o->nfiles == 1 && !named && !o->link.grammar &&
	                       !o->link.given[GEN] && !o->link.given[LANES])))
		die_usage("why takes a number and a link, such as 11.8GB/s "
		          "gen3x16, or a number and -d DEVICE");
	if (o->nfiles <= before)
		return;
	for (size_t i = before; i < o->nfiles; i++)
		xappend(&words, " ", "%s", o->files[i]);
	for (size_t i = before; i < o->nfiles && o->nfiles > before + 1; i++) {
		if (link_parse_brief(words, &link) &&
		    link_parse_brief(o->files[i], &link))
			die_usage("'%s' is no part of a link%s", o->files[i],
			          before ? "; what the device is: --for gpu, "
			                   "nvme, nic, fpga or cpu; which "
			                   "memory: --memory pageable"
			                 : "");
	}
	if (o->nfiles > before + 1 && link_parse_brief(words, &link))
		die_usage("'%s': one link at a time", o->files[before + 1]);
	if (!named && link_parse_brief(words, &link) && parse_bdf(words, bdf)) {
		o->link.device = words;
		return;
	}
	if (o->link.grammar)
		die_usage("--link and '%s' each name a link: give one", words);
	o->link.grammar = words;
	o->link.by_operand = true;
}

static const char *
set_number(uint64_t *number, const char *text)
{
	const char *why = parse_integer(text, number);

	return !why && *number > UINT_MAX ? "out of range" : why;
}

static const char *
set_gen(void *to, const char *text)
{
	struct link_options *link = to;
	const char *number = strncmp(text, "gen", 3) != 0 ? text : text + 3;
	const char *lanes = strchr(number, 'x');
	char *alone = xasprintf("%.*s", (int)strcspn(number, "x"), number);
	const char *why = set_number(&link->number[GEN], alone);

	if (!why && lanes) {
		link->given[LANES] = true;
		why = set_number(&link->number[LANES], lanes + 1);
	}
	free(alone);
	return why && text[strspn(text, "0123456789")]
	           ? "not a generation such as 4, gen4 or 4x16"
	           : why;
}

static const char *
set_lanes(void *to, const char *text)
{
	return set_number(to, text + (*text == 'x'));
}

/* A device of a machine (for tree and flows a list), or a simulated one. */
static const char *
set_device(void *to, const char *text)
{
	struct options *o = to;
	bool simulated = !strncmp(text, "sim", 3);

	if (simulated ? o->latency.choice.profile : o->link.device)
		return "a second device";
	if (simulated)
		return sim_choice_set_profile(&o->latency.choice, text);
	o->link.device = text;
	return NULL;
}

static const char *
add_text(void *to, const char *text)
{
	struct texts *list = to;

	array_push(list->text, list->n, text);
	return NULL;
}

static const char *
add_switch(void *to, const char *text)
{
	struct latency_options *o = to;
	uint64_t ps = 0;
	const char *why = parse_time(text, &ps);

	o->switch_ps += ps;
	return why;
}

/* The table --------------------------------------------------------------- */

enum {
	BW_RD = 1 << MODEL_BW_RD,
	BW_WR = 1 << MODEL_BW_WR,
	BW_RDWR = 1 << MODEL_BW_RDWR,
	BW = BW_RD | BW_WR | BW_RDWR,
	LINK = 1 << MODEL_LINK,
	NIC = 1 << MODEL_NIC,
	INFLIGHT = 1 << MODEL_INFLIGHT,
	SERIAL = 1 << MODEL_SERIAL,
	WHY = 1 << MODEL_WHY,
	LAT = 1 << MODEL_LAT,
	TREE = 1 << MODEL_TREE,
	FLOWS = 1 << MODEL_FLOWS,
	JOIN = 1 << MODEL_JOIN,
	MACHINE = TREE | FLOWS,
	REFERENCE = 1 << MODEL_REFERENCE,
	FLOOR = 1 << MODEL_FLOOR,
	NORMAL = WHY | REFERENCE | FLOOR,
	WITH_LINK = BW | LINK | NIC | SERIAL | LAT | JOIN | NORMAL,
	WITH_SETTINGS = WITH_LINK | MACHINE,
	WITH_READS = BW_RD | BW_RDWR | NIC | WHY | JOIN,
	WITH_WRITES = BW_WR | BW_RDWR | NIC | JOIN,
};

static const struct option_mode modes[] = {
    [MODEL_BW_RD] = {"bw_rd", "bandwidth of DMA reads"},
    [MODEL_BW_WR] = {"bw_wr", "bandwidth of DMA writes"},
    [MODEL_BW_RDWR] = {"bw_rdwr", "bandwidth of alternating reads and writes"},
    [MODEL_LINK] = {"link", "rates of the link"},
    [MODEL_NIC] = {"nic", "packets of a device and its driver"},
    [MODEL_INFLIGHT] = {"inflight", "DMAs that a NIC must have outstanding"},
    [MODEL_SERIAL] = {"serial", "time of the smallest read on the wire"},
    [MODEL_WHY] = {"why", "whether a bandwidth is normal, and why not"},
    [MODEL_REFERENCE] = {"reference", "what public results reach"},
    [MODEL_FLOOR] = {"floor", "below which bandwidth something is wrong"},
    [MODEL_LAT] = {"lat", "latency of DMA reads on a simulated host"},
    [MODEL_TREE] = {"tree", "the machine as a tree of links"},
    [MODEL_FLOWS] = {"flows", "transfers at once, and what each gets"},
    [MODEL_JOIN] = {"--join", NULL},
    {NULL, NULL},
};

/* For a size of the link, or a bound, in an option row. */
#define SIZE .type = TYPE_BYTES, .most = UINT_MAX, .wrong = "out of range"
#define ABOVE_ZERO                                                             \
	.least = 1, .most = UINT64_MAX, .wrong = "must be greater than 0"

static const struct option_def transfers[] = {
    {"size", 's', "LIST",
     "bytes of a transfer (64); for tree and flows: bytes of a transfer "
     "(4096); for "
     "nic: bytes of a block (4096)",
     BW | NIC | WHY | LAT | MACHINE, .type = TYPE_SIZES,
     .to = &options.sweep.size, .again = OPTION_LIST},
    {"offset", 0, "LIST", "address, from the start of a page (0)", BW | LAT,
     .type = TYPE_SIZES, .to = &options.sweep.offset, .again = OPTION_LIST},
    {"window", 'w', "LIST",
     "average over a window of these bytes; for lat: bytes of the window (8K)",
     BW | LAT, .type = TYPE_SIZES, .to = &options.sweep.window,
     .again = OPTION_LIST},
    {0},
};

static const struct option_def packets[] = {
    {"interaction", 'M', "NAME",
     "for nic: a driver model (-M help lists them), or a file", NIC,
     .set = add_profile, .to = &options.nic, .again = OPTION_ADDS,
     .complete = complete_profiles},
    {"direction", 0, "DIR", "for nic: rx, tx or both (both if it has both)",
     NIC, "rx tx both", .type = TYPE_CHOICE, .to = &options.nic.direction},
    {"frame", 0, "LIST",
     "bytes of a frame, CRC included; for nic: bytes of a frame, CRC included "
     "(64:1504:+16,1518)",
     NIC | INFLIGHT | WHY, .type = TYPE_SIZES, .to = &options.nic.frame,
     .again = OPTION_LIST},
    {"rate", 0, "RATE",
     "rate of the Ethernet, 1G to 800G; for nic: rate of the Ethernet (40G)",
     NIC | INFLIGHT | WHY, .set = set_rate, .to = &options.nic.rate},
    {"vlan", 0, NULL, "for nic: a VLAN tag in each frame on the Ethernet", NIC,
     .type = TYPE_FLAG, .to = &options.nic.ethernet.vlan},
    {"ifg", 0, "N", "for nic: bytes between packets on the Ethernet (12)", NIC,
     .type = TYPE_UNSIGNED, .least = 1, .most = 255,
     .wrong = "a gap has 1 to 255 bytes", .to = &options.nic.ethernet.ifg},
    {0},
};

static const struct option_def link_parameters[] = {
    {"link", 0, "LINK", "such as gen3x8/mps256/mrrs512/rcb64", WITH_LINK,
     .type = TYPE_TEXT, .to = &options.link.grammar},
    {"device", 'd', "DEVICE",
     "the link of this device; for tree and flows: a list of devices; for lat: "
     "sim:NAME, the simulated host (-d sim:help lists them); for --join: the "
     "device of all rows, or sim:NAME",
     WITH_SETTINGS, .set = set_device, .to = &options, .again = OPTION_ADDS},
    {"root", 0, "DIR", "use /sys below this directory (/)", WITH_SETTINGS,
     .set = root_option},
    {"dump", 0, "FILE",
     "the link, or the machine, in this output of lspci -vv or -xxxx",
     WITH_SETTINGS, .type = TYPE_TEXT, .to = &options.link.dump},
    {"gen", 0, "N", "generation (3)", WITH_LINK, .set = set_gen,
     .to = &options.link, .elsewhere = "speed generation"},
    {"lanes", 0, "N", "lanes of the link (8)", WITH_LINK, .set = set_lanes,
     .to = &options.link.number[LANES], .elsewhere = "width"},
    {"mps", 0, "SIZE", "largest payload (256)", WITH_SETTINGS, SIZE,
     .to = &options.link.number[MPS]},
    {"mrrs", 0, "SIZE", "largest read request (512)", WITH_SETTINGS, SIZE,
     .to = &options.link.number[MRRS]},
    {"rcb", 0, "SIZE", "read completion boundary (64)", WITH_SETTINGS, SIZE,
     .to = &options.link.number[RCB]},
    {"addr", 0, "32|64", "bits of an address (64)", WITH_SETTINGS, "32 64",
     .type = TYPE_CHOICE, .to = &options.link.addr64},
    {"ecrc", 0, NULL, "with end-to-end CRC", WITH_SETTINGS, .type = TYPE_FLAG,
     .to = &options.link.given[ECRC]},
    {"flit", 0, "on|off", "flit mode (off; on from generation 6)", WITH_LINK,
     "on off", .type = TYPE_CHOICE, .to = &options.link.no_flit},
    {"completer", 0, "HOW",
     "how the host splits completions: combine, aligned, rcb (combine)",
     WITH_SETTINGS, "combine aligned rcb", .type = TYPE_CHOICE,
     .to = &options.link.completer},
    {"accounting", 0, "HOW",
     "overhead of the link: traffic, a bound, or pcie-bench (traffic)",
     WITH_SETTINGS, "traffic pcie-bench", .type = TYPE_CHOICE,
     .to = &options.link.accounting},
    {"skp", 0, "PCT", "percent of SKP ordered sets (from --accounting)",
     WITH_SETTINGS, .set = set_skp, .to = &options.link.skp},
    {0},
};

static const struct option_def bounds[] = {
    {"inflight", 0, "N", "outstanding read requests", WITH_READS,
     .type = TYPE_COUNT, ABOVE_ZERO, .to = &options.link.bounds.inflight},
    {"rtt", 0, "TIME",
     "from a request to its last data; for inflight: time of a DMA, else from "
     "results of lat_rd",
     WITH_READS | INFLIGHT, .type = TYPE_TIME, ABOVE_ZERO,
     .to = &options.link.bounds.rtt_ps},
    {"ph", 0, "N", "credits for posted headers", WITH_WRITES,
     .type = TYPE_COUNT, ABOVE_ZERO, .to = &options.link.bounds.ph},
    {"pd", 0, "N", "credits for posted data", WITH_WRITES, .type = TYPE_COUNT,
     ABOVE_ZERO, .to = &options.link.bounds.pd},
    {"loop", 0, "TIME", "from the use of a credit to its return", WITH_WRITES,
     .type = TYPE_TIME, ABOVE_ZERO, .to = &options.link.bounds.loop_ps},
    {"host-lines", 0, "N", "lines of 64 bytes that the host has under way",
     BW_RD | BW_WR | FLOWS, .type = TYPE_COUNT, ABOVE_ZERO,
     .to = &options.link.bounds.host_lines},
    {"host-latency", 0, "TIME", "the time of each in the host",
     BW_RD | BW_WR | FLOWS, .type = TYPE_TIME, ABOVE_ZERO,
     .to = &options.link.bounds.host_ps},
    {0},
};

static const struct option_def hosts[] = {
    {"option", 'O', "NAME=VAL", "a parameter of sim:NAME, see pcb-sim(7)",
     LAT | JOIN, .set = sim_choice_add_setting, .to = &options.latency.choice,
     .again = OPTION_ADDS},
    {"cache", 0, "LIST", "cold, thrashed, host-warm, device-warm (cold)", LAT,
     "cold thrashed host-warm device-warm", .type = TYPE_CHOICES,
     .to = &options.latency.caches, .again = OPTION_LIST},
    {"node", 0, "LIST", "NUMA node of the window: local, remote (local)",
     LAT | JOIN, "local remote", .type = TYPE_CHOICES,
     .to = &options.latency.nodes, .again = OPTION_LIST},
    {"pattern", 0, "NAME", "random or sequential (random)", LAT,
     "random sequential", .type = TYPE_CHOICE,
     .to = &options.latency.sequential},
    {"switch", 0, "TIME",
     "latency of a switch in each direction, once for each switch", LAT | JOIN,
     .set = add_switch, .to = &options.latency, .again = OPTION_ADDS},
    {"outstanding", 0, "LIST", "outstanding transfers: latency under load", LAT,
     .type = TYPE_SIZES, .to = &options.latency.outstanding,
     .again = OPTION_LIST},
    {0},
};

static const struct option_def machine[] = {
    {"topology", 0, "FILE", "the machine in this file", MACHINE,
     .type = TYPE_NAME, .wrong = "empty", .to = &options.flows.topology},
    {"move", 0, "DEVICE=PORT", "as if this device were below that port",
     MACHINE, .set = add_text, .to = &options.flows.move, .again = OPTION_ADDS},
    {"all-pairs", 0, NULL, "from each GPU, or device of -d, to each other",
     FLOWS, .type = TYPE_FLAG, .to = &options.flows.all_pairs},
    {"each", 0, "NAME", "from each of them to NAME, or with NAME> from there",
     FLOWS, .type = TYPE_NAME, .wrong = "empty", .to = &options.flows.each},
    {"set", 0, "FILE", "sets of transfers: columns set and flows", FLOWS,
     .type = TYPE_NAME, .wrong = "empty", .to = &options.flows.set},
    {"cap", 0, "NAME=RATE",
     "a measured limit of a node or A>B, in each direction", FLOWS,
     .set = add_text, .to = &options.flows.cap, .again = OPTION_ADDS},
    {"forward", 0, "SIZE",
     "payload in which a root complex passes on writes between devices", FLOWS,
     .type = TYPE_BYTES, .least = 16, .most = 4096,
     .wrong = "a power of 2 from 16 to 4096", .to = &options.flows.forward},
    {"calibrate", 0, "FILE", "count what single transfers reached", FLOWS,
     .type = TYPE_NAME, .wrong = "empty", .to = &options.flows.calibrate},
    {0},
};

static const struct option_def numbers[] = {
    {"bench", 0, "NAME",
     "bw_rd, bw_wr or bw_rdwr (bw_rd); for lat: lat_rd or lat_wrrd (both)",
     WHY | FLOOR | LAT, "bw_rd bw_wr bw_rdwr lat_rd lat_wrrd",
     .type = TYPE_TEXT, .to = &options.bench},
    {"before", 0, "NUMBER",
     "the number before, on another machine or in another slot", WHY,
     .type = TYPE_TEXT, .to = &options.before},
    {"seen", 0, "LIST",
     "observations, such as memory=pageable (--seen help lists all)", WHY,
     .set = add_text, .to = &options.seen, .again = OPTION_ADDS},
    {"also", 0, "NUMBER:NAME",
     "the same with one difference, such as 24.7GB/s:memory", WHY,
     .set = add_text, .to = &options.also, .again = OPTION_ADDS},
    {"sum", 0, NULL, "of bw_rdwr: the number is that of both directions", WHY,
     .type = TYPE_FLAG, .to = &options.sum},
    {"without", 0, "GROUP", "without the public cases of this source", WHY,
     .type = TYPE_NAME, .wrong = "empty", .to = &options.without},
    {"for", 0, "WHAT",
     "what moves the data: gpu, nvme, nic, fpga or cpu (by the device)", NORMAL,
     "gpu nvme nic fpga cpu ssd", .type = TYPE_CHOICE, .to = &options.whose},
    {"vendor", 0, "NAME",
     "of a GPU or NIC: NVIDIA, AMD, Intel, Mellanox ... (by the device)", WHY,
     .type = TYPE_NAME, .wrong = "empty", .to = &options.vendor},
    {"engine", 0, "WHICH",
     "of a GPU: copy or core (copy); pcb-collect calls them ce and sm", NORMAL,
     "copy core ce sm", .type = TYPE_CHOICE, .to = &options.engine},
    {"memory", 0, "WHICH",
     "pinned, pageable, remote (NUMA node) or peer device (pinned)",
     WHY | FLOOR, "pinned pageable remote peer", .type = TYPE_CHOICE,
     .to = &options.memory},
    {"reference", 0, "FILE", "public results in this file", NORMAL,
     .type = TYPE_NAME, .wrong = "needs a file", .to = &options.reference},
    /* Each measures what the word of --for at its place moves. */
    {"tool", 0, "NAME", "in place of --for, the program that measures", FLOOR,
     "nvbandwidth fio perftest xbutil gdrcopy", .type = TYPE_CHOICE,
     .to = &options.whose},
    {"line", 0, "ENGINE", "the line that sets a floor in reframe or nhc", FLOOR,
     "reframe nhc", .type = TYPE_CHOICE, .to = &options.line},
    {"all", 'a', NULL, "all causes; for reference: each result",
     WHY | REFERENCE, .type = TYPE_FLAG, .to = &options.all},
    {0},
};

static const struct option_def results[] = {
    {"explain", 0, NULL, "list the packets as text, in place of rows", BW,
     .type = TYPE_FLAG, .to = &options.explain},
    {"join", 0, NULL, "read results and add what the model expects",
     .type = TYPE_FLAG, .to = &options.join},
    {"check", 0, "PCT[:ABOVE]",
     "with --join: exit with 1 if a result is more than PCT percent below the "
     "model, or ABOVE percent above the bound",
     JOIN | FLOWS, .set = set_check, .to = &options,
     .elsewhere = "threshold tolerance fail fail-on limit"},
    OPTION_PLUGIN(JOIN | FLOWS),
    OPTION_FORMAT(&options.format),
    OPTION_BYTES,
    OPTIONS_OF_OUT(options),
    {0},
};

static const struct option_group groups[] = {
    {"Transfers", transfers},
    {"Packets of a device and its driver, and their Ethernet", packets},
    {"The link; with --join that of each row", link_parameters},
    {"Bounds", bounds},
    {"The host of lat; with --join that of latencies", hosts},
    {"The machine of tree and flows", machine},
    {"The measurement that why explains", numbers},
    {"Results", results},
    {NULL, NULL},
};

static const struct option_table table = {
    .usage =
        "Usage: pcb-model bw_rd|bw_wr|bw_rdwr|link|serial [options] [LINK]\n"
        "       pcb-model nic -M NAME|FILE [options] [LINK]\n"
        "       pcb-model inflight --rate RATE --frame LIST --rtt "
        "TIME|[FILE...]\n"
        "       pcb-model why NUMBER [LINK] [-d DEVICE] [options]\n"
        "       pcb-model reference [-a] [options] [LINK]\n"
        "       pcb-model floor LINK|-d DEVICE [options]\n"
        "       pcb-model lat -d sim:NAME [options]\n"
        "       pcb-model tree [-d LIST] [--dump FILE] [options]\n"
        "       pcb-model flows [--dump FILE] [options] 'DEVICE>DEVICE'...\n"
        "       pcb-model --join [options] [LINK] [FILE...]\n"
        "Compute what a PCI Express link can deliver, or add it to results.\n",
    .group = groups,
    .ending = "'pcb-model why --help' shows the options of why, and so on. See "
              "pcb-model(1).\n",
    .mode = modes,
    .modes_heading = "What is computed",
    .help_by_mode = true,
    .mode_called = "a command, or --join",
};

/* Sweeps ------------------------------------------------------------------ */

size_t
transfer_sweep_rows(const struct transfer_sweep *sweep)
{
	return sweep->size.n * sweep->offset.n * sweep->window.n;
}

struct transfer
transfer_sweep_row(const struct transfer_sweep *sweep, size_t index)
{
	size_t windows = sweep->window.n, offsets = sweep->offset.n;

	return (struct transfer){
	    .size = sweep->size.value[index / windows / offsets],
	    .offset = sweep->offset.value[index / windows % offsets],
	    .window = sweep->window.value[index % windows],
	};
}

/* What goes together ------------------------------------------------------ */

/* Checks each value of a list. */
static void
check_list(const struct size_list *list, const char *option,
           const char *(*why_not)(uint64_t value))
{
	for (size_t i = 0; i < list->n; i++) {
		const char *why = why_not(list->value[i]);

		if (why)
			die_usage("%s: %s", option, why);
	}
}

static bool
is_machine(const struct options *o)
{
	return o->mode == MODEL_TREE || o->mode == MODEL_FLOWS;
}

/* Of commands that have no usual link. */
static bool
lacks_link(const struct options *o)
{
	const struct link_options *link = &o->link;

	return (o->mode == MODEL_WHY ? o->nfiles == 1
	                             : o->mode == MODEL_FLOOR && !o->nfiles) &&
	       !link->grammar && !link->device && !link->given[GEN];
}

/* Whether an operand or an option already reads standard input. */
static bool
takes_stdin(const struct options *o)
{
	const struct option_parser *p = &o->parser;
	bool takes = false;

	for (size_t i = 0; i < o->nfiles; i++)
		takes |= !strcmp(o->files[i], "-");
	for (size_t i = 0; i < p->ngiven; i++)
		takes |= p->value[i] && !strcmp(p->value[i], "-") &&
		         p->given[i]->type != TYPE_OUTPUT;
	return takes;
}

/* What would examine this machine reads a dump if it is given. */
static void
take_dump(struct options *o)
{
	if (!o->link.dump && !o->flows.topology && !takes_stdin(o) &&
	    !options_given(&o->parser, "root") && (!o->join || o->nfiles))
		o->link.dump = pci_dump_given();
}

/* Takes an operand that is a file as --dump; dies if it is our own stream. */
static void
take_files(struct options *o)
{
	struct link link = link_usual;
	size_t left = 0;

	for (size_t i = 0; i < o->nfiles; i++) {
		char *word = o->files[i];
		char *command =
		    link_parse_brief(word, &link) ? reader_of(word) : NULL;
		/* Of results, --dump itself says who reads them. */
		bool dump = command && strncmp(command, "pcb-stats", 9) != 0;

		if (!command) {
			o->files[left++] = word;
		} else if (o->mode == MODEL_WHY && (!dump || o->nfiles == 1)) {
			die_usage("%s: a file: 'pcb-doctor %s' judges each "
			          "device of results, on the links of other "
			          "files beside it",
			          word, word);
		} else if (!dump || !modes[o->mode].help ||
		           o->mode == MODEL_NIC) {
			die_usage("%s: a file: '%s' reads it first", word,
			          command);
		} else if (o->link.dump) {
			die_usage("%s and %s are two machines: give one dump",
			          o->link.dump, word);
		} else {
			o->link.dump = word;
		}
		free(command);
	}
	o->nfiles = left;
}

/* "--join gen4x16 FILE": a link, as elsewhere, unless it is a file's name. */
static void
take_link_of_rows(struct options *o)
{
	struct link link = link_usual;

	if (!o->nfiles || !access(o->files[0], F_OK) ||
	    link_parse_brief(o->files[0], &link))
		return;
	if (o->link.grammar || o->link.device || o->link.dump)
		die_usage("'%s' and an option each name a link: give one",
		          o->files[0]);
	o->link.grammar = *o->files++;
	o->nfiles--;
}

/* Without --join, the first operand is the mode. */
static void
set_mode(struct options *o)
{
	bool reads_results;
	size_t n;
	bool first = !o->join || (o->nfiles && !strcmp(o->files[0], "flows"));

	o->mode = MODEL_JOIN;
	if (first)
		o->mode =
		    (enum model_mode)options_find_mode(&table, o->files[0]);
	o->files += first;
	o->nfiles -= first;
	options_check_mode(&o->parser, o->mode);
	if (o->latency.choice.profile && o->mode != MODEL_LAT &&
	    o->mode != MODEL_JOIN)
		die_usage("-d 'sim:%s': only lat and --join take a simulated "
		          "host",
		          o->latency.choice.profile);
	if (is_machine(o) && o->link.device)
		o->flows.devices = list_split(o->link.device);
	if (plugin_given() && !o->tolerance.den)
		die_usage("--plugin needs --join and --check PCT");
	if (o->explain && options_given(&o->parser, "format"))
		die_usage("--explain writes text, which has no --format");
	reads_results = o->join || o->mode == MODEL_INFLIGHT;
	n = reads_results ? o->nfiles : without_dash(o->files, o->nfiles);
	if (n < o->nfiles)
		o->link.dump = "-";
	o->nfiles = n;
	if (o->mode == MODEL_JOIN)
		take_link_of_rows(o);
	if (!reads_results)
		take_files(o);
	if (lacks_link(o))
		take_dump(o);
	if (!reads_results && !is_machine(o))
		take_operands(o);
	if (is_machine(o) || o->link.device)
		take_dump(o);
}

/* A limit in flight needs a round trip, too. */
static void
check_bounds(const struct options *o)
{
	const struct bounds *b = &o->link.bounds;

	if (o->mode == MODEL_INFLIGHT) {
		if (!o->nic.rate || !o->nic.frame.n)
			die_usage("inflight needs --rate and --frame");
		check_list(&o->nic.frame, "--frame", ethernet_check);
		if (b->rtt_ps && o->nfiles)
			die_usage("--rtt and %s each give the time: choose one",
			          o->files[0]);
	} else if (o->mode != MODEL_WHY && !b->inflight != !b->rtt_ps) {
		die_usage("--inflight and --rtt go together");
	}
	if (!(b->ph || b->pd) != !b->loop_ps)
		die_usage("--loop goes together with --ph or --pd");
	if (!b->host_lines != !b->host_ps)
		die_usage("--host-lines and --host-latency go together");
}

bool
options_dump_by_row(const struct options *o)
{
	return o->join && o->link.dump && !o->link.device;
}

static void
check_machine(struct options *o)
{
	struct flow_options *f = &o->flows;

	if (!is_machine(o))
		return;
	if (!o->sweep.size.n)
		parse_size_list("4K", &o->sweep.size);
	if (f->forward & (f->forward - 1))
		die_usage("--forward %ju: not a power of 2",
		          (uintmax_t)f->forward);
	if (f->topology && o->link.dump)
		die_usage("--topology and --dump each give a machine: choose "
		          "one");
	if (o->mode == MODEL_TREE && o->nfiles)
		die_usage("'%s': tree takes devices with -d", o->files[0]);
	if (o->mode == MODEL_FLOWS && !o->join && !f->set && !f->all_pairs &&
	    !f->each && !o->nfiles)
		die_usage("flows needs transfers such as 'gpu0>gpu4', or "
		          "--all-pairs, --each or --set");
}

static void
check_latency(struct options *o)
{
	struct latency_options *l = &o->latency;

	if (o->mode != MODEL_LAT)
		return;
	if (o->bench && find_word(o->bench, latency_benches, 2) == 2)
		die_usage("--bench '%s': not lat_rd or lat_wrrd", o->bench);
	if (!l->outstanding.n)
		return;
	if (o->bench && strcmp(o->bench, "lat_rd") != 0)
		die_usage("--outstanding applies to lat_rd");
	o->bench = "lat_rd";
	for (size_t i = 0; i < l->outstanding.n; i++) {
		uint64_t n = l->outstanding.value[i];

		if (n < 1 || n > 65536)
			die_usage("--outstanding: not within 1 to 65536");
	}
}

/* Default: one transfer of 64 bytes, without a window. */
static void
check_sweep(struct transfer_sweep *sweep)
{
	if (!sweep->size.n)
		parse_size_list("64", &sweep->size);
	if (!sweep->offset.n)
		parse_size_list("0", &sweep->offset);
	if (!sweep->window.n)
		parse_size_list("0", &sweep->window);
	check_list(&sweep->size, "-s", model_check_size);
	check_list(&sweep->offset, "--offset", model_check_offset);
	for (size_t i = 0; i < transfer_sweep_rows(sweep); i++) {
		struct transfer t = transfer_sweep_row(sweep, i);
		const char *why = model_check_window(&t);

		if (why)
			die_usage("-w: %s", why);
	}
}

const struct options *
parse_options(int argc, char *argv[])
{
	struct options *o = &options;
	int operand;

	o->parser.table = &table;
	operand = options_parse(&o->parser, argc, argv);
	o->files = argv + operand;
	o->nfiles = (size_t)(argc - operand);
	o->engine %= 2;
	if (o->whose > INITIATOR_CPU)
		o->whose = INITIATOR_NVME;
	for (enum link_param i = GEN; i < NLINK_PARAMS; i++)
		o->link.given[i] |= options_given(&o->parser, link_params[i]);
	set_mode(o);
	check_machine(o);
	if (o->sweep.size.n > 1 && (o->mode == MODEL_WHY || is_machine(o)))
		die_usage("-s: one size at a time");
	check_sweep(&o->sweep);
	check_bounds(o);
	check_latency(o);
	if (options_given(&o->parser, "tool") &&
	    options_given(&o->parser, "for"))
		die_usage("--tool and --for each say what moves the data: give "
		          "one");
	if (options_given(&o->parser, "line") &&
	    options_given(&o->parser, "format"))
		die_usage("--line writes a line for another program, which has "
		          "no -f: leave out one of them");
	if (o->mode == MODEL_FLOOR && !o->link.grammar && !o->link.device &&
	    !o->link.dump && !(o->link.given[GEN] && o->link.given[LANES]))
		die_usage("floor needs a link such as gen4x16, or -d DEVICE");
	o->link.may_differ = o->mode == MODEL_WHY;
	if (!is_machine(o))
		link_options_resolve(&o->link, o->mode == MODEL_SERIAL,
		                     options_dump_by_row(o));
	return o;
}
