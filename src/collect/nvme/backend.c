/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NVMe commands whose data moves to or from a buffer. */
#include "collect/core/point.h"
#include "collect/nvme/nvme.h"

#include "common/base/intmath.h"
#include "common/base/number.h"

#define NVME_CLASS UINT32_C(0x010802)
#define LOG_MAX    512 /* most bytes of the log page */

#define BANDWIDTH (BENCH_BIT(BW_RD) | BENCH_BIT(BW_WR))

static const struct backend_option options[] = {
    VFIO_OPTION_CLAIM,
    DMA_BUFFER_OPTION_PAGES,
    {"namespace", "1", "number of the namespace"},
    {"blocks", "all", "FIRST:LAST of the blocks that are read or written"},
    {"write", "no", "yes: bw_rd may overwrite the blocks named"},
    {"pairs", "1", "queue pairs for bandwidth benches"},
    {"depth", "32", "outstanding commands on each pair"},
    {"command", "log", "for lat_nvme: log (Get Log Page) or read"},
    {NULL, NULL, NULL},
};

static const struct option_column columns[] = {
    {"pairs", "queue_pairs", BANDWIDTH, NULL},
    {"depth", "queue_depth", BANDWIDTH, NULL},
    {NULL, NULL, 0, NULL},
};

static bool
nvme_is_nvme(const struct pci_function *f)
{
	return f->class_code >> 8 == NVME_CLASS;
}

static const struct vfio_engine_type nvme_type = {.backend = "nvme",
                                                  .options = options,
                                                  .what = "an NVMe controller",
                                                  .matches = nvme_is_nvme,
                                                  .queue = &nvme_queue_type,
                                                  .iova = NVME_BUFFER_IOVA,
                                                  .iova_bytes =
                                                      NVME_BUFFER_ROOM};

static void
nvme_probe(const struct request *request, struct findings *list)
{
	(void)request;
	vfio_engine_probe(&nvme_type, BANDWIDTH | BENCH_BIT(LAT_NVME), list);
}

static bool
nvme_read_number(struct session *s, const char *option, uint64_t most,
                 uint32_t *value)
{
	uint64_t number = 0;
	bool ok = option_integer(s, options, option, 1, most, &number);

	*value = (uint32_t)number;
	return ok;
}

/* Parses "FIRST:LAST"; the size of "all" is unknown until the namespace is. */
static bool
nvme_read_blocks(struct session *s, struct nvme_work *work)
{
	const char *text = option_value(s->request, options, "blocks");
	size_t length = strcspn(text, ":");
	const char *why;
	char *first;

	if (!strcmp(text, "all"))
		return true;
	first = xstrdup(text);
	first[length] = '\0';
	why = text[length] ? parse_integer(first, &work->first)
	                   : "not FIRST:LAST or all";
	if (!why)
		why = parse_integer(text + length + 1, &work->last);
	if (!why && work->first > work->last)
		why = "the first block is after the last";
	free(first);
	return !why || option_refuse(s, options, "blocks", why);
}

/* Requires the user's consent before blocks are overwritten. */
static bool
nvme_may_write(struct session *s)
{
	const char *blocks = option_value(s->request, options, "blocks");
	bool allowed;

	if (!option_either(s, options, "write", "yes", "no", &allowed))
		return false;
	if (s->request->bench->id != BW_RD)
		return true;
	if (!allowed)
		return fail(s, STATUS_ABSENT,
		            "bw_rd makes the controller write to the disk: -O "
		            "write=yes -O blocks=FIRST:LAST lets it overwrite "
		            "those blocks, and their data is lost");
	return strcmp(blocks, "all") != 0 ||
	       fail(s, STATUS_TROUBLE,
	            "-O write=yes: name the blocks that may be overwritten: "
	            "-O blocks=FIRST:LAST");
}

static bool
nvme_read_options(struct session *s, struct nvme_work *work)
{
	bool latency = s->request->bench->id == LAT_NVME;

	if (!option_either(s, options, "command", "log", "read", &work->logs))
		return false;
	work->logs = work->logs && latency;
	work->opcode = work->logs                       ? NVME_GET_LOG_PAGE
	               : s->request->bench->id == BW_RD ? NVME_WRITE
	                                                : NVME_READ;
	if (!latency && settings_value(&s->request->options, "command"))
		return option_refuse(s, options, "command",
		                     "only for lat_nvme");
	return nvme_may_write(s) && nvme_read_blocks(s, work) &&
	       nvme_read_number(s, "namespace", UINT32_MAX - 1, &work->nsid) &&
	       nvme_read_number(s, "pairs", NVME_PAIRS_MAX, &work->pairs) &&
	       nvme_read_number(s, "depth", NVME_DEPTH_MAX, &work->depth);
}

static bool
nvme_backend_open(struct session *s)
{
	struct nvme_work *work = s->state;
	const struct nvme_namespace *ns = &work->nvme.ns;
	bool one = s->request->bench->id == LAT_NVME;
	const char *blocks = option_value(s->request, options, "blocks");

	work->nvme.engine = &work->engine;
	if (!nvme_read_options(s, work) ||
	    !vfio_engine_open(s, &work->engine, &nvme_type) ||
	    !nvme_open(s, &work->nvme, work->nsid, one ? 1 : work->pairs,
	               one ? 1 : work->depth))
		return false;
	work->engine.queue.slots = work->pairs * work->depth;
	if (!strcmp(blocks, "all"))
		work->last = ns->blocks - 1;
	preamble_set(s->preamble, "nvme",
	             "%s, firmware %s; namespace %u: %ju blocks of %u bytes; "
	             "blocks %ju:%ju",
	             work->nvme.controller.model,
	             work->nvme.controller.firmware, work->nsid,
	             (uintmax_t)ns->blocks, ns->block_size,
	             (uintmax_t)work->first, (uintmax_t)work->last);
	return work->last < ns->blocks ||
	       fail(s, STATUS_ABSENT,
	            "-O blocks=%s: namespace %u has the blocks 0:%ju", blocks,
	            work->nsid, (uintmax_t)ns->blocks - 1);
}

static bool
nvme_check(struct session *s, const struct point *point)
{
	struct nvme_work *work = s->state;
	uint32_t block = work->nvme.ns.block_size;
	uint64_t most =
	    min_u64(work->nvme.controller.max_transfer, NVME_TRANSFER_MAX);
	uint64_t size = point->size, offset = point->offset;

	if (work->logs && (size > LOG_MAX || size % 4 || offset % 4))
		return fail(s, STATUS_TROUBLE,
		            "a transfer of %ju bytes at offset %ju: Get Log "
		            "Page takes up to %d bytes, size and offset "
		            "multiples of 4",
		            (uintmax_t)size, (uintmax_t)offset, LOG_MAX);
	if (!work->logs && (size % block || offset % 4))
		return fail(s, STATUS_TROUBLE,
		            "a transfer of %ju bytes at offset %ju: sizes are "
		            "multiples of a block, %u bytes, and offsets of 4",
		            (uintmax_t)size, (uintmax_t)offset, block);
	if (!work->logs && size > most)
		return fail(s, STATUS_TROUBLE,
		            "a transfer of %ju bytes: this controller supports "
		            "at most %ju",
		            (uintmax_t)size, (uintmax_t)most);
	if (!work->logs && size / block - 1 > work->last - work->first)
		return fail(s, STATUS_TROUBLE,
		            "-O blocks=%s: %ju bytes are more than that",
		            option_value(s->request, options, "blocks"),
		            (uintmax_t)size);
	return dma_buffer_check(s, &work->engine.buffer, point) &&
	       (!s->request->bench->totals ||
	        dma_buffer_check_depth(s, point,
	                               (uint64_t)work->pairs * work->depth));
}

static bool
nvme_prepare(struct session *s, const struct point *point)
{
	struct nvme_work *work = s->state;

	work->blocks = (uint32_t)(point->size / work->nvme.ns.block_size);
	return vfio_engine_prepare(s, &work->engine, point,
	                           work->logs ? "admin" : "command") &&
	       nvme_make_prp_lists(s, work) && nvme_prove(s, work);
}

static void
nvme_backend_close(struct session *s)
{
	struct nvme_work *work = s->state;

	nvme_close(&work->nvme);
	nvme_free_prp_lists(work);
	vfio_engine_close(&work->engine);
}

const struct backend nvme_backend = {
    .name = "nvme",
    .help = "commands to an NVMe controller, by a driver in user space",
    .state_size = sizeof(struct nvme_work),
    .benches = BANDWIDTH | BENCH_BIT(LAT_NVME),
    .flags = BACKEND_BDF,
    .defaults = {.size = 4096, .window = UINT64_C(16) << 20},
    .options = options,
    .columns = columns,
    .probe = nvme_probe,
    .open = nvme_backend_open,
    .check = nvme_check,
    .prepare = nvme_prepare,
    .run = vfio_engine_run,
    .end = vfio_engine_end,
    .close = nvme_backend_close,
};
