/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads or sweeps over points, and writes the latency of each. */
#include "model/latency.h"

#include "common/base/number.h"
#include "common/base/util.h"

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

void
row_needs(const struct table *t, const char *what)
{
	table_die(t, need_column(t, "bench"), "'%s' needs %s",
	          optional_text(t, "bench"), what);
}

void
row_check(const struct table *t, const char *column, const char *why)
{
	if (why)
		table_refuse(t, need_column(t, column), why);
}

void
row_bytes(const struct table *t, const char *column, uint64_t *bytes)
{
	const char *text = optional_text(t, column);

	if (*text)
		row_check(t, column, parse_integer(text, bytes));
}

/* A parameter of the simulation; an empty cell leaves it unchanged. */
static const char *
read_param(struct sim_params *params, const struct table *t, const char *column,
           enum sim_param param)
{
	const char *text = optional_text(t, column);
	const char *kept = params->text[param];
	const char *why = *text ? sim_param_set(params, param, text) : NULL;

	/* The cell's text is valid only until the next row. */
	params->text[param] = kept;
	return why;
}

/* Published systems without superpages: each translation covers 4K. */
static const char *
read_iommu(struct sim_params *params, const struct table *t)
{
	const char *why;

	if (strcmp(optional_text(t, "iommu"), "on-nosp") != 0)
		return read_param(params, t, "iommu", SIM_IOMMU);
	why = sim_param_set(params, SIM_IOMMU, "on");
	return why ? why : sim_param_set(params, SIM_PAGE, "4K");
}

/* Only a simulated host has a known remote node. */
static bool
is_remote(const struct table *t, const struct latency_options *options)
{
	if (options->nodes)
		return options->nodes >> 1;
	return !strcmp(optional_text(t, "kind"), "simulated") &&
	       !strcmp(optional_text(t, "node"), "1");
}

static const char *
read_host(struct sim_params *params, const struct table *t,
          const struct link_options *link)
{
	const char *why =
	    link->based ? NULL : read_param(params, t, "link", SIM_LINK);

	link_options_override(link, &params->link);
	if (!why)
		why = why_no_model(&params->link);
	if (!why)
		why = read_param(params, t, "interface", SIM_INTERFACE);
	if (!why)
		why = read_iommu(params, t);
	return why ? why : read_param(params, t, "page_bytes", SIM_PAGE);
}

const char *
latency_row_read(struct latency_row *latency, const struct table *t,
                 const struct options *options, const struct sim_params *host)
{
	struct latency_point *point = &latency->point;
	const char *cache = optional_text(t, "cache"), *why;

	*latency = (struct latency_row){.params = *host, .median_ps = NAN};
	point->write_first = !strcmp(optional_text(t, "bench"), "lat_wrrd");
	point->window = WINDOW;
	point->sequential = !strcmp(optional_text(t, "pattern"), "sequential");
	point->remote = is_remote(t, &options->latency);
	point->switches_ps = switches_ps(options);
	if (!*optional_text(t, "size_bytes"))
		row_needs(t, "size_bytes");
	row_bytes(t, "size_bytes", &point->size);
	row_bytes(t, "offset_bytes", &point->offset);
	row_bytes(t, "window_bytes", &point->window);
	if (table_find(t, "median_ns") < 0)
		row_needs(t, "median_ns, as pcb-stats writes it");
	if (*optional_text(t, "median_ns"))
		latency->median_ps =
		    1000 * table_number(t, (size_t)table_find(t, "median_ns"));
	if (latency->median_ps < 0)
		row_check(t, "median_ns", "a latency is not negative");
	point->cache = (enum cache)find_word(cache, cache_names, NCACHES);
	if (!*cache)
		point->cache = CACHE_COLD;
	else if (point->cache == NCACHES)
		return "the model does not have this state of the cache";
	why = read_host(&latency->params, t, &options->link);
	if (!why)
		why = sim_params_lack(&latency->params, point->remote);
	return why ? why : latency_check(&latency->params, point);
}

/* Points ------------------------------------------------------------------ */

struct latency_writer {
	struct out *out;
	const struct options *options;
	struct sim_params params;
};

typedef void visit(const struct latency_writer *w,
                   const struct latency_point *point);

/* Dies if a point is impossible. */
static void
check_point(const struct latency_writer *w, const struct latency_point *point)
{
	const char *why = sim_params_lack(&w->params, point->remote);

	if (why) {
		warn("sim:%s: %s", w->params.profile, why);
		exit(STATUS_ABSENT);
	}
	why = latency_check(&w->params, point);
	if (why)
		die("%ju bytes at offset %ju in a window of %ju: %s",
		    (uintmax_t)point->size, (uintmax_t)point->offset,
		    (uintmax_t)point->window, why);
}

static void
each_transfer(const struct latency_writer *w, struct latency_point *point,
              visit *call)
{
	unsigned caches = w->options->latency.caches;
	const struct transfer_sweep *sweep = &w->options->sweep;

	for (enum cache i = CACHE_COLD; i < NCACHES; i++) {
		if (!((caches ? caches : 1u << CACHE_COLD) & 1u << i))
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
each_point(const struct latency_writer *w, visit *call)
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
			if ((o->nodes ? o->nodes : 1) & 1u << node)
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
	OUT(o, TEXT("kind", "model"),
	    TEXT("bench", latency_benches[point->write_first]),
	    TEXT("device", device), TEXT("link", link),
	    TEXT("interface", params->text[SIM_INTERFACE]),
	    VALUE("size_bytes", point->size),
	    VALUE("offset_bytes", point->offset),
	    VALUE("window_bytes", point->window),
	    TEXT("pattern", patterns[point->sequential]),
	    TEXT("cache", cache_names[point->cache]),
	    VALUE("node", point->remote),
	    TEXT("iommu", params->text[SIM_IOMMU]),
	    VALUE("page_bytes", params->number[SIM_PAGE]));
	free(device);
}

static void
write_point(const struct latency_writer *w, const struct latency_point *point)
{
	struct expected_latency l = latency_expect(&w->params, point);

	write_identity(w->out, &w->params, point);
	OUT(w->out, VALUE("median_ns", l.median_ps / 1000),
	    VALUE("mean_ns", l.mean_ps / 1000));
	for (enum latency_part i = PART_ROOT_COMPLEX; i < NPARTS; i++)
		OUT(w->out, VALUE(latency_parts[i].column, l.part[i] / 1000));
	out_end_row(w->out);
}

static void
write_load(const struct latency_writer *w, const struct latency_point *point)
{
	const struct size_list *n = &w->options->latency.outstanding;

	for (size_t i = 0; i < n->n; i++) {
		struct latency_load load =
		    latency_under_load(&w->params, point, n->value[i]);

		write_identity(w->out, &w->params, point);
		OUT(w->out, VALUE("outstanding", n->value[i]),
		    VALUE("mean_ns", load.latency_ps / 1000),
		    VALUE("bandwidth_gbit_s", load.gbit_s),
		    TEXT("limited_by", load.limited_by));
		out_end_row(w->out);
	}
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
	for (enum latency_part i = PART_ROOT_COMPLEX; i < NPARTS; i++) {
		printf("  %-18s%10.3f ns ", latency_parts[i].name,
		       l.part[i] / 1000);
		for (enum sim_param k = SIM_INTERFACE; k < SIM_NPARAMS; k++) {
			if (latency_part_of[k] == i &&
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
write_latencies(struct out *o, const struct options *options)
{
	struct latency_writer w = {.out = o, .options = options};
	const struct size_list *load = &options->latency.outstanding;
	uint64_t most;

	latency_host(options, &w.params);
	most = w.params.number[SIM_WORKERS];
	for (size_t i = 0; i < load->n; i++) {
		if (load->value[i] > most)
			die("--outstanding %ju: sim:%s has at most %ju "
			    "outstanding transfers (-O workers=%ju)",
			    (uintmax_t)load->value[i], w.params.profile,
			    (uintmax_t)most, (uintmax_t)load->value[i]);
	}
	each_point(&w, check_point);
	each_point(&w, options->explain ? explain_point
	               : load->n        ? write_load
	                                : write_point);
	sim_params_free(&w.params);
	if (options->explain)
		options_finish();
}
