/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds devices, opens a port, connects queue pairs, and registers the memory
 * that the device accesses: the host's, and its own.
 */
#include "collect/rdma/rdma.h"

#include "collect/host/dynlib.h"
#include "collect/pci/device.h"
#include "common/base/intmath.h"
#include "common/sys/sysfs.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* 4.096 us * 2^14, seven times: half a second. */
#define ACK_TIMEOUT 14
#define RETRIES     7
#define RNR_TIMER   12 /* 0.64 ms */

/* Bytes of device memory for the step that starts the clock. */
#define START_ROOM 64

static struct dynlib libibverbs = {.soname = VERBS_SONAME};
struct verbs verbs;

static const struct dynlib_symbol calls[] = {
#define VERBS_ROW(name) {"ibv_" #name, offsetof(struct verbs, name)},
    VERBS_CALLS(VERBS_ROW)
#undef VERBS_ROW
};

char *
verbs_load(void)
{
	const char *why, *missing;

	if (!dynlib_open(&libibverbs, &why))
		return xasprintf("no libibverbs here (%s): apt install "
		                 "libibverbs1 ibverbs-providers",
		                 why);
	missing = dynlib_resolve(&libibverbs, calls, ARRAY_LEN(calls), &verbs);
	if (missing)
		return xasprintf("%s has no %s", VERBS_SONAME, missing);
	return NULL;
}

bool
rdma_failed(struct session *s, const char *call, int error)
{
	const struct rdma *r = s->state;

	return fail(s, STATUS_TROUBLE, "%s: %s: %s", r->device.name, call,
	            strerror(error));
}

/* Devices and ports ------------------------------------------------------- */

/* The library's device with the name that sysfs shows; or NULL. */
static bool
rdma_open_context(struct session *s, struct ibv_device *device)
{
	struct rdma *r = s->state;
	char *path;

	if (!device)
		return fail(s, STATUS_ABSENT,
		            "%s: " VERBS_SONAME " has no provider of it: apt "
		            "install ibverbs-providers",
		            r->device.name);
	/* The library does not say why it cannot open a device. */
	path =
	    xasprintf("%s/%s", root_path("/dev/infiniband"), device->dev_name);
	if (access(path, R_OK | W_OK)) {
		fail(s, STATUS_ABSENT, "%s: %s: %s: sudo chmod a+rw %s",
		     r->device.name, path, strerror(errno), path);
	} else {
		errno = 0;
		r->context = verbs.open_device(device);
		if (!r->context)
			rdma_failed(s, "ibv_open_device", errno);
	}
	free(path);
	return r->context;
}

/*
 * ibv_query_device_ex of the header would need linking with the library. The
 * context of an older provider is smaller: new members come first.
 */
static bool
rdma_query_device(struct session *s)
{
	struct rdma *r = s->state;
	struct ibv_device_attr_ex all = {0};
	struct verbs_context *v = verbs_get_ctx(r->context);
	size_t needed =
	    sizeof *v - offsetof(struct verbs_context, query_device_ex);
	int error = EOPNOTSUPP;

	if (v && v->sz >= needed && v->query_device_ex)
		error = v->query_device_ex(r->context, NULL, &all, sizeof all);
	if (error == EOPNOTSUPP || error == ENOSYS) {
		all = (struct ibv_device_attr_ex){0};
		error = verbs.query_device(r->context, &all.orig_attr);
	}
	if (error)
		return rdma_failed(s, "ibv_query_device", error);
	r->limits = all.orig_attr;
	r->memory_max = all.max_dm_size;
	if (all.completion_timestamp_mask) {
		r->clock.mask = all.completion_timestamp_mask;
		r->clock.hz = 1000 * (double)all.hca_core_clock;
	}
	return true;
}

static bool
rdma_open_device(struct session *s)
{
	struct rdma *r = s->state;
	struct ibv_device **list, *device = NULL;
	int n = 0;
	bool ok;

	errno = 0;
	list = verbs.get_device_list(&n);
	if (!list)
		return fail(s, STATUS_ABSENT,
		            "%s: RDMA devices cannot be opened (%s): sudo "
		            "modprobe ib_uverbs",
		            r->device.name, strerror(errno));
	for (int i = 0; i < n && !device; i++) {
		if (!strcmp(verbs.get_device_name(list[i]), r->device.name))
			device = list[i];
	}
	ok = rdma_open_context(s, device);
	verbs.free_device_list(list);
	return ok && rdma_query_device(s);
}

/* The port of -O port, or the first active one. */
static bool
rdma_choose_port(struct session *s)
{
	static const char *const states[] = {"NOP",   "DOWN",   "INIT",
	                                     "ARMED", "ACTIVE", "ACTIVE_DEFER"};
	struct rdma *r = s->state;
	struct ibv_port_attr *port = &r->port;
	uint32_t last = r->set.port ? r->set.port : r->limits.phys_port_cnt;
	uint32_t n = r->set.port ? r->set.port : 1;
	int error;

	if (last > r->limits.phys_port_cnt)
		return fail(s, STATUS_ABSENT, "-O port=%u: %s has %u", last,
		            r->device.name, r->limits.phys_port_cnt);
	for (; n <= last; n++) {
		memset(port, 0, sizeof *port);
		/* Takes the old structure, which is the start of this one. */
		error = verbs.query_port(r->context, (uint8_t)n, (void *)port);
		if (error)
			return rdma_failed(s, "ibv_query_port", error);
		r->set.port = n;
		if (port->state == IBV_PORT_ACTIVE)
			return true;
	}
	return fail(s, STATUS_ABSENT,
	            "%s: port %u is not active, but %s: plug in a cable, or "
	            "set up its interface (ip link set ... up)",
	            r->device.name, r->set.port,
	            (size_t)port->state < ARRAY_LEN(states)
	                ? states[port->state]
	                : "unknown");
}

static bool
rdma_choose_gid(struct session *s)
{
	static const union ibv_gid none;
	struct rdma *r = s->state;

	if (r->port.link_layer != IBV_LINK_LAYER_ETHERNET)
		return r->set.gid < 0 ||
		       fail(s, STATUS_TROUBLE,
		            "-O gid=%d: port %u of %s is not Ethernet",
		            r->set.gid, r->set.port, r->device.name);
	if (r->set.gid < 0)
		r->set.gid = rdma_gid_choose(&r->device, r->set.port);
	if (r->set.gid < 0)
		return fail(s, STATUS_ABSENT,
		            "%s: port %u has no GID: set up its interface (ip "
		            "link set ... up), or give it an address",
		            r->device.name, r->set.port);
	/* Empty places of the GID table are errors only with some drivers. */
	return (!verbs.query_gid(r->context, (uint8_t)r->set.port, r->set.gid,
	                         &r->gid) &&
	        memcmp(&r->gid, &none, sizeof none) != 0) ||
	       fail(s, STATUS_ABSENT,
	            "-O gid=%d: port %u of %s has no such "
	            "GID",
	            r->set.gid, r->set.port, r->device.name);
}

bool
rdma_open_port(struct session *s)
{
	struct rdma *r = s->state;

	if (!rdma_open_device(s) || !rdma_choose_port(s) || !rdma_choose_gid(s))
		return false;
	errno = 0;
	r->pd = verbs.alloc_pd(r->context);
	return r->pd || rdma_failed(s, "ibv_alloc_pd", errno);
}

/* Queues ------------------------------------------------------------------ */

/* NULL after fail(). */
static struct ibv_qp *
rdma_create_qp(struct session *s)
{
	struct rdma *r = s->state;
	struct ibv_qp_init_attr attr = {
	    .send_cq = r->cq, .recv_cq = r->cq, .qp_type = IBV_QPT_RC};
	struct ibv_qp *qp;

	attr.cap.max_send_wr = r->set.depth * r->plan.n;
	attr.cap.max_recv_wr = 1;
	attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
	attr.cap.max_inline_data = r->set.inlined ? (uint32_t)r->largest : 0;
	errno = 0;
	qp = verbs.create_qp(r->pd, &attr);
	if (!qp && r->set.inlined && errno == EINVAL)
		fail(s, STATUS_ABSENT,
		     "-O inline=yes: %s does not take %ju bytes in a "
		     "work request",
		     r->device.name, (uintmax_t)r->largest);
	else if (!qp)
		rdma_failed(s, "ibv_create_qp", errno);
	return qp;
}

static bool
rdma_modify(struct session *s, struct ibv_qp *qp, struct ibv_qp_attr *attr,
            int mask)
{
	int error = verbs.modify_qp(qp, attr, mask | IBV_QP_STATE);

	return !error || rdma_failed(s, "ibv_modify_qp", error);
}

/* RDMA reads and atomics under way: the queue depth, within the limit. */
static uint8_t
rdma_reads(const struct rdma *r, int limit)
{
	uint64_t most = limit > 0 && limit < UINT8_MAX ? (uint64_t)limit : 1;

	return (uint8_t)min_u64(most, r->set.depth);
}

/* Takes the pair through its states, with itself at the other end. */
static bool
rdma_connect_qp(struct session *s, struct ibv_qp *qp)
{
	const struct rdma *r = s->state;
	struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT,
	                           .port_num = (uint8_t)r->set.port,
	                           .qp_access_flags = RDMA_ACCESS};
	struct ibv_qp_attr rtr = {
	    .qp_state = IBV_QPS_RTR,
	    .path_mtu = r->port.active_mtu,
	    .dest_qp_num = qp->qp_num,
	    .max_dest_rd_atomic = rdma_reads(r, r->limits.max_qp_rd_atom),
	    .min_rnr_timer = RNR_TIMER,
	    .ah_attr = {.dlid = r->port.lid, .port_num = (uint8_t)r->set.port}};
	struct ibv_qp_attr rts = {
	    .qp_state = IBV_QPS_RTS,
	    .timeout = ACK_TIMEOUT,
	    .retry_cnt = RETRIES,
	    .rnr_retry = RETRIES,
	    .max_rd_atomic = rdma_reads(r, r->limits.max_qp_init_rd_atom)};

	if (r->port.link_layer == IBV_LINK_LAYER_ETHERNET) {
		rtr.ah_attr.is_global = 1;
		rtr.ah_attr.grh.dgid = r->gid;
		rtr.ah_attr.grh.sgid_index = (uint8_t)r->set.gid;
		rtr.ah_attr.grh.hop_limit = 1;
	}
	return rdma_modify(s, qp, &init,
	                   IBV_QP_PKEY_INDEX | IBV_QP_PORT |
	                       IBV_QP_ACCESS_FLAGS) &&
	       rdma_modify(s, qp, &rtr,
	                   IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
	                       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
	                       IBV_QP_MIN_RNR_TIMER) &&
	       rdma_modify(s, qp, &rts,
	                   IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
	                       IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
	                       IBV_QP_MAX_QP_RD_ATOMIC);
}

/* Completions have timestamps if the plan uses the device's clock. */
static bool
rdma_create_cq(struct session *s)
{
	struct rdma *r = s->state;
	struct ibv_cq_init_attr_ex attr = {
	    .cqe = r->set.qps * r->set.depth * r->plan.n,
	    .wc_flags = IBV_WC_EX_WITH_COMPLETION_TIMESTAMP};

	errno = 0;
	if (r->clock.hz > 0) {
		r->stamped = ibv_create_cq_ex(r->context, &attr);
		r->cq = r->stamped ? ibv_cq_ex_to_cq(r->stamped) : NULL;
	} else {
		r->cq =
		    verbs.create_cq(r->context, (int)attr.cqe, NULL, NULL, 0);
	}
	return r->cq || rdma_failed(s, "ibv_create_cq", errno);
}

bool
rdma_connect(struct session *s)
{
	struct rdma *r = s->state;

	if (!rdma_create_cq(s))
		return false;
	for (uint32_t i = 0; i < r->set.qps; i++) {
		r->qp[i] = rdma_create_qp(s);
		if (!r->qp[i] || !rdma_connect_qp(s, r->qp[i]))
			return false;
	}
	return true;
}

/* Memory ------------------------------------------------------------------ */

bool
rdma_register(struct session *s, void *area, const struct memory *m)
{
	const struct rdma *r = s->state;
	struct rdma_area *a = area;

	errno = 0;
	a->mr = verbs.reg_mr(r->pd, m->at, m->size, RDMA_ACCESS);
	if (a->mr)
		return true;
	if (errno == ENOMEM || errno == EAGAIN)
		return fail(s, STATUS_ABSENT,
		            "%s: %ju bytes cannot be registered (%s): raise "
		            "the limit of locked memory: ulimit -l unlimited",
		            r->device.name, (uintmax_t)m->size,
		            strerror(errno));
	return rdma_failed(s, "ibv_reg_mr", errno);
}

void
rdma_unregister(void *area, const struct memory *m)
{
	struct rdma_area *a = area;

	(void)m;
	if (a->mr)
		verbs.dereg_mr(a->mr);
	a->mr = NULL;
}

uint64_t
rdma_memory_room(const struct rdma *r)
{
	return r->memory_max > START_ROOM ? r->memory_max - START_ROOM : 0;
}

bool
rdma_memory_make(struct session *s)
{
	struct rdma *r = s->state;
	struct rdma_memory *m = &r->memory;
	struct ibv_alloc_dm_attr attr;

	m->start = div_round_up(r->largest, START_ROOM) * START_ROOM;
	attr = (struct ibv_alloc_dm_attr){.length = m->start + START_ROOM};
	errno = 0;
	m->dm = ibv_alloc_dm(r->context, &attr);
	if (!m->dm)
		return fail(s, STATUS_ABSENT,
		            "%s: %ju bytes of device memory cannot be had "
		            "(%s): other programs may use it",
		            r->device.name, (uintmax_t)attr.length,
		            strerror(errno));
	m->mr = ibv_reg_dm_mr(r->pd, m->dm, 0, attr.length,
	                      RDMA_ACCESS | IBV_ACCESS_ZERO_BASED);
	return m->mr || rdma_failed(s, "ibv_reg_dm_mr", errno);
}

void
rdma_close_port(struct rdma *r)
{
	for (size_t i = 0; i < RDMA_QPS_MAX; i++) {
		if (r->qp[i])
			verbs.destroy_qp(r->qp[i]);
	}
	if (r->cq)
		verbs.destroy_cq(r->cq);
	dma_buffer_close(&r->window.buffer);
	dma_buffer_close(&r->target.buffer);
	if (r->memory.mr)
		verbs.dereg_mr(r->memory.mr);
	if (r->memory.dm)
		ibv_free_dm(r->memory.dm);
	if (r->pd)
		verbs.dealloc_pd(r->pd);
	if (r->context)
		verbs.close_device(r->context);
}

/* Devices ------------------------------------------------------------------ */

#define DEVICES root_path("/sys/class/infiniband")

/* Entries of a port's GID table that are read. */
#define GIDS 256

/* An IPv4 address as a GID: RFC 4291, 2.5.5.2. */
#define MAPPED_IPV4 "0000:0000:0000:0000:0000:ffff:"
#define NO_GID      "0000:0000:0000:0000:0000:0000:0000:0000"

/* Some kernels show rxe at the function of its interface: `parent` tells. */
static struct rdma_device
rdma_device_at(const char *path)
{
	struct rdma_device d = {.name = xstrdup(strrchr(path, '/') + 1)};
	char *function = read_link_name("%s/device", path);
	char *parent = read_first_line("%s/parent", path);

	if (parent || !function || !parse_bdf(function, d.bdf))
		*d.bdf = '\0';
	free(function);
	free(parent);
	return d;
}

void
rdma_device_free(struct rdma_device *device)
{
	free(device->name);
	*device = (struct rdma_device){0};
}

/* The file `parent` of a software device names its interface. */
char *
rdma_interface(const struct rdma_device *device, const char *wanted)
{
	char *name = read_first_line("%s/%s/parent", DEVICES, device->name);
	glob_t found = {0};

	find_files(&found, "%s/%s/device/net/*", DEVICES, device->name);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *other = strrchr(found.gl_pathv[i], '/') + 1;

		if (!name || (wanted && !strcmp(other, wanted)))
			text_set(&name, "%s", other);
	}
	globfree(&found);
	return name;
}

bool
rdma_device_find(struct session *s, const char *which,
                 struct rdma_device *device)
{
	glob_t found = {0};
	bool is_there = false;
	char bdf[BDF_MAX];
	bool by_bdf = parse_bdf(which, bdf);
	char *ifname;

	find_files(&found, "%s/*", DEVICES);
	for (size_t i = 0; i < found.gl_pathc && !is_there; i++) {
		*device = rdma_device_at(found.gl_pathv[i]);
		ifname = rdma_interface(device, which);
		is_there = !strcmp(device->name, which) ||
		           (by_bdf && !strcmp(device->bdf, bdf)) ||
		           (ifname && !strcmp(ifname, which));
		free(ifname);
		if (!is_there)
			rdma_device_free(device);
	}
	globfree(&found);
	return is_there ||
	       fail(s, STATUS_ABSENT,
	            "%s: no such RDMA device ('pcb-collect list' shows those "
	            "there are; a card needs its driver and 'modprobe "
	            "ib_uverbs')",
	            which);
}

void
rdma_device_list(const struct pci_tree *tree, unsigned known,
                 const char *why_not, struct findings *list)
{
	glob_t found = {0};

	find_files(&found, "%s/*", DEVICES);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct rdma_device d = rdma_device_at(found.gl_pathv[i]);
		const struct pci_function *function = pci_find(tree, d.bdf);
		bool real = *d.bdf;
		struct finding *f;

		if (function) {
			f = function_found(list, "rdma", function);
		} else {
			f = findings_add(list, "rdma");
			text_set(&f->device, "%s", real ? d.bdf : d.name);
			text_set(&f->name, "%s",
			         real ? d.name : "RDMA in software");
		}
		f->benches = why_not ? 0 : known;
		if (why_not)
			text_set(&f->why_not, "%s", why_not);
		else
			text_set(&f->why_not,
			         "lat_rd and others need device memory: "
			         "-d rdma:%s finds out whether it has some",
			         d.name);
		rdma_device_free(&d);
	}
	globfree(&found);
}

char *
rdma_gid_type(const struct rdma_device *device, unsigned port, int index)
{
	return read_first_line("%s/%s/ports/%u/gid_attrs/types/%d", DEVICES,
	                       device->name, port, index);
}

/* Suitability of a GID for a loop; 0: no GID at this index. */
static int
rdma_gid_rank(const struct rdma_device *device, unsigned port, int index)
{
	char *gid = read_first_line("%s/%s/ports/%u/gids/%d", DEVICES,
	                            device->name, port, index);
	char *type = gid ? rdma_gid_type(device, port, index) : NULL;
	int rank = type && strcmp(gid, NO_GID) != 0;

	if (rank && !strcmp(type, "RoCE v2"))
		rank = strncmp(gid, MAPPED_IPV4, strlen(MAPPED_IPV4)) ? 2 : 3;
	free(gid);
	free(type);
	return rank;
}

int
rdma_gid_choose(const struct rdma_device *device, unsigned port)
{
	int best = 0, chosen = -1;

	for (int i = 0; i < GIDS; i++) {
		int rank = rdma_gid_rank(device, port, i);

		if (rank > best) {
			best = rank;
			chosen = i;
		}
	}
	return chosen;
}

/* What a port has sent, by ethtool(8)'s ioctl, or in sysfs --------------- */

static bool
ask(int fd, const char *ifname, void *request)
{
	struct ifreq ifr = {0};

	snprintf(ifr.ifr_name, sizeof ifr.ifr_name, "%s", ifname);
	ifr.ifr_data = request;
	return !ioctl(fd, SIOCETHTOOL, &ifr);
}

/* Reads tx_bytes_phy: their number, its index by the names, its value. */
static bool
read_physical(const char *ifname, uint64_t *bytes)
{
	static const char counter[ETH_GSTRING_LEN] = "tx_bytes_phy";
	struct ethtool_sset_info *sets =
	    xcalloc(1, sizeof *sets + sizeof *sets->data);
	struct ethtool_gstrings *names;
	struct ethtool_stats *stats;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	size_t n = 0, i = 0;
	bool ok;

	sets->cmd = ETHTOOL_GSSET_INFO;
	sets->sset_mask = UINT64_C(1) << ETH_SS_STATS;
	if (ask(fd, ifname, sets) && sets->sset_mask)
		n = sets->data[0];
	names = xcalloc(1, sizeof *names + n * ETH_GSTRING_LEN);
	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_STATS;
	names->len = (uint32_t)n;
	stats = xcalloc(1, sizeof *stats + n * sizeof *stats->data);
	stats->cmd = ETHTOOL_GSTATS;
	stats->n_stats = (uint32_t)n;
	if (n && !ask(fd, ifname, names))
		i = n;
	while (i < n && strncmp((char *)names->data + i * ETH_GSTRING_LEN,
	                        counter, ETH_GSTRING_LEN) != 0)
		i++;
	ok = i < n && ask(fd, ifname, stats);
	if (ok)
		*bytes = stats->data[i];
	free(sets);
	free(names);
	free(stats);
	close_file(fd);
	return ok;
}

static bool
read_counter(const struct wire *wire, uint64_t *bytes)
{
	if (wire->physical)
		return read_physical(wire->ifname, bytes);
	*bytes = read_number(UINT64_MAX, "%s/%s/statistics/tx_bytes",
	                     root_path("/sys/class/net"), wire->ifname);
	return *bytes != UINT64_MAX;
}

bool
wire_open(struct wire *wire, char *ifname, bool physical)
{
	*wire = (struct wire){.ifname = ifname, .physical = physical};
	if (ifname && read_counter(wire, &wire->begin))
		return true;
	wire_close(wire);
	return false;
}

uint64_t
wire_sent(const struct wire *wire)
{
	uint64_t now = 0;

	if (!wire->ifname || !read_counter(wire, &now) || now < wire->begin)
		return 0;
	return now - wire->begin;
}

void
wire_close(struct wire *wire)
{
	free(wire->ifname);
	wire->ifname = NULL;
}
