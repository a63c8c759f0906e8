/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps device memory; survives the device's removal (SIGBUS). */
#include "collect/pci/mmio_map.h"

#include "common/base/util.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Never freed: a signal handler of another thread may be at it in the list. */
struct mapping {
	unsigned char *at;
	atomic_size_t size;
	struct mapping *next;
};

static _Atomic(struct mapping *) mappings;
static atomic_bool lost;
static size_t page;

static struct mapping *
find(uintptr_t address)
{
	struct mapping *m = atomic_load(&mappings);

	while (m && address - (uintptr_t)m->at >= atomic_load(&m->size))
		m = m->next;
	return m;
}

/* Replaces the page; uses only system calls, as it handles a signal. */
static void
on_bus_error(int number, siginfo_t *info, void *context)
{
	const uintptr_t address = (uintptr_t)info->si_addr;
	const struct mapping *m = find(address);
	int error = errno;
	unsigned char *at =
	    m ? m->at + (address - (uintptr_t)m->at) / page * page : NULL;

	(void)context;
	if (m && mmap(at, page, PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
	              0) != MAP_FAILED) {
		memset(at, 0xff, page);
		atomic_store(&lost, true);
	} else {
		/* The retried access raises the signal again. */
		signal(number, SIG_DFL);
	}
	errno = error;
}

volatile void *
mmio_map(int fd, off_t at, size_t size, bool writable)
{
	struct sigaction action = {.sa_sigaction = on_bus_error,
	                           .sa_flags = SA_SIGINFO};
	int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
	void *map = mmap(NULL, size, protection, MAP_SHARED, fd, at);
	struct mapping *m;

	if (map == MAP_FAILED)
		return NULL;
	page = (size_t)sysconf(_SC_PAGESIZE);
	sigaction(SIGBUS, &action, NULL);
	m = xmalloc(sizeof *m);
	m->at = map;
	atomic_init(&m->size, size);
	m->next = atomic_load(&mappings);
	atomic_store(&mappings, m);
	return map;
}

void
mmio_unmap(volatile void *map)
{
	struct mapping *m = find((uintptr_t)map);

	if (map && m)
		munmap(m->at, atomic_exchange(&m->size, 0));
}

bool
mmio_lost(void)
{
	return atomic_load(&lost);
}
