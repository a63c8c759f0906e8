/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of fio 3: text, JSON, and the histograms of json+, in which the name
 * of a bin is the nanoseconds at its middle and the value is its count. Lines
 * of its terse output, also of fio 2.
 */
#include "import/text.h"

#include "common/base/number.h"

#include <ctype.h>

struct fio {
	char job[64];
	size_t njobs;
	char size[24], depth[24]; /* "": unknown */
	char unit[8];             /* of the percentiles that follow, or "" */
	char direction[8];
	char total[96];       /* the line of lat */
	bool begun;           /* a row */
	bool timed;           /* it has its clat */
	bool told;            /* rows of this run, as text */
	bool ended;           /* its groups were summed up */
	bool other;           /* no drive is behind the engine */
	struct key_set names; /* of the jobs of this run and their processes */
	struct same {
		size_t jobs, clone, reports;
	} * same;
	size_t room;
};

/*
 * The bench of a direction: a drive writes to memory what is read from it.
 * Engines without a drive, and the page cache, use no link.
 */
static const char *
bench_of(const char *direction, bool drive)
{
	return !drive                        ? NULL
	       : !strcmp(direction, "read")  ? "bw_wr"
	       : !strcmp(direction, "write") ? "bw_rd"
	                                     : NULL;
}

static bool
is_drive(const char *engine)
{
	return !list_has("null,cpuio,exec,net,netsplice,rdma,mmap,rbd,rados,"
	                 "http,nfs,ime,e4defrag,falloc,ftruncate,filecreate,"
	                 "filestat,filedelete,dircreate,dirstat,dirdelete",
	                 engine);
}

/*
 * What tells jobs apart: how they access, and which of several clones that run
 * at once a job is.
 */
static void
set_access(struct text *t, const char *rw, const char *engine)
{
	text_mode(t, "pattern",
	          !strncmp(rw, "rand", 4) ? "random"
	          : *rw                   ? "sequential"
	                                  : NULL);
	text_mode(t, "engine", engine);
}

static void
begin_run(struct fio *f)
{
	key_set_free(&f->names);
	free(f->same);
	f->same = NULL;
	f->room = 0;
	f->told = f->ended = false;
}

static size_t
find_same(struct fio *f, const char *pid, const char *group, const char *name)
{
	char *key = xasprintf("%s/%s/%s", pid, group, name);
	size_t n = key_set_intern_text(&f->names, key);

	free(key);
	f->same = key_set_grow(&f->names, f->same, &f->room, sizeof *f->same);
	return n;
}

/*
 * A process that comes again is in the next report of --status-interval, which
 * has all since the start. Behind the sums of the groups, another process is of
 * another run.
 */
static void
set_clone(struct text *t, const char *name, const char *group, const char *pid)
{
	struct fio *f = t->state;
	size_t n, own = find_same(f, pid, group, name);

	if (f->ended && !f->same[own].reports)
		begin_run(f);
	n = find_same(f, "", group, name);
	own = find_same(f, pid, group, name);
	if (!*pid || !f->same[own].reports++)
		f->same[own].clone = ++f->same[n].jobs;
	text_mode(t, "clone", NULL);
	if (f->same[own].clone > 1)
		text_mode_count(t, "clone", f->same[own].clone);
	text_mode(t, "test", NULL);
	if (f->same[own].reports > 1)
		text_unknown(t, "report=%zu", f->same[own].reports);
	text_mode(t, "group", strcmp(group, "0") != 0 ? group : NULL);
}

static void
end_row(struct text *t)
{
	struct fio *f = t->state;

	if (f->begun)
		text_end_row(t);
	f->begun = false;
}

static const char *const directions[] = {"read", "write", "trim", "mixed"};

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
          const char *bench)
{
	const char *device = option_of(root, job, "filename");

	text_row(t, bench, device ? device : "");
	text_set(t, "job",
	         json_string_value(
	             text_member(t, job, "jobs", "jobname", JSON_STRING)));
	set_options(t, root, job);
}

/* Whether the options say that a drive's link was used. */
static bool
uses_link(const json_t *root, const json_t *job)
{
	const char *direct = option_of(root, job, "direct");
	const char *buffered = option_of(root, job, "buffered");
	const char *engine = option_of(root, job, "ioengine");

	if (!json_object_get(job, "job options"))
		return true;
	engine = engine ? engine : "psync";
	return is_drive(engine) &&
	       ((direct && !strcmp(direct, "1")) ||
	        (buffered && !strcmp(buffered, "0")) ||
	        list_has("io_uring_cmd,spdk,sg,xnvme,libblkio", engine));
}

static void
take_times(struct text *t, const json_t *part, const char *key)
{
	json_t *of = json_object_get(part, key);

	text_members(t, of, statistics, ARRAY_LEN(statistics));
	text_members(t, json_object_get(of, "percentile"), statistics,
	             ARRAY_LEN(statistics));
}

/* The bandwidth, and clat. */
static void
take_summary(struct text *t, const json_t *root, const json_t *job,
             const char *direction)
{
	const json_t *part = json_object_get(job, direction);
	const char *link = bench_of(direction, uses_link(root, job));
	char *bench = xasprintf("fio_%s", direction);

	text_member(t, part, direction, "bw_bytes", JSON_INTEGER);
	begin_row(t, root, job, link ? link : bench);
	free(bench);
	text_members(t, part, rates, ARRAY_LEN(rates));
	take_times(t, part, "clat_ns");
	text_end_row(t);
}

/*
 * Histograms, or a summary and a row for each other latency whose percentiles
 * were asked for.
 */
static void
take_direction(struct text *t, const json_t *root, const json_t *job,
               const char *direction)
{
	const json_t *part = json_object_get(job, direction);
	bool any = json_number_value(json_object_get(part, "total_ios")) > 0;
	bool bins = false;

	for (size_t i = 0; i < ARRAY_LEN(times); i++)
		bins |= json_is_object(json_object_get(
		    json_object_get(part, times[i].key), "bins"));
	if (!bins && any)
		take_summary(t, root, job, direction);
	for (size_t i = 0; i < ARRAY_LEN(times); i++) {
		const json_t *of = json_object_get(part, times[i].key);
		json_t *own = json_object_get(of, "bins");
		char *bench = xasprintf("fio_%s%s", direction, times[i].suffix);

		if (json_is_object(own)) {
			begin_row(t, root, job, bench);
			take_bins(t, own);
		} else if (!bins && any && *times[i].suffix &&
		           json_object_get(of, "percentile")) {
			begin_row(t, root, job, bench);
			take_times(t, part, times[i].key);
			text_end_row(t);
		}
		free(bench);
	}
}

/* Appends options that have no column. */
static void
list_options(char **list, json_t *options)
{
	const char *key;
	json_t *value;

	json_object_foreach(options, key, value)
	{
		const char *text = json_string_value(value);

		if (!list_has("name,filename,bs,iodepth,rw,readwrite,ioengine,"
		              "numjobs",
		              key))
			xappend(list, " ", "%s=%s", key, text ? text : "");
	}
}

static void
take_json_job(struct text *t, const json_t *root, const json_t *job, size_t n)
{
	json_t *start = json_object_get(job, "job_start");
	char *others = xstrdup("");

	const char *rw = option_of(root, job, "rw");
	const char *engine = option_of(root, job, "ioengine"), *jobs;
	const char *name = json_string_value(json_object_get(job, "jobname"));
	char group[24], process[48] = "";

	rw = rw ? rw : option_of(root, job, "readwrite");
	set_access(t, rw ? rw : "", engine);
	snprintf(
	    group, sizeof group, "%lld",
	    (long long)json_integer_value(json_object_get(job, "groupid")));
	if (start)
		snprintf(process, sizeof process, "%lld-%zu",
		         (long long)json_integer_value(start), n);
	set_clone(t, name ? name : "", group, process);
	jobs = option_of(root, job, "numjobs");
	text_mode(t, "jobs", jobs && strcmp(jobs, "1") != 0 ? jobs : NULL);
	list_options(&others, json_object_get(job, "job options"));
	list_options(&others, json_object_get(root, "global options"));
	text_setting(t, "options", others);
	free(others);
	text_mode(t, "host",
	          json_string_value(json_object_get(job, "hostname")));
	for (size_t d = 0; d < ARRAY_LEN(directions); d++)
		take_direction(t, root, job, directions[d]);
}

static bool
take_json(struct text *t, const json_t *root)
{
	const json_t *own = json_object_get(root, "jobs");
	const json_t *jobs = own ? own : json_object_get(root, "client_stats");
	uintmax_t before = t->job->result.rows;

	end_row(t);
	if (!json_is_array(jobs))
		return false;
	((struct fio *)t->state)->ended = true;
	for (size_t i = 0; i < json_array_size(jobs); i++) {
		const json_t *job = json_array_get(jobs, i);

		tell_error(t,
		           json_integer_value(json_object_get(job, "error")));
		take_json_job(t, root, job, i);
	}
	if (t->job->result.rows == before)
		text_die(t, "no result of fio 3");
	return true;
}

/* Text --------------------------------------------------------------------- */

static void
forget_job(struct text *t)
{
	struct fio *f = t->state;

	end_row(t);
	begin_run(f);
	f->njobs = 0;
	*f->job = *f->size = *f->depth = '\0';
	f->other = false;
	set_access(t, "", NULL);
}

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
	const char *engines = strstr(t->line, "ioengine=");
	char one[24] = "", rw[16] = "", engine[32] = "", *same;
	uint64_t bytes;

	if (*f->job || !f->njobs)
		forget_job(t);
	if (f->njobs++) {
		*f->size = *f->depth = '\0';
		f->other = false;
		set_access(t, "", NULL);
		return true;
	}
	sscanf(strstr(t->line, ": (g="), ": (g=%*[0-9]): rw=%15[a-z]", rw);
	sscanf(engines ? engines : "", "ioengine=%31[a-z0-9_-]", engine);
	set_access(t, rw, engine);
	f->other = !is_drive(engine);
	sscanf(depth ? depth : "", "iodepth=%15[0-9]", f->depth);
	sscanf(sizes ? sizes : "", "bs=(R) %23[^-]", one);
	text_setting(t, "sizes", sizes ? sizes : "");
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

/* A row of the direction; of the latency with this suffix, or "". */
static void
begin_text_row(struct text *t, const char *suffix)
{
	const struct fio *f = t->state;
	const char *link = bench_of(f->direction, !f->other && !*suffix);
	char *bench = xasprintf("fio_%s%s", f->direction, suffix);

	text_row(t, link ? link : bench, "");
	free(bench);
	text_set(t, "job", f->job);
	if (*f->size)
		text_cell(t, "size_bytes", COUNT, f->size);
	if (*f->depth)
		text_cell(t, "queue_depth", COUNT, f->depth);
}

/* "read: IOPS=85.1k, BW=333MiB/s (349MB/s)(9978MiB/30002msec)" */
static bool
take_rate(struct text *t)
{
	struct fio *f = t->state;
	char direction[8], value[32], unit[16];
	const char *rate = strstr(t->line, "BW="), *rest;
	int end = 0;

	if (sscanf(t->line, "%7[a-z]: IOPS=%n", direction, &end) != 1 || !end)
		return false;
	end = 0;
	rest = rate ? strstr(rate, "msec)") : NULL;
	if (rest)
		sscanf(rest, "msec)%n; %*[0-9] zone resets%n", &end, &end);
	if (!rest || rest[end] || strstr(rate + 1, "BW=") ||
	    sscanf(rate, "BW=%31[0-9.]%15[A-Za-z/]", value, unit) != 2)
		text_die(t, "no bandwidth: '%s'", t->line);
	end_row(t);
	snprintf(f->direction, sizeof f->direction, "%s", direction);
	*f->total = '\0';
	begin_text_row(t, "");
	text_cell(t, "bandwidth_gbit_s", unit, value);
	f->begun = f->told = true;
	f->timed = false;
	*f->unit = '\0';
	return true;
}

/* What fio says of a latency, in this order. */
static const char *const numbers[] = {"min_ns", "max_ns", "mean_ns",
                                      "stddev_ns"};

/* "clat (usec): min=278, max=5000, avg=748.35, stdev=100.2" */
static bool
take_numbers(struct text *t, const char *line)
{
	char value[4][26], unit[8], more;
	int n;

	n = sscanf(line,
	           "%*[a-z] (%7[a-z]): min= %23[^,], max= %23[^,], avg= "
	           "%23[^,], stdev= %23s %c",
	           unit, value[0], value[1], value[2], value[3], &more);
	if (n == 1)
		return false;
	if (n != 5)
		text_die(t, "not the four numbers of fio: '%s'", line);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		char *suffix = value[i] + strcspn(value[i], "kMG");

		/* Counts above 9999 are shortened: "10.2k", "15702M". */
		if (*suffix)
			snprintf(suffix, 3, "e%d",
			         *suffix == 'k'   ? 3
			         : *suffix == 'M' ? 6
			                          : 9);
		text_cell(t, numbers[i], unit, value[i]);
	}
	return true;
}

static bool
take_latency(struct text *t)
{
	struct fio *f = t->state;

	if (text_begins(t, "lat (") && strstr(t->line, ": min="))
		snprintf(f->total, sizeof f->total, "%s", t->line);
	if (!text_begins(t, "clat ("))
		return false;
	/* That of a direction whose first line is lost. */
	if (f->timed)
		end_row(t);
	f->timed = true;
	return f->begun && take_numbers(t, t->line);
}

/*
 * "clat percentiles (usec):", then "| 99.00th=[  126], 99.50th=[  147],". With
 * lat_percentiles they are of the whole latency: a row of its own.
 */
static bool
take_percentiles(struct text *t)
{
	struct fio *f = t->state;
	char value[24], which[8];

	if (strstr(t->line, " percentiles (")) {
		*f->unit = '\0';
		if (!f->begun ||
		    sscanf(t->line, "%7[a-z] percentiles (%7[a-z])", which,
		           f->unit) != 2)
			return false;
		if (!strcmp(which, "clat"))
			return true;
		end_row(t);
		/* Those of fsync are of no direction. */
		if (!strcmp(which, "sync"))
			return false;
		begin_text_row(t, !strcmp(which, "lat") ? "_total" : "_submit");
		f->begun = true;
		if (!strcmp(which, "lat") && *f->total)
			take_numbers(t, f->total);
		return true;
	}
	if (*t->line != '|' || !f->begun || !*f->unit)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(statistics); i++) {
		char title[16];
		const char *at;

		snprintf(title, sizeof title, "%.5sth=[", statistics[i].title);
		at = strstr(t->line, title);
		if (at && sscanf(at + strlen(title), "%23[^]]]", value) == 1)
			text_cell(t, statistics[i].name, f->unit,
			          value + strspn(value, " "));
	}
	return true;
}

/* "JOB: (groupid=0, jobs=4): err= 0: pid=1234: ..." */
static bool
take_group(struct text *t)
{
	struct fio *f = t->state;
	const char *error = strstr(t->line, "err=");
	const char *process = strstr(t->line, ": pid=");
	char group[16] = "", jobs[16] = "", pid[16] = "";

	end_row(t);
	*f->unit = '\0';
	tell_error(t, error ? strtol(error + 4, NULL, 10) : 0);
	if (sscanf(t->line, "%63[^:]: (groupid=%15[0-9], jobs=%15[0-9])",
	           f->job, group, jobs) < 1)
		return false;
	sscanf(process ? process : "", ": pid=%15[0-9]", pid);
	set_clone(t, f->job, group, pid);
	text_mode(t, "jobs", strcmp(jobs, "1") != 0 ? jobs : NULL);
	return true;
}

/* Terse output ------------------------------------------------------------- */

/*
 * The fields of a line: five of the job, then blocks of reads, writes and, but
 * in version 3, trims, as in fio's HOWTO. Times are whole microseconds, which
 * cuts a shorter one to 0.
 */
enum {
	TERSE_JOB = 5,
	TERSE_BYTES = 0,
	TERSE_RATE = 1,
	TERSE_CLAT = 8, /* the least, the largest, the mean, the deviation */
	TERSE_PERCENTILE = 12,
	TERSE_LAT = 32,
	TERSE_BLOCK = 41,
	TERSE_SAMPLES = 6, /* more in each block of version 5 */
};

static void
take_terse_time(struct text *t, const char *column, const char *word)
{
	if (text_number(t, word) > 0)
		text_cell(t, column, "us", word);
}

static void
take_terse_block(struct text *t, char *const word[])
{
	begin_text_row(t, "");
	text_cell(t, "bandwidth_gbit_s", "KiB/s", word[TERSE_RATE]);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		take_terse_time(t, numbers[i], word[TERSE_CLAT + i]);
	for (size_t i = TERSE_PERCENTILE; i < TERSE_LAT; i++) {
		const char *value = strstr(word[i], "%=");

		for (size_t k = 0; k < ARRAY_LEN(statistics); k++) {
			if (!strncmp(word[i], statistics[k].title,
			             (size_t)(value - word[i])))
				take_terse_time(t, statistics[k].name,
				                value + 2);
		}
	}
	text_end_row(t);
}

/* "3;fio-3.33;JOB;GROUP;ERROR;..." */
static bool
take_terse(struct text *t)
{
	struct fio *f = t->state;
	char version;
	int end = 0;

	/* Rows as text tell the same jobs. */
	if (sscanf(t->line, "%c;fio-%n", &version, &end) != 1 || !end ||
	    version < '3' || version > '5' || f->told)
		return false;
	if (strstr(t->line + end, ";fio-"))
		text_die(t, "two rows in one line");
	text_split(t, ";");
	for (size_t d = 0; d < (version == '3' ? 2 : 3); d++) {
		size_t length =
		    TERSE_BLOCK + (version == '5' ? TERSE_SAMPLES : 0);
		char **block = t->word + TERSE_JOB + d * length;

		if (TERSE_JOB + (d + 1) * length > t->nwords)
			text_die(t, "%zu fields: too few", t->nwords);
		for (size_t i = TERSE_PERCENTILE; i < TERSE_LAT; i++) {
			const char *value = strstr(block[i], "%=");

			if (value)
				text_number(t, value + 2);
			else
				text_die(t, "'%s': not a percentile", block[i]);
		}
		if (!d) {
			snprintf(f->job, sizeof f->job, "%s", t->word[2]);
			set_clone(t, f->job, t->word[3], "");
			text_mode(t, "jobs", NULL);
			tell_error(t, strtol(t->word[4], NULL, 10));
		}
		snprintf(f->direction, sizeof f->direction, "%s",
		         directions[d]);
		if (text_number(t, block[TERSE_BYTES]) > 0)
			take_terse_block(t, block);
	}
	return true;
}

static bool
take_line(struct text *t)
{
	struct fio *f = t->state;

	if (strstr(t->line, ": (g="))
		return take_job(t);
	if (strstr(t->line, ": (groupid="))
		return take_group(t);
	if (text_begins(t, "Run status group "))
		f->ended = true;
	/* Behind results, of a run whose jobs are lost. */
	if (text_begins(t, "fio-") && *f->job &&
	    isdigit((unsigned char)t->line[4]))
		forget_job(t);
	return take_terse(t) || take_rate(t) || take_latency(t) ||
	       take_percentiles(t);
}

static void
end_file(struct text *t)
{
	end_row(t);
	begin_run(t->state);
}

const struct importer fio_importer = {
    .name = "fio",
    .help = "fio's text, terse lines, JSON and histograms (json+)",
    .words = (const char *const[]){"fio-2.", "fio-3.", "fio version",
                                   "(groupid=", "clat (", "clat_ns",
                                   "Run status group ", NULL},
    .needs = "'read: IOPS=..., BW=...' of a finished job of fio 3",
    .take_line = take_line,
    .take_json = take_json,
    .end = end_file,
    .state_size = sizeof(struct fio),
};
