/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/host/stops.h"

#include "collect/host/clock.h"
#include "common/base/message.h"

#define STOPPED_NS UINT64_C(1000000000)

uint64_t
stops_begin(struct stops *stops)
{
	return stops->looked = now_ns();
}

uint64_t
stops_look(struct stops *stops)
{
	uint64_t now = now_ns();

	if (!stops->looked)
		return now;
	if (now - stops->looked >= STOPPED_NS)
		stops->ns += now - stops->looked;
	return stops->looked = now;
}

void
stops_end(struct stops *stops)
{
	stops_look(stops);
	stops->looked = 0;
}

void
stops_warn(const struct stops *stops)
{
	if (stops->ns)
		warn("the program was stopped for %.0f s (as by Ctrl-Z): "
		     "elapsed_ns includes this, and the bandwidth is too low",
		     (double)stops->ns / 1e9);
}
