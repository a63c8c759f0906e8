/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line says of a measurement: who moved data, and which way.
 */
#ifndef PCB_MODEL_REFERENCE_H
#define PCB_MODEL_REFERENCE_H

#include "common/cause/reference.h"

struct options;

/*
 * What --for and --engine say, else the class of the device, else what is usual
 * for these lanes and short transfers; and the direction, default reads.
 */
enum initiator reference_initiator(const struct options *o, unsigned lanes,
                                   bool is_short);
enum traffic reference_traffic(const struct options *o,
                               enum initiator initiator);

#endif
