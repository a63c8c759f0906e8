/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory below which /sys, /proc and /dev are: --root. */
#ifndef PCB_COMMON_SYS_ROOT_H
#define PCB_COMMON_SYS_ROOT_H

/* Sets the directory, which must stay as it is in memory; "/" at first. */
void root_set(const char *directory);

/*
 * Where a file of the kernel, such as "/sys/bus/pci", is: the path itself, or
 * that below the directory of root_set. The text lives as long as the program;
 * each path is kept once. Not for threads.
 */
const char *root_path(const char *path);

/*
 * A path of root_path without the root, such as "/sys/bus/pci"; any other as
 * it is. It ends with `path`.
 */
const char *root_relative(const char *path);

/*
 * As open(2), with O_CLOEXEC, for files that are written to: below another
 * root no symbolic link leads out of it (EXDEV).
 */
int root_open(const char *path, int flags);

#endif
