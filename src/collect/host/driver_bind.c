/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/host/driver_bind.h"

#include "common/sys/sysfs.h"

#include <stdlib.h>
#include <string.h>

char *
binding_override(const char *directory)
{
	char *text = read_first_line("%s/driver_override", directory);

	/* What the kernel prints where there is no text. */
	if (text && !strcmp(text, "(null)"))
		*text = '\0';
	return text;
}

char *
binding_driver(const char *directory)
{
	char *driver = read_link_name("%s/driver", directory);

	return driver ? driver : xstrdup("");
}

static bool
unbind(const char *directory, const char *bdf)
{
	return write_line(bdf, "%s/driver/unbind", directory);
}

bool
binding_set(const char *directory, const char *driver, const char *override)
{
	const char *bdf = strrchr(directory, '/') + 1;
	char *now = binding_driver(directory);
	bool same = !strcmp(now, driver);
	bool ok = same || !*now || unbind(directory, bdf);

	free(now);
	if (!ok || !write_line(override, "%s/driver_override", directory))
		return false;
	return same || !*driver ||
	       write_line(bdf, "%s/subsystem/drivers/%s/bind", directory,
	                  driver);
}
