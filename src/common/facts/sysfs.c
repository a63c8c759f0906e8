/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of /sys: its files, and what grep or head prints of them. */
#include "common/sys/sysfs.h"
#include "common/base/util.h"
#include "common/facts/facts.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

static const struct {
	const char *name;
	enum fact_kind kind;
} files[] = {
    {"vendor", FACT_VENDOR},
    {"device", FACT_DEVICE},
    {"class", FACT_CLASS},
    {"numa_node", FACT_NODE},
    {"current_link_speed", FACT_GEN},
    {"current_link_width", FACT_LANES},
    {"max_link_speed", FACT_MAX_GEN},
    {"max_link_width", FACT_MAX_LANES},
    {"link/l0s_aspm", FACT_L0S},
    {"link/l1_aspm", FACT_L1},
    {"power_state", FACT_POWER},
    {"aer_dev_correctable", FACT_ERROR},
    {"aer_dev_nonfatal", FACT_ERROR},
    {"aer_dev_fatal", FACT_ERROR},
};

/* Stores what a file says, one line of it. */
static void
take_value(struct facts *facts, const char *bdf, size_t file, const char *text)
{
	enum fact_kind kind = files[file].kind;
	const char *number = strrchr(text, ' ');
	char value[64];
	long lanes;

	if (!*text)
		return;
	snprintf(value, sizeof value, "%s", text);
	if (kind == FACT_GEN || kind == FACT_MAX_GEN) {
		snprintf(value, sizeof value, "%u",
		         facts_gen(strtod(text, NULL)));
	} else if (kind == FACT_LANES || kind == FACT_MAX_LANES) {
		/* 255, or 63 of older kernels: all ones. */
		lanes = strtol(text, NULL, 10);
		snprintf(value, sizeof value, "%ld",
		         lanes > 0 && lanes <= 32 ? lanes : 0);
	} else if (kind == FACT_ERROR &&
	           (!number || !strtoul(number, NULL, 10) ||
	            !strncmp(text, "TOTAL_", 6))) {
		return;
	}
	facts_add(facts, bdf, kind, FROM_SYSFS, NAN, value);
}

/* What is behind the last slash, which it removes; the whole without one. */
static char *
last_part(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return path;
	*slash = '\0';
	return slash + 1;
}

/*
 * "/sys/class/drm/card1/device": a device of the kernel, whose address the path
 * does not have.
 */
static bool
take_class(struct facts *facts, char *path, char bdf[BDF_MAX])
{
	static const char *const classes[][2] = {{"drm", "0x030000"},
	                                         {"nvme", "0x010802"},
	                                         {"net", "0x020000"},
	                                         {"infiniband", "0x020700"}};
	const char *name = last_part(path), *class = last_part(path);

	for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
		if (strcmp(class, classes[i][0]) != 0 || !strlen(name) ||
		    strlen(name) >= BDF_MAX)
			continue;
		snprintf(bdf, BDF_MAX, "%s", name);
		if (strcmp(facts->heading, bdf) != 0)
			facts_add(facts, bdf, FACT_CLASS, FROM_SYSFS, NAN,
			          classes[i][1]);
		return true;
	}
	return false;
}

/* The function whose directory a path ends in; adds what is above it. */
static bool
take_directory(struct facts *facts, const char *path, size_t length,
               char bdf[BDF_MAX])
{
	char *copy = xasprintf("%.*s", (int)length, path), *above;
	char *name = last_part(copy);
	bool good = parse_bdf(name, bdf);

	if (!good && !strcmp(name, "device"))
		good = take_class(facts, copy, bdf);
	else if (good && name > copy && strcmp(facts->heading, bdf) != 0) {
		char upper[BDF_MAX];

		above = last_part(copy);
		if (parse_bdf(above, upper))
			facts_add(facts, bdf, FACT_ABOVE, FROM_SYSFS, NAN,
			          upper);
		else if (!strncmp(above, "pci", 3) && strchr(above, ':'))
			facts_add(facts, bdf, FACT_ABOVE, FROM_SYSFS, NAN,
			          above);
	}
	if (good)
		memcpy(facts->heading, bdf, BDF_MAX);
	free(copy);
	return good;
}

/* What is behind "DIRECTORY/FILE" and `mark` in a line; NULL: no such line. */
static const char *
take_path(struct facts *facts, const char *line, const char *mark, size_t *file)
{
	for (*file = 0; *file < ARRAY_LEN(files); ++*file) {
		const char *name = files[*file].name, *at = line;
		size_t n = strlen(name);
		char bdf[BDF_MAX];

		while ((at = strstr(at, name)) &&
		       (at == line || at[-1] != '/' ||
		        strncmp(at + n, mark, strlen(mark)) != 0))
			at += n;
		if (at &&
		    take_directory(facts, line, (size_t)(at - 1 - line), bdf))
			return at + n + strlen(mark);
	}
	return NULL;
}

/* "PATH/FILE:VALUE" of grep; "==> PATH/FILE <==" of head, lines below. */
bool
facts_take_sysfs(struct facts *facts, const char *line)
{
	bool heads = !strncmp(line, "==> ", 4);
	size_t file;
	const char *value = strchr(line, '/')
	                        ? take_path(facts, heads ? line + 4 : line,
	                                    heads ? " <==" : ":", &file)
	                        : NULL;

	if (value && !heads) {
		take_value(facts, facts->heading, file, value);
		facts->headed = false;
	} else if (value) {
		facts->headed = true;
		facts->file = file;
	} else if (facts->headed && *line && !heads) {
		take_value(facts, facts->heading, facts->file, line);
	} else {
		facts->headed = false;
		return false;
	}
	return true;
}

/* The path below /sys/devices to which a link of sysfs leads; free it. */
static char *
path_of(const char *directory)
{
	char target[PATH_MAX];
	ssize_t n = readlink(directory, target, sizeof target - 1);
	const char *devices;

	target[n < 0 ? 0 : n] = '\0';
	devices = strstr(target, "/devices/");
	return devices ? xasprintf("/sys%s", devices) : xstrdup(directory);
}

static char *
read_line_of(const char *directory, size_t file)
{
	return files[file].kind == FACT_ERROR
	           ? NULL
	           : read_first_line("%s/%s", directory, files[file].name);
}

void
facts_read_function(struct facts *facts, const char *bdf, const char *directory)
{
	char *path = path_of(directory), found[BDF_MAX];

	take_directory(facts, path, strlen(path), found);
	free(path);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char *text = read_line_of(directory, i);

		if (text)
			take_value(facts, bdf, i, text);
		free(text);
	}
}

void
facts_print_function(const char *directory)
{
	char *path = path_of(directory);

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char *text = read_line_of(directory, i);

		if (text)
			printf("%s/%s:%s\n", path, files[i].name, text);
		free(text);
	}
	free(path);
}
