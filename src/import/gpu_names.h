/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the numbers of GPUs in an output stand for. */
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
 * Sets the name of a GPU to the address of its first function. A number that is
 * too large is left out.
 */
void gpu_set(struct gpu_names *names, size_t number, unsigned domain,
             unsigned bus, unsigned device);

/*
 * Reads hexadecimal numbers with a colon or point between them, as in
 * "0000:3b:00", from the beginning of the text. Returns how many of n there
 * are.
 */
size_t hex_numbers(const char *text, unsigned value[], size_t n);

/* Whether the text begins with a decimal number, which is stored. */
bool leading_number(const char *text, size_t *value);

/*
 * The name of the GPU whose number the word of the current line is: its
 * address, or "gpu3" where no line has told that. It lasts until the next call.
 * Dies where the word is no number below GPUS_MAX.
 */
const char *gpu_name(const struct text *t, struct gpu_names *names,
                     const char *word);

#endif
