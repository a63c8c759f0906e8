/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads or sweeps over points, and writes the latency of each. */
#include "model/latency_rows.h"

#include "common/base/list.h"
#include "common/base/number.h"
#include "common/base/util.h"
#include "model/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const patterns[] = {"random", "sequential"};

/* Default window in bytes, as in pcb-collect. */
#define WINDOW 8192

void
latency_host(const struct options *o, struct sim_params *params)
{
	const struct link_options *link = &o->link;
	const char *why;

	sim_choice_load(&o->latency.choice, params);
	if (link->based)
		params->link = link->base;
	link_options_override(link, &params->link);
	why = params->link.bus == BUS_PCIE ? why_no_model(&params->link)
	                                   : "only PCI Express is simulated";
	if (why)
		die("the link: %s", why);
}

/*
 * Picoseconds of all switches in one direction: one time applies to every
 * switch above the device, several are added up.
 */
static uint64_t
switches_ps(const struct options *o)
{
	const struct path *path = &o->link.path;
	unsigned seen = 0;
	bool whole = false;

	for (size_t i = 0; i < path->n; i++) {
		seen += path->hop[i].port == PORT_UPSTREAM;
		whole |= path->hop[i].port == PORT_ROOT;
	}
	return o->latency.nswitches == 1 && (seen || whole)
	           ? o->latency.switch_ps * seen
	           : o->latency.switch_ps;
}

/* Measured rows ------------------------------------------------------------ */

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
	return find_word(bench, latency_benches, 2) < 2;
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
                 const struct table *t, const struct options *options,
                 const struct sim_params *host)
{
	struct latency_point *point = &row->point;
	const char *cache = table_text(t, c->cache), *why;

	*row = (struct latency_row){.params = *host};
	point->write_first = !strcmp(table_text(t, c->bench), "lat_wrrd");
	point->window = WINDOW;
	point->sequential = !strcmp(table_text(t, c->pattern), "sequential");
	point->remote = is_remote(c, t, &options->latency);
	point->switches_ps = switches_ps(options);
	if (!*table_text(t, c->size))
		table_die(t, (size_t)c->bench, "'%s' needs size_bytes",
		          table_text(t, c->bench));
	read_bytes(t, c->size, &point->size);
	read_bytes(t, c->offset, &point->offset);
	read_bytes(t, c->window, &point->window);
	read_median(row, c, t);
	point->cache = (enum cache)find_word(cache, cache_names, NCACHES);
	if (!*cache)
		point->cache = CACHE_COLD;
	else if (point->cache == NCACHES)
		return "the model does not have this state of the cache";
	why = read_host(row, c, t, &options->link);
	return why ? why : latency_check(&row->params, point);
}

/* Points ------------------------------------------------------------------ */

struct latency_writer {
	struct out *out; /* NULL: text */
	const struct options *options;
	struct sim_params params;
};

/* Dies if a point is impossible. */
static void
check_point(const struct latency_writer *w, const struct latency_point *point)
{
	const char *why = latency_check(&w->params, point);

	if (why)
		die("%ju bytes at offset %ju in a window of %ju: %s",
		    (uintmax_t)point->size, (uintmax_t)point->offset,
		    (uintmax_t)point->window, why);
}

static void
each_transfer(const struct latency_writer *w, struct latency_point *point,
              void (*call)(const struct latency_writer *w,
                           const struct latency_point *point))
{
	const bool *caches = w->options->latency.cache;
	const struct transfer_sweep *sweep = &w->options->sweep;
	bool any = false;

	for (enum cache i = CACHE_COLD; i < NCACHES; i++)
		any |= caches[i];
	for (enum cache i = CACHE_COLD; i < NCACHES; i++) {
		if (any ? !caches[i] : i != CACHE_COLD)
			continue;
		point->cache = i;
		for (size_t k = 0; k < transfer_sweep_rows(sweep); k++) {
			struct transfer t = transfer_sweep_row(sweep, k);

			point->size = t.size;
			point->offset = t.offset;
			point->window = t.window ? t.window : WINDOW;
			call(w, point);
		}
	}
}

static void
each_point(const struct latency_writer *w,
           void (*call)(const struct latency_writer *w,
                        const struct latency_point *point))
{
	const char *bench = w->options->bench;
	const struct latency_options *o = &w->options->latency;
	struct latency_point point = {.sequential = o->sequential,
	                              .switches_ps = switches_ps(w->options)};

	for (size_t i = 0; i < ARRAY_LEN(latency_benches); i++) {
		if (bench && strcmp(bench, latency_benches[i]) != 0)
			continue;
		point.write_first = i;
		for (int node = 0; node < 2; node++) {
			point.remote = node;
			if (node ? o->remote : o->local || !o->remote)
				each_transfer(w, &point, call);
		}
	}
}

/* Rows -------------------------------------------------------------------- */

static void
write_identity(struct out *o, const struct sim_params *params,
               const struct latency_point *point)
{
	char *device = xasprintf("sim:%s", params->profile);
	char link[LINK_TEXT_MAX];

	link_format(&params->link, link);
	out_text(o, "model");
	out_text(o, latency_benches[point->write_first]);
	out_text(o, device);
	out_text(o, link);
	out_text(o, params->text[SIM_INTERFACE]);
	out_u64(o, point->size);
	out_u64(o, point->offset);
	out_u64(o, point->window);
	out_text(o, patterns[point->sequential]);
	out_text(o, cache_names[point->cache]);
	out_u64(o, point->remote);
	out_text(o, params->text[SIM_IOMMU]);
	out_u64(o, params->number[SIM_PAGE]);
	free(device);
}

static void
write_point(const struct latency_writer *w, const struct latency_point *point)
{
	struct expected_latency l = latency_expect(&w->params, point);

	write_identity(w->out, &w->params, point);
	out_double(w->out, l.median_ps / 1000);
	out_double(w->out, l.mean_ps / 1000);
	for (enum latency_part i = 0; i < NPARTS; i++)
		out_double(w->out, l.part[i] / 1000);
}

static void
write_load(const struct latency_writer *w, const struct latency_point *point)
{
	const struct size_list *n = &w->options->latency.outstanding;

	for (size_t i = 0; i < n->n; i++) {
		struct latency_load load =
		    latency_under_load(&w->params, point, n->value[i]);

		write_identity(w->out, &w->params, point);
		out_u64(w->out, n->value[i]);
		out_double(w->out, load.latency_ps / 1000);
		out_double(w->out, load.gbit_s);
		out_text(w->out, load.limited_by);
	}
}

static void
begin(struct out *o, bool load)
{
	static const char *const identity[] = {
	    "kind",       "bench",      "device",       "link",
	    "interface",  "size_bytes", "offset_bytes", "window_bytes",
	    "pattern",    "cache",      "node",         "iommu",
	    "page_bytes",
	};
	static const char *const of_load[] = {"outstanding", "mean_ns",
	                                      "bandwidth_gbit_s", "limited_by"};
	const char *names[ARRAY_LEN(identity) + NPARTS + 2];
	size_t n = ARRAY_LEN(identity);

	memcpy(names, identity, sizeof identity);
	for (size_t i = 0; load && i < ARRAY_LEN(of_load); i++)
		names[n++] = of_load[i];
	if (!load) {
		names[n++] = "median_ns";
		names[n++] = "mean_ns";
	}
	for (enum latency_part i = 0; !load && i < NPARTS; i++)
		names[n++] = latency_parts[i].column;
	out_begin(o, names, n);
}

void
write_latencies(struct out *o, const struct options *options)
{
	struct latency_writer w = {.out = o, .options = options};
	bool load = options->latency.outstanding.n;

	latency_host(options, &w.params);
	each_point(&w, check_point);
	begin(o, load);
	each_point(&w, load ? write_load : write_point);
	sim_params_free(&w.params);
}

/* Text -------------------------------------------------------------------- */

/* Whether the parameter contributes to the latency. */
static bool
takes_part(const struct sim_params *params, const struct latency_point *point,
           enum sim_param param, double median_ps)
{
	struct sim_params without = *params;
	double ps;

	if (param == SIM_LINK)
		return true;
	without.number[param] = 0;
	ps = latency_expect(&without, point).median_ps;
	return ps < median_ps || ps > median_ps;
}

static void
explain_point(const struct latency_writer *w, const struct latency_point *point)
{
	const struct sim_params *params = &w->params;
	struct expected_latency l = latency_expect(params, point);

	printf("%s of %ju bytes at offset %ju in a window of %ju, %s, %s, %s "
	       "node, of sim:%s\n",
	       latency_benches[point->write_first], (uintmax_t)point->size,
	       (uintmax_t)point->offset, (uintmax_t)point->window,
	       patterns[point->sequential], cache_names[point->cache],
	       latency_nodes[point->remote], params->profile);
	for (enum latency_part i = 0; i < NPARTS; i++) {
		printf("  %-18s%10.3f ns ", latency_parts[i].name,
		       l.part[i] / 1000);
		for (enum sim_param k = SIM_INTERFACE; k < SIM_NPARAMS; k++) {
			if (latency_part_of(k) == i &&
			    takes_part(params, point, k, l.median_ps))
				printf(" %s=%s", sim_options[k].name,
				       params->text[k]);
		}
		puts("");
	}
	printf("  %-18s%10.3f ns  the sum\n", "median", l.median_ps / 1000);
	printf("  %-18s%10.3f ns  %.3g %% of the transfers find their lines in "
	       "the cache",
	       "mean", l.mean_ps / 1000, 100 * l.hits.cache);
	if (params->number[SIM_IOMMU])
		printf(", %.3g %% their page in the IOTLB", 100 * l.hits.iotlb);
	puts("\n");
}

void
explain_latencies(const struct options *options)
{
	struct latency_writer w = {.options = options};

	latency_host(options, &w.params);
	each_point(&w, check_point);
	each_point(&w, explain_point);
	sim_params_free(&w.params);
}
