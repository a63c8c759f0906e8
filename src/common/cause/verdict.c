/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/cause/verdict.h"

#include <math.h>

const char *const verdict_names[NVERDICTS] = {
    [VERDICT_NORMAL] = "normal",   [VERDICT_BORDERLINE] = "borderline",
    [VERDICT_LOW] = "low",         [VERDICT_IMPOSSIBLE] = "impossible",
    [VERDICT_UNCLEAR] = "unclear", [VERDICT_UNKNOWN] = "no reference",
};

unsigned
most_mps(enum initiator initiator)
{
	static const unsigned most[NINITIATORS] = {
	    [INITIATOR_GPU_COPY] = 256,  [INITIATOR_GPU_CORE] = 256,
	    [INITIATOR_NVME] = 512,      [INITIATOR_NIC] = MPS_MOST,
	    [INITIATOR_FPGA] = MPS_MOST, [INITIATOR_CPU] = MPS_MOST,
	};

	return most[initiator];
}

void
question_set_bounds(struct question *q)
{
	const struct link *link = &q->config.link;

	q->bound = question_bound(q, link->gen, link->lanes, 0);
	q->most =
	    fmax(q->bound,
	         question_bound(q, link->gen, link->lanes,
	                        q->mps_known ? 0 : most_mps(q->initiator)));
}

/* Normal is from `normal` on, borderline from BORDERLINE times `base`. */
static enum verdict
compare(double number, double normal, double base)
{
	return number >= normal              ? VERDICT_NORMAL
	       : number >= BORDERLINE * base ? VERDICT_BORDERLINE
	                                     : VERDICT_LOW;
}

enum verdict
question_judge(const struct question *q, const struct usual *usual,
               double number)
{
	double p10 = usual->p10 * q->bound;
	enum verdict verdict =
	    usual->known ? compare(number, p10, p10) : VERDICT_UNKNOWN;
	enum verdict now = compare(number, UNCHANGED * q->before, q->before);

	if (!question_fits(q, number, q->most))
		return VERDICT_IMPOSSIBLE;
	if (q->before > 0 && (!usual->known || now > verdict))
		verdict = now;
	return verdict;
}
