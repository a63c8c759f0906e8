/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/options.h"

#include "common/cli/common_options.h"

#include <stdlib.h>
#include <string.h>

static const char options_text[] =
    "Usage: pcb-model bw_rd|bw_wr|bw_rdwr|link|serial [options]\n"
    "       pcb-model nic -M NAME|FILE [options]\n"
    "       pcb-model inflight --rate RATE --frame LIST --rtt TIME|[FILE...]\n"
    "       pcb-model --join [options] [FILE...]\n"
    "What the specification lets a PCI Express link deliver, or a stream of\n"
    "results with that next to them.\n"
    "\n"
    "Transfers:\n"
    "  -s, --size LIST        bytes (64)\n"
    "      --offset LIST      address, from the start of a page (0)\n"
    "  -w, --window LIST      bytes of a buffer full of transfers; their "
    "average\n"
    "\n"
    "Packets of a device and its driver, for nic:\n"
    "  -M, --interaction NAME what these do (-M help lists them), or a file\n"
    "      --direction DIR    rx, tx or both (both, if it has both)\n"
    "      --frame LIST       bytes, CRC included (64:1504:+16,1518)\n"
    "      --rate RATE        of the Ethernet, 1G to 800G (40G)\n"
    "      --vlan             with a tag in each frame on the Ethernet\n"
    "      --ifg N            bytes between packets on the Ethernet (12)\n"
    "  -s, --size LIST        of blocks, where these are moved (4096)\n"
    "\n"
    "The link; with --join that of each row:\n"
    "      --link LINK        such as gen3x8/mps256/mrrs512/rcb64\n"
    "      --device BDF       the one above this device\n"
    "      --dump FILE        out of what lspci -xxxx printed\n"
    "      --gen N            generation (3)\n"
    "      --lanes N          (8)\n"
    "      --mps SIZE         largest payload (256)\n"
    "      --mrrs SIZE        largest read request (512)\n"
    "      --rcb SIZE         read completion boundary (64)\n"
    "      --addr 32|64       bits of an address (64)\n"
    "      --ecrc             with end-to-end CRC\n"
    "      --flit on|off      flit mode (off; on from generation 6)\n"
    "      --completer HOW    where reads are cut: combine, aligned, rcb\n"
    "                         (combine)\n"
    "      --accounting HOW   what the link needs for itself: traffic, a "
    "bound\n"
    "                         that no link exceeds, or pcie-bench, the "
    "paper's\n"
    "                         yardstick, which some do (traffic)\n"
    "      --skp PCT          share of clock compensation (by accounting)\n"
    "\n"
    "Bounds:\n"
    "      --inflight N       read requests in flight at a time\n"
    "      --rtt TIME         from a request to the last of its data\n"
    "      --ph N, --pd N     credits for posted headers and data\n"
    "      --loop TIME        from using a credit to having it back\n"
    "\n"
    "Frames of a network card, which each need a DMA, for inflight:\n"
    "      --rate RATE        of the Ethernet, 1G to 800G\n"
    "      --frame LIST       bytes, CRC included\n"
    "      --rtt TIME         of a DMA; else from results of lat_rd\n"
    "\n"
    "The round trip of serial, 2 (proc + serdes / lanes + flight):\n"
    "      --proc TIME        in each direction, whatever the width (0)\n"
    "      --serdes TIME      on one lane (that of the read's own packets)\n"
    "      --flight TIME      on the way (0)\n"
    "\n"
    "Results:\n"
    "      --explain          step by step, as text in place of rows\n"
    "      --join             read results, add what the model expects\n"
    "      --check PCT[:ABOVE]\n"
    "                         with --join: exit with 1 if a result falls\n"
    "                         short by more, or is above the bound by more\n"
    "                         than ABOVE, an error of measurement\n";

static const char short_options[] = "M:s:w:f:Ph";

static const struct option long_options[] = {
    {"size", required_argument, NULL, 's'},
    {"offset", required_argument, NULL, OPT_OFFSET},
    {"window", required_argument, NULL, 'w'},
    {"interaction", required_argument, NULL, 'M'},
    {"direction", required_argument, NULL, OPT_DIRECTION},
    {"vlan", no_argument, NULL, OPT_VLAN},
    {"ifg", required_argument, NULL, OPT_IFG},
    {"link", required_argument, NULL, OPT_LINK},
    {"device", required_argument, NULL, OPT_DEVICE},
    {"dump", required_argument, NULL, OPT_DUMP},
    {"gen", required_argument, NULL, OPT_PART + GEN},
    {"lanes", required_argument, NULL, OPT_PART + LANES},
    {"mps", required_argument, NULL, OPT_PART + MPS},
    {"mrrs", required_argument, NULL, OPT_PART + MRRS},
    {"rcb", required_argument, NULL, OPT_PART + RCB},
    {"addr", required_argument, NULL, OPT_PART + ADDR},
    {"ecrc", no_argument, NULL, OPT_PART + ECRC},
    {"flit", required_argument, NULL, OPT_PART + FLIT},
    {"completer", required_argument, NULL, OPT_COMPLETER},
    {"accounting", required_argument, NULL, OPT_ACCOUNTING},
    {"skp", required_argument, NULL, OPT_SKP},
    {"inflight", required_argument, NULL, OPT_INFLIGHT},
    {"rtt", required_argument, NULL, OPT_RTT},
    {"ph", required_argument, NULL, OPT_PH},
    {"pd", required_argument, NULL, OPT_PD},
    {"loop", required_argument, NULL, OPT_LOOP},
    {"rate", required_argument, NULL, OPT_RATE},
    {"frame", required_argument, NULL, OPT_FRAME},
    {"explain", no_argument, NULL, OPT_EXPLAIN},
    {"proc", required_argument, NULL, OPT_PROC},
    {"serdes", required_argument, NULL, OPT_SERDES},
    {"flight", required_argument, NULL, OPT_FLIGHT},
    {"join", no_argument, NULL, OPT_JOIN},
    {"check", required_argument, NULL, OPT_CHECK},
    {"format", required_argument, NULL, 'f'},
    CLI_COMMON,
};

static void
print_help(void)
{
	cli_help(options_text, 25, "See pcb-model(1).\n");
}

static const char *
long_name(int option)
{
	const struct option *o = long_options;

	while (o->val != option)
		o++;
	return o->name;
}

/* Stops with "--option 'text': why" if there is a reason. */
static void
check(int option, const char *text, const char *why)
{
	if (why)
		die_usage("--%s '%s': %s", long_name(option), text, why);
}

/* Half the raw rate is left in any case, and after that something for TLPs. */
static const char *
parse_skp(const char *text, struct fraction *skp)
{
	const char *why = parse_percentage(text, skp);

	return !why && skp->num > skp->den / 2 ? "over 50" : why;
}

static void
set_slot(struct slot_options *slot, int option)
{
	switch (option) {
	case OPT_LINK:
		slot->grammar = optarg;
		break;
	case OPT_DEVICE:
		slot->device = optarg;
		break;
	case OPT_DUMP:
		slot->dump = optarg;
		break;
	case OPT_COMPLETER:
		slot->completer_given = true;
		check(option, optarg,
		      parse_completer(optarg, &slot->completer));
		break;
	case OPT_ACCOUNTING:
		slot->accounting_given = true;
		check(option, optarg,
		      parse_accounting(optarg, &slot->accounting));
		break;
	case OPT_SKP:
		check(option, optarg, parse_skp(optarg, &slot->skp));
		break;
	default:
		check(option, optarg,
		      slot_part(slot, (enum part)(option - OPT_PART), optarg));
		break;
	}
}

/* A number that is not 0. */
static void
set_bound(struct bounds *b, int option)
{
	uint64_t *const bound[] = {&b->inflight, &b->rtt_ps, &b->ph, &b->pd,
	                           &b->loop_ps};
	uint64_t *value = bound[option - OPT_INFLIGHT];
	bool is_time = option == OPT_RTT || option == OPT_LOOP;

	check(option, optarg,
	      is_time ? parse_time(optarg, value) : parse_count(optarg, value));
	check(option, optarg, *value ? NULL : "nothing would ever move");
}

static void
set_delay(struct delays *d, int option)
{
	uint64_t *const delay[] = {&d->proc, &d->serdes, &d->flight};

	check(option, optarg, parse_time(optarg, delay[option - OPT_PROC]));
	d->given = true;
	d->given_serdes |= option == OPT_SERDES;
}

static void
set_list(struct size_list *list, int option)
{
	check(option, optarg, parse_size_list(optarg, list));
}

static void
set_rate(uint64_t *rate, int option)
{
	check(option, optarg, parse_count(optarg, rate));
	check(option, optarg, ethernet_check_rate(*rate));
}

/* "10", or "10:1" with a limit above the bound. */
static const char *
set_check(struct options *o, const char *text)
{
	size_t length = strcspn(text, ":");
	char *below = xasprintf("%.*s", (int)length, text);
	const char *why = parse_percentage(below, &o->tolerance);

	free(below);
	o->check = true;
	o->check_above = text[length];
	if (!why && o->check_above)
		why = parse_percentage(text + length + 1, &o->above);
	return why;
}

static void
set_option(struct options *o, int option)
{
	if (option == 'f')
		o->seen[option] = true;
	if (cli_common(option, print_help, &o->no_preamble, &o->format))
		return;
	o->seen[option] = true;
	switch (option) {
	case 's':
		set_list(&o->sweep.size, option);
		break;
	case OPT_OFFSET:
		set_list(&o->sweep.offset, option);
		break;
	case 'w':
		set_list(&o->sweep.window, option);
		break;
	case OPT_FRAME:
		set_list(&o->inflight.frame, option);
		break;
	case OPT_INFLIGHT:
	case OPT_RTT:
	case OPT_PH:
	case OPT_PD:
	case OPT_LOOP:
		set_bound(&o->slot.bounds, option);
		break;
	case OPT_RATE:
		set_rate(&o->inflight.rate, option);
		break;
	case 'M':
	case OPT_DIRECTION:
	case OPT_VLAN:
	case OPT_IFG:
		check(option, optarg, nic_set(&o->nic, option, optarg));
		break;
	case OPT_EXPLAIN:
		o->explain = true;
		break;
	case OPT_PROC:
	case OPT_SERDES:
	case OPT_FLIGHT:
		set_delay(&o->delays, option);
		break;
	case OPT_JOIN:
		o->command = &join_command;
		break;
	case OPT_CHECK:
		check(option, optarg, set_check(o, optarg));
		break;
	default:
		set_slot(&o->slot, option);
		break;
	}
}

/* Each value of a list must be a possible one. */
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

/* Without --join the first operand says what is asked for. */
static void
set_command(struct options *o)
{
	if (!o->nfiles)
		die_usage("say what to compute, or give --join");
	o->command = find_command(o->files[0]);
	if (!o->command)
		die_usage("'%s': no such thing to compute", o->files[0]);
	o->files++;
	o->nfiles--;
}

/* Whether the command, or every one with a link, takes the option. */
static bool
takes(const struct command *command, int option)
{
	static const int link[] = {OPT_LINK,      OPT_DEVICE,     OPT_DUMP,
	                           OPT_COMPLETER, OPT_ACCOUNTING, OPT_SKP};

	if (option >= OPT_PART)
		return !command->no_link;
	for (size_t i = 0; i < ARRAY_LEN(link); i++) {
		if (option == link[i])
			return !command->no_link;
	}
	for (size_t i = 0; i < ARRAY_LEN(command->option); i++) {
		if (option == command->option[i])
			return true;
	}
	return option == OPT_JOIN || option == 'f';
}

static void
check_command(const struct options *o)
{
	for (int option = 0; option < OPT_PART + NPARTS; option++) {
		if (o->seen[option] && !takes(o->command, option))
			die_usage("--%s does not go with %s", long_name(option),
			          o->command->name);
	}
	if (o->explain && o->seen['f'])
		die_usage("--explain writes text, which has no --format");
	if (o->nfiles && !o->command->operands)
		die_usage("'%s': one thing at a time", o->files[0]);
}

/* Where there is something in flight, how long it is matters, too. */
static void
check_bounds(const struct options *o)
{
	const struct bounds *b = &o->slot.bounds;

	if (takes(o->command, OPT_INFLIGHT) && !b->inflight != !b->rtt_ps)
		die_usage("--inflight and --rtt go together");
	if (!(b->ph || b->pd) != !b->loop_ps)
		die_usage("--loop goes together with --ph or --pd");
}

static void
check_inflight(struct options *o)
{
	struct inflight_options *in = &o->inflight;

	if (o->command->run != run_inflight)
		return;
	if (!in->rate || !in->frame.n)
		die_usage("inflight needs --rate and --frame");
	check_list(&in->frame, "--frame", ethernet_check);
	if (o->slot.bounds.rtt_ps && o->nfiles)
		die_usage("--rtt and %s each give the time: choose one",
		          o->files[0]);
}

/* One transfer of 64 bytes, where nothing else is said. */
static void
check_sweep(struct sweep *sweep)
{
	if (!sweep->size.n)
		parse_size_list("64", &sweep->size);
	if (!sweep->offset.n)
		parse_size_list("0", &sweep->offset);
	check_list(&sweep->size, "-s", check_size);
	check_list(&sweep->offset, "--offset", check_offset);
	for (size_t i = 0; i < sweep_rows(sweep); i++) {
		struct transfer t = sweep_row(sweep, i);
		const char *why = check_window(&t);

		if (why)
			die_usage("-w: %s", why);
	}
}

void
parse_options(struct options *o, int argc, char *argv[])
{
	int option;

	o->format = default_format();
	while ((option = getopt_long(argc, argv, short_options, long_options,
	                             NULL)) != -1)
		set_option(o, option);
	o->files = argv + optind;
	o->nfiles = (size_t)(argc - optind);
	if (!o->command)
		set_command(o);
	check_command(o);
	check_sweep(&o->sweep);
	check_bounds(o);
	check_inflight(o);
	slot_resolve(&o->slot, o->command->any_bus);
}

void
free_options(struct options *o)
{
	free(o->sweep.size.value);
	free(o->sweep.offset.value);
	free(o->sweep.window.value);
	free(o->inflight.frame.value);
	nic_free(&o->nic);
	slot_free(&o->slot);
}
