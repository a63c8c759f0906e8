/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A backend for RDMA devices in service, which transfer to themselves. */
#include "collect/rdma/rdma.h"

#include "collect/host/describe.h"
#include "collect/pci/device.h"
#include "common/base/intmath.h"
#include "common/pci/registers.h"
#include "common/sys/sysfs.h"

#include <pci/pci.h>

/* Bytes that any port sends; interval of checks of its counter, in ns. */
#define WIRE_QUIET UINT64_C(65536)
#define WIRE_NS    UINT64_C(1000000000)

/* Benches that need no device memory. */
#define IN_A_LOOP (BENCH_BIT(LAT_RDMA) | BENCH_BIT(BW_RDWR))

static const struct backend_option options[] = {
    {"port", "auto", "number of the port; auto: the first that is active"},
    {"gid", "auto", "index of the GID; auto: prefers IPv4 and RoCE v2"},
    {"qps", "1", "queue pairs in bandwidth benches"},
    {"depth", "1", "outstanding transfers on each in bandwidth benches"},
    {"inline", "no",
     "yes, in lat_rdma: the CPU puts the data into the work request"},
    {"wire", "check", "ignore: other programs may send by the port, too"},
    DMA_BUFFER_OPTION_PAGES,
    {NULL, NULL, NULL},
};

static const struct option_column columns[] = {
    {"qps", "queue_pairs", DMA_BANDWIDTH, NULL},
    {"depth", "queue_depth", DMA_BANDWIDTH, NULL},
    {NULL, NULL, 0, NULL},
};

static void
rdma_probe(const struct request *request, struct findings *list)
{
	const struct pci_tree *tree = probe_tree();
	char *why = verbs_load();

	(void)request;
	rdma_device_list(tree, IN_A_LOOP, why, list);
	free(why);
}

/* Options ----------------------------------------------------------------- */

static bool
rdma_settings_read(struct session *s, struct rdma_settings *set)
{
	const struct bench *bench = s->request->bench;
	uint64_t port, gid, qps, depth;

	if (!option_number(s, options, "port", 1, RDMA_PORT_MAX, 0, &port) ||
	    !option_number(s, options, "gid", 0, UINT8_MAX, UINT64_MAX, &gid) ||
	    !option_number(s, options, "qps", 1, RDMA_QPS_MAX, 1, &qps) ||
	    !option_number(s, options, "depth", 1, RDMA_DEPTH_MAX, 1, &depth) ||
	    !option_either(s, options, "inline", "yes", "no", &set->inlined) ||
	    !option_either(s, options, "wire", "ignore", "check",
	                   &set->wire_ignored))
		return false;
	if (set->inlined && bench->id != LAT_RDMA)
		return option_refuse(s, options, "inline", "only for lat_rdma");
	set->port = (uint32_t)port;
	set->gid = (int)gid;
	set->qps = (uint32_t)qps;
	set->depth = (uint32_t)depth;
	return true;
}

/* Opening ----------------------------------------------------------------- */

static bool
rdma_open_area(struct session *s, struct rdma_area *area)
{
	struct rdma *r = s->state;

	area->buffer = (struct dma_buffer){
	    .backend = "rdma",
	    .home = r->function ? r->function->node : -1,
	    .size_max = UINT32_MAX,
	    .map = rdma_register,
	    .unmap = rdma_unregister,
	    .device = area,
	};
	return dma_buffer_open(s, &area->buffer, options);
}

static bool
rdma_prepare_host(struct session *s)
{
	struct rdma *r = s->state;
	const struct pci_function *f = r->function;
	bool ethernet = r->port.link_layer == IBV_LINK_LAYER_ETHERNET;
	char *type = NULL, *link;

	host_describe(s->preamble);
	if (f)
		pci_describe_paths(s->preamble, r->tree, &f, 1);
	if (ethernet)
		type = rdma_gid_type(&r->device, r->set.port, r->set.gid);
	link = ethernet ? xasprintf("%s, GID %d", type ? type : "Ethernet",
	                            r->set.gid)
	                : xstrdup("InfiniBand");
	preamble_set(s->preamble, "rdma", "%s port %u, %s, MTU %d, firmware %s",
	             r->device.name, r->set.port, link,
	             128 << r->port.active_mtu, r->limits.fw_ver);
	free(type);
	free(link);
	/* Whether the function may relax the order of its writes. */
	if (f && f->registers.seen[REG_DEVCTL])
		preamble_set(s->preamble, "relaxed_ordering", "%s=%s", f->bdf,
		             register_field(&f->registers, REG_DEVCTL,
		                            PCI_EXP_DEVCTL_RELAXED)
		                 ? "on"
		                 : "off");
	if (!host_prepare(s, &r->host, r->window.buffer.home))
		return false;
	if (f)
		dma_buffer_warn_node(&r->window.buffer, r->device.bdf);
	r->kind = f ? host_kind(r->tree->sysfs) : "virtual";
	host_begin(s, &r->host);
	return true;
}

static bool
needs_memory(enum bench_id bench)
{
	return bench != LAT_RDMA && bench != BW_RDWR;
}

/* With device memory at one end, a step only reads or writes the host. */
struct rdma_plan
rdma_plan(enum bench_id bench, bool clocked)
{
	struct rdma_plan plan = {.n = 0};

	if (clocked)
		plan.step[plan.n++] = (struct rdma_step){
		    IBV_WR_RDMA_READ, RDMA_START_TO, RDMA_START_FROM};
	if (!needs_memory(bench))
		plan.step[plan.n++] = (struct rdma_step){
		    IBV_WR_RDMA_WRITE, RDMA_WINDOW, RDMA_TARGET};
	if (bench == BW_WR || bench == LAT_WRRD)
		plan.step[plan.n++] = (struct rdma_step){
		    IBV_WR_RDMA_READ, RDMA_WINDOW, RDMA_DEVICE};
	if (bench == BW_RD || bench == LAT_RD || bench == LAT_WRRD)
		plan.step[plan.n++] = (struct rdma_step){
		    IBV_WR_RDMA_WRITE, RDMA_WINDOW, RDMA_DEVICE};
	return plan;
}

/*
 * Device memory, where a bench needs it, and the clock: only latencies of
 * device memory have a step that starts it.
 */
static bool
rdma_choose_plan(struct session *s)
{
	struct rdma *r = s->state;
	const struct bench *bench = s->request->bench;
	bool needed = needs_memory(bench->id);

	if (needed && !rdma_memory_room(r))
		return fail(s, STATUS_ABSENT,
		            "%s has no device memory, which %s needs: measure "
		            "bw_rdwr, or lat_rdma",
		            r->device.name, bench->name);
	if (!needed || bench->totals)
		r->clock.hz = 0;
	r->plan = rdma_plan(bench->id, r->clock.hz > 0);
	return true;
}

static bool
rdma_open(struct session *s)
{
	struct rdma *r = s->state;
	const char *device = s->request->device;
	uint32_t vendor;
	char *why;

	if (!rdma_settings_read(s, &r->set))
		return false;
	if (!device)
		return fail(s, STATUS_TROUBLE,
		            "-d 'rdma': name the device, as in rdma:mlx5_0");
	if (!rdma_device_find(s, device, &r->device))
		return false;
	why = verbs_load();
	if (why) {
		fail(s, STATUS_ABSENT, "%s", why);
		free(why);
		return false;
	}
	if (!rdma_open_port(s))
		return false;
	/*
	 * Software devices have no function. Some kernels show siw at that of
	 * its interface, so compares the vendor, too: siw has its author's, rxe
	 * none.
	 */
	vendor = r->limits.vendor_id;
	if (vendor && vendor != 0xffffff && vendor != 0x626d74 &&
	    *r->device.bdf) {
		r->tree = function_tree(s);
		r->function =
		    r->tree ? function_find(s, r->tree, r->device.bdf) : NULL;
		if (!r->function)
			return false;
	}
	r->queue = (struct queue){.type = &rdma_queue_type,
	                          .buffer = &r->window.buffer,
	                          .clock = &r->host.clock,
	                          .slots = r->set.qps * r->set.depth,
	                          .batch = 1};
	return rdma_choose_plan(s) && rdma_open_area(s, &r->window) &&
	       rdma_open_area(s, &r->target) && rdma_prepare_host(s);
}

static bool
rdma_check(struct session *s, const struct point *point)
{
	struct rdma *r = s->state;
	uint64_t most = r->port.max_msg_sz;

	if (needs_memory(s->request->bench->id))
		most = min_u64(most, rdma_memory_room(r));
	if (point->size > most)
		return fail(s, STATUS_TROUBLE,
		            "a transfer of %ju bytes: %s takes %ju at most",
		            (uintmax_t)point->size, r->device.name,
		            (uintmax_t)most);
	if (point->size > r->largest)
		r->largest = point->size;
	return dma_buffer_check(s, &r->window.buffer, point) &&
	       dma_buffer_check(s, &r->target.buffer, point) &&
	       dma_buffer_check_depth(s, point,
	                              (uint64_t)r->set.qps * r->set.depth);
}

/* False after fail() if more than 1 % of the looped bytes were on the wire. */
static bool
rdma_check_wire(struct session *s)
{
	struct rdma *r = s->state;
	uint64_t sent = wire_sent(&r->wire);

	r->checked = now_ns();
	if (r->set.wire_ignored || sent < r->looped / 100 + WIRE_QUIET)
		return true;
	return fail(s, STATUS_TROUBLE,
	            "%s has sent %ju bytes by its wire and %ju to itself: it "
	            "does not loop within, or other programs send (-O "
	            "wire=ignore)",
	            r->device.name, (uintmax_t)sent, (uintmax_t)r->looped);
}

/* Before the first point. */
static bool
rdma_begin(struct session *s)
{
	struct rdma *r = s->state;
	/* Hardware counters are this machine's, even with --root. */
	bool real = r->function && is_sysfs(r->tree->sysfs);

	/* The load that the run adds to the port. */
	warn("%s sends to itself: at most %ju bytes are outstanding at a time",
	     r->device.name, (uintmax_t)r->set.qps * r->set.depth * r->largest);
	if (!r->function || real)
		preamble_set(
		    s->preamble, "wire", "%s",
		    !wire_open(&r->wire, rdma_interface(&r->device, NULL), real)
		        ? "not counted"
		    : r->set.wire_ignored ? "ignored"
		                          : "checked");
	return (!needs_memory(s->request->bench->id) || rdma_memory_make(s)) &&
	       rdma_connect(s) && (!r->stamped || rdma_clock_check(s));
}

static bool
rdma_prepare(struct session *s, const struct point *point)
{
	struct rdma *r = s->state;
	const char *variant = r->set.inlined ? "/inline" : "";
	struct series *series;
	bool memory;
	char *iommu;

	if (!r->cq && !rdma_begin(s))
		return false;
	memory = r->memory.mr;
	r->queue.second = memory ? NULL : &r->target.buffer;
	if (!dma_buffer_prepare(s, &r->window.buffer, point) ||
	    (!memory && !dma_buffer_prepare(s, &r->target.buffer, point)))
		return false;
	series_make(s, 1);
	series = s->series;
	if (r->function) {
		iommu = host_iommu(r->function->bdf);
		pci_identify(series, r->kind, r->function);
		series_set(series, ID_IOMMU, "%s", iommu);
		free(iommu);
	} else {
		series_identify(series, r->kind, r->device.name, "");
	}
	dma_buffer_identify(series, &r->window.buffer);
	/* "rdma/loopback", or "rdma/dm" and the clock of a latency. */
	if (memory && !s->request->bench->totals)
		variant = r->stamped ? "/timestamps" : "/cpu";
	series_set(series, ID_INTERFACE, "rdma/%s%s",
	           memory ? "dm" : "loopback", variant);
	return rdma_prove(s);
}

static bool
rdma_run(struct session *s, uint64_t want)
{
	struct rdma *r = s->state;

	if (!queue_run(s, &r->queue, want))
		return false;
	if (!s->request->bench->totals && now_ns() - r->checked < WIRE_NS)
		return true;
	if (rdma_check_wire(s))
		return true;
	s->series->n = 0;
	return false;
}

static void
rdma_end(struct session *s, struct preamble *end)
{
	const struct rdma *r = s->state;

	if (!s->failure.text && !rdma_check_wire(s)) {
		warn("%s", s->failure.text);
		s->incomplete = true;
	}
	if (r->wire.ifname)
		preamble_set(end, "wire_bytes", "%ju",
		             (uintmax_t)wire_sent(&r->wire));
	preamble_set(end, "loop_bytes", "%ju", (uintmax_t)r->looped);

	host_describe_end(&r->host, end);
	stops_warn(&r->queue.stops);
}

static void
rdma_close(struct session *s)
{
	struct rdma *r = s->state;

	rdma_close_port(r);
	wire_close(&r->wire);
	pci_tree_free(r->tree);
	rdma_device_free(&r->device);
}

const struct backend rdma_backend = {
    .name = "rdma",
    .help = "an RDMA device in service that writes to itself",
    .state_size = sizeof(struct rdma),
    .benches = BENCH_BIT(LAT_RDMA) | DMA_BENCHES,
    .options = options,
    .columns = columns,
    .probe = rdma_probe,
    .open = rdma_open,
    .check = rdma_check,
    .prepare = rdma_prepare,
    .run = rdma_run,
    .end = rdma_end,
    .close = rdma_close,
};
