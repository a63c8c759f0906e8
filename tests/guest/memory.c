/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes memory of a device through mmap of its file.
 *
 * usage: memory read FILE SIZE >BYTES
 *        memory write FILE <BYTES
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST 65536

static volatile uint64_t *
map(const char *file, int flags, int protection)
{
	int fd = open(file, flags | O_SYNC | O_CLOEXEC);
	void *at = fd < 0 ? MAP_FAILED
	                  : mmap(NULL, MOST, protection, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		err(1, "%s", file);
	return at;
}

int
main(int argc, char *argv[])
{
	static uint64_t bytes[MOST / sizeof(uint64_t)];
	volatile uint64_t *at;
	size_t n;

	if (argc == 4 && !strcmp(argv[1], "read")) {
		at = map(argv[2], O_RDONLY, PROT_READ);
		n = strtoul(argv[3], NULL, 10) / sizeof *bytes;
		for (size_t i = 0; i < n && i < MOST / sizeof *bytes; i++)
			bytes[i] = at[i];
		return fwrite(bytes, sizeof *bytes, n, stdout) != n;
	}
	if (argc != 3 || strcmp(argv[1], "write") != 0)
		errx(2, "usage: memory read FILE SIZE | memory write FILE");
	n = fread(bytes, sizeof *bytes, MOST / sizeof *bytes, stdin);
	at = map(argv[2], O_RDWR, PROT_READ | PROT_WRITE);
	for (size_t i = 0; i < n; i++)
		at[i] = bytes[i];
	return 0;
}
