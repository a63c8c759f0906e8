/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens events, and encodes their terms. */
#include "collect/host/perf_event.h"

#include "common/base/debug.h"
#include "common/base/number.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

int
perf_open(struct perf_event_attr *attr, pid_t process, int cpu, int group)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, process, cpu, group,
	                      PERF_FLAG_FD_CLOEXEC);

	debug(
	    DEBUG_PMU,
	    "perf_event_open: type %u, config 0x%jx, CPU %d, group %d = %d%s%s",
	    attr->type, (uintmax_t)attr->config, cpu, group, fd,
	    fd < 0 ? ": " : "", fd < 0 ? strerror(errno) : "");
	return fd;
}

/* Terms of events ---------------------------------------------------------- */

static const char no_format[] = "not a format such as config:0-7";

/* The config word that a format starts with, or -1; moves *text behind it. */
static int
take_word(const char **text)
{
	static const char *const names[] = {"config:", "config1:", "config2:"};

	for (int i = 0; i < (int)ARRAY_LEN(names); i++) {
		size_t length = strlen(names[i]);

		if (strncmp(*text, names[i], length) != 0)
			continue;
		*text += length;
		return i;
	}
	return -1;
}

/* The number of a bit, or 64; moves *text behind it. */
static unsigned
take_bit(const char **text)
{
	size_t digits = strspn(*text, "0123456789");
	unsigned long bit = digits ? strtoul(*text, NULL, 10) : 64;

	*text += digits;
	return bit > 63 ? 64 : (unsigned)bit;
}

const char *
pmu_put(struct pmu_config *config, const char *format, uint64_t value)
{
	int word = take_word(&format);

	if (word < 0)
		return no_format;
	/* Each range takes the low bits of the value. */
	do {
		unsigned first = take_bit(&format), last = first;
		uint64_t mask;

		if (*format == '-') {
			format++;
			last = take_bit(&format);
		}
		if (first > last || last > 63 || (*format && *format != ','))
			return no_format;
		mask = UINT64_MAX >> (63 - (last - first));
		config->word[word] |= (value & mask) << first;
		value = last - first == 63 ? 0 : value >> (last - first + 1);
	} while (*format++ == ',');
	return value ? "larger than its field" : NULL;
}

/* The name of a file of the directory, ignoring case, or NULL. */
static char *
find_file(const char *pmu, const char *directory, const char *name)
{
	char *path = xasprintf("%s/%s", pmu, directory);
	DIR *dir = opendir(path);
	struct dirent *entry;
	char *found = NULL;

	free(path);
	while (dir && !found && (entry = readdir(dir))) {
		if (!strcasecmp(entry->d_name, name))
			found = xstrdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

/* config, config1 and config2 are whole words without a file. */
static bool
put_field(const char *pmu, const char *name, const char *value,
          struct pmu_config *config, char **why)
{
	char *format = read_first_line("%s/format/%s", pmu, name);
	char *word = xasprintf("%s:0-63", name);
	const char *reason = "no such field or event";
	const char *at = word;
	uint64_t number = 0;

	if (format || take_word(&at) >= 0)
		reason = parse_offset(value, &number);
	if (!reason)
		reason = pmu_put(config, format ? format : word, number);
	free(format);
	free(word);
	if (reason) {
		const char *slash = strrchr(pmu, '/');

		*why = xasprintf("%s: %s: %s", slash ? slash + 1 : pmu, name,
		                 reason);
	}
	return !reason;
}

/* Replaces names of events by their terms. */
static char *
expand(const char *pmu, const char *terms)
{
	char **term = list_split(terms);
	char *all = xstrdup("");

	for (size_t i = 0; term[i]; i++) {
		char *file = strchr(term[i], '=')
		                 ? NULL
		                 : find_file(pmu, "events", term[i]);
		char *of_event =
		    file ? read_first_line("%s/events/%s", pmu, file) : NULL;

		char *longer = xasprintf("%s%s%s", all, i ? "," : "",
		                         of_event ? of_event : term[i]);

		free(all);
		all = longer;
		free(of_event);
		free(file);
	}
	free(term);
	return all;
}

bool
pmu_encode(const char *pmu, const char *terms, struct pmu_config *config,
           char **why)
{
	char *all = expand(pmu, terms);
	char **term = list_split(all);
	bool ok = true;

	*config = (struct pmu_config){0};
	for (size_t i = 0; ok && term[i]; i++) {
		char *value = strchr(term[i], '=');

		if (value)
			*value++ = '\0';
		ok = put_field(pmu, term[i], value ? value : "1", config, why);
	}
	free(term);
	free(all);
	return ok;
}
