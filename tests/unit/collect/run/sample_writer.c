/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/run/sample_writer.h"
#include "rig/cmocka.h"

#include <sys/mman.h>
#include <unistd.h>

/* Captures stdout between redirect and its answer. */
static int stdout_before, output;

static void
redirect(void)
{
	fflush(stdout);
	stdout_before = dup(STDOUT_FILENO);
	output = memfd_create("stdout", MFD_CLOEXEC);
	assert_true(stdout_before >= 0 && output >= 0);
	assert_true(dup2(output, STDOUT_FILENO) >= 0);
}

static char *
written(void)
{
	off_t size;
	char *text;

	fflush(stdout);
	size = lseek(output, 0, SEEK_END);
	text = xcalloc((size_t)size + 1, 1);
	assert_int_equal(pread(output, text, (size_t)size, 0), size);
	dup2(stdout_before, STDOUT_FILENO);
	close(stdout_before);
	close(output);
	return text;
}

static void
assert_written(const char *wanted)
{
	char *got = written();

	assert_string_equal(got, wanted);
	free(got);
}

static char *default_id[NIDENTITY] = {
    [ID_HOST] = "h", [ID_RUN] = "1", [ID_BENCH] = "b"};

static struct series
series_of(const char *device)
{
	struct series series = {0};

	series_set(&series, ID_KIND, "measured");
	series_set(&series, ID_DEVICE, "%s", device);
	return series;
}

static void
free_series(struct series *series)
{
	for (size_t i = 0; i < NIDENTITY; i++)
		free(series->id[i]);
}

#define CFG_HEADER "host,run,kind,bench,device,link,parent,access,register"
#define DMA_HEADER                                                             \
	"host,run,kind,bench,device,link,interface,size_bytes,offset_bytes,"   \
	"window_bytes,pattern,cache,node,iommu,page_bytes"

static const struct labels no_labels;

/* All rows of one series, without the preamble. */
static void
write_rows(enum bench_id bench, struct series *series, const uint64_t *raw,
           size_t n, const struct labels *labels)
{
	struct sample_writer rows = {.bench = &benches[bench],
	                             .group = benches[bench].group,
	                             .labels = labels,
	                             .default_id = default_id,
	                             .format = FORMAT_CSV,
	                             .wide = true};
	struct preamble pre = {0};

	redirect();
	sample_writer_begin(&rows, &pre, true, series, 1);
	sample_writer_series(&rows, series);
	sample_writer_write(&rows, raw, n);
	sample_writer_finish(&rows, true, NULL);
}

TEST(a_row_is_identity_and_measures)
{
	static const uint64_t latencies[] = {0, 1, 1500, 123456, 20000};
	static const uint64_t total[] = {10, 640, 12800};
	static const uint64_t delays[] = {5000000000, 31360000, 49999999001,
	                                  16};
	static const uint64_t nothing[] = {1, 64, 0};
	struct series series = series_of("d");

	write_rows(RTD, &series, delays, 2, &no_labels);
	assert_written("host,run,kind,bench,device,link,cache,"
	               "launch_distance_ns,latency_ns\n"
	               "h,1,measured,b,d,,,5000000,31360\n"
	               "h,1,measured,b,d,,,49999999.001,0.016\n");
	series_set(&series, ID_PARENT, "p");
	series_set(&series, ID_SIZE, "64");
	write_rows(LAT_CFG, &series, latencies, 5, &no_labels);
	assert_written(CFG_HEADER ",latency_ns\n"
	                          "h,1,measured,b,d,,p,,,0\n"
	                          "h,1,measured,b,d,,p,,,0.001\n"
	                          "h,1,measured,b,d,,p,,,1.5\n"
	                          "h,1,measured,b,d,,p,,,123.456\n"
	                          "h,1,measured,b,d,,p,,,20\n");
	write_rows(LAT_RD, &series, latencies, 1, &no_labels);
	assert_written(DMA_HEADER ",latency_ns\n"
	                          "h,1,measured,b,d,,,64,,,,,,,,0\n");
	write_rows(BW_RD, &series, total, 1, &no_labels);
	assert_written(DMA_HEADER ",transfers,transferred_bytes,elapsed_ns,"
	                          "bandwidth_gbit_s\n"
	                          "h,1,measured,b,d,,,64,,,,,,,,10,640,12.8,"
	                          "400\n");
	/* Without time there is no bandwidth: an empty field. */
	write_rows(BW_WR, &series, nothing, 1, &no_labels);
	assert_written(DMA_HEADER ",transfers,transferred_bytes,elapsed_ns,"
	                          "bandwidth_gbit_s\n"
	                          "h,1,measured,b,d,,,64,,,,,,,,1,64,0,\n");
	write_rows(LAT_CFG, &series, latencies, 0, &no_labels);
	assert_written(CFG_HEADER ",latency_ns\n");
	free_series(&series);
}

#define JSON_KEYS                                                              \
	"{\"host\":\"a\\\"b\",\"run\":1,\"kind\":\"measured\",\"bench\":"      \
	"\"b\","                                                               \
	"\"device\":\"d\",\"link\":null,"

TEST(what_needs_quotes_gets_them)
{
	static const struct {
		const char *host, *field;
	} cases[] = {
	    {"a,b", "\"a,b\""},   {"a\"b", "\"a\"\"b\""}, {"#1", "\"#1\""},
	    {"a\nb", "\"a\nb\""}, {"a#", "a#"},           {"", ""},
	    {"\"", "\"\"\"\""},   {" a ", " a "},
	};
	static const uint64_t raw[] = {5000};
	struct series series = series_of("#d");

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *wanted = xasprintf(
		    CFG_HEADER ",latency_ns\n%s,1,measured,b,#d,,,,,5\n",
		    cases[i].field);

		series_set(&series, ID_HOST, "%s", cases[i].host);
		write_rows(LAT_CFG, &series, raw, 1, &no_labels);
		assert_written(wanted);
		free(wanted);
	}
	free_series(&series);
}

/* More than a buffer holds, and identities longer than a buffer. */
TEST(long_series_and_long_identities)
{
	static const size_t lengths[] = {1, 100, 60000, 70000, 300000};
	static uint64_t raw[10000];

	for (size_t i = 0; i < ARRAY_LEN(raw); i++)
		raw[i] = i * 1000;
	for (size_t k = 0; k < ARRAY_LEN(lengths); k++) {
		size_t n = k < 2 ? ARRAY_LEN(raw) : 20;
		char *text = xcalloc(lengths[k] + 1, 1);
		struct series series = series_of("d");
		struct labels labels = {0};
		char *note, *wanted = NULL;
		size_t size;
		FILE *f = open_memstream(&wanted, &size);

		memset(text, 'x', lengths[k]);
		fprintf(f, CFG_HEADER ",note,latency_ns\n");
		for (size_t i = 0; i < n; i++)
			fprintf(f, "h,1,measured,b,d,,,,,%s,%zu\n", text, i);
		fclose(f);
		note = xasprintf("note=%s", text);
		labels_add(&labels, note);
		write_rows(LAT_CFG, &series, raw, n, &labels);
		assert_written(wanted);
		free_series(&series);
		labels_free(&labels);
		free(note);
		free(wanted);
		free(text);
	}
}

TEST(every_bench_prints_within_its_room)
{
	static const uint64_t most[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX,
	                                UINT64_MAX};
	static const uint64_t odd[] = {UINT64_MAX, UINT64_MAX, 1, 1};

	for (size_t i = 0; i < NBENCHES; i++) {
		char to[MEASURES_MAX];

		assert_int_equal(benches[i].id, i);
		assert_true(benches[i].width <= ARRAY_LEN(most));
		assert_true(benches[i].nmeasures <=
		            ARRAY_LEN(benches[i].measures));
		assert_true(sample_print(&benches[i], to, most) <=
		            to + MEASURES_MAX);
		assert_true(sample_print(&benches[i], to, odd) <=
		            to + MEASURES_MAX);
		assert_ptr_equal(find_bench(benches[i].name), &benches[i]);
	}
	assert_null(find_bench("lat"));
	assert_null(find_bench(""));
}
