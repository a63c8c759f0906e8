/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of programs of NVIDIA, for GPUs. */
#include "import/text.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <ctype.h>

/* nvbandwidth -------------------------------------------------------------- */

/*
 * Output of NVIDIA's nvbandwidth, text and JSON. A test has a matrix; its
 * description names the unit, and whether rows are CPUs or GPUs.
 */

#define TEST_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789_"

struct nvbandwidth {
	struct gpu_names gpus;
	char test[64];
	char unit[16];
	char part[16];      /* of a test with several matrices: "_read1" */
	bool from_gpu;      /* rows of the matrix are GPUs */
	bool titled;        /* the numbers of its columns were read */
	char described[64]; /* the matrix before, of the same test, */
	bool parted;        /* which is one of several */
	bool awaited;       /* the test has no row yet */
	bool fused;
};

static void
nvbandwidth_take_cell(struct text *t, const char *row, const char *column,
                      const char *value)
{
	struct nvbandwidth *n = t->state;
	char bench[sizeof n->test + sizeof n->part];
	char way[4], end;
	bool read =
	    sscanf(n->test, "host_to_device_memcpy_%3[a-z]%c", way, &end) == 1;
	/* A copy over the link in one direction. */
	bool copy = !n->fused &&
	            (read || sscanf(n->test, "device_to_host_memcpy_%3[a-z]%c",
	                            way, &end) == 1);

	snprintf(bench, sizeof bench, "%s%s",
	         copy       ? read ? "bw_rd" : "bw_wr"
	         : *n->test ? n->test
	                    : "nvbandwidth",
	         n->part);
	text_row(t, bench, gpu_name(t, &n->gpus, column));
	if (copy)
		text_set(t, "interface", way);
	if (n->from_gpu)
		text_set(t, "peer", gpu_name(t, &n->gpus, row));
	else if (strcmp(row, "0") != 0)
		text_set(t, "cpu", row);
	text_cell(t, is_time_unit(n->unit) ? "mean_ns" : "bandwidth_gbit_s",
	          n->unit, value);
	text_end_row(t);
}

/*
 * A test has one matrix or several parts, "_read1" first: others have lost the
 * name of their test. A matrix without it is told apart by its description.
 */
static void
name_matrix(struct text *t, int length)
{
	struct nvbandwidth *n = t->state;
	char text[sizeof n->described];
	size_t end = strlen(n->part);

	snprintf(text, sizeof text, "%.*s", length, t->line);
	if (*n->described && (!end || !n->parted || n->part[end - 1] == '1'))
		*n->test = '\0';
	n->parted = end;
	text_mode(t, "test", *n->test ? NULL : text);
	snprintf(n->described, sizeof n->described, "%s", text);
}

/*
 * "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)"; "GPU(column) Read1
 * bandwidth" names the part "_read1" of the test. Else false.
 */
static bool
take_description(struct text *t)
{
	static const char column[] = "(column) ";
	struct nvbandwidth *n = t->state;
	const char *unit = strrchr(t->line, '(');
	const char *part = strstr(t->line, column);
	char product[DECIMAL_MAX];
	size_t length;

	if (!part ||
	    (!strstr(t->line, "(row)") && !text_begins(t, "memcpy local ")))
		return false;
	unit = unit ? unit + 1 : "";
	snprintf(n->unit, sizeof n->unit, "%.*s", (int)strcspn(unit, ")"),
	         unit);
	if (scale_unit("1", n->unit, product))
		text_die(t, "unit '%s': unknown", n->unit);
	part += strlen(column);
	length = strcspn(part, " ");
	n->part[0] = '\0';
	if (!strncmp(part + length, " bandwidth", 10))
		snprintf(n->part, sizeof n->part, "_%.*s", (int)length, part);
	for (char *c = n->part; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	n->from_gpu = strstr(t->line, "GPU(row)");
	n->titled = false;
	if (text_begins(t, "memcpy local "))
		warn("%s:%ju: copies within a GPU, not over PCIe", t->in.file,
		     t->in.line);
	if (!strstr(t->line, "GPU(column)"))
		text_die(t, "columns that are not GPUs: '%s'", t->line);
	name_matrix(t, (int)(strrchr(t->line, '(') - t->line));
	text_close(t);
	return true;
}

/*
 * "Device 0: NAME (ADDRESS)"; early versions have no address. With several
 * nodes, "Process 2 (HOST): device 0: NAME (ADDRESS)", and 2 is in matrices.
 */
static bool
take_device(struct text *t)
{
	struct nvbandwidth *n = t->state;
	const char *address = strrchr(t->line, '(');
	const char *number = text_after(t, "Device ");
	char host[64], digits[5];
	uint64_t gpu;

	n->fused = n->fused || is_fused(t->line);
	if (number)
		return gpu_take(&n->gpus, number, address ? address + 1 : NULL);
	number = text_after(t, "Process ");
	if (!number ||
	    sscanf(number, "%4[0-9] (%63[^)]): device", digits, host) != 2 ||
	    parse_integer(digits, &gpu) || gpu >= GPUS_MAX ||
	    !gpu_take(&n->gpus, number, address + 1))
		return false;
	if (*n->gpus.name[gpu]) {
		char *name = xasprintf("%s/%s", host, n->gpus.name[gpu]);

		snprintf(n->gpus.name[gpu], GPU_NAME_MAX, "%s", name);
		free(name);
	}
	return true;
}

static void
end_test(struct text *t)
{
	struct nvbandwidth *n = t->state;

	if (!n->awaited)
		return;
	warn("%s: no result of the test %s", t->in.file, n->test);
	t->job->complete = n->awaited = false;
}

static bool
nvbandwidth_take_line(struct text *t)
{
	struct nvbandwidth *n = t->state;
	const char *test = text_after(t, "Running ");
	size_t length = test ? strspn(test, TEST_CHARACTERS) : 0;
	bool row;

	if (length && !test[length + (test[length] == '.')]) {
		if (length >= sizeof n->test)
			text_die(t, "the name of the test is too long");
		end_test(t);
		n->awaited = true;
		snprintf(n->test, sizeof n->test, "%.*s", (int)length, test);
		n->unit[0] = n->described[0] = '\0';
		text_modes_clear(t);
		text_close(t);
		return true;
	}
	if (text_begins(t, "Device ") || text_begins(t, "Process "))
		return take_device(t);
	if (take_description(t))
		return true;
	if (*n->unit && !n->titled && text_is_numbers(t)) {
		text_open_matrix(t, 0);
		n->titled = true;
		return true;
	}
	row = text_matrix_row(t, nvbandwidth_take_cell);
	n->awaited &= !row && strncasecmp(t->line, "waived:", 7) != 0;
	return row;
}

static void
take_as_line(struct text *t, char *line)
{
	text_use(t, line);
	if (!nvbandwidth_take_line(t))
		text_die(t, "not of nvbandwidth: '%s'", line);
	free(line);
}

/* As lines of the text. A waived or failed test has no matrix. */
static void
take_json_test(struct text *t, const json_t *test)
{
	const json_t *matrix = json_object_get(test, "bandwidth_matrix");
	const char *name = json_string_value(
	    text_member(t, test, "testcases", "name", JSON_STRING));
	const char *status = json_string_value(json_object_get(test, "status"));
	char *line = NULL;

	if (!matrix && status && !strcmp(status, "Waived"))
		return;
	take_as_line(t, xasprintf("Running %s.", name));
	if (!matrix)
		return;
	take_as_line(
	    t, xstrdup(json_string_value(text_member(
	           t, test, name, "bandwidth_description", JSON_STRING))));
	for (size_t i = 0; i < json_array_size(json_array_get(matrix, 0)); i++)
		xappend(&line, " ", "%zu", i);
	take_as_line(t, line ? line : xstrdup("?"));
	for (size_t i = 0; i < json_array_size(matrix); i++) {
		const json_t *row = json_array_get(matrix, i);

		line = xasprintf("%zu", i);
		for (size_t k = 0; k < json_array_size(row); k++) {
			const char *value =
			    json_string_value(json_array_get(row, k));

			xappend(&line, " ", "%s", value ? value : "?");
		}
		take_as_line(t, line);
	}
}

/* "0: NAME (ADDRESS): (HOST)", as "Device 0: NAME (ADDRESS)". */
static void
take_json_device(struct text *t, const char *device)
{
	const char *host = device ? strstr(device, "): (") : NULL;
	char *line = xasprintf("Device %s", device ? device : "");

	if (host)
		line[strlen("Device ") + (size_t)(host - device) + 1] = '\0';
	text_use(t, line);
	take_device(t);
	free(line);
}

static bool
take_json(struct text *t, const json_t *root)
{
	const json_t *all = json_object_get(root, "nvbandwidth");
	const json_t *devices = json_object_get(all, "GPU Device list");
	const json_t *tests;

	if (!all)
		return false;
	for (size_t i = 0; i < json_array_size(devices); i++)
		take_json_device(t,
		                 json_string_value(json_array_get(devices, i)));
	tests = text_member(t, all, "nvbandwidth", "testcases", JSON_ARRAY);
	for (size_t i = 0; i < json_array_size(tests); i++)
		take_json_test(t, json_array_get(tests, i));
	return true;
}

const struct importer nvbandwidth_importer = {
    .name = "nvbandwidth",
    .help = "NVIDIA's nvbandwidth, its text or JSON",
    .words = (const char *const[]){"nvbandwidth", "_memcpy_", "GPU(column)",
                                   "device_local_copy", NULL},
    .needs = "a description such as 'memcpy CE CPU(row) -> GPU(column) "
             "bandwidth (GB/s)' and a matrix",
    .take_line = nvbandwidth_take_line,
    .take_json = take_json,
    .end = end_test,
    .unsized = "the default is 536870912",
    .state_size = sizeof(struct nvbandwidth),
};

/* bandwidthTest ------------------------------------------------------------ */

/* Output of bandwidthTest of the CUDA samples, text or CSV. */

/* What names the kind of memory: lines, ends of titles, and names in CSV. */
static const struct text_phrase bandwidthtest_memories[] = {
    {"PINNED Memory Transfers", NULL, NULL},
    {"PAGEABLE Memory Transfers", NULL, NULL},
    {"Write-Combined Memory Writes are Enabled", "memory", "write-combined"},
    {", Pinned memory", NULL, NULL},
    {", Paged memory", NULL, NULL},
    {", direct access", NULL, NULL},
    {", Write-Combined Memory Enabled", "memory", "write-combined"},
    {"-Pinned", NULL, NULL},
    {"-Paged", NULL, NULL},
    {"-WriteCombined", "memory", "write-combined"},
};

static void
bandwidthtest_take_memory(struct text *t, const char *words, const char *end)
{
	text_heading(t, words, end, bandwidthtest_memories,
	             ARRAY_LEN(bandwidthtest_memories));
}

/* Copies, as named in the text and in the CSV. */
static const struct memory_copy {
	const char *text;
	const char *csv;
	const char *pinned;   /* copy over the link by the GPU's copy engine */
	const char *fused;    /* the same without a link */
	const char *pageable; /* copy that involves the CPU */
} bandwidthtest_copies[] = {
    {"Host to Device Bandwidth", "H2D", "bw_rd", "cuda_h2d",
     "cuda_h2d_pageable"},
    {"Device to Host Bandwidth", "D2H", "bw_wr", "cuda_d2h",
     "cuda_d2h_pageable"},
    {"Device to Device Bandwidth", "D2D", "cuda_d2d", "cuda_d2d", "cuda_d2d"},
};

struct bandwidthtest {
	struct gpu_names gpus;
	char gpu[8]; /* number of the only GPU */
	size_t ngpus;
	const struct memory_copy *copy;
	bool used; /* a table has taken its name */
	enum { UNKNOWN, PINNED, PAGEABLE } memory;
	bool fused;
};

static const struct text_column bandwidthtest_columns[] = {
    {"Transfer Size (Bytes)", "size_bytes", COUNT},
    {"Bandwidth(MB/s)", "bandwidth_gbit_s", "MB/s"},
    {"Bandwidth(GB/s)", "bandwidth_gbit_s", "GB/s"},
};

static void
bandwidthtest_take_result(struct text *t, const char *size, const char *value,
                          const char *unit)
{
	struct bandwidthtest *b = t->state;
	const struct memory_copy *copy = b->copy;
	const char *bench;

	if (!copy)
		text_die(t, "no line before it names the copy");
	if (b->ngpus > 1)
		text_die(t,
		         "the sum of several GPUs: run with --device=NUMBER");
	bench = b->memory == PAGEABLE              ? copy->pageable
	        : b->memory == UNKNOWN || b->fused ? copy->fused
	                                           : copy->pinned;
	text_row(t, bench, gpu_name(t, &b->gpus, *b->gpu ? b->gpu : "0"));
	if (bench[0] == 'b')
		text_set(t, "interface", "ce");
	text_cell(t, "size_bytes", COUNT, size);
	/* This program's MB/s are 2^20 bytes; GB/s, of later versions, 10^9. */
	text_cell(t, "bandwidth_gbit_s", !strcmp(unit, "MB/s") ? "MiB/s" : unit,
	          value);
	text_end_row(t);
}

/*
 * "bandwidthTest-H2D-Pinned, Bandwidth = 6.1 GB/s, Time = 0.00131 s, Size =
 * 32000000 bytes, NumDevsUsed = 1"
 */
static bool
take_csv(struct text *t, const char *what)
{
	struct bandwidthtest *b = t->state;
	char memory[64], value[32], unit[8], time[24], size[24], ngpus[10];
	int end = 0;

	b->copy = NULL;
	for (size_t i = 0; i < ARRAY_LEN(bandwidthtest_copies); i++) {
		if (!strncmp(what, bandwidthtest_copies[i].csv,
		             strlen(bandwidthtest_copies[i].csv)))
			b->copy = &bandwidthtest_copies[i];
	}
	if (!b->copy ||
	    sscanf(what,
	           "%63[^,], Bandwidth = %31s %7[^,], Time = %23s s, Size = "
	           "%23s bytes, NumDevsUsed = %9[0-9]%n",
	           memory, value, unit, time, size, ngpus, &end) != 6 ||
	    what[end])
		text_die(t, "not a row of bandwidthTest: '%s'", t->line);
	bandwidthtest_take_memory(t, memory + 3, NULL);
	text_number(t, time);
	b->ngpus = (size_t)text_number(t, ngpus);
	b->memory =
	    strstr(memory, "-Paged") ? PAGEABLE
	    : strstr(memory, "-Pinned") || strstr(memory, "-WriteCombined")
	        ? PINNED
	        : UNKNOWN;
	bandwidthtest_take_result(t, size, value, unit);
	return true;
}

static bool
bandwidthtest_take_heading(struct text *t)
{
	struct bandwidthtest *b = t->state;

	for (size_t i = 0; i < ARRAY_LEN(bandwidthtest_copies); i++) {
		const char *rest = text_after(t, bandwidthtest_copies[i].text);
		const char *memory;

		if (!rest)
			continue;
		b->copy = &bandwidthtest_copies[i];
		b->used = false;
		text_close(t);
		b->ngpus = strtoul(rest + (*rest == ','), NULL, 10);
		/* CUDA 4 says here what later versions say below. */
		memory = strstr(rest, "(s)");
		b->memory = strcasestr(rest, "Page")     ? PAGEABLE
		            : strcasestr(rest, "Pinned") ? PINNED
		                                         : UNKNOWN;
		bandwidthtest_take_memory(t, memory ? memory + 3 : "", NULL);
		return *rest == ',' && b->ngpus;
	}
	return false;
}

static bool
bandwidthtest_take_line(struct text *t)
{
	struct bandwidthtest *b = t->state;
	const char *csv = text_after(t, "bandwidthTest-");
	const char *titles = strstr(t->line, "Transfer Size (Bytes)");

	if (csv)
		return take_csv(t, csv);
	if (bandwidthtest_take_heading(t))
		return true;
	/* nvbandwidth has an address behind the name. */
	if (text_begins(t, "Device ") && !strstr(t->line, "(0000")) {
		b->fused = is_fused(t->line);
		return sscanf(t->line, "Device %7[0-9]:", b->gpu) == 1;
	}
	if (text_begins(t, "Result = FAIL"))
		text_die(t, "bandwidthTest says that its result is wrong");
	if (strstr(t->line, " Memory Transfers")) {
		b->memory = text_begins(t, "PAGEABLE") ? PAGEABLE
		            : text_begins(t, "PINNED") ? PINNED
		                                       : UNKNOWN;
		bandwidthtest_take_memory(t, t->line, NULL);
		return true;
	}
	/* "Write-Combined Memory Writes are Enabled" lacks its line end. */
	if (strstr(t->line, " Memory Writes "))
		bandwidthtest_take_memory(t, t->line, titles);
	if (titles) {
		/* A second table below one title lacks its own. */
		if (b->used)
			b->copy = NULL;
		b->used = true;
		return text_header(t, titles, bandwidthtest_columns,
		                   ARRAY_LEN(bandwidthtest_columns), 2);
	}
	if (!text_is_row(t))
		return false;
	bandwidthtest_take_result(t, t->word[0], t->word[1], t->col[1]->unit);
	return true;
}

const struct importer bandwidthtest_importer = {
    .name = "bandwidthtest",
    .help = "bandwidthTest of the CUDA samples",
    .words = (const char *const[]){"[CUDA Bandwidth Test]", "bandwidthTest-",
                                   "Transfer Size (Bytes)",
                                   "PINNED Memory Transfers", NULL},
    .needs =
        "a line such as 'Host to Device Bandwidth, 1 Device(s)' and a table",
    .take_line = bandwidthtest_take_line,
    .state_size = sizeof(struct bandwidthtest),
};

/* p2pBandwidthLatencyTest -------------------------------------------------- */

/* Output of p2pBandwidthLatencyTest of the CUDA samples. */

static const struct text_phrase p2ptest_titles[] = {
    {"Unidirectional", NULL, NULL},
    {"Bidirectional", NULL, NULL},
    {"P2P=Enabled", "p2p", "on"},
    {"P2P=Disabled", "p2p", "off"},
    {"Bandwidth", NULL, NULL},
    {"Latency", NULL, NULL},
    {"(P2P Writes)", "direction", "write"},
    {"(P2P Reads)", "direction", "read"},
    {"Matrix", NULL, NULL},
};

struct p2ptest {
	struct gpu_names gpus;
	struct gpu_access access;
	const char *bench; /* of the matrix; NULL: it is passed by */
	bool used;         /* a matrix has taken it */
	bool connectivity; /* it says who can access whom */
	char unit[16];
	const char *clock; /* for latencies: the clock */
};

static void
p2ptest_take_cell(struct text *t, const char *row, const char *column,
                  const char *value)
{
	struct p2ptest *p = t->state;
	const char *device = gpu_name(t, &p->gpus, row);
	const char *peer = gpu_name(t, &p->gpus, column);

	if (p->connectivity)
		gpu_access_take(&p->access, row, column, *value != '0');
	if (!p->bench)
		return;
	text_row(t, p->bench, device);
	text_set(t, "peer", peer);
	if (p->clock)
		text_set(t, "timed_by", p->clock);
	text_cell(t, is_time_unit(p->unit) ? "mean_ns" : "bandwidth_gbit_s",
	          p->unit, value);
	gpu_access_set(t, &p->access, row, column);
	text_end_row(t);
}

/* "Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)" */
static bool
p2ptest_take_heading(struct text *t)
{
	struct p2ptest *p = t->state;
	const char *unit = strrchr(t->line, '(');

	if (!strstr(t->line, " Matrix"))
		return false;
	text_close(t);
	p->clock = NULL;
	p->used = false;
	p->connectivity = text_begins(t, "P2P Connectivity Matrix");
	p->bench = !strstr(t->line, "P2P=")       ? NULL
	           : text_begins(t, "Uni")        ? "p2p_bw"
	           : text_begins(t, "Bi")         ? "p2p_bw_bidir"
	           : strstr(t->line, " Latency ") ? "p2p_latency"
	                                          : NULL;
	if (!p->bench)
		return true;
	if (!unit || sscanf(unit, "(%15[^)])", p->unit) != 1 ||
	    is_time_unit(p->unit) != !strcmp(p->bench, "p2p_latency"))
		text_die(t, "a matrix without its unit: '%s'", t->line);
	text_heading(t, t->line, unit, p2ptest_titles,
	             ARRAY_LEN(p2ptest_titles));
	return true;
}

/* "Device=0 CANNOT Access Peer Device=1" */
static bool
p2ptest_take_access(struct text *t)
{
	struct p2ptest *p = t->state;
	char from[8], can[8], to[8];

	if (sscanf(t->line, "Device=%7[0-9] %7s Access Peer Device=%7[0-9]",
	           from, can, to) != 3)
		return false;
	gpu_access_take(&p->access, from, to, !strcmp(can, "CAN"));
	return true;
}

/* "Device: 0, NAME, pciBusID: 21, pciDeviceID: 0, pciDomainID:0" */
static bool
p2ptest_take_device(struct text *t, const char *number)
{
	struct p2ptest *p = t->state;
	const char *ids = strstr(number, "pciBusID:");
	char domain[9], bus[9], device[9], address[32];

	if (!ids || sscanf(ids,
	                   "pciBusID: %8[0-9a-fA-F], pciDeviceID: "
	                   "%8[0-9a-fA-F], pciDomainID: %8[0-9a-fA-F]",
	                   bus, device, domain) != 3)
		return false;
	snprintf(address, sizeof address, "%s:%s:%s", domain, bus, device);
	return gpu_take(&p->gpus, number, address);
}

static bool
p2ptest_take_line(struct text *t)
{
	struct p2ptest *p = t->state;
	const char *device = text_after(t, "Device: ");
	const char *label = t->word[0];

	if (device)
		return p2ptest_take_device(t, device);
	if (p2ptest_take_heading(t) || p2ptest_take_access(t))
		return true;
	if (t->nwords > 1 &&
	    isdigit((unsigned char)*t->word[t->nwords > 2 ? 2 : 1]) &&
	    (!strcmp(label, "GPU") || !strcmp(label, "CPU") ||
	     !strcmp(label, "D\\D"))) {
		/* Latencies by the CPU follow those by the GPU. */
		if (p->used && *label != 'C')
			text_die(t, "no line before it names the matrix");
		p->used = true;
		if (*label != 'D')
			p->clock = *label == 'G' ? "gpu" : "cpu";
		text_open_matrix(t, 1);
		return true;
	}
	return text_matrix_row(t, p2ptest_take_cell);
}

const struct importer p2ptest_importer = {
    .name = "p2ptest",
    .help = "p2pBandwidthLatencyTest of the CUDA samples",
    .words = (const char *const[]){"P2P=", "P2P Connectivity Matrix",
                                   "P2P (Peer-to-Peer)", NULL},
    .needs = "a heading such as 'Unidirectional P2P=Enabled Bandwidth Matrix "
             "(GB/s)' and a matrix",
    .take_line = p2ptest_take_line,
    .state_size = sizeof(struct p2ptest),
};

/* gdrcopy ------------------------------------------------------------------ */

/*
 * Output of copybw and copylat of gdrcopy: CPU loads and stores to GPU memory.
 * Its MB are 2^20 bytes.
 */

struct gdrcopy {
	struct gpu_names gpus;
	char selected[8];
	char size[24];    /* of the next bandwidth */
	char rounded[24]; /* of the buffer, by the first versions of copybw */
	char offset[24];
	char n[24];    /* number of copies, */
	char copy[48]; /* of this name, by copylat */
	size_t listed;
};

/* copylat's table until version 2.4, and since then. */
static const struct text_column gdrcopy_columns[] = {
    {"Test", NULL, WORD},
    {"Size(B)", "size_bytes", COUNT},
    {"Avg.Time(us)", "mean_ns", "us"},
    {"Median Time(us)", "median_ns", "us"},
    {"Min. Time(us)", "min_ns", "us"},
};

/* Names of copies, and the headings of copybw before them. */
static const struct word gdrcopy_copies[] = {
    {"gdr_copy_to_mapping", "gdr_copy_to_mapping"},
    {"gdr_copy_from_mapping", "gdr_copy_from_mapping"},
    {"cuMemcpy_H2D", "cumemcpy_h2d"},
    {"cuMemcpy_D2H", "cumemcpy_d2h"},
    {"write BW:", "gdr_copy_to_mapping"},
    {"read BW:", "gdr_copy_from_mapping"},
    {"BAR1 write BW:", "gdr_copy_to_mapping"},
    {"BAR1 read BW:", "gdr_copy_from_mapping"},
};

/* "9600.5MB/s", or since version 2.5 "median 22360.8MB/s, min 20661.2MB/s" */
static void
take_bandwidth(struct text *t, const char *value)
{
	char first[32], least[32];
	int end = 0;
	int n = sscanf(value, "median %31[0-9.e+]MB/s, min %31[0-9.e+]MB/s%n",
	               first, least, &end);

	if (!end)
		n = sscanf(value, "%31[0-9.e+]MB/s%n", first, &end);
	if (!end || value[end])
		text_die(t, "not a bandwidth: '%s'", t->line);
	text_cell(t, n == 2 ? "median_gbit_s" : "bandwidth_gbit_s", "MiB/s",
	          first);
	if (n == 2)
		text_cell(t, "min_gbit_s", "MiB/s", least);
}

static bool
take_copy(struct text *t)
{
	struct gdrcopy *g = t->state;
	const struct word *copy =
	    find_beginning(t->line, gdrcopy_copies, ARRAY_LEN(gdrcopy_copies));
	bool of_copybw;

	if (!copy)
		return false;
	of_copybw = strchr(copy->theirs, ':');
	/* Without titles, the number of words tells. */
	if (!of_copybw && !t->ncols)
		text_header(t,
		            t->nwords == 4
		                ? "Test Size(B) Median Time(us) Min. Time(us)"
		                : "Test Size(B) Avg.Time(us)",
		            gdrcopy_columns, ARRAY_LEN(gdrcopy_columns), 3);
	if (!of_copybw && !text_is_row(t))
		text_die(t, "not a row of copylat: '%s'", t->line);
	text_row(t, copy->ours,
	         *g->selected    ? gpu_name(t, &g->gpus, g->selected)
	         : g->listed < 2 ? gpu_name(t, &g->gpus, "0")
	                         : "");
	if (of_copybw && !*g->size)
		text_die(t, "no line of its test is before it: '%s'", t->line);
	text_set(t, "test", of_copybw ? "copybw" : "copylat");
	text_cell(t, "size_bytes", COUNT, of_copybw ? g->size : t->word[1]);
	if (*g->n && (of_copybw || !strcmp(g->copy, t->word[0])))
		text_cell(t, "n", COUNT, g->n);
	if (of_copybw && *g->offset && strcmp(g->offset, "0") != 0)
		text_cell(t, "device_offset_bytes", COUNT, g->offset);
	if (of_copybw)
		take_bandwidth(t, text_after(t, copy->theirs));
	else
		text_cells(t, 2, t->ncols);
	text_end_row(t);
	/* The next one has a line of its own, unless sizes are "testing". */
	if (*g->offset)
		*g->size = *g->n = '\0';
	return true;
}

static unsigned long
number_after(const char *s, const char *label)
{
	const char *at = strstr(s, label);

	return at ? strtoul(at + strlen(label), NULL, 10) : 0;
}

/*
 * "0; name: NAME; Bus id: 0000:3b:00"; version 1 has decimal numbers: "0
 * name:NAME PCI domain: 0 bus: 59 device: 0".
 */
static bool
gdrcopy_take_gpu(struct text *t, const char *number)
{
	struct gdrcopy *g = t->state;
	const char *bus = strstr(number, "Bus id: ");
	const char *place = strstr(number, "PCI domain:");
	char address[64] = "";

	if (bus)
		snprintf(address, sizeof address, "%s", bus + 8);
	else if (place)
		snprintf(address, sizeof address, "%lx:%lx:%lx",
		         number_after(place, "domain:"),
		         number_after(place, " bus:"),
		         number_after(place, "device:"));
	return gpu_take(&g->gpus, number, address);
}

static bool
gdrcopy_take_line(struct text *t)
{
	struct gdrcopy *g = t->state;
	const char *times = strstr(t->line, "num iters for each size: ");
	const char *test = strstr(t->line, "ing test, ");
	const char *gpu = text_after(t, "GPU id:");
	char name[48], value[32], more;

	if (gpu) {
		g->listed++;
		return gdrcopy_take_gpu(t, gpu);
	}
	/* "cuMemcpy H2D num iters for each size: 10000" */
	if (times) {
		snprintf(g->copy, sizeof g->copy, "%.*s",
		         (int)(times - t->line) - (times > t->line), t->line);
		for (char *c = g->copy; *c; c++) {
			if (*c == ' ')
				*c = '_';
		}
		return sscanf(times, "num iters for each size: %23s", g->n) ==
		       1;
	}
	if (sscanf(t->line, "selecting device %7s", g->selected) == 1 ||
	    sscanf(t->line, "testing size: %23s", g->size) == 1 ||
	    sscanf(t->line, "rounded size: %23s", g->rounded) == 1 ||
	    (test &&
	     sscanf(test, "ing test, size=%23s offset=%23s num_iters=%23s",
	            g->size, g->offset, g->n) == 3))
		return true;
	/* That version copied the whole buffer and counted the size. */
	if (text_begins(t, "BAR reading test...") &&
	    strcmp(g->size, g->rounded) != 0)
		warn("%s:%ju: this version of copybw reads %s bytes and counts "
		     "%s: the bandwidth is too low",
		     t->in.file, t->in.line, g->rounded, g->size);
	if (strstr(t->line, "Size(B)"))
		return text_header(t, t->line, gdrcopy_columns,
		                   ARRAY_LEN(gdrcopy_columns), 3);
	if (take_copy(t))
		return true;
	/* "gpu alloc fn: cuMemAlloc", but no address */
	if (sscanf(t->line, "%47[^:]: %31s %c", name, value, &more) == 2 &&
	    !strstr(name, "ptr") && !strstr(name, "pointer") &&
	    strcmp(name, "info.va") != 0)
		text_setting(t, name, value);
	return false;
}

const struct importer gdrcopy_importer = {
    .name = "gdrcopy",
    .help = "gdrcopy's copybw and copylat",
    .words = (const char *const[]){"gdr_copy_to_", "gdr_copy_from_", "gdrdrv",
                                   "BAR1 write BW", "BAR1 read BW", NULL},
    .needs = "'write BW:' or a table of copylat",
    .take_line = gdrcopy_take_line,
    .state_size = sizeof(struct gdrcopy),
};
