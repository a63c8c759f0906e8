/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files of /proc and /sys. */
#ifndef PCB_COMMON_SYS_SYSFS_H
#define PCB_COMMON_SYS_SYSFS_H

#include "common/base/util.h"

#include <glob.h>

/* Whether a path is in a sysfs of the kernel, and not in a copy of one. */
bool is_sysfs(const char *path);

/* Whether an errno says that memory or descriptors have run out. */
bool is_short(int error);

/*
 * Dies if errno says that memory or descriptors have run out when `what` was
 * opened: that something is not there is an answer, that is none.
 */
void die_if_short(const char *what);

/*
 * Lets this process have as many files open as it may: the limit that most
 * have, 1024, is below the devices of a large machine.
 */
void allow_files(void);

/*
 * Adds the files whose names match the formatted pattern of glob(3): none
 * where a directory cannot be read; dies where memory or descriptors have run
 * out. Zero-initialise; release with globfree().
 */
void find_files(glob_t *found, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * The first line of the file whose name is formatted, without its newline;
 * NULL, with errno, if it cannot be read; dies where memory or descriptors
 * have run out. Free with free().
 */
char *read_first_line(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * The last component of what a symbolic link points to, such as the name of
 * a driver; NULL if there is none; dies without memory. Free with free().
 */
char *read_link_name(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * Writes one line, which may be empty, into the file whose name is formatted;
 * what it held is gone. False with errno.
 */
bool write_line(const char *line, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
