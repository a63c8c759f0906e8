/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/support.h"
#include "rig/cmocka.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int
temporary_file(struct bytes content)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, content.text, content.size), content.size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static char *
content_of(int fd, size_t *size)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char *text = malloc((size_t)end + 1);

	assert_non_null(text);
	assert_int_equal(pread(fd, text, (size_t)end, 0), end);
	text[end] = '\0';
	*size = (size_t)end;
	close(fd);
	return text;
}

static int
wait_for(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
	                           : WEXITSTATUS(status);
}

/* A SOCK_SEQPACKET socket returns one message, of a byte, per read(). */
static int
feed_bytes(struct bytes in, pid_t *feeder)
{
	int pair[2];

	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	*feeder = fork();
	assert_true(*feeder >= 0);
	if (*feeder) {
		close(pair[1]);
		return pair[0];
	}
	close(pair[0]);
	for (size_t i = 0; i < in.size; i++) {
		if (send(pair[1], in.text + i, 1, MSG_NOSIGNAL) != 1)
			break;
	}
	_exit(0);
}

static void
become_child(int in, int out, int err)
{
	/* A shell without job control lets background jobs ignore it. */
	signal(SIGINT, SIG_DFL);
	if (in < 0)
		close(STDIN_FILENO);
	else
		dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	program_name = "t";
}

struct ended
in_child(void (*body)(const void *data), const void *data, struct bytes in,
         enum feed feed)
{
	int out = temporary_file((struct bytes)BYTES(""));
	int err = temporary_file((struct bytes)BYTES(""));
	pid_t feeder = 0;
	int input = feed == FEED_FILE    ? temporary_file(in)
	            : feed == FEED_BYTES ? feed_bytes(in, &feeder)
	                                 : -1;
	struct ended e;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		become_child(input, out, err);
		body(data);
		exit(0);
	}
	if (input >= 0)
		close(input);
	e.status = wait_for(pid);
	if (feeder)
		wait_for(feeder);
	e.out = content_of(out, &e.out_size);
	e.err = content_of(err, &e.err_size);
	return e;
}

void
ended_free(struct ended *e)
{
	free(e->out);
	free(e->err);
}

void
assert_ended(const struct ended *e, int status, const char *out,
             const char *err)
{
	if (e->status != status || strcmp(e->out, out) != 0 ||
	    strcmp(e->err, err) != 0)
		print_error("status %d\nout:\n%s\nerr:\n%s\n", e->status,
		            e->out, e->err);
	assert_int_equal(e->status, status);
	assert_string_equal(e->out, out);
	assert_string_equal(e->err, err);
}

void
assert_child(void (*body)(const void *data), const void *data, int status,
             const char *out, const char *err)
{
	struct ended e =
	    in_child(body, data, (struct bytes)BYTES(""), FEED_FILE);

	assert_ended(&e, status, out, err);
	ended_free(&e);
}

static char *scratch;
static char *before;

int
enter_scratch(void **state)
{
	before = getcwd(NULL, 0);
	scratch = xstrdup(P_tmpdir "/pcb-test-XXXXXX");
	return !before || !mkdtemp(scratch) || chdir(scratch);
}

int
leave_scratch(void **state)
{
	char *command = xasprintf("rm -rf %s", scratch);
	int failed = chdir(before) || system(command);

	free(command);
	free(before);
	free(scratch);
	return failed;
}

void
write_file(const char *name, struct bytes content)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(content.text, 1, content.size, f),
	                 content.size);
	assert_int_equal(fclose(f), 0);
}

void
write_below(const char *path, struct bytes content)
{
	char *copy = xstrdup(path);

	for (char *at = strchr(copy, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(copy, 0777);
		*at = '/';
	}
	free(copy);
	write_file(path, content);
}

void
write_text(const char *path, const char *text)
{
	write_below(path, (struct bytes){text, strlen(text)});
}

struct fraction
percent(const char *text)
{
	struct fraction part = {0};

	assert_null(parse_percentage(text, &part));
	return part;
}

uint64_t
random_u64(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}
