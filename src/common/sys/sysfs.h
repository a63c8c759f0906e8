/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files of /proc and /sys. */
#ifndef PCB_COMMON_SYS_SYSFS_H
#define PCB_COMMON_SYS_SYSFS_H

#include "common/base/util.h"

#include <glob.h>

/* Whether a path is in a mounted sysfs and not in a copy of one. */
bool is_sysfs(const char *path);

/* Whether an errno means that memory or descriptors are out. */
bool is_short(int error);

/*
 * Dies if errno means that memory or descriptors were out when `what` was
 * opened: then nothing is known about the file, not even that it is missing.
 */
void die_if_short(const char *what);

/*
 * Raises the limit of open files as far as allowed: the usual 1024 is less than
 * the devices of a large machine.
 */
void allow_files(void);

/*
 * Appends the files that match the formatted glob(3) pattern; none if a
 * directory cannot be read. Dies if memory or descriptors are out.
 * Zero-initialise; release with globfree().
 */
void find_files(glob_t *found, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * The first line of the file with the formatted name, without its newline;
 * NULL, with errno, if it cannot be read. Dies if memory or descriptors are
 * out. Free it.
 */
char *read_first_line(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * The last component of a symbolic link's target, such as the name of a driver;
 * NULL if there is none. Dies if memory is out. Free it.
 */
char *read_link_name(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * Replaces the contents of the file with the formatted name by a line, which
 * may be empty. False with errno.
 */
bool write_line(const char *line, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
