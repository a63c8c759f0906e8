/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options for commands and block ranges, without a device. */
#include "collect/nvme/nvme.h"
#include "rig/cmocka.h"

extern const struct backend nvme_backend;

/* The state of a backend that finds no such device, or refuses an option. */
static struct nvme_work
work_of(enum bench_id bench, const char *const *option, size_t n, bool good)
{
	struct setting settings[4];
	struct bench of = {.id = bench};
	struct request request = {
	    .bench = &of, .device = "none", .options = {settings, n}};
	struct nvme_work state = {0}, work;
	struct session s = {.request = &request, .state = &state};

	for (size_t i = 0; i < n; i++) {
		settings[i].name = strdup(option[2 * i]);
		settings[i].value = option[2 * i + 1];
	}
	assert_false(nvme_backend.open(&s));
	assert_int_equal(!strstr(s.failure.text, "-d 'nvme:none'"), !good);
	work = state;
	nvme_backend.close(&s);
	free(s.failure.text);
	for (size_t i = 0; i < n; i++)
		free(settings[i].name);
	return work;
}

TEST(only_bw_rd_writes)
{
	static const char *const reads[] = {"command", "read"};
	static const char *const writes[] = {"write", "yes", "blocks",
	                                     "8:1031"};
	struct nvme_work work;

	work = work_of(LAT_NVME, NULL, 0, true);
	assert_int_equal(work.opcode, NVME_GET_LOG_PAGE);
	assert_true(work.logs);
	work = work_of(LAT_NVME, reads, 1, true);
	assert_int_equal(work.opcode, NVME_READ);
	assert_false(work.logs);
	work = work_of(BW_WR, writes, 2, true);
	assert_int_equal(work.opcode, NVME_READ);
	assert_false(work.logs);
	work = work_of(BW_RD, writes, 2, true);
	assert_int_equal(work.opcode, NVME_WRITE);
	assert_false(work.logs);
	assert_int_equal(work.first, 8);
	assert_int_equal(work.last, 1031);
}

/* Without a device; the others are refused for want of one. */
TEST(options_are_refused_before_the_device_is_opened)
{
	static const struct {
		enum bench_id bench;
		size_t n;
		const char *option[4];
		bool good;
	} rows[] = {
	    {BW_RD, 0, {0}, false},
	    {BW_RD, 2, {"write", "no", "blocks", "8:9"}, false},
	    {BW_RD, 2, {"write", "maybe", "blocks", "8:9"}, false},
	    {BW_RD, 1, {"write", "yes"}, false},
	    {BW_RD, 2, {"write", "yes", "blocks", "9:9"}, true},
	    {BW_RD, 2, {"write", "yes", "blocks", "9:8"}, false},
	    {LAT_NVME, 1, {"blocks", "9"}, false},
	    {LAT_NVME, 1, {"blocks", "x:9"}, false},
	    {LAT_NVME, 1, {"blocks", "9:x"}, false},
	    {LAT_NVME, 1, {"command", "x"}, false},
	    {BW_WR, 1, {"command", "log"}, false},
	    {BW_WR, 1, {"depth", "0"}, false},
	    {BW_WR, 1, {"depth", "1024"}, false},
	    {BW_WR, 1, {"depth", "1023"}, true},
	    {BW_WR, 1, {"pairs", "0"}, false},
	    {BW_WR, 1, {"namespace", "0"}, false},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		work_of(rows[i].bench, rows[i].option, rows[i].n, rows[i].good);
}
