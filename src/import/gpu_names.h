/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of GPUs by their number in an output. */
#ifndef PCB_IMPORT_GPU_NAMES_H
#define PCB_IMPORT_GPU_NAMES_H

#include "import/text.h"

#define GPUS_MAX     256
#define GPU_NAME_MAX 32

/* Zero-initialise. */
struct gpu_names {
	char name[GPUS_MAX][GPU_NAME_MAX];
};

/*
 * Sets the name of a GPU to the address of its first function. Ignores a number
 * that is too large.
 */
void gpu_set(struct gpu_names *names, size_t number, unsigned domain,
             unsigned bus, unsigned device);

/*
 * Parses hexadecimal numbers separated by colons or points, as in "0000:3b:00",
 * at the start of the text. Returns how many, at most n, there are.
 */
size_t hex_numbers(const char *text, unsigned value[], size_t n);

/* Whether the text starts with a decimal number; stores it. */
bool leading_number(const char *text, size_t *value);

/*
 * The name of the GPU whose number is `word` of the current line: its address,
 * or "gpu3" if that is unknown. It is valid until the next call. Dies unless
 * the word is a number below GPUS_MAX.
 */
const char *gpu_name(const struct text *t, struct gpu_names *names,
                     const char *word);

#endif
