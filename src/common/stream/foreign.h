/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV of other programs, read by libcsv. Programs that use it link that. */
#ifndef PCB_COMMON_STREAM_FOREIGN_H
#define PCB_COMMON_STREAM_FOREIGN_H

#include "common/stream/record.h"

/*
 * As record_read, for input that is no stream of ours: the next record, of any
 * number of lines. False at the end of the input. Dies if it is no CSV; of two
 * faults in a record, its message may name the other one than record_read's.
 */
bool foreign_record_read(struct record *rec, struct lines *in, char separator);

/*
 * The fields of a line, without the blanks around them. A quote in a wrong
 * place is part of its field.
 */
void foreign_line_read(struct record *rec, const char *line, char separator);

#endif
