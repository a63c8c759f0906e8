/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and opens files of BARs, and explains refusals. */
#include "collect/pci/bar.h"

#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <pci/header.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/* Flags of a resource, linux/ioport.h. */
#define IORESOURCE_MEM      0x200
#define IORESOURCE_PREFETCH 0x2000

/* A line has start, end and flags, all zero if there is no BAR. */
void
bars_read(const struct pci_function *f, struct bar bars[BARS])
{
	char *text = read_whole("%s/resource", f->path), *rest = text;

	if (!text)
		die_if_short(f->path);
	memset(bars, 0, BARS * sizeof *bars);
	for (struct bar *bar = bars; rest && bar < bars + BARS; bar++) {
		uint64_t start = strtoull(rest, &rest, 16);
		uint64_t end = strtoull(rest, &rest, 16);
		uint64_t flags = strtoull(rest, &rest, 16);

		if (end)
			*bar = (struct bar){.start = start,
			                    .size = end - start + 1,
			                    .memory = flags & IORESOURCE_MEM,
			                    .prefetchable =
			                        flags & IORESOURCE_PREFETCH};
	}
	free(text);
}

int
bar_open(const struct pci_function *f, int bar, const char *suffix, int flags)
{
	char *path = xasprintf("%s/resource%d%s", f->path, bar, suffix);
	int fd = root_open(path, flags | O_SYNC);

	free(path);
	return fd;
}

bool
bar_memory_is_on(const struct pci_function *f)
{
	char *path = xasprintf("%s/config", f->path);
	unsigned char command;
	bool on = !f->id || f->id == UINT32_MAX ||
	          (read_at(path, &command, 1, PCI_COMMAND) &&
	           command & PCI_COMMAND_MEMORY);

	free(path);
	return on;
}

bool
bar_check_memory(struct session *s, const struct pci_function *f, int bar)
{
	return bar_memory_is_on(f) ||
	       fail(s, STATUS_ABSENT,
	            "%s: BAR%d: the device's memory is off until a "
	            "driver, or root by 1 in %s/enable, "
	            "turns it on",
	            f->bdf, bar, f->path);
}

bool
kernel_is_locked_down(void)
{
	char *state =
	    read_first_line("%s", root_path("/sys/kernel/security/lockdown"));
	bool locked = state && !strstr(state, "[none]");

	free(state);
	return locked;
}

bool
bar_refused(struct session *s, const struct pci_function *f, int bar)
{
	int error = errno;
	struct bar bars[BARS];

	bars_read(f, bars);
	if (error == ENOENT && !bars[bar].size)
		return fail(s, STATUS_ABSENT, "%s has no BAR%d", f->bdf, bar);
	if (error == ENOENT)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: this kernel has no file that maps it "
		            "(%s/resource%d)",
		            f->bdf, bar, f->path, bar);
	if (error == EPERM && kernel_is_locked_down())
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: the kernel is locked down: boot "
		            "without Secure Boot or lockdown=",
		            f->bdf, bar);
	/* The file above needs securityfs. */
	if (error == EPERM && !geteuid())
		return fail(
		    s, STATUS_ABSENT,
		    "%s: BAR%d: the kernel lets no program map it, as one "
		    "that is locked down (kernel_lockdown(7)), or the "
		    "capability CAP_SYS_RAWIO is missing",
		    f->bdf, bar);
	if (error == EACCES)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: only root can read it", f->bdf, bar);
	if (error == ENODEV)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d has I/O ports, not memory", f->bdf, bar);
	if (error == EINVAL && *f->driver)
		return fail(s, STATUS_ABSENT,
		            "%s: BAR%d: the kernel keeps it for the driver "
		            "%s: boot with iomem=relaxed, or unbind the driver",
		            f->bdf, bar, f->driver);
	return fail(s, STATUS_ABSENT, "%s: BAR%d: %s", f->bdf, bar,
	            strerror(error));
}

/* Maps --------------------------------------------------------------------- */

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
	struct mapping *m;
	size_t within;
	void *map;

	page = (size_t)sysconf(_SC_PAGESIZE);
	within = (size_t)at % page;
	map = mmap(NULL, size + within, protection, MAP_SHARED, fd,
	           at - (off_t)within);
	if (map == MAP_FAILED)
		return NULL;
	sigaction(SIGBUS, &action, NULL);
	m = xmalloc(sizeof *m);
	m->at = map;
	atomic_init(&m->size, size + within);
	m->next = atomic_load(&mappings);
	atomic_store(&mappings, m);
	return m->at + within;
}

void
mmio_unmap(const volatile void *map)
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
