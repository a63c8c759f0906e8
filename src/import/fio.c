/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of fio 3: text, JSON, and the histograms of json+, in which the name
 * of a bin is the nanoseconds at its middle and the value is its count.
 */
#include "import/text.h"

#include "common/base/number.h"

struct fio {
	char job[64];
	size_t njobs;
	char size[24], depth[24]; /* "": unknown */
	char unit[8];             /* of the percentiles that follow, or "" */
	bool begun;               /* a row */
};

static void
end_row(struct text *t)
{
	struct fio *f = t->state;

	if (f->begun)
		text_end_row(t);
	f->begun = false;
}

static const char *const directions[] = {"read", "write", "trim"};

/* The latencies of fio, and their names. */
static const struct time {
	const char *key;
	const char *suffix;
} times[] = {
    {"slat_ns", "_submit"},
    {"clat_ns", ""},
    {"lat_ns", "_total"},
};

/* An option of the job, or else of all jobs; NULL if neither has it. */
static const char *
option_of(const json_t *root, const json_t *job, const char *name)
{
	const json_t *own = json_object_get(job, "job options");
	const json_t *global = json_object_get(root, "global options");
	const json_t *value = json_object_get(own, name);

	return json_string_value(value ? value : json_object_get(global, name));
}

static void
set_options(struct text *t, const json_t *root, const json_t *job)
{
	const char *size = option_of(root, job, "bs");
	const char *depth = option_of(root, job, "iodepth");
	uint64_t bytes;

	/* "4k,8k" and ranges have several sizes: the column stays empty. */
	if (!parse_size(size ? size : "4k", &bytes))
		result_u64(&t->job->result, "size_bytes", bytes);
	text_cell(t, "queue_depth", COUNT, depth ? depth : "1");
}

static void
take_bins(struct text *t, json_t *bins)
{
	for (void *i = json_object_iter(bins); i;
	     i = json_object_iter_next(bins, i)) {
		const char *middle = json_object_iter_key(i);
		const struct text_column count = {middle, "count", COUNT};

		text_cell(t, "latency_ns", "ns", middle);
		text_members(t, bins, &count, 1);
		text_end_row(t);
	}
}

/* Members of a direction, of its clat_ns, and of the percentiles there. */
static const struct text_column rates[] = {
    {"total_ios", "n", COUNT},
    {"bw_bytes", "bandwidth_gbit_s", "B/s"},
};
static const struct text_column statistics[] = {
    {"min", "min_ns", NUMBER},         {"mean", "mean_ns", NUMBER},
    {"stddev", "stddev_ns", NUMBER},   {"50.000000", "median_ns", NUMBER},
    {"95.000000", "p95_ns", NUMBER},   {"99.000000", "p99_ns", NUMBER},
    {"99.900000", "p99_9_ns", NUMBER}, {"max", "max_ns", NUMBER},
};

static void
tell_error(const struct text *t, long long error)
{
	if (!error)
		return;
	warn("%s:%ju: a job ended with error %lld: its results are of a part "
	     "of it",
	     t->in.file, t->in.line, error);
	t->job->complete = false;
}

static void
begin_row(struct text *t, const json_t *root, const json_t *job,
          const char *direction, const char *suffix)
{
	const char *device = option_of(root, job, "filename");
	char *bench = xasprintf("fio_%s%s", direction, suffix);

	text_row(t, bench, device ? device : "");
	free(bench);
	text_set(t, "job",
	         json_string_value(
	             text_member(t, job, "jobs", "jobname", JSON_STRING)));
	set_options(t, root, job);
}

static void
take_direction(struct text *t, const json_t *root, const json_t *job,
               const char *direction)
{
	const json_t *part = json_object_get(job, direction);
	uintmax_t before = t->job->result.rows;

	for (size_t i = 0; i < ARRAY_LEN(times); i++) {
		json_t *bins = json_object_get(
		    json_object_get(part, times[i].key), "bins");

		if (!json_is_object(bins))
			continue;
		begin_row(t, root, job, direction, times[i].suffix);
		take_bins(t, bins);
	}
	if (t->job->result.rows == before &&
	    json_number_value(json_object_get(part, "total_ios")) > 0) {
		json_t *clat = json_object_get(part, "clat_ns");

		text_member(t, part, direction, "bw_bytes", JSON_INTEGER);
		begin_row(t, root, job, direction, "");
		text_members(t, part, rates, ARRAY_LEN(rates));
		text_members(t, clat, statistics, ARRAY_LEN(statistics));
		text_members(t, json_object_get(clat, "percentile"), statistics,
		             ARRAY_LEN(statistics));
		text_end_row(t);
	}
}

static bool
take_json(struct text *t, const json_t *root)
{
	const json_t *jobs = json_object_get(root, "jobs");
	uintmax_t before = t->job->result.rows;

	end_row(t);
	if (!json_is_array(jobs))
		return false;
	for (size_t i = 0; i < json_array_size(jobs); i++) {
		const json_t *job = json_array_get(jobs, i);

		tell_error(t,
		           json_integer_value(json_object_get(job, "error")));
		for (size_t d = 0; d < ARRAY_LEN(directions); d++)
			take_direction(t, root, job, directions[d]);
	}
	if (t->job->result.rows == before)
		text_die(t, "no result of fio 3");
	return true;
}

/* Text --------------------------------------------------------------------- */

/*
 * All jobs come before all results, and these do not tell which job's size they
 * have: it is known of one job only. "JOB: (g=0): rw=read, bs=(R) 4096B-4096B,
 * (W) ..., (T) ..., ioengine=x, iodepth=64".
 */
static bool
take_job(struct text *t)
{
	struct fio *f = t->state;
	const char *sizes = strstr(t->line, "bs=(R) ");
	const char *depth = strstr(t->line, "iodepth=");
	char one[24] = "", *same;
	uint64_t bytes;

	/* Another run. */
	if (*f->job)
		f->njobs = 0;
	*f->job = *f->size = *f->depth = '\0';
	if (f->njobs++)
		return true;
	sscanf(depth ? depth : "", "iodepth=%15[0-9]", f->depth);
	sscanf(sizes ? sizes : "", "bs=(R) %23[^-]", one);
	same = xasprintf("(R) %s-%s, (W) %s-%s, (T) %s-%s,", one, one, one, one,
	                 one, one);
	if (*one && strstr(t->line, same)) {
		one[strcspn(one, "iB")] = '\0';
		if (!parse_size(one, &bytes))
			*print_u64(f->size, bytes) = '\0';
	}
	free(same);
	return true;
}

/* "read: IOPS=85.1k, BW=333MiB/s (349MB/s)(9978MiB/30002msec)" */
static bool
take_rate(struct text *t)
{
	struct fio *f = t->state;
	char direction[8], value[32], unit[16], *bench;
	const char *rate = strstr(t->line, "BW="), *rest;
	int end = 0;

	if (sscanf(t->line, "%7[a-z]: IOPS=", direction) != 1 ||
	    !strstr(t->line, ": IOPS="))
		return false;
	rest = rate ? strstr(rate, "msec)") : NULL;
	if (rest)
		sscanf(rest, "msec)%n; %*[0-9] zone resets%n", &end, &end);
	if (!rest || rest[end] || strstr(rate + 1, "BW=") ||
	    sscanf(rate, "BW=%31[0-9.]%15[A-Za-z/]", value, unit) != 2)
		text_die(t, "no bandwidth: '%s'", t->line);
	end_row(t);
	bench = xasprintf("fio_%s", direction);
	text_row(t, bench, "");
	free(bench);
	text_set(t, "job", f->job);
	if (*f->size)
		text_cell(t, "size_bytes", COUNT, f->size);
	if (*f->depth)
		text_cell(t, "queue_depth", COUNT, f->depth);
	text_cell(t, "bandwidth_gbit_s", unit, value);
	f->begun = true;
	return true;
}

/* "clat (usec): min=278, max=5000, avg=748.35, stdev=100.2" */
static bool
take_latency(struct text *t)
{
	static const char *const columns[] = {"min_ns", "max_ns", "mean_ns",
	                                      "stddev_ns"};
	const struct fio *f = t->state;
	char value[4][26], unit[8], more;
	int n;

	if (!f->begun || !text_begins(t, "clat ("))
		return false;
	n = sscanf(t->line,
	           "clat (%7[a-z]): min=%23[^,], max=%23[^,], avg=%23[^,], "
	           "stdev=%23s %c",
	           unit, value[0], value[1], value[2], value[3], &more);
	if (n == 1)
		return false;
	if (n != 5)
		text_die(t, "not the four numbers of fio: '%s'", t->line);
	for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
		char *k = strchr(value[i], 'k');

		/* Counts above 9999 are shortened: "10.2k". */
		if (k)
			snprintf(k, 3, "e3");
		text_cell(t, columns[i], unit, value[i]);
	}
	return true;
}

/* "clat percentiles (usec):", then "| 99.00th=[  126], 99.50th=[  147]," */
static bool
take_percentiles(struct text *t)
{
	struct fio *f = t->state;
	char value[24];

	if (strstr(t->line, " percentiles (")) {
		*f->unit = '\0';
		return sscanf(t->line, "clat percentiles (%7[a-z])", f->unit);
	}
	if (*t->line != '|' || !f->begun || !*f->unit)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(statistics); i++) {
		char *title = xasprintf("%.5sth=[", statistics[i].title);
		const char *at = strstr(t->line, title);

		if (at && sscanf(at + strlen(title), "%23[^]]]", value) == 1)
			text_cell(t, statistics[i].name, f->unit,
			          value + strspn(value, " "));
		free(title);
	}
	return true;
}

static bool
take_line(struct text *t)
{
	struct fio *f = t->state;
	const char *error = strstr(t->line, "err=");

	if (strstr(t->line, ": (g="))
		return take_job(t);
	if (strstr(t->line, ": (groupid=")) {
		end_row(t);
		*f->unit = '\0';
		tell_error(t, error ? strtol(error + 4, NULL, 10) : 0);
		return sscanf(t->line, "%63[^:]", f->job) == 1;
	}
	return take_rate(t) || take_latency(t) || take_percentiles(t);
}

const struct importer fio_importer = {
    .name = "fio",
    .help = "fio's text, JSON and histograms (json+)",
    .words = (const char *const[]){"fio-2.", "fio-3.", "fio version",
                                   "(groupid=", "clat (", "clat_ns", NULL},
    .needs = "'read: IOPS=..., BW=...' of a finished job of fio 3",
    .take_line = take_line,
    .take_json = take_json,
    .end = end_row,
    .state_size = sizeof(struct fio),
};
