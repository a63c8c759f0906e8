/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV of other programs, read by libcsv. Programs that use it link that. */
#ifndef PCB_COMMON_STREAM_FOREIGN_H
#define PCB_COMMON_STREAM_FOREIGN_H

#include "common/stream/record.h"

/*
 * Reads the next record of a CSV file that another program wrote; a record may
 * have several lines. Returns false at the end of the input. Ends the program
 * if the input is not CSV. If a record has two faults, this function and
 * record_read may report different ones.
 */
bool foreign_record_read(struct record *rec, struct lines *in, char separator);

/*
 * The fields of a line, without the blanks around them. A quote in a wrong
 * place is part of its field.
 */
void foreign_line_read(struct record *rec, const char *line, char separator);

#endif
