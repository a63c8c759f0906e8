/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns that the command line sets: -l NAME=VALUE. */
#ifndef PCB_COMMON_CLI_LABELS_H
#define PCB_COMMON_CLI_LABELS_H

#include <stddef.h>

/* Zero-initialise. Names are unique, in the order of their first use. */
struct labels {
	struct label {
		char *name;
		const char *value; /* points into the text given */
	} * label;
	size_t n;
};

/*
 * Adds "NAME=VALUE"; replaces an older value of that name. It is a usage error
 * if the text is no label, the name is a value column, or the kind is unknown.
 */
void labels_add(struct labels *labels, const char *text);

/* The value of a name, or NULL. */
const char *labels_value(const struct labels *labels, const char *name);

void labels_free(struct labels *labels);

#endif
