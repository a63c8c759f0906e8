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
 * Sets the name of a GPU to the address of its first function, from the
 * domain, bus and device. A number that is too large is left out.
 */
void gpu_set(struct gpu_names *names, size_t number, unsigned domain,
             unsigned bus, unsigned device);

/*
 * The name of the GPU whose number the word of the current line is: its
 * address, or "gpu3" where no line has told that. It lasts until the next call.
 * Dies where the word is no number below GPUS_MAX.
 */
const char *gpu_name(const struct text *t, struct gpu_names *names,
                     const char *word);

#endif
