/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For fuzz targets of code that exits when it refuses its input: exit returns
 * to the target, and stdin is a memory file.
 */
#ifndef PCB_TESTS_FUZZ_ENDING_H
#define PCB_TESTS_FUZZ_ENDING_H

#include "common/base/util.h"
#include "fuzz/target.h"
#include "rig/exit.h"

#include <sanitizer/allocator_interface.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <unistd.h>

/* The last stream opened, as glibc keeps them. */
extern FILE *_IO_list_all; /* NOLINT(bugprone-reserved-identifier) */

/*
 * Blocks allocated while is_reading and not freed; the stream that was the last
 * one, and the next descriptor.
 */
static struct {
	void *block[1 << 16];
	size_t n;
	FILE *stream;
	int fd;
} kept;

static void
keep(const volatile void *block, size_t size)
{
	if (!is_reading)
		return;
	if (kept.n == ARRAY_LEN(kept.block))
		abort();
	kept.block[kept.n++] = (void *)(uintptr_t)block;
}

static void
keep_not(const volatile void *block)
{
	for (size_t i = kept.n; i--;) {
		if (kept.block[i] == block) {
			kept.block[i] = kept.block[--kept.n];
			return;
		}
	}
}

/* Frees and closes what an exit would have, after an input is refused: 0. */
static inline int
free_as_exit(void)
{
	is_reading = false;
	while (_IO_list_all != kept.stream) {
		__fpurge(_IO_list_all);
		if (fclose(_IO_list_all))
			abort();
	}
	while (kept.n)
		free(kept.block[kept.n - 1]);
	if (close_range((unsigned)kept.fd, ~0U, 0))
		abort();
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

/*
 * Messages of the reader would hide the fuzzer's. The first one loads the
 * locale, which stays.
 */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	stderr = fopen("/dev/null", "w");
	if (!stderr || setvbuf(stderr, NULL, _IONBF, 0))
		abort();
	warn("\xc3\xa9");
	if (!__sanitizer_install_malloc_and_free_hooks(keep, keep_not))
		abort();
	return 0;
}

/* Makes the bytes available on stdin; forgets kept blocks. */
static void
set_stdin(const void *bytes, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size ||
	    lseek(fd, 0, SEEK_SET) || dup2(fd, STDIN_FILENO) < 0)
		abort();
	close(fd);
	kept.n = 0;
	kept.stream = _IO_list_all;
	kept.fd = fd;
}

#endif
