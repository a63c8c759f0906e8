/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A libibverbs.so.1 with one RDMA device, mlx5_0, that transfers at once and
 * whose clock is computed. Aborts the program with a message if a real device
 * would refuse or misunderstand an argument, and lists in FAKE_VERBS_LOG what
 * was not freed and what was transferred. Words in FAKE_VERBS change it:
 *
 * none             no device
 * fail=CALL        the call (without ibv_) fails with EIO
 * refused=N        the Nth post_send fails with EIO
 * enomem           registering memory fails with ENOMEM
 * status=N:S       the Nth completion has the status S
 * hang=N           the Nth transfer and those behind it never complete
 * wrong            an RDMA write writes a wrong byte
 * beyond           a transfer writes one byte too many
 * vendor=ID        vendor of the device, in hexadecimal
 * link=ib          the port is InfiniBand, without GIDs
 * state=N          state of the port, as in enum ibv_port_state
 * ports=N          number of ports; only the last is active
 * inline=N         bytes of inline data in a work request
 * reads=N          reads under way that a pair allows
 * dm=BYTES         device memory
 * khz=N, bits=N    rate and width of completion timestamps
 * true_khz=N       the rate at which they really run
 * wire             transfers also leave by the wire; the counter is in the
 *                  file FAKE_VERBS_WIRE
 * start=TICKS      the first time of the clock, in hexadecimal
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#undef ibv_reg_mr
#undef ibv_query_port

#define QUEUE_MAX 65536
#define ACCESS                                                                 \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |                    \
	 IBV_ACCESS_REMOTE_READ)

/* ns of a transfer, by the memory at both ends. */
enum { NS_HOST_TO_HOST = 1500, NS_FROM_HOST = 1000, NS_TO_HOST = 600 };
enum { NS_WITHIN = 300 };

struct completion {
	uint64_t id, ns;
	enum ibv_wc_status status;
};

struct queue_pair {
	struct ibv_qp qp;
	struct ibv_qp_init_attr made;
	uint32_t posted; /* not yet completed */
};

struct region {
	struct ibv_mr mr;
	unsigned char *at;
	unsigned access;
	int in_device;
	struct region *next;
};

static struct {
	struct ibv_device device;
	struct verbs_context context;
	struct ibv_pd pd;
	struct ibv_cq_ex cq;
	struct ibv_dm dm;
	unsigned char *memory;
	size_t memory_size;
	struct region *regions;
	struct completion done[QUEUE_MAX];
	size_t first, n;
	uint64_t ns; /* when the last transfer completed */
	unsigned long transfers, completions;
	int hangs;
	unsigned long host_reads, host_writes, inlined;
	uint32_t qps, pairs; /* now, and ever */
	uint64_t posts;
	int opened, domains, queues, polling;
} fake;

/* The word's value, "" if it has none; NULL if the word is not given. */
static const char *
word(const char *name)
{
	const char *text = getenv("FAKE_VERBS");
	size_t length = strlen(name);

	while (text && *text) {
		if (!strncmp(text, name, length) &&
		    (!text[length] || strchr(" =", text[length])))
			return text[length] == '=' ? text + length + 1 : "";
		text += strcspn(text, " ");
		text += strspn(text, " ");
	}
	return NULL;
}

static uint64_t
number(const char *name, uint64_t usual, int base)
{
	const char *text = word(name);

	return text ? strtoull(text, NULL, base) : usual;
}

static _Noreturn void
wrong(const char *call, const char *what)
{
	fprintf(stderr, "libibverbs: %s: %s\n", call, what);
	abort();
}

static void
must(int condition, const char *call, const char *what)
{
	if (!condition)
		wrong(call, what);
}

/* Whether the call shall fail. */
static int
fails(const char *call)
{
	const char *text = word("fail");
	size_t length = strlen(call);

	if (!text || strncmp(text, call, length) != 0 ||
	    (text[length] && text[length] != ' '))
		return 0;
	errno = EIO;
	return EIO;
}

static void
log_left(void)
{
	const char *path = getenv("FAKE_VERBS_LOG");
	FILE *f = path ? fopen(path, "w") : NULL;
	int regions = 0;

	if (!f)
		return;
	for (const struct region *r = fake.regions; r; r = r->next)
		regions++;
	fprintf(f,
	        "left: contexts %d domains %d regions %d queues %d pairs %u "
	        "memory %zu\n",
	        fake.opened, fake.domains, regions, fake.queues, fake.qps,
	        fake.memory_size);
	fprintf(f, "host: reads %lu writes %lu inline %lu\nmade: pairs %u\n",
	        fake.host_reads, fake.host_writes, fake.inlined, fake.pairs);
	fclose(f);
}

/* The device -------------------------------------------------------------- */

struct ibv_device **
ibv_get_device_list(int *n)
{
	static struct ibv_device *list[2];

	if (fails("get_device_list"))
		return NULL;
	strcpy(fake.device.name, "mlx5_0");
	strcpy(fake.device.dev_name, "uverbs0");
	list[0] = word("none") ? NULL : &fake.device;
	*n = !word("none");
	return list;
}

void
ibv_free_device_list(struct ibv_device **list)
{
	must(list != NULL, "free_device_list", "no list");
}

const char *
ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

int
ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	must(context == &fake.context.context, "query_device", "context");
	if (fails("query_device"))
		return EIO;
	memset(attr, 0, sizeof *attr);
	strcpy(attr->fw_ver, "1.2.3");
	attr->vendor_id = (uint32_t)number("vendor", 0x2c9, 16);
	attr->max_qp_wr = 8192;
	attr->max_cqe = QUEUE_MAX;
	attr->max_qp_rd_atom = attr->max_qp_init_rd_atom =
	    (int)number("reads", 16, 10);
	attr->phys_port_cnt = (uint8_t)number("ports", 1, 10);
	return 0;
}

static int
query_device_ex(struct ibv_context *context,
                const struct ibv_query_device_ex_input *input,
                struct ibv_device_attr_ex *attr, size_t size)
{
	uint64_t bits = number("bits", word("khz") ? 64 : 0, 10);

	must(!input && size == sizeof *attr, "query_device_ex", "arguments");
	memset(attr, 0, sizeof *attr);
	attr->max_dm_size = number("dm", 0, 10);
	attr->hca_core_clock = number("khz", 0, 10);
	attr->completion_timestamp_mask =
	    bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	return ibv_query_device(context, &attr->orig_attr);
}

int
ibv_query_port(struct ibv_context *context, uint8_t port,
               struct _compat_ibv_port_attr *old)
{
	struct ibv_port_attr attr = {.max_mtu = IBV_MTU_4096,
	                             .active_mtu = IBV_MTU_1024,
	                             .max_msg_sz = UINT32_C(1) << 30,
	                             .gid_tbl_len = 4,
	                             .lid = 7};
	uint64_t ports = number("ports", 1, 10);

	must(context == &fake.context.context, "query_port", "context");
	must(port >= 1 && port <= ports, "query_port", "no such port");
	if (fails("query_port"))
		return EIO;
	attr.state = port == ports ? (enum ibv_port_state)number("state", 4, 10)
	                           : IBV_PORT_DOWN;
	attr.link_layer =
	    word("link") ? IBV_LINK_LAYER_INFINIBAND : IBV_LINK_LAYER_ETHERNET;
	memcpy(old, &attr, offsetof(struct ibv_port_attr, port_cap_flags2));
	return 0;
}

/* One GID, at index 3. */
int
ibv_query_gid(struct ibv_context *context, uint8_t port, int index,
              union ibv_gid *gid)
{
	must(context == &fake.context.context && port, "query_gid",
	     "arguments");
	must(!word("link"), "query_gid", "of a port without any");
	if (fails("query_gid"))
		return -1;
	memset(gid, 0, sizeof *gid);
	if (index == 3)
		gid->raw[15] = 3;
	return index < 4 ? 0 : -1;
}

/* Memory ------------------------------------------------------------------ */

struct ibv_pd *
ibv_alloc_pd(struct ibv_context *context)
{
	if (fails("alloc_pd"))
		return NULL;
	fake.pd.context = context;
	fake.domains++;
	return &fake.pd;
}

int
ibv_dealloc_pd(struct ibv_pd *pd)
{
	must(pd == &fake.pd && fake.domains, "dealloc_pd", "no such domain");
	must(!fake.regions && !fake.qps, "dealloc_pd", "it is in use");
	fake.domains--;
	return 0;
}

static struct ibv_mr *
add_region(unsigned char *at, void *address, size_t length, unsigned access,
           int in_device)
{
	struct region *r = calloc(1, sizeof *r);
	static uint32_t key = 100;

	if (!r)
		return NULL;
	r->mr = (struct ibv_mr){.context = &fake.context.context,
	                        .pd = &fake.pd,
	                        .addr = address,
	                        .length = length,
	                        .lkey = key,
	                        .rkey = key + 1};
	key += 2;
	r->at = at;
	r->access = access;
	r->in_device = in_device;
	r->next = fake.regions;
	fake.regions = r;
	return &r->mr;
}

struct ibv_mr *
ibv_reg_mr(struct ibv_pd *pd, void *at, size_t length, int access)
{
	must(pd == &fake.pd && at && length, "reg_mr", "arguments");
	must(access == ACCESS, "reg_mr", "access");
	if (word("enomem")) {
		errno = ENOMEM;
		return NULL;
	}
	if (fails("reg_mr"))
		return NULL;
	return add_region(at, at, length, (unsigned)access, 0);
}

int
ibv_dereg_mr(struct ibv_mr *mr)
{
	for (struct region **r = &fake.regions; *r; r = &(*r)->next) {
		struct region *gone = *r;

		if (&gone->mr != mr)
			continue;
		*r = gone->next;
		free(gone);
		return 0;
	}
	wrong("dereg_mr", "no such region");
}

static struct ibv_dm *
alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *attr)
{
	must(!attr->comp_mask && attr->length && !fake.memory, "alloc_dm",
	     "arguments");
	if (fails("alloc_dm"))
		return NULL;
	if (attr->length > number("dm", 0, 10)) {
		errno = ENOMEM;
		return NULL;
	}
	fake.dm.context = context;
	fake.memory_size = attr->length;
	fake.memory = calloc(1, attr->length);
	return fake.memory ? &fake.dm : NULL;
}

static int
free_dm(struct ibv_dm *dm)
{
	must(dm == &fake.dm && fake.memory, "free_dm", "no such memory");
	for (const struct region *r = fake.regions; r; r = r->next)
		must(!r->in_device, "free_dm", "it is in use");
	free(fake.memory);
	fake.memory = NULL;
	fake.memory_size = 0;
	return 0;
}

static struct ibv_mr *
reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm, uint64_t offset, size_t length,
          unsigned access)
{
	must(pd == &fake.pd && dm == &fake.dm && !offset &&
	         length <= fake.memory_size,
	     "reg_dm_mr", "arguments");
	must(access == (ACCESS | IBV_ACCESS_ZERO_BASED), "reg_dm_mr", "access");
	if (fails("reg_dm_mr"))
		return NULL;
	return add_region(fake.memory, NULL, length, access, 1);
}

/* The memory of a transfer, which must be in a region with this access. */
static unsigned char *
find(uint32_t key, int local, uint64_t address, uint64_t length,
     unsigned access, int *in_device)
{
	for (const struct region *r = fake.regions; r; r = r->next) {
		uint64_t at = address - (uintptr_t)r->mr.addr;

		if ((local ? r->mr.lkey : r->mr.rkey) != key)
			continue;
		must((r->access & access) == access, "post_send", "access");
		must(at <= r->mr.length && length <= r->mr.length - at,
		     "post_send", "a transfer beyond its region");
		*in_device = r->in_device;
		return r->at + at;
	}
	wrong("post_send", "no such key");
}

/* Completions ------------------------------------------------------------- */

static struct completion *
next_completion(void)
{
	/* The program looks for seconds: not by a busy CPU. */
	if (fake.hangs)
		usleep(1000);
	return fake.n ? &fake.done[fake.first] : NULL;
}

static void
drop_completion(void)
{
	fake.first = (fake.first + 1) % QUEUE_MAX;
	fake.n--;
}

static int
poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc)
{
	const struct completion *c = next_completion();

	must((void *)cq == &fake.cq && n == 1, "poll_cq", "arguments");
	must(!fake.cq.start_poll, "poll_cq", "of an extended queue");
	if (fails("poll_cq"))
		return -1;
	if (!c)
		return 0;
	*wc = (struct ibv_wc){.wr_id = c->id, .status = c->status};
	wc->vendor_err = c->status ? 0x81 : 0;
	drop_completion();
	return 1;
}

static int
start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
	const struct completion *c = next_completion();

	must(!attr->comp_mask && !fake.polling, "start_poll", "arguments");
	if (fails("start_poll"))
		return EIO;
	if (!c)
		return ENOENT;
	fake.polling = 1;
	cq->wr_id = c->id;
	cq->status = c->status;
	return 0;
}

static void
end_poll(struct ibv_cq_ex *cq)
{
	must(fake.polling && cq == &fake.cq, "end_poll", "not begun");
	fake.polling = 0;
	drop_completion();
}

static uint32_t
read_vendor_err(struct ibv_cq_ex *cq)
{
	must(fake.polling, "read_vendor_err", "not begun");
	return cq->status ? 0x81 : 0;
}

static uint64_t
read_completion_ts(struct ibv_cq_ex *cq)
{
	uint64_t khz = number("true_khz", number("khz", 0, 10), 10);
	uint64_t bits = number("bits", 64, 10);
	uint64_t ticks = number("start", 0, 16);
	uint64_t ns = fake.done[fake.first].ns;

	must(fake.polling && cq->status == IBV_WC_SUCCESS, "read_completion_ts",
	     "of what has none");
	ticks += ns / 1000000 * khz + ns % 1000000 * khz / 1000000;
	return bits < 64 ? ticks & ((UINT64_C(1) << bits) - 1) : ticks;
}

struct ibv_cq *
ibv_create_cq(struct ibv_context *context, int entries, void *cookie,
              struct ibv_comp_channel *channel, int vector)
{
	must(context == &fake.context.context && entries > 0 &&
	         entries <= QUEUE_MAX && !cookie && !channel && !vector,
	     "create_cq", "arguments");
	if (fails("create_cq"))
		return NULL;
	fake.cq = (struct ibv_cq_ex){.context = context, .cqe = entries};
	fake.queues++;
	return (struct ibv_cq *)&fake.cq;
}

static struct ibv_cq_ex *
create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	must(attr->wc_flags == IBV_WC_EX_WITH_COMPLETION_TIMESTAMP &&
	         !attr->comp_mask,
	     "create_cq_ex", "flags");
	must(word("khz") != NULL, "create_cq_ex", "there are no timestamps");
	if (fails("create_cq_ex") ||
	    !ibv_create_cq(context, (int)attr->cqe, attr->cq_context,
	                   attr->channel, (int)attr->comp_vector))
		return NULL;
	fake.cq.start_poll = start_poll;
	fake.cq.end_poll = end_poll;
	fake.cq.read_vendor_err = read_vendor_err;
	fake.cq.read_completion_ts = read_completion_ts;
	return &fake.cq;
}

int
ibv_destroy_cq(struct ibv_cq *cq)
{
	must((void *)cq == &fake.cq && fake.queues, "destroy_cq", "none");
	must(!fake.qps, "destroy_cq", "it is in use");
	fake.queues--;
	return 0;
}

/* Queue pairs ------------------------------------------------------------- */

struct ibv_qp *
ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct queue_pair *q;

	must(pd == &fake.pd && (void *)attr->send_cq == &fake.cq &&
	         attr->recv_cq == attr->send_cq && !attr->srq,
	     "create_qp", "arguments");
	must(attr->qp_type == IBV_QPT_RC && !attr->sq_sig_all, "create_qp",
	     "type");
	must(attr->cap.max_send_wr && attr->cap.max_send_sge == 1, "create_qp",
	     "capabilities");
	if (fails("create_qp"))
		return NULL;
	if (attr->cap.max_inline_data > number("inline", 220, 10) ||
	    attr->cap.max_send_wr > 8192) {
		errno = EINVAL;
		return NULL;
	}
	q = calloc(1, sizeof *q);
	if (!q)
		return NULL;
	q->made = *attr;
	q->qp.context = pd->context;
	q->qp.qp_num = 0x100 + fake.qps++;
	fake.pairs++;
	q->qp.state = IBV_QPS_RESET;
	return &q->qp;
}

static void
check_address(const struct ibv_ah_attr *a)
{
	if (word("link")) {
		must(!a->is_global && a->dlid == 7, "modify_qp", "LID");
		return;
	}
	must(a->is_global && a->grh.sgid_index == 3 &&
	         a->grh.dgid.raw[15] == 3 && a->grh.hop_limit,
	     "modify_qp", "GRH");
}

int
ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	static const int wanted[] = {
	    [IBV_QPS_INIT] = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
	                     IBV_QP_ACCESS_FLAGS,
	    [IBV_QPS_RTR] = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
	                    IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
	                    IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
	    [IBV_QPS_RTS] = IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
	                    IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
	                    IBV_QP_MAX_QP_RD_ATOMIC};

	must(attr->qp_state == qp->state + 1 && attr->qp_state <= IBV_QPS_RTS,
	     "modify_qp", "state");
	must(mask == wanted[attr->qp_state], "modify_qp", "mask");
	if (fails("modify_qp"))
		return EIO;
	if (attr->qp_state == IBV_QPS_INIT) {
		must(attr->port_num == number("ports", 1, 10) &&
		         attr->qp_access_flags == ACCESS,
		     "modify_qp", "port or access");
	} else if (attr->qp_state == IBV_QPS_RTR) {
		must(attr->dest_qp_num == qp->qp_num && !attr->rq_psn &&
		         attr->path_mtu == IBV_MTU_1024,
		     "modify_qp", "destination");
		must(attr->max_dest_rd_atomic >= 1 &&
		         attr->max_dest_rd_atomic <= 16,
		     "modify_qp", "reads");
		check_address(&attr->ah_attr);
	} else {
		must(attr->timeout && attr->retry_cnt && !attr->sq_psn &&
		         attr->max_rd_atomic >= 1 && attr->max_rd_atomic <= 16,
		     "modify_qp", "retries");
	}
	qp->state = attr->qp_state;
	return 0;
}

int
ibv_destroy_qp(struct ibv_qp *qp)
{
	must(fake.qps > 0, "destroy_qp", "none");
	fake.qps--;
	free(qp);
	return 0;
}

/* Transfers --------------------------------------------------------------- */

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t
duration(int read_in_device, int written_in_device)
{
	if (read_in_device)
		return written_in_device ? NS_WITHIN : NS_TO_HOST;
	return written_in_device ? NS_FROM_HOST : NS_HOST_TO_HOST;
}

static void
copy(unsigned char *to, const unsigned char *from, size_t size, int write)
{
	memmove(to, from, size);
	if (write && word("wrong"))
		to[size / 2] ^= 1;
	if (word("beyond"))
		to[size] ^= 1;
}

/* Copies the data; returns its duration in ns. */
static uint64_t
transfer(const struct ibv_send_wr *wr)
{
	int write = wr->opcode == IBV_WR_RDMA_WRITE;
	int here = 0, there = 0;
	uint32_t size = wr->sg_list->length;
	unsigned char *local = NULL, *remote;

	must(write || wr->opcode == IBV_WR_RDMA_READ, "post_send", "opcode");
	remote = find(wr->wr.rdma.rkey, 0, wr->wr.rdma.remote_addr, size,
	              write ? IBV_ACCESS_REMOTE_WRITE : IBV_ACCESS_REMOTE_READ,
	              &there);
	local = find(wr->sg_list->lkey, 1, wr->sg_list->addr, size,
	             write ? 0 : IBV_ACCESS_LOCAL_WRITE, &here);
	fake.host_reads += write ? !here : !there;
	fake.host_writes += write ? !there : !here;
	fake.inlined += !!(wr->send_flags & IBV_SEND_INLINE);
	copy(write ? remote : local, write ? local : remote, size, write);
	return write ? duration(here, there) : duration(there, here);
}

static void
count_on_wire(uint32_t size)
{
	static FILE *f;
	static uint64_t sent;

	if (!word("wire"))
		return;
	if (!f)
		f = fopen(getenv("FAKE_VERBS_WIRE"), "w");
	must(f != NULL, "FAKE_VERBS_WIRE", "cannot be written");
	sent += size;
	rewind(f);
	fprintf(f, "%ju\n", (uintmax_t)sent);
	fflush(f);
}

static void
complete(const struct ibv_send_wr *wr)
{
	const char *status = word("status");
	struct completion c = {.id = wr->wr_id, .ns = fake.ns};
	char *end;

	fake.completions++;
	if (status && strtoul(status, &end, 10) == fake.completions)
		c.status = (enum ibv_wc_status)strtoul(end + 1, NULL, 10);
	must(fake.n < (size_t)fake.cq.cqe, "post_send", "too many completions");
	fake.done[(fake.first + fake.n++) % QUEUE_MAX] = c;
}

static void
check_request(const struct queue_pair *q, const struct ibv_send_wr *wr)
{
	unsigned known = IBV_SEND_SIGNALED | IBV_SEND_INLINE | IBV_SEND_FENCE;

	must(q->qp.state == IBV_QPS_RTS, "post_send", "not connected");
	must(wr->num_sge == 1 && !(wr->send_flags & ~known), "post_send",
	     "flags");
	if (wr->send_flags & IBV_SEND_INLINE)
		must(wr->opcode == IBV_WR_RDMA_WRITE &&
		         wr->sg_list->length <= q->made.cap.max_inline_data,
		     "post_send", "inline");
}

static int
post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	const struct queue_pair *q = (const struct queue_pair *)qp;
	uint64_t hang = number("hang", UINT64_MAX, 10);
	uint32_t n = 0;
	int behind_read = 0;

	if (fails("post_send") ||
	    ++fake.posts == number("refused", UINT64_MAX, 10)) {
		*bad = wr;
		return EIO;
	}
	if (fake.ns < now())
		fake.ns = now();
	for (; wr; wr = wr->next) {
		check_request(q, wr);
		must(++n <= q->made.cap.max_send_wr, "post_send", "too many");
		must(!behind_read || wr->send_flags & IBV_SEND_FENCE,
		     "post_send", "what follows a read is not fenced");
		behind_read = wr->opcode == IBV_WR_RDMA_READ;
		fake.ns += transfer(wr);
		count_on_wire(wr->sg_list->length);
		fake.hangs = ++fake.transfers >= hang;
		if (fake.hangs)
			continue;
		if (wr->send_flags & IBV_SEND_SIGNALED)
			complete(wr);
		else
			must(wr->next != NULL, "post_send",
			     "the last one is not signalled");
	}
	return 0;
}

const char *
ibv_wc_status_str(enum ibv_wc_status status)
{
	return status == IBV_WC_RETRY_EXC_ERR ? "transport retry counter "
	                                        "exceeded"
	                                      : "some error";
}

/* The context ------------------------------------------------------------- */

struct ibv_context *
ibv_open_device(struct ibv_device *device)
{
	struct verbs_context *v = &fake.context;

	must(device == &fake.device, "open_device", "no such device");
	if (fails("open_device"))
		return NULL;
	atexit(log_left);
	v->sz = sizeof *v;
	v->query_device_ex = query_device_ex;
	v->create_cq_ex = create_cq_ex;
	v->alloc_dm = alloc_dm;
	v->free_dm = free_dm;
	v->reg_dm_mr = reg_dm_mr;
	v->context.device = device;
	v->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	v->context.ops.poll_cq = poll_cq;
	v->context.ops.post_send = post_send;
	fake.opened++;
	return &v->context;
}

int
ibv_close_device(struct ibv_context *context)
{
	must(context == &fake.context.context && fake.opened, "close_device",
	     "none");
	must(!fake.domains && !fake.queues && !fake.memory, "close_device",
	     "it is in use");
	fake.opened--;
	return 0;
}
