/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/pio/safe_regs.h"

#include "common/stream/columns.h"
#include "common/sys/datadir.h"

#include <stdlib.h>
#include <string.h>

/* The column's hexadecimal digits, at most so many; sets how many there are. */
static uint32_t
read_digits(const struct table *t, const char *column, size_t most, size_t *n)
{
	const char *text = need_text(t, column);

	*n = strspn(text, "0123456789abcdef");
	if (text[*n] || *n > most)
		table_die(t, need_column(t, column),
		          "'%s': not %zu hexadecimal digits", text, most);
	return *n ? (uint32_t)strtoul(text, NULL, 16) : 0;
}

static struct place
read_place(const struct table *t)
{
	const char *text = need_text(t, "register");
	struct place place;
	const char *why = place_parse(text, &place);

	if (!why && place.bar == CONFIG_SPACE)
		why = "not a register of a BAR";
	if (why)
		table_refuse(t, need_column(t, "register"), why);
	return place;
}

static struct known_register
read_row(const struct table *t)
{
	struct known_register r = {.place = read_place(t)};
	size_t n;

	r.class_code = read_digits(t, "class", 6, &n);
	r.class_shift = 24 - 4 * (unsigned)n;
	r.vendor = read_digits(t, "vendor", 4, &n);
	r.any_vendor = !n;
	r.device = read_digits(t, "device", 4, &n);
	r.any_device = !n;
	return r;
}

struct known
known_read(void)
{
	char *file = share_find("registers", "mmio");
	struct known known = {0};
	struct table *t;

	if (!file)
		return known;
	t = table_open(&file, 1);
	while (table_next(t)) {
		known.item =
		    xreallocarray(known.item, known.n + 1, sizeof *known.item);
		known.item[known.n++] = read_row(t);
	}
	table_close(t);
	free(file);
	return known;
}

void
known_free(struct known *known)
{
	free(known->item);
	*known = (struct known){0};
}

static bool
fits(const struct known_register *r, const struct pci_function *f)
{
	/* Above the revision, class codes have 24 bits. */
	return f->class_code >> 8 >> r->class_shift == r->class_code &&
	       (r->any_vendor || (f->id & 0xffff) == r->vendor) &&
	       (r->any_device || f->id >> 16 == r->device);
}

const struct place *
known_find(const struct known *known, const struct pci_function *f)
{
	for (size_t i = 0; i < known->n; i++) {
		if (fits(&known->item[i], f))
			return &known->item[i].place;
	}
	return NULL;
}
