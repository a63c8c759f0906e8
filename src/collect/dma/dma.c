/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/dma/dma.h"

#include "collect/core/point.h"
#include "collect/host/cpu_cache.h"
#include "collect/host/describe.h"
#include "collect/pci/describe_path.h"
#include "collect/pci/device.h"
#include "collect/vfio/claim.h"
#include "common/sys/root.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYSFS root_path("/sys/bus/pci")

static bool
read_options(struct session *s, struct dma *d, bool *taking)
{
	const char *pages = option_value(s->request, d->options, "pages");
	const char *text = option_value(s->request, d->options, "take");
	const char *why = memory_parse_page(pages, &d->page);

	if (why)
		return fail(s, STATUS_TROUBLE, "-O pages=%s: %s", pages, why);
	*taking = !strcmp(text, "yes");
	return *taking || !strcmp(text, "no") ||
	       fail(s, STATUS_TROUBLE, "-O take=%s: not yes or no", text);
}

static bool
find_device(struct session *s, struct dma *d)
{
	const char *which = s->request->device;
	char bdf[BDF_MAX], *name;

	if (!which || !parse_bdf(which, bdf))
		return fail(s, STATUS_TROUBLE,
		            "-d '%s%s%s': which one? As in %s:03:00.0",
		            d->backend, which ? ":" : "", which ? which : "",
		            d->backend);
	d->tree = function_tree(s, SYSFS);
	d->function = d->tree ? function_find(s, d->tree, bdf) : NULL;
	if (!d->function)
		return false;
	if (d->suits(d->function))
		return true;
	name = pci_name(d->function->vendor_id, d->function->device_id);
	fail(s, STATUS_ABSENT, "%s: %s, not %s", bdf, name, d->what);
	free(name);
	return false;
}

static bool
prepare_host(struct session *s, struct dma *d)
{
	host_describe(s->preamble);
	pci_describe_path(s->preamble, d->tree, d->function);
	if (!host_prepare(s, &d->host, d->function->node))
		return false;
	memory_warn_local(d->function->bdf, d->function->node);
	if (d->function->node < 0 && !memory_one_node() &&
	    !memory_is_anywhere())
		warn("the firmware does not say which node %s is on: the node "
		     "of the CPU is taken for local",
		     d->function->bdf);
	d->kind = host_kind(d->tree->sysfs);
	host_begin(s, &d->host);
	return true;
}

bool
dma_open(struct session *s, struct dma *d)
{
	bool taking = false;

	d->fd = d->release = -1;
	d->order.state = s->request->seed;
	if (!read_options(s, d, &taking) || !find_device(s, d) ||
	    !take(s, d->tree, d->function, taking, &d->changes))
		return false;
	d->fd = vfio_open(s, d->tree, d->function, &d->iommu);
	if (d->fd < 0 || !vfio_master(s, d->function, d->fd))
		return false;
	d->release = vfio_watch(d->fd);
	return prepare_host(s, d);
}

static bool
check_window(struct session *s, const struct dma *d, const struct point *point)
{
	uint64_t buffer = s->request->buffer;
	uint64_t needed = buffer ? buffer : point->window;

	if (!point_check(s, point, buffer ? buffer : UINT64_MAX))
		return false;
	return needed <= d->room ||
	       fail(s, STATUS_TROUBLE,
	            "a buffer of %ju bytes: %s takes %ju at most",
	            (uintmax_t)needed, d->backend, (uintmax_t)d->room);
}

static bool
can_flush(void)
{
	static const char line = 0;

	return arch_flush(&line, sizeof line);
}

bool
dma_check(struct session *s, struct dma *d, const struct point *point)
{
	int node;

	if (point->cache != CACHE_COLD && point->cache != CACHE_HOST_WARM)
		return fail(s, STATUS_TROUBLE,
		            "--cache %s: %s knows cold and host-warm",
		            cache_names[point->cache], d->backend);
	if (point->cache == CACHE_COLD && !can_flush())
		return fail(s, STATUS_ABSENT,
		            "--cache cold: a program cannot flush caches here");
	if (point->window > d->most)
		d->most = point->window;
	return check_window(s, d, point) &&
	       memory_node(s, point->node, d->function->node, &node);
}

/* Of the whole sweep, at one address: only the node may change. */
static bool
place_buffer(struct session *s, struct dma *d, int node)
{
	uint64_t size =
	    s->request->buffer > d->most ? s->request->buffer : d->most;

	if (d->buffer.at && d->buffer.node == node)
		return true;
	if (d->buffer.at)
		vfio_unmap(d->iommu, d->buffer.size, d->iova);
	memory_free(&d->buffer);
	return memory_make(s, &d->buffer, size, d->page, node) &&
	       vfio_map(s, d->iommu, d->buffer.at, d->buffer.size, d->iova);
}

static void
identify(struct session *s, const struct dma *d, const char *interface)
{
	series_make(s, 1);
	pci_identify(s->series, d->kind, d->function);
	series_set(s->series, ID_INTERFACE, "%s", interface);
	point_identify(s->series, &d->point);
	memory_identify(s->series, &d->buffer);
	series_set(s->series, ID_IOMMU, "vfio");
}

bool
dma_prepare(struct session *s, struct dma *d, const struct point *point,
            const char *interface)
{
	int node;

	if (!memory_node(s, point->node, d->function->node, &node) ||
	    !place_buffer(s, d, node))
		return false;
	d->point = *point;
	d->unit = point_unit(point);
	order_begin(&d->order, point_units(point),
	            point->pattern == PATTERN_RANDOM, true);
	identify(s, d, interface);
	return true;
}

void
dma_set_cache(struct dma *d)
{
	if (d->point.cache == CACHE_COLD)
		arch_flush(d->buffer.at, d->point.window);
	else
		cache_warm(d->buffer.at, d->point.window);
}

bool
dma_is_ours(struct session *s, const struct dma *d)
{
	uint64_t requests;

	return read(d->release, &requests, sizeof requests) < 0 ||
	       fail(s, STATUS_TROUBLE,
	            "%s: the kernel takes the device away: it was removed, or "
	            "unbound",
	            d->function->bdf);
}

void
dma_end(const struct dma *d, struct preamble *end)
{
	host_describe_end(&d->host, end);
}

void
dma_close(struct dma *d)
{
	if (d->buffer.at)
		vfio_unmap(d->iommu, d->buffer.size, d->iova);
	if (d->fd > 0)
		close(d->fd);
	if (d->release > 0)
		close(d->release);
	vfio_leave(d->iommu);
	memory_free(&d->buffer);
	order_free(&d->order);
	changes_undo(&d->changes);
	pci_tree_free(d->tree);
}

/* A list says what is in the way; a refusal, after ": ", what would help. */
static void
set_why_not(struct finding *found, char *why)
{
	char *remedy = strstr(why, ": ");

	if (remedy) {
		*remedy = '\0';
		finding_text(&found->remedy, "%s", remedy + 2);
	}
	finding_text(&found->why_not, "%s", why);
}

void
dma_probe(const struct dma *d, unsigned known, struct findings *list)
{
	struct pci_tree *tree = pci_tree_read(SYSFS);

	for (size_t i = 0; tree && i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		struct finding *found;
		char *why;

		if (!d->suits(f))
			continue;
		found = function_found(list, d->backend, f);
		why = take_obstacle(tree, f, false);
		found->benches = why ? 0 : known;
		if (why)
			set_why_not(found, why);
		free(why);
	}
	pci_tree_free(tree);
}
