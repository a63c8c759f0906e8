/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a result of wult's ndl says about itself. */
#ifndef PCB_IMPORT_NDL_INFO_H
#define PCB_IMPORT_NDL_INFO_H

#include <stdio.h>

/* Texts to be freed with ndl_info_free; NULL where nothing is said. */
struct ndl_info {
	char *tool;
	char *version;
	char *report;
};

/*
 * Reads `toolname`, `toolver` and `reportid` from an info.yml: lines of
 * `key: value`, the value plain or between quotes. Of YAML it takes no more;
 * other lines, and values with control characters, are left out.
 */
void ndl_info_read(FILE *f, struct ndl_info *info);

void ndl_info_free(struct ndl_info *info);

#endif
