/* How many DMAs a network card must have in flight. */
#ifndef PCB_MODEL_INFLIGHT_H
#define PCB_MODEL_INFLIGHT_H

#include "common/out.h"
#include "common/units.h"

struct options;

struct inflight_options {
	uint64_t rate; /* of the Ethernet, bit/s */
	struct size_list frame;
};

/* NULL, or why there is no such frame (a constant). */
const char *check_frame(uint64_t bytes);

/*
 * Nanoseconds from a frame of so many bytes, CRC included, to the next one on
 * a full Ethernet: with the preamble, the start and the gap, 20 bytes more.
 */
double frame_ns(uint64_t rate, uint64_t bytes);

/*
 * How many DMAs are under way at a time where one is started for every frame
 * and takes this long, rounded up: what does not fit makes frames wait.
 * Neugebauer et al., SIGCOMM 2018, section 2.
 */
double frames_in(double ns, uint64_t rate, uint64_t bytes);

/*
 * The command `inflight`: rows for the time of --rtt, or those of the files
 * with columns behind them. Dies of bad input. Returns STATUS_OK.
 */
int run_inflight(struct out *o, const struct options *options);

#endif
