/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages and exits. */
#include "rig/cmocka.h"
#include "rig/support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static void
send_stdout_to(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	dup2(fd, STDOUT_FILENO);
	close(fd);
}

static void
close_readers_end(void)
{
	int end[2];

	if (pipe(end))
		abort();
	dup2(end[1], STDOUT_FILENO);
	close(end[0]);
	close(end[1]);
}

static void
do_warn(const void *data)
{
	warn("%d of %s", 1, "these");
	errno = ENOENT;
	warn_sys("file %s", "x");
}

static void
do_die(const void *data)
{
	puts("said before");
	die("%s", "no more");
}

static void
do_die_sys(const void *data)
{
	errno = EACCES;
	die_sys("%s", "x");
}

static void
do_die_usage(const void *data)
{
	die_usage("-%c: %s", 's', "empty");
}

static void
do_try_help(const void *data)
{
	program_name = "pcb-x";
	try_help();
}

static void
do_memory(const void *data)
{
	char *text = xasprintf("%s-%d", "a", 7);
	char *copy = xstrdup(text);
	char *zeros = xcalloc(3, 1);

	zeros = xreallocarray(zeros, 4, 1);
	zeros[3] = '\0';
	puts(copy);
	printf("%d%d%d", zeros[0], zeros[1], zeros[2]);
	free(text);
	free(copy);
	free(zeros);
	free(xmalloc(0));
	free(xcalloc(0, 8));
}

static void
do_close(const void *data)
{
	puts("whole");
	close_stdout();
}

static void
do_close_full(const void *data)
{
	send_stdout_to("/dev/full");
	puts("lost");
	close_stdout();
}

/* The loss is detected although the last write succeeded. */
static void
do_close_lost(const void *data)
{
	send_stdout_to("/dev/full");
	puts("lost");
	fflush(stdout);
	send_stdout_to("/dev/null");
	puts("written");
	close_stdout();
}

static void
do_check_full(const void *data)
{
	check_stdout();
	send_stdout_to("/dev/full");
	puts("lost");
	fflush(stdout);
	check_stdout();
}

static void
do_close_closed(const void *data)
{
	close(STDOUT_FILENO);
	puts("lost");
	close_stdout();
}

/* Closed standard streams: the next opened file is none of them. */
static void
do_open_next(const void *data)
{
	char name[] = "t", *argv[] = {name, NULL};

	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	set_program(1, argv);
	warn("%d %d", open("/dev/null", O_WRONLY) > STDERR_FILENO, getchar());
	puts("lost");
	close_stdout();
}

static void
do_open_next_of_closed_stderr(const void *data)
{
	char name[] = "t", *argv[] = {name, NULL};

	close(STDERR_FILENO);
	set_program(1, argv);
	printf("%d\n", open("/dev/null", O_WRONLY) > STDERR_FILENO);
	die("lost");
}

static void
do_reader_gone(const void *data)
{
	filter_signals();
	close_readers_end();
	puts("lost");
	close_stdout();
}

static void
do_reader_gone_ignored(const void *data)
{
	signal(SIGPIPE, SIG_IGN);
	close_readers_end();
	puts("lost");
	close_stdout();
}

static void
last_words(void)
{
	fputs("last words\n", stderr);
}

static void
do_end_by_signal(const void *data)
{
	atexit(last_words);
	puts("flushed");
	end_by_signal(SIGTERM);
}

static void
do_interrupt(const void *data)
{
	const int *times = data;

	filter_signals();
	for (int i = 0; i < *times; i++) {
		raise(SIGINT);
		printf("%d", i + 1);
		fflush(stdout);
	}
}

static void
do_interrupt_ignored(const void *data)
{
	signal(SIGINT, SIG_IGN);
	do_interrupt(data);
}

static const int once = 1, twice = 2;

struct row {
	void (*body)(const void *data);
	const void *data;
	int status;
	const char *out;
	const char *err;
};

static const struct row rows[] = {
    {do_warn, NULL, 0, "",
     "t: 1 of these\nt: file x: No such file or directory\n"},
    {do_die, NULL, 2, "said before\n", "t: no more\n"},
    {do_die_sys, NULL, 2, "", "t: x: Permission denied\n"},
    {do_die_usage, NULL, 2, "", "t: -s: empty\nTry 't --help'.\n"},
    {do_try_help, NULL, 2, "", "Try 'pcb-x --help'.\n"},
    {do_memory, NULL, 0, "a-7\n000", ""},
    {do_close, NULL, 0, "whole\n", ""},
    {do_close_full, NULL, 2, "", "t: stdout: No space left on device\n"},
    {do_close_lost, NULL, 2, "", "t: stdout: Input/output error\n"},
    {do_check_full, NULL, 2, "", "t: stdout: No space left on device\n"},
    {do_close_closed, NULL, 2, "", "t: stdout: Bad file descriptor\n"},
    {do_open_next, NULL, 2, "", "t: 1 -1\nt: stdout: Bad file descriptor\n"},
    {do_open_next_of_closed_stderr, NULL, 2, "1\n", ""},
    {do_reader_gone, NULL, 128 + SIGPIPE, "", ""},
    {do_reader_gone_ignored, NULL, 128 + SIGPIPE, "", ""},
    {do_end_by_signal, NULL, 128 + SIGTERM, "flushed\n", "last words\n"},
    {do_interrupt, &once, 0, "1", ""},
    {do_interrupt, &twice, 128 + SIGINT, "1", ""},
    {do_interrupt_ignored, &twice, 0, "12", ""},
};

TEST(ends)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *row = &rows[i];
		assert_child(row->body, row->data, row->status, row->out,
		             row->err);
	}
}

struct command_row {
	const char *argv[5];
	const char *name;
	const char *command;
};

static const struct command_row command_rows[] = {
    {{"x"}, "x", "x"},
    {{"/usr/bin/x"}, "x", "x"},
    {{"./x", "-s", "64:2K", "--by=a,b"}, "x", "x -s 64:2K --by=a,b"},
    {{"x", "", "a b", "$HOME"}, "x", "x '' 'a b' '$HOME'"},
    {{"x", "it's", "~", "*"}, "x", "x 'it'\\''s' '~' '*'"},
    {{"x", "a|b", "a\nb", "\xc3\xa9"}, "x", "x 'a|b' 'a\nb' '\xc3\xa9'"},
    {{""}, "nameless", "nameless"},
    {{NULL}, "nameless", "nameless"},
};

TEST(commands)
{
	for (size_t i = 0; i < ARRAY_LEN(command_rows); i++) {
		const struct command_row *row = &command_rows[i];
		char *argv[ARRAY_LEN(row->argv)];
		int argc = 0;

		for (; row->argv[argc]; argc++)
			argv[argc] = (char *)row->argv[argc];
		program_name = "nameless";
		set_program(argc, argv);
		assert_string_equal(program_name, row->name);
		assert_string_equal(program_command, row->command);
		free(program_command);
	}
}

/* Prints the first write of a message. */
static void
warn_by_packets(const void *data)
{
	char name[] = "t", first[64] = "";
	char *argv[] = {name, NULL};
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
		return;
	dup2(ends[1], STDERR_FILENO);
	set_program(1, argv);
	warn("%s: %d", "what", 7);
	if (recv(ends[0], first, sizeof first - 1, MSG_DONTWAIT) > 0)
		printf("%s", first);
}

/* Otherwise letters of two programs would mix. */
TEST(messages_are_written_whole)
{
	assert_child(warn_by_packets, NULL, 0, "t: what: 7\n", "");
}

TEST(items_are_appended)
{
	char *list = NULL;

	xappend(&list, ", ", "%s", "a");
	assert_string_equal(list, "a");
	xappend(&list, ", ", "%s (%d)", list, 2);
	assert_string_equal(list, "a, a (2)");
	*list = '\0';
	xappend(&list, ", ", "b");
	assert_string_equal(list, "b");
	free(list);
}
