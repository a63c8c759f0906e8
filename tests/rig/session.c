/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/session.h"

#include "rig/cmocka.h"

void
assert_failed(struct session *s, int status, const char *text)
{
	assert_non_null(s->failure.text);
	assert_string_equal(s->failure.text, text);
	assert_int_equal(s->failure.status, status);
	free(s->failure.text);
	s->failure = (struct failure){0};
}
