/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Device registers that disappear while they are read and written. */
#include "collect/pci/bar.h"
#include "rig/cmocka.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE  4096
#define WORDS (PAGE / sizeof(uint32_t))

/* Two pages of zeros. As with VFIO, the mapping stays while all else goes. */
static int
open_bar(void)
{
	int fd = memfd_create("bar", MFD_CLOEXEC);

	assert_int_equal(ftruncate(fd, (off_t)2 * PAGE), 0);
	return fd;
}

TEST(a_page_that_is_gone_reads_all_ones)
{
	int fd = open_bar();
	volatile uint32_t *bar = mmio_map(fd, 0, (size_t)2 * PAGE, true);

	assert_non_null(bar);
	bar[0] = 17;
	bar[WORDS] = 18;
	assert_false(mmio_lost());
	assert_int_equal(ftruncate(fd, PAGE), 0);
	bar[2 * WORDS - 1] = 19;
	assert_true(mmio_lost());
	assert_int_equal(bar[WORDS], UINT32_MAX);
	assert_int_equal(bar[2 * WORDS - 2], UINT32_MAX);
	assert_int_equal(bar[0], 17);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(bar[WORDS - 1], UINT32_MAX);
	mmio_unmap(bar);
	close(fd);
}

/* How a read of unmapped memory or unmapped registers ends. */
static int
end_of(bool unmapped)
{
	int fd = open_bar(), status = -1;
	volatile uint32_t *bar = mmio_map(fd, 0, PAGE, false);
	pid_t child;

	assert_non_null(bar);
	child = fork();
	if (!child) {
		if (unmapped)
			mmio_unmap(bar);
		bar = mmap(unmapped ? (void *)(uintptr_t)bar : NULL, PAGE,
		           PROT_READ, MAP_SHARED, fd, 0);
		if (ftruncate(fd, 0))
			_exit(1);
		_exit(bar[1] == UINT32_MAX ? 2 : 3);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	mmio_unmap(bar);
	close(fd);
	return status;
}

TEST(other_memory_that_is_gone_ends_the_program)
{
	assert_int_equal(WTERMSIG(end_of(false)), SIGBUS);
	assert_int_equal(WTERMSIG(end_of(true)), SIGBUS);
}

TEST(what_cannot_be_mapped)
{
	assert_null(mmio_map(-1, 0, PAGE, false));
	mmio_unmap(NULL);
}
