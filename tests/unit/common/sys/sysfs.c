/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths below --root, and writes to them. */
#include "rig/cmocka.h"
#include "rig/support.h"

#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST(paths_are_below_the_root)
{
	static const struct {
		const char *root, *path;
	} cases[] = {
	    {"/", "/sys/bus"},
	    {"host", "host/sys/bus"},
	    {"/host//", "/host/sys/bus"},
	    {"./other", "./other/sys/bus"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *path;

		root_set(cases[i].root);
		path = root_path("/sys/bus");
		assert_string_equal(path, cases[i].path);
		assert_ptr_equal(root_path("/sys/bus"), path);
		assert_ptr_not_equal(root_path("/sys/bu"), path);
	}
	root_set("/");
}

TEST(nothing_is_written_outside)
{
	char *line;

	write_text("outside", "before\n");
	write_text("host/sys/file", "before\n");
	assert_int_equal(symlink("../../outside", "host/sys/up"), 0);
	assert_int_equal(symlink("file", "host/sys/same"), 0);
	root_set("host");
	assert_false(write_line("after", "%s", root_path("/sys/up")));
	assert_int_equal(errno, EXDEV);
	assert_false(write_line("after", "%s", "host/../outside"));
	assert_int_equal(errno, EXDEV);
	assert_true(write_line("after", "%s", root_path("/sys/same")));
	line = read_first_line("host/sys/file");
	assert_string_equal(line, "after");
	free(line);
	line = read_first_line("outside");
	assert_string_equal(line, "before");
	free(line);
	/* As without --root. */
	root_set("/");
	assert_true(write_line("after", "host/sys/up"));
	line = read_first_line("outside");
	assert_string_equal(line, "after");
	free(line);
}

/* A part of what was wanted is none of it. */
TEST(less_is_an_error)
{
	struct rlimit limit;
	char bytes[4];

	write_text("four", "1234");
	assert_true(read_at("four", bytes, 4, 0));
	assert_false(read_at("four", bytes, 4, 2));
	assert_int_equal(errno, ENODATA);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){2, limit.rlim_max});
	assert_false(write_line("on", "four"));
	assert_int_equal(errno, EIO);
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_true(write_line("on", "four"));
}
