/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What results call their GPUs, against those that the machine has. */
#ifndef PCB_DOCTOR_NAMES_H
#define PCB_DOCTOR_NAMES_H

#include "common/machine/machine.h"

/* "gpu0" of a result; release each by names_free. */
struct gpu_name {
	unsigned number;
	char name[64];
	const char *file;
};

struct gpu_names {
	struct gpu_name *item;
	size_t n;
};

/* Adds those that a text of results names; `file` must outlive them. */
void names_read(struct gpu_names *names, FILE *text, const char *file);

/*
 * Ends the program if a result is of another GPU than the machine has, or
 * another result, or counts GPUs in another order than that of buses.
 */
void names_check(const struct gpu_names *names, const struct machine *m);

void names_free(struct gpu_names *names);

#endif
