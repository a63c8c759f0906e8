/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells of foreign files, and key columns of all rows. */
#include "import/import.h"

#include "common/base/number.h"
#include "common/stream/columns.h"
#include "common/stream/foreign.h"

#include <math.h>

static const char *const identity[] = {
    "host",         "run",
    "kind",         "bench",
    "device",       "link",
    "interface",    "size_bytes",
    "offset_bytes", "device_offset_bytes",
    "window_bytes", "pattern",
    "cache",        "node",
    "iommu",        "page_bytes",
};

void
add_labels(struct job *job)
{
	for (size_t i = 0; i < job->labels.n; i++)
		result_column(&job->result, job->labels.label[i].name);
}

void
add_common_identity(struct job *job)
{
	for (size_t i = 0; i < 6; i++)
		result_column(&job->result, identity[i]);
}

void
add_identity(struct job *job)
{
	for (size_t i = 0; i < ARRAY_LEN(identity); i++)
		result_column(&job->result, identity[i]);
	add_labels(job);
}

void
begin_file(struct job *job, const char *kind)
{
	result_clear(&job->result);
	result_text(&job->result, "run", "1");
	result_text(&job->result, "kind", kind);
}

struct table *
open_csv(char *const files[], size_t nfiles)
{
	struct table *t = table_open(files, nfiles);

	t->verbatim = true;
	t->read_foreign = foreign_record_read;
	return t;
}

void
cell_die(const struct table *t, const char *name, const char *why)
{
	table_refuse(t, need_column(t, name), why);
}

double
cell_number(const struct table *t, const char *name)
{
	return table_number(t, need_column(t, name));
}

uint64_t
cell_integer(const struct table *t, const char *name)
{
	double value = cell_number(t, name);

	if (value < 0 || value > 0x1p53 || value != floor(value))
		cell_die(t, name, "not a whole number from 0 to 2^53");
	return (uint64_t)value;
}

const char *
cell_word(const struct table *t, const char *name, const struct word *words,
          size_t nwords)
{
	const char *text = need_text(t, name);

	for (size_t i = 0; i < nwords; i++) {
		if (!strcmp(text, words[i].theirs))
			return words[i].ours;
	}
	cell_die(t, name, "unknown");
}
