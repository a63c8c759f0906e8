/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a function through VFIO, maps its buffer, describes it, returns it. */
#include "collect/vfio/engine.h"

#include "collect/host/describe.h"
#include "collect/pci/device.h"

#include <unistd.h>

/* The function that the request names, if it is of this type. */
static bool
find_device(struct session *s, struct vfio_engine *e)
{
	char *name;

	e->function = function_named(s, e->type->backend, &e->tree);
	if (!e->function || e->type->matches(e->function))
		return e->function != NULL;
	name = pci_name(e->function->vendor_id, e->function->device_id);
	fail(s, STATUS_ABSENT, "%s: %s, not %s", e->function->bdf, name,
	     e->type->what);
	free(name);
	return false;
}

static bool
map_buffer(struct session *s, void *device, const struct memory *m)
{
	const struct vfio_engine *e = device;

	return vfio_map(s, e->iommu, m->at, m->size, e->iova);
}

static void
unmap_buffer(void *device, const struct memory *m)
{
	const struct vfio_engine *e = device;

	vfio_unmap(e->iommu, m->size, e->iova);
}

bool
vfio_engine_open(struct session *s, struct vfio_engine *e,
                 const struct vfio_engine_type *type)
{
	struct dma_buffer *b = &e->buffer;
	bool taking = false;

	e->type = type;
	e->iova = type->iova;
	e->fd = e->req_fd = -1;
	if (!dma_buffer_open(s, b, type->options) ||
	    !claim_option(s, type->options, &taking) || !find_device(s, e) ||
	    !claim_device(s, e->tree, e->function, taking, &e->changes))
		return false;
	b->backend = type->backend;
	b->size_max = type->iova_bytes;
	b->home = e->function->node;
	b->map = map_buffer;
	b->unmap = unmap_buffer;
	b->device = e;
	e->queue = (struct queue){.type = type->queue,
	                          .buffer = b,
	                          .clock = &e->host.clock,
	                          .slots = 1,
	                          .batch = UINT32_MAX};
	e->fd = vfio_open(s, e->function, &e->iommu);
	if (e->fd < 0 || !vfio_master(s, e->function, e->fd))
		return false;
	e->req_fd = vfio_watch(e->fd);
	host_describe(s->preamble);
	pci_describe_paths(s->preamble, e->tree, &e->function, 1);
	if (!host_prepare(s, &e->host, e->function->node))
		return false;
	dma_buffer_warn_node(b, e->function->bdf);
	e->kind = host_kind(e->tree->sysfs);
	host_begin(s, &e->host);
	return true;
}

bool
vfio_engine_prepare(struct session *s, struct vfio_engine *e,
                    const struct point *point, const char *interface)
{
	if (!dma_buffer_prepare(s, &e->buffer, point))
		return false;
	series_make(s, 1);
	pci_identify(s->series, e->kind, e->function);
	dma_buffer_identify(s->series, &e->buffer);
	series_set(s->series, ID_INTERFACE, "%s", interface);
	series_set(s->series, ID_IOMMU, "vfio");
	return true;
}

bool
vfio_engine_check(struct session *s, const struct vfio_engine *e)
{
	return vfio_check(s, e->function, e->req_fd);
}

bool
vfio_engine_run(struct session *s, uint64_t want)
{
	struct vfio_engine *e = s->state;

	return vfio_engine_check(s, e) && queue_run(s, &e->queue, want);
}

void
vfio_engine_end(struct session *s, struct preamble *end)
{
	const struct vfio_engine *e = s->state;

	host_describe_end(&e->host, end);
	stops_warn(&e->queue.stops);
}

void
vfio_engine_close(struct vfio_engine *e)
{
	dma_buffer_close(&e->buffer);
	close_file(e->fd);
	close_file(e->req_fd);
	vfio_put(e->iommu);
	changes_undo(&e->changes);
	pci_tree_free(e->tree);
}

void
vfio_engine_probe(const struct vfio_engine_type *type, unsigned known,
                  struct findings *list)
{
	const struct pci_tree *tree = probe_tree();

	for (size_t i = 0; tree && i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		struct finding *found;
		char *why, *remedy;

		if (!type->matches(f))
			continue;
		found = function_found(list, type->backend, f);
		why = claim_obstacle(tree, f, false);
		found->benches = why ? 0 : known;
		/* A list shows the obstacle; a refusal adds the remedy. */
		remedy = why ? strstr(why, ": ") : NULL;
		if (remedy) {
			*remedy = '\0';
			text_set(&found->remedy, "%s", remedy + 2);
		}
		if (why)
			text_set(&found->why_not, "%s", why);
		free(why);
	}
}
