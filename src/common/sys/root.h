/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory that contains /sys, /proc and /dev: --root. */
#ifndef PCB_COMMON_SYS_ROOT_H
#define PCB_COMMON_SYS_ROOT_H

/* Sets the directory, at first "/"; the text must outlive the program's use. */
void root_set(const char *directory);

/* The same, as `set` of an option: why the text is wrong, or NULL. */
const char *root_option(void *to, const char *directory);

/*
 * The path of a file of the kernel, such as "/sys/bus/pci", below the directory
 * of root_set. The text is valid until exit; each path is stored once. Not
 * thread-safe.
 */
const char *root_path(const char *path);

/*
 * The end of `path`: a path of root_path without the root, such as
 * "/sys/bus/pci"; any other path whole.
 */
const char *root_relative(const char *path);

/*
 * As open(2) with O_CLOEXEC, for files to write to: below another root it
 * follows no symbolic link that leads out of it (EXDEV).
 */
int root_open(const char *path, int flags);

#endif
