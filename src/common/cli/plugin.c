/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line and the status that --plugin gives to an engine. */
#include "common/cli/plugin.h"

#include "common/base/utf8.h"

#include <fcntl.h>
#include <unistd.h>

enum { OK, WARNING, CRITICAL, UNKNOWN };

static struct {
	bool given, npd, likely, unknown;
	int to; /* the stdout of the engine */
	char *line;
	size_t notes; /* length of the messages before the verdict */
} plugin;

static int
state_of(int status)
{
	if (plugin.unknown || status > STATUS_NO)
		return UNKNOWN;
	if (status == STATUS_NO)
		return CRITICAL;
	return plugin.likely ? WARNING : OK;
}

/* Runs at exit: the only thing that the engine sees. */
static void
tell(int status, void *arg)
{
	static const char *const names[] = {"OK", "WARNING", "CRITICAL",
	                                    "UNKNOWN"};
	static const int of_npd[] = {0, 0, 1, 2};
	int state = state_of(status);
	const char *text = plugin.line ? plugin.line : kept_messages;
	FILE *to = fdopen(plugin.to, "w");

	(void)arg;
	if (to) {
		fprintf(to, "PCIE %s - ", names[state]);
		print_plain(to, text ? text : "see the message on stderr");
		fputc('\n', to);
	}
	if (!to || fflush(to))
		state = UNKNOWN;
	_exit(plugin.npd ? of_npd[state] : state);
}

const char *
plugin_set(void *to, const char *text)
{
	int nothing;

	(void)to;
	if (plugin.given)
		return NULL;
	plugin.given = true;
	plugin.npd = !strcmp(text, "npd");
	nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	plugin.to = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (nothing < 0 || plugin.to < 0 || on_exit(tell, NULL))
		die_sys("--plugin");
	dup2(nothing, STDOUT_FILENO);
	close(nothing);
	keep_messages();
	return plugin.npd || !strcmp(text, "nagios") ? NULL
	                                             : "not nagios or npd";
}

bool
plugin_given(void)
{
	return plugin.given;
}

void
plugin_say(bool likely, bool known, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	free(plugin.line);
	plugin.line = xvasprintf(fmt, ap);
	va_end(ap);
	plugin.likely = likely;
	plugin.unknown = !known;
}

void
plugin_verdict(void)
{
	plugin.notes = kept_messages ? strlen(kept_messages) : 0;
}

void
plugin_say_verdict(bool known, const char *culprit, const char *fmt, ...)
{
	const char *all = kept_messages ? kept_messages : "";
	const char *verdict = all + plugin.notes;
	char *counts;
	va_list ap;

	va_start(ap, fmt);
	counts = xvasprintf(fmt, ap);
	va_end(ap);
	if (plugin.notes)
		verdict = *verdict ? verdict + strlen("; ") : "passed";
	plugin_say(false, known, "%s%s%s%s%.*s | %s", culprit,
	           *culprit ? ": " : "", *verdict ? verdict : "passed",
	           plugin.notes ? "; " : "", (int)plugin.notes, all, counts);
	free(counts);
}
