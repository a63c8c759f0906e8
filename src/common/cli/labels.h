/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns that the command line sets to one value: -l NAME=VALUE. */
#ifndef PCB_COMMON_CLI_LABELS_H
#define PCB_COMMON_CLI_LABELS_H

#include <stddef.h>

/* Zero-initialise; names are unique, in the order they were first given. */
struct labels {
	struct label {
		char *name;
		const char *value; /* in the text given */
	} * label;
	size_t n;
};

/*
 * Adds "NAME=VALUE", in place of an older value of that name. A text that is
 * not a label, the name of a measure and an unknown kind are usage errors.
 */
void labels_add(struct labels *labels, const char *text);

/* The value of a name, or NULL. */
const char *labels_value(const struct labels *labels, const char *name);

void labels_free(struct labels *labels);

#endif
