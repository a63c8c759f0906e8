/* Registers of a device that go away while they are read. */
#include "collect/dma.h"

#include "collect/lost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static const struct pci_function function = {.bdf = "0000:03:00.0"};

/* As VFIO does it: the mapping stays, what is behind it is gone. */
static bool
read_what_is_gone(struct session *s, uint64_t want)
{
	int fd = memfd_create("bar", MFD_CLOEXEC);
	volatile unsigned char *bar;
	unsigned char read;

	(void)want;
	assert_int_equal(ftruncate(fd, 4096), 0);
	bar = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	s->series->n = 7;
	assert_int_equal(ftruncate(fd, 0), 0);
	close(fd);
	read = *bar;
	return !read;
}

static bool
stay(struct session *s, uint64_t want)
{
	s->series->n = want;
	return true;
}

static void
registers_that_are_gone_end_it(void **state)
{
	struct series series = {0};
	struct session s = {.series = &series, .nseries = 1};
	struct dma d = {.function = &function};

	(void)state;
	lost_catch();
	assert_false(dma_run(&s, &d, 9, read_what_is_gone));
	assert_true(d.lost);
	assert_int_equal(s.failure.status, STATUS_TROUBLE);
	assert_string_equal(s.failure.text,
	                    "0000:03:00.0: its registers are no longer mapped: "
	                    "it was removed, or its memory switched off");
	assert_int_equal(series.n, 7);
	assert_null(lost_mapping);
	lost_release();
	free(s.failure.text);
}

static void
registers_that_stay_do_not(void **state)
{
	struct series series = {0};
	struct session s = {.series = &series, .nseries = 1};
	struct dma d = {.function = &function};

	(void)state;
	assert_true(dma_run(&s, &d, 9, stay));
	assert_false(d.lost);
	assert_int_equal(series.n, 9);
	assert_null(lost_mapping);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(registers_that_are_gone_end_it),
	    cmocka_unit_test(registers_that_stay_do_not),
	};

	return cmocka_run_group_tests_name("dma", tests, NULL, NULL);
}
