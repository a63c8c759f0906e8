/* Reads by other CPUs, of registers that are made up. */
#include "collect/host.h"
#include "collect/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

/* That of backend.h is meant. */
#undef fail

static struct {
	unsigned opened, closed;
	unsigned refused; /* the number of the opening that fails */
	atomic_uint reads;
} made_up;

static bool
open_made_up(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	(void)tree;
	(void)r;
	return ++made_up.opened != made_up.refused ||
	       fail(s, STATUS_ABSENT, "refused");
}

/* The first reads fail. */
static bool
read_made_up(const struct reader *r, uint32_t *value)
{
	(void)r;
	*value = 0;
	return atomic_fetch_add(&made_up.reads, 1) >= 3;
}

static void
close_made_up(struct reader *r)
{
	(void)r;
	made_up.closed++;
}

static const struct method method = {
    .name = "made up",
    .open = open_made_up,
    .read = read_made_up,
    .close = close_made_up,
};

static struct target item[2] = {{.reader.method = &method},
                                {.reader.method = &method}};

static const struct targets two = {.item = item, .n = 2};

static int
forget(void **state)
{
	(void)state;
	made_up.opened = made_up.closed = made_up.refused = 0;
	atomic_store(&made_up.reads, 0);
	return 0;
}

/* Otherwise rows would be said to be under load and are not. */
static void
a_read_that_fails_is_not_the_end(void **state)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	struct session s = {0};
	struct load load = {0};
	struct bitmask *allowed = host_allowed();

	(void)state;
	assert_true(load_begin(&s, &load, &two, 1, allowed, -1));
	numa_free_cpumask(allowed);
	for (int tries = 0; !load_count(&load) && tries < 10000; tries++)
		nanosleep(&moment, NULL);
	assert_true(load_count(&load) > 0);
	load_end(&load);
	assert_int_equal(made_up.opened, 2);
	assert_int_equal(made_up.closed, 2);
}

static void
what_was_opened_before_a_failure_is_closed(void **state)
{
	struct session s = {0};
	struct load load = {0};
	struct bitmask *allowed = host_allowed();

	(void)state;
	made_up.refused = 2;
	assert_false(load_begin(&s, &load, &two, 1, allowed, -1));
	numa_free_cpumask(allowed);
	assert_string_equal(s.failure.text, "refused");
	assert_int_equal(s.failure.status, STATUS_ABSENT);
	load_end(&load);
	assert_int_equal(made_up.closed, 2);
	assert_int_equal(made_up.reads, 0);
	free(s.failure.text);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_read_that_fails_is_not_the_end, forget),
	    cmocka_unit_test_setup(what_was_opened_before_a_failure_is_closed,
	                           forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
