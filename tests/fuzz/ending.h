/*
 * For fuzz targets of code that ends the process where it refuses its input:
 * there exit comes back, and stdin is a memory file.
 */
#ifndef PCB_TESTS_FUZZ_ENDING_H
#define PCB_TESTS_FUZZ_ENDING_H

#include <dlfcn.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static jmp_buf refused;
static bool is_reading;

/* This one is called for the C library's, which is called for the rest. */
_Noreturn void
exit(int status)
{
	union {
		void *object;
		void (*function)(int);
	} real;

	if (is_reading)
		longjmp(refused, 1);
	real.object = dlsym(RTLD_NEXT, "exit");
	real.function(status);
	abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Messages of the reader would hide those of the fuzzer. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	stderr = fopen("/dev/null", "w");
	if (!stderr)
		abort();
	return 0;
}

/* Makes the bytes what a read of stdin gives. */
static void
set_stdin(const void *bytes, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size ||
	    lseek(fd, 0, SEEK_SET) || dup2(fd, STDIN_FILENO) < 0)
		abort();
	close(fd);
}

#endif
