/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of other programs: refused, or rows that the reader accepts. */
#include "fuzz/reader.h"

#include "common/cli/option_table.h"
#include "import/formats.h"
#include "import/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The import, chosen by the first byte. */
static const struct way {
	const struct importer *importer;
	const char *label, *map, *scale;
} ways[] = {
    {&pciebench_importer, NULL, NULL, NULL},
    {&pciebench_importer, "link=gen3x8/mps256/mrrs512/rcb64", NULL, NULL},
    {&nettlp_importer, "bench=lat_rd", NULL, NULL},
    {&nettlp_importer, "bench=bw_rd", NULL, NULL},
    {&csv_importer, NULL, NULL, NULL},
    {&csv_importer, "host=a", "a=latency_ns,b=", "latency_ns=0.5"},
    {&nvbandwidth_importer, NULL, NULL, NULL},
    {&bandwidthtest_importer, NULL, NULL, NULL},
    {&p2ptest_importer, NULL, NULL, NULL},
    {&gdrcopy_importer, NULL, NULL, NULL},
    {&transferbench_importer, NULL, NULL, NULL},
    {&rocm_importer, NULL, NULL, NULL},
    {&perftest_importer, NULL, NULL, NULL},
    {&mlc_importer, NULL, NULL, NULL},
    {&fio_importer, NULL, NULL, NULL},
    {&xdma_importer, NULL, NULL, NULL},
    {&xdma_importer, "bench=bw_rd", NULL, NULL},
    {&qdma_importer, NULL, NULL, NULL},
    {&iostat_importer, NULL, NULL, NULL},
    {&pcm_iio_importer, NULL, NULL, NULL},
    {&nccl_importer, NULL, NULL, NULL},
    {&ucx_importer, NULL, NULL, NULL},
    {&hip_importer, NULL, NULL, NULL},
    {&gdsio_importer, NULL, NULL, NULL},
    {&nvbench_importer, NULL, NULL, NULL},
};

static void
count(const struct table *t, void *data)
{
	(void)t;
	++*(uintmax_t *)data;
}

/* Writes the rows to a file that becomes stdin. */
static void
write_rows(struct job *job)
{
	struct out o = {.format = FORMAT_CSV, .preamble = &job->preamble};
	int written = memfd_create("output", MFD_CLOEXEC);

	if (written < 0 || dup2(written, STDOUT_FILENO) < 0)
		abort();
	result_write(&job->result, &o);
	out_finish(&o, job->complete, &job->end);
	if (lseek(written, 0, SEEK_SET) || dup2(written, STDIN_FILENO) < 0)
		abort();
	close(written);
}

static void
must_be_read_again(struct job *job)
{
	uintmax_t rows = 0;
	struct table *t;

	write_rows(job);
	t = read_stdin(false, count, &rows);
	if (!t || rows != job->result.rows || t->ncols != job->result.ncols)
		abort();
	table_close(t);
}

static void
release(struct job *job)
{
	result_free(&job->result);
	labels_free(&job->labels);
	name_map_free(&job->map);
	name_map_free(&job->scale);
	preamble_free(&job->preamble);
	preamble_free(&job->end);
}

static const char *
add_pair(void *to, const char *text)
{
	return name_map_add(to, text);
}

static void
ask(struct job *job, const struct way *way)
{
	static char dash[] = "-";
	static char *const standard_input[] = {dash};

	*job =
	    (struct job){.file = standard_input, .nfiles = 1, .complete = true};
	if (way->label)
		labels_add(&job->labels, way->label);
	if (way->map)
		option_each_word(way->map, &job->map, add_pair);
	if (way->scale)
		option_each_word(way->scale, &job->scale, add_pair);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct job job;
	const struct way *way;

	if (!size)
		return 0;
	way = &ways[*bytes % ARRAY_LEN(ways)];
	set_stdin(bytes + 1, size - 1);
	is_reading = true;
	if (setjmp(refused)) {
		is_reading = false;
		free_as_exit();
		return 0;
	}
	ask(&job, way);
	import_read(&job, way->importer);
	is_reading = false;
	must_be_read_again(&job);
	release(&job);
	return 0;
}
