/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a measured bandwidth is normal, by public results of its kind. */
#ifndef PCB_COMMON_CAUSE_VERDICT_H
#define PCB_COMMON_CAUSE_VERDICT_H

#include "common/cause/cause.h"

/* The largest MPS and MRRS of the specification. */
#define MPS_MOST 4096

/* Borderline is from this part of the p10, or of the number before, on. */
#define BORDERLINE 0.9
#define UNCHANGED  0.97

enum verdict {
	VERDICT_NORMAL,
	VERDICT_BORDERLINE,
	VERDICT_LOW,
	VERDICT_IMPOSSIBLE,
	VERDICT_UNCLEAR, /* each direction or the sum of both */
	VERDICT_UNKNOWN, /* too few public results */
	NVERDICTS
};
extern const char *const verdict_names[NVERDICTS];

/* The largest MPS of public devices of the kind. */
unsigned most_mps(enum initiator initiator);

/* Sets `bound` and `most` by the rest. */
void question_set_bounds(struct question *q);

/*
 * The verdict on a number, in each direction, of such a question: by what is
 * usual, and by the number before.
 */
enum verdict question_judge(const struct question *q, const struct usual *usual,
                            double number);

#endif
