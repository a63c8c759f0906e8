/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces calls that can fail, and makes one of them fail. Preload it;
 * children of the program run without it, forked copies with it.
 *
 * FAULT=CALL:N:ERROR  the N-th call fails with this errno (read:3:EIO). CALL is
 *                     one of the calls below, or a group: malloc, open, stat
 * FAULT_MARK=FILE     is created or truncated when that happens
 *
 * Kills a program that runs for more than 20 seconds.
 *
 * stdio reads and writes without calls that could be replaced: its streams are
 * replaced by streams whose functions call read, write and close of this file.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <numaif.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

/* The real malloc, which dlsym calls, too. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static struct {
	char call[32];
	unsigned long n;
	int error;
	char mark[256];
} fault;
static atomic_ulong seen;
static atomic_bool library_is_gone;

static void
leave_mark(void)
{
	static int (*real_open)(const char *, int, ...);
	static int (*real_close)(int);

	*(void **)&real_open = dlsym(RTLD_NEXT, "open");
	*(void **)&real_close = dlsym(RTLD_NEXT, "close");
	if (*fault.mark)
		real_close(
		    real_open(fault.mark, O_WRONLY | O_CREAT | O_TRUNC, 0600));
}

/* Whether this call must fail; then sets errno. */
static bool
fails(const char *call)
{
	if (!fault.n || strcmp(fault.call, call) != 0 ||
	    atomic_fetch_add(&seen, 1) + 1 != fault.n)
		return false;
	leave_mark();
	errno = fault.error;
	return true;
}

/* Defines a function that calls the original, or fails. */
#define CALL(group, type, name, failed, parameters, arguments)                 \
	type name parameters                                                   \
	{                                                                      \
		static type(*real) parameters;                                 \
                                                                               \
		if (fails(#group))                                             \
			return failed;                                         \
		if (!real)                                                     \
			*(void **)&real = dlsym(RTLD_NEXT, #name);             \
		return real arguments;                                         \
	}

/* Memory ------------------------------------------------------------------ */

/*
 * Whether one of these must fail; exempts libpci, the driver, and libnuma,
 * which ends the program with a status of its own.
 */
static bool
memory_fails(const void *caller)
{
	Dl_info info;

	if (!fault.n || strcmp(fault.call, "malloc") != 0 ||
	    (dladdr(caller, &info) && (strstr(info.dli_fname, "/libpci.so") ||
	                               strstr(info.dli_fname, "/libnuma.so") ||
	                               strstr(info.dli_fname, "/libcuda.so"))))
		return false;
	return fails("malloc");
}

#define NO_MEMORY memory_fails(__builtin_return_address(0))

void *
malloc(size_t size)
{
	return NO_MEMORY ? NULL : __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
	return NO_MEMORY ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *old, size_t size)
{
	return NO_MEMORY ? NULL : __libc_realloc(old, size);
}

/* glibc's aborts if memory is out; libpci asks for a home directory. */
struct passwd *
getpwuid(uid_t user)
{
	(void)user;
	return NULL;
}

CALL(mmap, void *, mmap, MAP_FAILED,
     (void *at, size_t size, int prot, int flags, int fd, off_t offset),
     (at, size, prot, flags, fd, offset))
CALL(mmap, void *, mmap64, MAP_FAILED,
     (void *at, size_t size, int prot, int flags, int fd, off64_t offset),
     (at, size, prot, flags, fd, offset))
CALL(mlockall, int, mlockall, -1, (int flags), (flags))
CALL(madvise, int, madvise, -1, (void *at, size_t size, int advice),
     (at, size, advice))
CALL(mbind, long, mbind, -1,
     (void *at, unsigned long size, int mode, const unsigned long *nodes,
      unsigned long max, unsigned flags),
     (at, size, mode, nodes, max, flags))
CALL(move_pages, long, move_pages, -1,
     (int pid, unsigned long n, void **page, const int *node, int *status,
      int flags),
     (pid, n, page, node, status, flags))

/* Files ------------------------------------------------------------------- */

CALL(open, int, open, -1, (const char *path, int flags, ...),
     (path, flags, 0600))
CALL(open, int, open64, -1, (const char *path, int flags, ...),
     (path, flags, 0600))
CALL(open, int, openat, -1, (int dir, const char *path, int flags, ...),
     (dir, path, flags, 0600))
CALL(open, int, memfd_create, -1, (const char *name, unsigned flags),
     (name, flags))
CALL(open, int, eventfd, -1, (unsigned value, int flags), (value, flags))
CALL(open, int, pipe2, -1, (int fd[2], int flags), (fd, flags))
CALL(socket, int, socket, -1, (int domain, int type, int protocol),
     (domain, type, protocol))
CALL(socket, int, socketpair, -1,
     (int domain, int type, int protocol, int fd[2]),
     (domain, type, protocol, fd))
CALL(open, DIR *, opendir, NULL, (const char *path), (path))
CALL(open, int, scandir, -1,
     (const char *path, struct dirent ***list,
      int (*pick)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     (path, list, pick, order))
CALL(read, ssize_t, read, -1, (int fd, void *to, size_t size), (fd, to, size))
CALL(read, ssize_t, pread, -1, (int fd, void *to, size_t size, off_t at),
     (fd, to, size, at))
CALL(read, ssize_t, pread64, -1, (int fd, void *to, size_t size, off64_t at),
     (fd, to, size, at))
CALL(read, ssize_t, recv, -1, (int fd, void *to, size_t size, int flags),
     (fd, to, size, flags))
CALL(read, ssize_t, recvmsg, -1, (int fd, struct msghdr *message, int flags),
     (fd, message, flags))
CALL(write, ssize_t, write, -1, (int fd, const void *from, size_t size),
     (fd, from, size))
CALL(write, ssize_t, pwrite, -1,
     (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
CALL(write, ssize_t, send, -1,
     (int fd, const void *from, size_t size, int flags),
     (fd, from, size, flags))
CALL(write, ssize_t, sendmsg, -1,
     (int fd, const struct msghdr *message, int flags), (fd, message, flags))
CALL(fcntl, int, dup2, -1, (int from, int to), (from, to))
CALL(stat, int, stat, -1, (const char *path, struct stat *s), (path, s))
CALL(stat, int, fstat, -1, (int fd, struct stat *s), (fd, s))
CALL(stat, int, statfs, -1, (const char *path, struct statfs *s), (path, s))
CALL(stat, int, access, -1, (const char *path, int mode), (path, mode))
CALL(stat, ssize_t, readlink, -1, (const char *path, char *to, size_t size),
     (path, to, size))
CALL(stat, char *, realpath, NULL, (const char *path, char *to), (path, to))
CALL(stat, int, glob, GLOB_ABORTED,
     (const char *pattern, int flags, int (*complain)(const char *, int),
      glob_t *list),
     (pattern, flags, complain, list))

int
fcntl(int fd, int command, ...)
{
	static int (*real)(int, int, ...);
	va_list ap;
	long argument;

	va_start(ap, command);
	argument = va_arg(ap, long);
	va_end(ap);
	*(void **)&real = dlsym(RTLD_NEXT, "fcntl");
	return fails("fcntl") ? -1 : real(fd, command, argument);
}

int
ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list ap;
	void *argument;

	va_start(ap, request);
	argument = va_arg(ap, void *);
	va_end(ap);
	*(void **)&real = dlsym(RTLD_NEXT, "ioctl");
	return fails("ioctl") ? -1 : real(fd, request, argument);
}

/* The descriptor is closed even then, close(2). */
int
close(int fd)
{
	static int (*real)(int);
	int result;

	*(void **)&real = dlsym(RTLD_NEXT, "close");
	result = real(fd);
	return fails("close") ? -1 : result;
}

/* Streams ----------------------------------------------------------------- */

static int
number_of(void *cookie)
{
	return (int)(intptr_t)cookie;
}

static ssize_t
stream_read(void *cookie, char *to, size_t size)
{
	return read(number_of(cookie), to, size);
}

/* 0 means failure, see fopencookie(3). */
static ssize_t
stream_write(void *cookie, const char *from, size_t size)
{
	ssize_t n = write(number_of(cookie), from, size);

	return n < 0 ? 0 : n;
}

static int
stream_close(void *cookie)
{
	return close(number_of(cookie));
}

static FILE *
stream(int fd, const char *mode)
{
	static const cookie_io_functions_t functions = {
	    .read = stream_read, .write = stream_write, .close = stream_close};

	return fopencookie((void *)(intptr_t)fd, mode, functions);
}

/* No program here opens a file for writing by fopen. */
FILE *
fopen(const char *path, const char *mode)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? NULL : stream(fd, *mode == 'r' ? "r" : mode);
}

/* Processes and the system ------------------------------------------------ */

CALL(process, pid_t, fork, -1, (void), ())
CALL(process, int, execvp, -1, (const char *file, char *const argv[]),
     (file, argv))
CALL(process, int, posix_spawnp, EAGAIN,
     (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attributes, char *const argv[],
      char *const environment[]),
     (pid, file, actions, attributes, argv, environment))
CALL(process, int, pthread_create, EAGAIN,
     (pthread_t * thread, const pthread_attr_t *attributes,
      void *(*run)(void *), void *argument),
     (thread, attributes, run, argument))
CALL(sched, int, sched_setaffinity, -1,
     (pid_t pid, size_t size, const cpu_set_t *set), (pid, size, set))
CALL(sched, int, sched_getaffinity, -1,
     (pid_t pid, size_t size, cpu_set_t *set), (pid, size, set))
CALL(sched, int, sched_setscheduler, -1,
     (pid_t pid, int policy, const struct sched_param *p), (pid, policy, p))
CALL(sched, int, setrlimit, -1,
     (__rlimit_resource_t what, const struct rlimit *limit), (what, limit))
CALL(sched, int, getrlimit, -1,
     (__rlimit_resource_t what, struct rlimit *limit), (what, limit))

long
syscall(long number, ...)
{
	static long (*real)(long, ...);
	long argument[6];
	va_list ap;

	va_start(ap, number);
	for (size_t i = 0; i < 6; i++)
		argument[i] = va_arg(ap, long);
	va_end(ap);
	*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	if (fails(number == SYS_perf_event_open ? "perf_event_open"
	                                        : "syscall"))
		return -1;
	return real(number, argument[0], argument[1], argument[2], argument[3],
	            argument[4], argument[5]);
}

void *
dlopen(const char *file, int flags)
{
	static void *(*real)(const char *, int);

	library_is_gone = fails("dlopen");
	*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	return library_is_gone ? NULL : real(file, flags);
}

char *
dlerror(void)
{
	static char gone[] = "no such library in this test";
	static char *(*real)(void);

	*(void **)&real = dlsym(RTLD_NEXT, "dlerror");
	return atomic_exchange(&library_is_gone, false) ? gone : real();
}

/* The fault --------------------------------------------------------------- */

static int
error_of(const char *name)
{
	for (int i = 1; i < 200; i++) {
		const char *known = strerrorname_np(i);

		if (known && !strcmp(known, name))
			return i;
	}
	return EIO;
}

/* Code that tools run after the program's end, such as gcov's, is exempt. */
static void
stop(void)
{
	fault.n = 0;
}

/* The program itself may use SIGALRM. */
static void
limit_time(void)
{
	struct sigevent end = {.sigev_notify = SIGEV_SIGNAL,
	                       .sigev_signo = SIGKILL};
	struct itimerspec when = {.it_value.tv_sec = 20};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &end, &timer) ||
	    timer_settime(timer, 0, &when, NULL))
		abort();
}

static void
start(void)
{
	const char *wanted = getenv("FAULT");
	const char *mark = getenv("FAULT_MARK");
	unsigned long n;
	char error[16];

	if (strncmp(program_invocation_short_name, "pcb-", 4) != 0 || !wanted ||
	    sscanf(wanted, "%31[^:]:%lu:%15s", fault.call, &n, error) != 3)
		return;
	fault.error = error_of(error);
	snprintf(fault.mark, sizeof fault.mark, "%s", mark ? mark : "");
	unsetenv("FAULT");
	unsetenv("FAULT_MARK");
	unsetenv("LD_PRELOAD");
	stdin = stream(STDIN_FILENO, "r");
	stdout = stream(STDOUT_FILENO, "w");
	atexit(stop);
	limit_time();
	fault.n = n;
}

typedef int main_function(int argc, char **argv, char **environment);

static main_function *real_main;

static int
faulty_main(int argc, char **argv, char **environment)
{
	start();
	return real_main(argc, argv, environment);
}

/*
 * Calls main. A constructor would come too early: its atexit handlers run after
 * the program's destructors, where tools do their work.
 */
int __libc_start_main(main_function *main, int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack);

int
__libc_start_main(main_function *main, int argc, char **argv,
                  void (*init)(void), void (*fini)(void),
                  void (*loader_fini)(void), void *stack)
{
	static int (*real)(main_function *, int, char **, void (*)(void),
	                   void (*)(void), void (*)(void), void *);

	*(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
	real_main = main;
	return real(faulty_main, argc, argv, init, fini, loader_fini, stack);
}
