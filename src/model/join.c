/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads measured rows and adds what the model expects to each. */
#include "model/options.h"

#include "common/base/util.h"
#include "common/cli/plugin.h"
#include "model/latency.h"

#include <math.h>

/* Bandwidths and latencies ------------------------------------------------- */

/* What the model says of a row; numbers are NAN and texts "" without it. */
struct joined {
	double gbit_s, ratio; /* measured / expected */
	const char *limited_by, *accounting, *crosses;
	double median_ps, rest_ps; /* of a latency: expected, and the rest */
};

/* Rows below or above what --check allows. */
struct beyond {
	uintmax_t rows;
	char *furthest; /* in words, or NULL */
	double ratio;
};

struct join {
	struct kept rows;
	uintmax_t compared;
	uintmax_t without_model, without_value; /* of benches with a model */
	uintmax_t without_size;                 /* taken as large copies */
	const char *why;                        /* the last one has no model */
	struct beyond below, above;             /* what --check allows */

	const struct options *options;
	struct machine *machine; /* of `flows`, or NULL */
	struct flow_rules rules; /* of its transfers */
	struct machine *dump;    /* whose devices rows name, or NULL */
	struct path *path;       /* of each node of `dump`, once known */
	size_t asleep;           /* paths whose slowest link sleeps */
	struct cell cell;        /* of the row */
	struct measured *measured;
	size_t nmeasured;
	bool latencies; /* the options name a host */
	struct sim_params host;
};

/* The path of the row's device in the dump; a dump of one device: its own. */
static const struct path *
path_here(struct join *j, const struct table *t)
{
	const struct machine *m = j->dump;
	const struct pci_function *f = NULL;
	struct told told;
	struct path *path;
	size_t node;

	if (!m)
		return NULL;
	node = m->nnodes ? machine_find(m, m->tree->n == 1
	                                       ? m->tree->function->bdf
	                                       : optional_text(t, "device"))
	                 : MACHINE_NONE;
	if (node != MACHINE_NONE)
		f = m->node[node].function;
	if (!f)
		return NULL;
	path = &j->path[node];
	if (!path->n && !link_path_find(path, &told, m->tree, f)) {
		link_path_say(&j->options->link, path, m->tree, j->asleep);
		j->asleep +=
		    path->hop[path->limit].now && !j->options->link.given[GEN];
	}
	return path->n ? path : NULL;
}

static struct link_config
config_here(const struct table *t, const struct options *o,
            const struct path *path)
{
	const char *text = optional_text(t, "link");
	struct link_config config;
	const char *why = NULL;

	if (path)
		config = link_config_of_path(&o->link, path);
	else
		why = link_config_of_row(&o->link, text, &config);
	if (*text)
		row_check(t, "link", why);
	if (why)
		row_needs(t, why);
	/* Rows of a model name its accounting and completer. */
	if (*optional_text(t, "accounting") &&
	    !options_given(&o->parser, "accounting"))
		config.accounting = (enum accounting)reference_word(
		    t, "accounting", accounting_names,
		    ARRAY_LEN(accounting_names));
	if (*optional_text(t, "completer") &&
	    !options_given(&o->parser, "completer"))
		config.completer = (enum completer)reference_word(
		    t, "completer", completer_names,
		    ARRAY_LEN(completer_names));
	return config;
}

/*
 * Random and sequential accesses use all units of a window equally often, so
 * their average is exact. A fixed address is the first unit.
 */
static struct transfer
transfer_here(struct join *j, const struct table *t)
{
	struct transfer transfer = {0};

	row_bytes(t, "size_bytes", &transfer.size);
	row_bytes(t, "offset_bytes", &transfer.offset);
	row_bytes(t, "window_bytes", &transfer.window);
	/* Other programs do not always say it. No size has a higher bound. */
	if (!*optional_text(t, "size_bytes") &&
	    !strcmp(optional_text(t, "kind"), "imported")) {
		transfer.size = (uint64_t)1 << 20;
		j->without_size++;
	} else if (!*optional_text(t, "size_bytes")) {
		row_needs(t, "size_bytes, which is empty or missing");
	}
	row_check(t, "size_bytes", model_check_size(transfer.size));
	row_check(t, "offset_bytes", model_check_offset(transfer.offset));
	row_check(t, "window_bytes", model_check_window(&transfer));
	if (!strcmp(optional_text(t, "pattern"), "fixed"))
		transfer.window = 0;
	return transfer;
}

/*
 * A CPU goes through its window without gaps, in the largest packets: a whole
 * write-combining buffer, otherwise one access.
 */
static void
set_packets(struct transfer *transfer, const struct table *t)
{
	bool combined = !strcmp(optional_text(t, "access"), "resource_wc");
	const char *store = optional_text(t, "store");
	uint64_t most = 64;

	if (!combined && (!strcmp(store, "mov") || !strcmp(store, "movnt")))
		most = 8;
	else if (!combined && !strcmp(store, "avx"))
		most = 32;
	transfer->window = 0;
	if (combined || transfer->size > most)
		transfer->size = most;
}

static double
part_of(struct fraction f)
{
	return (double)f.num / (double)f.den;
}

/* Counts a row beyond what --check allows; a message names the furthest one. */
static void
note_beyond(struct beyond *b, const struct table *t, double ratio)
{
	const char *device = optional_text(t, "device");
	const char *peer = optional_text(t, "peer");

	b->rows++;
	if (b->furthest && fabs(ratio - 1) <= fabs(b->ratio - 1))
		return;
	free(b->furthest);
	b->furthest =
	    xasprintf("%s%s%s%s%s at %.0f %%", optional_text(t, "bench"),
	              *device ? " of " : "", device, *peer ? " and " : "", peer,
	              100 * ratio);
	b->ratio = ratio;
}

/* A ratio beyond what --check allows counts, if its accounting is a bound. */
static void
set_ratio(struct join *j, struct joined *joined, const struct table *t,
          enum accounting accounting)
{
	const char *column = *optional_text(t, "median_gbit_s")
	                         ? "median_gbit_s"
	                         : "bandwidth_gbit_s";
	struct fraction below = j->options->tolerance,
	                above = j->options->above;
	double value;

	joined->accounting = accounting_names[accounting];
	if (table_find(t, "median_gbit_s") < 0 &&
	    table_find(t, "bandwidth_gbit_s") < 0)
		row_needs(t, "median_gbit_s or bandwidth_gbit_s");
	if (!*optional_text(t, column)) {
		j->without_value++;
		return;
	}
	value = table_number(t, need_column(t, column));
	if (value < 0)
		row_check(t, column, "a bandwidth is not negative");
	joined->ratio = value / joined->gbit_s;
	j->compared++;
	if (below.den && joined->ratio < 1 - part_of(below))
		note_beyond(&j->below, t, joined->ratio);
	if (above.den && accounting == ACCOUNTING_TRAFFIC &&
	    joined->ratio > 1 + part_of(above))
		note_beyond(&j->above, t, joined->ratio);
}

static void
has_no_model(struct join *j, const char *why)
{
	j->why = why;
	j->without_model++;
}

static void
model_latency(struct join *j, struct joined *joined, const struct table *t)
{
	struct latency_row here;
	const char *why = latency_row_read(&here, t, j->options, &j->host);

	if (why) {
		has_no_model(j, why);
		return;
	}
	joined->median_ps = here.expected_ps;
	joined->rest_ps = here.median_ps - here.expected_ps;
	if (isnan(here.median_ps))
		j->without_value++;
	else
		j->compared++;
}

/* A transfer through the machine, alone. */
static void
model_cell(struct join *j, struct joined *joined, const struct table *t)
{
	struct cell *c = &j->cell;

	if (!*optional_text(t, "median_gbit_s") &&
	    !*optional_text(t, "bandwidth_gbit_s"))
		return;
	if (!cell_of_row(c, j->machine, &j->rules, t)) {
		has_no_model(j, "it is no transfer between two places of this "
		                "machine");
		return;
	}
	joined->gbit_s = c->gbit_s;
	joined->limited_by = c->limit->limited_by;
	joined->crosses = crossing_names[c->flow->crosses];
	set_ratio(j, joined, t, j->options->link.accounting);
	array_push(j->measured, j->nmeasured,
	           cell_measured(j->machine, c, joined->ratio));
	cell_free(c);
}

static void
model_row(struct join *j, struct joined *joined, const struct table *t)
{
	const char *bench = optional_text(t, "bench"), *why;
	const struct work *work = find_work(bench);
	const struct path *path;
	struct link_config config;
	struct transfer transfer;
	struct expected e;

	if (j->latencies && find_word(bench, latency_benches, 2) < 2)
		model_latency(j, joined, t);
	if (!work)
		return;
	path = path_here(j, t);
	if (j->dump && !path && !*optional_text(t, "link")) {
		has_no_model(j, "it names no device of the dump that has a "
		                "link: --device names one");
		return;
	}
	config = config_here(t, j->options, path);
	why = why_no_model(&config.link);
	if (why) {
		has_no_model(j, why);
		return;
	}
	transfer = transfer_here(j, t);
	if (work->by_host)
		set_packets(&transfer, t);
	e = expect(&config, work, &transfer);
	joined->gbit_s = e.gbit_s;
	joined->limited_by = e.limited_by;
	set_ratio(j, joined, t, config.accounting);
}

static void
keep_joined(struct join *j, const struct joined *r)
{
	const struct out_cell none = {0};

	KEEP(&j->rows, TEXT("model_accounting", r->accounting),
	     VALUE("model_gbit_s", r->gbit_s),
	     VALUE("model_ratio_pct", 100 * r->ratio),
	     TEXT("limited_by", r->limited_by),
	     j->machine     ? TEXT("crosses", r->crosses)
	     : j->latencies ? VALUE("model_median_ns", r->median_ps / 1000)
	                    : none,
	     j->latencies ? VALUE("model_diff_ns", r->rest_ps / 1000) : none);
}

/*
 * Reads the table to its end. Dies if the input is bad, if a row of a bench
 * that the model knows lacks size or link, or if the stream lacks bandwidth.
 */
static void
join_read(struct join *j, struct table *t)
{
	static const struct joined none = {NAN, NAN, "", "", "", NAN, NAN};
	if (j->latencies)
		latency_host(j->options, &j->host);
	while (table_next(t)) {
		struct joined joined = none;

		(j->machine ? model_cell : model_row)(j, &joined, t);
		keep_row(&j->rows, t);
		keep_joined(j, &joined);
	}
	if (!j->rows.n)
		keep_joined(j, &none);
	if (table_find(t, "bench") < 0 && !j->machine)
		die("%s: no column 'bench', which says what was measured",
		    t->file);
	if (j->asleep > 1)
		warn("links that sleep like that: %zu", j->asleep);
	if (j->without_size)
		warn("copies without a size, compared as those of 1 MiB: %ju",
		     j->without_size);
	if (j->without_model)
		warn("rows without a model: %ju, the last because %s",
		     j->without_model, j->why);
	if (j->without_value)
		warn("rows without a value to compare: %ju", j->without_value);
}

/* Begins a stream of rows of a table, after those were read. */
static void
write_joined(struct out *o, struct table *t, struct kept *rows)
{
	preamble_add_command(&t->preamble);
	o->preamble = &t->preamble;
	keep_write(o, t, rows);
	out_finish(o, t->complete, &t->end);
}

/* Reads the machine or dump of the options, where rows have their links. */
static void
join_begin(struct join *j)
{
	const struct options *o = j->options;

	keep_begin(&j->rows);
	j->latencies = o->latency.choice.profile;
	j->rules = flows_rules(o);
	if (o->mode == MODEL_FLOWS)
		j->machine = flows_machine(o);
	else if (options_dump_by_row(o))
		j->dump = flows_machine(o);
	if (j->dump)
		j->path = xcalloc(j->dump->nnodes + 1, sizeof *j->path);
}

static void
warn_nothing_added(const struct join *j)
{
	if (!j->rows.n || j->compared || j->without_model || j->without_value)
		return;
	warn("the model adds nothing: no row %s",
	     j->latencies
	         ? "is of a bench that it computes"
	         : "has a bandwidth of a bench that it computes: bw_rd, bw_wr, "
	           "bw_rdwr (pcb-import -l bench=bw_wr names it if the device "
	           "writes to memory, as a drive does that is read, or bw_rd "
	           "if it reads there); for latencies, add -d sim:NAME of a "
	           "simulated host");
}

static void
join_free(struct join *j)
{
	for (size_t i = 0; j->dump && i < j->dump->nnodes; i++)
		path_free(&j->path[i]);
	free(j->path);
	if (j->dump)
		machine_free(j->dump);
	if (j->machine)
		machine_free(j->machine);
	free(j->measured);
	free(j->below.furthest);
	free(j->above.furthest);
	sim_params_free(&j->host);
}

/* Says what --check found; returns the status. */
static int
join_verdict(const struct join *j)
{
	const struct beyond *below = &j->below, *above = &j->above;
	bool is_cut = j->options->tolerance.den && !tables_complete();

	plugin_verdict();
	if (below->rows)
		warn("%ju row%s below the model by more than --check allows",
		     below->rows, below->rows == 1 ? " falls" : "s fall");
	if (above->rows)
		warn("%ju row%s above the bound by more than --check allows, "
		     "such as %s: a measurement error, or another link",
		     above->rows, above->rows == 1 ? " is" : "s are",
		     above->furthest);
	if (is_cut)
		warn("--check fails because the input is incomplete");
	if (plugin_given())
		plugin_say_verdict(j->compared,
		                   below->furthest   ? below->furthest
		                   : above->furthest ? above->furthest
		                                     : "",
		                   "rows=%ju below=%ju above=%ju", j->compared,
		                   below->rows, above->rows);
	return below->rows || above->rows || is_cut ? STATUS_NO : STATUS_OK;
}

int
run_join(struct out *o, const struct options *options)
{
	struct join join = {.options = options};
	struct table *t;
	int status;

	need_input("Usage: pcb-model --join [options] [LINK] [FILE...]",
	           options->nfiles);
	join_begin(&join);
	t = table_open(options->files, options->nfiles);
	join_read(&join, t);
	if (options->tolerance.den && !join.compared)
		die("--check: no row can be compared with the model");
	warn_nothing_added(&join);
	write_joined(o, t, &join.rows);
	table_close(t);
	if (join.machine)
		cells_say(join.machine, join.measured, join.nmeasured);
	status = join_verdict(&join);
	join_free(&join);
	return status;
}

/* DMAs in flight ----------------------------------------------------------- */

static double
frame_bits(uint64_t bytes)
{
	static const struct ethernet usual = {.ifg = ETHERNET_IFG};

	return 8 * (double)ethernet_bytes(&usual, bytes);
}

/* Time from one frame to the next on a full Ethernet. */
static double
frame_ns(uint64_t rate, uint64_t bytes)
{
	return frame_bits(bytes) * 1e9 / (double)rate;
}

/*
 * The number of DMAs in flight if each frame starts one of this duration,
 * rounded up, since a fraction would make frames wait. Neugebauer et al.,
 * SIGCOMM 2018, section 2. 1 - 2^-50 absorbs rounding of decimals, so an exact
 * integer is not rounded up. NaN is a missing value.
 */
static double
inflight(double ns, uint64_t rate, uint64_t bytes)
{
	double frames = ns * (double)rate / (frame_bits(bytes) * 1e9);

	return ceil(frames * (1 - 0x1p-50));
}

static void
write_inflight(struct out *o, const struct options *options)
{
	const struct nic_options *in = &options->nic;
	double rtt_ns = (double)options->link.bounds.rtt_ps / 1e3;

	for (size_t i = 0; i < in->frame.n; i++) {
		uint64_t bytes = in->frame.value[i];

		OUT(o, TEXT("kind", "model"), VALUE("frame_bytes", bytes),
		    VALUE("rate_gbit_s", (double)in->rate / 1e9),
		    VALUE("packet_ns", frame_ns(in->rate, bytes)),
		    VALUE("rtt_ns", rtt_ns),
		    VALUE("inflight", inflight(rtt_ns, in->rate, bytes)));
		out_end_row(o);
	}
}

static double
time_of(const struct table *t, const char *name)
{
	double ns = NAN;

	if (*optional_text(t, name))
		ns = table_number(t, need_column(t, name));
	row_check(t, name, ns < 0 ? "a latency is not negative" : NULL);
	return ns;
}

static void
keep_frame(struct kept *rows, const struct nic_options *in, size_t i,
           double median_ns, double p99_ns)
{
	uint64_t bytes = in->frame.value[i], rate = in->rate;
	double none = isnan(median_ns) ? NAN : 0;

	KEEP(rows, VALUE("frame_bytes", (double)bytes + none),
	     VALUE("rate_gbit_s", (double)rate / 1e9 + none),
	     VALUE("packet_ns", frame_ns(rate, bytes) + none),
	     VALUE("median_inflight", inflight(median_ns, rate, bytes)),
	     VALUE("p99_inflight", inflight(p99_ns, rate, bytes)));
}

static void
read_latencies(struct kept *rows, struct table *t, const struct nic_options *in)
{
	uintmax_t reads = 0, without_p99 = 0;

	while (table_next(t)) {
		ptrdiff_t bench = table_find(t, "bench");
		double median = NAN, p99 = NAN;

		if (!strcmp(table_text(t, bench), "lat_rd")) {
			median = time_of(t, "median_ns");
			p99 = time_of(t, "p99_ns");
			if (isnan(median))
				table_die(t, (size_t)bench,
				          "'lat_rd' needs median_ns, as "
				          "pcb-stats writes it");
			without_p99 += isnan(p99) ? 1 : 0;
			reads++;
		}
		/* A row of another bench stays one, without a frame. */
		for (size_t i = 0; i < (isnan(median) ? 1 : in->frame.n); i++) {
			keep_row(rows, t);
			keep_frame(rows, in, i, median, p99);
		}
	}
	if (!rows->n)
		keep_frame(rows, in, 0, NAN, NAN);
	if (!reads && rows->n)
		die("%s: no row of the bench lat_rd", t->file);
	if (without_p99)
		warn("rows of lat_rd without p99_ns, whose p99_inflight is "
		     "empty: %ju",
		     without_p99);
}

int
run_inflight(struct out *o, const struct options *options)
{
	struct kept rows = {0};
	struct table *t;

	if (options->link.bounds.rtt_ps) {
		write_stream(o, options, write_inflight);
		return STATUS_OK;
	}
	need_input("Usage: pcb-model inflight --rate RATE --frame LIST "
	           "--rtt TIME|[FILE...]",
	           options->nfiles);
	t = table_open(options->files, options->nfiles);
	keep_begin(&rows);
	read_latencies(&rows, t, &options->nic);
	write_joined(o, t, &rows);
	table_close(t);
	return STATUS_OK;
}
