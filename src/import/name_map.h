/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of NAME=VALUE,... from the command line. */
#ifndef PCB_IMPORT_NAME_MAP_H
#define PCB_IMPORT_NAME_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise; names are unique. */
struct pairs {
	struct pair {
		char *name;
		char *value;
		bool used; /* set by pairs_use */
	} * pair;
	size_t n;
};

/*
 * Adds NAME=VALUE,... as given to `option`. The value is what follows the
 * last '='. Without one, and for a name that is there already or empty, it
 * ends the program as a usage error.
 */
void pairs_add(struct pairs *pairs, const char *option, const char *list);

/* The value of a name, which is marked as used, or NULL. */
const char *pairs_use(struct pairs *pairs, const char *name);

/* The first name that was never used, or NULL. */
const char *pairs_unused(const struct pairs *pairs);

void pairs_free(struct pairs *pairs);

#endif
