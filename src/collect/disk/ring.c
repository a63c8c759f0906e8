/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io_uring(7) by its system calls: the two that are needed here. */
#include "collect/disk/disk.h"
#include "common/sys/sysfs.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *const disk_ways[NWAYS] = {
    [WAY_IO_URING] = "io_uring",
    [WAY_SPIN] = "io_uring-spin",
    [WAY_POLL] = "io_uring-poll",
    [WAY_PREADV2] = "preadv2",
};

/* Maps a part of the ring; NULL with errno. */
static void *
map_part(const struct ring *r, size_t size, off_t part)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                MAP_SHARED | MAP_POPULATE, r->fd, part);

	if (at == MAP_FAILED)
		at = NULL;
	return at;
}

static bool
ring_map(struct ring *r, const struct io_uring_params *p)
{
	r->sq_size = p->sq_off.array + p->sq_entries * sizeof(unsigned);
	r->cq_size = p->cq_off.cqes + p->cq_entries * sizeof *r->cqe;
	r->sqe_size = p->sq_entries * sizeof *r->sqe;
	r->sq = map_part(r, r->sq_size, IORING_OFF_SQ_RING);
	r->cq = map_part(r, r->cq_size, IORING_OFF_CQ_RING);
	r->sqe = map_part(r, r->sqe_size, IORING_OFF_SQES);
	if (!r->sq || !r->cq || !r->sqe)
		return false;
	r->sq_tail = (void *)(r->sq + p->sq_off.tail);
	r->sq_array = (void *)(r->sq + p->sq_off.array);
	r->cq_head = (void *)(r->cq + p->cq_off.head);
	r->cq_tail = (void *)(r->cq + p->cq_off.tail);
	r->cqe = (void *)(r->cq + p->cq_off.cqes);
	r->sq_mask = p->sq_entries - 1;
	r->cq_mask = p->cq_entries - 1;
	return true;
}

bool
ring_open(struct session *s, struct ring *r, int file, unsigned depth,
          bool given)
{
	struct io_uring_params p = {
	    .flags = r->way == WAY_POLL ? IORING_SETUP_IOPOLL : 0};
	bool forbidden;

	r->file = file;
	if (r->way == WAY_PREADV2)
		return true;
	r->fd = (int)syscall(SYS_io_uring_setup, depth, &p);
	forbidden = r->fd < 0 && (errno == EPERM || errno == ENOSYS);
	if (forbidden && !given && depth == 1) {
		r->fd = 0;
		r->way = WAY_PREADV2;
		return true;
	}
	if (r->fd < 0)
		return fail(s, STATUS_ABSENT, "io_uring_setup(2): %s%s",
		            strerror(errno),
		            forbidden ? ": sysctl kernel.io_uring_disabled or "
		                        "a container forbids it: -O "
		                        "interface=preadv2 -O depth=1 does "
		                        "without"
		                      : "");
	return ring_map(r, &p) ||
	       fail(s, STATUS_TROUBLE, "io_uring: mmap: %s", strerror(errno));
}

void
ring_put(struct ring *r, uint32_t slot, void *to, uint32_t size, uint64_t at)
{
	unsigned entry = r->tail & r->sq_mask;

	if (r->way == WAY_PREADV2) {
		r->one = (struct iovec){to, size};
		r->at = at;
		r->ready = 1;
		return;
	}
	r->sqe[entry] = (struct io_uring_sqe){.opcode = IORING_OP_READ,
	                                      .fd = r->file,
	                                      .addr = (uintptr_t)to,
	                                      .len = size,
	                                      .off = at,
	                                      .user_data = slot};
	r->sq_array[entry] = entry;
	r->tail++;
	r->ready++;
}

/* Submits what is ready, and waits for a read to end if the way sleeps. */
static bool
enter(struct ring *r)
{
	bool waits = r->way != WAY_SPIN;
	long n;

	__atomic_store_n(r->sq_tail, r->tail, __ATOMIC_RELEASE);
	n = syscall(SYS_io_uring_enter, r->fd, r->ready, waits,
	            waits ? IORING_ENTER_GETEVENTS : 0, NULL, 0);
	if (n > 0)
		r->ready -= (unsigned)n;
	return n >= 0 || errno == EINTR;
}

bool
ring_submit(struct session *s, struct ring *r)
{
	if (r->way == WAY_PREADV2) {
		ssize_t n = preadv2(r->file, &r->one, 1, (off_t)r->at, 0);

		r->result = n < 0 ? -errno : (int)n;
		r->ready = 0;
		return true;
	}
	return enter(r) || fail(s, STATUS_TROUBLE, "io_uring_enter(2): %s",
	                        strerror(errno));
}

static bool
has_completion(const struct ring *r)
{
	return *r->cq_head != __atomic_load_n(r->cq_tail, __ATOMIC_ACQUIRE);
}

bool
ring_is_done(struct ring *r)
{
	if (r->way == WAY_PREADV2)
		return !r->ready;
	if (r->error || has_completion(r))
		return true;
	if ((r->way != WAY_SPIN || r->ready) && !enter(r))
		r->error = errno;
	return r->error || has_completion(r);
}

int
ring_take(struct ring *r, uint32_t *slot)
{
	unsigned head;
	int result;

	*slot = 0;
	if (r->error)
		return -r->error;
	if (r->way == WAY_PREADV2)
		return r->result;
	head = *r->cq_head;
	*slot = (uint32_t)r->cqe[head & r->cq_mask].user_data;
	result = r->cqe[head & r->cq_mask].res;
	__atomic_store_n(r->cq_head, head + 1, __ATOMIC_RELEASE);
	return result;
}

void
ring_close(struct ring *r)
{
	if (r->sq)
		munmap(r->sq, r->sq_size);
	if (r->cq)
		munmap(r->cq, r->cq_size);
	if (r->sqe)
		munmap(r->sqe, r->sqe_size);
	close_file(r->fd);
}
