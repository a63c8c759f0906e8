/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Binds a PCI function to a driver through sysfs. */
#include "collect/host/driver_bind.h"

#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *
driver_get_override(const char *directory)
{
	char *text = read_first_line("%s/driver_override", directory);

	/* The kernel prints this for no text. */
	if (text && !strcmp(text, "(null)"))
		*text = '\0';
	return text;
}

char *
driver_name(const char *directory)
{
	char *driver = read_link_name("%s/driver", directory);

	return driver ? driver : xstrdup("");
}

/* write_line to a file of the function's directory, with a trace. */
static bool
write_file(const char *text, const char *directory, const char *file)
{
	bool ok = write_line(text, "%s/%s", directory, file);

	debug(DEBUG_RESTORE, "%s/%s: wrote '%s': %s", directory, file, text,
	      ok ? "done" : strerror(errno));
	return ok;
}

static bool
unbind(const char *directory, const char *bdf)
{
	return write_file(bdf, directory, "driver/unbind");
}

bool
driver_bind(const char *directory, const char *driver, const char *override)
{
	const char *bdf = strrchr(directory, '/') + 1;
	char *now = driver_name(directory);
	bool same = !strcmp(now, driver);
	bool ok = same || !*now || unbind(directory, bdf);
	char *bind;

	free(now);
	if (!ok || !write_file(override, directory, "driver_override"))
		return false;
	if (same || !*driver)
		return true;
	bind = xasprintf("subsystem/drivers/%s/bind", driver);
	ok = write_file(bdf, directory, bind);
	free(bind);
	return ok;
}
