/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who uses a controller's disk, on a system that is played here. */
#include "collect/vfio/disks_in_use.h"

#include "common/base/util.h"
#include "common/sys/root.h"
#include "rig/pci.h"
#include "rig/support.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define BDF "0000:03:00.0"

/* What a process has open. */
static struct {
	const char *opened;
	bool is_char;
	int error; /* of who wants the disk for himself */
} fake;

/* These take the place of the C library's. */

int
open(const char *path, int flags, ...)
{
	errno = fake.error;
	if (fake.error && flags & O_EXCL)
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
}

/* The file 2 of the process 77 is a device. */
int
statx(int directory, const char *path, int flags, unsigned mask,
      struct statx *file)
{
	(void)directory;
	(void)flags;
	(void)mask;
	if (!fake.opened || strcmp(path, "./proc/77/fd/2") != 0)
		return -1;
	*file = (struct statx){.stx_mode = fake.is_char ? S_IFCHR : S_IFBLK,
	                       .stx_rdev_major = 259,
	                       .stx_rdev_minor = 7};
	return 0;
}

static void
mount_disk(const char *disk)
{
	char *line = xasprintf("/dev/sdz1 / ext4 rw 0 0\n"
	                       "%s /mnt ext4 rw 0 0\n",
	                       disk);

	write_below("proc/self/mounts", (struct bytes){line, strlen(line)});
	free(line);
}

/* What the device that is open is called. */
static void
call_device(const char *name, bool is_char)
{
	char *target = xasprintf("../../../devices/%s", name);

	fake.opened = name;
	fake.is_char = is_char;
	run_shell("rm -rf sys/dev && mkdir -p sys/dev/block sys/dev/char");
	assert_int_equal(symlink(target, is_char ? "sys/dev/char/259:7"
	                                         : "sys/dev/block/259:7"),
	                 0);
	free(target);
}

static void
assert_free(void)
{
	assert_null(disks_in_use(".", BDF));
}

static void
assert_used(const char *text)
{
	char *why = disks_in_use(".", BDF);

	assert_non_null(why);
	assert_string_equal(why, text);
	free(why);
}

static int
begin(void **state)
{
	memset(&fake, 0, sizeof fake);
	empty_tree(state);
	run_shell("mkdir -p devices/" BDF "/nvme/nvme0/nvme0n1");
	root_set(".");
	run_shell("rm -rf proc sys dev");
	mount_disk("/dev/sda1");
	write_below("proc/77/fd/2", (struct bytes)BYTES(""));
	run_shell("mkdir dev && touch dev/nvme0 dev/nvme0n1 dev/nvme0n2");
	return 0;
}

static void
mounts_are_of_disk_and_partitions(void **state)
{
	static const char *const others[] = {"/dev/nvme0n10", "/dev/nvme1n1",
	                                     "/mnt/nvme0n1", "nvme0n1",
	                                     "/dev/sda1"};

	(void)state;
	mount_disk("/dev/nvme0n1");
	assert_used("/dev/nvme0n1 is mounted on /mnt: 'umount /mnt'");
	mount_disk("/dev/nvme0n1p2");
	assert_used("/dev/nvme0n1p2 is mounted on /mnt: 'umount /mnt'");
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		mount_disk(others[i]);
		assert_free();
	}
}

static void
whoever_has_it_open_is_found(void **state)
{
	static const struct {
		const char *name;
		bool is_char, ours;
	} cases[] = {
	    {"nvme0n1", false, true},   {"nvme0n1p1", false, true},
	    {"nvme0", true, true},      {"ng0n1", true, true},
	    {"nvme0n12", false, false}, {"nvme1n1", false, false},
	    {"nvme1", true, false},     {"ng0n12", true, false},
	    {"ng1n1", true, false},     {"sda", false, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char text[100];

		call_device(cases[i].name, cases[i].is_char);
		snprintf(text, sizeof text,
		         "/dev/%s is open in the process 77: end that first",
		         fake.opened);
		if (cases[i].ours)
			assert_used(text);
		else
			assert_free();
	}
}

static void
owners_of_other_kinds(void **state)
{
	(void)state;
	assert_free();
	fake.error = EBUSY;
	assert_used("./dev/nvme0 is swap, mounted elsewhere or part of another "
	            "device: 'lsblk ./dev/nvme0' shows");
	fake.error = EACCES;
	assert_used("./dev/nvme0 cannot be opened, so it may be in use: "
	            "Permission denied");
}

/* One of its paths has another name than the disk. */
static void
disks_of_several_paths(void **state)
{
	(void)state;
	run_shell("mv devices/" BDF "/nvme/nvme0/nvme0n1 devices/" BDF
	          "/nvme/nvme0/nvme0c3n2");
	mount_disk("/dev/nvme0n1p2");
	assert_free();
	mount_disk("/dev/nvme0n2p1");
	assert_used("/dev/nvme0n2p1 is mounted on /mnt: 'umount /mnt'");
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    TEST(mounts_are_of_disk_and_partitions),
	    TEST(whoever_has_it_open_is_found),
	    TEST(owners_of_other_kinds),
	    TEST(disks_of_several_paths),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
