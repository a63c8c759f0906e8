/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads measured rows and adds what the model expects to each. */
#include "model/options.h"

#include "common/base/util.h"
#include "model/cells.h"
#include "model/flows.h"
#include "model/latency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bandwidth of the input and its model; NAN and NULL without one. */
struct joined {
	double model_gbit_s;
	double ratio; /* measured / expected; NAN if not measured */
	const char *limited_by;
	enum accounting accounting;

	/* For a latency: expected, and measured minus expected. */
	double median_ps, rest_ps;

	/* For a transfer in a machine. */
	char *limit;
	enum crossing crosses;
};

/* A latency of reads; NAN if the row has none. */
struct latency {
	double median_ns, p99_ns;
};

/* Rows of the input, stored until the added columns are known. */
struct passthrough {
	struct passthrough_row {
		size_t at; /* offset of its NUL-terminated texts */
		size_t ncols;
		union {
			struct joined joined;
			struct latency latency;
		};
	} * row;
	size_t n, max;
	char *text;
	size_t used, size;
	const char *const *added; /* names of appended columns */
	size_t nadded;
};

/* Stores the current row of the table; valid until the next call. */
static struct passthrough_row *
passthrough_add(struct passthrough *k, const struct table *t)
{
	if (k->n == k->max) {
		k->max = 2 * k->max + 64;
		k->row = xreallocarray(k->row, k->max, sizeof *k->row);
	}
	k->row[k->n].at = k->used;
	k->row[k->n].ncols = t->ncols;
	for (size_t i = 0; i < t->ncols; i++) {
		size_t length = strlen(t->field[i]) + 1;

		if (k->size - k->used < length) {
			k->size = 2 * (k->size + length);
			k->text = xreallocarray(k->text, k->size, 1);
		}
		memcpy(k->text + k->used, t->field[i], length);
		k->used += length;
	}
	return &k->row[k->n++];
}

static bool
is_added(const struct passthrough *k, const char *name)
{
	return find_word(name, k->added, k->nadded) < k->nadded;
}

/*
 * Writes the header: the table's columns, except those with the name of an
 * added one, then the added ones.
 */
static void
passthrough_begin(struct passthrough *k, struct out *o, const struct table *t,
                  const char *const added[], size_t nadded)
{
	const char **name =
	    xreallocarray(NULL, t->ncols + nadded, sizeof *name);
	size_t n = 0;

	k->added = added;
	k->nadded = nadded;
	for (size_t i = 0; i < t->ncols; i++) {
		if (!is_added(k, t->name[i]))
			name[n++] = t->name[i];
	}
	for (size_t i = 0; i < nadded; i++)
		name[n++] = added[i];
	out_begin(o, name, n);
	free(name);
}

/* Writes a row's cells before the added ones. */
static void
passthrough_write(const struct passthrough *k, struct out *o,
                  const struct table *t, size_t index)
{
	const struct passthrough_row *row = &k->row[index];
	const char *text = k->text + row->at;

	for (size_t i = 0; i < t->ncols; i++) {
		if (!is_added(k, t->name[i]))
			out_text(o, i < row->ncols ? text : "");
		if (i < row->ncols)
			text += strlen(text) + 1;
	}
}

static void
passthrough_free(struct passthrough *k)
{
	free(k->row);
	free(k->text);
}

/* Bandwidths and latencies ------------------------------------------------- */

struct join {
	struct passthrough rows;
	uintmax_t compared;
	uintmax_t without_model, without_value; /* of benches with a model */
	const char *why;                        /* the last one has no model */

	const struct options *options;
	struct machine *machine; /* of `flows`, or NULL */
	struct measured *cell;
	size_t ncells;
	bool latencies; /* the options name a host */
	struct sim_params host;
};

/* The last two only for latencies. */
static const char *const added[] = {"model_accounting", "model_gbit_s",
                                    "model_ratio_pct",  "limited_by",
                                    "model_median_ns",  "model_rest_ns"};

#define OF_LATENCY 2

static struct link_config
config_here(const struct row *row, const struct options *o)
{
	const char *text = row_text(row, COL_LINK);
	const char *accounting = row_text(row, COL_ACCOUNTING);
	const char *completer = row_text(row, COL_COMPLETER);
	struct link_config config;
	const char *why = link_config_of_row(&o->link, text, &config);

	if (*text)
		row_check(row, COL_LINK, why);
	if (why)
		row_needs(row, why);
	/* Rows of a model name its accounting and completer. */
	if (*accounting && !options_given(&o->parser, "accounting"))
		row_check(row, COL_ACCOUNTING,
		          parse_accounting(accounting, &config.accounting));
	if (*completer && !options_given(&o->parser, "completer"))
		row_check(row, COL_COMPLETER,
		          parse_completer(completer, &config.completer));
	return config;
}

/*
 * Random and sequential accesses use all units of a window equally often, so
 * their average is exact. A fixed address is the first unit.
 */
static struct transfer
transfer_here(const struct row *row)
{
	struct transfer transfer = {0};

	row_bytes(row, COL_SIZE, &transfer.size);
	row_bytes(row, COL_OFFSET, &transfer.offset);
	row_bytes(row, COL_WINDOW, &transfer.window);
	if (!*row_text(row, COL_SIZE))
		row_needs(row, "size_bytes, which is empty or missing");
	row_check(row, COL_SIZE, model_check_size(transfer.size));
	row_check(row, COL_OFFSET, model_check_offset(transfer.offset));
	row_check(row, COL_WINDOW, model_check_window(&transfer));
	if (!strcmp(row_text(row, COL_PATTERN), "fixed"))
		transfer.window = 0;
	return transfer;
}

/*
 * A CPU goes through its window without gaps, in the largest packets: a whole
 * write-combining buffer, otherwise one access.
 */
static void
set_packets(struct transfer *transfer, const struct row *row)
{
	bool combined = !strcmp(row_text(row, COL_ACCESS), "resource_wc");
	const char *store = row_text(row, COL_STORE);
	uint64_t most = 64;

	if (!combined && (!strcmp(store, "mov") || !strcmp(store, "movnt")))
		most = 8;
	else if (!combined && !strcmp(store, "avx"))
		most = 32;
	transfer->window = 0;
	if (combined || transfer->size > most)
		transfer->size = most;
}

static void
set_ratio(struct join *j, struct joined *joined, const struct row *row)
{
	enum row_column column =
	    *row_text(row, COL_MEDIAN) ? COL_MEDIAN : COL_BANDWIDTH;
	double value;

	if (row->at[COL_MEDIAN] < 0 && row->at[COL_BANDWIDTH] < 0)
		row_needs(row, "median_gbit_s or bandwidth_gbit_s");
	if (!*row_text(row, column)) {
		j->without_value++;
		return;
	}
	value = table_number(row->t, (size_t)row->at[column]);
	if (value < 0)
		row_check(row, column, "a bandwidth is not negative");
	joined->ratio = value / joined->model_gbit_s;
	j->compared++;
}

static void
model_latency(struct join *j, struct joined *joined, const struct row *row)
{
	struct latency_row here;
	const char *why = latency_row_read(&here, row, j->options, &j->host);

	if (why) {
		j->why = why;
		j->without_model++;
		return;
	}
	joined->median_ps = latency_expect(&here.params, &here.point).median_ps;
	joined->rest_ps = here.median_ps - joined->median_ps;
	if (isnan(here.median_ps))
		j->without_value++;
	else
		j->compared++;
}

/* A transfer through the machine, alone. */
static void
model_cell(struct join *j, struct joined *joined, const struct row *row)
{
	struct cell c;

	if (!*row_text(row, COL_MEDIAN) && !*row_text(row, COL_BANDWIDTH))
		return;
	if (!cell_of_row(&c, j->machine, j->options, row->t)) {
		j->why = "it is no transfer between two places of this machine";
		j->without_model++;
		return;
	}
	joined->model_gbit_s = c.gbit_s;
	joined->limit = xstrdup(c.limit->limited_by);
	joined->limited_by = joined->limit;
	joined->crosses = c.flow->crosses;
	joined->accounting = j->options->link.accounting;
	set_ratio(j, joined, row);
	array_push(j->cell, j->ncells,
	           cell_measured(j->machine, &c, joined->ratio));
	cell_free(&c);
}

static void
model_row(struct join *j, struct joined *joined, const struct row *row)
{
	const char *bench = row_text(row, COL_BENCH), *why;
	const struct work *work = find_work(bench);
	struct link_config config;
	struct transfer transfer;
	struct expected e;

	if (j->latencies && find_word(bench, latency_benches, 2) < 2)
		model_latency(j, joined, row);
	if (!work)
		return;
	config = config_here(row, j->options);
	why = why_no_model(&config.link);
	if (why) {
		j->why = why;
		j->without_model++;
		return;
	}
	transfer = transfer_here(row);
	if (work->by_host)
		set_packets(&transfer, row);
	e = expect(&config, work, &transfer);
	joined->model_gbit_s = e.gbit_s;
	joined->limited_by = e.limited_by;
	joined->accounting = config.accounting;
	set_ratio(j, joined, row);
}

/*
 * Reads the table to its end. Dies if the input is bad, if a row of a bench
 * that the model knows lacks size or link, or if the stream lacks bandwidth.
 */
static void
join_read(struct join *j, struct table *t)
{
	struct row row = {.t = t};

	if (j->latencies)
		latency_host(j->options, &j->host);
	while (table_next(t)) {
		struct joined *joined = &passthrough_add(&j->rows, t)->joined;

		*joined = (struct joined){.model_gbit_s = NAN,
		                          .ratio = NAN,
		                          .median_ps = NAN,
		                          .rest_ps = NAN};
		row_find(&row);
		(j->machine ? model_cell : model_row)(j, joined, &row);
	}
	if (table_find(t, "bench") < 0 && !j->machine)
		die("%s: no column 'bench', which says what was measured",
		    t->file);
	if (j->without_model)
		warn("rows without a model: %ju, the last because %s",
		     j->without_model, j->why);
	if (j->without_value)
		warn("rows without a value to compare: %ju", j->without_value);
}

static void
join_write(struct out *o, const struct table *t, struct join *j)
{
	static const char *const of_machine[] = {
	    "model_accounting", "model_gbit_s", "model_ratio_pct", "limited_by",
	    "crosses"};
	size_t nadded = ARRAY_LEN(added) - (j->latencies ? 0 : OF_LATENCY);

	passthrough_begin(&j->rows, o, t, j->machine ? of_machine : added,
	                  j->machine ? ARRAY_LEN(of_machine) : nadded);
	for (size_t i = 0; i < j->rows.n; i++) {
		const struct joined *row = &j->rows.row[i].joined;

		passthrough_write(&j->rows, o, t, i);
		out_text(o, row->limited_by ? accounting_names[row->accounting]
		                            : "");
		out_double(o, row->model_gbit_s);
		out_double(o, 100 * row->ratio);
		out_text(o, row->limited_by ? row->limited_by : "");
		if (j->machine)
			out_text(o, crossing_names[row->crosses]);
		free(row->limit);
		if (!j->latencies)
			continue;
		out_double(o, row->median_ps / 1000);
		out_double(o, row->rest_ps / 1000);
	}
}

/*
 * The result of --check: STATUS_OK, or STATUS_NO if rows are below the model by
 * more than allowed, or above it where its accounting is a bound.
 */
static int
verdict(const struct join *j, const struct options *options)
{
	struct fraction below = options->tolerance, above = options->above;
	size_t n = 0, over = 0;

	for (size_t i = 0; below.den && i < j->rows.n; i++) {
		const struct joined *row = &j->rows.row[i].joined;

		n += row->ratio < 1 - (double)below.num / (double)below.den;
		over += above.den && row->accounting == ACCOUNTING_TRAFFIC &&
		        row->ratio > 1 + (double)above.num / (double)above.den;
	}
	if (n)
		warn("%zu row%s below the model by more than --check allows", n,
		     n == 1 ? " falls" : "s fall");
	if (over)
		warn("%zu row%s above the bound by more than --check allows: a "
		     "measurement error, or another link",
		     over, over == 1 ? " is" : "s are");
	return n || over ? STATUS_NO : STATUS_OK;
}

/* Warns if the model computes no row of the input. */
static void
warn_of_nothing(const struct join *j)
{
	if (!j->rows.n || j->compared || j->without_model || j->without_value)
		return;
	warn("the model adds nothing: no row is %s",
	     j->latencies ? "of a bench that it computes"
	                  : "a bandwidth; for latencies, add -d sim:NAME of a "
	                    "simulated host");
}

int
run_join(struct out *o, const struct options *options)
{
	struct join join = {.options = options};
	struct table *t;
	int status;

	need_input("Usage: pcb-model --join [options] [FILE...]",
	           options->nfiles);
	join.latencies = options->latency.choice.profile;
	if (options->mode == MODEL_FLOWS)
		join.machine = flows_machine(options);
	t = table_open(options->files, options->nfiles);
	join_read(&join, t);
	if (options->tolerance.den && !join.compared)
		die("--check: no row can be compared with the model");
	warn_of_nothing(&join);
	preamble_add_command(&t->preamble);
	o->preamble = &t->preamble;
	join_write(o, t, &join);
	out_finish(o, t->complete, &t->end);
	if (join.machine) {
		cells_say(join.machine, join.cell, join.ncells);
		machine_free(join.machine);
		free(join.cell);
	}
	status = verdict(&join, options);
	sim_params_free(&join.host);
	passthrough_free(&join.rows);
	table_close(t);
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
static void
write_inflight(struct out *o, double ns, uint64_t rate, uint64_t bytes)
{
	double frames = ns * (double)rate / (frame_bits(bytes) * 1e9);

	frames = ceil(frames * (1 - 0x1p-50));
	if (frames < 1e15)
		out_u64(o, (uint64_t)frames);
	else
		out_double(o, frames);
}

static void
inflight_write(struct out *o, const struct options *options)
{
	static const char *const names[] = {
	    "kind",      "frame_bytes", "rate_gbit_s",
	    "packet_ns", "rtt_ns",      "inflight",
	};
	const struct nic_options *in = &options->nic;
	double rtt_ns = (double)options->link.bounds.rtt_ps / 1e3;

	out_begin(o, names, ARRAY_LEN(names));
	for (size_t i = 0; i < in->frame.n; i++) {
		uint64_t bytes = in->frame.value[i];

		out_text(o, "model");
		out_u64(o, bytes);
		out_double(o, (double)in->rate / 1e9);
		out_double(o, frame_ns(in->rate, bytes));
		out_double(o, rtt_ns);
		write_inflight(o, rtt_ns, in->rate, bytes);
	}
}

static double
time_of(const struct table *t, const char *name)
{
	ptrdiff_t col = table_find(t, name);
	double ns;

	if (!*table_text(t, col))
		return NAN;
	ns = table_number(t, (size_t)col);
	if (ns < 0)
		table_refuse(t, (size_t)col, "a latency is not negative");
	return ns;
}

static void
read_latencies(struct passthrough *rows, struct table *t)
{
	uintmax_t reads = 0, without_p99 = 0;

	while (table_next(t)) {
		struct latency *l = &passthrough_add(rows, t)->latency;
		ptrdiff_t bench = table_find(t, "bench");

		*l = (struct latency){NAN, NAN};
		if (strcmp(table_text(t, bench), "lat_rd") != 0)
			continue;
		l->median_ns = time_of(t, "median_ns");
		l->p99_ns = time_of(t, "p99_ns");
		if (isnan(l->median_ns))
			table_die(t, (size_t)bench,
			          "'lat_rd' needs median_ns, as pcb-stats "
			          "writes it");
		without_p99 += isnan(l->p99_ns) ? 1 : 0;
		reads++;
	}
	if (!reads && rows->n)
		die("%s: no row of the bench lat_rd", t->file);
	if (without_p99)
		warn("rows of lat_rd without p99_ns, whose p99_inflight is "
		     "empty: %ju",
		     without_p99);
}

static void
write_frames(struct out *o, const struct table *t, struct passthrough *rows,
             const struct nic_options *in)
{
	static const char *const columns[] = {
	    "frame_bytes",     "rate_gbit_s",  "packet_ns",
	    "median_inflight", "p99_inflight",
	};

	passthrough_begin(rows, o, t, columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < rows->n; i++) {
		const struct latency *l = &rows->row[i].latency;

		if (isnan(l->median_ns)) {
			passthrough_write(rows, o, t, i);
			for (size_t k = 0; k < ARRAY_LEN(columns); k++)
				out_text(o, "");
			continue;
		}
		for (size_t k = 0; k < in->frame.n; k++) {
			uint64_t bytes = in->frame.value[k];

			passthrough_write(rows, o, t, i);
			out_u64(o, bytes);
			out_double(o, (double)in->rate / 1e9);
			out_double(o, frame_ns(in->rate, bytes));
			write_inflight(o, l->median_ns, in->rate, bytes);
			write_inflight(o, l->p99_ns, in->rate, bytes);
		}
	}
}

int
run_inflight(struct out *o, const struct options *options)
{
	struct passthrough rows = {0};
	struct table *t;

	if (options->link.bounds.rtt_ps) {
		write_stream(o, options, inflight_write);
		return STATUS_OK;
	}
	need_input("Usage: pcb-model inflight --rate RATE --frame LIST "
	           "--rtt TIME|[FILE...]",
	           options->nfiles);
	t = table_open(options->files, options->nfiles);
	read_latencies(&rows, t);
	preamble_add_command(&t->preamble);
	o->preamble = &t->preamble;
	write_frames(o, t, &rows, &options->nic);
	out_finish(o, t->complete, &t->end);
	passthrough_free(&rows);
	table_close(t);
	return STATUS_OK;
}
