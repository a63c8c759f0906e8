/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/latency_row.h"

#include "common/base/list.h"
#include "common/base/util.h"

#include <math.h>
#include <string.h>

bool
latency_row_is(struct latency_columns *c, const struct table *t)
{
	const char *bench;

	if (c->known != t->ncols) {
		*c = (struct latency_columns){
		    .known = t->ncols,
		    .kind = table_find(t, "kind"),
		    .bench = table_find(t, "bench"),
		    .link = table_find(t, "link"),
		    .interface = table_find(t, "interface"),
		    .size = table_find(t, "size_bytes"),
		    .offset = table_find(t, "offset_bytes"),
		    .window = table_find(t, "window_bytes"),
		    .pattern = table_find(t, "pattern"),
		    .cache = table_find(t, "cache"),
		    .node = table_find(t, "node"),
		    .iommu = table_find(t, "iommu"),
		    .page = table_find(t, "page_bytes"),
		    .median = table_find(t, "median_ns"),
		};
	}
	bench = table_text(t, c->bench);
	return !strcmp(bench, "lat_rd") || !strcmp(bench, "lat_wrrd");
}

/* An empty cell leaves the value unchanged. */
static void
read_bytes(const struct table *t, ptrdiff_t col, uint64_t *bytes)
{
	const char *text = table_text(t, col);
	const char *why = *text ? parse_integer(text, bytes) : NULL;

	if (why)
		table_refuse(t, (size_t)col, why);
}

/* The same for a parameter of the simulation. */
static const char *
read_param(struct latency_row *row, const struct table *t, ptrdiff_t col,
           enum sim_param param)
{
	const char *text = table_text(t, col);
	const char *kept = row->params.text[param];
	const char *why =
	    *text ? sim_param_set(&row->params, param, text) : NULL;

	/* The cell's text is valid only until the next row. */
	row->params.text[param] = kept;
	return why;
}

/* Published systems without superpages: each translation covers 4K. */
static const char *
read_iommu(struct latency_row *row, const struct table *t, ptrdiff_t col)
{
	const char *why;

	if (strcmp(table_text(t, col), "on-nosp") != 0)
		return read_param(row, t, col, SIM_IOMMU);
	why = sim_param_set(&row->params, SIM_IOMMU, "on");
	return why ? why : sim_param_set(&row->params, SIM_PAGE, "4K");
}

static const char *
read_cache(struct latency_point *point, const char *text)
{
	size_t i = find_word(text, cache_names, NCACHES);

	if (*text && i == NCACHES)
		return "the model does not have this state of the cache";
	point->cache = *text ? (enum cache)i : CACHE_COLD;
	return NULL;
}

/* Only a simulated host has a known remote node. */
static bool
is_remote(const struct latency_columns *c, const struct table *t,
          const struct latency_options *options)
{
	if (options->local || options->remote)
		return options->remote;
	return !strcmp(table_text(t, c->kind), "simulated") &&
	       !strcmp(table_text(t, c->node), "1");
}

static const char *
read_host(struct latency_row *row, const struct latency_columns *c,
          const struct table *t, const struct link_options *link)
{
	const char *why =
	    link->based ? NULL : read_param(row, t, c->link, SIM_LINK);

	link_options_override(link, &row->params.link);
	if (!why)
		why = why_no_model(&row->params.link);
	if (!why)
		why = read_param(row, t, c->interface, SIM_INTERFACE);
	if (!why)
		why = read_iommu(row, t, c->iommu);
	return why ? why : read_param(row, t, c->page, SIM_PAGE);
}

static void
read_median(struct latency_row *row, const struct latency_columns *c,
            const struct table *t)
{
	row->median_ps = NAN;
	if (c->median < 0)
		table_die(t, (size_t)c->bench,
		          "'%s' needs median_ns, as pcb-stats writes it",
		          table_text(t, c->bench));
	if (*table_text(t, c->median))
		row->median_ps = 1000 * table_number(t, (size_t)c->median);
	if (row->median_ps < 0)
		table_refuse(t, (size_t)c->median, "a latency is not negative");
}

const char *
latency_row_read(struct latency_row *row, const struct latency_columns *c,
                 const struct table *t, const struct latency_options *options,
                 const struct link_options *link, const struct sim_params *host)
{
	struct latency_point *point = &row->point;
	const char *why;

	*row = (struct latency_row){.params = *host};
	point->write_first = !strcmp(table_text(t, c->bench), "lat_wrrd");
	point->window = LATENCY_WINDOW;
	point->sequential = !strcmp(table_text(t, c->pattern), "sequential");
	point->remote = is_remote(c, t, options);
	point->switches_ps = latency_switches_ps(options, link);
	if (!*table_text(t, c->size))
		table_die(t, (size_t)c->bench, "'%s' needs size_bytes",
		          table_text(t, c->bench));
	read_bytes(t, c->size, &point->size);
	read_bytes(t, c->offset, &point->offset);
	read_bytes(t, c->window, &point->window);
	read_median(row, c, t);
	why = read_cache(point, table_text(t, c->cache));
	if (!why)
		why = read_host(row, c, t, link);
	return why ? why : latency_check(&row->params, point);
}
