/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads measured rows and adds the model's expectation to each. */
#include "model/join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
           const struct join_columns *c, const struct link_options *o)
{
	const char *accounting = table_text(t, c->accounting);
	const char *completer = table_text(t, c->completer);

	if (*accounting && !o->accounting_given)
		check_cell(t, c->accounting,
		           parse_accounting(accounting, &config->accounting));
	if (*completer && !o->completer_given)
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
model_latency(struct join *j, struct joined *row, const struct table *t,
              const struct link_options *o)
{
	struct latency_row here;
	const char *why =
	    latency_row_read(&here, &j->columns, t, j->latency, o, &j->host);

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
          const struct join_columns *c, const struct link_options *o)
{
	const struct work *work = find_work(table_text(t, c->bench));
	struct link_config config;
	const char *why;

	if (j->latency && latency_row_is(&j->columns, t))
		model_latency(j, row, t, o);
	if (!work)
		return;
	config = config_here(t, c, o);
	set_manner(&config, t, c, o);
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

void
join_read(struct join *j, struct table *t, const struct link_options *o)
{
	struct join_columns c = {0};

	if (j->latency)
		latency_host(j->latency, o, &j->host);
	while (table_next(t)) {
		find_columns(&c, t);
		model_row(j, keep_row(j, t), t, &c, o);
	}
	find_columns(&c, t);
	if (c.bench < 0)
		die("%s: no column 'bench', which says what was measured",
		    t->file);
	warn_of_gaps(j);
}

size_t
join_short(const struct join *j, struct fraction part)
{
	double least = 1 - (double)part.num / (double)part.den;
	size_t n = 0;

	for (size_t i = 0; i < j->rows.n; i++)
		n += j->row[i].ratio < least;
	return n;
}

size_t
join_above(const struct join *j, struct fraction part)
{
	double most = 1 + (double)part.num / (double)part.den;
	size_t n = 0;

	for (size_t i = 0; i < j->rows.n; i++)
		n += j->row[i].ratio > most &&
		     j->row[i].accounting == ACCOUNTING_TRAFFIC;
	return n;
}

void
join_write(struct out *o, const struct table *t, struct join *j)
{
	size_t nadded = ARRAY_LEN(added) - (j->latency ? 0 : OF_LATENCY);

	passthrough_begin(&j->rows, o, t, added, nadded);
	for (size_t i = 0; i < j->rows.n; i++) {
		const struct joined *row = &j->row[i];

		passthrough_write(&j->rows, o, t, i);
		out_text(o, row->limited_by ? accounting_names[row->accounting]
		                            : "");
		out_double(o, row->model_gbit_s);
		out_double(o, 100 * row->ratio);
		out_text(o, row->limited_by ? row->limited_by : "");
		if (!j->latency)
			continue;
		out_double(o, row->median_ps / 1000);
		out_double(o, row->rest_ps / 1000);
	}
}

void
join_free(struct join *j)
{
	free(j->row);
	sim_params_free(&j->host);
	passthrough_free(&j->rows);
	*j = (struct join){0};
}
