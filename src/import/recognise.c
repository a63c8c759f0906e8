/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the format of a file: by words that only one program prints, then by
 * what can be read of its beginning, else of all of it.
 */
#include "import/formats.h"
#include "import/text.h"

#include "common/base/number.h"
#include "common/base/reader.h"

#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool
reads_stdin(const struct job *job)
{
	return find_word("-", (const char *const *)job->file, job->nfiles) <
	       job->nfiles;
}

/* The first, such as a result of ndl, in which nothing is searched; or NULL. */
static const char *
directory_of(const struct job *job)
{
	struct stat st;
	size_t i = 0;

	while (i < job->nfiles &&
	       (stat(job->file[i], &st) || !S_ISDIR(st.st_mode)))
		i++;
	return i < job->nfiles ? job->file[i] : NULL;
}

/* Puts a file in the place of a stream, which can be read only once. */
static void
keep_stream(int fd, const char *name)
{
	FILE *copy;
	char bytes[1 << 16];
	ssize_t n;

	if (lseek(fd, 0, SEEK_CUR) >= 0)
		return;
	copy = tmpfile();
	if (!copy)
		die_sys("a temporary file");
	while ((n = read(fd, bytes, sizeof bytes)) > 0) {
		if (fwrite(bytes, 1, (size_t)n, copy) != (size_t)n)
			die_sys("a temporary file");
	}
	if (n < 0)
		die_sys("%s", name);
	if (fflush(copy) || dup2(fileno(copy), fd) < 0)
		die_sys("a temporary file");
}

/* Each format reads from the start; bash calls <(command) /dev/fd/63. */
static void
keep_streams(const struct job *job)
{
	for (size_t i = 0; i < job->nfiles; i++) {
		const char *name = job->file[i];
		struct stat st;
		uint64_t fd;

		if (!strcmp(name, "-") || !strcmp(name, "/dev/stdin"))
			keep_stream(STDIN_FILENO, "standard input");
		else if (!strncmp(name, "/dev/fd/", 8) &&
		         !parse_integer(name + 8, &fd) && fd <= INT_MAX)
			keep_stream((int)fd, name);
		else if (!stat(name, &st) && S_ISFIFO(st.st_mode))
			die("%s: a pipe can be read once: name the format, as "
			    "in 'pcb-import fio %s'",
			    name, name);
	}
}

static void
rewind_stdin(const struct job *job)
{
	if (reads_stdin(job))
		lseek(STDIN_FILENO, 0, SEEK_SET);
}

/* Ends a trial; the output file is its parent's. */
static void
end_trial(void)
{
	_exit(STATUS_TROUBLE);
}

/*
 * Whether a format takes the files, or only the beginning of each; its messages
 * go to a file.
 */
static bool
is_format(const struct job *job, const struct importer *importer, bool head,
          FILE *messages)
{
	int status = 0;
	pid_t child;

	rewind_stdin(job);
	child = messages ? fork() : -1;
	if (child < 0)
		die_sys("a process or temporary file: name the format");
	if (!child) {
		struct job tried = *job;

		dup2(fileno(messages), STDERR_FILENO);
		(void)atexit(end_trial);
		tried.verbose = false;
		tried.tried = true;
		tried.head = head;
		import_read(&tried, importer);
		_exit(STATUS_OK);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == STATUS_OK;
}

/* Programs whose output is not read, by what they print. */
static const struct word strangers[] = {
    {"[ ID] Interval", "iperf or iperf3"},
    {"\"bits_per_second\":", "iperf3"},
    {"Gbits/sec", "iperf"},
    {"Mbits/sec", "iperf"},
    {"# OSU MPI", "the OSU benchmarks"},
    {"Performance counter stats for", "perf stat, which pcb-ddio -x reads"},
    {"MIGRATED TCP", "netperf"},
    {"sockperf: ", "sockperf"},
    {"STREAM version", "STREAM"},
    {"Timing buffered", "hdparm"},
    {" copied, ", "dd"},
    {"+0 records in", "dd"},
    {" kopiert, ", "dd"},
    {" copi\xc3\xa9s, ", "dd"},
    {"PCIeRdCur", "pcm-pcie"},
    {"Host -> PCIe -> FPGA", "xbutil"},
    {"usec/xfer", "fabtests"},
    {" usec/iter", "ibv_rc_pingpong"},
    {"bw  =  ", "qperf"},
    {"latency  =  ", "qperf"},
    {"MiB/s    Average ", "SPDK's perf"},
    {"IOS/call=", "fio's t/io_uring"},
    {"MiB (Q=", "CrystalDiskMark"},
    {"(GBPS)", "clpeak, ze_bandwidth or ze_peer"},
    {"rxpci", "nvidia-smi dmon"},
    {"PCITX", "dcgmi dmon"},
    {"Dir\\D ", "busGrind"},
    {"p2p-bandwidth", "ROCm Validation Suite"},
    {"pcie-bandwidth", "ROCm Validation Suite"},
    {"NIC statistics for port", "testpmd"},
};

/* What stands in the files. */
struct found {
	char
	    *words[ARRAY_LEN(importers)]; /* of these formats: where, or NULL */
	char *stranger;                   /* where and whose, or NULL */
};

/* The first two bytes of words that are still sought. */
static bool starts[UCHAR_MAX + 1][UCHAR_MAX + 1];

static void
seek_word(const char *word)
{
	starts[(unsigned char)word[0]][(unsigned char)word[1]] = true;
}

static void
seek_words(const struct found *found)
{
	memset(starts, 0, sizeof starts);
	for (size_t i = 0; i < ARRAY_LEN(importers); i++) {
		const char *const *word = importers[i]->words;

		for (; word && *word && !found->words[i]; word++)
			seek_word(*word);
	}
	for (size_t i = 0; i < ARRAY_LEN(strangers) && !found->stranger; i++)
		seek_word(strangers[i].theirs);
}

/* Whether a word that is sought begins here; it is sought no more. */
static bool
find_here(struct found *found, const struct lines *in, const char *text)
{
	const struct word *stranger =
	    find_beginning(text, strangers, ARRAY_LEN(strangers));
	bool any = stranger && !found->stranger;

	if (any)
		found->stranger = xasprintf("%s:%ju: output of %s", in->file,
		                            in->line, stranger->ours);
	for (size_t i = 0; i < ARRAY_LEN(importers); i++) {
		const char *const *word = importers[i]->words;

		if (!word || found->words[i])
			continue;
		while (*word && strncmp(text, *word, strlen(*word)) != 0)
			word++;
		if (!*word)
			continue;
		found->words[i] = xasprintf("; %s:%ju has the word '%s'",
		                            in->file, in->line, *word);
		any = true;
	}
	return any;
}

static void
find_in_files(struct found *found, const struct job *job)
{
	struct lines in = {.files = job->file, .nfiles = job->nfiles, .fd = -1};
	size_t length;
	char *line;

	rewind_stdin(job);
	seek_words(found);
	while (lines_open_next(&in)) {
		while (in.line = in.next, (line = lines_next(&in, &length))) {
			const unsigned char *at = (unsigned char *)line;

			lines_check(&in, line, length);
			for (; length > 1; length--, at++) {
				if (starts[at[0]][at[1]] &&
				    find_here(found, &in, (const char *)at))
					seek_words(found);
			}
		}
		lines_close(&in);
	}
	free(in.buffer);
}

/* Ends the program if the files alone are of several formats. */
static void
refuse_several(const struct job *job, const struct found *found)
{
	FILE *nowhere = tmpfile();
	const char *first = NULL;
	struct job one = *job;

	one.nfiles = 1;
	for (size_t i = 0; i < job->nfiles * ARRAY_LEN(importers); i++) {
		size_t format = i % ARRAY_LEN(importers);
		const char *name = importers[format]->name;

		one.file = &job->file[i / ARRAY_LEN(importers)];
		if (!found->words[format] ||
		    !is_format(&one, importers[format], false, nowhere))
			continue;
		if (first && strcmp(first, name) != 0)
			die("%s is of %s, a file before it of %s: one format "
			    "per call",
			    one.file[0], name, first);
		first = name;
	}
	if (nowhere)
		fclose(nowhere);
}

/* Ends the program: says why those formats whose words stand there failed. */
static _Noreturn void
refuse(const struct job *job, const struct found *found, const char *file)
{
	char *reader;
	bool said = false;

	if (job->nfiles > 1)
		refuse_several(job, found);
	for (size_t i = 0; i < ARRAY_LEN(importers); i++) {
		struct job tried = *job;

		if (!found->words[i])
			continue;
		tried.seen = found->words[i];
		is_format(&tried, importers[i], false, stderr);
		said = true;
	}
	if (said)
		exit(STATUS_TROUBLE);
	reader = reader_of(job->file[0]);
	if (reader && strncmp(reader, "pcb-import", 10) != 0)
		die("%s: not the output of a measurement: '%s' reads it", file,
		    reader);
	free(reader);
	if (found->stranger)
		die("%s: it is in none of the formats (-h lists them)",
		    found->stranger);
	if (directory_of(job))
		die("%s: Is a directory (of ndl, it would have datapoints.csv)",
		    directory_of(job));
	die("%s: no program whose results can be read is recognised (-h lists "
	    "them); 'pcb-import csv' reads tables with names in the first line",
	    file);
}

/* Ends the program: several formats take the files. */
static _Noreturn void
ask(const bool taken[], const char *file)
{
	char *names = NULL;
	const char *first = NULL;

	for (size_t i = 0; i < ARRAY_LEN(importers); i++) {
		if (!taken[i])
			continue;
		first = first ? first : importers[i]->name;
		xappend(&names, " or ", "%s", importers[i]->name);
	}
	die("%s: may be %s: name the format, as in 'pcb-import %s FILE'", file,
	    names, first);
}

/*
 * Tries the formats whose words stand there, or those whose words do not;
 * returns how many take the files, or the beginning of each.
 */
static size_t
try_formats(const struct job *job, const struct found *found, bool named,
            bool head, bool taken[])
{
	FILE *nowhere = tmpfile();
	size_t n = 0;

	/* The last one, csv, takes every table. */
	for (size_t i = 0; i + 1 < ARRAY_LEN(importers); i++) {
		taken[i] = !found->words[i] == !named &&
		           is_format(job, importers[i], head, nowhere);
		n += taken[i];
	}
	if (nowhere)
		fclose(nowhere);
	return n;
}

size_t
recognise_format(const struct job *job)
{
	bool taken[ARRAY_LEN(importers)] = {false};
	struct found found = {.stranger = NULL};
	size_t n = 0, named = 0, format = 0;
	const char *file =
	    !strcmp(job->file[0], "-") ? "standard input" : job->file[0];

	keep_streams(job);
	if (!directory_of(job))
		find_in_files(&found, job);
	for (size_t i = 0; i < ARRAY_LEN(importers); i++)
		named += found.words[i] != NULL;
	/* Of several programs in a file, each may come behind the beginning. */
	if (named == 1)
		n = try_formats(job, &found, true, true, taken);
	if (!n && named)
		n = try_formats(job, &found, true, false, taken);
	if (!n)
		n = try_formats(job, &found, false, true, taken);
	if (!n)
		refuse(job, &found, file);
	if (n > 1)
		ask(taken, file);
	while (!taken[format])
		format++;
	for (size_t i = 0; i < ARRAY_LEN(importers); i++)
		free(found.words[i]);
	free(found.stranger);
	rewind_stdin(job);
	warn("%s: read as %s", file, importers[format]->name);
	return format;
}
