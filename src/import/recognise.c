/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the format of a file: the one in which all of it can be read. */
#include "import/formats.h"
#include "import/text.h"

#include "common/base/reader.h"

#include <sys/wait.h>
#include <unistd.h>

static bool
reads_stdin(const struct job *job)
{
	return find_word("-", (const char *const *)job->file, job->nfiles) <
	       job->nfiles;
}

/* Makes standard input a file, which each format reads from its start. */
static void
keep_stdin(const struct job *job)
{
	FILE *copy;
	char bytes[1 << 16];
	ssize_t n;

	if (!reads_stdin(job) || lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0)
		return;
	copy = tmpfile();
	if (!copy)
		die_sys("a temporary file");
	while ((n = read(STDIN_FILENO, bytes, sizeof bytes)) > 0) {
		if (fwrite(bytes, 1, (size_t)n, copy) != (size_t)n)
			die_sys("a temporary file");
	}
	if (n < 0)
		die_sys("standard input");
	if (fflush(copy) || dup2(fileno(copy), STDIN_FILENO) < 0)
		die_sys("a temporary file");
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

/* Whether a format takes the files; its messages go to a file, or nowhere. */
static bool
is_format(const struct job *job, const struct importer *importer,
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
		import_read(&tried, importer);
		_exit(STATUS_OK);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == STATUS_OK;
}

/* Programs whose output is not read, by what they print. */
static const struct word strangers[] = {
    {"[ ID] Interval", "iperf3"},
    {"Gbits/sec", "iperf"},
    {"Mbits/sec", "iperf"},
    {"# OSU MPI", "the OSU benchmarks"},
    {"Performance counter stats for", "perf stat, which pcb-ddio -x reads"},
    {"MIGRATED TCP", "netperf"},
    {"sockperf: ", "sockperf"},
    {"STREAM version", "STREAM"},
};

/* What stands in the files. */
struct found {
	bool words[ARRAY_LEN(importers)]; /* of these formats */
	char *stranger;                   /* where and whose, or NULL */
};

static void
find_in_line(struct found *found, const struct lines *in, const char *line)
{
	for (size_t i = 0; i < ARRAY_LEN(importers); i++) {
		const char *const *word = importers[i]->words;

		for (; word && *word && !found->words[i]; word++)
			found->words[i] = strstr(line, *word);
	}
	for (size_t i = 0; i < ARRAY_LEN(strangers) && !found->stranger; i++) {
		if (strstr(line, strangers[i].theirs))
			found->stranger =
			    xasprintf("%s:%ju: output of %s", in->file,
			              in->line, strangers[i].ours);
	}
}

static void
find_in_files(struct found *found, const struct job *job)
{
	struct lines in = {.files = job->file, .nfiles = job->nfiles, .fd = -1};
	size_t length;
	char *line;

	rewind_stdin(job);
	while (lines_open_next(&in)) {
		for (;;) {
			in.line = in.next;
			line = lines_next(&in, &length);
			if (!line)
				break;
			lines_check(&in, line, length);
			line[length - 1] = '\0';
			find_in_line(found, &in, line);
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
		    importers[format] == &csv_importer ||
		    !is_format(&one, importers[format], nowhere))
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
		if (!found->words[i] || importers[i] == &csv_importer)
			continue;
		is_format(job, importers[i], stderr);
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

size_t
recognise_format(const struct job *job)
{
	bool taken[ARRAY_LEN(importers)] = {false};
	struct found found = {.stranger = NULL};
	size_t n = 0, named = 0, format = 0;
	FILE *nowhere = tmpfile();
	const char *file =
	    !strcmp(job->file[0], "-") ? "standard input" : job->file[0];

	keep_stdin(job);
	/* The last one, csv, takes every table. */
	for (size_t i = 0; i + 1 < ARRAY_LEN(importers); i++) {
		taken[i] = is_format(job, importers[i], nowhere);
		n += taken[i];
	}
	fclose(nowhere);
	if (n != 1)
		find_in_files(&found, job);
	if (!n)
		refuse(job, &found, file);
	/* A format whose words stand there is not one that only might fit. */
	for (size_t i = 0; i < ARRAY_LEN(importers); i++)
		named += taken[i] && found.words[i];
	for (size_t i = 0; i < ARRAY_LEN(importers); i++) {
		taken[i] = taken[i] && (!named || found.words[i]);
		format = taken[i] ? i : format;
	}
	if ((named ? named : n) > 1)
		ask(taken, file);
	free(found.stranger);
	rewind_stdin(job);
	warn("%s: read as %s", file, importers[format]->name);
	return format;
}
