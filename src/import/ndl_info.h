/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metadata of a result of wult's ndl. */
#ifndef PCB_IMPORT_NDL_INFO_H
#define PCB_IMPORT_NDL_INFO_H

#include <stdio.h>

/* Free the texts with ndl_info_free; NULL: missing. */
struct ndl_info {
	char *tool;
	char *version;
	char *report;
};

/*
 * Reads `toolname`, `toolver` and `reportid` from an info.yml: lines of `key:
 * value`, the value plain or quoted. Ignores the rest of YAML and values with
 * control characters.
 */
void ndl_info_read(FILE *f, struct ndl_info *info);

void ndl_info_free(struct ndl_info *info);

#endif
