/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes and restores settings, on files in place of sysfs. */
#include "collect/host/restore.h"

#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICE "devices/0000:01:00.0"

/* close of a file that was written fails. */
static bool close_fails;

/* Replaces the C library's. */
int
close(int fd)
{
	bool writes = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY;
	int result = (int)syscall(SYS_close, fd);

	/* Once, in whichever process is the first. */
	bool lacks = writes && !unlink("lack");
	bool errs = writes && !unlink("error");

	if ((!close_fails && !lacks && !errs) || !writes)
		return result;
	errno = lacks ? ENOMEM : errs ? EIO : EDQUOT;
	return -1;
}

static bool pairs_fail;

/* Empty again when they are undone. */
static struct changes changes;

/* Replaces the C library's. */
int
socketpair(int domain, int type, int protocol, int ends[2])
{
	if (!pairs_fail)
		return (int)syscall(SYS_socketpair, domain, type, protocol,
		                    ends);
	errno = EMFILE;
	return -1;
}

/* The working directory: drivers, and a function bound to nvme. */
static int
enter_tree(void **state)
{
	assert_int_equal(enter_scratch(state), 0);
	root_set(".");
	assert_int_equal(mkdir("run", 0700) | mkdir("devices", 0700) |
	                     mkdir(DEVICE, 0700) | mkdir("drivers", 0700) |
	                     mkdir("drivers/nvme", 0700) |
	                     mkdir("drivers/vfio-pci", 0700) |
	                     mkfifo("drivers/nvme/unbind", 0600) |
	                     mkfifo("drivers/nvme/bind", 0600) |
	                     symlink("../..", DEVICE "/subsystem") |
	                     symlink("../../drivers/nvme", DEVICE "/driver"),
	                 0);
	write_text(DEVICE "/driver_override", "(null)\n");
	write_text("setting", "auto\n");
	return 0;
}

/*
 * Fake kernel: blocks on the FIFO until the function is written to this file.
 * Start it before changes are made, else it keeps the guardian's pipe open.
 */
static pid_t
kernel_takes(const char *file, void (*act)(void))
{
	/* Who writes waits for no reader. */
	int fd = open(file, O_RDWR | O_CLOEXEC);
	pid_t kernel = fork();
	char text[32];

	if (kernel) {
		syscall(SYS_close, fd);
		return kernel;
	}
	alarm(20);
	if (read(fd, text, sizeof text) != 13 ||
	    strncmp(text, "0000:01:00.0\n", 13) != 0)
		_exit(1);
	act();
	_exit(0);
}

static void
assert_done(pid_t kernel)
{
	int status;

	assert_int_equal(waitpid(kernel, &status, 0), kernel);
	assert_int_equal(status, 0);
}

static void
lose_driver(void)
{
	unlink(DEVICE "/driver");
}

/* Restores the driver after the loss, which this kernel causes unnoticed. */
static void
get_driver_back(void)
{
	alarm(20);
	while (symlink("../../drivers/nvme", DEVICE "/driver") &&
	       errno == EEXIST)
		;
}

static void
do_nothing(void)
{
}

static void
assert_override(const char *wanted)
{
	char *text = read_first_line(DEVICE "/driver_override");

	assert_string_equal(text, wanted);
	free(text);
}

static void
half_a_change_of_driver(int error)
{
	pid_t unbinds = kernel_takes("drivers/nvme/unbind", lose_driver);
	pid_t binds = kernel_takes("drivers/nvme/bind", get_driver_back);

	assert_true(changes_add_driver(&changes, DEVICE, "vfio-pci"));
	assert_string_equal(changes_make(&changes), DEVICE);
	assert_int_equal(errno, error);
	assert_done(unbinds);
	assert_override("vfio-pci");
	changes_undo(&changes);
	assert_done(binds);
	assert_override("");
}

static void
lose_disk(void)
{
	unlink(DEVICE "/nvme0/scheduler");
	rmdir(DEVICE "/nvme0");
	lose_driver();
}

/* It has another number, and its driver's default. */
static void
find_disk(void)
{
	get_driver_back();
	usleep(50000);
	mkdir(DEVICE "/nvme1", 0700);
	write_text(DEVICE "/nvme1/scheduler", "[none]\n");
}

const struct fixtures fixtures = {enter_tree, leave_scratch};

/* Its driver takes the function, and the function leaves. */
static void
leave(void)
{
	get_driver_back();
	usleep(50000);
	rename(DEVICE, "left");
}

static void
undo_what_leaves(const void *data)
{
	(void)data;
	changes_add_lost(&changes, DEVICE "/nvme0/scheduler",
	                 DEVICE "/nvme*/scheduler", false);
	changes_add_driver(&changes, DEVICE, "vfio-pci");
	changes_make(&changes);
	alarm(20);
	while (!access(DEVICE "/driver", F_OK))
		usleep(1000);
	changes_undo(&changes);
}

TEST(what_leaves_while_it_is_put_back_is_not_missed)
{
	pid_t unbinds = kernel_takes("drivers/nvme/unbind", lose_disk);
	pid_t binds = kernel_takes("drivers/nvme/bind", leave);

	assert_int_equal(mkdir(DEVICE "/nvme0", 0700), 0);
	write_text(DEVICE "/nvme0/scheduler", "none [kyber]\n");
	assert_child(undo_what_leaves, NULL, 0, "", "");
	assert_done(unbinds);
	assert_done(binds);
	assert_int_equal(rename("left", DEVICE), 0);
}

TEST(what_a_driver_creates_anew_is_put_back)
{
	pid_t unbinds = kernel_takes("drivers/nvme/unbind", lose_disk);
	pid_t binds = kernel_takes("drivers/nvme/bind", find_disk);
	char *text;

	assert_int_equal(mkdir(DEVICE "/nvme0", 0700), 0);
	write_text(DEVICE "/nvme0/scheduler", "none [kyber]\n");
	changes_add_lost(&changes, DEVICE "/nvme0/scheduler",
	                 DEVICE "/nvme*/scheduler", false);
	assert_true(changes_add_driver(&changes, DEVICE, "vfio-pci"));
	assert_string_equal(changes_make(&changes), DEVICE);
	assert_done(unbinds);
	changes_undo(&changes);
	assert_done(binds);
	text = read_first_line(DEVICE "/nvme1/scheduler");
	assert_string_equal(text, "kyber");
	free(text);
}

/* The driver does not accept it: vfio-pci/bind is missing, or ignored. */
TEST(half_a_change_of_driver_is_put_back)
{
	pid_t binds;

	half_a_change_of_driver(ENOENT);
	assert_int_equal(mkfifo("drivers/vfio-pci/bind", 0600), 0);
	binds = kernel_takes("drivers/vfio-pci/bind", do_nothing);
	half_a_change_of_driver(0);
	assert_done(binds);
}

/*
 * The file reads as hexadecimal, and a leading zero means octal when written,
 * see core(5).
 */
static void
undo_what_is_not_taken(const void *data)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/coredump_filter", getpid());
	if (symlink(path, "filter") || !write_line("0x33", "filter"))
		_exit(1);
	changes_add_text(&changes, "filter", "00000000");
	if (changes_make(&changes))
		_exit(1);
	changes_undo(&changes);
}

TEST(a_value_that_is_not_taken_back_is_told)
{
	if (access("/proc/self/coredump_filter", W_OK))
		skip();
	assert_child(undo_what_is_not_taken, NULL, 0, "",
	             "t: filter: cannot restore '00000033': the kernel "
	             "does not accept it: echo 00000033 >filter\n");
}

static void
assert_setting(const char *wanted)
{
	char *text = read_first_line("setting");

	assert_string_equal(text, wanted);
	free(text);
}

static void
assert_not_made(const char *why, int error)
{
	assert_true(changes_add_text(&changes, "setting", "on"));
	assert_string_equal(changes_make(&changes), why);
	assert_int_equal(errno, error);
	assert_setting("auto");
	changes_undo(&changes);
	assert_setting("auto");
	assert_int_equal(rmdir("run/pcb-tools"), error == ENOENT ? -1 : 0);
}

/* No descriptor, no directory, a full disk; no guardian. */
TEST(nothing_is_changed_without_a_record_and_a_guardian)
{
	static const char record[] = "the record of changes in /run/pcb-tools, "
	                             "without which nothing is changed";
	struct rlimit before, none;

	run_shell("rm -rf run/pcb-tools");
	assert_int_equal(rename("run", "other"), 0);
	assert_not_made(record, ENOENT);
	assert_int_equal(rename("other", "run"), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	none = before;
	none.rlim_cur = 8;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	assert_not_made(record, EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	pairs_fail = true;
	assert_not_made("a process to undo changes", EMFILE);
	pairs_fail = false;
}

static void
undo_nothing(void *data)
{
}

/* Repeated, for a process that has just been started. */
TEST(a_guardian_is_out_of_reach_when_it_has_started)
{
	for (int i = 0; i < 20; i++) {
		struct guardian guardian = {0};

		assert_true(guardian_start(&guardian, undo_nothing, NULL));
		assert_int_equal(getsid(guardian.process), guardian.process);
		kill(guardian.process, SIGXCPU);
		kill(guardian.process, SIGTERM);
		guardian_end(&guardian);
		assert_false(guardian_failed);
	}
}

/* The first one is changed when the second, which has disappeared, fails. */
TEST(those_before_one_that_fails_are_put_back)
{
	write_text("other", "auto\n");
	assert_true(changes_add_text(&changes, "setting", "on"));
	assert_true(changes_add_text(&changes, "other", "on"));
	assert_int_equal(unlink("other"), 0);
	assert_string_equal(changes_make(&changes), "other");
	assert_int_equal(errno, ENOENT);
	assert_setting("on");
	changes_undo(&changes);
	assert_setting("auto");
	assert_int_equal(access("other", F_OK), -1);
}

TEST(bits_of_a_file_that_is_gone_cannot_be_set)
{
	write_text("other", "a");
	assert_true(changes_add_bits(&changes, "other", 0, 3, 2));
	assert_int_equal(unlink("other"), 0);
	assert_string_equal(changes_make(&changes), "other");
	assert_int_equal(errno, ENOENT);
	changes_undo(&changes);
}

/* As over NFS: close reports that the data are lost. */
TEST(a_file_that_cannot_be_closed_was_not_written)
{
	write_text("bits", "a");
	assert_true(changes_add_bits(&changes, "bits", 0, 3, 2));
	close_fails = true;
	assert_string_equal(changes_make(&changes), "bits");
	close_fails = false;
	assert_int_equal(errno, EDQUOT);
	changes_undo(&changes);
	assert_true(changes_add_text(&changes, "setting", "on"));
	close_fails = true;
	assert_string_equal(changes_make(&changes), "setting");
	close_fails = false;
	assert_int_equal(errno, EDQUOT);
	changes_undo(&changes);
	assert_setting("auto");
	assert_int_equal(unlink("bits"), 0);
}

/* Undoes a change once while the file of this name makes a call fail. */
static void
undo_despite(const char *failure)
{
	guardian_failed = false;
	assert_true(changes_add_text(&changes, "setting", "on"));
	assert_null(changes_make(&changes));
	assert_int_equal(mknod(failure, S_IFREG | 0600, 0), 0);
	changes_undo(&changes);
	assert_false(guardian_failed);
	assert_int_equal(access(failure, F_OK), -1);
	assert_setting("auto");
}

TEST(what_reads_as_before_is_back_although_close_fails)
{
	undo_despite("error");
}

/* It tries again. */
TEST(a_guardian_short_of_memory_has_not_failed)
{
	undo_despite("lack");
}

/* Events between a change and its restoration. */
struct meanwhile {
	char byte;    /* set by somebody else */
	rlim_t limit; /* bytes of files */
	char left;    /* left by us */
	const char *said;
};

#define AT 4096

static void
put_byte(char byte)
{
	FILE *f = fopen("bits", "r+");

	if (!f || fseek(f, AT, SEEK_SET) || fputc(byte, f) == EOF || fclose(f))
		_exit(1);
}

static char
get_byte(void)
{
	char byte = '\0';
	int fd = open("bits", O_RDONLY);

	assert_int_equal(pread(fd, &byte, 1, AT), 1);
	close(fd);
	return byte;
}

/* In a child, for its messages. */
static void
undo_without_guardian(const void *data)
{
	const struct meanwhile *m = data;
	struct rlimit before, limit;

	getrlimit(RLIMIT_FSIZE, &before);
	limit = (struct rlimit){m->limit, before.rlim_max};
	changes_add_bits(&changes, "bits", AT, 3, 'b' & 3);
	if (changes_make(&changes))
		_exit(1);
	kill(changes.guardian.process, SIGKILL);
	put_byte(m->byte);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	changes_undo(&changes);
	setrlimit(RLIMIT_FSIZE, &before);
}

TEST(without_its_guardian_we_put_it_back)
{
	static const struct meanwhile cases[] = {
	    {'b', RLIM_INFINITY, 'a', ""},
	    {'c', RLIM_INFINITY, 'c',
	     "t: bits: another program changed it: left unchanged\n"},
	    {'b', AT, 'b',
	     "t: bits: cannot restore 0x01 in the bits 0x03 at "
	     "0x1000: File too large: printf '\\141' | dd of=bits bs=1 "
	     "seek=4096 conv=notrunc\n"},
	};

	write_text("bits", "");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		put_byte('a');
		assert_child(undo_without_guardian, &cases[i], 0, "",
		             cases[i].said);
		assert_int_equal(get_byte(), cases[i].left);
	}
}

/* Two changed settings and a checked one are unreadable. */
static void
undo_what_cannot_be_read(const void *data)
{
	static const char *const paths[] = {"text", "bits", "so"};

	changes_add_text(&changes, "text", "on");
	changes_add_bits(&changes, "bits", 0, 3, 'b' & 3);
	changes_add_text(&changes, "so", "on");
	if (changes_make(&changes))
		_exit(1);
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		if (unlink(paths[i]) || mkdir(paths[i], 0700))
			_exit(1);
	}
	changes_check(&changes);
	changes_undo(&changes);
}

TEST(what_cannot_be_read_was_not_changed_by_somebody_else)
{
	assert_true(!unlink("bits") || errno == ENOENT);
	write_text("bits", "a");
	write_text("text", "auto\n");
	write_text("so", "on\n");
	assert_child(
	    undo_what_cannot_be_read, NULL, 0, "",
	    "t: text: may not have been held to the end: cannot be read: "
	    "Is a directory\n"
	    "t: bits: may not have been held to the end: cannot be read: "
	    "Is a directory\n"
	    "t: so: may not have been held to the end: cannot be read: "
	    "Is a directory\n"
	    "t: bits: cannot restore 0x01 in the bits 0x03 at "
	    "0x0: Is a directory: printf '\\141' | dd of=bits bs=1 "
	    "seek=0 conv=notrunc\n"
	    "t: text: cannot restore 'auto': Is a "
	    "directory: echo auto >text\n");
}

/* If the device is gone, its settings are, too. */
static void
undo_what_is_gone(const void *data)
{
	changes_add_text(&changes, "text", "on");
	changes_add_text(&changes, "so", "on");
	if (changes_make(&changes) || unlink("text") || unlink("so"))
		_exit(1);
	changes_check(&changes);
	changes_undo(&changes);
}

TEST(what_is_gone_is_not_missed)
{
	assert_int_equal(rmdir("text") | rmdir("so"), 0);
	write_text("text", "auto\n");
	write_text("so", "on\n");
	assert_child(undo_what_is_gone, NULL, 0, "", "");
	assert_int_equal(access("text", F_OK), -1);
}

/* It cannot be bound, and somebody binds it to its driver again. */
static void
undo_what_was_bound_again(const void *data)
{
	changes_add_driver(&changes, DEVICE, "nothing");
	if (!changes_make(&changes))
		_exit(1);
	get_driver_back();
	changes_undo(&changes);
}

TEST(what_it_may_be_bound_to_is_a_setting_too)
{
	pid_t unbinds = kernel_takes("drivers/nvme/unbind", lose_driver);
	assert_child(undo_what_was_bound_again, NULL, 0, "",
	             "t: " DEVICE
	             ": another program changed it: left unchanged\n");
	assert_done(unbinds);
}

/* It cannot be unbound, as there is no such file. */
TEST(a_driver_is_changed_step_by_step)
{
	assert_int_equal(
	    unlink("drivers/nvme/unbind") | unlink("drivers/nvme/bind"), 0);
	write_text(DEVICE "/driver_override", "same\n");
	assert_true(changes_add_driver(&changes, DEVICE, "vfio-pci"));
	assert_string_equal(changes_make(&changes), DEVICE);
	assert_override("same");
	changes_undo(&changes);
}

TEST(a_plan_says_why_there_is_nothing_to_do)
{
	assert_false(changes_add_text(&changes, "setting", "auto"));
	assert_int_equal(errno, 0);
	assert_false(changes_add_text(&changes, "missing", "on"));
	assert_int_equal(errno, ENOENT);
	assert_false(changes_add_bits(&changes, "setting", 0, 3, 'a' & 3));
	assert_int_equal(errno, 0);
	assert_false(changes_add_bits(&changes, "setting", 5, 3, 0));
	assert_int_equal(errno, ENODATA);
	assert_false(changes_add_driver(&changes, DEVICE, "nvme"));
	assert_int_equal(errno, 0);
	assert_false(changes_add_driver(&changes, "devices", "nvme"));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(changes.nchanged, 0);
	changes_undo(&changes);
}
