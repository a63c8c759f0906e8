/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For unit tests of what a session does. */
#ifndef PCB_TESTS_RIG_SESSION_H
#define PCB_TESTS_RIG_SESSION_H

#include "collect/core/session.h"

/* Fails the test unless the session failed like this; forgets the failure. */
void assert_failed(struct session *s, int status, const char *text);

#endif
