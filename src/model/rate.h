/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a bandwidth with its unit. */
#ifndef PCB_MODEL_RATE_H
#define PCB_MODEL_RATE_H

/*
 * Parses "11.8GB/s", "94Gbit/s", "11200MB/s", "10.9GiB/s". NULL, or why the
 * text is none (a constant).
 */
const char *model_parse_rate(const char *text, double *gbit_s);

#endif
