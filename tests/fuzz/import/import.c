/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of other programs: refused, or rows that the reader accepts. */
#include "fuzz/reader.h"

#include "import/formats.h"
#include "import/text.h"

/* The import, chosen by the first byte. */
static const struct way {
	const struct importer *importer;
	const char *label;
	bool mapped;
} ways[] = {
    {&pciebench_importer, NULL, false},
    {&pciebench_importer, "link=gen3x8/mps256/mrrs512/rcb64", false},
    {&nettlp_importer, "bench=lat_rd", false},
    {&nettlp_importer, "bench=bw_rd", false},
    {&csv_importer, NULL, false},
    {&csv_importer, "host=a", true},
    {&nvbandwidth_importer, NULL, false},
    {&bandwidthtest_importer, NULL, false},
    {&p2ptest_importer, NULL, false},
    {&gdrcopy_importer, NULL, false},
    {&transferbench_importer, NULL, false},
    {&rocm_importer, NULL, false},
    {&perftest_importer, NULL, false},
    {&mlc_importer, NULL, false},
    {&fio_importer, NULL, false},
    {&xdma_importer, NULL, false},
    {&xdma_importer, "bench=bw_rd", false},
    {&qdma_importer, NULL, false},
    {&iostat_importer, NULL, false},
    {&pcm_iio_importer, NULL, false},
    {&nccl_importer, NULL, false},
    {&ucx_importer, NULL, false},
    {&hip_importer, NULL, false},
    {&gdsio_importer, NULL, false},
    {&nvbench_importer, NULL, false},
};

static void
count(const struct table *t, void *data)
{
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
	preamble_free(&job->map);
	preamble_free(&job->scale);
	preamble_free(&job->preamble);
	preamble_free(&job->end);
}

static void
ask(struct job *job, const struct way *way)
{
	*job = (struct job){.file = lines_stdin, .nfiles = 1, .complete = true};
	if (way->label)
		labels_add(&job->labels, way->label);
	if (way->mapped) {
		preamble_set(&job->map, "a", "latency_ns");
		preamble_set(&job->map, "b", "%s", "");
		preamble_set(&job->scale, "latency_ns", "0.5");
	}
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
	if (setjmp(refused))
		return free_as_exit();
	ask(&job, way);
	import_read(&job, way->importer);
	is_reading = false;
	must_be_read_again(&job);
	release(&job);
	return 0;
}
