/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads measured rows and adds what the model expects to each. */
#include "model/commands.h"

#include "common/base/list.h"
#include "common/base/util.h"
#include "common/cli/need_input.h"
#include "model/latency_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of the input, stored until the added columns are known. */
struct passthrough {
	struct passthrough_row {
		size_t at; /* offset of its NUL-terminated texts */
		size_t ncols;
	} * row;
	size_t n, max;
	char *text;
	size_t used, size;
	const char *const *added; /* names of appended columns */
	size_t nadded;
};

static void
keep_text(struct passthrough *k, const char *text)
{
	size_t length = strlen(text) + 1;

	if (k->size - k->used < length) {
		k->size = 2 * (k->size + length);
		k->text = xreallocarray(k->text, k->size, 1);
	}
	memcpy(k->text + k->used, text, length);
	k->used += length;
}

/* Stores the current row of the table; returns its index. */
static size_t
passthrough_add(struct passthrough *k, const struct table *t)
{
	if (k->n == k->max) {
		k->max = 2 * k->max + 64;
		k->row = xreallocarray(k->row, k->max, sizeof *k->row);
	}
	k->row[k->n] = (struct passthrough_row){k->used, t->ncols};
	for (size_t i = 0; i < t->ncols; i++)
		keep_text(k, t->field[i]);
	return k->n++;
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

/* A row of the input; NAN and NULL without a model. */
struct joined {
	double model_gbit_s;
	double ratio; /* measured / expected; NAN if not measured */
	const char *limited_by;
	enum accounting accounting;

	/* For a latency: expected, and measured minus expected. */
	double median_ps, rest_ps;
};

struct join {
	struct passthrough rows;
	struct joined *row; /* one per kept row */
	size_t max;
	uintmax_t compared;
	uintmax_t without_model, without_value; /* of benches with a model */
	const char *why;                        /* the last one has no model */

	const struct options *options;
	bool latencies; /* the options name a host */
	struct sim_params host;
	struct latency_columns columns;
};

/* Indices of columns; -1 while no part has them. */
struct join_columns {
	size_t known; /* columns examined so far */
	ptrdiff_t bench, link, size, offset, window, pattern;
	ptrdiff_t accounting, completer, median, bandwidth;
	ptrdiff_t access, store;
};

/* The last two only for latencies. */
static const char *const added[] = {"model_accounting", "model_gbit_s",
                                    "model_ratio_pct",  "limited_by",
                                    "model_median_ns",  "model_rest_ns"};

#define OF_LATENCY 2

static void
find_columns(struct join_columns *c, const struct table *t)
{
	if (c->known == t->ncols)
		return;
	c->known = t->ncols;
	c->bench = table_find(t, "bench");
	c->link = table_find(t, "link");
	c->size = table_find(t, "size_bytes");
	c->offset = table_find(t, "offset_bytes");
	c->window = table_find(t, "window_bytes");
	c->pattern = table_find(t, "pattern");
	c->accounting = table_find(t, "accounting");
	c->completer = table_find(t, "completer");
	c->access = table_find(t, "access");
	c->store = table_find(t, "store");
	c->median = table_find(t, "median_gbit_s");
	c->bandwidth = table_find(t, "bandwidth_gbit_s");
}

/* Dies because of a cell, if there is a reason. */
static void
check_cell(const struct table *t, ptrdiff_t col, const char *why)
{
	if (why)
		table_refuse(t, (size_t)col, why);
}

/* An empty cell is 0. */
static uint64_t
bytes_of(const struct table *t, ptrdiff_t col)
{
	const char *text = table_text(t, col);
	uint64_t value = 0;

	if (*text)
		check_cell(t, col, parse_integer(text, &value));
	return value;
}

/* Dies because a row of this bench lacks a column or its value. */
static _Noreturn void
die_without(const struct table *t, const struct join_columns *c,
            const char *what)
{
	table_die(t, (size_t)c->bench, "'%s' needs %s", table_text(t, c->bench),
	          what);
}

static struct link_config
config_here(const struct table *t, const struct join_columns *c,
            const struct link_options *o)
{
	const char *text = table_text(t, c->link);
	struct link_config config;
	const char *why = link_config_of_row(o, text, &config);

	if (why && *text)
		table_refuse(t, (size_t)c->link, why);
	if (why)
		die_without(t, c, why);
	return config;
}

/* Rows of a model name its accounting and completer. */
static void
set_manner(struct link_config *config, const struct table *t,
           const struct join_columns *c, const struct option_parser *p)
{
	const char *accounting = table_text(t, c->accounting);
	const char *completer = table_text(t, c->completer);

	if (*accounting && !options_given(p, "accounting"))
		check_cell(t, c->accounting,
		           parse_accounting(accounting, &config->accounting));
	if (*completer && !options_given(p, "completer"))
		check_cell(t, c->completer,
		           parse_completer(completer, &config->completer));
}

/*
 * Random and sequential accesses use all units of a window equally often, so
 * their average is exact. A fixed address is the first unit.
 */
static struct transfer
transfer_here(const struct table *t, const struct join_columns *c)
{
	struct transfer transfer = {
	    .size = bytes_of(t, c->size),
	    .offset = bytes_of(t, c->offset),
	    .window = bytes_of(t, c->window),
	};

	if (!*table_text(t, c->size))
		die_without(t, c, "size_bytes, which is empty or missing");
	check_cell(t, c->size, model_check_size(transfer.size));
	check_cell(t, c->offset, model_check_offset(transfer.offset));
	check_cell(t, c->window, model_check_window(&transfer));
	if (!strcmp(table_text(t, c->pattern), "fixed"))
		transfer.window = 0;
	return transfer;
}

/*
 * Most bytes of one packet from a CPU: a whole write-combining buffer,
 * otherwise one access.
 */
static uint64_t
packet_of_cpu(const struct table *t, const struct join_columns *c)
{
	const char *store = table_text(t, c->store);

	if (!strcmp(table_text(t, c->access), "resource_wc"))
		return 64;
	if (!strcmp(store, "mov") || !strcmp(store, "movnt"))
		return 8;
	return !strcmp(store, "avx") ? 32 : 64;
}

/* A CPU goes through its window without gaps, in the largest packets. */
static void
set_packets(struct transfer *transfer, const struct table *t,
            const struct join_columns *c)
{
	bool combined = !strcmp(table_text(t, c->access), "resource_wc");
	uint64_t most = packet_of_cpu(t, c);

	transfer->window = 0;
	if (combined || transfer->size > most)
		transfer->size = most;
}

/* Sets the model's part of the current row. */
static void
set_model(struct joined *row, const struct table *t,
          const struct join_columns *c, const struct link_config *config,
          const struct work *work)
{
	struct transfer transfer = transfer_here(t, c);
	struct expected e;

	if (work->by_host)
		set_packets(&transfer, t, c);
	e = expect(config, work, &transfer);

	row->model_gbit_s = e.gbit_s;
	row->limited_by = e.limited_by;
	row->accounting = config->accounting;
}

static void
set_ratio(struct join *j, struct joined *row, const struct table *t,
          const struct join_columns *c)
{
	ptrdiff_t col = *table_text(t, c->median) ? c->median : c->bandwidth;
	double value;

	if (c->median < 0 && c->bandwidth < 0)
		die_without(t, c, "median_gbit_s or bandwidth_gbit_s");
	if (!*table_text(t, col)) {
		j->without_value++;
		return;
	}
	value = table_number(t, (size_t)col);
	if (value < 0)
		table_refuse(t, (size_t)col, "a bandwidth is not negative");
	row->ratio = value / row->model_gbit_s;
	j->compared++;
}

static void
model_latency(struct join *j, struct joined *row, const struct table *t)
{
	struct latency_row here;
	const char *why =
	    latency_row_read(&here, &j->columns, t, j->options, &j->host);

	if (why) {
		j->why = why;
		j->without_model++;
		return;
	}
	row->median_ps = latency_expect(&here.params, &here.point).median_ps;
	row->rest_ps = here.median_ps - row->median_ps;
	if (isnan(here.median_ps))
		j->without_value++;
	else
		j->compared++;
}

static void
model_row(struct join *j, struct joined *row, const struct table *t,
          const struct join_columns *c)
{
	const struct work *work = find_work(table_text(t, c->bench));
	struct link_config config;
	const char *why;

	if (j->latencies && latency_row_is(&j->columns, t))
		model_latency(j, row, t);
	if (!work)
		return;
	config = config_here(t, c, &j->options->link);
	set_manner(&config, t, c, &j->options->parser);
	why = why_no_model(&config.link);
	if (why) {
		j->why = why;
		j->without_model++;
		return;
	}
	set_model(row, t, c, &config, work);
	set_ratio(j, row, t, c);
}

static struct joined *
keep_row(struct join *j, const struct table *t)
{
	if (passthrough_add(&j->rows, t) == j->max) {
		j->max = 2 * j->max + 64;
		j->row = xreallocarray(j->row, j->max, sizeof *j->row);
	}
	j->row[j->rows.n - 1] = (struct joined){.model_gbit_s = NAN,
	                                        .ratio = NAN,
	                                        .median_ps = NAN,
	                                        .rest_ps = NAN};
	return &j->row[j->rows.n - 1];
}

static void
warn_of_gaps(const struct join *j)
{
	if (j->without_model)
		warn("rows without a model: %ju, the last because %s",
		     j->without_model, j->why);
	if (j->without_value)
		warn("rows without a value to compare: %ju", j->without_value);
}

/*
 * Reads the table to its end. Dies if the input is bad, if a row of a bench
 * that the model knows lacks size or link, or if the stream lacks bandwidth.
 */
static void
join_read(struct join *j, struct table *t)
{
	struct join_columns c = {0};

	if (j->latencies)
		latency_host(j->options, &j->host);
	while (table_next(t)) {
		find_columns(&c, t);
		model_row(j, keep_row(j, t), t, &c);
	}
	find_columns(&c, t);
	if (c.bench < 0)
		die("%s: no column 'bench', which says what was measured",
		    t->file);
	warn_of_gaps(j);
}

/* The number of rows below the model by more than this part of it. */
static size_t
join_short(const struct join *j, struct fraction part)
{
	double least = 1 - (double)part.num / (double)part.den;
	size_t n = 0;

	for (size_t i = 0; i < j->rows.n; i++)
		n += j->row[i].ratio < least;
	return n;
}

/* The number of rows above it by more, if their accounting is a bound. */
static size_t
join_above(const struct join *j, struct fraction part)
{
	double most = 1 + (double)part.num / (double)part.den;
	size_t n = 0;

	for (size_t i = 0; i < j->rows.n; i++)
		n += j->row[i].ratio > most &&
		     j->row[i].accounting == ACCOUNTING_TRAFFIC;
	return n;
}

static void
join_write(struct out *o, const struct table *t, struct join *j)
{
	size_t nadded = ARRAY_LEN(added) - (j->latencies ? 0 : OF_LATENCY);

	passthrough_begin(&j->rows, o, t, added, nadded);
	for (size_t i = 0; i < j->rows.n; i++) {
		const struct joined *row = &j->row[i];

		passthrough_write(&j->rows, o, t, i);
		out_text(o, row->limited_by ? accounting_names[row->accounting]
		                            : "");
		out_double(o, row->model_gbit_s);
		out_double(o, 100 * row->ratio);
		out_text(o, row->limited_by ? row->limited_by : "");
		if (!j->latencies)
			continue;
		out_double(o, row->median_ps / 1000);
		out_double(o, row->rest_ps / 1000);
	}
}

static bool
checked(const struct options *options)
{
	return options_given(&options->parser, "check");
}

/* The result of --check: STATUS_OK or STATUS_NO. */
static int
verdict(const struct join *j, const struct options *options)
{
	size_t n = checked(options) ? join_short(j, options->tolerance) : 0;
	size_t over = options->check_above ? join_above(j, options->above) : 0;

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
	t = table_open(options->files, options->nfiles);
	join_read(&join, t);
	if (checked(options) && !join.compared)
		die("--check: no row can be compared with the model");
	warn_of_nothing(&join);
	preamble_add_command(&t->preamble);
	o->preamble = &t->preamble;
	join_write(o, t, &join);
	out_finish(o, t->complete, &t->end);
	status = verdict(&join, options);
	free(join.row);
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
 * integer is not rounded up.
 */
static double
frames_in(double ns, uint64_t rate, uint64_t bytes)
{
	double frames = ns * (double)rate / (frame_bits(bytes) * 1e9);

	return ceil(frames * (1 - 0x1p-50));
}

/* NaN is a missing value. */
static void
write_inflight(struct out *o, double ns, uint64_t rate, uint64_t bytes)
{
	double frames = frames_in(ns, rate, bytes);

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

/* Latencies of reads; NaN if the row has none. */
struct latency {
	double median_ns, p99_ns;
};

struct latencies {
	struct passthrough rows;
	struct latency *row; /* one per kept row */
	size_t max;
	uintmax_t reads, without_p99;
};

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

static struct latency
latency_here(struct latencies *l, const struct table *t)
{
	struct latency latency = {NAN, NAN};
	ptrdiff_t bench = table_find(t, "bench");

	if (strcmp(table_text(t, bench), "lat_rd") != 0)
		return latency;
	latency.median_ns = time_of(t, "median_ns");
	latency.p99_ns = time_of(t, "p99_ns");
	if (isnan(latency.median_ns))
		table_die(t, (size_t)bench,
		          "'lat_rd' needs median_ns, as pcb-stats writes it");
	l->without_p99 += isnan(latency.p99_ns) ? 1 : 0;
	l->reads++;
	return latency;
}

static void
read_latencies(struct latencies *l, struct table *t)
{
	while (table_next(t)) {
		if (passthrough_add(&l->rows, t) == l->max) {
			l->max = 2 * l->max + 64;
			l->row = xreallocarray(l->row, l->max, sizeof *l->row);
		}
		l->row[l->rows.n - 1] = latency_here(l, t);
	}
	if (!l->reads && l->rows.n)
		die("%s: no row of the bench lat_rd", t->file);
	if (l->without_p99)
		warn("rows of lat_rd without p99_ns, whose p99_inflight is "
		     "empty: %ju",
		     l->without_p99);
}

static void
write_frame(struct out *o, const struct latency *latency, uint64_t rate,
            uint64_t bytes)
{
	out_u64(o, bytes);
	out_double(o, (double)rate / 1e9);
	out_double(o, frame_ns(rate, bytes));
	write_inflight(o, latency->median_ns, rate, bytes);
	write_inflight(o, latency->p99_ns, rate, bytes);
}

static void
write_frames(struct out *o, const struct table *t, struct latencies *l,
             const struct nic_options *in)
{
	static const char *const columns[] = {
	    "frame_bytes",     "rate_gbit_s",  "packet_ns",
	    "median_inflight", "p99_inflight",
	};

	passthrough_begin(&l->rows, o, t, columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < l->rows.n; i++) {
		if (isnan(l->row[i].median_ns)) {
			passthrough_write(&l->rows, o, t, i);
			for (size_t k = 0; k < ARRAY_LEN(columns); k++)
				out_text(o, "");
			continue;
		}
		for (size_t k = 0; k < in->frame.n; k++) {
			passthrough_write(&l->rows, o, t, i);
			write_frame(o, &l->row[i], in->rate,
			            in->frame.value[k]);
		}
	}
}

static void
inflight_join(struct out *o, const struct options *options)
{
	struct latencies l = {0};
	struct table *t;

	need_input("Usage: pcb-model inflight --rate RATE --frame LIST "
	           "--rtt TIME|[FILE...]",
	           options->nfiles);
	t = table_open(options->files, options->nfiles);
	read_latencies(&l, t);
	preamble_add_command(&t->preamble);
	o->preamble = &t->preamble;
	write_frames(o, t, &l, &options->nic);
	out_finish(o, t->complete, &t->end);
	passthrough_free(&l.rows);
	free(l.row);
	table_close(t);
}

int
run_inflight(struct out *o, const struct options *options)
{
	if (options->link.bounds.rtt_ps)
		write_stream(o, options, inflight_write);
	else
		inflight_join(o, options);
	return STATUS_OK;
}
