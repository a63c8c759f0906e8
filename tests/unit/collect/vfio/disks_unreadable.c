/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages about a controller's disks that cannot be examined. */
#include "collect/vfio/vfio.h"

#include "rig/cmocka.h"
#include "rig/pci.h"
#include "rig/support.h"

#include <sys/resource.h>

static void
look(const void *data)
{
	struct disk_claims claims = {0};
	char *why = disks_in_use("./devices/0000:03:00.0", &claims);

	puts(why ? why : "not in use");
	free(why);
}

static struct rlimit files;

static void
allow_files(void)
{
	setrlimit(RLIMIT_NOFILE, &files);
}

/* A sanitizer opens files at the end of a process. */
static void
look_without_descriptors(const void *data)
{
	getrlimit(RLIMIT_NOFILE, &files);
	atexit(allow_files);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, files.rlim_max});
	look(data);
}

static int
no_disks(void **state)
{
	run_shell("mkdir -p devices/0000:03:00.0");
	return 0;
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST_IN(a_controller_without_disks_is_free, no_disks, NULL)
{
	assert_child(look, NULL, 0, "not in use\n", "");
}

TEST_IN(a_process_that_is_short_of_files_does_not_call_it_free, no_disks, NULL)
{
	assert_child(look_without_descriptors, NULL, STATUS_TROUBLE, "",
	             "t: ./devices/0000:03:00.0/nvme: Too many open files\n");
}

/* /dev/null, which this process has open, replaces its /dev/uio0. */
TEST_IN(a_function_that_a_process_drives_by_uio_is_in_use, no_disks, NULL)
{
	FILE *null = fopen("/dev/null", "re");
	struct disk_claims claims = {0};
	char *why;

	run_shell("mkdir devices/0000:03:00.0/uio && cd "
	          "devices/0000:03:00.0/uio && mkdir null && >null/dev");
	why = disks_in_use("./devices/0000:03:00.0", &claims);
	assert_non_null(why);
	assert_non_null(strstr(why, "/dev/null is open in the process "));
	free(why);
	run_shell("mv devices/0000:03:00.0/uio/null devices/0000:03:00.0/uio/"
	          "uio9999");
	/* A container's root may not see the files of all processes. */
	why = disks_in_use("./devices/0000:03:00.0", &claims);
	assert_true(!why || strstr(why, "may be open in a process: "));
	free(why);
	fclose(null);
}
