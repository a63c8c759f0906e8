/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small files of /proc and /sys, where they are, and what is in them. */
#ifndef PCB_COMMON_SYS_SYSFS_H
#define PCB_COMMON_SYS_SYSFS_H

#include "common/base/util.h"

#include <glob.h>
#include <sys/types.h>

/* The directory that contains /sys, /proc and /dev: --root ----------------- */

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
 * As open(2) with O_CLOEXEC, for files to write to: it waits for nobody who
 * reads a FIFO; below another root it follows no symbolic link that leads out
 * of it (EXDEV).
 */
int root_open(const char *path, int flags);

/* Files -------------------------------------------------------------------- */

/*
 * As open(2) for reading, with O_CLOEXEC; refuses FIFOs and devices (EINVAL),
 * which a copy of sysfs could contain, and which might block.
 */
int open_file(const char *path);

/* Closes a descriptor above 0; keeps errno. */
void close_file(int fd);

/* Reads so many bytes at an offset. False with errno, ENODATA at the end. */
bool read_at(const char *path, void *to, size_t size, off_t at);

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
 * The whole text of the file with the formatted name, perhaps a FIFO, or the
 * first line of one that is none, without its newline; NULL, with errno, if it
 * cannot be read. Dies if memory or descriptors are out. Free it.
 */
char *read_whole(const char *fmt, ...) PRINTF_LIKE(1, 2);
char *read_first_line(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* The number in such a file, or `otherwise`; dies as they do. */
uint64_t read_number(uint64_t otherwise, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* The place of a file's first word in the list, or n; `name` is in `path`. */
size_t read_word(const char *path, const char *name, const char *const word[],
                 size_t n);

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

/* Lists and names ---------------------------------------------------------- */

/* CPUs in the order of the text; free the array. */
struct cpulist {
	unsigned *cpu;
	size_t n;
};

/*
 * Parses a list in the kernel's notation, "0-3,8". False if the text is none,
 * "" or NULL; the list is empty then.
 */
bool cpulist_parse(const char *text, struct cpulist *list);

/*
 * The next error of a text such as aer_dev_correctable, "BadTLP 3\n", and how
 * many the kernel counted; false after the last. *rest moves along, and blanks
 * become NULs. Leaves totals out.
 */
bool aer_next(char **rest, char **name, uint64_t *count);

/*
 * The name for the column `unit` of the PMU in the first `length` bytes:
 * without "uncore_" and the underscore before its number, such as "cha12",
 * "iio3", "amd_df". Free it.
 */
char *pmu_unit(const char *pmu, size_t length);

#endif
