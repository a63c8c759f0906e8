#include "collect/lost.h"

#include <signal.h>
#include <stddef.h>

_Thread_local sigjmp_buf *lost_mapping;

static void
on_bus_error(int number)
{
	if (lost_mapping)
		siglongjmp(*lost_mapping, 1);
	/* The same again, when the access is tried again. */
	signal(number, SIG_DFL);
}

void
lost_catch(void)
{
	struct sigaction action = {.sa_handler = on_bus_error};

	sigaction(SIGBUS, &action, NULL);
}

void
lost_release(void)
{
	signal(SIGBUS, SIG_DFL);
}
