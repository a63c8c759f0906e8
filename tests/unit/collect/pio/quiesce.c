/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The governor to hold, for CPUs that are files. */
#include "collect/pio/pio.h"

#include "collect/host/restore.h"
#include "common/sys/sysfs.h"
#include "rig/cmocka.h"
#include "rig/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GOVERNOR(cpu) "sys/devices/system/cpu/" cpu "/cpufreq/scaling_governor"

/* Replaces the C library's. */
int
sched_getcpu(void)
{
	return 3;
}

static void
assert_governors(const char *two, const char *three)
{
	char *second = read_first_line(GOVERNOR("cpu2"));
	char *third = read_first_line(GOVERNOR("cpu3"));

	assert_string_equal(second, two);
	assert_string_equal(third, three);
	free(second);
	free(third);
}

/* The chosen CPU's, or the current one's; no other. */
static void
the_governor_is_that_of_our_cpu(void **state)
{
	static char hold_option[] = "hold";
	static struct setting given[] = {{hold_option, "governor"}};
	static const struct request request = {.bench_options = {given, 1}};
	static const struct {
		int cpu;
		const char *two, *three;
	} cases[] = {{2, "performance", "schedutil"},
	             {-1, "powersave", "performance"}};

	root_set(".");
	write_below("run/lock", (struct bytes)BYTES(""));
	write_below(GOVERNOR("cpu2"), (struct bytes)BYTES("powersave\n"));
	write_below(GOVERNOR("cpu3"), (struct bytes)BYTES("schedutil\n"));
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct preamble pre = {0};
		struct session s = {.request = &request, .preamble = &pre};
		struct quiesce hold = {0};

		assert_true(quiesce_begin(&s, &hold, NULL, cases[i].cpu));
		assert_governors(cases[i].two, cases[i].three);
		assert_string_equal(preamble_get(&pre, "held"), "governor");
		changes_check(&hold.changes);
		quiesce_end(&hold);
		assert_governors("powersave", "schedutil");
		preamble_free(&pre);
	}
}

static void
remove_governor(void)
{
	if (unlink(GOVERNOR("cpu3")) && rmdir(GOVERNOR("cpu3")))
		abort();
}

/* The governor cannot be read at the end, but later. */
static void
hold_until_offline(const void *data)
{
	static char hold_option[] = "hold";
	static struct setting given[] = {{hold_option, "governor"}};
	static const struct request request = {.bench_options = {given, 1}};
	struct preamble pre = {0};
	struct session s = {.request = &request, .preamble = &pre};
	struct quiesce hold = {0};
	char *governor;
	int status;

	quiesce_begin(&s, &hold, NULL, 3);
	remove_governor();
	mkdir(GOVERNOR("cpu3"), 0777);
	quiesce_end(&hold);
	preamble_free(&pre);
	remove_governor();
	write_below(GOVERNOR("cpu3"), (struct bytes)BYTES("performance\n"));
	status = changes_restore_left();
	governor = read_first_line(GOVERNOR("cpu3"));
	printf("%d %s\n", status, governor);
	free(governor);
}

/* The kernel does not answer for an offline CPU. */
static void
the_governor_of_a_cpu_that_went_offline_is_restored(void **state)
{
	struct ended e;

	root_set(".");
	write_below("run/lock", (struct bytes)BYTES(""));
	write_below(GOVERNOR("cpu3"), (struct bytes)BYTES("schedutil\n"));
	e = in_child(hold_until_offline, NULL, (struct bytes)BYTES(""),
	             FEED_FILE);
	assert_ended(
	    &e, 0, "./" GOVERNOR("cpu3") "\n0 schedutil\n",
	    "t: ./" GOVERNOR("cpu3") ": cannot restore "
	                             "'schedutil': Is a directory: echo "
	                             "schedutil >./" GOVERNOR("cpu3") "\n");
	ended_free(&e);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_governor_is_that_of_our_cpu),
	    cmocka_unit_test(
	        the_governor_of_a_cpu_that_went_offline_is_restored),
	};

	return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
