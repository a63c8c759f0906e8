#include "collect/guardian.h"

#include "common/util.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The other process: no signal meant for the group or the terminal reaches
 * it, nor one meant for all processes of this name; and nobody who reads our
 * output waits for it.
 */
static _Noreturn void
guard(void (*undo)(void *data), void *data, int line, const sigset_t *mask)
{
	static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,
	                              SIGQUIT, SIGPIPE, SIGALRM};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	char byte;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		signal(signals[i], SIG_IGN);
	setsid();
	sigprocmask(SIG_SETMASK, mask, NULL);
	prctl(PR_SET_NAME, "pcb-guardian");
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	while (read(line, &byte, 1) < 0 && errno == EINTR)
		;
	undo(data);
	_exit(STATUS_OK);
}

/* With all signals held off: one must not come before it can be ignored. */
bool
guardian_start(struct guardian *g, void (*undo)(void *data), void *data)
{
	sigset_t all, before;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return false;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	g->process = fork();
	if (!g->process) {
		close(ends[1]);
		guard(undo, data, ends[0], &before);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	g->line = ends[1];
	if (g->process > 0)
		return true;
	g->process = 0;
	close(g->line);
	return false;
}

bool
guardian_end(struct guardian *g)
{
	int status = -1; /* not known, where SIGCHLD is ignored */

	if (!g->process)
		return true;
	close(g->line);
	while (waitpid(g->process, &status, 0) < 0 && errno == EINTR)
		;
	g->process = 0;
	return !status;
}
