/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU stores and loads to memory of a device. */
#include "collect/core/backend.h"
#include "collect/host/cpu.h"
#include "collect/host/describe.h"
#include "collect/mmio/mmio.h"
#include "collect/pci/bar.h"
#include "collect/pci/device.h"
#include "common/base/intmath.h"
#include "common/base/number.h"

#define BENCHES                                                                \
	(BENCH_BIT(LAT_MMIO) | BENCH_BIT(LAT_MMIO_WR) |                        \
	 BENCH_BIT(LAT_MMIO_FLUSH) | BENCH_BIT(BW_MMIO_RD) |                   \
	 BENCH_BIT(BW_MMIO_WR))

static const char name[] = "mmio";

struct mmio_state {
	struct mmio_access access;
	const char *what; /* kind of recognised memory, or NULL */
	struct contents contents;
	const struct store *store;
	const char *kind;
	struct host host;
	struct window window;
};

static const struct backend_option options[] = {
    {"access", "auto",
     "auto, resource (uncached), resource_wc (write-combined) or vfio"},
    {"overwrite", "",
     "such as BAR2+0x1000,4K: memory that may be overwritten meanwhile"},
    {"store", "auto",
     "mov, movnt, avx, avx512 or movdir64b; auto: the widest, mov if virtual"},
    {"unbind", "no", "yes: unbind the device from its driver meanwhile"},
    {NULL, NULL, NULL},
};

/* Parses -O overwrite; size 0 if not given. NULL, or why the text is wrong. */
static const char *
read_range(const struct request *request, struct mmio_range *range)
{
	const char *text = option_value(request, options, "overwrite");

	*range = (struct mmio_range){0};
	return *text ? mmio_range_parse(text, range) : NULL;
}

/* Probing ----------------------------------------------------------------- */

/* Lists known devices, and with -O overwrite all; why open would refuse. */
static void
probe(const struct request *request, struct findings *list)
{
	const struct pci_tree *tree = probe_tree();
	bool taking = !strcmp(option_value(request, options, "unbind"), "yes");
	bool asked = request->bench && request->bench->group == BENCH_WINDOW;
	struct mmio_range named;

	if (read_range(request, &named))
		named.size = LINE; /* open reports the error */
	for (size_t i = 0; tree && i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		const char *why = NULL;
		struct finding *found;

		if (!asked && !named.size && !target_may_be(f))
			continue;
		if (!target_may_be(f) && !named.size)
			why = "name the range that may be overwritten, as in "
			      "-O overwrite=BAR2+0x1000,4K";
		else if (!taking && *f->driver && !strstr(f->driver, "vfio"))
			why = "its driver may use its memory: -O unbind=yes "
			      "unbinds the device during the measurement";
		found = function_found(list, name, f);
		found->benches = why ? 0 : BENCHES;
		if (why)
			text_set(&found->why_not, "%s", why);
	}
}

/* Opening ----------------------------------------------------------------- */

static bool
choose_store(struct session *s, struct mmio_state *m)
{
	const char *text = option_value(s->request, options, "store");
	bool is_virtual = strcmp(m->kind, "measured") != 0;
	char *names;

	if (!strcmp(text, "auto")) {
		m->store = is_virtual ? stores[0] : store_default();
		return true;
	}
	m->store = store_find(text);
	if (m->store)
		return m->store->is_there() ||
		       fail(s, STATUS_ABSENT,
		            "-O store=%s: this CPU does not have it", text);
	names = store_names();
	fail(s, STATUS_TROUBLE, "-O store=%s: not auto, %s", text, names);
	free(names);
	return false;
}

static bool
map_target(struct session *s, struct mmio_state *m)
{
	bool writes = timing_writes(s->request->bench->id);
	const struct mmio_range *range = &m->window.range;
	volatile void *map;

	if (writes && !mmio_access_lock(s, &m->access, range->bar))
		return false;
	map = mmio_access_map(s, &m->access, m->access.way, range, writes);
	m->window.timing.device = map;
	if (!map || !writes)
		return map;
	m->contents.bdf = m->access.function->bdf;
	m->contents.at = map;
	m->contents.size = range->size;
	m->contents.guardian.keep = m->access.lock;
	return contents_keep(s, &m->contents);
}

static bool
prepare_host(struct session *s, struct mmio_state *m)
{
	const struct pci_function *f = m->access.function;
	const struct mmio_range *range = &m->window.range;
	double ns;

	host_describe(s->preamble);
	pci_describe_paths(s->preamble, m->access.tree, &f, 1);
	if (!host_prepare(s, &m->host, f->node))
		return false;
	preamble_set(s->preamble, "memory", "BAR%d+0x%jx,%ju (%s)", range->bar,
	             (uintmax_t)range->offset, (uintmax_t)range->size,
	             m->what ? m->what : "named");
	/* Not the clock's own overhead: the timed loop has a fence, too. */
	ns = timing_overhead(s->request->bench->id) *
	     (double)clock_ps(&m->host.clock, 1u << 20) / (1u << 20) / 1000;
	preamble_set(s->preamble, "clock_overhead_ns", "%.3f", ns);
	host_begin(s, &m->host);
	return true;
}

static bool
mmio_open(struct session *s)
{
	const char *way = option_value(s->request, options, "access");
	struct mmio_state *m = s->state;
	struct window *w = &m->window;
	struct target target = {0};
	struct mmio_range wanted;
	bool taking = false;
	const char *why;

	w->timing.bench = s->request->bench->id;
	w->access = &m->access;
	why = read_range(s->request, &wanted);
	if (why)
		return option_refuse(s, options, "overwrite", why);
	if (!claim_option(s, options, &taking))
		return false;
	m->access.function = function_named(s, name, &m->access.tree);
	if (!m->access.function ||
	    !mmio_access_open(s, &m->access, way, taking, &wanted) ||
	    !target_find(s, &m->access, &wanted, &target))
		return false;
	m->what = target.what;
	w->range = target.range;
	m->kind = host_kind(m->access.tree->sysfs);
	return choose_store(s, m) && window_allocate(s, w) &&
	       map_target(s, m) && prepare_host(s, m);
}

/* Points ------------------------------------------------------------------ */

static bool
check(struct session *s, const struct point *point)
{
	const struct mmio_state *m = s->state;
	uint64_t most = m->window.range.size, size = point->size;
	bool writes = timing_writes(m->window.timing.bench);
	bool is_power = size >= 4 && !(size & (size - 1));

	if (!is_power && (!size || size % LINE))
		return fail(s, STATUS_TROUBLE,
		            "a transfer of %ju bytes: sizes are 4, 8, 16, 32 "
		            "and multiples of 64",
		            (uintmax_t)size);
	if (store_width(m->store, size, writes) == STORE_WIDTHS)
		return fail(
		    s, STATUS_TROUBLE, "-O store=%s: it does not %s %ju bytes",
		    m->store->name, writes ? "write" : "read", (uintmax_t)size);
	if (point->window > most)
		return fail(s, STATUS_TROUBLE,
		            "a window of %ju bytes is larger than the memory "
		            "that may be used, %ju: give a smaller -w, or more "
		            "by -O overwrite",
		            (uintmax_t)point->window, (uintmax_t)most);
	return point_unit(point) ||
	       fail(s, STATUS_TROUBLE,
	            "a window of %ju bytes does not hold %ju bytes, rounded "
	            "up to whole lines: give a larger -w",
	            (uintmax_t)point->window, (uintmax_t)size);
}

static bool
prepare(struct session *s, const struct point *point)
{
	struct mmio_state *m = s->state;
	const struct mmio_range *range = &m->window.range;
	bool writes = timing_writes(m->window.timing.bench);
	size_t width = store_width(m->store, point->size, writes);
	struct tlp_range tlps = mmio_tlps(&(struct mmio_transfer){
	    .size = point->size,
	    .width = 4u << width,
	    .combined = writes && m->access.way == WAY_RESOURCE_WC,
	    .direct = !strcmp(m->store->name, "movdir64b")});
	struct series *series;

	window_set(&m->window, m->store, point, width);
	series_make(s, 1);
	series = s->series;
	pci_identify(series, m->kind, m->access.function);
	series_set(series, ID_ACCESS, "%s", mmio_way_names[m->access.way]);
	series_set(series, ID_REGISTER, "BAR%d+0x%jx", range->bar,
	           (uintmax_t)range->offset);
	series_set(series, ID_STORE, "%s", m->store->name);
	series_set(series, ID_SIZE, "%ju", (uintmax_t)point->size);
	series_set(series, ID_WINDOW, "%ju", (uintmax_t)point->window);
	if (tlps.least == tlps.most)
		series_set(series, ID_TLPS, "%ju", (uintmax_t)tlps.least);
	else
		series_set(series, ID_TLPS, "%ju-%ju", (uintmax_t)tlps.least,
		           (uintmax_t)tlps.most);
	return window_prove(s, &m->window);
}

/* Measuring --------------------------------------------------------------- */

static bool
run(struct session *s, uint64_t want)
{
	struct mmio_state *m = s->state;
	const struct timing *t = &m->window.timing;
	bool writes = timing_writes(t->bench), ok;
	uint64_t *raw = s->series->raw, done = 0, ticks;

	if (writes)
		window_fill(&m->window);
	if (s->request->bench->totals) {
		ticks = timing_many(t, want, s->interrupted, &done);
		raw[0] = done;
		raw[1] = done * t->size;
		raw[2] = clock_ps(&m->host.clock, ticks);
		s->series->n = done > 0;
	} else {
		/* The first one follows a pause and finds cold caches. */
		if (!s->silent)
			timing_one(t, 0);
		for (; done < want && !*s->interrupted; done++)
			raw[done] = timing_one(t, done % t->units);
		for (uint64_t i = 0; i < done; i++)
			raw[i] = clock_ps(&m->host.clock, raw[i]);
		s->series->n = done;
	}
	ok = mmio_access_check(s, &m->access) &&
	     (!writes || window_verify(s, &m->window, done, STATUS_TROUBLE));
	/* The device may have gone while they were measured. */
	if (!ok)
		s->series->n = 0;
	return ok;
}

static void
add_to_end(struct session *s, struct preamble *end)
{
	const struct mmio_state *m = s->state;

	host_describe_end(&m->host, end);
}

static void
mmio_close(struct session *s)
{
	struct mmio_state *m = s->state;

	contents_put_back(&m->contents);
	mmio_unmap(m->window.timing.device);
	mmio_access_close(&m->access);
	pci_tree_free(m->access.tree);
	window_free(&m->window);
}

const struct backend mmio_backend = {
    .name = name,
    .help = "memory of a device, written and read by the CPU",
    .state_size = sizeof(struct mmio_state),
    .benches = BENCHES,
    .flags = BACKEND_BDF | BACKEND_WINDOWS,
    .defaults = {.size = 64, .window = 4096},
    .options = options,
    .probe = probe,
    .open = mmio_open,
    .check = check,
    .prepare = prepare,
    .run = run,
    .end = add_to_end,
    .close = mmio_close,
};
