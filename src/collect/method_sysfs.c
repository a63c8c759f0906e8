/* Config space by the kernel, from a file of sysfs. */
#include "collect/method.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What every user may read. */
#define PUBLIC_SIZE 64

static void
config_path(const struct pci_tree *tree, const struct reader *r,
            char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/devices/%s/config", tree->sysfs,
	         r->function->bdf);
}

static bool
is_within(const struct reader *r, const struct stat *config)
{
	return r->place.offset < PUBLIC_SIZE ||
	       (uint64_t)config->st_size >= r->place.offset + sizeof(uint32_t);
}

static bool
suits(const struct pci_tree *tree, const struct reader *r)
{
	char path[PATH_MAX];
	struct stat config;

	config_path(tree, r, path);
	return stat(path, &config) || is_within(r, &config);
}

static bool
check_register(struct session *s, const struct reader *r)
{
	struct stat config;
	char text[PLACE_TEXT_MAX];
	uint32_t value;

	place_format(&r->place, text);
	if (!fstat(r->fd, &config) && !is_within(r, &config))
		return fail(s, STATUS_ABSENT,
		            "%s has no register %s: its config space has %jd "
		            "bytes",
		            r->function->bdf, text, (intmax_t)config.st_size);
	if (r->place.offset >= PUBLIC_SIZE && !read_file(r, &value) && !errno)
		return fail(s, STATUS_ABSENT,
		            "%s: register %s: beyond the first %d bytes, only "
		            "root (CAP_SYS_ADMIN) can read config space",
		            r->function->bdf, text, PUBLIC_SIZE);
	return true;
}

static bool
open_config(struct session *s, const struct pci_tree *tree, struct reader *r)
{
	char path[PATH_MAX];

	config_path(tree, r, path);
	r->at = (off_t)r->place.offset;
	r->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0)
		return fail(s, STATUS_ABSENT, "%s: %s", path, strerror(errno));
	return check_register(s, r);
}

const struct method sysfs_method = {
    .name = "sysfs",
    .help = "config space by the kernel",
    .reads_config = true,
    .suits = suits,
    .open = open_config,
    .read = read_file,
};
