/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that come with the programs: data, not code. */
#ifndef PCB_COMMON_SYS_DATADIR_H
#define PCB_COMMON_SYS_DATADIR_H

/*
 * The file of a thing of some kind, such as "nic" or "sim": `name` itself if
 * it has a '/' or ends in ".csv", else KIND/NAME.csv of the share/ beside the
 * program's own directory, or of the one that was to be installed. NULL if
 * there is none of that name. The former is used only if nobody may write to
 * it but root, the user, and who owns the program, else there is a warning.
 * Dies where others may write to the file itself. Free it.
 */
char *share_find(const char *kind, const char *name);

/*
 * Lists those of a kind on stdout: their names, and what the first line of
 * each file, a comment, says. Dies where there is no directory of them.
 */
void share_list(const char *kind);

/* Prints the names of that kind, a line each with `prefix` before it. */
void share_names(const char *kind, const char *prefix);

/*
 * The end of a message about a name that share_find has not found: the names of
 * that kind that are near, as nearest_hint has them, or "".
 */
const char *share_hint(const char *kind, const char *name);

#endif
