/*
 * For fuzz targets of the reader: it reads stdin and ends the process where
 * it refuses its input. Here stdin is a memory file, and exit comes back.
 */
#ifndef PCB_TESTS_FUZZ_READER_H
#define PCB_TESTS_FUZZ_READER_H

#include <dlfcn.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/table.h"

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

/*
 * Reads stdin, through libcsv alone if `slow`, and calls each_row(t, data)
 * for every row; NULL if the input was refused. Close the table with
 * table_close.
 */
static struct table *
read_stdin(bool slow, void (*each_row)(const struct table *t, void *data),
           void *data)
{
	struct table *volatile t = table_open(NULL, 0);

	t->slow = slow;
	is_reading = true;
	if (!setjmp(refused)) {
		while (table_next(t))
			each_row(t, data);
		is_reading = false;
		return t;
	}
	is_reading = false;
	table_close(t);
	return NULL;
}

#endif
