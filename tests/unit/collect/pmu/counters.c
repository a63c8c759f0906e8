/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters in groups, on a fake kernel. */
#include "collect/pmu/pmu.h"

#include "rig/cmocka.h"
#include "rig/support.h"

#define FDS 64

static struct {
	int nfds, nclosed, nenabled;
	int group[FDS];   /* arguments of open */
	int members[FDS]; /* per leader */
	int fits;         /* most in one group */
	int full;         /* error for one more; 0: EINVAL */
	uint64_t refused; /* an event refused on its own */
	int fail_at, error;
	ssize_t short_read;          /* missing bytes; -1: all */
	uint64_t round;              /* readings so far */
	bool miscounts;              /* reports other members */
	struct perf_event_attr attr; /* of the latest event */
} fake;

static int
fake_open(struct perf_event_attr *attr, int cpu, int group)
{
	assert_true(cpu == 0 || cpu == 2);
	assert_int_equal(attr->read_format, PERF_FORMAT_GROUP |
	                                        PERF_FORMAT_TOTAL_TIME_ENABLED |
	                                        PERF_FORMAT_TOTAL_TIME_RUNNING);
	assert_int_equal(attr->disabled, group < 0);
	fake.attr = *attr;
	errno = fake.error;
	if (fake.error && fake.nfds == fake.fail_at)
		return -1;
	errno = fake.full ? fake.full : EINVAL;
	if (group >= 0 && fake.members[group] >= fake.fits)
		return -1;
	errno = EINVAL;
	if (fake.refused && attr->config == fake.refused)
		return -1;
	assert_in_range(fake.nfds, 0, FDS - 1);
	fake.group[fake.nfds] = group;
	fake.members[fake.nfds] = 1;
	if (group >= 0)
		fake.members[group]++;
	return fake.nfds++;
}

static int
fake_enable(int fd)
{
	assert_int_equal(fake.group[fd], -1);
	fake.nenabled++;
	return 0;
}

/* Member i counts 100 + i per round; it misses half of the time. */
static ssize_t
fake_read(int fd, void *to, size_t size)
{
	uint64_t buffer[3 + PMU_GROUP_MAX];
	size_t members = (size_t)fake.members[fd];

	assert_int_equal(size, (3 + members) * sizeof *buffer);
	if (fake.short_read < 0)
		return 0;
	fake.round++;
	buffer[0] = members + fake.miscounts;
	buffer[1] = 1000 * fake.round;
	buffer[2] = 500 * fake.round;
	for (size_t i = 0; i < members; i++)
		buffer[3 + i] = (100 + i) * fake.round;
	memcpy(to, buffer, size);
	return (ssize_t)size - fake.short_read;
}

static int
fake_close(int fd)
{
	fake.nclosed++;
	return 0;
}

static const struct pmu_calls fake_kernel = {
    .open = fake_open,
    .enable = fake_enable,
    .read = fake_read,
    .close = fake_close,
};

/* Five events: groups of three and of two. */
static struct pmu_counter counter[PMU_GROUP_MAX + 2];
static struct pmu_reading to[ARRAY_LEN(counter)];
static struct pmu_counters c;
static size_t at;

static int
begin(void **state)
{
	memset(&fake, 0, sizeof fake);
	fake.fits = 4;
	memset(counter, 0, sizeof counter);
	for (size_t i = 0; i < 5; i++)
		counter[i] = (struct pmu_counter){
		    .type = 30, .together = i / 3, .config.word = {i + 1}};
	c = (struct pmu_counters){
	    .calls = &fake_kernel, .counter = counter, .n = 5};
	return 0;
}

TEST_IN(what_belongs_together_is_a_group, begin, NULL)
{
	static const int groups[] = {-1, 0, 0, -1, 3};

	assert_true(pmu_open(&c, &at));
	assert_memory_equal(fake.group, groups, sizeof groups);
	assert_true(pmu_start(&c, &at));
	assert_int_equal(fake.nenabled, 2);
	pmu_close(&c);
	assert_int_equal(fake.nclosed, 5);
}

/* As many as are read at once, even if the kernel accepts more. */
TEST_IN(groups_are_of_sixteen, begin, NULL)
{
	memset(counter, 0, sizeof counter);
	c.n = PMU_GROUP_MAX + 2;
	fake.fits = FDS;
	assert_true(pmu_open(&c, &at));
	assert_int_equal(fake.members[0], PMU_GROUP_MAX);
	assert_int_equal(fake.members[PMU_GROUP_MAX], 2);
	assert_true(pmu_read(&c, to, &at));
	assert_int_equal(to[PMU_GROUP_MAX - 1].value, 99 + PMU_GROUP_MAX);
	assert_int_equal(to[PMU_GROUP_MAX + 1].value, 202);
	fake.miscounts = true;
	assert_false(pmu_read(&c, to, &at));
	assert_int_equal(errno, EIO);
	assert_int_equal(at, 0);
	pmu_close(&c);
}

/* Filters of an event are in the other config words. */
TEST_IN(all_words_of_an_event_are_given, begin, NULL)
{
	*counter = (struct pmu_counter){
	    .type = 30, .cpu = 2, .config.word = {11, 22, 33}};
	c.n = 1;
	assert_true(pmu_open(&c, &at));
	assert_int_equal(fake.attr.type, 30);
	assert_int_equal(fake.attr.config, 11);
	assert_int_equal(fake.attr.config1, 22);
	assert_int_equal(fake.attr.config2, 33);
	pmu_close(&c);
}

TEST_IN(groups_that_do_not_fit_are_split, begin, NULL)
{
	static const int groups[] = {-1, 0, -1, -1, 3};

	fake.fits = 2;
	assert_true(pmu_open(&c, &at));
	assert_memory_equal(fake.group, groups, sizeof groups);
	assert_true(pmu_read(&c, to, &at));
	/* The third one leads a group, which was read in the second round. */
	assert_int_equal(to[1].value, 101);
	assert_int_equal(to[2].value, 200);
	pmu_close(&c);
}

TEST_IN(some_drivers_say_enospc_of_a_full_group, begin, NULL)
{
	static const int groups[] = {-1, 0, -1, -1, 3};

	fake.fits = 2;
	fake.full = ENOSPC;
	assert_true(pmu_open(&c, &at));
	assert_memory_equal(fake.group, groups, sizeof groups);
	pmu_close(&c);
}

TEST_IN(other_cpus_are_other_groups, begin, NULL)
{
	counter[1].cpu = counter[2].cpu = 2;
	assert_true(pmu_open(&c, &at));
	assert_int_equal(fake.group[1], -1);
	assert_int_equal(fake.group[2], 1);
	pmu_close(&c);
}

TEST_IN(readings_are_differences, begin, NULL)
{
	assert_true(pmu_open(&c, &at));
	assert_true(pmu_read(&c, to, &at));
	assert_true(pmu_read(&c, to, &at));
	/* Rounds 1 and 3 read the first group, 2 and 4 the second one. */
	assert_int_equal(to[0].value, 2 * 100);
	assert_int_equal(to[2].value, 2 * 102);
	assert_int_equal(to[4].value, 2 * 101);
	assert_int_equal(to[2].enabled, 2000);
	assert_int_equal(to[2].running, 1000);
	pmu_close(&c);
}

TEST_IN(refused_events_are_left_out, begin, NULL)
{
	fake.refused = 2;
	assert_true(pmu_open(&c, &at));
	assert_int_equal(c.nrefused, 1);
	assert_int_equal(counter[1].fd, -1);
	assert_int_equal(fake.group[1], 0);
	assert_true(pmu_read(&c, to, &at));
	assert_int_equal(to[1].value, 0);
	assert_int_equal(to[2].value, 101);
	pmu_close(&c);
	assert_int_equal(fake.nclosed, 4);
}

TEST_IN(failures_say_where, begin, NULL)
{
	static const int errors[] = {EACCES, EPERM, EMFILE, ENODEV};

	for (size_t i = 0; i < ARRAY_LEN(errors); i++) {
		begin(NULL);
		fake.error = errors[i];
		fake.fail_at = 3;
		assert_false(pmu_open(&c, &at));
		assert_int_equal(errno, errors[i]);
		assert_int_equal(at, 3);
		pmu_close(&c);
		assert_int_equal(fake.nclosed, 3);
	}
}

TEST_IN(a_cpu_that_goes_is_no_count, begin, NULL)
{
	assert_true(pmu_open(&c, &at));
	fake.short_read = -1;
	assert_false(pmu_read(&c, to, &at));
	assert_int_equal(errno, ENODEV);
	fake.short_read = 8;
	assert_false(pmu_read(&c, to, &at));
	assert_int_equal(errno, EIO);
	pmu_close(&c);
}
