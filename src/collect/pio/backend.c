/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU reads of real functions of this machine. */
#include "collect/core/backend.h"
#include "collect/host/cpu.h"
#include "collect/host/describe.h"
#include "collect/pci/bar.h"
#include "collect/pci/device.h"
#include "collect/pio/pio.h"
#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <unistd.h>

/*
 * Class code and revision: every function has this register, ordinary users may
 * read it, it never changes, and VFIO does not answer it itself.
 */
#define DEFAULT_REGISTER 0x08

/* Most reads per second. */
#define RATE_MAX 10000000

#define PIO_BENCHES (BENCH_BIT(LAT_CFG) | BENCH_BIT(LAT_MMIO))

static const char name[] = "pci";

struct pci_state {
	struct targets targets;
	struct target cross; /* read before each sample, if it has a method */
	struct changes hold;
	uint64_t interval;    /* ticks from read to read; 0: closed loop */
	int64_t lead;         /* from the end of a batch to the next due read */
	uint64_t late, reads; /* of an open loop: begun after they were due */
	const char *kind;
	struct host host;
};

static const struct backend_option options[] = {
    {"access", "auto",
     "access method: sysfs, ecam, vfio (lat_mmio: resource, vfio)"},
    {"register", "auto",
     "register: 0x08 (lat_mmio: a known one, such as BAR0+0x8)"},
    {NULL, NULL, NULL},
};

static const char *
check_holds(const char *text)
{
	char **item = list_split(text);
	const char *why = NULL;

	for (size_t i = 0; item[i]; i++) {
		if (strcmp(item[i], "aspm") != 0 &&
		    strcmp(item[i], "power") != 0)
			why = "not aspm or power";
	}
	free(item);
	return why;
}

static const char *
check_cross(const char *text)
{
	struct reg_addr addr;
	char bdf[BDF_MAX];

	return reg_addr_parse_of(text, bdf, &addr);
}

static const char *
check_rate(const char *text)
{
	uint64_t rate;
	const char *why = parse_count(text, &rate);

	return why || (rate && rate <= RATE_MAX) ? why : "not within 1 to 10M";
}

static const struct bench_option bench_options[] = {
    {.name = "path", .help = "with -d BDF: the bridges above it, too"},
    {.name = "hold",
     .argument = "LIST",
     .help = "hold these of the path during the run: aspm (off), power (on)",
     .words = "aspm power",
     .check = check_holds,
     .is_list = true},
    {.name = "cross-traffic",
     .argument = "BDF[:REGISTER]",
     .help = "read this register before each sample",
     .check = check_cross},
    {.name = "rate",
     .argument = "COUNT",
     .help = "begin this many reads per second; latencies count from when they "
             "are due",
     .check = check_rate},
    {.name = NULL},
};

/* The full BDF, with the register if that is another one than measured. */
static char *
cross_cell(const char *text)
{
	struct reg_addr addr = {.bar = CONFIG_SPACE, .offset = NO_OFFSET};
	char bdf[BDF_MAX], at[REG_ADDR_TEXT_MAX];

	reg_addr_parse_of(text, bdf, &addr);
	if (addr.offset == NO_OFFSET)
		return xstrdup(bdf);
	reg_addr_format(&addr, at);
	return xasprintf("%s:%s", bdf, at);
}

static char *
rate_cell(const char *text)
{
	uint64_t n = 0;

	parse_count(text, &n);
	return xasprintf("%ju", (uintmax_t)n);
}

static const struct option_column columns[] = {
    {"cross-traffic", "cross_traffic", PIO_BENCHES, cross_cell},
    {"rate", "rate", PIO_BENCHES, rate_cell},
    {0},
};

/* lat_mmio needs a named register, or a safe one in the table. */
static void
probe_mmio(bool named, const struct safe_regs *known,
           const struct pci_function *f, struct finding *found)
{
	struct bar bars[BARS];
	char *memory = NULL;

	bars_read(f, bars);
	for (int i = 0; i < BARS; i++) {
		if (bars[i].memory)
			xappend(&memory, ", ", "BAR%d", i);
	}
	if (memory && (named || safe_regs_find(known, f)))
		found->benches |= BENCH_BIT(LAT_MMIO);
	else if (memory)
		text_set(
		    &found->why_not,
		    "lat_mmio: name a register of %s that its data sheet lets "
		    "you read: a read may have side effects (-O "
		    "register=BARn+OFFSET)",
		    memory);
	free(memory);
}

static void
probe(const struct request *request, struct findings *list)
{
	const struct pci_tree *tree = probe_tree();
	const char *text = option_value(request, options, "register");
	struct reg_addr addr = {.bar = CONFIG_SPACE};
	struct safe_regs known;
	bool named;

	if (!tree) {
		text_set(&findings_add(list, name)->why_not,
		         "%s: %s/devices: %s", name, root_path("/sys/bus/pci"),
		         strerror(errno));
		return;
	}
	/* For lat_mmio any text counts: open reports what is wrong. */
	reg_addr_parse(text, &addr);
	named = request->bench && request->bench->id == LAT_MMIO
	            ? strcmp(text, "auto") != 0
	            : addr.bar != CONFIG_SPACE;
	known = safe_regs_read();
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		struct finding *found = function_found(list, name, f);

		found->benches = BENCH_BIT(LAT_CFG);
		found->automatic = true;
		probe_mmio(named, &known, f, found);
	}
	safe_regs_free(&known);
}

/*
 * One CPU reads all devices: near the first with a known node. Warns of others.
 */
static int
node_of(const struct session *s, const struct targets *targets)
{
	const struct pci_function *near = NULL, *far = NULL;

	for (size_t i = 0; i < targets->n; i++) {
		const struct pci_function *f = targets->item[i].reader.function;

		if (f->node >= 0 && !near)
			near = f;
		if (f->node >= 0 && f->node != near->node && !far)
			far = f;
	}
	if (far && s->request->cpu < 0)
		warn("one CPU reads devices on several nodes: those that are "
		     "not on node %d, such as %s on node %d, are remote",
		     near->node, far->bdf, far->node);
	return near ? near->node : -1;
}

/* Ticks from one read to the next with --rate, or 0. */
static uint64_t
interval_of(const struct request *request, const struct clock *clock)
{
	const char *text = bench_option(request, "rate");
	uint64_t rate = 0, ticks = UINT64_C(1) << 30;

	if (!text)
		return 0;
	parse_count(text, &rate);
	return (uint64_t)(1e12 / (double)rate * (double)ticks /
	                  (double)clock_ps(clock, ticks));
}

/*
 * What a pread adds: the least time of one that reads nothing from the file,
 * which is no access to the device.
 */
static void
describe_overhead(struct preamble *preamble, const struct reader *r,
                  const struct clock *clock)
{
	uint64_t least = UINT64_MAX;
	char ns[24];

	if (r->word)
		return;
	for (int i = 0; i < 1000; i++) {
		uint64_t begin = counter_begin();
		ssize_t got = pread(r->fd, NULL, 0, r->at);
		uint64_t end = counter_end();

		if (got)
			return;
		least = min_u64(least, end - begin);
	}
	*print_ns(ns, clock_ps(clock, least)) = '\0';
	preamble_set(preamble, "pread_overhead_ns", "%s", ns);
}

static bool
prepare_host(struct session *s)
{
	struct pci_state *state = s->state;
	const struct targets *targets = &state->targets;

	host_describe(s->preamble);
	if (!host_prepare(s, &state->host, node_of(s, targets)) ||
	    !quiesce(s, &state->hold, targets))
		return false;
	/* --hold power has woken what it can. */
	for (size_t i = 0; i < targets->n; i++) {
		if (!target_check_awake(s, &targets->item[i]))
			return false;
	}
	if (state->cross.reader.method && !target_check_awake(s, &state->cross))
		return false;
	pio_describe_targets(s->preamble, targets);
	state->interval = interval_of(s->request, &state->host.clock);
	if (s->silent && (state->interval || state->cross.reader.method))
		return fail(s, STATUS_TROUBLE,
		            "--idle: neither with --rate nor --cross-traffic");
	state->lead = (int64_t)state->interval;
	describe_overhead(s->preamble, &targets->item[0].reader,
	                  &state->host.clock);
	host_begin(s, &state->host);
	return true;
}

/* Sets the address of -O register and its method; false after fail(). */
static bool
choose_method(struct session *s, struct targets *targets)
{
	const char *by = option_value(s->request, options, "access");
	const char *text = option_value(s->request, options, "register");
	bool config = s->request->bench->id == LAT_CFG;
	struct reg_addr *addr = &targets->addr;
	const char *why = NULL;
	char *names;

	*addr = (struct reg_addr){config ? CONFIG_SPACE : 0, DEFAULT_REGISTER};
	targets->safe_only = !config && !strcmp(text, "auto");
	if (strcmp(text, "auto") != 0)
		why = reg_addr_parse(text, addr);
	if (!why && config && addr->bar != CONFIG_SPACE)
		why = "lat_cfg reads config space, lat_mmio registers behind "
		      "BARs";
	if (!why && !config && addr->bar == CONFIG_SPACE)
		why = "lat_mmio reads registers behind BARs, such as BAR0+0x8";
	if (why)
		return fail(s, STATUS_TROUBLE, "-O register=%s: %s", text, why);
	targets->method = access_find(by, &targets->addr);
	if (targets->method)
		return true;
	names = access_list(&targets->addr);
	fail(s, STATUS_TROUBLE, "-O access=%s: %s is read by %s", by,
	     s->request->bench->name, names);
	free(names);
	return false;
}

static bool
open_pci(struct session *s)
{
	struct pci_state *state = s->state;
	const char *cross = bench_option(s->request, "cross-traffic");

	if (!choose_method(s, &state->targets))
		return false;
	state->targets.tree = function_tree(s);
	if (!state->targets.tree)
		return false;
	state->targets.held_awake =
	    list_has(bench_option(s->request, "hold"), "power");
	/* Each register is a file. */
	allow_files();
	if (!targets_open(s, &state->targets) ||
	    (cross &&
	     !targets_open_cross(s, &state->targets, cross, &state->cross)))
		return false;
	state->kind = host_kind(state->targets.tree->sysfs);
	return prepare_host(s);
}

static bool
prepare(struct session *s, const struct point *point)
{
	const struct pci_state *state = s->state;

	(void)point;
	series_make(s, state->targets.n);
	for (size_t i = 0; i < state->targets.n; i++) {
		const struct reader *r = &state->targets.item[i].reader;

		pci_identify(&s->series[i], state->kind, r->function);
		series_set(&s->series[i], ID_ACCESS, "%s", r->method->name);
		series_set(&s->series[i], ID_REGISTER, "%s", r->text);
	}
	return true;
}

/* Waits until a read is due. Returns that time, or 0 if it is later already. */
static uint64_t
wait_until(uint64_t due)
{
	uint64_t now = counter_begin();

	if (now > due)
		return 0;
	while (now < due)
		now = counter_begin();
	return now;
}

/*
 * Measures whole rounds over all targets, so that each has as many samples. In
 * an open loop a read that begins late counts from when it was due.
 */
static bool
time_reads(struct session *s, uint64_t rounds)
{
	struct pci_state *state = s->state;
	struct target *cross =
	    state->cross.reader.method ? &state->cross : NULL;
	uint64_t due = counter_begin() + (uint64_t)state->lead;

	for (uint64_t i = 0; i < rounds && !*s->interrupted; i++) {
		for (size_t t = 0; t < state->targets.n; t++) {
			struct target *target = &state->targets.item[t];
			const struct reader *r = &target->reader;
			uint32_t value = 0;
			uint64_t begin, end;
			bool ok;

			if (cross) {
				/* Not timed, but must answer. */
				ok = cross->reader.method->read(&cross->reader,
				                                &value);
				if (!target_check(s, cross, ok, value))
					return false;
			}
			begin =
			    state->interval ? wait_until(due) : counter_begin();
			if (!s->warming) {
				state->late += !begin;
				state->reads++;
			}
			begin = begin ? begin : due;
			due += state->interval;
			ok = r->method->read(r, &value);
			end = counter_end();
			if (!target_check(s, target, ok, value))
				return false;
			s->series[t].raw[i] = end - begin;
			s->series[t].n = i + 1;
		}
	}
	/* The next batch begins as late; writing this one is no wait. */
	state->lead = (int64_t)(due - counter_begin());
	return true;
}

static bool
run(struct session *s, uint64_t want)
{
	const struct pci_state *state = s->state;
	/* The first round follows a pause and finds cold caches. */
	bool ok = state->interval || s->silent || time_reads(s, 1);

	for (size_t t = 0; t < state->targets.n; t++)
		s->series[t].n = 0;
	ok = ok && time_reads(s, want);
	for (size_t t = 0; t < state->targets.n; t++) {
		struct series *series = &s->series[t];

		for (size_t i = 0; i < series->n; i++)
			series->raw[i] =
			    clock_ps(&state->host.clock, series->raw[i]);
	}
	return ok;
}

static void
add_to_end(struct session *s, struct preamble *end)
{
	const struct pci_state *state = s->state;
	uint64_t changes = 0;

	host_describe_end(&state->host, end);
	changes_check(&state->hold);
	if (state->interval && state->reads) {
		double late = 100 * (double)state->late / (double)state->reads;

		preamble_set(end, "late_pct", "%.3g", late);
		if (late > 50)
			warn("--rate: %.0f %% of the reads began after they "
			     "were due: latencies are those of a queue",
			     late);
	}
	/* Reads that returned another value than the one before. */
	for (size_t i = 0; i < state->targets.n; i++) {
		const struct target *target = &state->targets.item[i];

		changes += target->changes;
		if (target->changes)
			warn("%s: register %s changed, so reads of it may have "
			     "several latencies",
			     target->reader.function->bdf, target->reader.text);
	}
	if (changes)
		preamble_set(end, "changed_values", "%ju", (uintmax_t)changes);
}

static void
close_pci(struct session *s)
{
	struct pci_state *state = s->state;

	changes_undo(&state->hold);
	access_close(&state->cross.reader);
	targets_close(&state->targets);
	pci_tree_free(state->targets.tree);
}

const struct backend pci_backend = {
    .name = name,
    .help = "registers of this machine's PCI functions, read by the CPU",
    .state_size = sizeof(struct pci_state),
    .benches = PIO_BENCHES,
    .flags = BACKEND_BDF,
    .options = options,
    .bench_options = bench_options,
    .columns = columns,
    .probe = probe,
    .open = open_pci,
    .prepare = prepare,
    .run = run,
    .end = add_to_end,
    .close = close_pci,
};
