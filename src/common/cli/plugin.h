/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --plugin: one line and a status for programs that watch machines. */
#ifndef PCB_COMMON_CLI_PLUGIN_H
#define PCB_COMMON_CLI_PLUGIN_H

#include "common/base/util.h"

/*
 * The option. Once given, nothing else reaches stdout, and the program ends
 * with a status of the engine: for Nagios 0 (OK), 1 (warning), 2 (critical) or
 * 3 (unknown), for node-problem-detector 0, 1 (a problem) or 2 (unknown). What
 * the program would end with decides: 0 is OK, 1 critical, all else unknown.
 */
#define OPTION_PLUGIN(in_modes)                                                \
	{                                                                      \
		"plugin", 0, "ENGINE",                                         \
		    "write one line and end with a status as plugins of "      \
		    "nagios (also Icinga) or npd (node-problem-detector) do",  \
		    .modes = (in_modes), .words = "nagios npd",                \
		    .set = plugin_set                                          \
	}
const char *plugin_set(void *to, const char *text);
bool plugin_given(void);

/*
 * The program's messages from now on are the verdict, which begins the line:
 * an engine shows 80 characters or fewer.
 */
void plugin_verdict(void);

/*
 * Sets the text of the line, instead of the program's messages; `likely` makes
 * an OK a warning of Nagios, `known` is false if there was nothing to check.
 */
void plugin_say(bool likely, bool known, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/*
 * The same, with the messages: "CULPRIT: VERDICT; NOTES | COUNTS". The
 * culprit, such as a device, is "" if nothing is wrong.
 */
void plugin_say_verdict(bool known, const char *culprit, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
