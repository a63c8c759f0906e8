/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The extents of a file, and what the kernel counts of its disk. */
#include "collect/disk/disk.h"

#include "common/base/intmath.h"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <math.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The part of a count from which a bench is refused. */
#define TOO_MUCH 0.05

/* The kernel counts in sectors of this many bytes. */
#define SECTOR 512

#define OTHERWISE                                                              \
	(FIEMAP_EXTENT_UNWRITTEN | FIEMAP_EXTENT_ENCODED |                     \
	 FIEMAP_EXTENT_DATA_ENCRYPTED | FIEMAP_EXTENT_UNKNOWN |                \
	 FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_NOT_ALIGNED)

/* The part of a file that is the longest so far, and the one that grows. */
struct part {
	uint64_t at, size;
};

/* Adds an extent; returns where the next one begins if there is no hole. */
static uint64_t
extend(struct part *growing, struct part *longest,
       const struct fiemap_extent *e)
{
	if (e->fe_flags & OTHERWISE)
		growing->size = 0;
	else if (growing->size && growing->at + growing->size == e->fe_logical)
		growing->size += e->fe_length;
	else
		*growing = (struct part){e->fe_logical, e->fe_length};
	if (growing->size > longest->size)
		*longest = *growing;
	return e->fe_logical + e->fe_length;
}

bool
disk_extent(struct session *s, int fd, const char *file, uint64_t least,
            uint64_t *at)
{
	enum { EXTENTS = 128 };
	struct fiemap *map =
	    xmalloc(sizeof *map + EXTENTS * sizeof map->fm_extents[0]);
	struct part longest = {0}, growing = {0};
	struct stat st = {0};
	uint64_t from = 0;
	bool ended = fstat(fd, &st) || S_ISBLK(st.st_mode);

	if (S_ISBLK(st.st_mode) && ioctl(fd, BLKGETSIZE64, &longest.size))
		longest.size = 0;
	while (!ended) {
		*map = (struct fiemap){.fm_start = from,
		                       .fm_length = FIEMAP_MAX_OFFSET - from,
		                       .fm_flags = FIEMAP_FLAG_SYNC,
		                       .fm_extent_count = EXTENTS};
		ended =
		    ioctl(fd, FS_IOC_FIEMAP, map) || !map->fm_mapped_extents;
		for (unsigned i = 0; !ended && i < map->fm_mapped_extents;
		     i++) {
			from = extend(&growing, &longest, &map->fm_extents[i]);
			if (map->fm_extents[i].fe_flags & FIEMAP_EXTENT_LAST)
				ended = true;
		}
	}
	free(map);
	if (S_ISREG(st.st_mode))
		longest.size =
		    min_u64(longest.size, (uint64_t)st.st_size - longest.at);
	*at = longest.at;
	return longest.size >= least ||
	       fail(s, STATUS_ABSENT,
	            "%s: %ju bytes in a row are on the drive as they read "
	            "(the rest are holes, reserved, compressed or "
	            "encrypted), %ju are needed: use a smaller -w, or a file "
	            "that has been written",
	            file, (uintmax_t)longest.size, (uintmax_t)least);
}

struct disk_count
disk_count(int fd)
{
	char text[256] = "";
	unsigned long long v[7] = {0};
	char *next = text;

	if (pread(fd, text, sizeof text - 1, 0) <= 0)
		return (struct disk_count){0};
	for (size_t i = 0; i < ARRAY_LEN(v); i++)
		v[i] = strtoull(next, &next, 10);
	return (struct disk_count){v[0], v[1], v[2] * SECTOR, v[6] * SECTOR};
}

struct disk_count
disk_since(const struct disk_count *before, int fd)
{
	struct disk_count now = disk_count(fd);

	return (struct disk_count){
	    now.reads - before->reads, now.merged - before->merged,
	    now.bytes - before->bytes, now.written - before->written};
}

bool
disk_judge(struct session *s, const struct disk_count *n, uint64_t reads,
           uint64_t size, uint64_t depth)
{
	double slack = TOO_MUCH * (double)reads + (double)depth;
	double bytes = (double)(reads * size), requests = (double)n->reads;
	/* A request reads a sector or more. */
	double others = fmax((double)n->bytes - bytes, 0) / SECTOR;
	double most = (double)reads + slack + others;

	if ((double)n->bytes < bytes - slack * (double)size)
		return fail(s, STATUS_TROUBLE,
		            "%s: the drive has read %ju of these %.0f bytes: "
		            "the rest came from elsewhere",
		            s->request->device, (uintmax_t)n->bytes, bytes);
	if ((double)n->merged > slack + others || requests > most)
		return fail(s, STATUS_TROUBLE,
		            "%s: the kernel made %.2f requests of each read of "
		            "%ju bytes, because it %s",
		            s->request->device, requests / (double)reads,
		            (uintmax_t)size,
		            requests > most ? "splits them: use a smaller -s"
		                            : "merges neighbours");
	return true;
}
