/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens foreign files; key columns of all rows. */
#include "import/import.h"

#include "common/stream/foreign.h"

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

const struct word *
find_beginning(const char *text, const struct word *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!strncmp(text, words[i].theirs, strlen(words[i].theirs)))
			return &words[i];
	}
	return NULL;
}
