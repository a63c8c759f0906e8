/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers, queues and commands of an NVMe controller. */
#include "collect/nvme/nvme.h"

#include "collect/pci/bar.h"
#include "common/base/debug.h"
#include "common/base/intmath.h"

/* Registers, 3.1.3. */
#define CAP           0x00
#define CC            0x14
#define CSTS          0x1c
#define AQA           0x24
#define ASQ           0x28
#define ACQ           0x30
#define CRTO          0x68
#define DOORBELL_BASE 0x1000

#define CAP_CRWMS (UINT64_C(1) << 59)

/* 4 KiB pages, entries of 2^6 and 2^4 bytes. */
#define CC_EN          UINT32_C(1)
#define CC_EN_DEFAULTS (UINT32_C(4) << 20 | UINT32_C(6) << 16 | CC_EN)
#define CC_SHN_NORMAL  (UINT32_C(1) << 14)
#define CC_SHN_MASK    (UINT32_C(3) << 14) /* 2 bits for shutdown */

#define CSTS_READY    UINT32_C(1)
#define CSTS_FATAL    UINT32_C(2)
#define CSTS_SHUTDOWN UINT32_C(0xc) /* 2 bits of shutdown state */
#define CSTS_DONE     UINT32_C(0x8)

/* Admin commands, 5. */
#define CREATE_SQ    0x01
#define CREATE_CQ    0x05
#define IDENTIFY     0x06
#define SET_FEATURES 0x09
#define QUEUES       0x07 /* a feature: Number of Queues */
#define CONTIGUOUS   1u

#define ADMIN_ENTRIES 32

/* Longer than any command here may take. */
#define PATIENCE_NS UINT64_C(10000000000)

/* Upper bound of a start; larger times are invalid. */
#define START_MOST_NS UINT64_C(600000000000)

/* Unit of timeouts in registers. */
#define TICK_NS UINT64_C(500000000)

/* For drives without a valid shutdown time. */
#define SHUTDOWN_LEAST_NS UINT64_C(5000000000)
#define SHUTDOWN_MOST_NS  UINT64_C(60000000000)

/* What a controller says of itself ---------------------------------------- */

/* `count` bits of a register, from bit `low` on. */
static unsigned
nvme_bits(uint64_t value, unsigned low, unsigned count)
{
	return (unsigned)(value >> low) & ((1u << count) - 1);
}

/* Copies a text padded with blanks; '?' replaces unprintable characters. */
static void
nvme_copy_text(char *to, const unsigned char *from, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; i < size && from[i]; i++) {
		to[i] = '?';
		if (from[i] >= ' ' && from[i] <= '~')
			to[i] = (char)from[i];
		if (from[i] != ' ')
			length = i + 1;
	}
	to[length] = '\0';
}

const char *
nvme_parse_caps(uint64_t cap, struct nvme_caps *caps)
{
	if (cap == UINT64_MAX)
		return "its registers read all ones: it is gone or asleep";
	if (!nvme_bits(cap, 0, 16))
		return "its queues have one entry (CAP.MQES)";
	if (!nvme_bits(cap, 37, 1))
		return "it has no NVM command set (CAP.CSS)";
	if (nvme_bits(cap, 48, 4))
		return "it has no pages of 4 KiB (CAP.MPSMIN)";
	caps->entries = nvme_bits(cap, 0, 16) + 1;
	caps->stride = 4u << nvme_bits(cap, 32, 4);
	caps->timeout_ns = (nvme_bits(cap, 24, 8) + 1) * TICK_NS;
	return NULL;
}

uint64_t
nvme_start_ns(uint64_t cap, uint32_t crto)
{
	uint64_t ticks = nvme_bits(cap, 24, 8);

	/* Ready with media: CC.CRIME is not set. */
	if (cap & CAP_CRWMS)
		ticks = max_u64(ticks, nvme_bits(crto, 0, 16));
	return min_u64(START_MOST_NS, (ticks + 1) * TICK_NS);
}

const char *
nvme_parse_controller(const unsigned char data[NVME_IDENTIFY_SIZE],
                      struct nvme_controller *controller)
{
	unsigned transfer = data[77];

	/* In units of 4 KiB pages, which nvme_parse_caps requires. */
	controller->max_transfer =
	    transfer && transfer < 52 ? UINT64_C(4096) << transfer : UINT64_MAX;
	/* RTD3 Entry Latency, in microseconds. */
	controller->shutdown_ns = max_u64(
	    SHUTDOWN_LEAST_NS,
	    min_u64(SHUTDOWN_MOST_NS, 1000 * little_endian(data + 88, 4)));
	controller->namespaces = (uint32_t)little_endian(data + 516, 4);
	nvme_copy_text(controller->model, data + 24, 40);
	nvme_copy_text(controller->firmware, data + 64, 8);
	if (!controller->namespaces)
		return "it has no namespaces";
	/* Minimum and maximum, as powers of two; 6 and 4 are used here. */
	if ((data[512] & 15) > 6 || data[512] >> 4 < 6 ||
	    (data[513] & 15) > 4 || data[513] >> 4 < 4)
		return "its queue entries are not of 64 and 16 bytes";
	return NULL;
}

const char *
nvme_parse_namespace(const unsigned char data[NVME_IDENTIFY_SIZE],
                     struct nvme_namespace *ns)
{
	/* Two bits of the format's index are elsewhere. */
	size_t format = (data[26] & 15u) | (data[26] >> 5 & 3u) << 4;
	const unsigned char *f = data + 128 + 4 * format;

	ns->blocks = little_endian(data, 8);
	if (!ns->blocks)
		return "it has no blocks: it is not there, or not attached";
	if (little_endian(f, 2))
		return "it is formatted with metadata";
	if (f[2] < 9 || f[2] > 16)
		return "its blocks are smaller than 512 bytes or larger than "
		       "64 KiB";
	ns->block_size = 1u << f[2];
	if (ns->blocks > UINT64_MAX / ns->block_size)
		return "it claims more than 2^64 bytes";
	return NULL;
}

/* Registers --------------------------------------------------------------- */

static volatile uint32_t *
nvme_reg32(const struct nvme *nvme, size_t offset)
{
	return (volatile uint32_t *)(volatile void *)(nvme->bar + offset);
}

/* In two halves, as drivers do: some controllers refuse 64-bit accesses. */
static uint64_t
nvme_read64(const struct nvme *nvme, size_t offset)
{
	uint64_t low = *nvme_reg32(nvme, offset);

	return (uint64_t)*nvme_reg32(nvme, offset + 4) << 32 | low;
}

static void
nvme_write32(const struct nvme *nvme, size_t offset, uint32_t value)
{
	debug(DEBUG_DEVICE, "%s: register 0x%zx: write 0x%08jx",
	      nvme->engine->function->bdf, offset, (uintmax_t)value);
	*nvme_reg32(nvme, offset) = value;
}

static void
nvme_write64(const struct nvme *nvme, size_t offset, uint64_t value)
{
	nvme_write32(nvme, offset, (uint32_t)value);
	nvme_write32(nvme, offset + 4, (uint32_t)(value >> 32));
}

static const char *
nvme_name(const struct nvme *nvme)
{
	return nvme->engine->function->bdf;
}

bool
nvme_failed(struct session *s, const struct nvme *nvme, const char *what,
            uint16_t status)
{
	unsigned type = status >> 8 & 7, code = status & 0xff;
	const char *help = "";

	/* Base Specification 2.0, figures 91 to 96. */
	if (!type && code == 0x04)
		help = ": it does not reach host memory, see dmesg for faults "
		       "of the IOMMU";
	else if (!type && code == 0x80)
		help = ": beyond the last block";
	else if (type == 2 && code == 0x81)
		help = ": the medium could not be read";
	return fail(s, STATUS_TROUBLE, "%s: %s: status type %u, code 0x%02x%s",
	            nvme_name(nvme), what, type, code, help);
}

bool
nvme_is_alive(struct session *s, const struct nvme *nvme, uint64_t ns)
{
	uint32_t state = *nvme_reg32(nvme, CSTS);

	if (state == UINT32_MAX)
		return fail(s, STATUS_TROUBLE,
		            "%s: the controller's registers read all ones: it "
		            "was removed, or its memory was disabled",
		            nvme_name(nvme));
	if (state & CSTS_FATAL)
		return fail(s, STATUS_TROUBLE,
		            "%s: the controller has failed (CSTS.CFS): it may "
		            "not reach host memory, see dmesg",
		            nvme_name(nvme));
	if (!(state & CSTS_READY))
		return fail(s, STATUS_TROUBLE,
		            "%s: the controller has stopped (CSTS.RDY): it was "
		            "reset, or its memory was disabled",
		            nvme_name(nvme));
	return ns < PATIENCE_NS ||
	       fail(s, STATUS_TROUBLE,
	            "%s: a command did not complete within 10 s",
	            nvme_name(nvme));
}

/*
 * Waits until these bits of CSTS have this value. False if that takes too long,
 * or if mask has CSTS_FATAL and it becomes set, which is final. Takes the time
 * before each read, because a process may be stopped in between.
 */
static bool
nvme_wait_state(const struct nvme *nvme, uint32_t mask, uint32_t wanted,
                uint64_t ns)
{
	uint64_t begin = now_ns(), now;
	uint32_t state;

	do {
		now = now_ns();
		state = *nvme_reg32(nvme, CSTS);
		if ((state & mask) == wanted)
			return true;
	} while (state != UINT32_MAX && !(state & mask & CSTS_FATAL) &&
	         now - begin < ns);
	return false;
}

/*
 * The registers of these controllers are unreadable for this time after a stop;
 * Linux waits as well: NVME_QUIRK_DELAY_BEFORE_CHK_RDY of
 * linux/drivers/nvme/host.
 */
#define NVME_QUIRK_DELAY_NS UINT64_C(2300000000)

static bool
nvme_quirk_delay_before_ready(const struct pci_function *f)
{
	static const struct {
		uint16_t vendor, device;
	} drives[] = {
	    {0x144d, 0xa821}, {0x144d, 0xa822}, {0x1bb1, 0x0100},
	    {0x1c58, 0x0003}, {0x1c58, 0x0023}, {0x1c5f, 0x0540},
	};

	for (size_t i = 0; i < ARRAY_LEN(drives); i++) {
		if (f->vendor_id == drives[i].vendor &&
		    f->device_id == drives[i].device)
			return true;
	}
	return false;
}

/* Sizes of pages and entries must not change while queues exist. */
static bool
nvme_stop(const struct nvme *nvme)
{
	const struct timespec pause = {.tv_nsec = 10000000};
	uint32_t control = *nvme_reg32(nvme, CC);
	uint64_t begin;

	nvme_write32(nvme, CC, control & ~(CC_EN | CC_SHN_MASK));
	begin = now_ns();
	if (control & CC_EN &&
	    nvme_quirk_delay_before_ready(nvme->engine->function)) {
		while (now_ns() - begin < NVME_QUIRK_DELAY_NS)
			nanosleep(&pause, NULL);
	}
	return nvme_wait_state(nvme, CSTS_READY, 0, nvme->caps.timeout_ns);
}

static void
nvme_init_queue(const struct nvme *nvme, struct nvme_queue *q, uint32_t number,
                uint32_t entries, unsigned char *sq, unsigned char *cq)
{
	size_t bell = DOORBELL_BASE + (size_t)2 * number * nvme->caps.stride;

	*q = (struct nvme_queue){
	    .sq = (struct nvme_command *)(void *)sq,
	    .cq = (const struct nvme_completion *)(void *)cq,
	    .sq_bell = nvme_reg32(nvme, bell),
	    .cq_bell = nvme_reg32(nvme, bell + nvme->caps.stride),
	    .entries = entries,
	    .phase = 1};
}

static uint64_t
nvme_iova_of(const struct nvme *nvme, const volatile void *at)
{
	return NVME_QUEUES_IOVA +
	       (uint64_t)((const volatile unsigned char *)at -
	                  nvme->control.at);
}

static bool
nvme_enable(struct session *s, struct nvme *nvme)
{
	unsigned char *at = nvme->control.at;
	uint64_t cap, most;

	if (!nvme_stop(nvme))
		return fail(s, STATUS_TROUBLE,
		            "%s: the controller does not stop",
		            nvme_name(nvme));
	/* CRTO is reserved unless CAP announces it. */
	cap = nvme_read64(nvme, CAP);
	most =
	    nvme_start_ns(cap, (cap & CAP_CRWMS) ? *nvme_reg32(nvme, CRTO) : 0);
	nvme_init_queue(nvme, &nvme->admin, 0, ADMIN_ENTRIES, at,
	                at + NVME_PAGE);
	nvme_write32(nvme, AQA,
	             (ADMIN_ENTRIES - 1) << 16 | (ADMIN_ENTRIES - 1));
	nvme_write64(nvme, ASQ, nvme_iova_of(nvme, at));
	nvme_write64(nvme, ACQ, nvme_iova_of(nvme, at + NVME_PAGE));
	nvme_write32(nvme, CC, CC_EN_DEFAULTS);
	if (nvme_wait_state(nvme, CSTS_READY | CSTS_FATAL, CSTS_READY, most))
		return true;
	if (*nvme_reg32(nvme, CSTS) & CSTS_FATAL)
		return nvme_is_alive(s, nvme, 0);
	return fail(s, STATUS_TROUBLE, "%s: the controller does not start",
	            nvme_name(nvme));
}

/* Submits the command of nvme_next and waits; *result is dword 0. */
static bool
nvme_admin(struct session *s, struct nvme *nvme, const char *what,
           uint32_t *result)
{
	struct nvme_queue *q = &nvme->admin;
	uint64_t begin, now;
	uint16_t status, id;

	debug(DEBUG_DEVICE, "%s: admin command: %s", nvme_name(nvme), what);
	nvme_ring(q);
	begin = now = now_ns();
	while (!nvme_is_done(q)) {
		if (!nvme_is_alive(s, nvme, now - begin))
			return false;
		now = now_ns();
	}
	*result = q->cq[q->head].dw0;
	status = nvme_take(q, &id);
	debug(DEBUG_DEVICE, "%s: completed: status 0x%04x, dword 0 0x%08jx",
	      nvme_name(nvme), status, (uintmax_t)*result);
	return !status || nvme_failed(s, nvme, what, status);
}

/* Into the third page of `control`. `what` is CNS: 0 (namespace) or 1. */
static bool
nvme_identify(struct session *s, struct nvme *nvme, uint32_t what,
              uint32_t nsid)
{
	struct nvme_command *c = nvme_next(&nvme->admin);
	uint32_t ignored;

	c->opcode = IDENTIFY;
	c->nsid = nsid;
	c->prp1 = nvme_iova_of(nvme, nvme->control.at + 2 * NVME_PAGE);
	c->dw10 = what;
	return nvme_admin(s, nvme, "Identify", &ignored);
}

static bool
nvme_read_identity(struct session *s, struct nvme *nvme, uint32_t nsid)
{
	const unsigned char *data = nvme->control.at + 2 * NVME_PAGE;
	const char *why;

	if (!nvme_identify(s, nvme, 1, 0))
		return false;
	why = nvme_parse_controller(data, &nvme->controller);
	if (why)
		return fail(s, STATUS_ABSENT, "%s: %s", nvme_name(nvme), why);
	if (!nsid || nsid > nvme->controller.namespaces)
		return fail(s, STATUS_ABSENT,
		            "%s: -O namespace=%u: it has 1 to %u",
		            nvme_name(nvme), nsid, nvme->controller.namespaces);
	if (!nvme_identify(s, nvme, 0, nsid))
		return false;
	why = nvme_parse_namespace(data, &nvme->ns);
	return !why || fail(s, STATUS_ABSENT, "%s: namespace %u: %s",
	                    nvme_name(nvme), nsid, why);
}

static bool
nvme_create(struct session *s, struct nvme *nvme, uint8_t opcode,
            uint32_t number, const volatile void *at)
{
	struct nvme_command *c = nvme_next(&nvme->admin);
	const struct nvme_queue *q = &nvme->queue[number - 1];
	uint32_t ignored;

	c->opcode = opcode;
	c->prp1 = nvme_iova_of(nvme, at);
	c->dw10 = (q->entries - 1) << 16 | number;
	c->dw11 = CONTIGUOUS | (opcode == CREATE_SQ ? number << 16 : 0);
	return nvme_admin(s, nvme, "creating a queue", &ignored);
}

/* Asks for queue pairs; dword 0 of the answer counts from 0. */
static bool
nvme_ask_for_pairs(struct session *s, struct nvme *nvme)
{
	struct nvme_command *c = nvme_next(&nvme->admin);
	uint32_t given = 0, most;

	c->opcode = SET_FEATURES;
	c->dw10 = QUEUES;
	c->dw11 = (nvme->pairs - 1) << 16 | (nvme->pairs - 1);
	if (!nvme_admin(s, nvme, "Number of Queues", &given))
		return false;
	most = 1 + (uint32_t)min_u64(given >> 16, given & 0xffff);
	return most >= nvme->pairs ||
	       fail(s, STATUS_ABSENT, "%s: -O pairs=%u: it has %u",
	            nvme_name(nvme), nvme->pairs, most);
}

static uint64_t
nvme_whole_pages(uint64_t bytes)
{
	return div_round_up(bytes, NVME_PAGE) * NVME_PAGE;
}

static bool
nvme_create_pairs(struct session *s, struct nvme *nvme, uint32_t entries)
{
	unsigned char *at = nvme->control.at + 3 * NVME_PAGE;

	for (uint32_t i = 0; i < nvme->pairs; i++) {
		unsigned char *cq =
		    at + nvme_whole_pages(entries * sizeof *nvme->admin.sq);

		nvme_init_queue(nvme, &nvme->queue[i], i + 1, entries, at, cq);
		if (!nvme_create(s, nvme, CREATE_CQ, i + 1, cq) ||
		    !nvme_create(s, nvme, CREATE_SQ, i + 1, at))
			return false;
		at = cq + nvme_whole_pages(entries * sizeof *nvme->admin.cq);
	}
	return true;
}

/* One entry of a queue always stays empty, 3.3.1.5. */
bool
nvme_open(struct session *s, struct nvme *nvme, uint32_t nsid, uint32_t pairs,
          uint32_t depth)
{
	struct vfio_engine *d = nvme->engine;
	uint64_t entries = (uint64_t)depth + 1, size;
	const char *why;
	size_t bells;
	int node;

	nvme->pairs = pairs;
	nvme->bar =
	    vfio_map_bar(s, d->function, d->fd, 0, 0, &nvme->bar_size, true);
	if (!nvme->bar)
		return false;
	why = nvme->bar_size < DOORBELL_BASE
	          ? "BAR0 is too small for a controller"
	          : nvme_parse_caps(nvme_read64(nvme, CAP), &nvme->caps);
	if (why)
		return fail(s, STATUS_ABSENT, "%s: %s", nvme_name(nvme), why);
	bells = (size_t)2 * (pairs + 1) * nvme->caps.stride;
	if (nvme->bar_size - DOORBELL_BASE < bells)
		return fail(s, STATUS_ABSENT,
		            "%s: -O pairs=%u: BAR0 ends before their doorbells",
		            nvme_name(nvme), pairs);
	if (entries > nvme->caps.entries)
		return fail(s, STATUS_ABSENT, "%s: -O depth=%u: up to %u",
		            nvme_name(nvme), depth, nvme->caps.entries - 1);
	size = 3 * NVME_PAGE +
	       pairs * (nvme_whole_pages(entries * sizeof *nvme->admin.sq) +
	                nvme_whole_pages(entries * sizeof *nvme->admin.cq));
	return memory_node(s, NODE_LOCAL, d->function->node, &node) &&
	       memory_make(s, &nvme->control, size, SMALL_PAGE, node) &&
	       vfio_map(s, d->iommu, nvme->control.at, nvme->control.size,
	                NVME_QUEUES_IOVA) &&
	       nvme_enable(s, nvme) && nvme_read_identity(s, nvme, nsid) &&
	       nvme_ask_for_pairs(s, nvme) &&
	       nvme_create_pairs(s, nvme, (uint32_t)entries);
}

void
nvme_close(struct nvme *nvme)
{
	if (nvme->bar && nvme->admin.sq) {
		nvme_write32(nvme, CC, CC_EN_DEFAULTS | CC_SHN_NORMAL);
		nvme_wait_state(nvme, CSTS_SHUTDOWN, CSTS_DONE,
		                max_u64(nvme->caps.timeout_ns,
		                        nvme->controller.shutdown_ns));
		nvme_stop(nvme);
	}
	mmio_unmap(nvme->bar);
	if (nvme->control.at && nvme->engine->iommu)
		vfio_unmap(nvme->engine->iommu, nvme->control.size,
		           NVME_QUEUES_IOVA);
	memory_free(&nvme->control);
}
