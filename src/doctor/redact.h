/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of a machine without what tells whose it is. */
#ifndef PCB_DOCTOR_REDACT_H
#define PCB_DOCTOR_REDACT_H

#include <stddef.h>

/*
 * Writes n files ("-" is standard input), one after the other, without serial
 * numbers, host names, addresses of networks and UUIDs: equal ones become the
 * same word, such as host1. Says how many there were.
 */
void redact(char *const file[], size_t n);

#endif
