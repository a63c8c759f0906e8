/* One record as fields: by libcsv, or quicker where it is plain. */
#ifndef PCB_COMMON_RECORD_H
#define PCB_COMMON_RECORD_H

#include "common/lines.h"

#include <csv.h>

/*
 * The fields of the record read last: texts one after the other, each with
 * its NUL. Most rows begin as the row before and differ in their last field,
 * so only what differs is split and copied.
 */
struct record {
	size_t n;     /* fields */
	size_t first; /* so many of them are as in the record before */

	char *text;
	size_t used, size;
	size_t *start; /* of each field in text */
	size_t max;
	bool done;
	struct csv_parser csv;

	bool plain;   /* text is the line, with NULs for commas */
	char *prefix; /* what the next line is expected to begin with: */
	size_t length, prefix_size; /* the raw bytes of the first `first` */
};

/* Call once, on a zeroed record. */
void record_init(struct record *rec);
void record_free(struct record *rec);

static inline const char *
record_field(const struct record *rec, size_t i)
{
	return rec->text + rec->start[i];
}

/*
 * Parses the record that begins with `line`, reading further lines while a
 * quote is open. Dies of whatever is no CSV, and with `whole` of a last line
 * without LF.
 */
void record_read(struct record *rec, struct lines *in, const char *line,
                 size_t length, bool whole);

/*
 * Takes a line of n fields without quotes. False for any other line, and for
 * wrong ones: record_read sees to those. Tells in `first` how many fields it
 * had no need to look at or found to be as before; the fields from *changed
 * on have been written.
 */
bool record_read_plain(struct record *rec, const char *line, size_t length,
                       size_t n, size_t *changed);

#endif
