/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds an instruction by name and width. */
#include "collect/host/store.h"

#include "common/base/util.h"

#include <string.h>

const struct store *
store_find(const char *name)
{
	for (const struct store *const *s = stores; *s; s++) {
		if (!strcmp((*s)->name, name))
			return *s;
	}
	return NULL;
}

static bool
has(const struct store *store, size_t i, bool writes)
{
	return writes ? store->write[i] != NULL : store->read[i] != NULL;
}

size_t
store_width(const struct store *store, uint64_t size, bool writes)
{
	for (size_t i = STORE_WIDTHS; i--;) {
		if (has(store, i, writes) && size && size % (4u << i) == 0)
			return i;
	}
	return STORE_WIDTHS;
}

/* Whether it writes and reads 4 bytes, and so all multiples of 4. */
static bool
takes_all(const struct store *store)
{
	return store_width(store, 4, true) == 0 &&
	       store_width(store, 4, false) == 0;
}

const struct store *
store_default(void)
{
	const struct store *widest = stores[0];

	for (const struct store *const *s = stores; *s; s++) {
		if (takes_all(*s) && (*s)->is_there())
			widest = *s;
	}
	return widest;
}

char *
store_names(void)
{
	char *text = NULL;

	for (const struct store *const *s = stores; *s; s++)
		xappend(&text, ", ", "%s", (*s)->name);
	return text;
}
