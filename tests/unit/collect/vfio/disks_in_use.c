/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users of a controller's disk, on a faked system. */
#include "collect/vfio/vfio.h"

#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define BDF "0000:03:00.0"

/* What the kernel says of fake files, which have a device's number. */
static struct {
	int error;          /* errno of an exclusive open */
	int hidden;         /* errno of a look at the file of process 77 */
	unsigned behind[2]; /* the loop device */
	int unbound;        /* its errno */
} fake;

/* Replace those of the C library. */

int
open(const char *path, int flags, ...)
{
	errno = fake.error;
	if (fake.error && flags & O_EXCL)
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags & ~O_EXCL, 0666);
}

/* The device whose number is in the file, "b 259 7". */
int
statx(int directory, const char *path, int flags, unsigned mask,
      struct statx *file)
{
	FILE *f = *path ? fopen(path, "re") : fdopen(dup(directory), "r");
	char kind = '-';

	*file = (struct statx){0};
	if (fake.hidden && strstr(path, "/77/")) {
		errno = fake.hidden;
		kind = 0;
	} else if (!f) {
		kind = 0;
	} else if (fscanf(f, "%c %u %u", &kind, &file->stx_rdev_major,
	                  &file->stx_rdev_minor) == 3) {
		file->stx_mode = kind == 'b' ? S_IFBLK : S_IFCHR;
	}
	if (f)
		fclose(f);
	return kind ? 0 : -1;
}

int
ioctl(int fd, unsigned long request, ...)
{
	struct loop_info64 *info;
	va_list ap;

	assert_int_equal(request, LOOP_GET_STATUS64);
	va_start(ap, request);
	info = va_arg(ap, struct loop_info64 *);
	va_end(ap);
	if (!fake.unbound)
		info->lo_rdevice = makedev(fake.behind[0], fake.behind[1]);
	errno = fake.unbound;
	return fake.unbound ? -1 : 0;
}

static void
assert_free(void)
{
	struct disk_claims claims = {0};
	int fd;

	assert_null(disks_in_use("./devices/" BDF, &claims));
	assert_int_equal(claims.n, 1);
	assert_true(fcntl(claims.fd[0], F_GETFD) & FD_CLOEXEC);
	fd = claims.fd[0];
	disks_release(&claims);
	assert_null(claims.fd);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

static void
assert_used(const char *text)
{
	struct disk_claims claims = {0};
	char *why = disks_in_use("./devices/" BDF, &claims);

	assert_int_equal(claims.n, 0);
	disks_release(&claims);
	assert_non_null(why);
	assert_string_equal(why, text);
	free(why);
}

/* Namespace 1 with a partition; process 77 has a file. */
static int
begin(void **state)
{
	memset(&fake, 0, sizeof fake);
	empty_tree(state);
	root_set(".");
	run_shell(
	    "rm -rf proc sys dev && "
	    "mkdir -p devices/" BDF "/nvme/nvme0/nvme0n1 dev proc/self/ns "
	    "proc/1 proc/77/task/77/fd proc/77/task/78/fd "
	    "sys/block sys/dev/block sys/dev/char && "
	    "echo 242:0 >devices/" BDF "/nvme/nvme0/dev && "
	    "ln -s 'pid:[4026531836]' proc/self/ns/pid && "
	    "cd sys/dev && ln -s ../nvme0 char/242:0 && "
	    "ln -s ../nvme0n1 block/259:7 && ln -s ../ng0n1 char/241:3 && "
	    "ln -s ../nvme0n1p1 block/259:8 && ln -s ../nvme0n10 block/259:9 "
	    "&& ln -s ../ng0n10 char/241:4 && ln -s ../loop2 block/7:2 && "
	    "echo b 259 7 >../../dev/nvme0n1");
	return 0;
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

/* In the thread 78. */
TEST_IN(whoever_has_it_open_is_found, begin, NULL)
{
	static const struct {
		const char *device, *name;
	} cases[] = {
	    {"b 259 7", "nvme0n1"}, {"b 259 8", "nvme0n1p1"},
	    {"c 242 0", "nvme0"},   {"c 241 3", "ng0n1"},
	    {"c 259 7", NULL},      {"b 259 9", NULL},
	    {"c 241 4", NULL},      {"a file", NULL},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char text[100];

		write_text("proc/77/task/78/fd/3", cases[i].device);
		snprintf(text, sizeof text,
		         "/dev/%s is open in the process 77: end that first",
		         cases[i].name);
		if (cases[i].name)
			assert_used(text);
		else
			assert_free();
	}
}

/* What cannot be seen may be the disk: never taken. */
TEST_IN(whoever_does_not_see_all_takes_nothing, begin, NULL)
{
	static const struct {
		const char *command, *why;
		int hidden;
	} cases[] = {
	    {"rm -r proc/1", "without CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH",
	     0},
	    {"true", "without CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH", EACCES},
	    {"ln -sfn 'pid:[4026532000]' proc/self/ns/pid",
	     "in a PID namespace of its own, such as a container's,", 0},
	    {"rm -r proc", "without /proc", 0},
	};

	write_text("proc/77/task/77/fd/0", "a file");
	fake.hidden = ENOENT;
	assert_free();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char text[200];

		run_shell(cases[i].command);
		fake.hidden = cases[i].hidden;
		snprintf(
		    text, sizeof text,
		    "it may be open in a process: %s nobody sees the files "
		    "of all: run pcb-collect as root, outside of "
		    "containers",
		    cases[i].why);
		assert_used(text);
		run_shell("mkdir -p proc/1");
	}
	/* Nor is a list of files that cannot be read empty. */
	run_shell("mkdir -p proc/self/ns proc/77/task/78/fd && chmod 0 "
	          "proc/77/task/78/fd && ln -sfn 'pid:[4026531836]' "
	          "proc/self/ns/pid");
	fake.hidden = 0;
	assert_int_equal(chmod(".", 0755) | (geteuid() ? 0 : seteuid(65534)),
	                 0);
	assert_used("it may be open in a process: without CAP_SYS_PTRACE and "
	            "CAP_DAC_READ_SEARCH nobody sees the files of all: run "
	            "pcb-collect as root, outside of containers");
	assert_int_equal(seteuid(getuid()), 0);
	run_shell("chmod 700 proc/77/task/78/fd");
}

/* By its number: the path may mean nothing here. */
TEST_IN(a_disk_behind_a_loop_device_is_used, begin, NULL)
{
	write_text("sys/block/loop2/loop/backing_file",
	           "/cont/disk (deleted)\n");
	assert_used("it may be used by the kernel, see ./sys/block/loop2: No "
	            "such file or directory");
	write_text("dev/loop2", "b 259 7");
	assert_used("it may be used by the kernel, see ./sys/block/loop2: No "
	            "such device");
	write_text("dev/loop2", "b 7 2");
	assert_free();
	fake.behind[0] = 259;
	fake.behind[1] = 8;
	assert_used("/dev/nvme0n1p1 is used by the kernel, see "
	            "./sys/block/loop2: end that first");
	fake.unbound = EIO;
	assert_used("it may be used by the kernel, see ./sys/block/loop2: "
	            "Input/output error");
	fake.unbound = ENXIO;
	assert_free();
}

#define TARGET "sys/kernel/config/nvmet/subsystems/a/namespaces/1/device_path"

TEST_IN(an_exported_disk_is_used, begin, NULL)
{
	write_text("disk", "b 259 7");
	write_text(TARGET, "(null)\n");
	assert_free();
	write_text(TARGET, "/missing/disk\n");
	assert_used("it may be used by the kernel, see ./" TARGET
	            ": No such file or directory");
	run_shell("echo $PWD/disk >" TARGET);
	assert_used("/dev/nvme0n1 is used by the kernel, see ./" TARGET
	            ": end that first");
}

TEST_IN(owners_of_other_kinds, begin, NULL)
{
	assert_free();
	fake.error = EBUSY;
	assert_used("/dev/nvme0n1 is mounted, swap or part of another device: "
	            "'lsblk /dev/nvme0n1' shows");
	fake.error = EACCES;
	assert_used("/dev/nvme0n1 cannot be opened, so it may be in use: "
	            "Permission denied");
	/* Another disk has its file. */
	fake.error = 0;
	write_text("dev/nvme0n1", "b 259 70");
	assert_used("/dev/nvme0n1 cannot be opened, so it may be in use: "
	            "No such device");
}

/* One of its paths has another name than the disk. */
TEST_IN(disks_of_several_paths, begin, NULL)
{
	run_shell("mv devices/" BDF "/nvme/nvme0/nvme0n1 devices/" BDF
	          "/nvme/nvme0/nvme0c3n1");
	assert_free();
	write_text("proc/77/task/77/fd/0", "b 259 8");
	assert_used("/dev/nvme0n1p1 is open in the process 77: end that first");
}

static struct rlimit files;

static void
allow_all(void)
{
	setrlimit(RLIMIT_NOFILE, &files);
}

/* A sanitizer opens files at the end of a process. */
static void
look_without_descriptors(const void *data)
{
	struct disk_claims claims = {0};

	getrlimit(RLIMIT_NOFILE, &files);
	atexit(allow_all);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, files.rlim_max});
	disks_in_use("./devices/" BDF, &claims);
}

TEST_IN(a_process_that_is_short_of_files_does_not_call_it_free, begin, NULL)
{
	assert_child(look_without_descriptors, NULL, STATUS_TROUBLE, "",
	             "t: ./devices/" BDF "/nvme: Too many open files\n");
}

/* What unbinding forgets: each once, the scheduler last, before the driver. */
TEST_IN(settings_of_a_disk_are_kept, begin, NULL)
{
	static const char *const wanted[] = {"/power/control",
	                                     "/nvme*/nvme0n1/nsid",
	                                     "/nvme*n*/queue/iosched/expire",
	                                     "/queue/iosched/fifo_batch",
	                                     "/queue/nr_requests",
	                                     "/queue/scheduler",
	                                     ("/" BDF)};
	struct session s = {0};
	struct changes changes = {0};
	struct pci_tree *tree;

	run_shell("rm -r devices/" BDF);
	make_function(BDF, NULL, 64);
	run_shell(
	    "mkdir -p run drivers/nvme drivers/vfio-pci "
	    "groups/7/devices/" BDF " && cd devices/" BDF
	    " && mkdir -p power nvme/nvme0/nvme0n1/queue/iosched"
	    " && ln -s ../../groups/7 iommu_group"
	    " && ln -s ../../drivers/nvme driver && ln -s ../.. subsystem"
	    " && >driver/unbind && >subsystem/drivers/vfio-pci/bind"
	    " && echo '(null)' >driver_override && echo auto >power/control"
	    " && ln -s $PWD/nvme/nvme0/nvme0n1 ../../sys/block/nvme0n1"
	    " && cd nvme/nvme0/nvme0n1 && echo 1 >nsid && cd queue"
	    " && for f in scheduler nr_requests iosched/expire "
	    "iosched/fifo_batch; do echo 8 >$f; done"
	    " && echo 1 >logical && chmod 444 logical");
	tree = read_tree(1);
	assert_false(
	    claim_device(&s, tree, pci_find(tree, BDF), true, &changes));
	assert_string_equal(s.failure.text, "-O unbind=yes: ./devices/" BDF
	                                    ": another driver has it");
	assert_int_equal(changes.n, ARRAY_LEN(wanted));
	for (size_t i = 0; i < changes.n; i++) {
		const char *path = changes.item[i].path;
		size_t length = strlen(path), n = strlen(wanted[i]);

		assert_in_range(n, 1, length);
		assert_string_equal(path + length - n, wanted[i]);
	}
	changes_undo(&changes);
	free(s.failure.text);
	pci_tree_free(tree);
	run_shell("rm -r drivers groups run devices/" BDF);
}
