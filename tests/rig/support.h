/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For unit tests of code that ends the process: runs it in a child. */
#ifndef PCB_TESTS_RIG_SUPPORT_H
#define PCB_TESTS_RIG_SUPPORT_H

#include "common/base/number.h"

#include <stddef.h>
#include <stdint.h>

/* A text that may hold NUL bytes; BYTES of a string literal. */
struct bytes {
	const char *text;
	size_t size;
};

#define BYTES(literal)                                                         \
	{                                                                      \
		(literal), sizeof(literal) - 1                                 \
	}

/* How a child ended, and its output, each with a NUL appended. */
struct ended {
	int status; /* exit status, or 128 + the signal */
	char *out;
	size_t out_size;
	char *err;
	size_t err_size;
};

/* The child's stdin: a file; one byte per read(); closed. */
enum feed { FEED_FILE, FEED_BYTES, FEED_NONE };

/*
 * Calls body(data) in a child with `in` as stdin, then exit(0). The child's
 * messages start with "t: ". body contains no assertions: it prints its results
 * on stdout. Release the result with ended_free.
 */
struct ended in_child(void (*body)(const void *data), const void *data,
                      struct bytes in, enum feed feed);
void ended_free(struct ended *e);

/* Fails the test and prints all three unless the child ended like this. */
void assert_ended(const struct ended *e, int status, const char *out,
                  const char *err);

/* Calls body(data) in a child, with an empty stdin, which must end like this.
 */
void assert_child(void (*body)(const void *data), const void *data, int status,
                  const char *out, const char *err);

/*
 * cmocka fixtures, for a group or a test: an empty working directory, removed
 * with its contents afterwards.
 */
int enter_scratch(void **state);
int leave_scratch(void **state);

/* Makes a file in the working directory. */
void write_file(const char *name, struct bytes content);

/* The same, with the directories above it. */
void write_below(const char *path, struct bytes content);
void write_text(const char *path, const char *text);

/* A percentage that must be valid. */
struct fraction percent(const char *text);

/* n repetitions; a quarter of them under sanitizers, which take five times. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define REPEATS(n) ((n) / 4)
#else
#define REPEATS(n) (n)
#endif

/* The next of a fixed sequence of random numbers (splitmix64). */
uint64_t random_u64(uint64_t *seed);

#endif
