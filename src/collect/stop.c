#include "collect/stop.h"

#include "common/util.h"

#include <stddef.h>

struct stop stop;

static void
on_signal(int number)
{
	if (number != SIGALRM)
		stop.caught = number;
	stop.now = 1;
}

void
stop_by_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
	struct sigaction action = {.sa_handler = on_signal,
	                           .sa_flags = SA_RESTART};
	struct sigaction old;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		if (!sigaction(signals[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
}
