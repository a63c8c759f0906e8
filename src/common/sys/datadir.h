/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that come with the programs: data, and the other programs. */
#ifndef PCB_COMMON_SYS_DATADIR_H
#define PCB_COMMON_SYS_DATADIR_H

/*
 * The path of a data file of a kind such as "nic" or "sim": `name` itself if it
 * has a '/' or ends in ".csv", else KIND/NAME.csv in the share/ next to the
 * program's directory, or in the installed one. NULL if there is none; free it.
 * Warns and ignores the former if anybody but root, the user and the program's
 * owner can write to it. Dies if others can write to the file itself.
 */
char *share_find(const char *kind, const char *name);

/*
 * Lists the files of a kind on stdout: name, and the comment in the first line.
 * Dies if the kind has no directory.
 */
void share_list(const char *kind);

/* Prints the names of a kind, one per line, each after `prefix`. */
void share_names(const char *kind, const char *prefix);

/*
 * The end of a message about a name that share_find has not found: names that
 * are near, as by nearest_hint, or "".
 */
const char *share_hint(const char *kind, const char *name);

/*
 * The path of a program such as "pcb-stats" in the directory of the running
 * one; only its name, for execvp, if it is not there. Free it.
 */
char *sibling_program(const char *name);

#endif
