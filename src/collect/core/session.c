/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a request, benches, series and failures of a session, findings. */
#include "collect/core/session.h"

#include "common/base/number.h"
#include "common/base/util.h"

const char *
settings_value(const struct settings *settings, const char *name)
{
	for (size_t i = settings->n; i--;) {
		if (!strcmp(settings->item[i].name, name))
			return settings->item[i].value;
	}
	return NULL;
}

const char *
option_value(const struct request *request,
             const struct backend_option *options, const char *name)
{
	const char *value = settings_value(&request->options, name);

	if (value)
		return value;
	while (strcmp(options->name, name) != 0)
		options++;
	return options->value;
}

const char *
bench_option(const struct request *request, const char *name)
{
	return settings_value(&request->bench_options, name);
}

void
series_identify(struct series *series, const char *kind, const char *device,
                const char *link)
{
	series_set(series, ID_KIND, "%s", kind);
	series_set(series, ID_DEVICE, "%s", device);
	series_set(series, ID_LINK, "%s", link);
}

void
series_make(struct session *s, size_t n)
{
	struct series *old = s->series;
	size_t nold = s->nseries;

	/* Without memory, xcalloc ends the program, which frees them. */
	s->series = NULL;
	s->nseries = 0;
	for (size_t i = 0; i < nold; i++) {
		for (size_t k = 0; k < NIDENTITY; k++)
			free(old[i].id[k]);
	}
	free(old);
	s->series = n ? xcalloc(n, sizeof *s->series) : NULL;
	s->nseries = n;
}

bool
fail(struct session *s, int status, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	free(s->failure.text);
	s->failure = (struct failure){status, text};
	return false;
}

bool
option_refuse(struct session *s, const struct backend_option *options,
              const char *name, const char *why)
{
	return fail(s, STATUS_TROUBLE, "-O %s=%s: %s", name,
	            option_value(s->request, options, name), why);
}

static bool
read_integer(struct session *s, const struct backend_option *options,
             const char *name, const char * or, uint64_t least, uint64_t most,
             uint64_t *value)
{
	const char *text = option_value(s->request, options, name);
	const char *why = parse_integer(text, value);
	char limits[64];

	snprintf(limits, sizeof limits, "not %swithin %ju to %ju", or,
	         (uintmax_t)least, (uintmax_t)most);
	if (!why && (*value < least || *value > most))
		why = limits;
	return !why || option_refuse(s, options, name, why);
}

bool
option_integer(struct session *s, const struct backend_option *options,
               const char *name, uint64_t least, uint64_t most, uint64_t *value)
{
	return read_integer(s, options, name, "", least, most, value);
}

bool
option_number(struct session *s, const struct backend_option *options,
              const char *name, uint64_t least, uint64_t most,
              uint64_t automatic, uint64_t *value)
{
	if (strcmp(option_value(s->request, options, name), "auto") != 0)
		return read_integer(s, options, name, "auto or ", least, most,
		                    value);
	*value = automatic;
	return true;
}

bool
option_word(struct session *s, const struct backend_option *options,
            const char *name, const char *const word[], size_t n, size_t *which)
{
	char *list = NULL;

	*which = find_word(option_value(s->request, options, name), word, n);
	if (*which < n)
		return true;
	for (size_t i = 0; i < n; i++)
		xappend(&list, i + 1 < n ? ", " : " or ", "%s", word[i]);
	fail(s, STATUS_TROUBLE, "-O %s=%s: not %s", name,
	     option_value(s->request, options, name), list);
	free(list);
	return false;
}

bool
option_either(struct session *s, const struct backend_option *options,
              const char *name, const char *first, const char *second,
              bool *is_first)
{
	const char *const word[] = {first, second};
	size_t which;
	bool ok = option_word(s, options, name, word, ARRAY_LEN(word), &which);

	*is_first = !which;
	return ok;
}

struct finding *
findings_add(struct findings *list, const char *backend)
{
	struct finding *f;

	array_push(list->item, list->n, (struct finding){.backend = backend});
	f = &list->item[list->n - 1];
	f->device = xstrdup("");
	f->parent = xstrdup("");
	f->link = xstrdup("");
	f->driver = xstrdup("");
	f->node = xstrdup("");
	f->name = xstrdup("");
	f->why_not = xstrdup("");
	f->remedy = xstrdup("");
	return f;
}

void
text_set(char **field, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	free(*field);
	*field = text;
}

void
findings_free(struct findings *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct finding *f = &list->item[i];

		free(f->device);
		free(f->parent);
		free(f->link);
		free(f->driver);
		free(f->node);
		free(f->name);
		free(f->why_not);
		free(f->remedy);
	}
	free(list->item);
	*list = (struct findings){0};
}

/* Benches ------------------------------------------------------------------ */

char *
sample_print(const struct bench *bench, char *to, const uint64_t *sample)
{
	for (const char *how = bench->format;; *to++ = ',') {
		if (*how == 'n')
			to = print_ns(to, *sample++);
		else if (*how == 'u' || (*how == 'o' && *sample != UINT64_MAX))
			to = print_u64(to, *sample++);
		else if (*how == 'o')
			sample++;
		else if (sample[-1])
			to = print_double(to, 8 * (double)sample[-2] /
			                          ((double)sample[-1] / 1000));
		if (!*++how)
			return to;
	}
}

#define WARMUP 100

#define LATENCY_SAMPLES                                                        \
	.width = 1, .measures = {"latency_ns"}, .nmeasures = 1, .format = "n", \
	.default_warmup = WARMUP

#define BANDWIDTH_SAMPLES                                                      \
	.width = 3, .totals = true,                                            \
	.measures = {"transfers", "transferred_bytes", "elapsed_ns",           \
	             "bandwidth_gbit_s"},                                      \
	.nmeasures = 4, .format = "uunb", .default_warmup = WARMUP

const struct bench benches[NBENCHES] = {
    {LAT_RD, "lat_rd", "latency of a DMA read", BENCH_DMA, LATENCY_SAMPLES,
     .default_count = 2000000},
    {LAT_WRRD, "lat_wrrd", "latency of a DMA write and a read after it",
     BENCH_DMA, LATENCY_SAMPLES, .default_count = 2000000},
    {BW_RD, "bw_rd", "bandwidth of DMA reads", BENCH_DMA, BANDWIDTH_SAMPLES,
     .default_count = 8000000},
    {BW_WR, "bw_wr", "bandwidth of DMA writes", BENCH_DMA, BANDWIDTH_SAMPLES,
     .default_count = 8000000},
    {BW_RDWR, "bw_rdwr", "bandwidth of alternating DMA reads and writes",
     BENCH_DMA, BANDWIDTH_SAMPLES, .default_count = 8000000},
    {LAT_CFG, "lat_cfg", "latency of a config space read by the CPU", BENCH_PIO,
     LATENCY_SAMPLES, .default_count = 100000},
    {LAT_MMIO, "lat_mmio",
     "latency of a device register or memory read by the CPU", BENCH_PIO,
     LATENCY_SAMPLES, .default_count = 100000, .also_windows = true},
    {LAT_MMIO_WR, "lat_mmio_wr",
     "time of a store to a device's memory, and its fence", BENCH_WINDOW,
     LATENCY_SAMPLES, .default_count = 100000},
    {LAT_MMIO_FLUSH, "lat_mmio_flush",
     "time of a store, its fence and a read of the same address", BENCH_WINDOW,
     LATENCY_SAMPLES, .default_count = 100000},
    {BW_MMIO_RD, "bw_mmio_rd", "bandwidth of reads by the CPU", BENCH_WINDOW,
     BANDWIDTH_SAMPLES, .default_count = 1000000},
    {BW_MMIO_WR, "bw_mmio_wr", "bandwidth of stores by the CPU", BENCH_WINDOW,
     BANDWIDTH_SAMPLES, .default_count = 8000000},
    {DDIO, "ddio", "counts of uncore events: I/O, cache, memory",
     BENCH_COUNTERS, .width = 4,
     .measures = {"time_ns", "value", "enabled_ns", "running_ns"},
     .nmeasures = 4, .format = "uuuu", .default_count = 1, .paced = true,
     .takes_command = true},
    {LINK, "link", "changes of links: speed, width, power, errors", BENCH_LINKS,
     .width = 3, .measures = {"time_ns", "old_value", "new_value"},
     .nmeasures = 3, .format = "uou", .default_count = UINT64_MAX,
     .paced = true, .takes_command = true},
    {RTD, "rtd", "delay of a NIC's DMA read while the CPU sleeps",
     BENCH_NIC_LOOP, .width = 2,
     .measures = {"launch_distance_ns", "latency_ns"}, .nmeasures = 2,
     .format = "nn", .default_count = 1000, .default_warmup = WARMUP},
    {LAT_NVME, "lat_nvme", "latency of a command to an NVMe controller",
     BENCH_DMA, LATENCY_SAMPLES, .default_count = 10000},
    {LAT_RDMA, "lat_rdma", "round trip of an RDMA write from a port to itself",
     BENCH_DMA, LATENCY_SAMPLES, .default_count = 100000},
};

const struct bench *
find_bench(const char *name)
{
	for (size_t i = 0; i < NBENCHES; i++) {
		if (!strcmp(name, benches[i].name))
			return &benches[i];
	}
	return NULL;
}
