/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options for commands and block ranges, without a device. */
#include "collect/nvme/nvme.h"
#include "rig/cmocka.h"

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
	struct nvme_work state = {0}, work;
	struct session s = {.request = &request, .state = &state};

	for (size_t i = 0; i < n; i++) {
		settings[i].name = strdup(option[2 * i]);
		settings[i].value = option[2 * i + 1];
	}
	assert_false(nvme_backend.open(&s));
	assert_string_equal(s.failure.text, why);
	work = state;
	nvme_backend.close(&s);
	free(s.failure.text);
	for (size_t i = 0; i < n; i++)
		free(settings[i].name);
	return work;
}

static const char none[] =
    "-d 'nvme:none': name the device, as in nvme:03:00.0";

TEST(only_bw_rd_writes)
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

/* What no device is needed for to refuse it, or `none`. */
TEST(options_are_refused_before_the_device_is_opened)
{
	static const char consent[] =
	    "bw_rd makes the controller write to the disk: -O write=yes -O "
	    "blocks=FIRST:LAST lets it overwrite those blocks, and their data "
	    "is lost";
	static const struct {
		enum bench_id bench;
		size_t n;
		const char *option[6], *why;
	} rows[] = {
	    {BW_RD, 0, {0}, consent},
	    {BW_RD, 2, {"write", "no", "blocks", "8:9"}, consent},
	    {BW_RD,
	     2,
	     {"write", "maybe", "blocks", "8:9"},
	     "-O write=maybe: not yes or no"},
	    {BW_RD,
	     1,
	     {"write", "yes"},
	     "-O write=yes: name the blocks that may be overwritten: -O "
	     "blocks=FIRST:LAST"},
	    {BW_RD, 2, {"write", "yes", "blocks", "9:9"}, none},
	    {BW_RD,
	     2,
	     {"write", "yes", "blocks", "9:8"},
	     "-O blocks=9:8: the first block is after the last"},
	    {LAT_NVME,
	     1,
	     {"blocks", "9"},
	     "-O blocks=9: not FIRST:LAST or all"},
	    {LAT_NVME,
	     1,
	     {"blocks", "x:9"},
	     "-O blocks=x:9: not a whole number such as 42"},
	    {LAT_NVME,
	     1,
	     {"blocks", "9:x"},
	     "-O blocks=9:x: not a whole number such as 42"},
	    {LAT_NVME, 1, {"command", "x"}, "-O command=x: not log or read"},
	    {BW_WR, 1, {"command", "log"}, "-O command=log: only for lat_nvme"},
	    {LAT_NVME,
	     1,
	     {"depth", "2"},
	     "-O depth=2: only for bandwidth benches"},
	    {LAT_NVME,
	     1,
	     {"pairs", "1"},
	     "-O pairs=1: only for bandwidth benches"},
	    {BW_WR, 1, {"depth", "0"}, "-O depth=0: not within 1 to 1023"},
	    {BW_WR,
	     1,
	     {"depth", "1024"},
	     "-O depth=1024: not within 1 to 1023"},
	    {BW_WR, 1, {"depth", "1023"}, none},
	    {BW_WR, 1, {"pairs", "0"}, "-O pairs=0: not within 1 to 64"},
	    {BW_WR,
	     1,
	     {"namespace", "0"},
	     "-O namespace=0: not within 1 to 4294967294"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		work_of(rows[i].bench, rows[i].option, rows[i].n, rows[i].why);
}
