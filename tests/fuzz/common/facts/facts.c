/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts with facts: each is about a function, has a value, and is found. */
#include "common/facts/facts.h"
#include "common/facts/paste.h"
#include "fuzz/target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	FILE *text = size ? fmemopen((void *)bytes, size, "r") : NULL;
	struct facts facts = {0};
	struct paste *paste;
	char *line;

	if (!text)
		return 0;
	paste = paste_begin(text);
	while ((line = paste_next(paste)))
		facts_take(&facts, line, paste->column);
	paste_end(paste);
	fclose(text);
	facts_sort(&facts);
	for (size_t i = 0; i < facts.n; i++) {
		const struct fact *f = &facts.item[i], *first;
		char bdf[BDF_MAX];

		/* Some sources have names of devices: gpu0, card1. */
		must(parse_bdf(f->bdf, bdf) ? !strcmp(f->bdf, bdf)
		                            : *f->bdf && !strchr(f->bdf, ':') &&
		                                  f->source != FROM_LOG &&
		                                  f->source != FROM_LSPCI);
		must(f->kind < NFACTS && f->source < NSOURCES && *f->value);
		first = facts_find(&facts, f->bdf, f->kind);
		while (first && first != f)
			first = facts_next(&facts, first);
		must(first == f);
	}
	facts_free(&facts);
	return 0;
}
