/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that people have of a machine: what they show of it, and results. */
#ifndef PCB_DOCTOR_INPUT_H
#define PCB_DOCTOR_INPUT_H

#include "common/pci/tree.h"
#include "doctor/names.h"

/* Release with input_free, but for the tree. */
struct input {
	char *names;           /* of the files that show the machine */
	const char *most;      /* the one that shows most functions */
	struct pci_tree *tree; /* of all of these; NULL without */
	char **rows, **named;  /* files with rows of results, and their names */
	size_t n;              /* of them */
	struct gpu_names gpus; /* of results */
};

/*
 * Reads n files ("-" is standard input): what shows functions, as
 * pci_tree_read_dump does, and results of all programs that pcb-import reads,
 * both from one file if both are there; `results` false: no results. Ends the
 * program if a file shows neither, or if two are of two machines.
 */
struct input input_read(char *const file[], size_t n, unsigned state,
                        bool results);
void input_free(struct input *in);

#endif
