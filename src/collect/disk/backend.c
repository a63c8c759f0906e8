/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads of an NVMe drive in service: nothing is unbound, nothing written. */
#include "collect/core/backend.h"
#include "collect/disk/disk.h"
#include "collect/host/cpu.h"
#include "collect/host/describe.h"
#include "collect/host/queue.h"
#include "collect/pci/device.h"
#include "common/base/intmath.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYS root_path("/sys")

#define NVME_CLASS    UINT32_C(0x0108)
#define VIRTIO_VENDOR 0x1af4

/* The part of the traffic from which others are named. */
#define WORTH_SAYING 0.01

struct disk {
	struct pci_tree *tree;
	const struct pci_function *function;
	struct disk_place place;
	char *file;
	int fd, stat;          /* of the file, and of its drive's counters */
	uint64_t block, split; /* bytes: of a block, of the largest request */
	const char *kind;
	struct host host;
	struct dma_buffer buffer;
	struct ring ring;
	struct queue queue;
	uint64_t depth, at; /* at: where the part that is read begins */
	bool counts;        /* the kernel counts the requests */
	/* Of all runs. */
	struct disk_count all;
	uint64_t ours, reads;   /* bytes, reads */
	struct disk_count last; /* after the last run */
	uint64_t broken;        /* silences with traffic of others */
};

static const struct backend_option options[] = {
    DMA_BUFFER_OPTION_PAGES,
    {"depth", "32", "outstanding reads for bandwidth"},
    {"interface", "io_uring",
     "io_uring, io_uring-spin, io_uring-poll or preadv2"},
    {NULL, NULL, NULL},
};

static const struct option_column columns[] = {
    {"depth", "queue_depth", BENCH_BIT(BW_WR), NULL},
    {NULL, NULL, 0, NULL},
};

/* Reads ------------------------------------------------------------------- */

/*
 * Reads are twice their size apart on the drive: the kernel would merge
 * neighbours that are outstanding.
 */
#define APART 2

static void
disk_put(struct session *s, uint32_t slot, uint64_t unit)
{
	struct disk *d = s->state;
	uint64_t size = d->buffer.point.size;

	ring_put(&d->ring, slot,
	         d->buffer.memory.at + dma_buffer_at(&d->buffer, unit),
	         (uint32_t)size, d->at + APART * unit * size);
}

static bool
disk_submit(struct session *s)
{
	struct disk *d = s->state;

	return ring_submit(s, &d->ring);
}

static bool
disk_is_done(struct session *s)
{
	struct disk *d = s->state;

	return ring_is_done(&d->ring);
}

static bool
disk_take(struct session *s, uint32_t *slot)
{
	struct disk *d = s->state;
	int result = ring_take(&d->ring, slot);

	return result == (int)d->buffer.point.size ||
	       fail(s, STATUS_TROUBLE, "%s: a read of %ju bytes: %s", d->file,
	            (uintmax_t)d->buffer.point.size,
	            result < 0 ? strerror(-result) : "fewer came");
}

/* Without `look`: the kernel itself gives up a read that takes too long. */
static const struct queue_type disk_queue = {.put = disk_put,
                                             .submit = disk_submit,
                                             .is_done = disk_is_done,
                                             .take = disk_take,
                                             .sleeps = true};

/* A session --------------------------------------------------------------- */

#define BENCHES (BENCH_BIT(BW_WR) | BENCH_BIT(LAT_NVME))

/* The file of a controller's disk if it has only one, or NULL. Free it. */
static char *
file_of(const struct pci_function *f)
{
	glob_t found = {0};
	char *file = NULL;

	find_files(&found, "%s/nvme/nvme*/nvme*[0-9]n*[0-9]", f->path);
	if (found.gl_pathc == 1)
		file = xasprintf("%s%s", root_path("/dev"),
		                 strrchr(found.gl_pathv[0], '/'));
	globfree(&found);
	return file;
}

/* Only drives; only those whose disk this user may read can be measured. */
static void
disk_probe(const struct request *request, struct findings *list)
{
	const struct pci_tree *tree = probe_tree();

	(void)request;
	for (size_t i = 0; tree && i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		struct finding *found;
		char *file;

		if (f->class_code >> 16 != NVME_CLASS ||
		    strcmp(f->driver, "nvme") != 0)
			continue;
		found = function_found(list, "disk", f);
		file = file_of(f);
		if (!file)
			text_set(&found->why_not, "no single disk");
		else if (access(file, R_OK))
			text_set(&found->why_not, "%s: %s", file,
			         strerror(errno));
		else
			found->benches = BENCHES;
		if (!found->benches)
			text_set(&found->remedy,
			         "-d disk:FILE names a file on it");
		free(file);
	}
}

static bool
disk_read_options(struct session *s, struct disk *d)
{
	size_t way;

	if (!option_integer(s, options, "depth", 1, DISK_DEPTH_MAX,
	                    &d->depth) ||
	    !option_word(s, options, "interface", disk_ways, NWAYS, &way))
		return false;
	d->ring.way = (enum disk_way)way;
	if (!s->request->bench->totals)
		d->depth = 1;
	return d->ring.way != WAY_PREADV2 || d->depth == 1 ||
	       option_refuse(s, options, "interface",
	                     "it has one read at a time: -O depth=1");
}

/* Opens the file; its owner's does not note the time of access. */
static bool
open_file_of(struct session *s, struct disk *d)
{
	int flags = O_RDONLY | O_DIRECT | O_CLOEXEC;

	d->fd = open(d->file, flags | O_NOATIME);
	if (d->fd < 0 && errno == EPERM)
		d->fd = open(d->file, flags);
	return d->fd >= 0 ||
	       fail(s, STATUS_ABSENT, "%s: %s%s", d->file, strerror(errno),
	            errno == EACCES ? ": a file on the drive that you may read "
	                              "will do: -d disk:FILE"
	            : errno == EINVAL ? ": its file system has no direct reads"
	                              : "");
}

static uint64_t
queue_setting(const struct disk *d, const char *name)
{
	return read_number(0, "%s/block/%s/queue/%s", SYS, d->place.disk, name);
}

/* The file that -d names, or that of the disk of the controller it names. */
static bool
find_file(struct session *s, struct disk *d)
{
	const char *device = s->request->device;
	const struct pci_function *f;
	char bdf[BDF_MAX];

	d->tree = function_tree(s);
	if (!d->tree)
		return false;
	if (!device || !parse_bdf(device, bdf)) {
		d->file = device ? xstrdup(device) : NULL;
		return device ||
		       fail(s, STATUS_TROUBLE,
		            "-d disk: name a file on the drive, or the drive, "
		            "as in disk:/dev/nvme0n1");
	}
	f = function_find(s, d->tree, bdf);
	d->file = f ? file_of(f) : NULL;
	return d->file || (f && fail(s, STATUS_ABSENT,
	                             "%s: it has no single disk: name one, as "
	                             "in disk:/dev/nvme0n2",
	                             bdf));
}

static bool
open_drive(struct session *s, struct disk *d)
{
	const struct pci_function *f;

	if (!find_file(s, d) || !disk_find(s, SYS, d->file, &d->place))
		return false;
	d->function = f = function_find(s, d->tree, d->place.bdf);
	if (!f)
		return false;
	if (f->class_code >> 16 != NVME_CLASS && f->vendor_id != VIRTIO_VENDOR)
		return fail(s, STATUS_ABSENT,
		            "%s: %s is no drive on PCI Express: it shares the "
		            "link of %s",
		            d->file, d->place.disk, f->bdf);
	if (d->ring.way == WAY_POLL && !queue_setting(d, "io_poll"))
		return fail(s, STATUS_ABSENT,
		            "%s: the driver of %s has no queue to poll: "
		            "parameter nvme.poll_queues makes some",
		            d->file, d->place.disk);
	d->block = max_u64(512, queue_setting(d, "logical_block_size"));
	d->split = queue_setting(d, "max_sectors_kb") << 10;
	d->counts = queue_setting(d, "iostats");
	d->stat = open(d->place.stat, O_RDONLY | O_CLOEXEC);
	return open_file_of(s, d);
}

/*
 * Leaves this thread only CPUs that the drive interrupts: elsewhere each
 * completion takes another interrupt. Returns their list for the preamble.
 */
static char *
choose_cpus(const struct session *s, const struct disk *d)
{
	struct cpulist list = disk_cpus(d->function->bdf);
	char *text = NULL;
	cpu_set_t set;

	CPU_ZERO(&set);
	for (size_t i = 0; i < list.n; i++) {
		CPU_SET(list.cpu[i], &set);
		xappend(&text, ",", "%u", list.cpu[i]);
	}
	/* Where none of them is allowed, those allowed before stay so. */
	if (list.n && s->request->cpu < 0)
		sched_setaffinity(0, sizeof set, &set);
	free(list.cpu);
	return text;
}

/* What a silence may end. */
static void
describe_power(struct preamble *pre, const struct disk *d)
{
	glob_t found = {0};
	char *file, *text;

	find_files(&found, "%s/nvme/nvme*", d->function->path);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		file = xasprintf("%s%s", root_path("/dev"),
		                 strrchr(found.gl_pathv[i], '/'));
		text = disk_power(file);
		if (text)
			preamble_set(pre, "apst", "%s", text);
		free(text);
		free(file);
	}
	globfree(&found);
}

static bool
disk_open(struct session *s)
{
	struct disk *d = s->state;
	struct dma_buffer *b = &d->buffer;
	char *cpus;

	d->fd = d->stat = -1;
	if (!dma_buffer_open(s, b, options) || !disk_read_options(s, d) ||
	    !open_drive(s, d))
		return false;
	b->backend = "disk";
	b->writes = true;
	b->size_max = UINT64_MAX;
	b->home = d->function->node;
	d->queue = (struct queue){.type = &disk_queue,
	                          .buffer = b,
	                          .clock = &d->host.clock,
	                          .slots = (uint32_t)d->depth,
	                          .batch = UINT32_MAX};
	if (!ring_open(s, &d->ring, d->fd, (unsigned)d->depth,
	               settings_value(&s->request->options, "interface")))
		return false;
	host_describe(s->preamble);
	pci_describe_paths(s->preamble, d->tree, &d->function, 1);
	if (s->silent)
		describe_power(s->preamble, d);
	cpus = choose_cpus(s, d);
	preamble_set(s->preamble, "disk", "%s; interrupts on CPU %s",
	             d->place.path, cpus ? cpus : "unknown");
	free(cpus);
	if (!host_prepare(s, &d->host, b->home))
		return false;
	dma_buffer_warn_node(b, d->place.disk);
	d->kind = host_kind(d->tree->sysfs);
	host_begin(s, &d->host);
	return true;
}

static bool
disk_check(struct session *s, const struct point *point)
{
	struct disk *d = s->state;

	if (point->size % d->block || point->offset % d->block)
		return fail(s, STATUS_TROUBLE,
		            "a transfer of %ju bytes at offset %ju: both are "
		            "multiples of a block, %ju bytes",
		            (uintmax_t)point->size, (uintmax_t)point->offset,
		            (uintmax_t)d->block);
	if (d->split && point->size > d->split)
		return fail(s, STATUS_TROUBLE,
		            "a transfer of %ju bytes: the kernel splits reads "
		            "of %s above %ju",
		            (uintmax_t)point->size, d->place.disk,
		            (uintmax_t)d->split);
	return dma_buffer_check(s, &d->buffer, point) &&
	       dma_buffer_check_depth(s, point, d->depth);
}

static bool
disk_prove(struct session *s, struct disk *d)
{
	uint64_t byte;

	return queue_prove(s, &d->queue, &byte) &&
	       (byte == d->buffer.point.size ||
	        fail(s, STATUS_TROUBLE,
	             "%s: byte %ju of a read was not written to memory",
	             d->file, (uintmax_t)byte));
}

static bool
disk_prepare(struct session *s, const struct point *point)
{
	struct disk *d = s->state;
	char *iommu;

	if (!dma_buffer_prepare(s, &d->buffer, point) ||
	    !disk_extent(s, d->fd, d->file,
	                 APART * d->buffer.order.units * point->size, &d->at))
		return false;
	series_make(s, 1);
	pci_identify(s->series, d->kind, d->function);
	dma_buffer_identify(s->series, &d->buffer);
	series_set(s->series, ID_INTERFACE, "%s", disk_ways[d->ring.way]);
	iommu = host_iommu(d->function->bdf);
	series_set(s->series, ID_IOMMU, "%s", iommu);
	free(iommu);
	if (!disk_prove(s, d))
		return false;
	for (uint64_t i = 0; point->cache == CACHE_DEVICE_WARM &&
	                     i < d->buffer.order.units && !*s->interrupted;
	     i++) {
		disk_put(s, 0, i);
		if (!queue_finish(s, &d->queue))
			return false;
	}
	d->last = disk_count(d->stat);
	return true;
}

static bool
disk_run(struct session *s, uint64_t want)
{
	struct disk *d = s->state;
	struct disk_count n;
	uint64_t reads;

	/* The silence before the run counts, too. */
	if (!s->silent)
		d->last = disk_count(d->stat);
	if (!queue_run(s, &d->queue, want))
		return false;
	n = disk_since(&d->last, d->stat);
	d->last = disk_count(d->stat);
	reads = s->request->bench->totals && s->series->n ? s->series->raw[0]
	                                                  : s->series->n;
	if (!d->counts || s->warming)
		return true;
	if (!disk_judge(s, &n, reads, d->buffer.point.size, d->depth)) {
		s->series->n = 0;
		return false;
	}
	d->broken += n.bytes + n.written > reads * d->buffer.point.size;
	d->all.reads += n.reads;
	d->all.bytes += n.bytes + n.written;
	d->ours += reads * d->buffer.point.size;
	d->reads += reads;
	return true;
}

/* The temperature of the drive, and whether it is above its limit. */
static void
describe_heat(const struct disk *d, struct preamble *end)
{
	glob_t found = {0};

	find_files(&found, "%s/nvme/nvme*/hwmon*/temp1_input",
	           d->function->path);
	if (found.gl_pathc) {
		char *file = found.gl_pathv[0];
		uint64_t now = read_number(0, "%s", file), most;

		memcpy(strrchr(file, '_'), "_max", sizeof "_max");
		most = read_number(0, "%s", file);
		preamble_set(end, "temperature_c", "%.1f", (double)now / 1000);
		if (most && now > most)
			warn("%s: %.1f degrees, above its limit of %.1f: it "
			     "may have been slowed down",
			     d->place.disk, (double)now / 1000,
			     (double)most / 1000);
	}
	globfree(&found);
}

static void
disk_end(struct session *s, struct preamble *end)
{
	struct disk *d = s->state;
	double others =
	    d->all.bytes > d->ours
	        ? (double)(d->all.bytes - d->ours) / (double)d->all.bytes
	        : 0;

	if (d->reads) {
		preamble_set(end, "others_pct", "%.3f", 100 * others);
		preamble_set(end, "requests_per_read", "%.3f",
		             (double)d->all.reads / (double)d->reads);
	} else if (!d->counts) {
		warn("%s: the kernel does not count its requests "
		     "(queue/iostats): whether others used it is not known",
		     d->place.disk);
	}
	if (d->reads && s->silent) {
		preamble_set(end, "broken_silences", "%ju",
		             (uintmax_t)d->broken);
		if (d->broken)
			warn("%s: others used it in %ju of %ju silences, and "
			     "kept it awake",
			     d->place.disk, (uintmax_t)d->broken,
			     (uintmax_t)d->reads);
	} else if (others > WORTH_SAYING)
		warn("%s: %.1f %% of its traffic was not of this run",
		     d->place.disk, 100 * others);
	describe_heat(d, end);
	host_describe_end(&d->host, end);
	stops_warn(&d->queue.stops);
}

static void
disk_close(struct session *s)
{
	struct disk *d = s->state;

	ring_close(&d->ring);
	dma_buffer_close(&d->buffer);
	close_file(d->fd);
	close_file(d->stat);
	disk_place_free(&d->place);
	free(d->file);
	pci_tree_free(d->tree);
}

const struct backend disk_backend = {
    .name = "disk",
    .help = "reads of an NVMe drive in service, through the kernel",
    .state_size = sizeof(struct disk),
    .benches = BENCHES,
    .flags = BACKEND_BLOCKS,
    .defaults = {.count = 20000, .size = 4096, .window = UINT64_C(16) << 20},
    .options = options,
    .columns = columns,
    .probe = disk_probe,
    .open = disk_open,
    .check = disk_check,
    .prepare = disk_prepare,
    .run = disk_run,
    .end = disk_end,
    .close = disk_close,
};
