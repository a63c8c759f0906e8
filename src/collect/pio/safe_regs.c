/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the table of registers without side effects. */
#include "collect/pio/safe_regs.h"

#include "common/base/list.h"
#include "common/stream/columns.h"
#include "common/stream/table.h"
#include "common/sys/datadir.h"

#include <stdlib.h>
#include <string.h>

/* The column's hexadecimal digits, at most `most`; *n is their number. */
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

static struct reg_addr
read_addr(const struct table *t)
{
	const char *text = need_text(t, "register");
	struct reg_addr addr;
	const char *why = reg_addr_parse(text, &addr);

	if (!why && addr.bar == CONFIG_SPACE)
		why = "not a register of a BAR";
	if (why)
		table_refuse(t, need_column(t, "register"), why);
	return addr;
}

static struct safe_reg
read_row(const struct table *t)
{
	struct safe_reg r = {.addr = read_addr(t)};
	size_t n;

	r.class_code = read_digits(t, "class", 6, &n);
	r.class_shift = 24 - 4 * (unsigned)n;
	r.vendor = read_digits(t, "vendor", 4, &n);
	r.any_vendor = !n;
	r.device = read_digits(t, "device", 4, &n);
	r.any_device = !n;
	return r;
}

struct safe_regs
safe_regs_read(void)
{
	char *file = share_find("registers", "mmio");
	struct safe_regs regs = {0};
	struct table *t;

	if (!file)
		return regs;
	t = table_open(&file, 1);
	while (table_next(t)) {
		array_push(regs.item, regs.n, read_row(t));
	}
	table_close(t);
	free(file);
	return regs;
}

void
safe_regs_free(struct safe_regs *regs)
{
	free(regs->item);
	*regs = (struct safe_regs){0};
}

static bool
fits(const struct safe_reg *r, const struct pci_function *f)
{
	/* Class codes have 24 bits, above the revision. */
	return f->class_code >> 8 >> r->class_shift == r->class_code &&
	       (r->any_vendor || (f->id & 0xffff) == r->vendor) &&
	       (r->any_device || f->id >> 16 == r->device);
}

const struct reg_addr *
safe_regs_find(const struct safe_regs *regs, const struct pci_function *f)
{
	for (size_t i = 0; i < regs->n; i++) {
		if (fits(&regs->item[i], f))
			return &regs->item[i].addr;
	}
	return NULL;
}
