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
static struct pmu_counters
five(struct pmu_counter counter[5])
{
	memset(&fake, 0, sizeof fake);
	fake.fits = 4;
	for (size_t i = 0; i < 5; i++)
		counter[i] = (struct pmu_counter){
		    .type = 30, .together = i / 3, .config.word = {i + 1}};
	return (struct pmu_counters){
	    .calls = &fake_kernel, .counter = counter, .n = 5};
}

TEST(what_belongs_together_is_a_group)
{
	static const int groups[] = {-1, 0, 0, -1, 3};
	struct pmu_counter counter[5];
	struct pmu_counters c = five(counter);
	size_t at;

	assert_true(pmu_open(&c, &at));
	assert_memory_equal(fake.group, groups, sizeof groups);
	assert_true(pmu_start(&c, &at));
	assert_int_equal(fake.nenabled, 2);
	pmu_close(&c);
	assert_int_equal(fake.nclosed, 5);
}

/* As many as are read at once, even if the kernel accepts more. */
TEST(groups_are_of_sixteen)
{
	struct pmu_counter counter[PMU_GROUP_MAX + 2] = {{0}};
	struct pmu_counters c = {
	    .calls = &fake_kernel, .counter = counter, .n = PMU_GROUP_MAX + 2};
	struct pmu_reading to[PMU_GROUP_MAX + 2];
	size_t at;

	memset(&fake, 0, sizeof fake);
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
TEST(all_words_of_an_event_are_given)
{
	struct pmu_counter counter = {
	    .type = 30, .cpu = 2, .config.word = {11, 22, 33}};
	struct pmu_counters c = {
	    .calls = &fake_kernel, .counter = &counter, .n = 1};
	size_t at;

	memset(&fake, 0, sizeof fake);
	assert_true(pmu_open(&c, &at));
	assert_int_equal(fake.attr.type, 30);
	assert_int_equal(fake.attr.config, 11);
	assert_int_equal(fake.attr.config1, 22);
	assert_int_equal(fake.attr.config2, 33);
	pmu_close(&c);
}

TEST(groups_that_do_not_fit_are_split)
{
	static const int groups[] = {-1, 0, -1, -1, 3};
	struct pmu_counter counter[5];
	struct pmu_counters c = five(counter);
	struct pmu_reading to[5];
	size_t at;

	fake.fits = 2;
	assert_true(pmu_open(&c, &at));
	assert_memory_equal(fake.group, groups, sizeof groups);
	assert_true(pmu_read(&c, to, &at));
	/* The third one leads a group, which was read in the second round. */
	assert_int_equal(to[1].value, 101);
	assert_int_equal(to[2].value, 200);
	pmu_close(&c);
}

TEST(some_drivers_say_enospc_of_a_full_group)
{
	static const int groups[] = {-1, 0, -1, -1, 3};
	struct pmu_counter counter[5];
	struct pmu_counters c = five(counter);
	size_t at;

	fake.fits = 2;
	fake.full = ENOSPC;
	assert_true(pmu_open(&c, &at));
	assert_memory_equal(fake.group, groups, sizeof groups);
	pmu_close(&c);
}

TEST(other_cpus_are_other_groups)
{
	struct pmu_counter counter[5];
	struct pmu_counters c = five(counter);
	size_t at;

	counter[1].cpu = counter[2].cpu = 2;
	assert_true(pmu_open(&c, &at));
	assert_int_equal(fake.group[1], -1);
	assert_int_equal(fake.group[2], 1);
	pmu_close(&c);
}

TEST(readings_are_differences)
{
	struct pmu_counter counter[5];
	struct pmu_counters c = five(counter);
	struct pmu_reading to[5];
	size_t at;

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

TEST(refused_events_are_left_out)
{
	struct pmu_counter counter[5];
	struct pmu_counters c = five(counter);
	struct pmu_reading to[5];
	size_t at;

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

TEST(failures_say_where)
{
	static const int errors[] = {EACCES, EPERM, EMFILE, ENODEV};
	struct pmu_counter counter[5];
	size_t at;

	for (size_t i = 0; i < ARRAY_LEN(errors); i++) {
		struct pmu_counters c = five(counter);

		fake.error = errors[i];
		fake.fail_at = 3;
		assert_false(pmu_open(&c, &at));
		assert_int_equal(errno, errors[i]);
		assert_int_equal(at, 3);
		pmu_close(&c);
		assert_int_equal(fake.nclosed, 3);
	}
}

TEST(a_cpu_that_goes_is_no_count)
{
	struct pmu_counter counter[5];
	struct pmu_counters c = five(counter);
	struct pmu_reading to[5];
	size_t at;

	assert_true(pmu_open(&c, &at));
	fake.short_read = -1;
	assert_false(pmu_read(&c, to, &at));
	assert_int_equal(errno, ENODEV);
	fake.short_read = 8;
	assert_false(pmu_read(&c, to, &at));
	assert_int_equal(errno, EIO);
	pmu_close(&c);
}
