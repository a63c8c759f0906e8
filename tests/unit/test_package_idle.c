/* Residencies of the package, from files like those of the kernel. */
#include "support.h"

#include "collect/package_idle.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

/* The clock of CPU 0, which the kernel counts everywhere, in its place. */
static void
residencies_are_counted(void **state)
{
	static const struct {
		const char *name, *text;
	} files[] = {
	    {"type", "1\n"},
	    {"cpumask", "0,24\n"},
	    {"events/c6-residency", "event=0x00\n"},
	    {"events/c7-residency", "umask=0x00\n"},
	    {"events/c8-residency", "event=\n"},
	    {"events/c9-residency", "event=0xffff\n"}, /* it has none */
	    {"events/c6-residency.unit", "ms\n"},
	};
	struct package_idle idle = {0};
	struct preamble ending = {0};
	struct perf_event_attr attr = {.size = sizeof attr,
	                               .type = PERF_TYPE_SOFTWARE};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	(void)state;
	if (fd < 0)
		skip();
	close(fd);
	assert_int_equal(mkdir("events", 0700), 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		write_file(
		    files[i].name,
		    (struct bytes){files[i].text, strlen(files[i].text)});
	package_idle_open(&idle, ".");
	package_idle_describe(&idle, &ending);
	assert_int_equal(idle.n, 1);
	assert_non_null(preamble_get(&ending, "package_c6_pct"));
	assert_true(strtod(preamble_get(&ending, "package_c6_pct"), NULL) > 0);
	package_idle_close(&idle);
	preamble_free(&ending);
	package_idle_open(&idle, "./nowhere");
	assert_int_equal(idle.n, 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		assert_int_equal(remove(files[i].name), 0);
	assert_int_equal(rmdir("events"), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(residencies_are_counted),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
