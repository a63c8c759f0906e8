/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users of a controller's disk, on a faked system. */
#include "collect/vfio/claim.h"

#include "common/base/util.h"
#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BDF "0000:03:00.0"

/* Open files of a process. */
static struct {
	const char *opened, *path;
	bool is_char;
	int error;          /* errno of an exclusive open */
	const char *fdinfo; /* of a ring, at a later look; NULL: unchanged */
} fake;

/* Replace those of the C library. */

int
open(const char *path, int flags, ...)
{
	errno = fake.error;
	if (fake.error && flags & O_EXCL)
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
}

/* A file of process 77 is a device. */
int
statx(int directory, const char *path, int flags, unsigned mask,
      struct statx *file)
{
	if (!fake.opened || strcmp(path, fake.path) != 0) {
		*file = (struct statx){0};
		return access(path, F_OK);
	}
	*file = (struct statx){.stx_mode = fake.is_char ? S_IFCHR : S_IFBLK,
	                       .stx_rdev_major = 259,
	                       .stx_rdev_minor = 7};
	return 0;
}

/* fdinfo that the kernel shows of a ring of process 77. */
static void
show_ring(const char *fdinfo)
{
	run_shell("ln -sf 'anon_inode:[io_uring]' proc/77/task/78/fd/5");
	write_below("proc/77/task/78/fdinfo/5",
	            (struct bytes){fdinfo, strlen(fdinfo)});
}

int
nanosleep(const struct timespec *time, struct timespec *left)
{
	if (fake.fdinfo)
		show_ring(fake.fdinfo);
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

/* The name of the open device. */
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
	struct disk_claims claims = {0};
	int fd;

	assert_null(disks_in_use(".", BDF, &claims));
	/* The disk is held against others; the controller is not. */
	assert_true(claims.n > 0);
	for (size_t i = 0; i < claims.n; i++)
		assert_true(fcntl(claims.fd[i], F_GETFD) & FD_CLOEXEC);
	fd = claims.fd[0];
	disks_release(&claims);
	assert_null(claims.fd);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

static void
assert_used(const char *text)
{
	struct disk_claims claims = {0};
	char *why = disks_in_use(".", BDF, &claims);

	disks_release(&claims);
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
	write_below("proc/77/task/77/fd/2", (struct bytes)BYTES(""));
	write_below("proc/77/task/78/fd/3", (struct bytes)BYTES(""));
	fake.path = "./proc/77/task/77/fd/2";
	run_shell("mkdir dev && touch dev/nvme0 dev/nvme0n1 dev/nvme0n2");
	return 0;
}

static void
mounts_are_of_disk_and_partitions(void **state)
{
	static const char *const others[] = {"/dev/nvme0n10", "/dev/nvme1n1",
	                                     "/mnt/nvme0n1", "nvme0n1",
	                                     "/dev/sda1"};

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
a_thread_has_files_of_its_own(void **state)
{
	fake.path = "./proc/77/task/78/fd/3";
	call_device("nvme0n1", false);
	assert_used("/dev/nvme0n1 is open in the process 77: end that first");
}

/* As in the kernel: names only, and paths since 6.13. */
static void
a_file_that_is_registered_with_a_ring_is_open(void **state)
{
	static const struct {
		const char *fdinfo;
		bool ours;
	} cases[] = {
	    {"UserFiles:\t2\n    0: <none>\n    1: nvme0n1\n", true},
	    {"UserFiles:\t1\n    0: /dev/nvme0n1p1\n", true},
	    {"UserFiles:\t1\n    0: nvme1n1\nUserBufs:\t0\n", false},
	    {"UserFiles:\t1\n    0: <none>\nUserBufs:\t0\n", false},
	    {"UserFiles:\t0\nUserBufs:\t1\n", false},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		show_ring(cases[i].fdinfo);
		if (cases[i].ours)
			assert_used("/dev/nvme0n1 is open in the process 77: "
			            "end that first");
		else
			assert_free();
	}
}

/* A busy ring hides its files; since Linux 6.17 also their number. */
static void
a_ring_that_does_not_show_its_files_may_have_it(void **state)
{
	static const char *const cases[] = {"UserFiles:\t4\nUserBufs:\t0\n",
	                                    "pos:\t0\nflags:\t02000002\n"};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		show_ring(cases[i]);
		assert_used(
		    "/dev/nvme0 may be registered with io_uring in the process "
		    "77, whose files the kernel does not show: end that first");
	}
	/* Shown at a later look. */
	show_ring(cases[0]);
	fake.fdinfo = "UserFiles:\t4\n    0: nvme1n1\n";
	assert_free();
	show_ring(cases[0]);
	fake.fdinfo = "UserFiles:\t4\n    0: nvme0n1\n";
	assert_used("/dev/nvme0n1 is open in the process 77: end that first");
	/* Closed meanwhile. */
	fake.fdinfo = NULL;
	run_shell("rm proc/77/task/78/fdinfo/5");
	assert_free();
}

static void
owners_of_other_kinds(void **state)
{
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
	    TEST(a_thread_has_files_of_its_own),
	    TEST(a_file_that_is_registered_with_a_ring_is_open),
	    TEST(a_ring_that_does_not_show_its_files_may_have_it),
	    TEST(owners_of_other_kinds),
	    TEST(disks_of_several_paths),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
