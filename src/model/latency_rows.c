/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sweeps over points, and writes the latency of each. */
#include "model/latency_rows.h"

#include "common/base/list.h"
#include "common/base/util.h"
#include "common/cli/option_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const bench_names[] = {"lat_rd", "lat_wrrd"};
static const char *const node_names[] = {"local", "remote"};
static const char *const pattern_names[] = {"random", "sequential"};

/* Options ----------------------------------------------------------------- */

static const char *
add_cache(void *to, const char *word)
{
	struct latency_options *o = to;
	size_t i = find_word(word, cache_names, NCACHES);

	if (i == NCACHES)
		return "a state is cold, thrashed, host-warm or device-warm";
	o->cache[i] = true;
	return NULL;
}

const char *
latency_set_caches(void *to, const char *text)
{
	return option_each_word(text, to, add_cache);
}

static const char *
add_node(void *to, const char *word)
{
	struct latency_options *o = to;

	switch (find_word(word, node_names, ARRAY_LEN(node_names))) {
	case 0:
		o->local = true;
		return NULL;
	case 1:
		o->remote = true;
		return NULL;
	default:
		return "a node is local or remote";
	}
}

const char *
latency_set_nodes(void *to, const char *text)
{
	return option_each_word(text, to, add_node);
}

const char *
latency_set_pattern(void *to, const char *text)
{
	struct latency_options *o = to;
	size_t i = find_word(text, pattern_names, ARRAY_LEN(pattern_names));

	o->sequential = i == 1;
	return i < ARRAY_LEN(pattern_names)
	           ? NULL
	           : "a pattern is random or sequential";
}

const char *
latency_add_switch(void *to, const char *text)
{
	struct latency_options *o = to;
	uint64_t ps = 0;
	const char *why = parse_time(text, &ps);

	o->switch_ps += ps;
	o->nswitches++;
	return why;
}

void
latency_host(const struct latency_options *o, const struct link_options *link,
             struct sim_params *params)
{
	const char *why;

	sim_choice_load(&o->choice, params);
	if (link->based)
		params->link = link->base;
	link_options_override(link, &params->link);
	why = params->link.bus == BUS_PCIE ? why_no_model(&params->link)
	                                   : "only PCI Express is simulated";
	if (why)
		die("the link: %s", why);
}

/* One time applies to every switch above the device; several are added up. */
uint64_t
latency_switches_ps(const struct latency_options *o,
                    const struct link_options *link)
{
	unsigned seen = 0;
	bool whole = false;

	for (size_t i = 0; i < link->path.n; i++) {
		seen += link->path.hop[i].port == PORT_UPSTREAM;
		whole |= link->path.hop[i].port == PORT_ROOT;
	}
	return o->nswitches == 1 && (seen || whole) ? o->switch_ps * seen
	                                            : o->switch_ps;
}

void
latency_options_free(struct latency_options *o)
{
	sim_choice_free(&o->choice);
	free(o->outstanding.value);
}

/* Points ------------------------------------------------------------------ */

struct latency_writer {
	struct out *out; /* NULL: text */
	const struct latency_options *options;
	const struct link_options *link;
	const struct transfer_sweep *sweep;
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
	for (size_t i = 0; i < transfer_sweep_rows(w->sweep); i++) {
		struct transfer t = transfer_sweep_row(w->sweep, i);

		point->size = t.size;
		point->offset = t.offset;
		point->window = t.window ? t.window : LATENCY_WINDOW;
		call(w, point);
	}
}

static void
each_state(const struct latency_writer *w, struct latency_point *point,
           void (*call)(const struct latency_writer *w,
                        const struct latency_point *point))
{
	const struct latency_options *o = w->options;
	bool any = false;

	for (enum cache i = CACHE_COLD; i < NCACHES; i++)
		any |= o->cache[i];
	for (enum cache i = CACHE_COLD; i < NCACHES; i++) {
		point->cache = i;
		if (o->cache[i] || (!any && i == CACHE_COLD))
			each_transfer(w, point, call);
	}
}

static void
each_point(const struct latency_writer *w,
           void (*call)(const struct latency_writer *w,
                        const struct latency_point *point))
{
	const struct latency_options *o = w->options;
	struct latency_point point = {.sequential = o->sequential,
	                              .switches_ps =
	                                  latency_switches_ps(o, w->link)};

	for (size_t bench = 0; bench < ARRAY_LEN(bench_names); bench++) {
		if (o->bench && strcmp(o->bench, bench_names[bench]) != 0)
			continue;
		point.write_first = bench;
		for (int node = 0; node < 2; node++) {
			point.remote = node;
			if (node ? o->remote : o->local || !o->remote)
				each_state(w, &point, call);
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
	out_text(o, bench_names[point->write_first]);
	out_text(o, device);
	out_text(o, link);
	out_text(o, params->text[SIM_INTERFACE]);
	out_u64(o, point->size);
	out_u64(o, point->offset);
	out_u64(o, point->window);
	out_text(o, pattern_names[point->sequential]);
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
	const struct size_list *n = &w->options->outstanding;

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
latency_write_rows(struct out *o, const struct latency_options *options,
                   const struct link_options *link,
                   const struct transfer_sweep *sweep)
{
	struct latency_writer w = {
	    .out = o, .options = options, .link = link, .sweep = sweep};
	bool load = options->outstanding.n;

	latency_host(options, link, &w.params);
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
	if (param == SIM_NPARAMS)
		return false;
	without.number[param] = 0;
	ps = latency_expect(&without, point).median_ps;
	return ps < median_ps || ps > median_ps;
}

/* Prints the parameters of a part in the form of -O. */
static void
print_parameters(const struct sim_params *params,
                 const struct latency_point *point, const char *names,
                 double median_ps)
{
	while (*names) {
		size_t length = strcspn(names, " ");
		char *name = xasprintf("%.*s", (int)length, names);
		enum sim_param param = sim_param_find(name);

		if (takes_part(params, point, param, median_ps))
			printf(" %s=%s", name, params->text[param]);
		free(name);
		names += length + strspn(names + length, " ");
	}
	puts("");
}

static void
explain_point(const struct latency_writer *w, const struct latency_point *point)
{
	const struct sim_params *params = &w->params;
	struct expected_latency l = latency_expect(params, point);

	printf("%s of %ju bytes at offset %ju in a window of %ju, %s, %s, %s "
	       "node, of sim:%s\n",
	       bench_names[point->write_first], (uintmax_t)point->size,
	       (uintmax_t)point->offset, (uintmax_t)point->window,
	       pattern_names[point->sequential], cache_names[point->cache],
	       node_names[point->remote], params->profile);
	for (enum latency_part i = 0; i < NPARTS; i++) {
		printf("  %-18s%10.3f ns ", latency_parts[i].name,
		       l.part[i] / 1000);
		print_parameters(params, point, latency_parts[i].parameters,
		                 l.median_ps);
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
latency_explain(const struct latency_options *options,
                const struct link_options *link,
                const struct transfer_sweep *sweep)
{
	struct latency_writer w = {
	    .options = options, .link = link, .sweep = sweep};

	latency_host(options, link, &w.params);
	each_point(&w, check_point);
	each_point(&w, explain_point);
	sim_params_free(&w.params);
}
