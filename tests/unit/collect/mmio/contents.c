/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Overwritten memory is restored, whichever process ends. */
#include "collect/mmio/mmio.h"
#include "rig/cmocka.h"

#include "collect/pci/mmio_map.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE  4096
#define WORDS (PAGE / sizeof(uint64_t))

static struct {
	int fd;
	volatile uint64_t *at;
	struct contents contents;
	struct session session;
} device;

static int
begin(void **state)
{
	memset(&device, 0, sizeof device);
	device.fd = memfd_create("bar", MFD_CLOEXEC);
	assert_int_equal(ftruncate(device.fd, PAGE), 0);
	device.at = mmio_map(device.fd, 0, PAGE, true);
	assert_non_null(device.at);
	for (size_t i = 0; i < WORDS; i++)
		device.at[i] = 3 * i + 1;
	device.contents = (struct contents){
	    .bdf = "0000:03:00.0", .at = device.at, .size = PAGE};
	return 0;
}

static int
end(void **state)
{
	mmio_unmap(device.at);
	close(device.fd);
	free(device.session.failure.text);
	return 0;
}

static void
overwrite(void)
{
	for (size_t i = 0; i < WORDS; i++)
		device.at[i] = 0;
}

static bool
is_back(void)
{
	for (size_t i = 0; i < WORDS; i++) {
		if (device.at[i] != 3 * i + 1)
			return false;
	}
	return true;
}

static void
they_come_back(void **state)
{
	assert_true(contents_keep(&device.session, &device.contents));
	assert_true(is_back());
	overwrite();
	contents_put_back(&device.contents);
	assert_true(is_back());
	/* Twice, or without saved contents, does nothing. */
	contents_put_back(&device.contents);
}

static void
without_a_guardian_too(void **state)
{
	assert_true(contents_keep(&device.session, &device.contents));
	overwrite();
	kill(device.contents.guardian.process, SIGKILL);
	contents_put_back(&device.contents);
	assert_true(is_back());
}

static void
after_sigkill(void **state)
{
	const struct timespec moment = {.tv_nsec = 10000000};
	pid_t child = fork();
	int status;

	if (!child) {
		if (!contents_keep(&device.session, &device.contents))
			_exit(1);
		overwrite();
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	for (int i = 0; i < 1000 && !is_back(); i++)
		nanosleep(&moment, NULL);
	assert_true(is_back());
}

/* A guardian that blocks signals must survive a page that is gone. */
static void
a_device_that_is_gone_is_left(void **state)
{
	time_t begin_at = time(NULL);

	/* Installs the SIGBUS handler again: cmocka sets one for each test. */
	mmio_unmap(mmio_map(device.fd, 0, PAGE, true));
	assert_true(contents_keep(&device.session, &device.contents));
	assert_int_equal(ftruncate(device.fd, 0), 0);
	contents_put_back(&device.contents);
	assert_true(time(NULL) - begin_at < 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(they_come_back, begin, end),
	    cmocka_unit_test_setup_teardown(without_a_guardian_too, begin, end),
	    cmocka_unit_test_setup_teardown(after_sigkill, begin, end),
	    cmocka_unit_test_setup_teardown(a_device_that_is_gone_is_left,
	                                    begin, end),
	};

	return cmocka_run_group_tests_name("contents", tests, NULL, NULL);
}
