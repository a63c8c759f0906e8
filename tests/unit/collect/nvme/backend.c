/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options for commands and block ranges, without a device. */
#include "collect/nvme/nvme.h"
#include "rig/cmocka.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct backend nvme_backend;

/* The state of a backend that finds no such device, or the reason in `why`. */
static struct nvme_work
work_of(enum bench_id bench, const char *const *option, size_t n,
        const char *why)
{
	struct setting settings[4];
	struct bench of = {.id = bench};
	struct request request = {
	    .bench = &of, .device = "none", .options = {settings, n}};
	struct session s = {.request = &request};
	struct nvme_work work;

	for (size_t i = 0; i < n; i++) {
		settings[i].name = strdup(option[2 * i]);
		settings[i].value = option[2 * i + 1];
	}
	assert_false(nvme_backend.open(&s));
	assert_string_equal(s.failure.text, why);
	work = *(struct nvme_work *)s.state;
	nvme_backend.close(&s);
	assert_null(s.state);
	free(s.failure.text);
	for (size_t i = 0; i < n; i++)
		free(settings[i].name);
	return work;
}

static const char none[] =
    "-d 'nvme:none': name the device, as in nvme:03:00.0";

static void
only_bw_rd_writes(void **state)
{
	static const char *const reads[] = {"command", "read"};
	static const char *const writes[] = {"write", "yes", "blocks",
	                                     "8:1031"};
	struct nvme_work work;

	work = work_of(LAT_NVME, NULL, 0, none);
	assert_int_equal(work.opcode, NVME_GET_LOG_PAGE);
	assert_true(work.logs);
	work = work_of(LAT_NVME, reads, 1, none);
	assert_int_equal(work.opcode, NVME_READ);
	assert_false(work.logs);
	work = work_of(BW_WR, writes, 2, none);
	assert_int_equal(work.opcode, NVME_READ);
	assert_false(work.logs);
	work = work_of(BW_RD, writes, 2, none);
	assert_int_equal(work.opcode, NVME_WRITE);
	assert_false(work.logs);
	assert_int_equal(work.first, 8);
	assert_int_equal(work.last, 1031);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(only_bw_rd_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
